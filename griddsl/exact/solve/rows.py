"""Rows: a process as one sparse row for each state and action that counts, and what is computed of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from griddsl.exact.process import scipy_sparse
from griddsl.exact.solve.solution import Flags, Floats, Ints

SMALL = 3_000  # states up to which policy iteration with a direct solver is the quickest
SWEEPS_BETWEEN = 30  # of modified policy iteration
MOST_ROUNDS = 1_000


@dataclass
class Rows:
    """A process in rows: row k belongs to state ``owner[k]``; an end has no column, and a row may sum below 1."""

    matrix: Any  # (rows, states)
    reward: Floats
    owner: Ints  # sorted
    first: Ints  # (states,) the first row of each state

    @classmethod
    def of(cls, matrix: Any, reward: Floats, owner: Ints, states: int) -> Rows:
        """Return rows that are in the order of their states."""
        return cls(matrix, reward, owner, np.searchsorted(owner, np.arange(states)))

    def backup(self, values: Floats, discount: float) -> tuple[Floats, Floats]:
        """Return the value of each row, and the best of each state."""
        q = self.reward + discount * (self.matrix @ values)
        return q, np.maximum.reduceat(q, self.first)

    def greedy(self, q: Floats, best: Floats) -> Ints:
        """Return the first best row of each state."""
        rows = np.where(q >= best[self.owner], np.arange(len(q)), len(q))
        return np.minimum.reduceat(rows, self.first)


def evaluate(rows: Rows, chosen: Ints, discount: float) -> Floats:
    """Return the value of each state where these rows are chosen."""
    return solve_linear(rows.matrix[chosen], rows.reward[chosen][:, None], discount)[:, 0]


def solve_linear(matrix: Any, right: Floats, discount: float) -> Floats:
    """Return x of ``x = right + discount * matrix @ x``."""
    sparse = scipy_sparse()
    system = (sparse.eye_array(matrix.shape[0]) - discount * matrix).tocsc()
    return np.asarray(sparse.linalg.splu(system).solve(np.ascontiguousarray(right)))


def most_steps(rows: Rows, hopeless: float) -> Floats:
    """Return the most steps that these rows can take before the end, about; infinity beyond ``hopeless``."""
    policy, steps = rows.first.copy(), np.zeros(rows.matrix.shape[1])
    for _ in range(MOST_ROUNDS):
        if len(steps) <= SMALL:
            try:
                steps = evaluate(rows, policy, 1.0)
            except RuntimeError:
                break
        else:
            for _ in range(10 * SWEEPS_BETWEEN):
                _, steps = rows.backup(steps, 1.0)
        q, best = rows.backup(steps, 1.0)
        if not np.isfinite(best).all() or steps.min() < -1e-6 or best.max() > hopeless:
            break
        if (best <= steps + 0.25).all():
            return np.asarray(steps + 1)
        policy = rows.greedy(q, best)
    return np.full(len(steps), np.inf)


def largest_gain(rows: Rows, members: Ints, states: Ints) -> float:
    """Return the largest mean reward a step of staying in an end component for ever, by a linear program."""
    from scipy.optimize import linprog

    sparse = scipy_sparse()
    count = len(members)
    place = np.full(rows.matrix.shape[1], -1, np.int64)
    place[states] = np.arange(len(states))
    leave = sparse.csr_array(
        (np.ones(count), (place[rows.owner[members]], np.arange(count))), shape=(len(states), count)
    )
    arrive = rows.matrix[members][:, states].T
    equal = sparse.vstack([leave - arrive, sparse.csr_array(np.ones((1, count)))])
    right = np.zeros(len(states) + 1)
    right[-1] = 1.0
    found = linprog(-rows.reward[members], A_eq=equal.tocsr(), b_eq=right, method="highs")
    return float(-found.fun)


def any_row(owner: Ints, flags: Flags, states: int) -> Flags:
    """Return which states have a row that is flagged."""
    found = np.zeros(states, np.bool_)
    found[owner[flags]] = True
    return found


def first_row(owner: Ints, flags: Flags, states: int) -> Ints:
    """Return the first flagged row of each state, -1 where there is none."""
    found = np.full(states, -1, np.int64)
    rows = np.flatnonzero(flags)[::-1]
    found[owner[rows]] = rows
    return found
