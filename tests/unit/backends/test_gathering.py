"""Gathering: loops in Python that find the cells they are about at once do what they did one by one."""

from __future__ import annotations

import linecache
import random
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.backends.python import emit
from griddsl.backends.python.gathering import matching
from griddsl.program.printer import Dialect, print_function
from tests.playing import completed

DIGGING = """
var seen: 0 in 0..999
generate: empty(9, 7)
setup:
    place agent at (4, 3)
    place pit at every floor where (x + y) mod 3 == 0 and distance(here, agent) > 1
    place wall at every pit with chance 0.3
    each pit where pit.x > 2:
        place floor at (pit.x, pit.y)
        if pit.x < 7: place pit at (pit.x + 1, pit.y)
    repeat 3: place stone at random floor where distance(here, agent) > 1 and path_distance(here, agent) < 30
object stone: solid
tile floor: worn in 0..9
actions: up, right, down, left
each step:
    seen = count(pit where pit.y == agent.y) + count(floor where path_distance(agent, floor) == 3)
    each floor where floor.worn > 1: floor.worn = 0
    each floor where floor.x == 8: place pit at (8, floor.y)
    place floor at every pit where x == 0 and y == step mod 7
on enter pit: reward -1
on enter floor: floor.worn += 1
observe:
    board = grid
    seen = seen
    way = path_distance(agent, stone)
limit: 30 steps
"""


def test_matching__is_where_all_numbers_compare_as_asked() -> None:
    """Few and many are found in two ways, both in order."""
    dice = random.Random(0)
    for many in (2, 3, 40, 256):
        values, others = ([dice.randrange(many) for _ in range(500)] for _ in range(2))
        for wanted in (0, 1, 39, 255):
            expected = [place for place, value in enumerate(values) if value == wanted]
            assert matching((values, "==", wanted)) == expected
            both = [place for place, value in enumerate(values) if value != wanted and others[place] > 1]
            assert matching((values, "!=", wanted), (others, ">", 1)) == both
    assert matching(([], "<=", 0)) == []


def test_gathering__leaves_every_episode_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What later rounds of a loop find changed, what is drawn in rounds and what is counted stay what they are."""
    found = []
    for gathered in (True, False):
        with monkeypatch.context() as patch:
            if not gathered:
                patch.setattr(
                    emit, "gathered_lines", lambda f, taken, *_: print_function(f, taken, Dialect())
                )
            env = griddsl.make(completed(DIGGING), backend="python")
            env.action_space.seed(3)
            trail: list[Any] = []
            for seed in range(4):
                trail.append(env.reset(seed=seed))
                trail += [env.step(env.action_space.sample()) for _ in range(25)]
            found.append(trail)
    np.testing.assert_equal(found[0], found[1])


def test_gathering__is_done_where_no_round_changes_another() -> None:
    """Cells of a kind are found at once, and neighbours are those that there are."""
    env = griddsl.make(completed(DIGGING), backend="python")
    text = "".join(linecache.getlines(f"<griddsl {env.program.id}>"))
    assert 'in matching((s[TILE : TILE + 63], "==", ' in text
    assert "in NEXT_4__known[here]" in text
    assert " for cell in range(63)]" in text
