"""Train Stable-Baselines3's PPO on one small game in two dresses: a Dict observation and a flat vector.

Run it with `python examples/sb3_ppo.py` after `pip install 'griddsl[sb3]'`.
"""

from __future__ import annotations

import argparse

import gymnasium as gym
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

import griddsl

GAME = """
env: examples/Errand-v0
    "Fetch the key, then leave by the door."
object key: portable, layer ground
map:
    #######
    #..k..#
    #.###.#
    #@....#
    #...D.#
    #######
legend: k = key, D = door
actions: up, right, down, left
on enter key: pickup key, reward 0.5
on enter door if agent has key: reward 1, end success
each step: reward -0.01
limit: 60 steps
"""
# What the agent sees is all that differs. PPO takes a Dict with "MultiInputPolicy", a vector with "MlpPolicy".
OBSERVATIONS = {
    "MultiInputPolicy": """
observe:
    board = grid as planes (wall, key, door, agent)
    where = position of agent as unit
    hands = carrying
""",
    "MlpPolicy": """
observe flat: position of agent as onehot, carrying
""",
}


def main() -> None:
    """Train each policy and say what it learned."""
    options = _options()
    torch.set_num_threads(1)  # small networks are fastest on one core
    for policy, observe in OBSERVATIONS.items():
        train(policy, GAME + observe, options)


def train(policy: str, spec: str, options: argparse.Namespace) -> None:
    """Train PPO on a spec given as a text, and print its mean return over 20 episodes."""
    assert griddsl.check(spec) == []
    env = gym.make("griddsl/Spec-v0", spec=spec)
    print(f"{policy} on {type(env.observation_space).__name__}")
    rollout = 64 * max(1, min(8, options.steps // 256))
    model = PPO(
        policy, env, n_steps=rollout, batch_size=64, ent_coef=0.01, seed=options.seed, device="cpu", verbose=0
    )
    model.learn(total_timesteps=options.steps)
    mean, spread = evaluate_policy(model, model.get_env(), n_eval_episodes=20, deterministic=False)
    print(f"  after {model.num_timesteps} steps: return {mean:.2f} +- {spread:.2f} (the best there is: 1.40)")
    env.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=30_000, help="training steps for each observation")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
