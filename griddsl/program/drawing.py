"""Maps drawn at reset: loops in the subset that every backend runs, so that each is written once.

Each draws a map of ``width`` by ``height`` cells into the state from the slot ``tile`` on, with the tiles ``floor`` and
``wall``. `with_draws` gives them other random draws.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from griddsl.program.runtime import draw
from griddsl.program.stream import Stream


def draw_maze(s: list[int], r: Stream, tile: int, width: int, height: int, floor: int, wall: int) -> None:
    """Draw a perfect maze on the odd cells by a depth-first walk that takes unvisited neighbours at random."""
    for cell in range(width * height):
        s[tile + cell] = wall
    across, down = (width - 1) // 2, (height - 1) // 2
    came_from = [-1] * (across * down)
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


def draw_rooms(s: list[int], r: Stream, tile: int, width: int, height: int, floor: int, wall: int) -> None:
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


def cave_ground(r: Stream, width: int, height: int) -> list[int]:
    """Return random ground (1 for wall, 45 % of it) smoothed four times by the majority of neighbours."""
    cells = width * height
    now = [1] * cells
    for cell in range(cells):
        x, y = cell % width, cell // width
        inside = 0 < x < width - 1 and 0 < y < height - 1
        if inside:
            now[cell] = 1 if draw(r, 100) < 45 else 0
    for _ in range(4):
        after = [1] * cells
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                walls = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        walls += now[(y + dy) * width + x + dx]
                after[y * width + x] = 1 if walls >= 5 else 0
        now = after
    return now


def draw_caves(s: list[int], r: Stream, tile: int, width: int, height: int, floor: int, wall: int) -> None:
    """Draw caves: smoothed ground of which the largest cave is kept, so that every floor cell can be reached; drawn
    again, up to 100 times, while the cave is smaller than a third of the ground inside the border.
    """
    cells = width * height
    cave = [-1] * cells
    queue = [0] * cells
    best = -1
    for _ in range(100):
        now = cave_ground(r, width, height)
        best_size, best = 0, -1
        for cell in range(cells):
            cave[cell] = -1
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
        if 3 * best_size >= (width - 2) * (height - 2):
            break
    if best < 0:
        best = (height // 2) * width + width // 2
        cave[best] = best
    for cell in range(cells):
        s[tile + cell] = floor if cave[cell] == best else wall


LOOPS: dict[str, Callable[..., None]] = {
    "draw_maze": draw_maze,
    "draw_rooms": draw_rooms,
    "draw_caves": draw_caves,
}


def with_draws(
    draw: Callable[..., Any], made: Callable[[Any], Any] = lambda function: function
) -> dict[str, Callable[..., None]]:
    """Return the loops, by name, with another ``draw``; ``made`` is given each function, to compile it."""

    def remade(function: Any, **names: Any) -> Any:
        return made(FunctionType(function.__code__, {"draw": draw, **names}, function.__name__))

    ground = remade(cave_ground)
    return {name: remade(function, cave_ground=ground) for name, function in LOOPS.items()}
