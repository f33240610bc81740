"""Stable-Baselines3's PPO on native batches, with ``observation="network"``; MaskablePPO where there are masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.preprocessing import is_image_space
from stable_baselines3.common.vec_env import VecMonitor

from griddsl.compiling.cache import Compiled
from griddsl.envs.making import make
from griddsl.program.program import Program
from griddsl.sb3 import GridVecEnv
from griddsl.training.algorithms.moments import moments_of, put_moments
from griddsl.training.failures import TrainingError
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
    "masks": True,  # actions that are forbidden are not tried
}

FEWEST_PIXELS = 36  # of a side, that its convolutions take


class NetworkPolicy:
    """A policy network of Stable-Baselines3."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def predict(
        self, observation: Any, deterministic: bool = True, action_masks: Any = None
    ) -> tuple[Any, None]:
        """Return the likeliest action, of those allowed where it was learned with masks."""
        masks = {} if isinstance(self.model, PPO) or action_masks is None else {"action_masks": action_masks}
        return self.model.predict(observation, deterministic=deterministic, **masks)[0], None

    def arrays(self) -> Arrays:
        """Return the weights by their names."""
        return {name: part.numpy(force=True) for name, part in self.model.policy.state_dict().items()}

    def learning(self) -> Arrays:
        """Return what the optimiser remembers."""
        return moments_of(self.model.policy.optimizer)


class _Watching(BaseCallback):  # type: ignore[misc]
    def __init__(self, watch: Watch, policy: NetworkPolicy, done: int) -> None:
        super().__init__()
        self._told, self._policy, self._done, self._returns = watch, policy, done, list[float]()

    def _on_step(self) -> bool:
        self._returns += [float(info["episode"]["r"]) for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_start(self) -> None:  # when the rollout before was learned from
        if self.num_timesteps:
            self._tell()

    def _on_training_end(self) -> None:
        self._tell()

    def _tell(self) -> None:
        self._told(self._done + self.num_timesteps, self._returns, self._policy)
        self._returns = []


def learn(task: Task, watch: Watch) -> NetworkPolicy:
    """Return the policy that PPO finds in so many steps (a whole number of batches); the same for the same seed."""
    settings = dict(task.settings)
    torch.set_num_threads(
        1
    )  # small networks: more threads are slower, and one gives the same sums everywhere
    try:
        batch = GridVecEnv(task.spec, settings.pop("num_envs"))
    except TypeError as error:  # which says what to ask for
        raise TrainingError(str(error)) from None
    batch.seed(task.seed_here)
    made = _algorithm(batch.batch.program, settings.pop("masks"))
    model = made(
        _network(batch.observation_space), VecMonitor(batch), seed=task.seed_here, device="cpu", **settings
    )
    policy = NetworkPolicy(model)
    if task.done:
        _put(model, task.arrays)
        put_moments(model.policy.optimizer, task.learning)
    model.learn(task.steps - task.done, callback=_Watching(watch, policy, task.done))
    return policy


def _network(space: gym.Space[Any]) -> str:
    """Return which of its networks takes an observation."""
    if isinstance(space, gym.spaces.Dict):
        return "MultiInputPolicy"
    is_picture = is_image_space(space) and min((space.shape or (0,))[:2]) >= FEWEST_PIXELS
    return "CnnPolicy" if is_picture else "MlpPolicy"


def _algorithm(program: Program, masks: bool) -> Any:
    """Return PPO, or MaskablePPO for a game with masks; raise `ImportError` where that is not installed."""
    if not (masks and program.has_mask):
        return PPO
    try:
        from sb3_contrib import MaskablePPO
    except ImportError:
        raise ImportError(
            f"{program.id} says which actions are allowed, and MaskablePPO, which heeds it, is not installed: "
            "pip install sb3-contrib, or `masks=false` among the settings"
        ) from None
    return MaskablePPO


def _put(model: Any, arrays: Mapping[str, Any]) -> None:
    for name, there in model.policy.state_dict().items():
        if arrays[name].shape != tuple(there.shape):
            raise ValueError(
                f"`{name}` has the shape {arrays[name].shape}, and here it has {tuple(there.shape)}"
            )
    weights = {name: torch.from_numpy(np.array(arrays[name])) for name in model.policy.state_dict()}
    model.policy.load_state_dict(weights)


def restored(spec: Compiled, about: About, arrays: Arrays) -> NetworkPolicy:
    """Return the policy of a file; raise `ValueError` or `KeyError` where its weights do not fit the spec."""
    env = make(spec)
    made = _algorithm(env.program, about.settings.get("masks", False))
    model = made(_network(env.observation_space), env, n_steps=2, batch_size=2, device="cpu")
    _put(model, arrays)
    return NetworkPolicy(model)
