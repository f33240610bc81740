"""Rays and cones: how far straight lines go and what they hit, and what lies between the diagonals ahead."""

from __future__ import annotations

from typing import Any

import pytest

from tests.playing import Game

WORLD = """
object coin:
object pane: layer glass, opaque unless open, state in drawn | open
agent: facing
map:
    #######
    #...c.#
    #.#@..#
    #...p.#
    #######
legend: c = coin, p = pane
actions: turn_left, turn_right, forward
"""


def seen(item: str, more: str = "", text: str = WORLD, **params: Any) -> Any:
    """Return what an agent sees first: it faces east."""
    return Game(f"{text}{more}observe: {item}\n", **params).observation.tolist()


RAYS = [
    # East, then clockwise; the neighbours on the diagonals are 1 away, and a coin lets a line by.
    ("rays 4", [3, 2, 1, 2]),
    ("rays 8", [3, 1, 2, 2, 1, 2, 2, 2]),
    ("rays 8 of coin", [[3, 0], [1, 0], [2, 0], [2, 0], [1, 0], [2, 0], [2, 0], [1, 1]]),
    ("rays 4 of (coin, wall)", [[3, 2], [2, 2], [1, 2], [2, 2]]),
    ("rays 8 of (pane, coin)", [[3, 0], [1, 1], [2, 0], [2, 0], [1, 0], [2, 0], [2, 0], [1, 2]]),
    ("rays 8 of pane(state=open)", [[3, 0], [1, 0], [2, 0], [2, 0], [1, 0], [2, 0], [2, 0], [2, 0]]),
    ("rays 4 within 1", [2, 2, 1, 2]),
    ("rays 4 within 2 of wall", [[3, 0], [2, 1], [1, 1], [2, 1]]),
    ("rays 1 of wall", [[3, 1]]),
    # A third of a turn from the east: through (3, 3) and down into the wall below; the other way likewise.
    ("rays 3", [3, 2, 2]),
]


@pytest.mark.parametrize(("item", "expected"), RAYS)
def test_rays__tell_how_far_lines_go_and_what_they_hit(item: str, expected: Any) -> None:
    """Lines go clockwise from the way ahead to the first opaque cell, or the first of the kinds that are listed."""
    assert seen(item) == expected


def test_rays__turn_with_the_agent_and_see_what_opens() -> None:
    """The first line goes the way that the agent faces; a pane that is open lets lines by."""
    game = Game(f"{WORLD}on bump wall: pane becomes open\nobserve: rays 8\n")
    assert game.observation.tolist() == [3, 1, 2, 2, 1, 2, 2, 2]
    game.do("turn_right")
    assert game.observation.tolist() == [2, 2, 1, 2, 2, 2, 3, 1]
    game.do("turn_right forward forward forward")
    assert game.observation.tolist() == [1, 2, 2, 2, 3, 2, 2, 2]


BORDER = """
map:
    @..
    ...
actions: left, right, down
"""


@pytest.mark.parametrize("edge", ["stay", "wrap"])
def test_rays__end_at_the_border_as_at_a_wall(edge: str) -> None:
    """Off the grid is wall, also where moves come in at the other side; without a facing the first line goes north."""
    more = f"edge: {edge}\n"
    assert seen("rays 4", more, BORDER) == [1, 3, 2, 1]
    assert seen("rays 4 of wall", more, BORDER) == [[1, 1], [3, 1], [2, 1], [1, 1]]
    assert seen("rays n of wall", f"param n: 2 in 1..9\n{more}", BORDER) == [[1, 1], [2, 1]]
    assert seen("rays n of wall", f"param n: 2 in 1..9\n{more}", BORDER, n=1) == [[1, 1]]


@pytest.mark.parametrize(("wall", "far"), [("1", 5), ("2", 1), ("3", 5), ("4", 1), ("5", 2), ("6", 5)])
def test_rays__pass_through_the_cells_of_a_slope(wall: str, far: int) -> None:
    """A line goes through each cell whose inside it passes, here first east and then below, and past all others."""
    rows = "\n".join("    " + row for row in (".1...", "@23..", ".45..", "..6..", "....."))
    drawn = "".join("#" if sign == wall else "." if sign.isdigit() else sign for sign in rows)
    assert seen("rays 16", text=f"map:\n{drawn}\nactions: up, down\n")[5] == far


CONE = """
agent: facing
map:
    .......
    .......
    .......
    ...@...
    .......
    .......
    .......
actions: turn_left, turn_right, forward
"""


def test_cone__shows_what_lies_between_the_diagonals() -> None:
    """Beyond the diagonals, and behind, nothing is seen; the agent's own cell is."""
    unseen, floor, agent = 3, 0, 2
    board = seen("view 5x5 centered cone", text=CONE)
    assert board == [
        [floor] * 5,
        [unseen, floor, floor, floor, unseen],
        [unseen, unseen, agent, unseen, unseen],
        [unseen] * 5,
        [unseen] * 5,
    ]
    narrow = seen("view ahead 4 behind 1 aside 2 cone 2 as codes (floor 1, agent 2, wall 3)", text=CONE)
    assert narrow == [
        [3, 3, 3, 3, 3],
        [0, 1, 1, 1, 0],
        [0, 1, 1, 1, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 2, 0, 0],
        [0, 0, 0, 0, 0],
    ]
