"""Sharing: alternatives drawn by constant weights, or by whole numbers that the game decides."""

from __future__ import annotations

import math
from fractions import Fraction

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate_number
from griddsl.lowering.world.constants import is_constant
from griddsl.program import ir
from griddsl.syntax import nodes as n

MOST_EQUAL_CHANCES = 2**31


def is_known(ctx: Context, weight: n.Expression) -> bool:
    """Whether a weight is made of numbers and parameters alone."""
    return is_constant(weight, lambda name: name in ctx.world.params and name not in ctx.scope)


def report_weights(ctx: Context, domain: n.ChoiceDomain) -> None:
    """Report weights of some alternatives alone; `red | blue distinct` reads as one, and means the names."""
    distinct = any(isinstance(each, n.Name) and each.name == "distinct" for each in domain.weights)
    help = "`distinct` stands behind the names: `choose a, b distinct in ...`" if distinct else None
    ctx.error("bad-domain", domain.span, reason="give each alternative a weight, or none", help=help)


def by_shares(ctx: Context, domain: n.ChoiceDomain, largest: int) -> ir.Expr | None:
    """Return an index drawn by whole numbers that the game decides, one below 0 counting as none."""
    if any(weight is None for weight in domain.weights):
        report_weights(ctx, domain)
        return None
    totals: list[ir.Expr] = []
    for weight in domain.weights:
        value = None if weight is None else evaluate_number(ctx, weight)
        if value is None or weight is None:
            return None
        if value.type == "real":
            help = "shares are whole numbers: `good 10 * n | bad 3`"
            reason = "a weight that the game decides is a whole number"
            ctx.error("bad-domain", weight.span, reason=reason, help=help)
            return None
        share = ir.greatest((value, ir.const(0)))
        totals.append(ctx.let("total", ir.add(totals[-1], share) if totals else share))
    most = totals[-1].high
    if most > largest:
        ctx.error("bad-domain", domain.span, reason=f"weights add up to no more than {largest:,}")
        return None
    count = ir.greatest((totals[-1], ir.const(1)))
    drawn = ctx.let("drawn", ir.drawn(count, max(int(most), 1) - 1))
    which: ir.Expr = ir.const(0)
    for index in range(len(totals) - 1, -1, -1):
        which = ir.select(ir.lt(drawn, totals[index]), ir.const(index), which)
    return ctx.let("which", which)


def weighted(ctx: Context, weights: list[Fraction]) -> ir.Expr:
    """Return an index drawn by constant weights, exactly."""
    if len(weights) == 1:
        return ir.const(0)
    if len(set(weights)) == 1:
        return ctx.let("drawn", ir.drawn(ir.const(len(weights)), len(weights) - 1))
    scale = math.lcm(*(weight.denominator for weight in weights))
    if scale > MOST_EQUAL_CHANCES:
        return _one_after_another(ctx, weights)
    totals: list[int] = []
    for weight in weights:
        totals.append((totals[-1] if totals else 0) + int(weight * scale))
    listed = ctx.writer.new_table("CHANCES", totals)
    pick = ir.Draw("weighted", (), "int", 0, len(weights) - 1, listed)
    return ctx.let("drawn", pick)


def _one_after_another(ctx: Context, weights: list[Fraction]) -> ir.Expr:
    """Return an index drawn by weights without a small common denominator: each given that those before it are not."""
    last = len(weights) - 1
    pick = ctx.variable("drawn", ir.const(last), 0, last)
    block: ir.Block = []
    for index in reversed(range(last)):
        share = ir.Const(float(weights[index] / sum(weights[index:])), "real")
        block = [ir.If(ir.Draw("chance", (share,), "bool"), [ir.Let(pick.name, ir.const(index))], block)]
    ctx.block.extend(block)
    return pick
