"""Batches answer `call`, as Gymnasium's own do; games say what comes first."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl

SPEC = "griddsl/FrozenLake-v0"
TWO = """env: t/Two-v0
agents: red, blue
map:
    1..2
legend: 1 = red, 2 = blue
actions: left, right
observe: self.x
limit: 9 steps
"""


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


def test_parallel__is_reset_before_its_first_step() -> None:
    """A step before the first reset says so, and not that the agents are out."""
    game = griddsl.make_parallel(TWO)
    with pytest.raises(gym.error.ResetNeeded):
        game.step({"red": 0, "blue": 0})


@pytest.mark.parametrize("make", [griddsl.make, griddsl.make_parallel, gym.make])
def test_make__refuses_a_second_spec(make: Any) -> None:
    """`spec=` is for `griddsl/Spec-v0`: beside an id, or a source, one of the two would be left out unsaid."""
    with pytest.raises(TypeError, match="there are two specs"):
        make(SPEC, spec="griddsl/CliffWalking-v0")
