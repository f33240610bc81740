"""Noise: smooth hills and hollows over the columns and rows, from whole numbers alone, the same on every backend.

No product is above 2^31, so that 32 bits hold them all. A cube modulo `PRIME` is a permutation, because 3 does not
divide `PRIME - 1`.
"""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.meaning import evaluate_whole
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import NUMBER, Value
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

PRIME = 46337
PARTS = 128  # between a corner and the next a weight takes so many steps
LARGEST_SCALE = 255


@computes("noise")
def _noise(ctx: Context, node: n.Call) -> Value | None:
    if (
        len(node.arguments) != 4
        or node.each is not None
        or node.where is not None
        or node.avoiding is not None
    ):
        return wrong_arguments(ctx, node)
    found = [evaluate_whole(ctx, argument) for argument in node.arguments]
    given = [value for value in found if value is not None]
    if len(given) < 4:
        return None
    x, y, scale, seed = given
    if scale.low < 1 or scale.high > LARGEST_SCALE:
        asked = node.arguments[2]
        reason = f"a scale is a number of cells from 1 to {LARGEST_SCALE}"
        help = (
            f"`min({LARGEST_SCALE}, max(1, {to_text(asked)}))` stays within"
            if scale.low < scale.high
            else None
        )
        ctx.error("bad-value", asked.span, reason=reason, help=help)
        return None
    name = ctx.writer.function_name(("noise",))
    if name not in ctx.writer.functions:
        _define(ctx.writer, name)
    most = (PRIME - 1) * PARTS * PARTS
    high = ir.call(name, x, y, scale, ir.mod(seed, ir.const(PRIME)), low=0, high=most)
    return Value(NUMBER, ir.quotient(ctx.let("height", high), ir.const(most)))


def _define(writer: Writer, name: str) -> None:
    """Define the height at a place: of four corners, of which each has a height of its own, the smooth mean."""
    ctx = new_function(writer, "rule", "noise", "x", "y", "scale", "seed")
    writer.functions[name] = ir.function(
        name, ("x", "y", "scale", "seed"), ctx.block, "Smooth noise at a column and a row."
    )
    wide = ir.UNBOUNDED
    x, y = ir.Local("x", "int", -wide, wide), ir.Local("y", "int", -wide, wide)
    scale, seed = ir.Local("scale", "int", 1, LARGEST_SCALE), ir.Local("seed", "int", 0, PRIME - 1)
    column, row = (ctx.let("corner", ir.mod(ir.div(each, scale), ir.const(PRIME))) for each in (x, y))
    right, below = (_weight(ctx, ir.mod(each, scale), scale) for each in (x, y))
    corner = _corner(writer)
    heights = [
        [
            ctx.let("height", ir.call(corner, _next(column, dx), _next(row, dy), seed, low=0, high=PRIME - 1))
            for dx in (0, 1)
        ]
        for dy in (0, 1)
    ]
    top, bottom = (ctx.let("side", _mean(left, other, right)) for left, other in heights)
    ctx.emit(ir.Return((_mean(top, bottom, below),)))


def _next(corner: ir.Expr, step: int) -> ir.Expr:
    return corner if step == 0 else ir.mod(ir.add(corner, ir.const(1)), ir.const(PRIME))


def _weight(ctx: Context, part: ir.Expr, scale: ir.Expr) -> ir.Expr:
    """Return how much of the next corner there is, in `PARTS`: `3 t^2 - 2 t^3`, rounded down."""
    t = ctx.let("part", ir.claim(part, 0, LARGEST_SCALE - 1, "it is below the scale"))
    square = ir.mul(t, t)
    rise = ir.mul(ir.mul(square, ir.sub(ir.mul(ir.const(3), scale), ir.mul(ir.const(2), t))), ir.const(PARTS))
    cube = ir.mul(ir.mul(scale, scale), scale)
    return ctx.let("weight", ir.claim(ir.div(rise, cube), 0, PARTS - 1, "a part is below the whole"))


def _mean(first: ir.Expr, second: ir.Expr, weight: ir.Expr) -> ir.Expr:
    mixed = ir.add(ir.mul(first, ir.sub(ir.const(PARTS), weight)), ir.mul(second, weight))
    return ir.claim(mixed, 0, max(first.high, second.high) * PARTS, "a mean lies between the two")


def _corner(writer: Writer) -> str:
    """Return the function that gives each corner a height, 0 to `PRIME - 1`."""
    name = writer.function_name(("noise_corner",))
    if name in writer.functions:
        return name
    ctx = new_function(writer, "rule", "noise", "column", "row", "seed")
    column, row, seed = (ir.Local(each, "int", 0, PRIME - 1) for each in ("column", "row", "seed"))
    height = _cubed(ctx, ir.add(seed, ir.const(7)))
    height = _cubed(ctx, ir.add(height, column))
    height = _cubed(ctx, ir.add(ir.add(height, row), ir.const(1009)))
    height = _cubed(ctx, ir.add(ir.mul(height, ir.const(3)), ir.const(271)))
    ctx.emit(ir.Return((height,)))
    return define(
        writer, ctx, ("noise_corner",), ("column", "row", "seed"), "The height of a corner of noise."
    )


def _cubed(ctx: Context, value: ir.Expr) -> ir.Expr:
    base = ctx.let("base", ir.mod(value, ir.const(PRIME)))
    square = ctx.let("square", ir.mod(ir.mul(base, base), ir.const(PRIME)))
    return ctx.let("cube", ir.mod(ir.mul(square, base), ir.const(PRIME)))
