"""Learn cliff walking by tabular Q-learning, watch the values and the policy grow, and save them as a GIF.

Run it with `python examples/q_learning.py`. A window shows the game after every few episodes, if there is a display;
the GIF holds the same pictures. The algorithm is Watkins' Q-learning, as in Sutton & Barto (2018), section 6.5.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import griddsl
from griddsl.render import save_gif
from griddsl.render.window import display_available

ENV = "griddsl/CliffWalking-v0"


def main() -> None:
    """Learn, show, save, and say how good the greedy policy is."""
    options = _options()
    env = gym.make(ENV, render_mode="rgb_array", max_episode_steps=500)
    window = gym.make(ENV, render_mode="human") if options.window and display_available() else None
    states, actions = env.observation_space, env.action_space
    assert isinstance(states, gym.spaces.Discrete) and isinstance(actions, gym.spaces.Discrete)
    q = np.zeros((states.n, actions.n))
    frames = []
    for episode in range(options.episodes):
        total = learn(env, q, options, seed=options.seed if episode == 0 else None)
        if episode % options.every == 0 or episode == options.episodes - 1:
            frames.append(picture(env, q))
            show(window, env, q)
            print(f"episode {episode:4}: return {total:6.0f}")
    save_gif(options.gif, frames, fps=5)
    print(f"wrote {options.gif} ({len(frames)} pictures)")
    print(f"the greedy policy's return: {greedy_return(env, q):.0f} (the best there is: -13)")
    if window is not None:
        window.close()
    env.close()


def learn(env: gym.Env[Any, Any], q: np.ndarray, options: argparse.Namespace, seed: int | None) -> float:
    """Play one episode, learning from each step; return the sum of its rewards."""
    state, _ = env.reset(seed=seed)
    random, total = env.unwrapped.np_random, 0.0
    while True:
        action = (
            int(random.integers(q.shape[1])) if random.random() < options.epsilon else best(q[state], random)
        )
        after, gained, terminated, truncated, _ = env.step(action)
        reward = float(gained)
        target = reward + (0 if terminated else options.discount * q[after].max())
        q[state, action] += options.rate * (target - q[state, action])
        state, total = after, total + reward
        if terminated or truncated:
            return total


def best(row: np.ndarray, random: np.random.Generator) -> int:
    """Return one of the best actions, drawn among equals."""
    return int(random.choice(np.flatnonzero(row == row.max())))


def overlay(q: np.ndarray) -> dict[str, np.ndarray]:
    """Return what is drawn over the map: the value of each cell, and its best actions where one was tried."""
    tried = np.asarray(q.any(axis=1))
    values = np.where(tried, q.max(axis=1), np.nan)
    policy = np.isclose(q, q.max(axis=1, keepdims=True)) & tried[:, None]
    return {"values": values, "policy": policy}


def grid(env: gym.Env[Any, Any]) -> griddsl.GridEnv:
    """Return the environment below Gymnasium's wrappers, which has states and draws what is laid over its map."""
    inner = env.unwrapped
    assert isinstance(inner, griddsl.GridEnv)
    return inner


def picture(env: gym.Env[Any, Any], q: np.ndarray) -> np.ndarray:
    """Return a frame with the overlay."""
    frame: np.ndarray = grid(env).render(**overlay(q))
    return frame


def show(window: gym.Env[Any, Any] | None, env: gym.Env[Any, Any], q: np.ndarray) -> None:
    """Show the same state in the window: a state is a value that one environment gives and another takes."""
    if window is not None:
        grid(window).set_state(grid(env).get_state())
        grid(window).render(**overlay(q))


def greedy_return(env: gym.Env[Any, Any], q: np.ndarray) -> float:
    """Return the sum of rewards of an episode that always takes the best action."""
    state, _ = env.reset()
    total, over = 0.0, False
    while not over:
        state, reward, terminated, truncated, _ = env.step(int(q[state].argmax()))
        total, over = total + float(reward), terminated or truncated
    return total


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--every", type=int, default=10, help="episodes between two pictures")
    parser.add_argument("--gif", type=Path, default=Path("q_learning.gif"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0.5, help="the learning rate")
    parser.add_argument("--epsilon", type=float, default=0.1, help="the chance of a random action")
    parser.add_argument("--discount", type=float, default=1.0)
    parser.add_argument("--window", action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
