"""Superlatives: the thing, or the cell, of which a number is the least or the most."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number, reads
from griddsl.lowering.clauses.things import finds, fits, for_each, is_cells, kinds_over, name_over
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.conditions.ranging import with_each_cell
from griddsl.lowering.world.values import CELL, Ref, Value, ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n


@reads(n.Superlative)
def _place(ctx: Context, node: n.Superlative, _: ValueType | None) -> Value | None:
    """Return the cell that is meant, or the cell of the thing; -1 where there is none."""
    if is_cells(ctx, node.over):
        return Value(CELL, _cell(ctx, node))
    ref = _thing(ctx, node)
    return None if ref is None else Value(CELL, cell_of(ctx, ref))


@finds(n.Superlative)
def _thing(ctx: Context, node: n.Superlative) -> Ref | None:
    """Return the thing that is meant; its index is -1 where none qualifies."""
    if is_cells(ctx, node.over):
        help = "a cell is a place, and no thing: `.x` and `.y` are its column and row"
        ctx.error("type", node.span, found="a cell", expected="a thing", help=help)
        return None
    kinds = kinds_over(ctx, node.over)
    if not kinds:
        return None
    kind, others = kinds[0], tuple(kinds[1:])
    last = {"tile": ctx.world.cells, "agent": len(ctx.world.agents)}.get(
        kind.category, ctx.writer.facts.capacity
    )
    found = ctx.variable(kind.name, ir.const(-1), -1, max(last, 1) - 1)
    consider = _better(ctx, node, found)

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(name_over(node.over), ref)
        consider(inner, ref.index, fits(inner, ref, node.over))

    for_each(ctx, kind, body, others=others)
    return Ref(kind, found, others=others, any_of=bool(others))


def _cell(ctx: Context, node: n.Superlative) -> ir.Expr:
    found = ctx.variable("spot", ir.const(-1), -1, ctx.world.cells - 1)
    consider = _better(ctx, node, found)
    with_each_cell(ctx, lambda inner, here: consider(inner, here, ir.TRUE))
    return found


def _better(
    ctx: Context, node: n.Superlative, found: ir.Local
) -> Callable[[Context, ir.Expr, ir.Expr], None]:
    """Return what emits, for a thing or cell of the loop, that it is the one found where its number is better."""

    def consider(inner: Context, index: ir.Expr, test: ir.Expr) -> None:
        if node.where is not None:
            test = ir.both(test, condition(inner, node.where, True))
        asked = inner.inner()
        value = evaluate_number(asked, node.value)
        if value is None:
            return
        value = asked.let("value", value)
        # It is set before the loop, and has a meaning once something is found.
        zero = ir.Const(0.0, "real") if value.type == "real" else ir.const(0)
        best = ctx.variable("best", zero, min(0, value.low), max(0, value.high))
        better = ir.either(ir.lt(found, 0), ir.compare(">" if node.most else "<", value, best))
        take: ir.Block = [ir.Let(found.name, index), ir.Let(best.name, value)]
        asked.block.extend(ir.when(better, take))
        inner.block.extend(ir.when(test, asked.block))

    return consider
