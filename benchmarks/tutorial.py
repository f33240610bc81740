"""The GridWorld of Gymnasium's tutorial on making an environment, as a reader of the tutorial would have it."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np


class TutorialGridWorld(gym.Env[Any, Any]):
    """An agent and a target on an empty board; positions are arrays, and the distance is a norm."""

    ID = "benchmarks/TutorialGridWorld-v0"

    def __init__(self, size: int = 5) -> None:
        self.size = size
        self._agent, self._target = np.array([-1, -1]), np.array([-1, -1])
        box = gym.spaces.Box(0, size - 1, shape=(2,), dtype=np.int64)
        self.observation_space = gym.spaces.Dict({"agent": box, "target": box})
        self.action_space = gym.spaces.Discrete(4)
        self._directions = {
            0: np.array([1, 0]),
            1: np.array([0, 1]),
            2: np.array([-1, 0]),
            3: np.array([0, -1]),
        }

    def _observation(self) -> dict[str, Any]:
        return {"agent": self._agent, "target": self._target}

    def _info(self) -> dict[str, Any]:
        return {"distance": np.linalg.norm(self._agent - self._target, ord=1)}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        super().reset(seed=seed)
        self._agent = self.np_random.integers(0, self.size, size=2, dtype=int)
        self._target = self._agent
        while np.array_equal(self._target, self._agent):
            self._target = self.np_random.integers(0, self.size, size=2, dtype=int)
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one step."""
        self._agent = np.clip(self._agent + self._directions[action], 0, self.size - 1)
        terminated = np.array_equal(self._agent, self._target)
        return self._observation(), 1.0 if terminated else 0.0, terminated, False, self._info()


gym.register(TutorialGridWorld.ID, entry_point=f"{__name__}:TutorialGridWorld", max_episode_steps=300)
