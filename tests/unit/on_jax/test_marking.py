"""Loops that mark cells: found for all rounds at once, with no mask that nobody asks for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

BOARD = """
env: test/Marks-v0
object stone: side in 0..1
generate: empty(4, 4)
setup:
    place agent at (0, 0)
    place stone(side=0) at every floor with chance 0.4
    place stone(side=1) at every floor with chance 0.5
actions: stay
observe: grid as planes (stone(side=0), stone(side=1))
limit: 9 steps
"""


@pytest.mark.parametrize("cells", [3, 12, 32, 33, 100])
@pytest.mark.parametrize("rounds", [1, 2, 7, 40])
def test_marked__is_every_place_of_a_round_that_counts(cells: int, rounds: int) -> None:
    """Whether the marks fit one word or more, and whether they are joined or compared."""
    from griddsl.backends.jax.loops.marking import marked

    draw = np.random.default_rng(cells + rounds)
    places, counts = draw.integers(0, cells, rounds), draw.random(rounds) < 0.6
    found = jax.jit(lambda places, counts: marked(places, counts, rounds, cells))(places, counts)
    expected = np.zeros(cells, np.bool_)
    expected[places[counts]] = True
    assert np.asarray(found).tolist() == expected.tolist()


def test_marks__have_no_mask_of_their_own() -> None:
    """On a small board nothing but the planes is held on to: what a round tests is asked once."""
    import griddsl.jax

    env = griddsl.jax.make(BOARD)
    _, state = env.reset(jax.random.key(0))
    made = jax.make_jaxpr(lambda state: env.step_env(None, state, 0)[0])(state)
    held = [
        value.aval
        for barrier in operations(made.jaxpr, "optimization_barrier")
        for value in barrier.invars
        if value.aval.shape
    ]
    assert [(each.dtype, each.shape) for each in held] == [(np.uint8, (16,))] * 2
