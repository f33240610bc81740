"""The step of a `TableBatch` for numba: one kernel for all programs, compiled once for a user."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.backends.native.kernels import view_of
from griddsl.backends.native.runtime import GAMMA, draw, mixed, native
from griddsl.backends.table.flat import IN_STEPS, NEVER

NEXT_STEP, SAME_STEP = 0, 1
_0, _1, _13, _32 = np.uint64(0), np.uint64(1), np.uint64(13), np.uint64(32)
_SIZE, _LOW = np.uint64(0x1FFF), np.uint64(0xFFFFFFFF)


@native
def leaf(word: Any, words: Any, branches: Any, stream: Any, i: Any) -> Any:
    """Return the leaf below a node, and draw where it branches; both are words as `Flat` writes them."""
    index = np.int64(0)
    while word < 0:
        size, first = ~word & 0x1FFF, ~word >> 13
        index = np.int64(branches[np.uint64(first + draw(stream[i : i + 1], size))])
        word = words[np.uint64(index)]
    return word, index


@native
def draw_all(words: Any, gain: Any, branches: Any, stream: Any, nodes: Any, met: Any, rewards: Any) -> None:
    """Go from nodes to leaves where most nodes draw: once for all, without branches, then on for those that draw more.

    A draw that might have to be repeated, one in some billions, is left to the second round.
    """
    drawing = np.int64(0)
    for i in range(len(nodes)):
        node = np.uint64(nodes[i])
        word = words[node]
        branching = np.uint64(~word)
        size = (branching & _SIZE) if word < 0 else _1
        first = (branching >> _13) if word < 0 else _0
        next_stream = stream[i] + GAMMA
        m = (mixed(next_stream) >> _32) * size
        draws = word < 0 and m & _LOW >= size
        stream[i] = next_stream if draws else stream[i]
        branch = np.uint64(branches[first + (m >> _32)])
        node = branch if draws else node
        met[i] = words[node]
        drawing |= met[i]
        rewards[i] = gain[node]
    if drawing < 0:
        for i in range(len(nodes)):
            if met[i] < 0:
                met[i], node = leaf(met[i], words, branches, stream, i)
                rewards[i] = gain[np.uint64(node)]


def step(
    p: Any, n: Any, given: Any, mode: Any, seen: Any, reward: Any, ended: Any, cut: Any, out: Any
) -> None:
    """Carry out one step of all; say how many episodes ended, or -1, before anything is done, for no action.

    Arrays come as addresses, and those that stay from step to step as addresses in one. Several short loops are faster
    than a long one, whose arrays are more than there are registers; none branches but where something is rarely
    drawn, or reset.
    """
    P, result = view_of(p, 20, np.int64), view_of(out, 1, np.int64)
    reset, limit, actions, states, shows = P[10], P[11], P[12], P[14], P[15] != 0
    words, gain = view_of(P[0], P[13], np.int64), view_of(P[1], P[13], np.float64)
    branches, shown = view_of(P[2], P[16], np.int32), view_of(P[3], states, np.int64)
    at, steps = view_of(P[4], n, np.int32), view_of(P[5], n, np.int64)
    stream, done = view_of(P[6], n, np.uint64), view_of(P[7], n, np.uint8)
    outcome, final = view_of(P[8], n, np.int16), view_of(P[9], n, np.int32)
    nodes, met = view_of(P[17], n, np.int64), view_of(P[18], n, np.int64)
    chosen, shows_at = view_of(given, n, np.int64), view_of(seen, n, np.int64)
    rewards = view_of(reward, n, np.float64)
    is_ended, is_cut = view_of(ended, n, np.uint8), view_of(cut, n, np.uint8)
    bad: Any = False
    for i in range(n):
        bad |= np.uint64(chosen[i]) >= np.uint64(actions)
    if bad:
        result[0] = -1
        return
    for i in range(n):
        fresh = mode == NEXT_STEP and done[i] != 0
        nodes[i] = reset if fresh else at[i] * actions + chosen[i]
        steps[i] = 0 if fresh else steps[i] + 1
    if P[19] == IN_STEPS:
        draw_all(words, gain, branches, stream, nodes, met, rewards)
    elif P[19] == NEVER:
        for i in range(n):
            node = np.uint64(nodes[i])
            met[i] = words[node]
            rewards[i] = gain[node]
    else:
        for i in range(n):
            node = nodes[i]
            word = words[np.uint64(node)]
            if word < 0:
                word, node = leaf(word, words, branches, stream, i)
            met[i] = word
            rewards[i] = gain[np.uint64(node)]
    over = 0
    for i in range(n):
        word = met[i]
        ends, cuts = word & 1, (word >> 1 & 1) | (steps[i] >= limit)
        finished = ends | cuts
        is_ended[i] = ends
        is_cut[i] = cuts
        outcome[i] = finished * (word >> 2 & 0x3FFF)
        done[i] = finished
        at[i] = word >> 16
        over += finished
    if mode == SAME_STEP and over > 0:
        for i in range(n):
            if done[i] != 0:
                word, _ = leaf(words[np.uint64(reset)], words, branches, stream, i)
                final[i], at[i], steps[i], done[i] = at[i], word >> 16, 0, 0
    if shows:
        for i in range(n):
            shows_at[i] = shown[np.uint64(at[i])]
    result[0] = over
