"""Constants: what is reckoned exactly, because numbers, parameters and sizes alone decide it."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.constants import FUNCTIONS, is_constant
from griddsl.program import ir
from griddsl.syntax import nodes as n

_FUNCTIONS = FUNCTIONS.keys() | {"exp", "sqrt"}


def is_exact(ctx: Context, node: n.Expression) -> bool:
    """Whether an expression is reckoned exactly: it is made of constants alone, as it is written.

    What the compiler happens to know, as where the only tile of a kind lies, makes nothing constant: the value of an
    expression, its type and what is drawn for it do not hang on how clever the compiler is.
    """
    changing = {*ctx.scope, *ctx.writer.variables, "step"}
    return is_constant(node, lambda name: name not in changing, _FUNCTIONS)


def as_decided(ctx: Context, node: n.Expression, values: list[ir.Expr]) -> list[ir.Expr]:
    """Return the numbers that an expression reckons with: where it is no constant, those that are known are floats.

    Whole numbers stay whole but for a quotient.
    """
    if not all(isinstance(value, ir.Const) for value in values) or is_exact(ctx, node):
        return values
    is_quotient = isinstance(node, n.Arithmetic) and node.operator == "/"
    if not is_quotient and all(value.type == "int" for value in values):
        return values
    return [ir.rounded(value) for value in values]
