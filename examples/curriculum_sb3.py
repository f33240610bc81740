"""Learn in levels that promise most, with Stable-Baselines3, and judge it in levels that were held out.

`python examples/curriculum_sb3.py --method plr` learns (`accel` and `uniform` too). The rooms that are drawn have walls
anywhere, so that many are easy and some cannot be solved; those that are solved now and then are kept and played
again (Jiang et al. 2021; with `accel` also changed a little, Parker-Holder et al. 2022). All methods take as many
steps. At the end the student plays mazes, which it has never seen, new rooms, and hard rooms: those whose shortest way
is long. It shows how a curriculum is put into a training, and how it is judged; not that it wins: within so few steps
the methods differ no more than seeds do (docs/training.md has the figures). `jax_plr.py` is where PLR and ACCEL solve
clearly more than new levels each time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import griddsl
from griddsl.curriculum import CurriculumVectorEnv, LevelReplay, flipped, moved
from griddsl.sb3 import GridVecEnv
from griddsl.text import levels_between

KEPT = 256  # levels
STEPS_A_GAME = 100  # at most, when learning and when judged
HELD_OUT = 1_000_000  # seeds from here on are not those of levels that are learned in
ROOM = """
env: examples/Room-v0
    "Find the goal in a room with walls anywhere, up to so many."
param size: 9 in 5..30
param up_to: 30 in 0..200
generate: room(size, size)
setup:
    choose walls in 0..up_to
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


def solved(model: PPO, source: str, seeds: Sequence[int], **params: Any) -> str:
    """Return the share of levels, those of the seeds, whose goal is reached."""
    batch = griddsl.make_vec(source, len(seeds), autoreset_mode="Disabled", **params)
    seen, _ = batch.reset(seed=list(seeds))
    done, won = np.zeros(len(seeds), bool), np.zeros(len(seeds), bool)
    for _ in range(STEPS_A_GAME):
        seen, _, ended, cut, infos = batch.step(model.predict(seen)[0])
        won |= infos["is_success"] & ~done
        done |= ended | cut
    return f"{100 * won.mean():.1f} % of {len(seeds)}"


def main() -> None:
    """Train, and print which share of new mazes is solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=["plr", "accel", "uniform"], default="plr")
    parser.add_argument("--size", type=int, default=9, help="of rooms and mazes")
    parser.add_argument("--envs", type=int, default=32, help="played at once")
    parser.add_argument("--games", type=int, default=1, help="of each level that is chosen")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--hard", type=int, default=256, help="rooms of SIZE + 1 steps or more to judge by; 0: none"
    )
    given = parser.parse_args()
    params = {"size": given.size, "up_to": 30 * (given.size - 2) ** 2 // 49, "observation": "flat"}
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
    new = range(HELD_OUT, HELD_OUT + 512)
    found = [
        solved(model, "griddsl/RandomMaze-v0", new, size=given.size, observation="flat") + " mazes",
        solved(model, ROOM, new, **params) + " new rooms",
    ]
    if given.hard:
        hard = levels_between(ROOM, given.size + 1, STEPS_A_GAME, given.hard, first_seed=HELD_OUT, **params)
        found.append(solved(model, ROOM, [level.seed for level in hard], **params) + " hard rooms")
    print(
        f"{given.method}, seed {given.seed}: {', '.join(found)} solved in {STEPS_A_GAME} steps; "
        f"{given.steps:,} steps in {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
