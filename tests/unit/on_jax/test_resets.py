"""A batch begins the next episodes of those that are over, however many they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.program import ir
from tests.unit.on_jax.test_lanes import operations

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("over", [0, 1, 9, 200])
def test_resets__a_batch_begins_those_that_are_over(monkeypatch: pytest.MonkeyPatch, over: int) -> None:
    """Each of them gets what its own stream begins, and all others stay as they are."""
    from griddsl.jax import resets

    monkeypatch.setattr(resets, "LEAST_PARTED", 0)

    def begin(stream: Any) -> Any:
        return stream.sum() * 3, stream + 1

    streams = np.arange(400, dtype=np.int32).reshape(200, 2)
    kept = (-np.arange(200, dtype=np.int32), np.zeros((200, 2), np.int32))
    ended = np.random.default_rng(over).permutation(200) < over
    found = jax.jit(jax.vmap(lambda over, stream, kept: resets.begun(over, stream, kept, begin)))(
        ended, streams, kept
    )
    numbers, rows = jax.device_get(found)
    np.testing.assert_array_equal(numbers, np.where(ended, streams.sum(1) * 3, kept[0]))
    np.testing.assert_array_equal(rows, np.where(ended[:, None], streams + 1, kept[1]))


def test_resets__pictures_are_chosen_between_as_rows() -> None:
    """The last axis of a picture is short, and a processor goes through the last axis at once."""
    import griddsl.jax

    env = griddsl.jax.make("griddsl/DeepSea-v0", size=8)
    seen, states = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), 3))
    assert seen.ndim == 3
    made = jax.make_jaxpr(jax.vmap(lambda state: env.step(None, state, 1)))(states)
    chosen = [each.outvars[0].aval.shape for each in operations(made.jaxpr, "select_n")]
    assert (3, seen[0].size) in chosen and not any(len(shape) > 2 for shape in chosen)


def test_operations__are_those_on_what_is_given() -> None:
    """A setup that draws nothing is a constant, though much is done to find it."""
    from griddsl.jax.resets import operations

    def same(stream: Any) -> Any:
        row = jax.numpy.arange(9)
        for _ in range(50):
            row = jax.jit(lambda row: row * 3 + 1)(row)
        return row, stream + 1

    def own(stream: Any) -> Any:
        return jax.lax.fori_loop(0, 9, lambda _, row: row * 3 + stream, stream), stream + 1

    assert operations(jax.make_jaxpr(same)(np.int32(0))) == 1
    assert operations(jax.make_jaxpr(own)(np.int32(0))) > 3


def test_early__a_value_that_is_read_before_the_next_one_stays_in_its_round() -> None:
    """What does not wait for other rounds is taken out of a loop; a local set twice around a use of it is not."""
    from griddsl.backends.jax.loops.early import parted
    from griddsl.program.passes.effects import Known

    number, sum_ = ir.Local("i", "int", 0, 9), ir.Local("sum", "int", 0, 100)
    twice, free, one = ir.Local("twice", "int", 0, 10), ir.Local("free", "int", 0, 10), ir.const(1)
    loop = ir.For(
        "i",
        ir.const(0),
        ir.const(9),
        [
            ir.Let("free", ir.add(number, one)),
            ir.Let("twice", ir.add(number, one)),
            ir.Let("sum", ir.add(sum_, ir.add(twice, free))),
            ir.Let("twice", ir.const(0)),
        ],
    )
    found = parted(loop, ["sum"], Known({}))
    assert found is not None
    assert found.names == {"free"}
    assert len(found.loop.body) == 3
