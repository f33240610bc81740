"""Cells that conditions ask about: a pair of numbers may lie off the grid, and then nothing is there."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import pair_asked, place_of
from griddsl.lowering.clauses.naming import given
from griddsl.lowering.world.values import Value
from griddsl.program import ir
from griddsl.syntax import nodes as n


def cell_asked(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return the cell that a condition asks about: -1 for a pair that lies off the grid, where nothing is."""
    if isinstance(node, n.Given):
        return cell_asked(given(ctx, node), node.value)
    bound = ctx.scope.get(node.name) if isinstance(node, n.Name) else None
    if isinstance(bound, Value) and bound.asked is not None:
        return bound.asked
    place = place_of(ctx, node)
    return pair_asked(ctx, node, place) if place is not None and isinstance(node, n.Position) else place
