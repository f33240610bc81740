"""Maps drawn at reset, as `griddsl.program.drawing` draws them: the same draws in the same order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import axes, stream
from griddsl.backends.jax.arrays import Mask, Traced
from griddsl.program.stream import GAMMA

CAVE_TRIES, SMOOTHINGS, WALLS_IN_HUNDRED = 100, 4, 45
ROOM = 6  # cells from wall to wall


def _index(value: Traced) -> Traced:
    return lax.convert_element_type(value, np.int32)


def maze(
    counter: Traced, mask: Mask, width: int, height: int, floor: int, wall: int
) -> tuple[Traced, Traced]:
    """Return the tiles of a perfect maze and the counter after it: a depth-first walk over the odd cells."""
    across, down = (width - 1) // 2, (height - 1) // 2
    tiles = jnp.full(width * height, wall, np.int32)
    first, after = stream.draw(counter, across * down, mask)
    here = _index(first)
    came_from = jnp.full(across * down, -1, np.int32).at[here].set(here)
    tiles = tiles.at[(2 * (here // across) + 1) * width + 2 * (here % across) + 1].set(floor)
    dx, dy = np.array([1, 0, -1, 0], np.int32), np.array([0, 1, 0, -1], np.int32)

    def walks(state: Any) -> Traced:
        return state[0]

    def walk(state: Any) -> Any:
        _, counter, came_from, tiles, here = state
        x, y = here % across, here // across
        nx, ny = x + dx, y + dy
        inside = (nx >= 0) & (nx < across) & (ny >= 0) & (ny < down)
        there = jnp.where(inside, ny * across + nx, 0)
        fresh = inside & (came_from[there] < 0)
        count = fresh.sum(dtype=np.int32)
        stuck = count == 0
        pick, drawn = stream.draw(counter, jnp.maximum(count, 1), ~stuck)
        way = (jnp.cumsum(fresh, dtype=np.int32) <= _index(pick)).sum(dtype=np.int32)
        way = jnp.minimum(way, 3)
        to = there[way]
        back = came_from[here]
        came_from = jnp.where(stuck, came_from, came_from.at[to].set(here))
        between = (y + ny[way] + 1) * width + x + nx[way] + 1
        target = (2 * ny[way] + 1) * width + 2 * nx[way] + 1
        end = np.int32(width * height)  # nothing is written there
        places = jnp.where(stuck, end, jnp.stack([between, target]))
        tiles = tiles.at[places].set(floor, mode="drop")
        return (
            ~(stuck & (back == here)),
            jnp.where(stuck, counter, drawn),
            came_from,
            tiles,
            jnp.where(stuck, back, to),
        )

    start = (jnp.asarray(mask, np.bool_), after, came_from, tiles, here)
    _, after, _, tiles, _ = axes.while_loop(walks, walk, start)
    return tiles, jnp.where(mask, after, counter)


def rooms(
    counter: Traced, mask: Mask, width: int, height: int, floor: int, wall: int
) -> tuple[Traced, Traced]:
    """Return the tiles of rooms of 5 x 5 cells with gaps between neighbours, and the counter after them."""
    cells = np.arange(width * height)
    is_wall = (cells % width % ROOM == 0) | (cells // width % ROOM == 0)
    firsts: list[int] = []
    steps: list[int] = []
    for y in range(0, height - 1, ROOM):
        for x in range(0, width - 1, ROOM):
            if x + ROOM < width - 1:
                firsts.append((y + 1) * width + x + ROOM)
                steps.append(width)
            if y + ROOM < height - 1:
                firsts.append((y + ROOM) * width + x + 1)
                steps.append(1)
    tiles = jnp.asarray(np.where(is_wall, wall, floor).astype(np.int32))
    gaps, after = row_of_draws(counter, ROOM - 1, len(firsts), mask)
    places = np.array(firsts, np.int32) + gaps * np.array(steps, np.int32)
    return tiles.at[places].set(floor), jnp.where(mask, after, counter)


def row_of_draws(counter: Traced, n: int, count: int, mask: Mask) -> tuple[Traced, Traced]:
    """Return ``count`` numbers below ``n`` (int32), drawn one after the other, and the counter after them.

    They are found at once; where one of them is rejected, which is rare, they are drawn again one by one.
    """
    if count == 0:
        return jnp.zeros(0, np.int32), counter
    ahead = counter + jnp.arange(count, dtype=np.uint64) * np.uint64(GAMMA)
    words, _ = stream.word(ahead)
    products = (words >> np.uint64(32)) * np.uint64(n)
    rejected = ((products & np.uint64(0xFFFFFFFF)) < np.uint64((2**32 - n) % n)).any()
    found = _index(products >> np.uint64(32))
    end = counter + np.uint64(count * GAMMA % 2**64)

    def one_by_one(state: Any) -> Any:
        _, row, _ = state

        def one(k: Any, kept: Any) -> Any:
            row, counter = kept
            number, counter = stream.draw(counter, n)
            return row.at[k].set(_index(number)), counter

        row, after = axes.fori_loop(np.int32(0), np.int32(count), one, (row, counter))
        return jnp.asarray(False), row, after

    start = (rejected & jnp.asarray(mask, np.bool_), found, end)
    _, found, end = axes.while_loop(lambda state: state[0], one_by_one, start)
    return found, end


def caves(
    counter: Traced, mask: Mask, width: int, height: int, floor: int, wall: int
) -> tuple[Traced, Traced]:
    """Return the tiles of caves, of which the largest is kept, and the counter after them."""
    cells = np.arange(width * height)
    x, y = cells % width, cells // width
    inner = np.flatnonzero((x > 0) & (x < width - 1) & (y > 0) & (y < height - 1))
    is_inner = np.zeros(len(cells), np.bool_)
    is_inner[inner] = True
    enough = (width - 2) * (height - 2)

    def ground(counter: Traced) -> tuple[Traced, Traced]:
        drawn, counter = row_of_draws(counter, 100, len(inner), mask)
        now = jnp.ones(len(cells), np.int32).at[inner].set((drawn < WALLS_IN_HUNDRED).astype(np.int32))
        for _ in range(SMOOTHINGS):
            table = jnp.pad(now.reshape(height, width), 1, constant_values=1)
            walls = sum(
                table[dy : dy + height, dx : dx + width].ravel() for dy in range(3) for dx in range(3)
            )
            now = jnp.where(is_inner, (walls >= 5).astype(np.int32), 1)
        return now, counter

    def labelled(now: Traced) -> Traced:
        """Return for each cell of a cave the first cell of it; the number of cells for walls."""
        none = np.int32(len(cells))
        labels = jnp.where(now == 0, cells.astype(np.int32), none)

        def spread(state: Any) -> Any:
            _, labels = state
            table = jnp.pad(labels.reshape(height, width), 1, constant_values=none)
            least = labels
            for part in (table[:-2, 1:-1], table[2:, 1:-1], table[1:-1, :-2], table[1:-1, 2:]):
                least = jnp.minimum(least, part.ravel())
            # What the first cell of a label has come to know counts for all.
            least = jnp.minimum(least, jnp.append(least, none)[least])
            after = jnp.where(now == 0, least, none)
            return (after != labels).any(), after

        return axes.while_loop(lambda state: state[0], spread, (jnp.asarray(True), labels))[1]

    def again(state: Any) -> Any:
        tries, _, counter, _, _ = state
        now, counter = ground(counter)
        labels = labelled(now)
        sizes = jnp.zeros(len(cells) + 1, np.int32).at[labels].add(1)[:-1]
        best, most = lax.argmax(sizes, 0, np.int32), sizes.max()
        return tries + 1, 3 * most < enough, counter, labels, jnp.where(most > 0, best, -1)

    start = (
        jnp.asarray(0, np.int32),
        jnp.asarray(mask, np.bool_),
        counter,
        jnp.zeros(len(cells), np.int32),
        jnp.asarray(-1, np.int32),
    )
    _, _, after, labels, best = axes.while_loop(lambda s: s[1] & (s[0] < CAVE_TRIES), again, start)
    middle = (height // 2) * width + width // 2
    kept = jnp.where(best < 0, cells == middle, labels == best)
    return jnp.where(kept, floor, wall).astype(np.int32), jnp.where(mask, after, counter)


GENERATORS: dict[str, Callable[..., tuple[Traced, Traced]]] = {
    "draw_maze": maze,
    "draw_rooms": rooms,
    "draw_caves": caves,
}
