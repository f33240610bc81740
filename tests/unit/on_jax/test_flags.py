"""Loops that hand on nothing but flags, and rounds that no game of a batch is in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.program import ir
from griddsl.program.passes.effects import Known
from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")

BOARD = """
env: test/Board-v0
object stone: layer stones
var lost: 0 in 0..1
region board: (0..3, 0..3)
generate: empty(4, 4)
setup: place agent at (0, 0)
actions: put(spot in board where no stone at spot)
on do put: place stone at spot
when count(stone) > 3 and lost == 0:
    lost = 1
    each c in board:
        if c.x != c.y and stone at c: remove the stone with least abs(stone.x - c.x) + abs(stone.y - c.y)
observe: grid as planes (stone)
limit: 40 steps
"""


def test_flags__are_what_no_round_asks_for() -> None:
    """Set to one constant wherever they are set; nothing else is handed on, drawn, or written where others write."""
    from griddsl.backends.jax.loops.flags import flags_of

    row, number = ir.Slot("ROW", 9, 0, 9), ir.Local("i", "int", 0, 8)
    one, other = ir.Local("any", "int", 0, 1), ir.Local("last", "int", 0, 8)
    is_set = ir.eq(ir.load(row, number), 1)
    raised = ir.If(is_set, [ir.Let("any", ir.const(1))], [])
    shown = ir.Out(number, ir.load(row, number))

    def flags(*body: ir.Stmt) -> Any:
        loop = ir.For("i", ir.const(0), ir.const(9), [*body])
        return flags_of(loop, {"any", "last"}, Known({}))

    assert flags(raised, shown) == {"any": ir.const(1)}
    assert flags(raised, ir.Let("own", number), shown) == {"any": ir.const(1)}
    assert flags(shown) is None
    assert flags(raised, ir.If(is_set, [], [ir.Let("any", ir.const(0))])) is None
    assert flags(raised, ir.Let("last", number)) is None
    assert flags(raised, ir.Out(number, one)) is None
    assert flags(raised, ir.If(ir.eq(one, 0), [shown], [])) is None
    assert flags(raised, ir.Let("last", ir.add(other, ir.const(1)))) is None
    assert flags(raised, ir.Out(ir.const(0), number)) is None
    assert flags(raised, ir.Bind("own", ir.drawn(ir.const(3), 2))) is None


def test_flags__tell_what_rounds_one_by_one_do() -> None:
    """Which moves are legal, and that all are where none is, in a batch as in the reference; rounds that none is in too."""
    from tests.agreement.in_jax import batch_beside

    env, games, batch = batch_beside(BOARD, range(3))
    step = jax.jit(jax.vmap(lambda state, action: env.step_env(None, state, action)))
    draw = np.random.default_rng(0)
    for _ in range(30):
        actions = draw.integers(0, 16, 3).astype(np.int32)
        seen, batch, _, _, _, infos = step(batch, actions)
        for i, game in enumerate(games):
            expected, *_, info = game.step(int(actions[i]))
            assert np.asarray(seen[i]).tolist() == expected.tolist()
            assert np.asarray(infos["action_mask"][i]).tolist() == info["action_mask"].astype(bool).tolist()


def test_rounds__are_left_out_where_no_game_is_in_them() -> None:
    """A loop under a test is in a branch, of which the batch as a whole is asked."""
    import griddsl.jax

    env = griddsl.jax.make(BOARD)
    _, states = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), 3))
    made = jax.make_jaxpr(jax.vmap(lambda state: env.step_env(None, state, 3)))(states)
    scans = [scan for scan in operations(made.jaxpr, "scan") if scan.params["length"] == 16]
    inside = [
        scan
        for branching in operations(made.jaxpr, "cond")
        for branch in branching.params["branches"]
        for scan in operations(branch.jaxpr, "scan")
    ]
    assert scans and all(any(scan is each for each in inside) for scan in scans)
    assert all(branching.invars[0].aval.shape == () for branching in operations(made.jaxpr, "cond"))
