"""Neighbours: the cell beside each cell, by the rule of the border and the walls between cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import STEPS
from griddsl.lowering.world.maps.level import Level
from griddsl.lowering.world.world import World

THIN_WALL = -2


def neighbours(world: World, level: Level, direction: int, edge: str = "") -> NDArray[np.int64]:
    """Return the cell beside each cell in a direction; negative where no move is possible.

    ``edge`` is the rule of the border where it is not that of the spec.
    """
    edge = edge or world.spec.edge
    dx, dy = STEPS[direction]
    cell = np.arange(world.cells)
    x, y = cell % world.width + dx, cell // world.width + dy
    if edge == "wrap":
        found = (y % world.height) * world.width + x % world.width
    elif edge == "clip":
        found = np.clip(y, 0, world.height - 1) * world.width + np.clip(x, 0, world.width - 1)
        found = np.where(found == cell, -1, found)
    else:
        inside = (x >= 0) & (x < world.width) & (y >= 0) & (y < world.height)
        found = np.where(inside, y * world.width + x, -1)
    for place, side in level.barriers:
        here, there = (place, place + (1 if side == 0 else world.width))
        if direction == side:
            found[here] = THIN_WALL
        if direction == side + 2:
            found[there] = THIN_WALL
    if direction > 3 and level.barriers:
        _stop_at_corners(world, level, found, (dx, dy), edge)
    return found


def _stop_at_corners(
    world: World, level: Level, found: NDArray[np.int64], step: tuple[int, int], edge: str
) -> None:
    """Stop diagonal moves whose both ways around the corner, across first and down first, are walled."""
    across = neighbours(world, level, 0 if step[0] > 0 else 2, edge)
    down = neighbours(world, level, 1 if step[1] > 0 else 3, edge)
    corners = {c for cell, _ in level.barriers for c in _around(world, cell)}
    for cell in corners:
        beside, below = int(across[cell]), int(down[cell])
        target = int(found[cell])
        if target < 0:
            continue
        if cell // world.width == target // world.width or cell % world.width == target % world.width:
            # Clipped at the border: what is left of it is a straight move.
            straight = across if cell // world.width == target // world.width else down
            if straight[cell] < 0:
                found[cell] = THIN_WALL
            continue
        across_first = beside >= 0 and down[beside] >= 0
        down_first = below >= 0 and across[below] >= 0
        if not across_first and not down_first:
            found[cell] = THIN_WALL


def _around(world: World, cell: int) -> list[int]:
    """Return the cells from which a diagonal move can pass an edge of this cell."""
    x, y = cell % world.width, cell // world.width
    return [
        there_y * world.width + there_x
        for there_x in range(max(0, x - 1), min(world.width, x + 2))
        for there_y in range(max(0, y - 1), min(world.height, y + 2))
    ]


def entered(ways: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return from which cell a step comes into each, -1 for none; None where it comes into one from several."""
    (leaving,) = np.nonzero(ways >= 0)
    targets = ways[leaving]
    if len(np.unique(targets)) < len(targets):
        return None
    found = np.full(len(ways), -1)
    found[targets] = leaving
    return found


def after(ways: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """Return to which cell so many steps lead from each; negative where one of them is not possible."""
    found = ways
    for _ in range(steps - 1):
        found = np.where(found >= 0, ways[found], found)
    return found


def longest(ways: NDArray[np.int64]) -> int:
    """Return how many cells at most lie one behind the other, each the one to which a step leads."""
    start = np.arange(len(ways))
    here, count = start, 1
    while count < len(ways):
        here = np.where(here >= 0, ways[here], -1)
        if not ((here >= 0) & (here != start)).any():
            break
        count += 1
    return count
