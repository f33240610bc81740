"""Counts of what is there, which removals in a loop count down: once behind the loop, where nobody asks before."""

from __future__ import annotations

import numpy as np
import pytest

from griddsl.program import ir
from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

COUNT = ir.Slot("OBJECTS", 1, 0, 40)
KIND = ir.Slot("OBJECT_KIND", 40, -1, 3)
AT = ir.Local("i", "int", 0, 39)
LAST = ir.sub(ir.load(COUNT), ir.const(1))
DOWN = ir.While(
    ir.both(ir.compare(">", ir.load(COUNT), ir.const(0)), ir.lt(ir.load(KIND, LAST), 0)),
    [ir.Store(COUNT, ir.const(0), LAST)],
)
GO = ir.Store(KIND, AT, ir.const(-1))

FALLING = """
env: test/Falling-v0
object leaf: layer leaves, heavy in false | true
var told: 0 in 0..999
generate: empty(9, 9)
setup:
    place leaf(heavy=random) at every floor with chance 0.4
    place agent at (0, 0)
actions: right, left, up, down, add
on do add:
    place leaf at (8, 0)
define fall:
    if leaf.heavy: remove leaf
    else if leaf.x mod 3 == 1: reward 1
on meet leaf: fall()
each leaf if leaf.y == 8 or agent at leaf: fall()
each leaf: move leaf south
each leaf if leaf.x == step mod 9 and leaf.y > 5: remove leaf
each step: told = (told + count(leaf) * 7) mod 1000
observe flat: told, count(leaf), grid as planes (leaf, leaf(heavy=true))
limit: 40 steps
"""


def test_waiting_in__is_a_count_that_nobody_asks_for() -> None:
    """Each removal has the count behind it; what comes, and a round that asks how many there are, wait for it."""
    from griddsl.backends.jax.loops.deferring import waiting_in

    test = ir.lt(ir.load(KIND, AT), 2)
    function = ir.Function("f", (AT,), [GO, DOWN])
    call = ir.Do(ir.Call("f", (AT,), "int"))
    fitting: list[ir.Block] = [
        [GO, DOWN],
        [ir.If(test, [GO, ir.Let("n", ir.const(1)), DOWN], [call])],
        [call],
        [ir.While(test, [GO, DOWN])],
    ]
    for body in fitting:
        assert waiting_in(body, {"f": function}) == DOWN
    asks = ir.Let("n", ir.load(COUNT))
    comes = ir.Store(KIND, AT, ir.const(2))
    raised = ir.Store(COUNT, ir.const(0), ir.const(9))
    others: list[ir.Block] = [
        [GO],
        [DOWN, GO],
        [GO, DOWN, asks],
        [GO, DOWN, comes],
        [GO, DOWN, raised],
        [GO, DOWN, ir.Restart()],
        [ir.If(test, [GO], []), DOWN],
        [ir.ForEach("i", ir.const(0), ir.const(9), [GO, DOWN])],
        [GO, DOWN, ir.Fill(KIND, ir.const(0))],
        [call, asks],
    ]
    for body in others:
        assert waiting_in(body, {"f": function}) is None


@pytest.mark.parametrize("shared", [False, True])
def test_deferring__finds_what_the_reference_counts(monkeypatch: pytest.MonkeyPatch, shared: bool) -> None:
    """Leaves that go in one round or in many, in a function and beside each other, are counted as one by one."""
    from griddsl.backends.jax import sharing
    from tests.agreement.in_jax import batch_beside

    if shared:
        monkeypatch.setattr(sharing, "MOST_WRITTEN_OUT", 0)
        monkeypatch.setattr(sharing, "LEAST_SHARED", 1)
    env, games, batch = batch_beside(FALLING, range(5))
    step = jax.jit(jax.vmap(lambda state, action: env.step_env(None, state, action)))
    draw = np.random.default_rng(1)
    for _ in range(38):
        actions = draw.integers(0, 5, len(games)).astype(np.int32)
        seen, batch, rewards, *_ = step(batch, actions)
        for i, game in enumerate(games):
            expected, reward, *_ = game.step(int(actions[i]))
            assert np.asarray(seen[i]).tolist() == expected.tolist() and float(rewards[i]) == reward
            after = jax.tree.map(lambda row, i=i: row[i], batch)
            assert env.to_state(after) == game.unwrapped.get_state()


def test_deferring__counts_behind_the_loop() -> None:
    """No round looks for the greatest number of a place that is taken."""
    import griddsl.jax

    env = griddsl.jax.make(FALLING)
    _, state = env.reset(jax.random.key(0))
    made = jax.make_jaxpr(lambda state: env.step_env(None, state, 0)[:3])(state)
    rounds = [each.params["body_jaxpr"].jaxpr for each in operations(made.jaxpr, "while")]
    assert rounds and not [each for body in rounds for each in operations(body, "reduce_max")]
    assert list(operations(made.jaxpr, "reduce_max"))
