"""Wrappers that reshape what an environment observes."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np


class CellObservation(gym.ObservationWrapper[int, Any, Any], gym.utils.RecordConstructorArgs):
    """Observe the agent's cell alone: ``y * width + x`` of the position ``(x, y)`` in a ``Dict`` observation.

    Tables are then indexed by the observation itself. ``key`` names the entry, a ``MultiDiscrete`` of two numbers
    or a ``Box`` of two whole numbers from zero; the space becomes ``Discrete(width * height)``. Raises `TypeError`
    for another space, and `KeyError` where the entry is missing.
    """

    def __init__(self, env: gym.Env[Any, Any], key: str = "agent") -> None:
        gym.utils.RecordConstructorArgs.__init__(self, key=key)
        super().__init__(env)
        space = env.observation_space
        if not isinstance(space, gym.spaces.Dict):
            raise TypeError(f"CellObservation needs a Dict observation, and this is {space}")
        if key not in space.spaces:
            raise KeyError(f"the observation has no entry {key!r}; entries: {', '.join(space.spaces)}")
        self.key = key
        self.width, self.height = _sizes(space[key])
        self.observation_space: Any = gym.spaces.Discrete(self.width * self.height)

    def observation(self, observation: Any) -> int:
        """Return the number of the cell, counted row by row from the top left."""
        x, y = observation[self.key]
        return int(y) * self.width + int(x)


def _sizes(space: gym.Space[Any]) -> tuple[int, int]:
    """Return the columns and rows that a space of positions has."""
    if isinstance(space, gym.spaces.MultiDiscrete) and space.shape == (2,):
        sizes = np.asarray(space.nvec)
    elif _holds_positions(space):
        assert isinstance(space, gym.spaces.Box)
        sizes = space.high + 1
    else:
        raise TypeError(
            f"CellObservation needs a position (x, y) of whole numbers from zero, and this is {space}"
        )
    return int(sizes[0]), int(sizes[1])


def _holds_positions(space: gym.Space[Any]) -> bool:
    return (
        isinstance(space, gym.spaces.Box)
        and space.shape == (2,)
        and np.issubdtype(space.dtype, np.integer)
        and not space.low.any()
    )
