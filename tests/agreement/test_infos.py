"""Infos have the same keys and types in every step, on every backend, alone and in batches."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.single.grid_env import GridEnv
from tests.agreement.comparing import HAS_NUMBA, MODES, assert_same
from tests.typed import count_of

# Entries of every form, from the head and from rules; those of rules are set in some steps only.
TALKATIVE = """
env: test/Talkative-v0
var color: red in red | green
map:
    .@..G
legend: G = goal
actions: left, right, wait
allow wait: agent.x > 0
observe tuple: agent.x, text, mission
mission: "to the {color} one"
info:
    far = distance(agent, goal)
    near = agent.x > 2
    tint = color
    share = agent.x / 4
when agent.x == 2:
    info steps = step
    info half = step / 2
    info lucky = agent.x == 2
    info paint = color
    hidden reward 2
    color becomes green
on enter goal: reward 1, end success
when agent.x == 0: end fell
limit: 5 steps
"""
# The same without what a table cannot hold.
QUIET = """
env: test/Quiet-v0
map:
    .@..G
legend: G = goal
actions: left, right
observe: cell
on enter goal: end success
when agent.x == 0: end
limit: 6 steps
"""
# The same with a mask and no entry of info: what is told of an end is all that the step left.
MASKED = QUIET.replace("observe: cell", "allow left: agent.x > 0\nobserve: cell").replace("Quiet", "Masked")
NATIVE = ["native"] if HAS_NUMBA else []
CASES = [(TALKATIVE, backend) for backend in ["python", *NATIVE]]
CASES += [(QUIET, backend) for backend in ["python", "table", *NATIVE]]
CASES += [(MASKED, backend) for backend in ["python", *NATIVE]]
TYPES = {
    "far": int,
    "near": bool,
    "tint": str,
    "share": float,
    "steps": int,
    "half": float,
    "lucky": bool,
    "paint": str,
    "hidden_reward": float,
    "action_mask": np.ndarray,
    "outcome": str,
    "is_success": bool,
}


@pytest.mark.parametrize(("text", "backend"), CASES)
def test_info__has_the_same_keys_and_types_in_every_step(text: str, backend: str) -> None:
    """From the first reset on; what no rule has set is silent, and the end is told where it is one."""
    env, reference = griddsl.make(text, backend=backend), griddsl.make(text, backend="python")
    rng, spoken = np.random.default_rng(0), set()
    first, over = None, True
    found: tuple[Any, ...]
    for number in range(120):
        if over:
            found = env.reset(seed=number)
            assert_same(found, reference.reset(seed=number), f"reset {number}")
            info, over = found[1], False
        else:
            action = int(rng.integers(count_of(env.action_space)))
            found = env.step(action)
            assert_same(found, reference.step(action), f"step {number}")
            info, over = found[4], found[2] or found[3]
        kinds = {name: type(value) for name, value in info.items()}
        first = first or kinds
        assert kinds == first
        assert all(kinds[name] is TYPES[name] for name in set(TYPES) & set(kinds))
        assert bool(info["outcome"]) == over and (info["outcome"] == "success") == info["is_success"]
        spoken.add(info["outcome"])
        if text is TALKATIVE:
            assert (info["steps"] != 0) == (info["paint"] != "") == info["lucky"]
    assert len(spoken) == 4  # both ends, the limit, and silence


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize(("text", "backend"), CASES)
@pytest.mark.parametrize("limit", [None, 4])
def test_infos_of_a_batch__are_those_that_gymnasium_puts_together(
    text: str, backend: str, mode: gym.vector.AutoresetMode, limit: int | None
) -> None:
    """In every mode, with a limit of the caller's and without; final observations are of one environment each."""
    batch = GridVectorEnv(text, 4, backend=backend, autoreset_mode=mode, max_episode_steps=limit)
    singles = gym.vector.SyncVectorEnv([lambda: _alone(text, limit)] * 4, autoreset_mode=mode)
    assert_same(batch.reset(seed=3), singles.reset(seed=3), "reset")
    singles.action_space.seed(2)
    for number in range(60):
        actions = singles.action_space.sample()
        found: tuple[Any, ...] = batch.step(actions)
        expected: tuple[Any, ...] = singles.step(actions)
        assert_same(found, expected, f"step {number}")
        over = expected[2] | expected[3]
        if mode == gym.vector.AutoresetMode.DISABLED and over.any():
            chosen = {"reset_mask": over.copy()}
            found, expected = batch.reset(options=dict(chosen)), singles.reset(options=dict(chosen))
            assert_same(found[1], expected[1], f"reset after {number}")


def _alone(text: str, limit: int | None) -> Any:
    env = GridEnv(text, backend="python")
    return env if limit is None else gym.wrappers.TimeLimit(env, limit)


def test_infos_of_a_batch__are_not_changed_by_who_reads_them() -> None:
    """What many steps share cannot be written to, and the dict itself is the caller's."""
    batch = griddsl.make_vec(QUIET, 2, backend="python")
    batch.reset(seed=0)
    infos = batch.step([1, 1])[4]
    with pytest.raises(ValueError, match="read-only"):
        infos["is_success"][0] = True
    infos["mine"] = 1
    assert "mine" not in batch.step([1, 1])[4]


RACE = """
env: test/Race-v0
agents: red, blue
map:
    1...
    2...
legend: 1 = red, 2 = blue
actions: run = move east 1, rest
on red bump wall: info bumps = step
when red.x == 3: end red_wins
observe: self.x
info: here = self.x
limit: 5 steps
"""


@pytest.mark.parametrize("backend", ["python", *NATIVE])
def test_infos_of_several__have_the_same_keys_and_types_in_every_step(backend: str) -> None:
    """For each agent; the result is empty until the game is over."""
    game, kinds, spoken = griddsl.make_parallel(RACE, backend=backend), None, set()
    rng = np.random.default_rng(1)
    for number in range(60):
        if not game.agents:
            infos = game.reset(seed=number)[1]
        else:
            infos = game.step({name: int(rng.integers(2)) for name in game.agents})[4]
        for name, info in infos.items():
            kinds = kinds or {key: type(value) for key, value in info.items()}
            assert {key: type(value) for key, value in info.items()} == kinds
            spoken.add((name, info["outcome"], info["result"]))
    assert spoken == {
        *((name, word, "") for name in ("red", "blue") for word in ("", "truncated")),
        ("red", "red_wins", "win"),
        ("blue", "red_wins", "loss"),
    }
