"""Loops over places of which few are taken: as long as any game of a batch needs, whatever the others have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.program import ir
from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

CROWD = """
env: test/Crowd-v0
object box: layer boxes, weight in 0..3
var told: 0 in 0..999
generate: empty(12, 12)
setup:
    choose many in 0 | 1 | 3 | 4
    repeat 30 * many + 4:
        place box at random floor
    place agent at (0, 0)
actions: stay, add, clear
on do add: place box(weight=3) at agent
on do clear:
    if any box where box.x == 11 - step mod 12: told = 1
    each box where box.x == 11 - step mod 12: remove box
each box if box.y == step mod 12 and box.x > 2: move box west
each step:
    told = (count(box where box.weight < 2) + 7 * sum(box.x for box) + told) mod 1000
when agent on box: told = (told + 1) mod 1000
observe flat:
    told
    count(box)
    sum(box.x * box.weight for box)
    grid as planes (box, box(weight=0))
limit: 30 steps
"""


def test_few__is_a_short_loop_of_one_that_may_be_long() -> None:
    """A loop whose end is found out, with many places; not one of some, and none within another."""
    from griddsl.backends.jax.loops.few import FEW, may_be_few, shortened

    class Walking:
        shape: tuple[int, ...] = ()
        drawing = marks = None

    walk: Any = Walking()
    many, some = ir.Local("n", "int", 0, 300), ir.Local("n", "int", 0, 60)
    loop = ir.For("i", ir.const(0), many, [])
    assert may_be_few(walk, loop, 0, np.zeros(3)[0:1].sum() * jax.numpy.int32(1))
    assert shortened(loop, 0).high.high == FEW
    assert not may_be_few(walk, ir.For("i", ir.const(0), some, []), 0, jax.numpy.int32(1))
    assert not may_be_few(walk, ir.For("i", ir.const(0), ir.const(300), []), 0, 300)
    walk.shape = (3,)
    assert not may_be_few(walk, loop, 0, jax.numpy.int32(1))


@pytest.mark.parametrize("seeds", [(0, 1, 2, 3, 4, 5), (0,)], ids=["a batch", "alone"])
def test_few__batches_of_few_and_many_walk_as_the_reference_does(seeds: tuple[int, ...]) -> None:
    """Games with ten things and games with a hundred, in one batch, find and mark what each of them has."""
    import griddsl
    import griddsl.jax

    env = griddsl.jax.make(CROWD)
    games: list[Any] = [griddsl.make(CROWD, backend="python") for _ in seeds]
    states, taken = [], set()
    for seed, game in zip(seeds, games, strict=True):
        seen, _ = game.reset(seed=seed)
        taken.add(int(seen[1]) > 64)
        states.append(env.from_state(game.unwrapped.get_state()))
    assert len(seeds) == 1 or taken == {True, False}
    batch = jax.tree.map(lambda *rows: np.stack(rows), *states)
    step = jax.jit(jax.vmap(lambda state, action: env.step_env(None, state, action)))
    draw = np.random.default_rng(1)
    for _ in range(25):
        actions = draw.integers(0, 3, len(seeds)).astype(np.int32)
        seen, batch, rewards, *_ = step(batch, actions)
        for i, game in enumerate(games):
            expected, reward, *_ = game.step(int(actions[i]))
            assert np.asarray(seen[i]).tolist() == expected.tolist()
            assert float(rewards[i]) == reward
            after = jax.tree.map(lambda row, i=i: row[i], batch)
            assert env.to_state(after) == game.unwrapped.get_state()


def test_few__is_asked_of_the_batch_as_a_whole() -> None:
    """There are branches, and none of them is taken game by game, which would be both for all."""
    import griddsl.jax

    env = griddsl.jax.make(CROWD)
    _, states = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), 3))
    made = jax.make_jaxpr(jax.vmap(lambda state: env.step_env(None, state, 2)))(states)
    branching = list(operations(made.jaxpr, "cond"))
    assert branching and all(each.invars[0].aval.shape == () for each in branching)
