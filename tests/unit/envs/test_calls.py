"""Batches answer `call`, as Gymnasium's own do."""

from __future__ import annotations

import numpy as np
import pytest

import griddsl

SPEC = "griddsl/FrozenLake-v0"


def test_call__gives_each_environment_its_own() -> None:
    """Frames, masks, states and attributes come once for each; other methods are refused by name."""
    batch = griddsl.make_vec(SPEC, 3, render_mode="rgb_array")
    batch.reset(seed=1)
    assert [frame.shape for frame in batch.call("render")] == [np.shape(batch.render()[0])] * 3
    assert [row.tolist() for row in batch.call("action_masks")] == [[True] * 4] * 3
    assert batch.call("get_state") == tuple(batch.get_state())
    assert batch.call("render_mode") == ("rgb_array",) * 3
    assert griddsl.make_vec(SPEC, 2).call("render") == (None, None)
    with pytest.raises(AttributeError, match="no method 'reset' of their own"):
        batch.call("reset")
