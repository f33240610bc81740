"""Pairs of cells: what depends on where two cells lie to each other is looked up, on maps that are small enough.

To look a distance up takes a fifth of the time that its arithmetic takes. The tables hold the cell -1, of what is not
on the map, before the others; it lies at (-1, -1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.world import World
from griddsl.program import ir

MOST_CELLS = 128  # 16 kB a table in native code: a third of what a processor has at hand

Between: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


def are_tabled(world: World) -> bool:
    """Whether there is room for tables of all pairs."""
    return world.cells <= MOST_CELLS


def looked_up(writer: Writer, key: ir.Key, first: ir.Expr, second: ir.Expr, function: Between) -> ir.Expr:
    """Return the entry of a table for two cells: ``function(right, down)`` of the way from the first to the second."""
    world = writer.world
    if key not in writer.tables:
        cells = np.arange(-1, world.cells)
        x, y = (np.where(cells < 0, -1, part) for part in (cells % world.width, cells // world.width))
        right, down = (part[None, :] - part[:, None] for part in (x, y))
        writer.table(key, np.asarray(function(right, down)).reshape(-1))
    span = world.cells + 1
    place = ir.add(ir.add(ir.mul(first, ir.const(span)), second), ir.const(span + 1))
    return ir.lookup(writer.tables[key], place)
