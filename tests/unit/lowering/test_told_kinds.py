"""Missions tell of which kind a thing is that setup named."""

from __future__ import annotations

import pytest

from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

WORLD = """
object key: portable, color in red | blue
object ball: portable, color in red | blue
map:
    @...
setup:
    choose what in {}
    place what(color=blue) as prize at (1, 0)
    place key(color=red) as second at (3, 0)
    choose third in key where key.x == 3
actions: right, pickup, left
observe: mission
mission: "the {{prize.color}} {{prize.kind}} or the {{second.kind}}, {{third.kind}} {{key.kind}}"
on do pickup if agent at prize: remove prize
on do left: second becomes ball
limit: 9 steps
"""


@pytest.mark.parametrize("kind", ["key", "ball"])
def test_told_kind__is_that_of_the_thing_now(kind: str) -> None:
    """The kind is told that was drawn; another once the thing has become another, and `nothing` once it is gone."""
    game = Game(WORLD.format(f"{kind} 1 | {'ball' if kind == 'key' else 'key'} 0"))
    assert game.observation == f"the blue {kind} or the key, key key"
    game.do("left")
    assert game.observation == f"the blue {kind} or the ball, ball key"
    game.do("right pickup")
    assert game.observation == "the red nothing or the ball, ball key"


@pytest.mark.parametrize("domain", ["key | ball", "ball | key", "ball 9/10 | key 1/10"])
def test_told_kind__and_attributes_are_as_defined(domain: str) -> None:
    """What is told of a thing that setup gave a name to is what the executable semantics says, whatever it became."""
    assert_plays_as_defined(completed(WORLD.format(domain)), steps=20)


def test_told_kind__is_an_attribute_where_one_is_called_so() -> None:
    """What the spec itself calls `kind` is told."""
    text = """
object gem: kind in ruby | opal
map:
    @g
legend: g = gem(kind=opal)
actions: right, left
observe: mission
mission: "find the {gem.kind}"
limit: 9 steps
"""
    assert Game(text).observation == "find the opal"


ORDER = """
object crate:
map:
    c.c
    .c@
legend: c = crate
var told: 0 in 0..999
actions: left, right
observe: told
each step:
    each crate by {}: told = (10 * told + 1 + crate.x + 3 * crate.y) mod 1000
limit: 9 steps
"""


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ("x", 153),
        ("x down", 351),
        ("y", 135),
        ("y down", 513),
        ("distance(here, agent)", 351),
        ("crate.x", 153),
    ],
)
def test_each_by__asks_for_the_place_of_the_thing(by: str, order: int) -> None:
    """`x`, `y` and `here` behind `by` are where the thing is that is ordered."""
    assert Game(ORDER.format(by)).do("left" if "distance" not in by else "right").observation == order
