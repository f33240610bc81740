"""Sight lines: whether nothing opaque stands on the straight line between two cells."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import blocks
from griddsl.lowering.clauses.whereabouts import column, row
from griddsl.lowering.state.writer import Writer
from griddsl.program import ir


def in_sight(ctx: Context, first: ir.Expr, second: ir.Expr) -> ir.Expr:
    """Return whether a cell is in sight from another; both are on the map."""
    writer = ctx.writer
    name = writer.function_name(("in_sight",))
    if name not in writer.functions:
        _define(writer, name)
    last = writer.world.cells - 1
    ends = (ir.within(ctx.let("cell", end), 0, last) for end in (first, second))
    return ir.call(name, *ends, type="bool", low=0, high=1)


def _define(writer: Writer, name: str) -> None:
    """Define the search for what is opaque in the cells that the line between two middles passes through.

    A cell that is ``i`` columns and ``j`` rows from the first on a line of ``across`` and ``down`` is passed through
    where ``2 * |i * down - j * across| < across + down``: where they are equal, the line touches its corner alone.
    """
    world = writer.world
    ctx = new_function(writer, "rule", name, "first", "second")
    doc = "Whether nothing opaque stands between the middles of two cells."
    writer.functions[name] = ir.function(name, ("first", "second"), ctx.block, doc)
    first, second = (ir.Local(each, "int", 0, world.cells - 1) for each in ("first", "second"))
    width, height = world.width, world.height
    x, y = ctx.let("x", column(ctx, first)), ctx.let("y", row(ctx, first))
    right = ctx.let("right", ir.sub(column(ctx, second), x))
    below = ctx.let("below", ir.sub(row(ctx, second), y))
    across, down = ctx.let("across", ir.absolute(right)), ctx.let("down", ir.absolute(below))
    both = ctx.let("both", ir.add(across, down))
    hidden = ctx.variable("hidden", ir.const(0), 0, 1)
    i = ir.Local(ctx.names.fresh("i"), "int", 0, width - 1)
    outer = ctx.inner()
    twice = ir.greatest((ir.mul(ir.const(2), across), ir.const(1)))
    middle = outer.let("middle", ir.mul(ir.mul(ir.const(2), i), down))
    is_upright = ir.eq(across, 0)
    # The rows of this column that the line passes through; in a column alone, all of them.
    low = ir.add(ir.div(ir.sub(middle, both), twice), ir.const(1))
    high = ir.sub(ir.div(ir.add(ir.add(middle, both), ir.sub(twice, ir.const(1))), twice), ir.const(1))
    top = outer.let("top", ir.select(is_upright, ir.const(0), ir.greatest((low, ir.const(0)))))
    bottom = outer.let("bottom", ir.select(is_upright, down, ir.least((high, down))))
    step = ir.Local(ctx.names.fresh("j"), "int", 0, height - 1)
    body = outer.inner()
    on_line = "the line lies between its ends"
    j = body.let("row", ir.claim(ir.add(top, step), 0, height - 1, on_line))
    there_x = ir.claim(ir.add(x, ir.select(ir.lt(right, 0), ir.neg(i), i)), 0, width - 1, on_line)
    there_y = ir.claim(ir.add(y, ir.select(ir.lt(below, 0), ir.neg(j), j)), 0, height - 1, on_line)
    cell = body.let("cell", ir.add(ir.mul(there_y, ir.const(width)), there_x))
    asked = body.inner()
    asked.block.extend(ir.when(blocks(asked, cell, "opaque"), [ir.Let(hidden.name, ir.const(1))]))
    body.block.extend(ir.when(ir.both(ir.ne(cell, first), ir.ne(cell, second)), asked.block))
    count = ir.greatest((ir.add(ir.sub(bottom, top), ir.const(1)), ir.const(0)))
    rows = ir.claim(count, 0, height, on_line)
    outer.emit(ir.For(step.name, ir.const(0), rows, body.block))
    ctx.emit(ir.For(i.name, ir.const(0), ir.add(across, ir.const(1)), outer.block))
    ctx.emit(ir.Return((ir.eq(hidden, 0),)))
