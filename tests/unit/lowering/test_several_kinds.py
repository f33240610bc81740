"""Several kinds where one can be named, and names that setup gave to kinds and things, in conditions and triggers."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.reader import read_document
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

HEAD = """
object key: portable, color in red | blue
object ball: portable, color in red | blue
object crate: pushable
tile spot: worth in 1..5
var wished: ball in key | ball
map:
    @kbc.
    ..s..
legend: k = key(color=hue), b = ball(color=blue), c = crate, s = spot(worth=n + 1)
setup:
    choose hue in blue | blue
    choose n in 3 | 3
    choose wanted in ball | ball
    place wanted(color=red) as moved at (4, 0)
    place spot(worth=5) as prize at (0, 1)
actions: right, down, pickup
observe: grid
info: h = hue, w = wanted, v = wished, x = n, m = moved at (0, 0), p = agent at prize, q = sum(spot.worth for spot)
"""


def game(rules: str) -> Game:
    """Return a game that the executable semantics plays the same way."""
    assert_plays_as_defined(completed(HEAD + rules), steps=10)
    return Game(HEAD + rules)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count(object)", 4),
        ("count(portable)", 3),
        ("count(object(color=red))", 1),
        ("count(key or crate)", 2),
        ("count(ball(color=red) or crate)", 2),
        ("sum(object.x for object where object.x > 1)", 9),
        ("count(wanted)", 2),
        ("count(wished(color=blue))", 1),
        ("1 if any (ball or crate) at (3, 0) else 0", 1),
        ("1 if no (key or crate) left else 0", 0),
        ("1 if all portable is blue else 0", 0),
        ("1 if object at (2, 0) and not (crate at (2, 0)) else 0", 1),
        ("1 if agent within 1 of (crate or key) else 0", 1),
        ("1 if agent within 1 of any crate else 0", 0),
        ("1 if any object where object.x == 4 else 0", 1),
        ("1 if moved.color is (red or blue) and moved is portable and moved is not crate else 0", 1),
        ("sum(spot.worth for spot)", 9),
        ("1 if key is blue else 0", 1),
    ],
)
def test_value__goes_through_all_kinds_that_are_meant(expression: str, value: int) -> None:
    """What is said of several kinds is counted, found and asked of all of them."""
    assert game(f"each step: reward {expression}\n").rewards("down")[0] == value


@pytest.mark.parametrize(
    ("rule", "rewards"),
    [
        ("on pickup portable: reward portable.x + 2", [0, 1]),
        ("on pickup object(color=blue): reward 2", [0, 2]),
        ("on pickup wished: reward 2", [0, 0]),
        ("each object(color=blue): reward object.x", [3, 2]),
    ],
)
def test_trigger__may_mean_several_kinds(rule: str, rewards: list[float]) -> None:
    """A rule on `object`, `portable` or a chosen kind is one for each kind that it means."""
    assert game(rule + "\n").rewards("right pickup") == rewards


def test_trigger__names_the_thing_that_setup_placed() -> None:
    """`on enter prize` and `on pickup moved` speak of that one thing alone."""
    played = game("on enter prize: reward prize.worth\non enter spot: reward 10\n")
    assert played.rewards("down right") == [15, 0]
    played = game("on pickup moved: reward 7\non pickup ball: reward 1\n")
    assert played.rewards("right right pickup right right pickup")[-4:] == [1, 0, 0, 0]


def test_spellings__say_the_same() -> None:
    """What is said of several kinds is the same in TOML, and is laid out as it was."""
    text = completed(HEAD + "when agent has (ball or key) and no (key(color=red) or ball) left: reward 1\n")
    report = Report()
    toml = to_toml(read_document(Source("case.grid", text), report))
    again = to_grid(read_document(Source("case.toml", toml), report))
    assert not report.diagnostics
    assert griddsl.load(text) == griddsl.load(again)
    assert "no (key(color=red) or ball) left" in again


def test_legend__draws_with_the_level_that_is_played() -> None:
    """What a glyph drew on the level of the episode gets what setup chose, also where it was placed anew before."""
    text = completed(
        """
object lamp: color in red | green | blue
map a:
    @L.
map b:
    L.@
level: random
legend: L = lamp(color=c)
setup:
    choose c in green | blue
actions: left, right
observe: c
info: same = lamp.color is c
each step: reward 1 if lamp.color is c else 0
"""
    )
    assert_plays_as_defined(text, steps=10, seeds=tuple(range(6)))
    env = griddsl.make(text)
    for seed in range(8):
        _, info = env.reset(seed=seed)
        assert info["same"]
