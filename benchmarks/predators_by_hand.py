"""PredatorPrey written by hand for numba, without a language: what a batch of joint steps costs that way.

The rules of `specs/predator_prey.grid` for two predators and three prey, with places as x and y instead of a grid;
its resets put the prey in fixed places, which costs less than the spec's setup. Not checked step by step: it is here
for its cost, not for its games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

SIZE, PREDATORS, PREY, STEPS = 10, 2, 3, 50
GAMMA, FIRST, SECOND = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
MOVE_X, MOVE_Y = np.array([0, 0, 0, -1, 1]), np.array([0, -1, 1, 0, 0])
GROUND = np.ones((SIZE + 4, SIZE + 4), np.uint8)
GROUND[2:-2, 2:-2] = 0


@njit(inline="always", error_model="numpy")
def draw(streams: Any, i: Any, n: Any) -> Any:
    """Return a number below ``n``."""
    z = streams[i] + GAMMA
    streams[i] = z
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(inline="always", error_model="numpy")
def flee(i: Any, k: Any, px: Any, py: Any, qx: Any, qy: Any, alive: Any, streams: Any, ways: Any) -> None:
    """Let a prey move: away from a predator that is near, else from other prey, else anywhere."""
    x, y = qx[i, k], qy[i, k]
    near, least, nearest = 99, 99, 0
    for p in range(PREDATORS):
        dx, dy = abs(px[i, p] - x), abs(py[i, p] - y)
        near = min(near, max(dx, dy))
        if dx + dy < least:
            least, nearest = dx + dy, p
    goal_x, goal_y, flees = px[i, nearest], py[i, nearest], near <= 2
    if not flees:
        least = 99
        for j in range(PREY):
            if j != k and alive[i, j]:
                dx, dy = abs(qx[i, j] - x), abs(qy[i, j] - y)
                flees |= max(dx, dy) <= 2
                if dx + dy < least:
                    least, goal_x, goal_y = dx + dy, qx[i, j], qy[i, j]
    now, found = abs(x - goal_x) + abs(y - goal_y), 0
    for way in range(1, 5):
        to_x, to_y = x + MOVE_X[way], y + MOVE_Y[way]
        free = (to_x >= 0) & (to_x < SIZE) & (to_y >= 0) & (to_y < SIZE)
        for p in range(PREDATORS):
            free &= (to_x != px[i, p]) | (to_y != py[i, p])
        for j in range(PREY):
            free &= (not alive[i, j]) | (to_x != qx[i, j]) | (to_y != qy[i, j])
        if flees:
            nook = ((to_x == 0) | (to_x == SIZE - 1)) & ((to_y == 0) | (to_y == SIZE - 1))
            free &= (abs(to_x - goal_x) + abs(to_y - goal_y) > now) & (not nook)
        ways[found] = way
        found += free
    if found > 0:
        way = ways[draw(streams, i, found)]
        qx[i, k], qy[i, k] = x + MOVE_X[way], y + MOVE_Y[way]


@njit(error_model="numpy")
def step(
    actions: Any, px: Any, py: Any, qx: Any, qy: Any, alive: Any, count: Any, streams: Any, done: Any,
    reward: Any, ended: Any, cut: Any, seen: Any,
) -> None:  # fmt: skip
    """Carry out a joint step of all games; those that are done start anew."""
    ways, to_x, to_y = np.zeros(5, np.int64), np.zeros(PREDATORS, np.int64), np.zeros(PREDATORS, np.int64)
    for i in range(len(done)):
        gain, ends, cuts = 0.0, False, False
        if done[i]:
            count[i] = 0
            px[i, 0], py[i, 0], px[i, 1], py[i, 1] = 4, 0, 4, 9
            for k in range(PREY):
                qx[i, k], qy[i, k], alive[i, k] = 4 + k % 2, 4 + k // 2, True
        else:
            count[i] += 1
            for k in range(PREY):
                if alive[i, k]:
                    flee(i, k, px, py, qx, qy, alive, streams, ways)
            for p in range(PREDATORS):
                x, y = px[i, p] + MOVE_X[actions[i, p]], py[i, p] + MOVE_Y[actions[i, p]]
                free = (x >= 0) & (x < SIZE) & (y >= 0) & (y < SIZE)
                for k in range(PREY):
                    free &= (not alive[i, k]) | (x != qx[i, k]) | (y != qy[i, k])
                to_x[p], to_y[p] = (x, y) if free else (px[i, p], py[i, p])
            if to_x[0] != to_x[1] or to_y[0] != to_y[1]:
                for p in range(PREDATORS):
                    px[i, p], py[i, p] = to_x[p], to_y[p]
            left = 0
            for k in range(PREY):
                beside = 0
                for p in range(PREDATORS):
                    beside += abs(px[i, p] - qx[i, k]) + abs(py[i, p] - qy[i, k]) <= 1
                if alive[i, k] and beside == PREDATORS:
                    alive[i, k], gain = False, gain + 1 / 3
                left += alive[i, k]
            ends, cuts = left == 0, count[i] >= STEPS
        done[i] = ends | cuts
        for p in range(PREDATORS):
            reward[i, p], ended[i, p], cut[i, p] = gain, ends, cuts
            x, y = px[i, p], py[i, p]
            for row in range(5):
                for column in range(5):
                    seen[i, p, row, column] = GROUND[y + row, x + column]
            for k in range(PREY):
                row, column = qy[i, k] - y + 2, qx[i, k] - x + 2
                if alive[i, k] and 0 <= row < 5 and 0 <= column < 5:
                    seen[i, p, row, column] = 3
            for k in range(PREDATORS):
                row, column = py[i, k] - y + 2, px[i, k] - x + 2
                if 0 <= row < 5 and 0 <= column < 5:
                    seen[i, p, row, column] = 2


def by_hand(games: int, joints: Any) -> Callable[[], int]:
    """Return a run of a batch of games, into arrays that are used again; ``joints`` is (steps, games, 2)."""
    places = [np.zeros((games, count), np.int64) for count in (PREDATORS, PREDATORS, PREY, PREY)]
    state = [*places, np.zeros((games, PREY), np.bool_), np.zeros(games, np.int64)]
    state += [np.arange(games).astype(np.uint64), np.ones(games, np.bool_)]
    flags = [np.zeros((games, PREDATORS), np.bool_) for _ in range(2)]
    shown = [np.zeros((games, PREDATORS)), *flags, np.zeros((games, PREDATORS, 5, 5), np.uint8)]

    def run() -> int:
        for joint in joints:
            step(joint, *state, *shown)
        return len(joints) * games

    return run
