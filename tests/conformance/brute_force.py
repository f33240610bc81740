"""A search that knows nothing of programs: states by ``get_state``, ``set_state`` and ``step`` of the environment."""

from __future__ import annotations

import random
from collections import Counter, deque
from fractions import Fraction
from typing import Any, TypeAlias

import griddsl
from griddsl.envs.single.grid_env import GridEnv

State: TypeAlias = tuple[Any, ...]  # what `get_state` gives, without the random stream
STREAM = 2


def _state(env: GridEnv) -> State:
    return env.get_state()[:STREAM]


class BruteForce:
    """All states of a spec without a limit, found by stepping; what is random is sampled and its chances rounded.

    ``seeds`` resets are tried for the starts and ``samples`` streams for every action; chances are the simplest
    fractions near the frequencies, with denominators up to ``denominator``.
    """

    def __init__(
        self, source: str, seeds: int = 1, samples: int = 1, denominator: int = 1, **params: Any
    ) -> None:
        env = griddsl.make(source, backend="python", **params)
        streams = random.Random(0)
        self.starts: Counter[State] = Counter()
        for seed in range(seeds):
            env.reset(seed=seed)
            self.starts[_state(env)] += 1
        self.moves: dict[State, list[list[tuple[float, State, float, bool]]]] = {}
        self.ends: set[State] = set()
        queue = deque(self.starts)
        known = set(self.starts)
        while queue:
            here = queue.popleft()
            self.moves[here] = []
            for action in range(env.action_space.n):
                found: Counter[tuple[State, float, bool]] = Counter()
                for _ in range(samples):
                    env.set_state((*here, streams.getrandbits(64)))
                    _, reward, terminated, _, info = env.step(action)
                    after = (_state(env), info["outcome"]) if terminated else _state(env)
                    found[after, reward, terminated] += 1
                row = []
                for (after, reward, terminated), count in found.items():
                    chance = float(Fraction(count, samples).limit_denominator(denominator))
                    row.append((chance, after, reward, terminated))
                    if terminated:
                        self.ends.add(after)
                    elif after not in known:
                        known.add(after)
                        queue.append(after)
                self.moves[here].append(row)

    @property
    def n_states(self) -> int:
        """The number of states, ends included."""
        return len(self.moves) + len(self.ends)

    def values(self, sweeps: int = 2000, discount: float = 1.0) -> dict[State, float]:
        """Return the optimal values by plain value iteration from zero."""
        values = dict.fromkeys(self.moves, 0.0)
        for _ in range(sweeps):
            moved = 0.0
            for state, rows in self.moves.items():
                best = max(
                    sum(
                        p * (reward + (0.0 if end else discount * values[after]))
                        for p, after, reward, end in row
                    )
                    for row in rows
                )
                moved = max(moved, abs(best - values[state]))
                values[state] = best
            if moved < 1e-12:
                break
        return values
