"""Looking: what stands in functions and tests, for whoever goes through them."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.program.ir.expressions import Expr, Local, Op, parts
from griddsl.program.ir.statements import (
    Bind,
    For,
    ForEach,
    Function,
    If,
    Keep,
    Let,
    Reduce,
    Restore,
    statements,
    values_of,
)

NAMED = (Local, Let, Bind, For, ForEach, Reduce, Keep, Restore)  # what a local name stands in


def parts_of(function: Function) -> Iterator[Expr]:
    """Yield all expressions of a function, and everything in them."""
    for statement in statements(function.body):
        for value in values_of(statement):
            yield from parts(value)


def tests_of(statement: If) -> tuple[Expr, ...]:
    """Return the tests that an `If` joins by ``and``."""
    test = statement.test
    return test.values if isinstance(test, Op) and test.operator == "and" else (test,)
