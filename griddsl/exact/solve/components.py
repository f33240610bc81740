"""Components: where an agent can stay for ever, and from where it can be sure to get away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.process import scipy_sparse

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def end_components(matrix: Any, owner: Ints, usable: Flags) -> tuple[Ints, Flags]:
    """Return the maximal end components of the usable rows: sets of states that some policy never leaves.

    ``matrix`` is (rows, states), ``owner`` the state of each row. Returns the component of each state, (states,),
    -1 where it is in none, and which rows stay in a component, (rows,).
    """
    sparse = scipy_sparse()
    rows, states = matrix.shape
    inside = usable.copy()
    pattern = matrix.tocoo()
    row, column = pattern.row[pattern.data > 0], pattern.col[pattern.data > 0]
    leaks = np.asarray(matrix.sum(axis=1)).reshape(-1) < 1 - 1e-9  # into an end, which has no column
    inside &= ~leaks
    while True:
        kept = inside[row]
        graph = sparse.coo_array(
            (np.ones(int(kept.sum()), np.int8), (owner[row[kept]], column[kept])), shape=(states, states)
        ).tocsr()
        _, label = sparse.csgraph.connected_components(graph, directed=True, connection="strong")
        crossing = np.zeros(rows, np.bool_)
        crossing[row[label[owner[row]] != label[column]]] = True
        after = inside & ~crossing
        if np.array_equal(after, inside):
            break
        inside = after
    component = np.full(states, -1, np.int64)
    found = np.unique(owner[inside])
    component[found] = np.unique(label[found], return_inverse=True)[1]
    return component, inside


def surely_reaching(matrix: Any, owner: Ints, usable: Flags, goal: Flags, ends: Flags) -> tuple[Flags, Flags]:
    """Return the states from which some policy reaches the goal with certainty, and the rows that stay among them.

    ``goal`` (states,) are states to reach; ``ends`` (rows,) are rows that can reach it by themselves, with what is
    missing from their sum.
    """
    states = matrix.shape[1]
    pattern = matrix.tocoo()
    row, column = pattern.row[pattern.data > 0], pattern.col[pattern.data > 0]
    sure = np.ones(states, np.bool_)
    while True:
        allowed = usable.copy()
        allowed[row[~sure[column]]] = False
        allowed &= sure[owner]
        reached = goal & sure
        reached[owner[allowed & ends]] = True
        while True:
            hits = np.zeros(matrix.shape[0], np.bool_)
            hits[row[reached[column]]] = True
            after = reached.copy()
            after[owner[allowed & hits]] = True
            if np.array_equal(after, reached):
                break
            reached = after
        if np.array_equal(reached, sure):
            return sure, allowed
        sure = reached
