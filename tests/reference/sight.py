"""Sight: the grid and views of it, as kinds, codes, planes and as MiniGrid has them (section 12 of the reference)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from griddsl.syntax import nodes as n
from tests.reference.compass import STEPS
from tests.reference.conditions import holds
from tests.reference.expressions import all_meant_by, cell_of, is_off_grid, number, place_of
from tests.reference.groups import kinds_meant
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.minigrid import minigrid
from tests.reference.named import KindName, named
from tests.reference.places import with_cell
from tests.reference.ranging import rounds
from tests.reference.scope import IS_SELF, Scope, find_in, is_being, kind_named, matches
from tests.reference.types import type_of
from tests.reference.world import Being, Cell, World

OFF, UNSEEN = "off the grid", "unseen"
Seen = Cell | str
Rows = list[list[Seen]]  # of each place the cell that is seen there, or OFF, or UNSEEN


def see(item: n.ObserveItem, seen: list[n.SeenAs], scope: Scope) -> Any:
    """Return a grid or a view in its form."""
    rows = view(item.view, scope) if item.view is not None else whole(scope.here)
    form = item.form.name if item.form else "kinds"
    match form:
        case "kinds":
            return np.array(
                [[kind_code(place, seen, scope) for place in row] for row in rows], dtype=np.uint8
            )
        case "codes":
            assert item.form is not None
            return np.array(
                [[chosen_code(place, item.form, seen, scope) for place in row] for row in rows], np.uint8
            )
        case "planes":
            return _planes(rows, item.form, seen, scope)
    return minigrid(rows, item.view, scope)


# Where it looks


def whole(world: World) -> Rows:
    """Return the rows of the grid."""
    return [[world.cell(x, y) for x in range(world.game.width)] for y in range(world.game.height)]


def shape_of(view: n.ViewShape, scope: Scope) -> tuple[int, int, int]:
    """Return the rows and columns of a view, and the row in which the agent stands."""
    if view.reach is not None:
        ahead, behind, aside = (int(number(part, scope)) for part in view.reach)
        return ahead + behind + 1, 2 * aside + 1, ahead
    centered = view.anchor in {"centered", "centered north up"} or not scope.here.game.has_facing
    return view.height, view.width, view.height // 2 if centered else view.height - 1


def view(shape: n.ViewShape, scope: Scope) -> Rows:
    """Return the rows of a view: the agent looks up it; north is up where there is no facing, or it is said so."""
    world, agent = scope.here, scope.agent
    rows, columns, row = shape_of(shape, scope)
    turns = world.game.has_facing and shape.anchor != "centered north up"
    facing = agent.facing % 4 if turns else 3
    (dx, dy), (rx, ry) = STEPS[facing], STEPS[(facing + 1) % 4]
    here = cell_of(agent, scope)
    found: Rows = []
    for r in range(rows):
        found.append([])
        for c in range(columns):
            ahead, right = row - r, c - columns // 2
            x, y = here.x + ahead * dx + right * rx, here.y + ahead * dy + right * ry
            found[-1].append(world.cell(x, y) if world.is_inside(x, y) else OFF)
    found = lit(found, row, world) if shape.occluded else found
    if shape.cone is None:
        return found
    widening = int(number(shape.cone, scope))
    return [
        [place if abs(c - columns // 2) * widening <= row - r else UNSEEN for c, place in enumerate(line)]
        for r, line in enumerate(found)
    ]


def lit(rows: Rows, row: int, world: World) -> Rows:
    """Return what the light reaches, by MiniGrid's rule: the agent's row first, then each row beyond it, both ways.

    From a lit cell that is not opaque, light spreads to its neighbours in the row and to the three next to it beyond.
    """
    width = len(rows[0])
    light = {(row, width // 2)}
    ahead, behind = range(row, -1, -1), range(row, len(rows))
    for way, beyond in ((ahead, -1), (behind, 1)):
        for r in way:
            for columns, side in ((range(width), 1), (range(width - 1, -1, -1), -1)):
                for c in columns:
                    if (r, c) in light and _lets_through(rows[r][c], world):
                        light |= {(r, c + side), *((r + beyond, c + aside) for aside in (-1, 0, 1))}
    return [
        [place if (r, c) in light else UNSEEN for c, place in enumerate(line)] for r, line in enumerate(rows)
    ]


def _lets_through(place: Seen, world: World) -> bool:
    return isinstance(place, Cell) and not world.blocks(place, "opaque")


# What is in a cell


def stack(cell: Cell, scope: Scope) -> list[Being]:
    """Return what is in a cell, the topmost first: agents, objects of the higher layers, the tile."""
    world = scope.here
    return [*reversed(world.agents_at(cell)), *reversed(world.things_at(cell)), cell.ground]


def disguise(being: Being, seen: list[n.SeenAs], scope: Scope) -> tuple[Kind, KindName | None]:
    """Return the kind that a being appears as, and what it appears as (a pattern), where ``seen as`` says so."""
    kind: Kind = being.kind
    shown: KindName | None = None
    for item in seen:
        hidden = agents_meant(item.kind, scope)
        asked = kind_named(hidden, scope)
        assert asked is not None
        is_asked = kind is asked or (asked.name == "agent" and kind.category == "agent")
        if is_asked and shown is None:
            inner = scope.inner(**dict.fromkeys((asked.name, *_called(item.kind)), being))
            if matches(being, pattern_of(hidden), inner) and (
                item.condition is None or holds(item.condition, inner)
            ):
                appearance = kind_named(item.appearance, scope)
                assert appearance is not None
                kind, shown = appearance, named(item.appearance)
    return kind, shown


def _called(node: Any) -> Iterator[str]:
    """Yield the names by which a condition speaks of the agent that is looked at."""
    if isinstance(node, n.Other):
        yield f"other {named(node.kind).name}"
    elif isinstance(node, n.Name) and node.name == "other":
        yield "other"


def kind_code(place: Seen, seen: list[n.SeenAs], scope: Scope) -> int:
    """Return the code of the topmost kind; off the grid is wall, and what is not seen has a code of its own."""
    kinds = scope.here.game.kinds
    if not isinstance(place, Cell):
        return len(kinds) if place == UNSEEN else kinds["wall"].code
    return disguise(stack(place, scope)[0], seen, scope)[0].code


def appears(being: Being, node: KindName, seen: list[n.SeenAs], scope: Scope) -> bool:
    """Whether a being appears as one of a kind, with the attributes that are asked for."""
    kind, shown = disguise(being, seen, scope)
    asked = kind_named(node, scope)
    assert asked is not None
    if kind is not asked and not (asked.name == "agent" and kind.category == "agent"):
        return False
    if shown is not None:
        return pattern_of(node).items() <= pattern_of(shown).items()
    return matches(being, pattern_of(node), scope)


def agents_meant(node: Any, scope: Scope) -> Any:
    """Return the agents that ``self``, ``other`` and ``other K`` stand for: who looks, and all the others."""
    name = node.name if isinstance(node, n.Name) else ""
    if name in scope.here.game.kinds or (name not in {"self", "other"} and not isinstance(node, n.Other)):
        return node
    kind = named(node.kind).name if isinstance(node, n.Other) else "agent"
    return n.Pattern(kind, ((IS_SELF, n.Truth(name == "self", node.span)),), node.span)


def chosen_code(place: Seen, form: n.Form, seen: list[n.SeenAs], scope: Scope) -> int:
    """Return the code of the topmost of the listed kinds; of several entries that fit it, the last."""
    listed = [entry for entry in form.entries if isinstance(entry, n.Code)]
    entries = [
        (kind, int(number(entry.number, scope)))
        for entry in listed
        for kind in kinds_meant(entry.kind, scope) or [named(agents_meant(entry.kind, scope))]
    ]
    if not isinstance(place, Cell):
        walls = [code for node, code in entries if node.name == "wall"]
        return walls[0] if walls and place == OFF else 0
    for being in stack(place, scope):
        codes = [code for node, code in entries if appears(being, node, seen, scope)]
        if codes:
            return codes[-1]
    return 0


# Planes


def _planes(rows: Rows, form: n.Form | None, seen: list[n.SeenAs], scope: Scope) -> Any:
    kinds = scope.here.game.kinds
    entries = [] if form is None else [entry for entry in form.entries if not isinstance(entry, n.Code)]
    entries = [_of_several(agents_meant(entry, scope), scope) for entry in entries]
    nodes = entries or [n.Name(name, scope.here.game.spec.place("observe")) for name in kinds]
    asked = [node if isinstance(node, n.Name | n.Pattern) and node.name in kinds else None for node in nodes]
    numbers = [
        node for node, kind in zip(nodes, asked, strict=True) if kind is None and _is_number(node, scope)
    ]
    spots = {id(node): _spots(node, scope) for node in nodes if isinstance(node, n.CellsFor)}
    dtype = np.float32 if numbers else np.uint8
    planes = [
        [
            [
                int((place.x, place.y) in spots[id(node)] if isinstance(place, Cell) else False)
                if id(node) in spots
                else _worth(place, node, scope)
                if kind is None
                else _in_plane(place, kind, seen, scope)
                for node, kind in zip(nodes, asked, strict=True)
            ]
            for place in row
        ]
        for row in rows
    ]
    found = np.array(planes, dtype=dtype)
    return found[..., 0] if len(entries) == 1 else found


def _of_several(node: Any, scope: Scope) -> Any:
    """Return the condition that a plane of several kinds shows: that any of them is there."""
    kind = node.kind if isinstance(node, n.Quantified) else node
    if kinds_meant(kind, scope) is None:
        return node
    return n.Relation("at", n.Quantified("any", kind, node.span), n.Name("here", node.span), None, node.span)


def _in_plane(place: Seen, node: KindName, seen: list[n.SeenAs], scope: Scope) -> int:
    if not isinstance(place, Cell):
        return int(place == OFF and node.name == "wall")
    return int(any(appears(being, node, seen, scope) for being in stack(place, scope)))


def _is_number(node: Any, scope: Scope) -> bool:
    """Whether a plane shows numbers, and not whether a condition holds."""
    if isinstance(node, n.CellsFor):
        return False
    return type_of(node, with_cell(scope, scope.here.cell(0, 0))).form != "truth"


def _spots(node: n.CellsFor, scope: Scope) -> set[tuple[int, int]]:
    """Return the cells that things speak of: ``(car.x - 1, car.y) for car where C``; some may lie off the grid."""
    found = set() if node.others is None else _spots(node.others, scope)
    for cell, inner in rounds(node.over, node.cell, scope):
        being = inner.names[named(node.over).name]
        if not matches(being, pattern_of(node.over), inner):
            continue
        if node.where is not None and not holds(node.where, inner, True):
            continue
        while isinstance(cell, n.Given):
            inner = inner.inner(**all_meant_by(cell.names, inner))
            cell = cell.value
        if isinstance(cell, n.Position):
            found.add((number(cell.x, inner), number(cell.y, inner)))
        elif not is_off_grid(cell, inner) and (place := place_of(cell, inner)) is not None:
            found.add((place.x, place.y))
    return found


def _worth(place: Seen, node: Any, scope: Scope) -> Any:
    """Return what an expression is worth for the things in a cell; 0 where a thing that it names is not there."""
    if not isinstance(place, Cell):
        return 0
    inner = with_cell(scope, place)
    for owner in _owners(node, frozenset(), scope.here.game.kinds):
        kind = kind_named(owner, scope)
        if kind is None or is_being(inner.find(kind.name)):
            continue
        if kind.category == "agent" and not scope.here.game.several:
            continue
        found = find_in(place, owner, inner)
        if found is None:
            return 0
        inner.names[kind.name] = found
    return number(node, inner)


def _owners(node: Any, looked_at: frozenset[str], kinds: dict[str, Kind]) -> Iterator[n.Name]:
    """Yield what a plane asks for attributes, but for what `any K where`, `count`, `sum` and the like go through."""
    if isinstance(node, n.Some | n.Superlative):
        looked_at |= {getattr(node.over, "name", "")}
    elif isinstance(node, n.Call):
        over = node.arguments[0] if node.name == "count" else node.each
        looked_at |= {getattr(over, "name", "")}
    elif isinstance(node, n.Relation | n.Is) and isinstance(node.left, n.Quantified):
        looked_at |= {getattr(node.left.kind, "name", "")}
    if isinstance(node, n.Attribute) and isinstance(node.owner, n.Name) and node.owner.name not in looked_at:
        yield node.owner
    if isinstance(node, n.Is) and isinstance(node.left, n.Name) and node.left.name not in looked_at:
        kind, word = kinds.get(node.left.name), getattr(node.right, "name", "")
        # `lamp is lit` asks for an attribute as `lamp.lit` does; `box is prize` does not.
        if kind is not None and any(
            word in {each.name, *each.domain.words} for each in kind.attributes.values()
        ):
            yield node.left
    for part in n.PARTS[type(node)]:
        value = getattr(node, part)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, n.Node):
                yield from _owners(each, looked_at, kinds)
