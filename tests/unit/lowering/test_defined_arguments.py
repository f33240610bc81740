"""Definitions that are given what an action takes: they ask what it is, and take it for no word."""

from __future__ import annotations

import pytest

from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

SPEC = """
map:
    .....
    ..@..
    .....
define goes_east(way): way is east
define across(way): 1 if way is east else -1 if way is west else 0
define stays_inside(where_to): any c in cells where agent at c and inside(c.x + across(where_to), c.y)
actions: slide(way in directions where {})
observe: mask
on do slide if goes_east(way): reward 1
on do slide if across(way) == -1 and stays_inside(way): reward 2
on do slide: move agent way
limit: 9 steps
"""


@pytest.mark.parametrize(
    ("condition", "allowed"),
    [
        ("goes_east(way)", [1, 0, 0, 0]),
        ("not goes_east(way)", [0, 1, 1, 1]),
        ("across(way) == 0", [0, 1, 0, 1]),
        ("stays_inside(way) and agent.x + across(way) > 1", [1, 1, 0, 1]),
    ],
)
def test_definition__is_given_what_an_action_takes(condition: str, allowed: list[int]) -> None:
    """`way is east` in a definition asks the argument, in its `where` and in rules."""
    text = SPEC.format(condition)
    assert Game(text).observation.tolist() == allowed
    assert_plays_as_defined(completed(text), steps=30)


def test_definition__asks_in_rules_too() -> None:
    """The rule of the direction alone fires."""
    game = Game(SPEC.format("true"))
    assert [game.env.step(action)[1] for action in range(4)] == [1, 0, 2, 0]


def test_cell_of_a_place__means_what_it_means_at_the_call() -> None:
    """`here`, `x` and `y`, given to a definition that looks at cells itself, are those of the call."""
    text = """
object mud: layer ground
map:
    @..#.g
    ..##..
    ......
legend: g = goal
define roomy(c): count(cell where floor at here and chebyshev(here, c) == 1) > 4
define weight(a, b): sum(x + 10 * y for cell where x == a and here.y >= b)
setup: place mud at random floor where roomy(here)
actions: up, right, down, left
observe: grid as planes (roomy(here), weight(x, y))
on enter goal: end
on enter mud: reward 1
"""
    board = Game(text).observation
    assert board[..., 0].astype(int).tolist() == [[0] * 6, [1, 1, 1, 1, 1, 0], [0] * 6]
    assert board[0, :, 1].tolist() == [30, 33, 36, 39, 42, 45]
    assert_plays_as_defined(completed(text), steps=10)
