"""Rules on entering what is solid: said never to fire where nothing lets an agent in, and only there."""

from __future__ import annotations

import pytest

import griddsl
from tests.playing import completed, problems

PASSING = """
object post: solid
tile water:
map:
    @{}.w.
legend: p = post, w = water
observe: cell
{}
actions: hop = move east 1 through {}, stay
{}
"""
ROOM = """
tile lava:
generate: room(7, 7)
actions: up, right, down, left
setup:
    place agent at random floor
    place goal at random floor
    place lava at random floor if free
{}
on enter goal: end success
"""


def silent(text: str) -> list[str]:
    """Return the rules that are said never to fire, for what they speak of."""
    said = [each for each in problems(text) if each.code == "never-fires"]
    return [each.span.text for each in said if "proved by" not in (each.help or "")]


@pytest.mark.parametrize(
    ("glyph", "passed", "rule"),
    [
        ("#", "wall with chance 1", "on enter wall: reward 1"),
        ("p", "post", "on enter post: reward 1"),
        ("p", "post", "on meet post: reward 1"),
    ],
)
def test_what_an_action_goes_through__may_be_entered(glyph: str, passed: str, rule: str) -> None:
    """``through K`` lets the agent into what is solid, and rules on entering it fire."""
    text = PASSING.format(glyph, "", passed, rule)
    assert silent(text) == []
    env = griddsl.make(completed(text))
    env.reset(seed=0)
    assert env.step(0)[1] == 1


def test_what_stands_in_what_is_gone_through__may_be_entered() -> None:
    """A move through water goes into its cell whatever else is there."""
    text = PASSING.format(".", "setup: place post at (3, 0)", "water", "on enter post: reward 1")
    assert silent(text) == []
    env = griddsl.make(completed(text))
    env.reset(seed=0)
    assert [env.step(0)[1] for _ in range(3)] == [0, 0, 1]


def test_what_is_of_no_cell_with_what_is_gone_through__is_not_entered() -> None:
    """A move through water comes into no wall: a cell has one tile."""
    text = PASSING.format("#", "", "water", "on enter wall: reward 1")
    assert silent(text) == ["on enter wall"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("on enter wall: reward -1", True),
        ("on enter wall: reward -1\non enter lava: place goal at random floor", True),
        ("on enter wall: reward -1\non enter lava: go to random wall", False),
        ("on enter wall: reward -1\non enter lava: place agent at random floor", False),
        ("on enter wall: reward -1\non enter lava: lava becomes wall", False),
    ],
)
def test_walls_of_generated_worlds__are_not_entered_either(line: str, found: bool) -> None:
    """What setup places raises no event: where no rule brings the agent onto a wall, none is entered."""
    assert bool(silent(ROOM.format(line))) == found


def test_agents_in_what_is_gone_through__may_meet() -> None:
    """A move through a wall comes to whoever is in it, though agents keep apart elsewhere."""
    text = (
        "agents: ann, bob\nmap:\n    a#b\nlegend: a = ann, b = bob\ncontested: block\nobserve: cell\n"
        "actions: hop = move east 1 through wall, left, stay\non enter agent: reward 1 to ann\n"
    )
    assert silent(text) == []


@pytest.mark.parametrize(
    ("own", "said"), [("east = right", False), ("east = move east 1", False), ("east", True)]
)
def test_actions_called_as_directions__have_the_effect_of_what_they_are(own: str, said: bool) -> None:
    """A bare direction is no action; one that is another, or says how it moves, needs no more."""
    found = problems(f"map:\n    @..\nactions: {own}, left\nobserve: cell\nlimit: 9\neach step: reward -1\n")
    assert [each.code for each in found] == ["no-effect"] * said
