"""Joining: what is said kind by kind, put together as what is said of all of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from griddsl.source import Span
from griddsl.spec.desugar.members import Member
from griddsl.syntax import nodes as n


def joined(
    quantifier: str, members: tuple[Member, ...], node: n.Expression, said: Callable[..., n.Expression]
) -> n.Expression:
    """Return what is said of all, any or no thing of a group, kind by kind."""
    takes_name = said.__code__.co_argcount == 2
    tests = []
    for member in members:
        test = said(member.kind, member.called) if takes_name else said(member.kind)
        if member.guard is not None:
            guarded = (member.guard, test) if quantifier == "any" else (n.Not(member.guard, node.span), test)
            test = n.Logic("and" if quantifier == "any" else "or", guarded, node.span)
        tests.append(test)
    if not tests:
        return n.Truth(quantifier != "any", node.span)
    if len(tests) == 1:
        return n.Not(n.Not(tests[0], node.span), node.span)
    return n.Logic(
        "or" if quantifier == "any" else "and",
        tuple(n.Not(n.Not(each, node.span), node.span) for each in tests),
        node.span,
    )


def added_up(parts: list[n.Expression], span: Span) -> n.Expression:
    """Return the sum of numbers; 0 where there are none."""
    total = parts[0] if parts else zero(span)
    for part in parts[1:]:
        total = n.Arithmetic("+", total, part, span)
    return total


def zero(span: Span) -> n.Number:
    """Return 0, as if it stood in a place."""
    return n.Number(Fraction(0), "0", span)


def both(guard: n.Expression | None, condition: n.Expression | None) -> n.Expression | None:
    """Return a guard and a condition as one condition; None where there is neither."""
    if guard is None or condition is None:
        return guard or condition
    return n.Logic("and", (guard, condition), condition.span)
