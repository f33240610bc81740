"""Where the interpreter of `tests/reference` found that the compiler did something else than the reference says."""

from __future__ import annotations

import pytest

from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

FOUND = {
    "an attribute of ground that is not there": """
tile rug: tone low in low | high
map:
    @..
legend: r = rug
actions: left, right
observe: position of agent
when rug.tone is low: reward 1
on enter rug: rug becomes high
""",
    "the first outcome, whatever ends the episode": """
object cat: moves toward agent
map:
    c..@
legend: c = cat
actions: stay, left
observe: cell
on meet cat: out
each step: end late
""",
    "a hidden reward that no play gives": """
object box:
map:
    @.b
legend: b = box
actions: left, right
observe: cell
on box enter wall: hidden reward 1
""",
    "forward, backward and turns of an agent that faces a diagonal": """
map:
    .....
    ..@..
    .....
actions: down_right, up_left, forward, backward, turn_left, turn_right
observe tuple: cell, facing as onehot, view 3x3
""",
    "a turn to a diagonal": """
map:
    .....
    ..@..
    .....
actions: forward, turn_left
observe tuple: cell, facing
every 3 steps: turn to northwest
""",
    "what is dropped on another layer": """
object plate: layer ground
object bar: layer high
object key: portable
map:
    @kp.b
legend: k = key, p = plate, b = bar
actions: left, right, pickup, drop
observe: grid
when key on plate: reward 1
when can drop: reward 10
""",
    "an action that is illegal, by name": """
map:
    @...
actions: left, right, stay
allow left: agent.x > 1
observe: cell
info: last = self.action
each step if self.action is left: reward 1
""",
    "two names for one primitive, and which of them failed": """
object key: portable
map:
    @.k
legend: k = key
actions: right, grab = pickup, take = pickup
observe: cell
on fail grab: reward 1
on fail take: reward 10
""",
    "an agent that a rule places": """
map:
    @....
actions: right, left
observe: cell
every 4 steps: place agent at (0, 0)
on enter floor: reward 1
""",
    "a choice in a rule for which nothing qualifies": """
map:
    @....
actions: right, left
observe: cell
each step:
    choose n in 3..5 where n < agent.x
    reward n
""",
    "a wall between cells ahead": """
map walled:
    +-----+
    |@|.:.|
    +-----+
actions: turn_left, turn_right, forward
observe: flags(wall ahead, edge ahead)
""",
    "counted by its declared range, however few values are on the map": """
tile mat: worth in 0..9
map:
    @.m
legend: m = mat(worth=3)
actions: left, right
observe tuple: mat.worth as onehot, cell as onehot, index(cell, mat.worth)
""",
    "a drawn truth": """
object lamp: lit in false | true
map:
    @....
actions: left, right
observe: grid as planes (lamp(lit=true))
setup: place 3 lamp(lit=random) at random floor
""",
    "an agent that is out, in words": """
agents: red, blue
map:
    r..
    ..b
legend: r = red, b = blue
actions: left, right, up, down
observe: text
every 3 steps: reward 1 to red
on red bump edge: out
""",
    "an agent that goes out before it acts, by turns": """
agents: red, blue
map:
    r..
    ..b
legend: r = red, b = blue
actions: left, right, up, down
turns: alternate
observe: grid
on act if self.x == 1: out
""",
    "light in a view of one column, behind the agent as well": """
tile hedge: opaque
map:
    .h.
    .@.
    ...
    .h.
legend: h = hedge
actions: up, right, down, left
observe: view ahead 1 behind 2 aside 0 occluded
""",
    "a leave that sends the agent away, and what it would have met": """
object cat: layer low
tile trap:
map:
    @tc.
    ....
legend: t = trap, c = cat on trap
actions: right, left, down, up
observe: cell
on enter trap: go to (3, 1)
on meet cat: reward 1
""",
    "a push that sends the agent away": """
object box: pushable
map:
    @b..
    ....
legend: b = box
actions: right, left, down, up
observe: grid
on push box: go to (0, 1)
""",
    "one of several agents in a cell, whoever asks": """
agents: hunter * 3
agent hunter: level in 1..3
map:
    H..H
    ..H.
legend: H = hunter(level=random)
actions: left, right, up, down, wait
observe: grid as planes (hunter at here, hunter.level, hunter(level=2) at here, self at here, not agent at here)
when hunter at (0, 0): reward hunter.level
on act if hunter(level=2) at (1, 0): reward 10 * hunter.level
on do wait if self at (3, 0): reward 100
on bump edge if agent at (2, 1): reward 1000
on bump edge if hunter at (0, 0): out
each hunter if hunter at (0, 1): reward 10000
when any hunter at (1, 1): reward 0.5
limit: 12 steps
""",
}


@pytest.mark.parametrize("name", FOUND)
def test_compiler__does_what_the_interpreter_does(name: str) -> None:
    """Each is a case in which the two differed."""
    assert_plays_as_defined(completed(FOUND[name]), steps=60, seeds=(0, 1, 2))
