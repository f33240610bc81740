"""Plan with Monte Carlo tree search (UCT) on the model of a spec, for one agent or for two that take turns.

    python examples/mcts.py                                        # trails.grid: two players, one wins
    python examples/mcts.py griddsl/FrozenLake-v0 --games 10       # one agent on slippery ice

The search needs `griddsl.make_model` and nothing else: states are values that serve as keys of the tree. Each game is
played twice, by the search and at random, against an opponent (where there is one) that plays at random.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import griddsl

TRAILS = Path(__file__).parent / "trails.grid"
Policy = Callable[[Any], int]


class Search:
    """The tree: for each state, how often each action was tried and what came of it for the one who took it."""

    def __init__(
        self, model: griddsl.GridModel, simulations: int, discount: float, depth: int, seed: int
    ) -> None:
        self.model, self.simulations, self.discount, self.depth = model, simulations, discount, depth
        self.rng = np.random.default_rng(seed)
        self.tree: dict[Any, tuple[np.ndarray, np.ndarray]] = {}

    def act(self, state: Any) -> int:
        """Return the action that was tried most."""
        for _ in range(self.simulations):
            self._simulate(state)
        visits, _ = self.tree[state]
        return int(visits.argmax())

    def _simulate(self, state: Any) -> None:
        """Go down the tree, add one state to it, play at random from there, and note what everyone got."""
        path: list[tuple[Any, str, int]] = []
        rewards: list[dict[str, float]] = []
        is_new = False
        while state.agents and len(path) < self.depth:
            who = mover(self.model, state)
            if is_new:
                action = int(self.rng.integers(actions_of(self.model, who)))
            else:
                is_new = state not in self.tree
                action = self._choose(state, who)
            path.append((state, who, action))
            step = self.model.step(state, {who: action}, self.rng)
            rewards.append(step.rewards)
            state = step.state
        returns = dict.fromkeys(self.model.possible_agents, 0.0)
        for (state, who, action), reward in zip(reversed(path), reversed(rewards), strict=True):
            for name, gained in reward.items():
                returns[name] = gained + self.discount * returns[name]
            if state in self.tree:
                visits, totals = self.tree[state]
                visits[action] += 1
                totals[action] += returns[who]

    def _choose(self, state: Any, who: str) -> int:
        """Return the action with the highest upper confidence bound; untried ones come first."""
        count = actions_of(self.model, who)
        visits, totals = self.tree.setdefault(state, (np.zeros(count), np.zeros(count)))
        untried = np.flatnonzero(visits == 0)
        if len(untried):
            return int(self.rng.choice(untried))
        bonus = np.sqrt(2 * math.log(visits.sum()) / visits)
        return int((totals / visits + bonus).argmax())


def actions_of(model: griddsl.GridModel, who: str) -> int:
    """Return how many actions an agent has."""
    space = model.action_spaces[who]
    assert isinstance(space, gym.spaces.Discrete)
    return int(space.n)


def mover(model: griddsl.GridModel, state: Any) -> str:
    """Return who acts in a state."""
    return model.turn(state) or state.agents[0]


def play(model: griddsl.GridModel, policies: dict[str, Policy], rng: np.random.Generator) -> dict[str, float]:
    """Play an episode; return the sum of each agent's rewards."""
    state = model.sample_initial_state(rng)
    totals = dict.fromkeys(model.possible_agents, 0.0)
    while state.agents:
        who = mover(model, state)
        step = model.step(state, {who: policies[who](state)}, rng)
        for name, reward in step.rewards.items():
            totals[name] += reward
        state = step.state
    return totals


def main() -> None:
    """Let the search and chance play the same games, from every seat, and say how often each does well."""
    options = _options()
    model = griddsl.make_model(options.spec)
    print(f"{model.program.id}: {', '.join(model.possible_agents)}; {options.simulations} simulations a move")
    for planner in ("search", "random"):
        returns: list[float] = []
        for game in range(options.games):
            rng = np.random.default_rng([options.seed, game])
            seat = model.possible_agents[game % len(model.possible_agents)]

            def at_random(state: Any, rng: np.random.Generator = rng) -> int:
                return int(rng.integers(actions_of(model, mover(model, state))))

            policies: dict[str, Policy] = dict.fromkeys(model.possible_agents, at_random)
            if planner == "search":
                policies[seat] = Search(
                    model, options.simulations, options.discount, options.depth, options.seed + game
                ).act
            returns.append(play(model, policies, rng)[seat])
        won = np.mean([value > 0 for value in returns])
        print(f"{planner}: wins {won:.0%} of {len(returns)} games, mean return {np.mean(returns):.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("spec", nargs="?", default=str(TRAILS), help="a file or an id")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=200, help="simulated games a move")
    parser.add_argument("--depth", type=int, default=60, help="moves of a simulated game")
    parser.add_argument("--discount", type=float, default=0.98)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
