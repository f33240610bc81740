"""Draws that branch, under numba: the functions of `griddsl.exact.draws.Script` on an array, and exact chances.

The array stands in the place of the random stream, so that the generated source needs no change. It holds the script
(the choice taken at each draw and how many there are) and the factors of the chance of the run so far. A chance is
the number of a node: 1, or a chance times a factor, or the sum of two chances. Python makes fractions of the nodes
that are used, so chances stay exact however large their numbers grow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.backends.native.runtime import native

MOST_DRAWS = 1_000  # of one step, one after the other
POSITION, LENGTH, FACTORS, TOO_LONG = 0, 1, 2, 3  # where the draws stand, of how many, and their factors
CHOICES = 4  # two numbers each: the choice, and of how many
PARTS = CHOICES + 2 * MOST_DRAWS  # three numbers each: the kind of factor, and its numbers
DRAWS = PARTS + 3 * MOST_DRAWS  # the length of the array
RATIO, WON, LOST, SUM = (
    0,
    1,
    2,
    3,
)  # kinds of nodes: times x / y; times p, or 1 - p, with the bits of p; plus a node

# What a search counts: states, transitions, nodes, states that are done, and the one before which it stops.
STATES, TRANSITIONS, NODES, DONE, LAST = 0, 1, 2, 3, 4

# Why a search came back.
PAUSED, FULL, MORE_TRANSITIONS, MORE_NODES, WIDE, MANY, LONG, ENDED = 0, 1, 2, 3, 4, 5, 6, 7

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_29 = np.uint64(29)


@native
def begin(r: Any) -> None:
    """Begin a run."""
    r[POSITION] = 0
    r[FACTORS] = 0


@native
def advance(r: Any) -> Any:
    """Move to the next combination of choices; return False, with an empty script, after the last."""
    length = r[POSITION]
    while length > 0 and r[CHOICES + 2 * length - 2] + 1 == r[CHOICES + 2 * length - 1]:
        length -= 1
    r[LENGTH] = length
    if length == 0:
        return False
    r[CHOICES + 2 * length - 2] += 1
    return True


@native
def choose(r: Any, count: Any) -> Any:
    """Return the choice that the script has for a draw, or the first."""
    at = r[POSITION]
    if at >= MOST_DRAWS:
        r[TOO_LONG] = 1
        return np.int64(0)
    r[POSITION] = at + 1
    if at == r[LENGTH]:
        r[CHOICES + 2 * at] = 0
        r[CHOICES + 2 * at + 1] = count
        r[LENGTH] = at + 1
        return np.int64(0)
    return np.int64(r[CHOICES + 2 * at])


@native
def times(r: Any, kind: Any, x: Any, y: Any) -> None:
    """Note a factor of the chance of the run."""
    at = r[FACTORS]
    if at >= MOST_DRAWS:
        r[TOO_LONG] = 1
        return
    r[PARTS + 3 * at] = kind
    r[PARTS + 3 * at + 1] = x
    r[PARTS + 3 * at + 2] = y
    r[FACTORS] = at + 1


# What the program calls


@native
def draw(r: Any, n: Any) -> Any:
    """Stand for `native_runtime.draw`."""
    if n == 1:
        return np.int64(0)
    times(r, RATIO, 1, n)
    return choose(r, n)


@native
def odds(r: Any, wins: Any, of: Any) -> Any:
    """Stand for `native_runtime.odds`."""
    if wins <= 0 or wins >= of:
        return wins > 0
    won = choose(r, 2) == 1
    times(r, RATIO, wins if won else of - wins, of)
    return won


@native
def chance(r: Any, p: Any) -> Any:
    """Stand for `native_runtime.chance`."""
    if p <= 0 or p >= 1:
        return p > 0
    won = choose(r, 2) == 1
    times(r, WON if won else LOST, np.float64(p).view(np.int64), 0)
    return won


@native
def weighted(r: Any, totals: Any) -> Any:
    """Stand for `native_runtime.weighted`."""
    possible = 0
    before = np.int64(0)
    for total in totals:
        if total > before:
            possible += 1
        before = total
    chosen = choose(r, possible) if possible > 1 else 0
    before = np.int64(0)
    index = 0
    for k in range(len(totals)):
        if totals[k] > before:
            if chosen == 0:
                times(r, RATIO, totals[k] - before, totals[len(totals) - 1])
                index = k
                break
            chosen -= 1
        before = totals[k]
    return index


# Chances and states


@native
def mixed(h: Any, value: Any) -> Any:
    """Return a hash with one value more, all unsigned and of 64 bits."""
    z = (h ^ value) * _GAMMA
    return z ^ (z >> _29)


@native
def node_of(nodes: Any, table: Any, count: Any, parent: Any, kind: Any, x: Any, y: Any) -> Any:
    """Return the number of a node, ``count`` if it is a new one; ``table`` has room, and twice as much as there are."""
    h = mixed(mixed(np.uint64(parent), np.uint64(kind)), np.uint64(x))
    h = mixed(h, np.uint64(y))
    mask = np.uint64(len(table) - 1)
    at = (h ^ (h >> _29)) & mask
    while True:
        number = np.int64(table[at]) - 1
        if number < 0:
            table[at] = count + 1
            nodes[4 * count] = parent
            nodes[4 * count + 1] = kind
            nodes[4 * count + 2] = x
            nodes[4 * count + 3] = y
            return np.int64(count)
        row = 4 * number
        if nodes[row] == parent and nodes[row + 1] == kind and nodes[row + 2] == x and nodes[row + 3] == y:
            return number
        at = (at + np.uint64(1)) & mask


@native
def chance_of_run(r: Any, nodes: Any, table: Any, count: Any) -> Any:
    """Return the node of the chance of a run, and how many nodes there are now."""
    node = np.int64(0)
    for k in range(r[FACTORS]):
        at = PARTS + 3 * k
        node = node_of(nodes, table, count, node, r[at], r[at + 1], r[at + 2])
        if node == count:
            count += 1
    return node, count


@native
def sum_of(nodes: Any, table: Any, count: Any, first: Any, second: Any) -> Any:
    """Return the node of the sum of two chances."""
    return node_of(nodes, table, count, first, SUM, second, 0)
