"""Stable-Baselines3, sb3-contrib and rl-baselines3-zoo, by id."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO, HerReplayBuffer
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor

from griddsl.sb3 import GridVecEnv

LAKE = "griddsl:griddsl/FrozenLake-v0"
GOAL = """
env: tests/Reach-v0
generate: empty(6, 6)
setup:
    place agent at random floor
    place target at random floor
actions: up, right, down, left
observe flat: position of agent as unit, position of target as unit
observe goal: achieved = position of agent, desired = position of target
each step: reward 0 if distance(achieved, desired) == 0 else -1
on enter target: end success
limit: 30 steps
"""


@pytest.mark.parametrize("learner", [PPO, DQN, A2C])
def test_an_id__is_enough(learner: Any) -> None:
    """The id goes where Stable-Baselines3 takes one."""
    learner("MlpPolicy", LAKE, device="cpu").learn(300)


@pytest.mark.parametrize("spec", ["DoorKey", "Fetch", "Taxi"])
def test_networks_get_numbers(spec: str) -> None:
    """With observation="network", MultiInputPolicy takes specs that observe texts and views too."""
    env = gym.make(f"griddsl:griddsl/{spec}-v0", observation="network")
    PPO("MultiInputPolicy", env, n_steps=32, batch_size=32, device="cpu").learn(64)
    PPO(
        "MultiInputPolicy",
        GridVecEnv(f"griddsl/{spec}-v0", 4, observation="network"),
        n_steps=8,
        batch_size=32,
    ).learn(64)


def test_batches__are_made_by_its_own_function() -> None:
    """`make_vec_env` takes the batch as `vec_env_cls`, and its processes find the id."""
    batch = make_vec_env(LAKE, n_envs=4, vec_env_cls=GridVecEnv, seed=1)
    assert isinstance(batch, GridVecEnv) and batch.num_envs == 4
    model = PPO("MlpPolicy", batch, n_steps=64, batch_size=64, device="cpu").learn(512)
    assert len(model.ep_info_buffer) > 0
    apart = make_vec_env(LAKE, n_envs=2, vec_env_cls=SubprocVecEnv)
    assert apart.reset().shape == (2,)
    apart.close()


def test_masks__are_found() -> None:
    """MaskablePPO takes no action that is forbidden, alone and in a batch."""
    text = "env: t/Way-v0\ngenerate: empty(4, 1)\nsetup: place agent at (0, 0)\nactions: left, right\nallow left: agent.x > 0\nobserve: cell\neach step: reward 1\nlimit: 8 steps\n"
    import griddsl

    for env in (griddsl.make(text), VecMonitor(GridVecEnv(text, 3))):
        model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, device="cpu").learn(96)
        assert model.predict(0, action_masks=np.array([False, True]))[0] == 1


def test_memory__is_trained() -> None:
    """RecurrentPPO trains on a batch."""
    batch = VecMonitor(GridVecEnv("griddsl/TMaze-v0", 4, observation="flat"))
    RecurrentPPO("MlpLstmPolicy", batch, n_steps=16, batch_size=32, device="cpu").learn(128)


def test_goals__are_relabelled_alone_and_in_a_batch() -> None:
    """HER asks `compute_reward` of an environment and of a batch."""
    import griddsl

    given = {"replay_buffer_class": HerReplayBuffer, "learning_starts": 150, "device": "cpu"}
    for env in (griddsl.make(GOAL), GridVecEnv(GOAL, 2)):
        DQN("MultiInputPolicy", env, **given).learn(250)


def test_the_zoo__trains_by_id(tmp_path: Path) -> None:
    """rl-baselines3-zoo takes an id, and the package that registers it."""
    (tmp_path / "ppo.yml").write_text(
        "griddsl/FrozenLake-v0:\n  n_timesteps: 256\n  policy: MlpPolicy\n  n_envs: 2\n  n_steps: 64\n  batch_size: 32\n"
    )
    command = [sys.executable, "-m", "rl_zoo3.train", "--algo", "ppo", "--env", "griddsl/FrozenLake-v0"]
    command += ["--gym-packages", "griddsl", "-c", "ppo.yml", "-f", "logs", "--device", "cpu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert list(tmp_path.rglob("*.zip"))
