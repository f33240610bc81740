"""Glances: views in Python that look at all cells at once show what the statements of the program write one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.backends.python.glances import MOST_PICTURES, MOST_POSES, Glances
from tests.playing import completed

ROOT = Path(__file__).parents[3]
GAME = """
object lamp: portable, state in open | closed, color in grey | blue | red
object shutter: solid unless open, opaque unless open, state in open | closed
object curtain: opaque if agent.x > 2
map:
    #####~~
    #@.c..S
    #.L~..G
    ~..s#l.
    #..l.C.
legend: l = lamp, L = lamp(color=red, state=closed), s = shutter, S = shutter(state=closed), c = curtain
legend: C = curtain, "~" = water, G = goal
tile water: opaque
actions: {actions}
on {hit} shutter:
    if shutter is open: shutter becomes closed
    else: shutter becomes open
{more}
on enter goal: end success
observe: {view} as minigrid
limit: 60 steps
"""
TURNING = "turn_left, turn_right, forward, pickup, drop, toggle"
WALKING = "up, right, down, left, pickup, drop"
RULES = {
    "fixed": "",
    "dug": "on bump wall: remove wall",
}


def seen(source: Any, steps: int = 300, **params: Any) -> list[Any]:
    """Return what is observed in random play, with seed 0."""
    env = griddsl.make(source, backend="python", **params)
    env.action_space.seed(0)
    found = [env.reset(seed=0)[0]]
    for _ in range(steps):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        found.append(observation)
        if terminated or truncated:
            found.append(env.reset()[0])
    return found


def assert_shows_the_same(monkeypatch: pytest.MonkeyPatch, source: Any, **params: Any) -> None:
    """Play twice, with glances and by the statements alone."""
    assert Glances.of(griddsl.make(source, **params).program).glances
    glanced = seen(source, **params)
    with monkeypatch.context() as patch:
        patch.setattr(Glances, "lines", lambda *_: None)
        plain = seen(source, **params)
    np.testing.assert_equal(glanced, plain)


@pytest.mark.parametrize("actions", [TURNING, WALKING])
@pytest.mark.parametrize(
    "view",
    ["view 7x7 occluded", "view 5x3", "view 3x3 centered occluded", "view 1x1", "view 9x9 cone 1 occluded"],
)
@pytest.mark.parametrize("rule", RULES)
def test_glance__shows_what_statements_write(
    monkeypatch: pytest.MonkeyPatch, actions: str, view: str, rule: str
) -> None:
    """Over ground that never changes and ground that does, with things that stop light under conditions, or do not."""
    if actions == WALKING and "cone" in view:
        view = "view 5x5 occluded"
    hit = "toggle" if actions == TURNING else "bump"
    text = GAME.format(actions=actions, view=view, more=RULES[rule], hit=hit)
    assert_shows_the_same(monkeypatch, completed(text))


@pytest.mark.parametrize(
    "name", ["door_key", "locked_room", "playground", "obstructed_maze", "baby_go_to", "fetch"]
)
def test_glance__of_minigrid_s_worlds(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Few things are looked at one by one, of many those in the cells that are seen."""
    assert_shows_the_same(monkeypatch, ROOT / "specs" / f"{name}.grid")


def test_glance__forgets_when_it_has_seen_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered has an end, and what was forgotten is seen again as it was."""
    assert MOST_POSES > 1000
    assert MOST_PICTURES > 1000
    monkeypatch.setattr("griddsl.backends.python.glances.MOST_POSES", 5)
    monkeypatch.setattr("griddsl.backends.python.glances.MOST_PICTURES", 5)
    assert_shows_the_same(monkeypatch, ROOT / "specs" / "door_key.grid")


def test_glance__is_kept_with_the_program() -> None:
    """A program that comes back from JSON looks as it did."""
    from griddsl.backends.python import build
    from griddsl.program.form import from_json, to_json

    program = griddsl.make(ROOT / "specs" / "door_key.grid").program
    again = from_json(to_json(program))
    assert Glances.of(again).glances
    observed = []
    for each in (program, again):
        machine = build(each)
        s, f, r = machine.new_state()
        r[0] = 7
        machine.functions["reset"](s, f, r, -1)
        out = bytearray(147)
        machine.functions["observe__0"](s, f, r, out)
        observed.append(bytes(out))
    assert observed[0] == observed[1]
