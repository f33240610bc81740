"""Tabular learners on any spec: watch them learn, save the film, and compare them with the exact optimum.

    python examples/tabular.py q_learning griddsl/CliffWalking-v0 --gif q.gif
    python examples/tabular.py value_iteration griddsl/FrozenLake-v0 --gif lake.gif
    python examples/tabular.py compare griddsl/CliffWalking-v0 --png docs/images/sarsa_and_q_learning.png

Learners: value_iteration, q_learning, sarsa, dyna_q, monte_carlo; ``compare`` draws SARSA beside Q-learning
(Sutton & Barto 2018, Example 6.6: SARSA takes the safe path, Q-learning the edge).
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np

import griddsl
from griddsl.render import save_gif, save_png

Table = defaultdict[Hashable, np.ndarray]


class World:
    """A spec as a tabular learner sees it: states are hashable observations, each in some cell of the map."""

    def __init__(self, source: str, params: dict[str, Any], seed: int) -> None:
        self.env = griddsl.make(source, render_mode="rgb_array", **params)
        self.actions = int(self.env.action_space.n)
        self.seed: int | None = seed
        self.random = random.Random(seed)
        self.cell_of: dict[Hashable, int] = {}
        self._cell_at = self.env.program.layout.offsets["AGENT_CELL"]

    def reset(self) -> Hashable:
        """Start an episode; only the first is seeded."""
        observation, _ = self.env.reset(seed=self.seed)
        self.seed = None
        return self._named(observation)

    def step(self, action: int) -> tuple[Hashable, float, bool, bool]:
        """Carry out an action; return the state, the reward, and whether the episode ended or was cut off."""
        observation, reward, terminated, truncated, _ = self.env.step(action)
        return self._named(observation), float(reward), terminated, truncated

    def greedy(self, values: np.ndarray, epsilon: float = 0.0) -> int:
        """Return a best action, ties drawn, or any action with the chance epsilon."""
        if self.random.random() < epsilon:
            return self.random.randrange(self.actions)
        return self.random.choice(np.flatnonzero(values == values.max()).tolist())

    def picture(self, q: Table) -> np.ndarray:
        """Return the map with the best value of each cell as its colour, and the best actions as arrows."""
        cells = self.env.program.cells
        values = np.full(cells, np.nan)
        policy: list[tuple[int, ...]] = [()] * cells
        for state, row in list(q.items()):
            cell = self.cell_of.get(state, -1)
            if cell >= 0 and row.any() and not values[cell] >= row.max():
                values[cell] = row.max()
                policy[cell] = tuple(np.flatnonzero(row == row.max()).tolist())
        self.env.reset(seed=0)
        return self.env.render(values=values, policy=policy)

    def _named(self, observation: Any) -> Hashable:
        state = _hashable(observation)
        self.cell_of[state] = self.env.get_state()[0][self._cell_at]
        return state


def _hashable(observation: Any) -> Hashable:
    if isinstance(observation, np.ndarray):
        return observation.tobytes()
    if isinstance(observation, dict):
        return tuple(_hashable(observation[name]) for name in sorted(observation))
    if isinstance(observation, tuple):
        return tuple(_hashable(part) for part in observation)
    return observation


def table(world: World) -> Table:
    """Return a table of action values that starts with zeros."""
    return defaultdict(lambda: np.zeros(world.actions))


# The learners: each yields the return of every episode, with its table.


def q_learning(world: World, q: Table, alpha: float, epsilon: float, gamma: float) -> Iterator[float]:
    """Learn the values of the greedy policy while exploring (Watkins 1989)."""
    while True:
        state, total, done = world.reset(), 0.0, False
        while not done:
            action = world.greedy(q[state], epsilon)
            after, reward, terminated, truncated = world.step(action)
            target = reward + (0.0 if terminated else gamma * q[after].max())
            q[state][action] += alpha * (target - q[state][action])
            state, total, done = after, total + reward, terminated or truncated
        yield total


def sarsa(world: World, q: Table, alpha: float, epsilon: float, gamma: float) -> Iterator[float]:
    """Learn the values of the policy that is followed, its exploring steps included (Rummery & Niranjan 1994)."""
    while True:
        state, total, done = world.reset(), 0.0, False
        action = world.greedy(q[state], epsilon)
        while not done:
            after, reward, terminated, truncated = world.step(action)
            following = world.greedy(q[after], epsilon)
            target = reward + (0.0 if terminated else gamma * q[after][following])
            q[state][action] += alpha * (target - q[state][action])
            state, action, total, done = after, following, total + reward, terminated or truncated
        yield total


def dyna_q(
    world: World, q: Table, alpha: float, epsilon: float, gamma: float, planned: int = 20
) -> Iterator[float]:
    """Learn as Q-learning does, and again from remembered steps (Sutton 1990)."""
    model: dict[tuple[Hashable, int], tuple[float, Hashable, bool]] = {}
    while True:
        state, total, done = world.reset(), 0.0, False
        while not done:
            action = world.greedy(q[state], epsilon)
            after, reward, terminated, truncated = world.step(action)
            model[state, action] = (reward, after, terminated)
            remembered = world.random.choices(list(model.items()), k=planned)
            for (s, a), (r, s2, end) in [((state, action), model[state, action]), *remembered]:
                q[s][a] += alpha * (r + (0.0 if end else gamma * q[s2].max()) - q[s][a])
            state, total, done = after, total + reward, terminated or truncated
        yield total


def monte_carlo(world: World, q: Table, alpha: float, epsilon: float, gamma: float) -> Iterator[float]:
    """Learn from whole episodes: every action value moves towards the return that followed (every visit)."""
    while True:
        state, done, episode = world.reset(), False, []
        while not done and len(episode) < 1_000:
            action = world.greedy(q[state], epsilon)
            after, reward, terminated, truncated = world.step(action)
            episode.append((state, action, reward))
            state, done = after, terminated or truncated
        following = 0.0
        for state, action, reward in reversed(episode):
            following = reward + gamma * following
            q[state][action] += alpha * (following - q[state][action])
        yield sum(reward for _, _, reward in episode)


LEARNERS: dict[str, Callable[..., Iterator[float]]] = {
    "q_learning": q_learning,
    "sarsa": sarsa,
    "dyna_q": dyna_q,
    "monte_carlo": monte_carlo,
}


def learn(
    name: str, world: World, options: argparse.Namespace
) -> tuple[Table, list[float], list[np.ndarray]]:
    """Run a learner; return its table, the return of each episode, and frames in between."""
    q, frames, returns = table(world), [], []
    episodes = LEARNERS[name](world, q, options.alpha, options.epsilon, options.gamma)
    every = max(1, options.episodes // options.frames)
    for number in range(options.episodes):
        returns.append(next(episodes))
        if options.gif and number % every == 0:
            frames.append(world.picture(q))
    frames.append(world.picture(q))
    return q, returns, frames


def value_iteration(world: World, source: str, options: argparse.Namespace) -> list[np.ndarray]:
    """Return a frame of each sweep of value iteration over the exact transitions."""
    mdp = griddsl.to_mdp(source, **options.param)
    values, frames = np.zeros(mdp.n_states), []
    for _ in range(options.frames):
        q = np.stack([mdp.R[a] + options.gamma * (mdp.P[a] @ values) for a in range(mdp.n_actions)], axis=1)
        q[mdp.terminal] = 0.0
        after = q.max(axis=1)
        rows = table(world)
        for state in np.flatnonzero(~mdp.terminal).tolist():
            rows[state] = q[state]
            world.cell_of[state] = int(mdp.agent_cells[state])
        frames.append(world.picture(rows))
        if np.abs(after - values).max() < 1e-9:
            break
        values = after
    return frames


def compare(source: str, options: argparse.Namespace) -> np.ndarray:
    """Return SARSA above Q-learning, each with what it learned."""
    pictures = []
    for name in ("sarsa", "q_learning"):
        world = World(source, options.param, options.seed)
        _, returns, frames = learn(name, world, options)
        print(f"{name}: mean return of the last 100 episodes {np.mean(returns[-100:]):.1f}")
        pictures.append(frames[-1])
    gap = np.full((16, pictures[0].shape[1], 3), 255, np.uint8)
    return np.concatenate([pictures[0], gap, pictures[1]])


def main() -> None:
    """Read the command and run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("learner", choices=[*LEARNERS, "value_iteration", "compare"])
    parser.add_argument("spec", help="a registered id, or the path of a spec")
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--alpha", type=float, default=0.5, help="the size of a step of learning")
    parser.add_argument("--epsilon", type=float, default=0.1, help="the chance to explore")
    parser.add_argument("--gamma", type=float, default=1.0, help="the discount")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--frames", type=int, default=40, help="the most frames of the film")
    parser.add_argument("--param", action="append", default=[], metavar="K=V")
    parser.add_argument("--gif", help="where to save the film")
    parser.add_argument("--png", help="where to save the last picture")
    options = parser.parse_args()
    from griddsl.cli.sources import parse_params

    options.param = parse_params(options.param)
    if options.learner == "compare":
        frames = [compare(options.spec, options)]
    else:
        world = World(options.spec, options.param, options.seed)
        if options.learner == "value_iteration":
            frames = value_iteration(world, options.spec, options)
            print(f"{len(frames)} sweeps")
        else:
            _, returns, frames = learn(options.learner, world, options)
            print(f"mean return of the last 100 episodes {np.mean(returns[-100:]):.2f}")
        optimum = griddsl.to_mdp(options.spec, reward_of_step=True, **options.param)
        horizon = None if optimum.has_stationary_rewards else "limit"
        print(f"exact optimum {optimum.solve(discount=options.gamma, horizon=horizon).optimal_return:.4f}")
    if options.gif:
        save_gif(options.gif, frames, 4)
    if options.png:
        save_png(options.png, frames[-1])


if __name__ == "__main__":
    main()
