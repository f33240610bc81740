"""What Gymnasium types loosely, as what it is in a test: our environment below its wrappers, a space of one sort."""

from __future__ import annotations

from typing import Any, TypeVar

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from griddsl.envs.single.grid_env import GridEnv

Sort = TypeVar("Sort", bound=gym.Space[Any])


def grid_env(env: gym.Env[Any, Any]) -> GridEnv:
    """Return our environment below the wrappers of another."""
    inner = env.unwrapped
    assert isinstance(inner, GridEnv)
    return inner


def spec_of(env: gym.Env[Any, Any]) -> EnvSpec:
    """Return what an environment says of how it was made."""
    assert env.spec is not None
    return env.spec


def is_a(sort: type[Sort], space: gym.Space[Any]) -> Sort:
    """Return a space as one of its sort."""
    assert isinstance(space, sort)
    return space


def count_of(space: gym.Space[Any]) -> int:
    """Return how many values a `Discrete` space has."""
    return int(is_a(gym.spaces.Discrete, space).n)
