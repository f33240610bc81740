"""Cells that conditions ask about: a pair of numbers may lie off the grid, and then nothing is there."""

from __future__ import annotations

from typing import Any

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.meaning import evaluate_number
from griddsl.lowering.clauses.naming import given
from griddsl.program import ir
from griddsl.syntax import nodes as n


def cell_asked(ctx: Context, node: Any) -> ir.Expr | None:
    """Return the cell that a condition asks about: -1 for a pair that lies off the grid, where nothing is."""
    if isinstance(node, n.Given):
        return cell_asked(given(ctx, node), node.value)
    place = place_of(ctx, node)
    if place is None or not isinstance(node, n.Position):
        return place
    x, y = evaluate_number(ctx, node.x), evaluate_number(ctx, node.y)
    if x is None or y is None:
        return None
    sides = ((x, ctx.world.width), (y, ctx.world.height))
    inside = ir.both(*(test for value, size in sides for test in (ir.ge(value, 0), ir.lt(value, size))))
    if inside == ir.TRUE:
        return place
    return ctx.let("cell", ir.select(inside, place, ir.const(-1)))
