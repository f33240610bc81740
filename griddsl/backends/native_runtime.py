"""The runtime under numba: bit for bit the functions of `griddsl.program.runtime`, on arrays.

A state is ``s`` (integers), ``f`` (float64) and ``r`` (uint64), each one-dimensional and contiguous. Whole numbers
are kept in 64 bits, signed outside the stream and unsigned inside it: numba makes a float of a mix of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from griddsl.program.runtime import SetupFailure

INFINITY = math.inf
__all__ = [
    "INFINITY",
    "SetupFailure",
    "blank",
    "chance",
    "draw",
    "draw_caves",
    "draw_maze",
    "draw_rooms",
    "exp",
    "native",
    "odds",
    "restore",
    "snapshot",
    "sqrt",
    "weighted",
]


def native(function: Callable[..., Any]) -> Any:
    """Compile a function once for all signed integers: numba would do so for each size, and for each constant."""
    compiled: Any = njit(nogil=True, error_model="numpy", forceinline=True)(function)
    template = compiled.get_call_template
    compiled.get_call_template = lambda given, named: template([_widened(kind) for kind in given], named)
    return compiled


def _widened(kind: Any) -> Any:
    numba_types: Any = types
    kind = numba_types.unliteral(kind)
    return types.int64 if isinstance(kind, numba_types.Integer) and kind.signed else kind


_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_11, _27, _30, _31, _32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))


@native
def next64(r: Any) -> Any:
    """Return the next 64 bits of the stream."""
    z = r[0] + _GAMMA
    r[0] = z
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@native
def draw(r: Any, n: Any) -> Any:
    """Return a whole number from 0 to ``n - 1``, each with the same chance; 0 < n <= 2**31."""
    size = np.uint64(n)
    m = (next64(r) >> _32) * size
    if m & _LOW < size:
        threshold = (_LOW + np.uint64(1) - size) % size
        while m & _LOW < threshold:
            m = (next64(r) >> _32) * size
    return np.int64(m >> _32)


@native
def odds(r: Any, wins: Any, of: Any) -> Any:
    """Return True with the chance ``wins / of``, exactly."""
    return draw(r, of) < wins


@native
def chance(r: Any, p: Any) -> Any:
    """Return True with the chance ``p``, to 53 bits."""
    return np.float64(next64(r) >> _11) * 1.1102230246251565e-16 < p


@native
def weighted(r: Any, totals: Any) -> Any:
    """Return an index with the chance of its weight; ``totals`` are the running sums of whole weights."""
    drawn = draw(r, totals[len(totals) - 1])
    index = 0
    while drawn >= totals[index]:
        index += 1
    return index


@native
def snapshot(s: Any) -> Any:
    """Return a copy of the state."""
    return s.copy()


@native
def restore(s: Any, kept: Any) -> None:
    """Put a copy back; by a loop, because numba compiles the message of a failed slice assignment for seconds."""
    for k in range(len(kept)):
        s[k] = kept[k]


@native
def exp(value: Any) -> Any:
    """Return the exponential, of at most 700."""
    return math.exp(min(value, 700.0))


@native
def sqrt(value: Any) -> Any:
    """Return the square root."""
    return math.sqrt(value)


@native
def blank(out: Any, count: Any, value: Any) -> None:
    """Let an observation show one value everywhere."""
    for k in range(count):
        out[k] = value


@native
def draw_maze(s: Any, r: Any, tile: Any, width: Any, height: Any, floor: Any, wall: Any) -> None:
    """Draw a perfect maze on the odd cells by a depth-first walk that takes unvisited neighbours at random."""
    for cell in range(width * height):
        s[tile + cell] = wall
    across, down = (width - 1) // 2, (height - 1) // 2
    came_from = np.full(across * down, -1, dtype=np.int64)
    here = draw(r, across * down)
    came_from[here] = here
    s[tile + (2 * (here // across) + 1) * width + 2 * (here % across) + 1] = floor
    while True:
        x, y = here % across, here // across
        count = 0
        for d in range(4):
            nx, ny = x + (d == 0) - (d == 2), y + (d == 1) - (d == 3)
            if 0 <= nx < across and 0 <= ny < down and came_from[ny * across + nx] < 0:
                count += 1
        if count == 0:
            if came_from[here] == here:
                break
            here = came_from[here]
            continue
        pick = draw(r, count)
        for d in range(4):
            nx, ny = x + (d == 0) - (d == 2), y + (d == 1) - (d == 3)
            if 0 <= nx < across and 0 <= ny < down and came_from[ny * across + nx] < 0:
                if pick == 0:
                    came_from[ny * across + nx] = here
                    s[tile + (y + ny + 1) * width + x + nx + 1] = floor
                    s[tile + (2 * ny + 1) * width + 2 * nx + 1] = floor
                    here = ny * across + nx
                    break
                pick -= 1


@native
def draw_rooms(s: Any, r: Any, tile: Any, width: Any, height: Any, floor: Any, wall: Any) -> None:
    """Draw walled rooms of 5 x 5 cells in a grid, neighbours joined by a gap at a random place of their wall."""
    for cell in range(width * height):
        x, y = cell % width, cell // width
        s[tile + cell] = wall if x % 6 == 0 or y % 6 == 0 else floor
    for y in range(0, height - 1, 6):
        for x in range(0, width - 1, 6):
            if x + 6 < width - 1:
                s[tile + (y + 1 + draw(r, 5)) * width + x + 6] = floor
            if y + 6 < height - 1:
                s[tile + (y + 6) * width + x + 1 + draw(r, 5)] = floor


@native
def draw_caves(s: Any, r: Any, tile: Any, width: Any, height: Any, floor: Any, wall: Any) -> None:
    """Draw caves: random ground smoothed four times, then the largest cave kept."""
    cells = width * height
    now = np.ones(cells, dtype=np.int64)
    for cell in range(cells):
        x, y = cell % width, cell // width
        if 0 < x < width - 1 and 0 < y < height - 1:
            now[cell] = 1 if draw(r, 100) < 45 else 0
    for _ in range(4):
        after = np.ones(cells, dtype=np.int64)
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                walls = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        walls += now[(y + dy) * width + x + dx]
                after[y * width + x] = 1 if walls >= 5 else 0
        now = after
    best_size, best = 0, -1
    cave = np.full(cells, -1, dtype=np.int64)
    queue = np.zeros(cells, dtype=np.int64)
    for start in range(cells):
        if now[start] == 0 and cave[start] < 0:
            cave[start] = start
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                here = queue[head]
                head += 1
                for d in range(4):
                    there = here + (d == 0) - (d == 2) + width * ((d == 1) - (d == 3))
                    if now[there] == 0 and cave[there] < 0:
                        cave[there] = start
                        queue[tail] = there
                        tail += 1
            if tail > best_size:
                best_size, best = tail, start
    if best < 0:
        best = (height // 2) * width + width // 2
        cave[best] = best
    for cell in range(cells):
        s[tile + cell] = floor if cave[cell] == best else wall
