"""Blocks: some states of a process at once, with what their actions are worth in a round of backward induction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from griddsl.exact.solve.solution import Flags, Floats, Ints, without_illegal_ties

if TYPE_CHECKING:
    from griddsl.exact.process import Process

AT_ONCE = 8_192  # states: few enough for what is computed of them to stay in the processor's cache


@dataclass
class Block:
    """Some states that go on; arrays are (actions, states), so that what is compared lies side by side."""

    states: Ints
    after: After
    rewards: Floats
    slopes: Floats | None
    usable: Flags | None  # where some are not
    legal: Flags | None
    wins: Floats
    sign: (
        Floats | None
    )  # of a game of two: 1, and -1 where the second of two agents moves, who wants the least

    def look_ahead(self, step: int, discount: float, values: Floats) -> Floats:
        """Return the best value of each state, as who moves there counts it."""
        self.q = self.after.mean(values)
        self.q *= discount
        self.q += self.rewards if self.slopes is None else self.rewards + step * self.slopes
        if self.sign is not None:
            self.q *= self.sign
        if self.usable is not None:
            self.q = np.where(self.usable, self.q, -np.inf)
        self.best = np.asarray(self.q.max(axis=0), np.float64)
        return self.best

    def decide(self, tie: float, longer: Floats, success: Floats) -> tuple[Ints, Floats, Floats]:
        """Return the policy that ends soonest among the optimal actions, in how many steps, with what success."""
        self.optimal = self.q >= self.best - tie
        if self.legal is not None:
            self.optimal = without_illegal_ties(self.optimal, self.legal)
        lengths = self.after.mean(longer)
        lengths += 1
        lengths = np.where(self.optimal, lengths, np.inf)
        least = lengths.min(axis=0)
        most = least + 1e-9 * np.maximum(1, np.where(least < np.inf, least, 1))
        self.soonest = self.optimal & (lengths <= most)
        count = len(lengths)
        numbers = np.arange(count, dtype=np.int8 if count < 128 else np.int32)
        policy = np.where(self.soonest, numbers[:, None], numbers[-1]).min(axis=0).astype(np.int64)
        self.rows = rows = policy * len(policy) + np.arange(len(policy))
        self.lengths = lengths
        length = lengths.reshape(-1)[rows]
        length[~np.isfinite(length)] = 0.0
        return policy, length, self.wins.reshape(-1)[rows] + self.after.mean_of(rows, success)

    def next(self, values: Floats) -> Floats:
        """Return what is worth so much in the states that follow on the policy."""
        return self.after.mean_of(self.rows, values)


class After:
    """What follows on the actions of some states: rows of chances, or where all is certain, the states alone."""

    def __init__(self, matrix: Any, shape: tuple[int, ...]) -> None:
        self.matrix, self.shape = matrix, shape
        self.is_certain = matrix.nnz == matrix.shape[0] and bool(
            (np.diff(matrix.indptr) == 1).all() and (matrix.data == 1).all()
        )

    def mean(self, values: Floats) -> Floats:
        """Return the mean of what is worth so much in the states that follow, (actions, states)."""
        found = values.take(self.matrix.indices) if self.is_certain else self.matrix @ values
        return np.asarray(found, np.float64).reshape(self.shape)

    def mean_of(self, rows: Ints, values: Floats) -> Floats:
        """Return the same of some rows, as many as there are states."""
        if self.is_certain:
            return np.asarray(values.take(self.matrix.indices[rows]), np.float64)
        return np.asarray((self.matrix @ values)[rows], np.float64)


def blocks_of(
    mdp: Process, rewards: Floats, slopes: Floats | None, usable: Flags, signs: Floats | None
) -> list[Block]:
    """Return the states that go on, some at once."""
    running = np.flatnonzero(~mdp.terminal)
    success = mdp.success.astype(np.float64)
    found = []
    for first in range(0, len(running), AT_ONCE):
        states = running[first : first + AT_ONCE]
        rows = (states * mdp.n_actions + np.arange(mdp.n_actions)[:, None]).reshape(-1)
        matrix = mdp.transitions[rows].tocsr()
        found.append(
            Block(
                states,
                After(matrix, (mdp.n_actions, len(states))),
                np.ascontiguousarray(rewards[states].T),
                None if slopes is None else np.ascontiguousarray(slopes[states].T),
                None if usable[states].all() else np.ascontiguousarray(usable[states].T),
                None if mdp.legal[states].all() else np.ascontiguousarray(mdp.legal[states].T),
                (matrix @ success).reshape(mdp.n_actions, -1),
                None if signs is None else signs[states],
            )
        )
    return found
