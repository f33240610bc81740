"""Places: areas, the cells that qualify for ``random`` and ``every``, and ways around what is solid (section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from griddsl.syntax import nodes as n
from tests.reference.expressions import chance_of, number, place_of
from tests.reference.groups import lies_there
from tests.reference.kinds import Kind
from tests.reference.named import named
from tests.reference.scope import Scope, find_in, kind_named
from tests.reference.world import Cell


def in_area(area: n.Area, cell: Cell, scope: Scope) -> bool:
    """Whether a cell lies in a column, a row, the border, a rectangle or a region."""
    game = scope.here.game
    match area.form:
        case "column":
            return bool(cell.x == number(area.value, scope))
        case "row":
            return bool(cell.y == number(area.value, scope))
        case "border":
            return cell.x in {0, game.width - 1} or cell.y in {0, game.height - 1}
        case "rectangle":
            sides = (area.value.left, area.value.right, area.value.top, area.value.bottom)
            left, right, top, bottom = (number(side, scope) for side in sides)
            return bool(left <= cell.x <= right and top <= cell.y <= bottom)
    assert isinstance(area.value, n.Name)
    return cell.place in game.regions[area.value.name]


def with_cell(scope: Scope, cell: Cell) -> Scope:
    """Return a scope in which ``x``, ``y`` and ``here`` are the candidate cell."""
    return scope.inner(here=cell, x=cell.x, y=cell.y)


def is_candidate(cell: Cell, node: n.Expression, placed: Kind | None, scope: Scope) -> bool:
    """Whether a cell is of the ground asked for, or ``free``, and empty for what is to be placed there.

    A cell in which an agent stands does not qualify, nor one whose layer is taken: any layer, but for an object its own.
    """
    world = scope.here
    if named(node).name == "free":
        if world.blocks(cell):
            return False
    elif find_in(cell, named(node), scope) is None:
        return False
    kind = kind_named(node, scope)
    if kind is not None and kind.category != "tile":
        return True
    own = placed.layer if placed is not None and placed.category == "object" else None
    if any(own in {None, thing.kind.layer} for thing in world.things_at(cell)):
        return False
    is_lone_agent = placed is not None and placed.category == "agent" and not world.game.several
    return is_lone_agent or not world.agents_at(cell)


def qualifying(
    node: n.RandomCell | n.EveryCell, scope: Scope, placed: Kind | None, called: str | None = None
) -> list[Cell]:
    """Return the cells that qualify, in the order of their numbers; ``called`` names the one that is looked at."""
    from tests.reference.conditions import holds

    reached: dict[Cell, int] = {}
    wanted = getattr(node, "reachable_from", None)
    if wanted is not None:
        start = place_of(wanted, scope)
        reached = {} if start is None else path_lengths(start, None, scope)
    area = getattr(node, "area", None)
    found = []
    for cell in scope.here.cells:
        inner = with_cell(scope if called is None else scope.inner(**{called: cell}), cell)
        if (
            is_candidate(cell, node.kind, placed, inner)
            and (area is None or in_area(area, cell, inner))
            and (wanted is None or cell in reached)
            and (node.where is None or holds(node.where, inner))
        ):
            found.append(cell)
    return found


class NoPlace(Exception):
    """A setup that found no place: `reset` raises `SpecError`."""


def random_cell(
    node: n.RandomCell,
    scope: Scope,
    placed: Kind | None = None,
    if_free: bool = False,
    called: str | None = None,
    but: Sequence[Cell] = (),
) -> Cell | None:
    """Draw one of the cells that qualify; where none does it is an error in setup, and no cell in a rule."""
    cells = [cell for cell in qualifying(node, scope, placed, called) if cell not in but]
    if cells:
        return cells[scope.here.stream.below(len(cells))]
    if scope.in_setup and not if_free:
        raise NoPlace("no-place", node)
    return None


def takes_part(node: n.EveryCell, cell: Cell, scope: Scope, placed: Kind) -> bool:
    """Whether a cell qualifies for ``every``, its chance drawn."""
    from tests.reference.conditions import holds

    inner = with_cell(scope, cell)
    return (
        is_candidate(cell, node.kind, placed, inner)
        and (node.where is None or holds(node.where, inner))
        and (node.chance is None or scope.here.stream.happens(chance_of(node.chance, inner)))
    )


def path_lengths(start: Cell, avoiding: n.Expression | None, scope: Scope) -> dict[Cell, int]:
    """Return how many steps it is from a cell to each that can be reached around what is solid (and around a kind)."""
    world = scope.here
    lengths, waiting = {start: 0}, [start]
    for here in waiting:
        for direction in range(4):
            beyond = world.beside(here, direction)
            if isinstance(beyond, str) or beyond in lengths or world.blocks(beyond):
                continue
            if avoiding is None or not lies_there(beyond, avoiding, scope):
                lengths[beyond] = lengths[here] + 1
                waiting.append(beyond)
    return lengths


def path_length(start: Cell, avoiding: n.Expression | None, scope: Scope) -> Callable[[Cell], int]:
    """Return what tells how many steps it is from a cell to another; what stands in either is in nobody's way."""
    world = scope.here
    far = world.game.width * world.game.height
    lengths = path_lengths(start, avoiding, scope)

    def path(cell: Cell) -> int:
        if cell is start:
            return 0
        around = [world.beside(cell, way) for way in range(4)]
        return min([far, *(lengths.get(each, far) + 1 for each in around if not isinstance(each, str))])

    return path
