"""The compass: the directions in the order of their codes (section 3), and what actions call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from griddsl.syntax import nodes as n
    from tests.reference.scope import Scope

COMPASS = ("east", "south", "west", "north", "southeast", "southwest", "northwest", "northeast")
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
QUARTERS = COMPASS[:4]
LISTS = {"directions": QUARTERS, "diagonals": COMPASS[4:]}  # words for several
QUARTERS_TO = {"left_of": -1, "opposite": 2, "right_of": 1}  # clockwise
MOVES = {
    "up": "north",
    "right": "east",
    "down": "south",
    "left": "west",
    "up_right": "northeast",
    "up_left": "northwest",
    "down_right": "southeast",
    "down_left": "southwest",
}


def turned(direction: int, quarters: int) -> int:
    """Return a direction turned clockwise by quarters; a diagonal stays a diagonal."""
    return direction // 4 * 4 + (direction + quarters) % 4


def side_of(node: n.Call, scope: Scope) -> str:
    """``left_of(way)``, ``right_of(way)``, ``opposite(way)``: the direction a quarter or a half of a turn from one."""
    from tests.reference.expressions import DIRECTIONS, evaluate

    way = COMPASS.index(evaluate(node.arguments[0], scope, DIRECTIONS, as_word=True))
    return COMPASS[turned(way, QUARTERS_TO[node.name])]


def step_of(node: n.Call, scope: Scope) -> int:
    """``dx(way)``, ``dy(way)``: by how many columns, or rows, one step in a direction goes."""
    from tests.reference.expressions import DIRECTIONS, evaluate

    word = evaluate(node.arguments[0], scope, DIRECTIONS, as_word=True)
    return STEPS[COMPASS.index(word)][0 if node.name == "dx" else 1]
