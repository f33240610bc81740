"""Agents that are away for some steps, and come back (section 14 of the reference)."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from griddsl import SpecError

TWO = """\
env: away/Two-v0
agents: red, blue
map:
    R...B
    s...s
legend: R = red, B = blue, s = spawn
tile spawn:
actions: right, left, tag
observe:
    seen = grid as planes (red, blue)
    away = self.away
    x = self.x
limit: 30 steps
"""
STAY = {"red": 2, "blue": 2}


def _played(rules: str, steps: int, head: str = TWO, seed: int = 0) -> list[Any]:
    """Return what the steps of an episode gave in which red tags in the first step, and nobody does anything else."""
    env = griddsl.make_parallel(head + rules)
    env.reset(seed=seed)
    return [env.step({**STAY, "blue": 1 if number else 2}) for number in range(steps)]


def test_away__who_is_away_misses_as_many_steps_and_is_back_where_it_started() -> None:
    """Its actions do nothing meanwhile, and the others see it nowhere."""
    found = _played("on do tag if step == 1 and self is red: blue out for 3 steps\n", 6)
    assert [seen["blue"]["away"] for seen, *_ in found] == [3, 2, 1, 0, 0, 0]
    # Blue goes left whenever it takes part: from the fifth step on, from where it started.
    assert [seen["blue"]["x"] for seen, *_ in found] == [4, 4, 4, 4, 3, 2]
    assert [int(seen["red"]["seen"][..., 1].sum()) for seen, *_ in found] == [0, 0, 0, 1, 1, 1]


def test_its_part_goes_on_and_it_earns_nothing() -> None:
    """What pays every agent does not pay who is away."""
    found = _played("on do tag if step == 1 and self is red: blue out for 2 steps\neach agent: reward 1\n", 4)
    assert [rewards["blue"] for _, rewards, *_ in found] == [0.0, 0.0, 1.0, 1.0]
    assert not any(any(ended.values()) or any(cut.values()) for _, _, ended, cut, _ in found)


@pytest.mark.parametrize(("where", "cells"), [("(2, 1)", {2}), ("random spawn", {0, 4}), ("start", {4})])
def test_it_comes_back_where_the_effect_says(where: str, cells: set[int]) -> None:
    """Without a word it is where it started."""
    rules = f"on do tag if step == 1 and self is red: blue out for 1 steps, back at {where}\n"
    found = {int(_played(rules, 2, seed=seed)[1][0]["blue"]["x"][0]) for seed in range(12)}
    assert found == cells


def test_where_no_random_place_is_free_it_waits() -> None:
    """It is asked again at the end of each step."""
    rules = "on do tag if step == 1 and self is red: blue out for 1 steps, back at random floor where x == 1 and step > 3\n"
    assert [seen["blue"]["away"] for seen, *_ in _played(rules, 5)] == [1, 1, 1, 0, 0]


def test_a_rule_hears_of_its_return() -> None:
    """It is back before the rules of every step."""
    rules = "on do tag if step == 1 and self is red: blue out for 2 steps\n"
    rules += "each blue if prev(self.away) > 0 and self.away == 0: reward 5\n"
    assert [rewards["blue"] for _, rewards, *_ in _played(rules, 4)] == [0.0, 0.0, 5.0, 0.0]


@pytest.mark.parametrize("rule", ["each step: reward 1 to blue", "each step: reward = 1"])
def test_nothing_pays_who_is_away(rule: str) -> None:
    """Rules that name it, or pay all, pay it nothing."""
    rules = f"on do tag if step == 1 and self is red: blue out for 2 steps\n{rule}\n"
    assert [rewards["blue"] for _, rewards, *_ in _played(rules, 4)] == [1.0, 0.0, 1.0, 1.0]


def test_nothing_moves_who_is_away() -> None:
    """Nor does anything hear that it would."""
    rules = "on do tag if step == 1 and self is red: blue out for 2 steps, back at (self.x, self.y)\n"
    rules += "when step == 2: move blue to (0, 1), place blue at (1, 1)\non blue leave floor if step == 2: reward 9\n"
    assert [int(seen["blue"]["x"][0]) for seen, *_ in _played(rules, 3)] == [4, 4, 4]
    assert [rewards["blue"] for _, rewards, *_ in _played(rules, 3)] == [0.0, 0.0, 0.0]


def test_a_number_that_is_reckoned_is_kept_within_an_episode() -> None:
    """None for none, and at most as many as an episode has."""
    rules = "on do tag if step == 1 and self is red: blue out for step * 100 steps\n"
    assert [seen["blue"]["away"] for seen, *_ in _played(rules, 2)] == [30, 29]
    assert [seen["blue"]["away"] for seen, *_ in _played(rules.replace("step * 100", "step - 1"), 2)] == [
        0,
        0,
    ]


def test_a_limit_of_its_own_and_an_end_reach_who_is_away() -> None:
    """Who is away is truncated with the others of its kind."""
    rules = "on do tag if step == 1 and self is red: blue out for 20 steps\nlimit blue: 3 steps\n"
    assert [cut["blue"] for _, _, _, cut, _ in _played(rules, 3)] == [False, False, True]


def test_turns_pass_over_who_is_away() -> None:
    """Who is away has no turn, and steps are those of the game."""
    env = griddsl.make_aec(TWO + "turns: alternate\non do tag if step == 1: blue out for 2 steps\n")
    env.reset(seed=0)
    turns = []
    for _ in range(5):
        turns.append(env.agent_selection)
        env.step(2)
    assert turns == ["red", "red", "red", "blue", "red"]


def test_an_attribute_of_the_same_name_is_the_spec_s_own() -> None:
    """A declared attribute comes first."""
    rules = "agent: away 7 in 0..9\non do tag if step == 1 and self is red: blue out for 3 steps\n"
    assert [seen["blue"]["away"] for seen, *_ in _played(rules, 2)] == [7, 7]


def test_players_who_stand_nowhere_miss_turns() -> None:
    """Where nobody has a cell, nobody needs one to come back."""
    head = "env: away/Board-v0\nagents: red, blue\nagent: nowhere\nmap:\n    ..\nactions: wait\nturns: alternate\n"
    env = griddsl.make_aec(
        head + "observe: step\nlimit: 9 steps\non do wait if step == 1: blue out for 2 steps\n"
    )
    env.reset(seed=0)
    turns = []
    for _ in range(4):
        turns.append(env.agent_selection)
        env.step(0)
    assert turns == ["red", "red", "red", "blue"]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("on do tag: out for 1 / 2 steps", "a whole number of steps"),
        ("on do tag: wall out for 2 steps", "where an agent is needed"),
        ("on do tag: blue out for 2 steps, back at random nothing", "nothing"),
        ("when step == 1: out for 2 steps", "could be any of 2"),
    ],
)
def test_what_cannot_be_is_told(rule: str, words: str) -> None:
    """The message says why."""
    with pytest.raises(SpecError, match=words):
        griddsl.make_parallel(f"{TWO}{rule}\n")
