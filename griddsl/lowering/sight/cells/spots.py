"""Spots: the cells that things speak of, as planes show them: where a car was, where a bullet will be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_whole
from griddsl.lowering.clauses.naming import given
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.conditions.asked import cell_asked
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n

Use: TypeAlias = Callable[[Context, ir.Expr], None]


def each_spot(ctx: Context, node: n.CellsFor, use: Use, loop: ir.Loop = ir.For) -> None:
    """Emit loops over the things that ``cell for kind where condition`` speaks of; ``use`` takes each one's cell.

    A pair that lies off the grid is no cell of it, and nothing is done for it.
    """
    kind = kind_called(ctx, node.over)
    if kind is None:
        return
    asked = dict(node.over.arguments) if isinstance(node.over, n.Pattern) else {}

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(kind.name, ref)
        test = matches(inner, ref, asked)
        if node.where is not None:
            test = ir.both(test, condition(inner, node.where, True))
        there = inner.inner(scope=inner.scope)
        found = _cell(there, node.cell)
        if found is not None:
            cell, is_cell = found
            used = there.inner(scope=there.scope)
            use(used, cell)
            there.block.extend(ir.when(is_cell, used.block))
        inner.block.extend(ir.when(test, there.block))

    for_each(ctx, kind, body, loop=loop)
    if node.others is not None:
        each_spot(ctx, node.others, use, loop)


def _cell(ctx: Context, node: n.Expression) -> tuple[ir.Expr, ir.Expr] | None:
    """Return a cell, and whether it is one of the grid."""
    if isinstance(node, n.Given):
        return _cell(given(ctx, node), node.value)
    width, height = ctx.world.width, ctx.world.height
    if not isinstance(node, n.Position):
        place = cell_asked(ctx, node)
        if place is None:
            return None
        cell = ctx.let("spot", place)
        return ir.within(cell, 0, ctx.world.cells - 1), ir.ge(cell, 0)
    x, y = evaluate_whole(ctx, node.x), evaluate_whole(ctx, node.y)
    if x is None or y is None:
        return None
    x, y = ctx.let("spot_x", x), ctx.let("spot_y", y)
    tests = [
        test for value, size in ((x, width), (y, height)) for test in (ir.ge(value, 0), ir.lt(value, size))
    ]
    x, y = ir.within(x, 0, width - 1), ir.within(y, 0, height - 1)
    return ir.add(ir.mul(y, ir.const(width)), x), ir.both(*tests)
