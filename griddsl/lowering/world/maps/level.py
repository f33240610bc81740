"""A level: one map as arrays of tiles, objects and agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from griddsl.lowering.world.kinds import Kind
from griddsl.source import Span
from griddsl.syntax import nodes as n

MOST_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Thing:
    """An object or an agent as drawn: its cell, and its attributes where the legend gives them.

    What another object carries is on no cell (-1); ``holder`` is that one's place among the objects.
    """

    kind: Kind
    cell: int
    attributes: Mapping[str, n.Expression]
    holder: int | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One map: ``tiles`` holds a kind's code a cell, ``barriers`` the walls on edges (cell, direction).

    ``glyphs`` is the drawing, one character a cell; empty where nothing was drawn. ``over`` are those of what lies on
    it, layer by layer, where that is drawn apart.
    """

    name: str | None
    width: int
    height: int
    tiles: NDArray[np.int32]
    span: Span
    objects: tuple[Thing, ...] = ()
    starts: tuple[Thing, ...] = ()
    tile_patterns: tuple[tuple[int, Kind, dict[str, n.Expression]], ...] = ()
    barriers: frozenset[tuple[int, int]] = frozenset()
    glyphs: str = ""
    over: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and of rows."""
        return self.width, self.height
