"""Constants: what is reckoned exactly, because numbers, parameters and sizes alone decide it."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.program import ir
from griddsl.syntax import nodes as n

_MADE_OF = (
    n.Number
    | n.Truth
    | n.Arithmetic
    | n.Compare
    | n.Is
    | n.Logic
    | n.Not
    | n.Negate
    | n.IfElse
    | n.Name
    | n.Call
)
_FUNCTIONS = {"min", "max", "abs", "exp", "sqrt"}


def is_constant(ctx: Context, node: n.Expression) -> bool:
    """Whether an expression is made of constants alone, as it is written.

    What the compiler happens to know, as where the only tile of a kind lies, makes nothing constant: the value of an
    expression, its type and what is drawn for it do not hang on how clever the compiler is.
    """
    return all(
        isinstance(part, _MADE_OF)
        and (not isinstance(part, n.Name) or _is_known(ctx, part.name))
        and (not isinstance(part, n.Call) or part.name in _FUNCTIONS)
        for part in n.walk(node)
    )


def _is_known(ctx: Context, name: str) -> bool:
    if name in ctx.scope or name in ctx.writer.variables:
        return False
    return name != "step"


def as_decided(ctx: Context, node: n.Expression, values: list[ir.Expr]) -> list[ir.Expr]:
    """Return the numbers that an expression reckons with: where it is no constant, those that are known are floats.

    Whole numbers stay whole but for a quotient.
    """
    if not all(isinstance(value, ir.Const) for value in values) or is_constant(ctx, node):
        return values
    is_quotient = isinstance(node, n.Arithmetic) and node.operator == "/"
    if not is_quotient and all(value.type == "int" for value in values):
        return values
    return [ir.rounded(value) for value in values]
