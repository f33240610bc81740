"""Streams whose numbers are made ahead draw what a stream by itself draws."""

from __future__ import annotations

import numpy as np
import pytest

import griddsl
from griddsl.backends.table.streams import Streams
from griddsl.program.runtime import draw
from griddsl.program.stream import Stream

COUNT = 50
# Of a size above 2 ** 30 every fourth number is drawn again.
SIZES = {"one size": [0, 3], "one that is drawn again": [0, 3 * 2**29], "many": [0, 1, 2, 5, 4096, 3 * 2**29]}


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("is_told", [True, False])
def test_draws_made_ahead__are_those_of_each_stream(kind: str, is_told: bool) -> None:
    """All of them or some, with one size or many; counters stand where the draws have brought them."""
    rng = np.random.default_rng(0)
    streams, singles = Streams(COUNT), [Stream(3**k % 2**64) for k in range(COUNT)]
    streams.alike = max(SIZES[kind]) if is_told and len(SIZES[kind]) == 2 else 0
    streams.counters[:] = [3**k % 2**64 for k in range(COUNT)]
    for number in range(300):
        rows = None if number % 3 else np.flatnonzero(rng.random(COUNT) < 0.5)
        chosen = range(COUNT) if rows is None else rows.tolist()
        sizes = rng.choice(SIZES[kind], len(chosen)).astype(np.uint64)
        if number % 4:
            found = streams.draw(sizes, rows).tolist()
        else:
            found = [
                size and streams.draw_one(k, size) for k, size in zip(chosen, sizes.tolist(), strict=True)
            ]
        for k, size, drawn in zip(chosen, sizes.tolist(), found, strict=True):
            if size:
                assert drawn == draw(singles[k], size)
        if number % 50 == 7:
            assert streams.counters.tolist() == [single[0] for single in singles]
            streams.counters[number % COUNT] = singles[number % COUNT][0] = number


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_steps_after_a_start_that_draws__draw_what_comes_next(mode: str) -> None:
    """Resets draw by numpy, also those of a few games by a mask; steps, by machine code where there is some, go on."""
    made = {
        backend: griddsl.make_vec("griddsl/FourRooms-v0", 5, backend=backend, autoreset_mode=mode)
        for backend in ("python", "table")
    }
    rng = np.random.default_rng(0)
    seen = {backend: [envs.reset(seed=7)[0].tolist()] for backend, envs in made.items()}
    for step in range(60):
        actions, few = rng.integers(0, 4, 5), rng.random(5) < 0.4
        for backend, envs in made.items():
            seen[backend].append(envs.step(actions)[0].tolist())
            if step % 9 == 5:
                seen[backend].append(envs.reset(options={"reset_mask": few})[0].tolist())
    assert seen["table"] == seen["python"]
