"""Learn in levels that promise most, with Stable-Baselines3; and what it brings over new levels each time.

`python examples/curriculum_sb3.py --method plr` learns (`accel` and `uniform` too). The rooms that are drawn have walls
anywhere, so that many are easy and some cannot be solved; those that are solved now and then are kept and played
again (Jiang et al. 2021; with `accel` also changed a little, Parker-Holder et al. 2022). All methods take as many
steps. At the end the student plays mazes, which it has never seen. `jax_plr.py` is the same on JAX.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import griddsl
from griddsl.curriculum import CurriculumVectorEnv, LevelReplay, flipped, moved
from griddsl.sb3 import GridVecEnv

KEPT = 256  # levels
STEPS_A_GAME = 100  # at most, when learning and when judged
ROOM = """
env: examples/Room-v0
    "Find the goal in a room with walls anywhere, up to so many."
param size: 9 in 5..30
param most: 30 in 0..200
generate: room(size, size)
setup:
    choose walls in 0..most
    place walls wall at random floor
    place agent at random floor
    place goal at random floor
actions: up, right, down, left
observe flat:
    view 9x9 centered as codes (floor 0, wall 1, goal 2)
    position of agent as unit
    position of goal as unit
each step: reward -1 / limit
on enter goal: reward 1, end success
limit: 4 * size * size steps
"""


def rooms(method: str, params: dict[str, Any], count: int, games: int, seed: int) -> Any:
    """Return a batch of rooms for a method: new ones each time, or those that a curriculum chooses."""
    if method == "uniform":
        return griddsl.make_vec(
            ROOM, count, autoreset_mode="SameStep", max_episode_steps=STEPS_A_GAME, **params
        )
    program = griddsl.make(ROOM, **params).program

    def change(rng: np.random.Generator, level: Any) -> Any:
        return moved(program, rng, flipped(program, rng, level, count=2))

    shares: dict[str, Any] = {"replayed": 0.5}
    if method == "accel":
        shares = {"replayed": 0.4, "changed": 0.3, "change": change}
    curriculum = LevelReplay(**shares, capacity=KEPT, games=games, seed=seed)
    return CurriculumVectorEnv(ROOM, count, curriculum=curriculum, max_episode_steps=STEPS_A_GAME, **params)


def solved(model: PPO, source: str, games: int, **params: Any) -> float:
    """Return the share of levels, those of the seeds from 1,000,000 on, whose goal is reached."""
    batch = griddsl.make_vec(source, games, autoreset_mode="Disabled", **params)
    seen, _ = batch.reset(seed=1_000_000)
    done, won = np.zeros(games, bool), np.zeros(games, bool)
    for _ in range(STEPS_A_GAME):
        seen, _, ended, cut, infos = batch.step(model.predict(seen)[0])
        won |= infos["is_success"] & ~done
        done |= ended | cut
    return float(won.mean())


def main() -> None:
    """Train, and print which share of new mazes is solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=["plr", "accel", "uniform"], default="plr")
    parser.add_argument("--size", type=int, default=9, help="of rooms and mazes")
    parser.add_argument("--envs", type=int, default=32, help="played at once")
    parser.add_argument("--games", type=int, default=1, help="of each level that is chosen")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    params = {"size": given.size, "most": 30 * (given.size - 2) ** 2 // 49, "observation": "flat"}
    batch = rooms(given.method, params, given.envs, given.games, given.seed)
    model = PPO(
        "MlpPolicy",
        VecMonitor(GridVecEnv(batch)),
        learning_rate=1e-3,
        n_steps=128,
        batch_size=32 * given.envs,
        n_epochs=4,
        gamma=0.98,
        ent_coef=0.01,
        seed=given.seed,
        device="cpu",
    )
    start = time.perf_counter()
    model.learn(given.steps)
    seconds = time.perf_counter() - start
    mazes = solved(model, "griddsl/RandomMaze-v0", 512, size=given.size, observation="flat")
    own = solved(model, ROOM, 512, **params)
    print(
        f"{given.method}, seed {given.seed}: {100 * mazes:.1f} % of 512 mazes and {100 * own:.1f} % of 512 new rooms "
        f"solved in {STEPS_A_GAME} steps; {given.steps:,} steps in {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
