"""Goal rewards, for arrays of goals at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.backends.python import Machine
from griddsl.program import spaces as plain
from griddsl.program.program import Program


def rewards(
    program: Program, machine: Machine, achieved_goal: Any, desired_goal: Any, info: Any = None
) -> Any:
    """Return the reward of each pair of goals: ``(...)`` float32 for goals ``(..., n)``; a float for one pair.

    Equal pairs are computed once, so a replay buffer of goals costs as much as it has distinct pairs.
    """
    first, lead = _numbers(program, program.goal["achieved"].space, np.asarray(achieved_goal))
    second, _ = _numbers(program, program.goal["desired"].space, np.asarray(desired_goal))
    pairs, inverse = np.unique(np.stack([first, second], axis=1), axis=0, return_inverse=True)
    s, f, r = machine.new_state()
    function = machine.functions["goal_reward"]
    values = np.array([function(s, f, r, *_plain(pair)) for pair in pairs], dtype=np.float32)
    found = values[inverse.reshape(-1)].reshape(lead)
    return found if lead else float(found)


def _plain(pair: Any) -> list[Any]:
    return [int(value) if float(value).is_integer() else float(value) for value in pair]


def _numbers(program: Program, space: plain.Space, goals: Any) -> tuple[Any, tuple[int, ...]]:
    """Return goals as the numbers that rules know (cells, for positions), in a row, and their leading shape."""
    if isinstance(space, plain.Discrete):
        return goals.reshape(-1), goals.shape
    lead = goals.shape[:-1]
    if isinstance(space, plain.MultiDiscrete):
        flat = goals.reshape(-1, 2)
        return flat[:, 1] * program.width + flat[:, 0], lead
    assert isinstance(space, plain.Box)
    rows = goals.reshape(-1, space.shape[0])
    if space.dtype == "int64":
        return rows[:, 1] * program.width + rows[:, 0], lead
    if space.shape == (2,) and space.dtype == "float32":
        x = np.rint(rows[:, 0] * max(1, program.width - 1))
        y = np.rint(rows[:, 1] * max(1, program.height - 1))
        return y * program.width + x, lead
    if space.shape == (program.cells,):
        return rows.argmax(axis=1), lead
    return rows[:, 0], lead
