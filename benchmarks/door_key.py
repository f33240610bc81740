"""DoorKey-8x8 through ``gym.make``: MiniGrid's own steps a second beside ours, in turns in one process.

Random actions are drawn beforehand, resets included; processor time, so that a busy machine matters less.
Run with MiniGrid installed: ``python benchmarks/door_key.py``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import minigrid  # noqa: F401  (registers MiniGrid's ids)
import numpy as np

import griddsl  # noqa: F401  (registers ours)

ROUNDS = 9
STEPS = {"MiniGrid-DoorKey-8x8-v0": 2_000, "griddsl/DoorKey-v0": 16_000}


def seconds_a_step(env: gym.Env[Any, Any], actions: Sequence[int]) -> float:
    """Return the time that a step takes, its share of the resets included."""
    start = time.process_time()
    env.reset(seed=0)
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return (time.process_time() - start) / len(actions)


def measure() -> dict[str, float]:
    """Return the median seconds a step of both, measured in turns."""
    rng = np.random.default_rng(0)
    actions = {name: [int(a) for a in rng.integers(0, 7, count)] for name, count in STEPS.items()}
    envs = {name: gym.make(name) for name in STEPS}
    times: dict[str, list[float]] = {name: [] for name in STEPS}
    for _ in range(ROUNDS):
        for name, env in envs.items():
            times[name].append(seconds_a_step(env, actions[name]))
    return {name: statistics.median(found) for name, found in times.items()}


if __name__ == "__main__":
    found = measure()
    for name, seconds in found.items():
        print(f"{name:28} {seconds * 1e6:8.2f} us a step")
    theirs, ours = found.values()
    print(f"{'ratio':28} {theirs / ours:8.1f}")
