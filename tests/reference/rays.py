"""Rays: how far straight lines go, and what they hit (section 12 of the reference)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from griddsl.syntax import nodes as n
from tests.reference.compass import STEPS
from tests.reference.expressions import cell_of, number
from tests.reference.named import named
from tests.reference.scope import Scope
from tests.reference.sight import agents_meant, appears, stack

FACINGS = (
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    0,
    Fraction(3, 8),
    Fraction(5, 8),
    Fraction(7, 8),
    Fraction(1, 8),
)


def rays(node: n.Rays, scope: Scope) -> Any:
    """Return how far each line goes, and with a list what it hits."""
    world, agent = scope.here, scope.agent
    count = int(number(node.count, scope))
    widest = max(world.game.width, world.game.height)
    reach = widest if node.reach is None else int(number(node.reach, scope))
    first = FACINGS[agent.facing] if world.game.has_facing else 0
    found = [_hit(node, first + Fraction(way, count), reach, scope) for way in range(count)]
    most = max(min(reach + 1, widest), len(node.hits))
    dtype = np.uint8 if most <= 255 else np.int64
    return np.array(found if node.hits else [far for far, _ in found], dtype=dtype)


def _hit(node: n.Rays, turn: Fraction, reach: int, scope: Scope) -> tuple[int, int]:
    world = scope.here
    here = cell_of(scope.agent, scope)
    kinds = [named(agents_meant(kind, scope)) for kind in node.hits]
    for x, y in _passed(turn, reach, max(world.game.width, world.game.height)):
        far, place = max(abs(x), abs(y)), (here.x + x, here.y - y)
        if not world.is_inside(*place):
            return far, next((i for i, kind in enumerate(kinds, 1) if kind.name == "wall"), 0)
        cell = world.cell(*place)
        for i, kind in enumerate(kinds, 1):
            if any(appears(being, kind, [], scope) for being in stack(cell, scope)):
                return far, i
        if world.blocks(cell, "opaque"):
            return far, 0
    return reach + 1, 0


def _passed(turn: Fraction, reach: int, widest: int) -> list[tuple[int, int]]:
    """Return the cells that a line goes through, by columns to the east and rows to the north, in their order."""
    s, c = math.sin(2 * math.pi * turn), math.cos(2 * math.pi * turn)
    if (turn * 8).denominator == 1:  # exactly along rows, columns or diagonals
        way = next(way for way, share in enumerate(FACINGS) if share == turn % 1)
        s, c = STEPS[way][0], -STEPS[way][1]
    around = range(-min(reach, widest), min(reach, widest) + 1)
    cells = [
        (x, y)
        for x in around
        for y in around
        if abs(x * c - y * s) < (abs(s) + abs(c)) / 2 and x * s + y * c > 0
    ]
    return sorted(cells, key=lambda cell: (max(map(abs, cell)), cell[0] * s + cell[1] * c))
