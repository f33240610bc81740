"""Games of zero sum: rewards that do not cancel are found, by proof where the states are few, else by trying."""

from __future__ import annotations

import griddsl
from griddsl.compiler import compiled
from griddsl.exact.check.cancelling import cancelling

RACE = """
env: test/Race-v0
agents: red, blue
map:
    1{track}
    2{track}
legend: 1 = red, 2 = blue
actions: right, left
rewards: zero_sum
when red.x == {last} or blue.x == {last}:
    reward red.x - blue.x to red
    reward {blue} to blue
    end over
observe: cell
limit: 500 steps
"""


def race(length: int, blue: str) -> str:
    """Return a race over a track of a length, and what blue gets at its end."""
    return RACE.format(track="." * (length - 1), last=length - 1, blue=blue)


def test_rewards_that_cancel__are_proved_to() -> None:
    """Every joint step of a short race is looked at, and nothing is said of it."""
    assert griddsl.check(race(4, "blue.x - red.x")) == []
    found = cancelling(compiled(race(4, "blue.x - red.x")).program)
    assert found.proved and found.total is None and found.steps >= 4 * 9


def test_rewards_that_do_not_cancel__are_an_error_at_their_rule() -> None:
    """One losing line is enough, and the rule that pays is shown."""
    (found,) = griddsl.check(race(4, "blue.x - 3"))
    assert found.code == "rewards-do-not-cancel" and found.is_error
    assert found.span.line == 10


def test_a_long_game__is_tried_out() -> None:
    """Where the states are many, random play finds what is wrong, and proves nothing where nothing is."""
    fine = cancelling(compiled(race(90, "blue.x - red.x")).program)
    assert not fine.proved and fine.total is None and fine.steps > 1_000
    wrong = RACE.replace("when red.x == {last} or blue.x == {last}", "each step if red.x > 1")
    wrong = wrong.format(track="." * 89, last=89, blue="red.x").replace("    end over\n", "")
    assert cancelling(compiled(wrong).program).total is not None
