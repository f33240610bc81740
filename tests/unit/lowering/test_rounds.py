"""Rounds of loops: what a round moves goes when it is over, by itself where nothing else can be under way."""

from __future__ import annotations

import pytest

from griddsl.compiler import compiled
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

RIVER = """
object log: layer stream, way in east | west, rest in 0..2
object leaf: layer air, way west in east | west
tile belt: carry east
map:
    l.k..@
    .f..v.
    .g.f..
legend: l = log(way=east, rest=1), k = log(way=west), g = log(way=east), f = leaf, v = belt
actions: left, right, up, down
observe tuple: grid as planes (log(way=east), log(way=west), leaf, agent), sum(log.rest for log)
on meet log: reward 5
on log meet leaf: reward 1
limit: 12 steps
"""
DRIFT = "each step:\n    each log by {order}:\n        if log.rest > 0: log.rest -= 1\n        else: move log (log.way)\n"


def settles(text: str) -> bool:
    """Whether what is sent has to be looked for among all things."""
    return "settle" in compiled(completed(text)).program.functions


@pytest.mark.parametrize(
    "order", ["log.x", "log.x down", "log.rest", "log.x / 2", "1 if log.way is west else 0"]
)
def test_round__moves_its_own_thing(order: str) -> None:
    """The thing of the round goes by itself, in the order of whole numbers, of reals and of truths alike."""
    text = RIVER + DRIFT.format(order=order)
    assert_plays_as_defined(completed(text), steps=40)
    assert not settles(text)


@pytest.mark.parametrize(
    "rules",
    [
        DRIFT.format(order="log.x") + "on log meet leaf: move leaf south\n",
        DRIFT.format(order="log.x") + "on meet log: go to (5, 0)\n",
        "each step:\n    each log by log.x:\n        each leaf: move log (log.way)\n",
        "each step:\n    each leaf:\n        move leaf south\n        each log by log.x: move log (log.way)\n",
        "each step:\n    move (the leaf with least leaf.x) south\n    each log by log.x: move log (log.way)\n",
        "each step:\n    each log by log.x:\n        if agent at log: place agent at (4, 2)\n        else: move log west\n",
        "each step:\n    each log by log.x:\n        repeat 2: move log (log.way)\n",
    ],
)
def test_round__is_not_alone(rules: str) -> None:
    """What something else sends goes with it, in the order of all that is sent."""
    text = RIVER + rules
    assert_plays_as_defined(completed(text), steps=40)
    assert settles(text)


def test_round__of_what_is_gone_sends_nothing() -> None:
    """A thing that its round sends and then removes goes nowhere, and neither does what takes its place."""
    text = RIVER + (
        "each step:\n    each log by log.x:\n        move log (log.way)\n        if log.y == 0:\n"
        "            remove log\n            place leaf at (3, 1)\n"
    )
    assert_plays_as_defined(completed(text), steps=20)
    game = Game(text)
    game.rewards("left")
    assert not settles(text)
