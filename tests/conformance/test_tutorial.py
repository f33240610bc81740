"""The worlds of tutorials, written anew here, agree with their specs step by step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.registration.ids import bundled_folder

STEPS = 4000


class PlainGridWorld:
    """Gymnasium's tutorial world: a walk to a target, with the border clipping moves."""

    directions = ((1, 0), (0, 1), (-1, 0), (0, -1))

    def __init__(self, size: int, agent: Any, target: Any) -> None:
        self.size = size
        self.agent, self.target = np.array(agent), np.array(target)

    def observation(self) -> dict[str, list[int]]:
        """Return both positions."""
        return {"agent": self.agent.tolist(), "target": self.target.tolist()}

    def distance(self) -> int:
        """Return the Manhattan distance of the two."""
        return int(abs(self.agent - self.target).sum())

    def step(self, action: int) -> tuple[dict[str, list[int]], float, bool, int]:
        """Take a step."""
        self.agent = np.clip(self.agent + self.directions[action], 0, self.size - 1)
        found = bool((self.agent == self.target).all())
        return self.observation(), 1.0 if found else 0.0, found, self.distance()


@pytest.mark.parametrize("size", [2, 5, 9])
def test_grid_world__agrees_with_the_tutorial(size: int) -> None:
    """Over thousands of steps, observations, rewards, ends and distances are the tutorial's."""
    env = griddsl.make(bundled_folder() / "grid_world.grid", size=size)
    box = gym.spaces.Box(0, size - 1, (2,), np.int64)
    assert env.observation_space == gym.spaces.Dict({"agent": box, "target": box})
    assert env.action_space == gym.spaces.Discrete(4)
    rng = np.random.default_rng(size)
    plain: PlainGridWorld | None = None
    env.reset(seed=size)
    episodes = 0
    for _ in range(STEPS):
        if plain is None:
            observation, info = env.reset()
            plain = PlainGridWorld(size, observation["agent"], observation["target"])
            assert plain.distance() == info["distance"] > 0
            episodes += 1
        action = int(rng.integers(4))
        observation, reward, terminated, truncated, info = env.step(action)
        seen = {name: value.tolist() for name, value in observation.items()}
        assert (seen, reward, terminated, info["distance"]) == plain.step(action)
        if terminated or truncated:
            plain = None
    assert episodes > 10


def test_grid_world__starts_anywhere() -> None:
    """Agent and target start in every pair of different cells, equally often within five standard errors."""
    env = griddsl.make(bundled_folder() / "grid_world.grid", size=3)
    counts = np.zeros((9, 9), int)
    env.reset(seed=7)
    for _ in range(7200):
        observation, _ = env.reset()
        (ax, ay), (tx, ty) = observation["agent"], observation["target"]
        counts[ay * 3 + ax, ty * 3 + tx] += 1
    assert not counts.diagonal().any()
    others = counts[~np.eye(9, dtype=bool)]
    assert abs(others - 100).max() < 5 * 10


def test_grid_world__is_cut_after_300_steps() -> None:
    """The tutorial registers its world with 300 steps."""
    spec = gym.spec("griddsl/GridWorld-v0")
    assert spec.max_episode_steps == 300


class PlainCliffWorld:
    """The tutorial's cliff: five actions, noop first; a fall truncates."""

    moves = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1))

    def __init__(self) -> None:
        self.x, self.y = 0, 3

    def step(self, action: int) -> tuple[tuple[int, int], float, bool, bool, int]:
        """Take a step."""
        dx, dy = self.moves[action]
        self.x, self.y = min(max(self.x + dx, 0), 11), min(max(self.y + dy, 0), 3)
        fell = self.y == 3 and 0 < self.x < 11
        there = (self.x, self.y) == (11, 3)
        reward = -100.0 if fell else 0.0 if there else -1.0
        return (self.x, self.y), reward, there, fell, abs(self.x - 11) + abs(self.y - 3)


def test_cliff_world__agrees_with_the_tutorial() -> None:
    """Noop stays, a fall truncates with -100, the target ends with 0, and info tells the distance."""
    env = griddsl.make(bundled_folder() / "cliff_world_tutorial.grid")
    position = gym.spaces.MultiDiscrete([12, 4])
    assert env.observation_space == gym.spaces.Dict({"agent": position, "target": position})
    assert env.action_space == gym.spaces.Discrete(5)
    rng = np.random.default_rng(1)
    plain: PlainCliffWorld | None = None
    ends = {"target": 0, "fall": 0}
    observation, info = env.reset(seed=1)
    assert info["distance"] == 11
    for step in range(STEPS):
        if plain is None:
            env.reset()
            plain, steps = PlainCliffWorld(), 0
        # Every other episode leans towards the target along the edge of the cliff.
        action = int(rng.choice([1, 1, 1, 1, 4, 2])) if step % 2 else int(rng.integers(5))
        observation, reward, terminated, truncated, info = env.step(action)
        steps += 1
        assert observation["target"].tolist() == [11, 3]
        cell, wanted, there, fell, distance = plain.step(action)
        assert (tuple(observation["agent"].tolist()), reward, terminated) == (cell, wanted, there)
        assert truncated == (fell or steps == 300)
        assert info["distance"] == distance
        ends["target"] += there
        ends["fall"] += fell
        if terminated or truncated:
            plain = None
    assert min(ends.values()) > 3
