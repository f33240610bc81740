"""Tabular learners on any spec: watch them learn, save the film, and compare them with the exact optimum.

A window shows the game as it is learned, with the value of each cell and the best actions over it, if there is a
display (`--no-window` is faster). The film has the same pictures, after every few episodes.

    python examples/tabular.py q_learning griddsl/CliffWalking-v0 --gif q.gif
    python examples/tabular.py value_iteration griddsl/FrozenLake-v0 --gif lake.gif
    python examples/tabular.py compare griddsl/CliffWalking-v0 --alpha 0.1 --episodes 1000 --png both.png

Learners: value_iteration, q_learning, sarsa, dyna_q, monte_carlo; ``compare`` draws SARSA beside Q-learning
(Sutton & Barto 2018, Example 6.6: SARSA takes the safe path, Q-learning the edge).
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np

import griddsl
from griddsl.render import save_gif, save_png
from griddsl.render.window import Panel, Window, display_available

Table = defaultdict[Hashable, np.ndarray]
MOST_STEPS = 10_000  # of an episode, where a spec has no limit


class World:
    """A spec as a tabular learner sees it: states are hashable observations, each in some cell of the map."""

    def __init__(self, source: str, params: dict[str, Any], seed: int) -> None:
        self.env = griddsl.make(source, render_mode="rgb_array", **params)
        self.drawn = griddsl.make(source, render_mode="rgb_array", **params)  # for pictures between episodes
        groups = self.env.program.groups
        self.choices = list(itertools.product(*(range(len(group.actions)) for group in groups)))
        self.actions = len(self.choices)
        self.seed: int | None = seed
        self.random = random.Random(seed)
        self.cell_of: dict[Hashable, int] = {}
        self.watch: Callable[[], None] = lambda: None  # called after every step
        self.steps = 0
        self._cell_at = self.env.program.layout.offsets["AGENT_CELL"]

    def reset(self) -> Hashable:
        """Start an episode; only the first is seeded."""
        observation, _ = self.env.reset(seed=self.seed)
        self.seed, self.steps = None, 0
        return self._named(observation)

    def step(self, action: int) -> tuple[Hashable, float, bool, bool]:
        """Carry out an action; return the state, the reward, and whether the episode ended or was cut off."""
        choice = self.choices[action]
        observation, reward, terminated, truncated, _ = self.env.step(
            choice[0] if len(choice) == 1 else np.array(choice)
        )
        self.steps += 1
        self.watch()
        return self._named(observation), float(reward), terminated, truncated or self.steps == MOST_STEPS

    def greedy(self, values: np.ndarray, epsilon: float = 0.0) -> int:
        """Return a best action, ties drawn, or any action with the chance epsilon."""
        if self.random.random() < epsilon:
            return self.random.randrange(self.actions)
        return self.random.choice(np.flatnonzero(values == values.max()).tolist())

    def picture(self, q: Table, is_live: bool = False) -> np.ndarray:
        """Return the map with the best value of each cell as its colour, and the best actions as arrows.

        The map is as an episode starts, or, live, as it is now.
        """
        cells = self.env.program.cells
        values = np.full(cells, np.nan)
        policy: list[tuple[int, ...]] = [()] * cells
        for state, row in list(q.items()):
            cell = self.cell_of.get(state, -1)
            if cell >= 0 and row.any() and not values[cell] >= row.max():
                values[cell] = row.max()
                policy[cell] = tuple(self.choices[a][0] for a in np.flatnonzero(row == row.max()))
        env = self.env if is_live else self.drawn
        if not is_live:
            env.reset(seed=0)
        frame: np.ndarray = env.render(values=values, policy=policy)
        return frame

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
    assert isinstance(observation, Hashable)
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
        while not done:
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


class Screen:
    """The window, or nothing where there is no display; it shows at most so many frames a second."""

    def __init__(self, title: str, wanted: bool, fps: float) -> None:
        self.window = Window(title) if wanted and display_available() else None
        self.title, self.fps, self.last = title, fps, 0.0
        self.rows: dict[str, str] = {}

    def show(self, picture: Callable[[], np.ndarray], wait: bool = False) -> None:
        """Show a picture, if it is time for one; ``wait`` lets it be time."""
        if self.window is None:
            return
        if wait:
            time.sleep(max(0.0, self.last + 1 / self.fps - time.monotonic()))
        elif time.monotonic() < self.last + 1 / self.fps:
            return
        self.last = time.monotonic()
        self.window.show(picture(), Panel(title=self.title, rows=list(self.rows.items())))
        if "quit" in self.window.events():
            self.close()

    def close(self) -> None:
        """Close the window; the learner goes on without it."""
        if self.window is not None:
            self.window.close()
            self.window = None


def learn(
    name: str, world: World, options: argparse.Namespace
) -> tuple[Table, list[float], list[np.ndarray]]:
    """Run a learner; return its table, the return of each episode, and frames in between."""
    q, frames, returns = table(world), [], []
    screen = Screen(name.replace("_", " "), options.window, options.fps)
    world.watch = lambda: screen.show(lambda: world.picture(q, is_live=True))
    episodes = LEARNERS[name](world, q, options.alpha, options.epsilon, options.gamma)
    every = max(1, options.episodes // options.frames)
    for number in range(options.episodes):
        screen.rows["episode"] = f"{number + 1:,} of {options.episodes:,}"
        returns.append(next(episodes))
        screen.rows["mean return"] = f"{np.mean(returns[-100:]):.2f}"
        if options.gif and number % every == 0:
            frames.append(world.picture(q))
    frames.append(world.picture(q))
    screen.close()
    return q, returns, frames


def value_iteration(
    world: World, source: str, options: argparse.Namespace
) -> tuple[int, float, list[np.ndarray]]:
    """Sweep over the exact transitions until values settle; return the sweeps, the value of a start, and frames."""
    mdp = griddsl.to_mdp(source, **options.param)
    screen = Screen("value iteration", options.window, 4)
    values, frames = np.zeros(mdp.n_states), list[np.ndarray]()
    for state in np.flatnonzero(~mdp.terminal).tolist():
        world.cell_of[state] = int(mdp.agent_cells[state])
    for sweep in range(1, MOST_STEPS + 1):
        q = np.stack([mdp.R[a] + options.gamma * (mdp.P[a] @ values) for a in range(mdp.n_actions)], axis=1)
        q[mdp.terminal] = 0.0
        before, values = values, q.max(axis=1)
        is_settled = np.abs(values - before).max() < 1e-9
        if len(frames) < options.frames - 1 or is_settled or sweep == MOST_STEPS:
            rows = table(world)
            rows.update({state: q[state] for state in np.flatnonzero(~mdp.terminal).tolist()})
            frames.append(world.picture(rows))
            screen.rows = {"sweep": str(sweep), "from the start": f"{mdp.initial @ values:.4f}"}
            screen.show(lambda: frames[-1], wait=True)
        if is_settled:
            break
    screen.close()
    return sweep, float(mdp.initial @ values), frames


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


def optimum(options: argparse.Namespace) -> str:
    """Return the exact optimum in words, or why there is none."""
    try:
        mdp = griddsl.to_mdp(options.spec, reward_of_step=True, **options.param)
        horizon = None if mdp.has_stationary_rewards else "limit"
        solution = mdp.solve(discount=options.gamma, horizon=horizon)
    except (ImportError, ValueError) as error:
        return f"no exact optimum: {error}"
    return f"exact optimum {solution.optimal_return:.4f}"


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
    parser.add_argument("--level", help="the name of a map")
    parser.add_argument("--window", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--fps", type=float, default=25, help="the most frames that the window shows in a second"
    )
    parser.add_argument("--gif", help="where to save the film")
    parser.add_argument("--png", help="where to save the last picture")
    options = parser.parse_args()
    from griddsl.cli.sources import parse_params

    options.param = parse_params(options.param, options.level)
    if options.learner == "compare":
        frames = [compare(options.spec, options)]
    else:
        world = World(options.spec, options.param, options.seed)
        if options.learner == "value_iteration":
            sweeps, value, frames = value_iteration(world, options.spec, options)
            print(f"{sweeps} sweeps; the return from the start is {value:.4f}")
        else:
            _, returns, frames = learn(options.learner, world, options)
            print(f"mean return of the last 100 episodes {np.mean(returns[-100:]):.2f}")
        print(optimum(options))
    if options.gif:
        save_gif(options.gif, frames, 4)
    if options.png:
        save_png(options.png, frames[-1])


if __name__ == "__main__":
    main()
