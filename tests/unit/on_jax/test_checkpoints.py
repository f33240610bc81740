"""States and levels go into the checkpoints that training on JAX writes, and come back as they were."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """What a training loop keeps beside its weights: states of a batch, one of them, and a level."""
    pytest.importorskip("flax.serialization")
    import griddsl.jax

    env = griddsl.jax.make_parallel("griddsl/PredatorPrey-v0")
    states = jax.vmap(env.reset)(jax.random.split(jax.random.key(0), 3))[1]
    one = env.reset(jax.random.key(1))[1]
    return {"states": states, "one": one, "level": one.level, "weights": np.arange(4.0)}


def assert_same(found: Any, wanted: Any) -> None:
    """Fail unless two trees have the same parts, their sizes included, and the same numbers."""
    assert jax.tree.structure(found) == jax.tree.structure(wanted)
    jax.tree.map(np.testing.assert_array_equal, found, wanted)


@pytest.mark.parametrize("name", ["states", "one", "level", None])
def test_checkpoints__flax_writes_and_reads(kept: dict[str, Any], name: str | None) -> None:
    """`to_bytes` takes them alone and within others; read into zeros they are what was written, sizes included."""
    serialization = pytest.importorskip("flax.serialization")
    wanted = kept if name is None else kept[name]
    into = jax.tree.map(np.zeros_like, wanted)
    assert_same(serialization.from_bytes(into, serialization.to_bytes(wanted)), wanted)


def test_checkpoints__of_something_else_are_refused(kept: dict[str, Any]) -> None:
    """What was written of a state is no level."""
    serialization = pytest.importorskip("flax.serialization")
    written = serialization.to_bytes(kept["one"])
    with pytest.raises(ValueError, match="a Level has values, failed; what was read has values, stream"):
        serialization.from_bytes(kept["level"], written)


def test_checkpoints__orbax_writes_and_reads(kept: dict[str, Any], tmp_path: Path) -> None:
    """Orbax takes pytrees as they are."""
    orbax = pytest.importorskip("orbax.checkpoint")
    with orbax.StandardCheckpointer() as saver:
        saver.save(tmp_path / "step_1", kept)
        saver.wait_until_finished()
        assert_same(saver.restore(tmp_path / "step_1", kept), kept)


def test_checkpoints__pickles(kept: dict[str, Any]) -> None:
    """Pickles hold all of it."""
    assert_same(pickle.loads(pickle.dumps(kept)), kept)
