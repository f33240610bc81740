"""Forbidding: `check` says where `allow` leaves an agent nothing to do, and only there."""

from __future__ import annotations

import pytest

import griddsl
from tests.playing import completed

TIRED = """
var energy: 3 in 0..9
map:
    @....
actions: left, right
actions say: hum, cry
allow left: energy > 0
allow right: energy > 0
allow hum: agent.x == 0
observe: cell
each step: energy -= 1
"""
GUARDED = """
agents: red, blue
map:
    r...
    ...b
legend: r = red, b = blue
actions red: left, right
actions blue: up, down
allow left: not red at (1, 0)
allow right: not red at (1, 0)
observe: cell
"""
FORBIDDEN = {
    "after some steps": (f"{TIRED}limit: 9 steps\n", "after 3 steps"),
    "in the last step of a limit": (f"{TIRED}limit: 4 steps\n", "after 3 steps"),
    "for one of several": (f"{GUARDED}limit: 9 steps\n", "after 1 step:"),
    "in turn": (f"{GUARDED}turns: alternate\nlimit: 9 steps\n", "after 2 steps"),
    "at the start": (TIRED.replace("energy: 3", "energy: 0") + "limit: 9 steps\n", "at the start"),
    "by what the step says": (TIRED.replace("energy > 0", "step < 5") + "limit: 9 steps\n", "after 4 steps"),
    "by what the step says, of several": (
        f"{GUARDED}limit: 9 steps\n".replace("not red at (1, 0)", "step mod 4 < 3"),
        "after 2 steps",
    ),
    "where an illegal action ends": (f"{TIRED}illegal: end\nlimit: 9 steps\n", "after 3 steps"),
}
ALLOWED = {
    "the limit comes first": f"{TIRED}limit: 3 steps\n",
    "an end comes first": f"{TIRED}when energy == 0: end tired\n",
    "an illegal action is carried out": f"{TIRED}illegal: act\nlimit: 9 steps\n",
    "one is always allowed": f"{TIRED}limit: 9 steps\n".replace("left, right", "left, right, stay"),
    "who cannot act is out": f"{GUARDED}on red enter floor if red at (1, 0): out\nlimit: 9 steps\n",
    "it is the turn of another": (
        f"{GUARDED}turns: alternate\nlimit: 9 steps\n".replace("not red at (1, 0)", "step mod 2 == 1")
    ),
}


def _said(text: str) -> list[str]:
    return [str(found.help) for found in griddsl.check(completed(text)) if found.code == "nothing-allowed"]


@pytest.mark.parametrize("name", FORBIDDEN)
def test_nothing_allowed__is_said_once_with_the_fewest_steps(name: str) -> None:
    """A state in which a group has no action left, and that play comes to, is a warning at the first `allow`."""
    text, when = FORBIDDEN[name]
    (help,) = _said(text)
    assert when in help


@pytest.mark.parametrize("name", ALLOWED)
def test_nothing_allowed__is_not_said(name: str) -> None:
    """What no play comes to, what ends or is carried out, and who does not act are no reason to warn."""
    assert _said(ALLOWED[name]) == []
