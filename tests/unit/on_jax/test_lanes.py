"""What a batch does as one: nobody's slots are copied round by round, and what was drawn once is not drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

BURROW = """
env: test/Burrow-v0
generate: maze(9, 9)
once: place den at random floor
setup: place agent at random floor where not den at here
actions: up, right, down, left
observe: grid
on enter den: end success
limit: 6 steps
"""
WAVES = """
env: test/Waves-v0
var waves: 0 in 0..99
object alien: layer aliens
generate: empty(5, 5)
setup: place agent at (0, 0)
actions: stay, right
when self.action is right and waves < 2:
    repeat waves + 1: place alien at random floor
    waves += 1
observe flat:
    waves
    grid as planes (alien)
limit: 30 steps
"""


def operations(jaxpr: Any, name: str) -> Iterator[Any]:
    """Yield the operations of this name, in all that is called too."""
    from jax.extend.core import jaxprs_in_params

    for equation in jaxpr.eqns:
        if equation.primitive.name == name:
            yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from operations(inner, name)


def test_any_game__is_asked_of_a_batch_as_a_whole() -> None:
    """Each game counts to its own number, nested batches too, and one answer lets the loop go on."""
    from griddsl.backends.jax.loops.lanes import any_game

    def counted(most: Any) -> Any:
        def once(count: Any) -> Any:
            return count + (count < most)

        return jax.lax.while_loop(lambda count: any_game(count < most), once, jax.numpy.int32(0))

    numbers = np.arange(6, dtype=np.int32).reshape(2, 3)
    batch = jax.vmap(jax.vmap(counted))
    assert batch(numbers).tolist() == numbers.tolist() and int(counted(np.int32(4))) == 4
    (loop,) = operations(jax.make_jaxpr(batch)(numbers).jaxpr, "while")
    assert [value.aval.shape for value in loop.params["cond_jaxpr"].jaxpr.outvars] == [()]


def test_loops__go_on_until_no_game_of_a_batch_does() -> None:
    """One answer for the batch, and each game goes as far as it would by itself."""
    import griddsl.jax

    env = griddsl.jax.make(WAVES)
    _, states = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), 3))
    actions = np.array([0, 1, 1], np.int32)

    def step(state: Any, action: Any) -> Any:
        return env.step_env(None, state, action)

    batch = jax.jit(jax.vmap(step))
    loops = list(operations(jax.make_jaxpr(batch)(states, actions).jaxpr, "while"))
    longest = max(loops, key=lambda loop: len(loop.params["body_jaxpr"].jaxpr.eqns))
    assert longest.params["cond_jaxpr"].jaxpr.outvars[0].aval.shape == ()
    alone = [jax.tree.map(lambda array, i=i: array[i], states) for i in range(3)]
    for _ in range(4):
        seen, states, *_ = batch(states, actions)
        for i in range(3):
            expected, alone[i], *_ = step(alone[i], actions[i])
            assert np.asarray(seen[i]).tolist() == np.asarray(expected).tolist()
            assert states.stream[i].tolist() == alone[i].stream.tolist()
    assert np.asarray(seen)[:, 0].tolist() == [0, 2, 2]


def test_once__what_was_drawn_is_not_drawn_in_a_step() -> None:
    """A step that begins the next episode has no maze to draw, and a state before the first draw is refused."""
    import griddsl
    import griddsl.jax

    env = griddsl.jax.make(BURROW)
    _, state = env.reset(jax.random.key(0))
    key = jax.random.key(1)
    assert list(operations(jax.make_jaxpr(env.reset)(key).jaxpr, "while"))
    anew = jax.make_jaxpr(lambda state: env.step(None, state, 0))(state)
    assert not list(operations(anew.jaxpr, "while"))
    tiles = np.asarray(state.values["TILE"])
    for _ in range(20):
        _, state, *_ = env.step(None, state, 0)
    assert (np.asarray(state.values["TILE"]) == tiles).all()
    single: Any = griddsl.make(BURROW).unwrapped
    with pytest.raises(ValueError, match="nothing of test/Burrow-v0 is drawn in this state"):
        env.from_state(single.get_state())
