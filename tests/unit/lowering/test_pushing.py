"""Pushing: what a push raises for each object of the row, and when what a rule asks for takes effect."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from tests.playing import NATIVE, completed
from tests.reference.beside import assert_plays_as_defined

BACKENDS = ("python", "table", NATIVE)


def rewards(text: str, actions: list[int], backend: str = "python") -> list[float]:
    """Return the reward of each action."""
    env: Any = griddsl.make(completed(text), backend=backend)
    env.reset(seed=0)
    return [round(float(env.step(action)[1]), 9) for action in actions]


MATS = """
object box: pushable 2
object mat: layer ground
map:
    @bbm.m..
legend: b = box, m = mat
actions: left, right
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_push__onto_a_thing_of_another_layer_is_a_meeting(backend: str) -> None:
    """A box that is pushed onto a mat meets it, and the mat the box; so does each box of a row."""
    text = f"{MATS}on box meet mat: reward 1\non mat meet box: reward 10\non box enter mat: reward 100"
    assert rewards(text, [1, 1, 1, 1], backend) == [111, 111, 111, 111]


def test_push__what_its_rule_sends_goes_before_the_boxes_enter() -> None:
    """The agent that `on push` sends to its start is there when the box enters its cell."""
    text = f"{MATS}on push box: go to start\non box enter floor: reward 1 + agent.x"
    assert rewards(text.replace("@bbm.m..", ".@.bb..."), [1, 1]) == [0, 4]


def test_push__the_rest_of_a_row_goes_on_where_its_first_is_removed() -> None:
    """The events of a row are those of what was pushed, whatever the rule on the push did with the first of it."""
    text = f"{MATS}on push box: remove box\non box enter mat: reward 1"
    assert rewards(text, [1]) == [1]


ORDERS = {
    "the cat of a rule on leaving": """
object cat: moves random
object mat: layer ground
map:
    @..c..m..
    ....m....
legend: c = cat, m = mat
actions: left, right, up, down
observe: grid
on cat leave floor with chance 0.5: move cat to (0, 1)
on cat enter mat: reward 1 + agent.x, move cat to (8, 1)
on cat enter floor: reward 0.1 * cat.x
on cat meet mat: reward 10
on mat meet cat: reward 100
limit: 40 steps
""",
    "a patrol that a bump sends away": """
object cat: moves patrol
object dog: moves forward
map:
    ......
    @c..d.
    ......
legend: c = cat, d = dog
actions: up, left, right, down
observe: grid
on cat bump edge with chance 0.5: go to start, reward cat.x
on dog bump edge: go to start, reward dog.x
on cat enter floor: reward 0.1 * cat.x
on cat meet agent: reward 10 * agent.x, go to start
on agent meet cat: reward 100 * agent.x, go to start
limit: 60 steps
""",
    "a row that does not give way": """
object box: pushable 2
object mat: layer ground
map:
    ......
    @bb..#
    .mm...
legend: b = box, m = mat
actions: up, left, right, down
observe: grid
on box bump wall: go to start, reward box.x
on box bump edge: remove box
on box enter mat: reward 1
on box meet mat: reward 2, remove mat
on push box with chance 0.3: go to random floor, reward agent.x
on push box with chance 0.2: remove box
on bump box: reward 5 + box.x
on box leave floor: reward 0.1 * box.x, move box east
limit: 200 steps
""",
    "a diagonal at a border that clips": """
map:
    ......
    ..@...
    ......
actions: up_right, up_left, down_right, down_left
edge: clip
on bump edge if agent.x > 1: go to start, reward 1
on bump edge if agent.x == 0: end
on enter floor: reward 0.1 * agent.x
limit: 40 steps
""",
    "wind over a border that clips": """
tile gust: drift north 0 | 1 | 2
map:
    .ggg..
    .g@g..
    .ggg..
legend: g = gust
actions: up, right, down, left
edge: clip
on bump edge with chance 0.5: go to (1, 1), reward 1
on enter gust: reward 0.1 * agent.x
limit: 40 steps
""",
}


@pytest.mark.parametrize("name", ORDERS)
def test_events__are_raised_in_the_order_of_the_reference(name: str) -> None:
    """What a rule sends elsewhere goes there before the next event, and has no further events where it was."""
    assert_plays_as_defined(completed(ORDERS[name]), steps=150, seeds=(0, 1, 2))
