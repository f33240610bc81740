"""The step of a `TableBatch` under numba: one kernel for all programs, compiled once for a user."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from griddsl.backends.native_kernels import view_of
from griddsl.backends.native_runtime import draw


@njit(cache=True, nogil=True, error_model="numpy")
def step(P: Any, n: Any, given: Any, mode: Any, seen: Any, reward: Any, ended: Any, cut: Any) -> Any:
    """Carry out one step of all; return how many episodes ended, or -1, before anything is done, for no action."""
    reset, limit, actions, nodes, branches = P[15], P[16], P[17], P[18], P[19]
    roots, states, shows = P[20], P[21], P[22] != 0
    root = view_of(P[0], roots, np.int32)
    size = view_of(P[1], nodes, np.int32)
    first = view_of(P[2], nodes, np.int32)
    branch = view_of(P[3], branches, np.int32)
    following = view_of(P[4], nodes, np.int32)
    gain = view_of(P[5], nodes, np.float64)
    flags = view_of(P[6], nodes, np.uint8)
    outcome_of = view_of(P[7], nodes, np.int64)
    at = view_of(P[8], n, np.int32)
    steps = view_of(P[9], n, np.int64)
    stream = view_of(P[10], n, np.uint64)
    done = view_of(P[11], n, np.bool_)
    outcome = view_of(P[12], n, np.int64)
    final = view_of(P[13], n, np.int32)
    shown = view_of(P[14], states, np.int64)
    bad = False
    for i in range(n):
        bad |= given[i] < 0
        bad |= given[i] >= actions
    if bad:
        return -1
    over = 0
    for i in range(n):
        if mode == 0 and done[i]:
            node = reset
            taken = 0
            open_ended = True
        else:
            node = np.int64(root[np.uint64(at[i] * actions + given[i])])
            taken = steps[i] + 1
            open_ended = False
        while size[np.uint64(node)] > 0:
            node = np.int64(branch[np.uint64(first[node] + draw(stream[i : i + 1], size[node]))])
        here = following[np.uint64(node)]
        flag = flags[np.uint64(node)]
        ends, cuts = (flag & 1) != 0, (flag & 2) != 0 or (taken >= limit and not open_ended)
        reward[i] = gain[np.uint64(node)]
        ended[i] = ends
        cut[i] = cuts
        finished = ends or cuts
        if finished:
            over += 1
            outcome[i] = outcome_of[np.uint64(node)]
            if mode == 1:
                final[i] = here
                node = reset
                while size[np.uint64(node)] > 0:
                    node = np.int64(branch[np.uint64(first[node] + draw(stream[i : i + 1], size[node]))])
                here = following[np.uint64(node)]
                taken = 0
                finished = False
        done[i] = finished
        at[i] = here
        steps[i] = taken
        if shows:
            seen[i] = shown[np.uint64(here)]
    return over
