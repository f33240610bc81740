"""Measure which share of its time Stable-Baselines3's PPO spends in the environment: DoorKey-8x8, 64 of them.

It wants `pip install torch stable-baselines3`, and griddsl with numba. Run it with `python benchmarks/sb3_share.py`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
from timing import versions, write

from griddsl.sb3 import GridVecEnv

STEPS = 128  # of each environment between two updates, as PPO has it for Atari games


class Images(VecEnvWrapper):
    """Shows the picture of a view only, as a row of numbers, as `FlatObsWrapper` without its words."""

    def __init__(self, venv: Any) -> None:
        size = int(np.prod(venv.observation_space["image"].shape))
        super().__init__(venv, gym.spaces.Box(0, 255, (size,), np.uint8))

    def reset(self) -> Any:
        """Start episodes."""
        return self.venv.reset()["image"].reshape(self.num_envs, -1)

    def step_wait(self) -> Any:
        """Carry out a step."""
        observations, rewards, done, infos = self.venv.step_wait()
        for i in np.flatnonzero(done):
            infos[i]["terminal_observation"] = infos[i]["terminal_observation"]["image"].reshape(-1)
        return observations["image"].reshape(self.num_envs, -1), rewards, done, infos


class Timed(GridVecEnv):
    """Counts the seconds of its steps and resets."""

    seconds = 0.0

    def reset(self) -> Any:
        """Start episodes."""
        start = time.perf_counter()
        found = super().reset()
        self.seconds += time.perf_counter() - start
        return found

    def step_wait(self) -> Any:
        """Carry out a step."""
        start = time.perf_counter()
        found = super().step_wait()
        self.seconds += time.perf_counter() - start
        return found


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=6)
    given = parser.parse_args()
    torch.set_num_threads(1)
    inner = Timed("griddsl/DoorKey-v0", 64, backend="native")
    inner.reset()
    inner.step(np.zeros(64, np.int64))  # compiled before the clock starts
    model = PPO("MlpPolicy", VecMonitor(Images(inner)), n_steps=STEPS, batch_size=1024, device="cpu", seed=0)
    inner.seconds, start = 0.0, time.perf_counter()
    model.learn(given.updates * STEPS * 64)
    whole = time.perf_counter() - start
    text = (
        f"PPO of Stable-Baselines3 ({STEPS} steps of 64 DoorKey-8x8 an update, its own epochs and network, one thread"
        f" of torch) spends **{inner.seconds / whole:.1%}** of its time in `GridVecEnv`: {inner.seconds:.2f} of"
        f" {whole:.1f} s."
    )
    print(text)
    write("sb3", [text, "", f"{versions('stable-baselines3', 'torch')}."])


if __name__ == "__main__":
    main()
