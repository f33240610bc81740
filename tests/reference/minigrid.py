"""``as minigrid``: object, colour and state of each cell, as MiniGrid numbers them, columns first (section 12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.syntax import nodes as n
from tests.reference.kinds import Kind
from tests.reference.scope import Scope
from tests.reference.world import Agent, Being, Cell, Ground, World

# minigrid.core.constants; bare floor is MiniGrid's "empty"
OBJECTS = {
    "floor": 1,
    "wall": 2,
    "door": 4,
    "key": 5,
    "ball": 6,
    "box": 7,
    "goal": 8,
    "lava": 9,
    "agent": 10,
}
COLORS = ("red", "green", "blue", "purple", "yellow", "grey")
STATES = ("open", "closed", "locked")
COLOR_OF = {"wall": "grey", "goal": "green"}
Codes = tuple[int, int, int]


def minigrid(rows: list[list[Cell | str]], view: n.ViewShape | None, scope: Scope) -> Any:
    """Return a grid or a view in MiniGrid's form, ``(width, height, 3)``."""
    found = np.zeros((len(rows[0]), len(rows), 3), dtype=np.uint8)
    for y, row in enumerate(rows):
        for x, place in enumerate(row):
            found[x, y] = _codes_of(place, scope)
    if view is not None:
        from tests.reference.sight import shape_of

        held = next((each for each in scope.agent.held if each is not None), None)
        _, columns, row_ = shape_of(view, scope)
        found[columns // 2, row_] = (1, 0, 0) if held is None else _codes(held, scope.here)
    return found


def _codes_of(place: Cell | str, scope: Scope) -> Codes:
    if not isinstance(place, Cell):
        return (0, 0, 0) if place == "unseen" else (2, COLORS.index("grey"), 0)
    from tests.reference.sight import stack

    return _codes(stack(place, scope)[0], scope.here)


def _codes(being: Being, world: World) -> Codes:
    if isinstance(being, Agent):
        return OBJECTS["agent"], 0, being.facing if world.game.has_facing else 0
    fixed = COLOR_OF.get(being.kind.name, "red") if isinstance(being, Ground) else "red"
    color = _word_code(being, "color", COLORS)
    state = _word_code(being, "state", STATES)
    return object_code(being.kind, world), COLORS.index(fixed) if color is None else color, state or 0


def object_code(kind: Kind, world: World) -> int:
    """Return MiniGrid's number of a kind; those that it does not know count on from 11."""
    if kind.name in OBJECTS:
        return OBJECTS[kind.name]
    kinds = world.game.kinds.values()
    others = [each for each in kinds if each.name not in OBJECTS and each.category != "agent"]
    return 11 + others.index(kind)


def _word_code(being: Being, name: str, known: tuple[str, ...]) -> int | None:
    """Return MiniGrid's number of a word; words that it does not know count on behind, by their place."""
    attribute = being.kind.attributes.get(name)
    if attribute is None or not attribute.domain.words:
        return None
    word = being.attributes[name]
    return known.index(word) if word in known else len(known) + attribute.domain.words.index(word)
