"""Reckoned: what numbers come to exactly, and the constants that a variant gives."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from griddsl.syntax import nodes as n

Scalar: TypeAlias = bool | int | float | Fraction | str

# What the operators of expressions do to exact numbers; the last three ask for a divisor that is not 0.
RECKONED: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "div": lambda left, right: Fraction(left // right),
    "mod": operator.mod,
}


def value_of(node: n.Expression) -> Scalar | None:
    """Return what an expression of constants alone is; a word stands for itself. None for any other."""
    match node:
        case n.Number(value) | n.Truth(value) | n.Text(value) | n.Name(value):
            return value
        case n.Random(None):
            return "random"
        case n.Negate(value):
            inner = value_of(value)
            return -inner if isinstance(inner, Fraction) else None
        case n.Arithmetic(sign, left, right):
            first, second = value_of(left), value_of(right)
            if not isinstance(first, Fraction) or not isinstance(second, Fraction):
                return None
            return None if sign not in "+-*" and not second else RECKONED[sign](first, second)
    return None
