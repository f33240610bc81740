"""Setups that find no place: every backend shows the map of the environment that failed, as it was then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.backends.native.library import is_installed

SPEC = """
env: test/Crowded-v0
object box:
tile flag:
generate: empty(5, 2)
setup:
    choose n in 1..12
    place agent at (0, 0)
    place flag at (0, 1)
    place n box at random floor where x > 0
actions: stay, right
observe: cell
limit: 3 steps
each step: reward count(box)
when agent on flag: end
"""
PICTURE = "| @bbbb\n   | fbbbb\n"
BACKENDS = [
    "python",
    pytest.param("native", marks=pytest.mark.skipif(not is_installed(), reason="numba is missing")),
]


def failure(act: Any) -> str:
    """Return what is said of the failure that an act ends in, tried with one seed after the other."""
    for seed in range(60):
        try:
            act(seed)
        except griddsl.SpecError as error:
            return str(error)
    raise AssertionError("no setup failed")


@pytest.mark.parametrize("backend", BACKENDS)
def test_reset__shows_the_map_at_that_moment(backend: str) -> None:
    """One environment: the constraint and the map, with the boxes that found their place."""
    env = griddsl.make(SPEC, backend=backend)
    said = failure(lambda seed: env.reset(seed=seed))
    assert "`box` has no place: random floor where x > 0" in said
    assert PICTURE in said


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_batch__shows_the_map_of_the_one_that_failed(backend: str, mode: str) -> None:
    """A batch: the map is that of the failing environment, in a reset and where a step resets it."""
    batch = griddsl.make_vec(SPEC, 5, backend=backend, autoreset_mode=mode)
    assert PICTURE in failure(lambda seed: batch.reset(seed=100 * seed))

    def play(seed: int) -> None:
        try:
            batch.reset(seed=seed)
        except griddsl.SpecError:
            return
        for _ in range(30):
            batch.step(np.zeros(5, dtype=np.int64))

    assert PICTURE in failure(play)
