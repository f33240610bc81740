"""Lines on small boards: cells in which no line can begin are not looked at, and a short row is not fetched from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

LINES = """
env: test/Lines-v0
tile sign: owner in 1..2
var wide: false in false | true
map:
    @...
    ....
    ....
define mine(c, dx): inside(c.x + dx, c.y) and any sign(owner=2) at (c.x + dx, c.y)
actions: mark(spot in (0..3, 0..2)), take(spot in (0..3, 0..2))
on do mark: place sign(owner=2) at spot
on do take: place sign(owner=1) at spot
each step:
    wide becomes false
    if any c in (0..3, 0..2) where mine(c, 0) and mine(c, 1) and mine(c, 2): wide becomes true
    if not all c in (0..3, 0..2) where mine(c, 0) or not inside(c.x + 3, c.y): reward 1
observe: wide
limit: 60 steps
"""


def test_lines__are_what_the_reference_finds() -> None:
    """A line of three is found in each row that has one, and no operation reduces the cells of the board."""
    import griddsl
    import griddsl.jax

    game: Any = griddsl.make(LINES, backend="python")
    env = griddsl.jax.make(LINES)
    game.reset(seed=0)
    state = env.from_state(game.unwrapped.get_state())
    step = jax.jit(lambda state, action: env.step_env(None, state, action)[:3])
    draw, found = np.random.default_rng(0), set()
    for _ in range(60):
        action = int(draw.integers(0, 24)) if draw.random() < 0.3 else int(draw.integers(0, 12))
        expected, reward, *_ = game.step(action)
        seen, state, paid = step(state, action)
        assert int(seen) == int(expected) and float(paid) == reward
        found.add((int(expected), reward))
    assert len(found) > 2
    made = jax.make_jaxpr(lambda state: env.step_env(None, state, 0)[:3])(state)
    assert not [each for each in operations(made.jaxpr, "reduce_or") if each.invars[0].aval.shape]


def test_entries__of_a_short_row_are_compared() -> None:
    """Whose turn it is says which of two signs is meant: nothing is fetched for that, for one game or many."""
    from griddsl.backends.jax.arrays import entries

    row = jax.numpy.asarray([5, 7, 9], np.int32)
    for index in (np.int32(1), np.array([2, 0], np.int32)):
        found = jax.make_jaxpr(lambda row, index: entries(row, index, 3, np.int32))(row, index)
        assert not list(operations(found.jaxpr, "gather"))
        assert entries(row, jax.numpy.asarray(index), 3, np.int32).tolist() == np.asarray(row)[index].tolist()
