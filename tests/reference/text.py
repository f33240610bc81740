"""Text: the board as characters, by the glyphs of the legend (section 3, "map and legend")."""

from __future__ import annotations

from typing import Any

from griddsl.syntax import nodes as n
from tests.reference.expressions import evaluate
from tests.reference.kinds import Kind
from tests.reference.maps import pattern_of
from tests.reference.numbers import plain
from tests.reference.scope import Scope
from tests.reference.world import Agent, Cell, World

BUILT_IN = {"floor": ".", "wall": "#", "agent": "@"}


def board(world: World) -> str:
    """Return the map as it is now, drawn by glyphs; with walls between cells, as ``map walled:`` reads it."""
    plain_glyphs = glyphs(world)
    width, height = world.game.width, world.game.height
    rows = [[_glyph(world, world.cell(x, y), plain_glyphs) for x in range(width)] for y in range(height)]
    if not world.level.walls:
        return "\n".join("".join(row) for row in rows)
    border = "+" + "-" * (2 * width - 1) + "+"
    lines = [border]
    for y, row in enumerate(rows):
        edges = [
            "|" if _is_walled(world, (x, y), (x + 1, y)) or x == width - 1 else ":" for x in range(width)
        ]
        lines.append("|" + "".join(glyph + edge for glyph, edge in zip(row, edges, strict=True)))
        below = [_is_walled(world, (x, y), (x, y + 1)) for x in range(width)]
        if any(below):
            lines.append("+" + " ".join("-" if each else " " for each in below) + "+")
    return "\n".join([*lines, border])


def _is_walled(world: World, first: tuple[int, int], second: tuple[int, int]) -> bool:
    return frozenset({first, second}) in world.level.walls


def shown_in(cell: Cell, world: World) -> list[Any]:
    """Return what is drawn in a cell, the tile first and the topmost last."""
    return [cell.ground, *world.things_at(cell), *world.agents_at(cell)]


def _glyph(world: World, cell: Cell, plain_glyphs: dict[str, str]) -> str:
    being = shown_in(cell, world)[-1]
    return fitting(being, cell, world) or plain_glyphs[being.kind.name]


def fitting(being: Any, cell: Cell, world: World) -> str | None:
    """Return the glyph of the legend that fits a thing best, of several that its kind has."""
    kind: Kind = being.kind
    if _count(world, kind.name) < 2:
        return None
    best: tuple[int, str] | None = None
    scope = Scope(None, dict(world.game.names))
    for item in world.game.spec.legend:
        if item.kind.name != kind.name or (isinstance(item.kind, n.Name) and item.tile is None):
            continue
        asked = [(being, *each) for each in pattern_of(item.kind).items()]
        asked += [(cell.ground, *each) for each in pattern_of(item.tile).items()]
        asked = [each for each in asked if not isinstance(each[2], n.Random) and each[1] != "carries"]
        if item.tile is not None and cell.ground.kind.name != item.tile.name:
            continue
        if all(_has(who, name, plain(evaluate(node, scope))) for who, name, node in asked):
            weight = len(asked) + (item.tile is not None)
            if best is None or weight > best[0]:
                best = weight, item.glyph
    return None if best is None else best[1]


def _has(being: Any, name: str, value: Any) -> bool:
    from tests.reference.compass import COMPASS

    if isinstance(being, Agent) and name == "facing":
        return bool(COMPASS[being.facing] == value)
    return bool(being.attributes[name] == value)


def _count(world: World, kind: str) -> int:
    """Return by how many glyphs a kind can be drawn, a built-in one that means nothing else included."""
    listed = [item.glyph for item in world.game.spec.legend if item.kind.name == kind]
    others = {item.glyph for item in world.game.spec.legend}
    return len(listed) + (BUILT_IN.get(kind, " ") not in others and kind in BUILT_IN)


def glyphs(world: World) -> dict[str, str]:
    """Return a glyph a kind: its plain one in the legend, the built-in one, or a letter of its name that is free."""
    found: dict[str, str] = {}
    legend = world.game.spec.legend
    for item in legend:
        if _count(world, item.kind.name) == 1 or (isinstance(item.kind, n.Name) and item.tile is None):
            found.setdefault(item.kind.name, item.glyph)
    for name, glyph in BUILT_IN.items():
        found.setdefault(name, glyph)
    taken = {item.glyph for item in legend} | set(found.values())
    for name in (*(declared.name for declared in world.game.spec.kinds), *world.game.kinds):
        if name not in found:
            letters = [c for c in name + name.upper() + "abcdefghijklmnopqrstuvwxyz" if c.isalnum()]
            found[name] = next((c for c in letters if c not in taken), "?")
            taken.add(found[name])
    return found
