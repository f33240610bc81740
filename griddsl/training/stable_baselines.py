"""Stable-Baselines3's PPO on native batches, with ``observation="network"``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from griddsl.envs.making import make
from griddsl.sb3 import GridVecEnv
from griddsl.training.learners import Task, Watch
from griddsl.training.policy_file import About, Arrays

SETTINGS: dict[str, Any] = {
    "num_envs": 16,
    "n_steps": 64,
    "batch_size": 256,
    "n_epochs": 4,
    "learning_rate": 1e-3,
    "ent_coef": 0.01,
    "gamma": 0.99,
}


class NetworkPolicy:
    """A policy network of Stable-Baselines3."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def predict(self, observation: Any, deterministic: bool = True) -> tuple[Any, None]:
        """Return the likeliest action."""
        return self.model.predict(observation, deterministic=deterministic)[0], None

    def arrays(self) -> Arrays:
        """Return the weights by their names."""
        return {name: part.numpy(force=True) for name, part in self.model.policy.state_dict().items()}


class _Watching(BaseCallback):  # type: ignore[misc]
    def __init__(self, watch: Watch, policy: NetworkPolicy) -> None:
        super().__init__()
        self._told, self._policy, self._returns = watch, policy, list[float]()

    def _on_step(self) -> bool:
        self._returns += [float(info["episode"]["r"]) for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_end(self) -> None:
        self._told(self.num_timesteps, self._returns, self._policy)
        self._returns = []


def learn(task: Task, watch: Watch) -> NetworkPolicy:
    """Return the policy that PPO finds in so many steps (a whole number of batches); the same for the same seed."""
    settings = SETTINGS | dict(task.settings)
    torch.set_num_threads(
        1
    )  # small networks: more threads are slower, and one gives the same sums everywhere
    batch = GridVecEnv(task.source, settings.pop("num_envs"), **task.params)
    batch.seed(task.seed)
    model = PPO("MultiInputPolicy", VecMonitor(batch), seed=task.seed, device="cpu", **settings)
    policy = NetworkPolicy(model)
    model.learn(task.steps, callback=_Watching(watch, policy))
    return policy


def restored(source: Any, params: Mapping[str, Any], about: About, arrays: Arrays) -> NetworkPolicy:
    """Return the policy of a file; raise `RuntimeError` where its weights do not fit the spec."""
    env: gym.Env[Any, Any] = make(source, **params)
    model = PPO("MultiInputPolicy", env, n_steps=2, batch_size=2, device="cpu")
    weights = {name: torch.from_numpy(np.array(part)) for name, part in arrays.items()}
    model.policy.load_state_dict(weights)
    return NetworkPolicy(model)
