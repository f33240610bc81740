"""Choosing: ``choose`` draws values and gives them names, for the episode in setup, for the block in a rule."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from griddsl.lowering.cells import random_cell
from griddsl.lowering.context import Context
from griddsl.lowering.domains import constant_number
from griddsl.lowering.expressions import evaluate, evaluate_number
from griddsl.lowering.relations import condition
from griddsl.lowering.values import (
    CELL,
    NUMBER,
    TRUTH,
    Cells,
    Kinds,
    Numbers,
    Texts,
    Truths,
    Value,
    ValueType,
    Words,
)
from griddsl.lowering.world import Variable
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED

MOST_REDRAWS = 10_000


def choose(ctx: Context, effect: n.Choose) -> None:
    """Emit the draws of one ``choose``."""
    for name in effect.names:
        _check_name(ctx, name, effect)
    _draw(ctx, effect)
    kept = {*ctx.scope, *ctx.world.variables}
    ctx.world.reported.update(name for name in effect.names if name not in kept)


def _draw(ctx: Context, effect: n.Choose) -> None:
    if isinstance(effect.domain, n.RandomCell):
        for name in effect.names:
            keep(ctx, name, Value(CELL, random_cell(ctx, effect.domain, None, f"`{name}`")), effect)
        return
    if effect.where is None and not effect.distinct:
        for name in effect.names:
            value = draw_value(ctx, effect.domain)
            if value is not None:
                keep(ctx, name, value, effect)
        return
    _choose_among(ctx, effect)


def _check_name(ctx: Context, name: str, effect: n.Choose) -> None:
    world = ctx.world
    if name in RESERVED:
        help = f"choose another, such as `my_{name}`"
        ctx.error("reserved-name", effect.span.word(name), name=name, help=help)
    elif name in world.params or (name in world.kinds and world.kinds[name].declared):
        ctx.error("duplicate-name", effect.span.word(name), name=name)
    elif name in world.variables and world.variables[name].domain is not None:
        ctx.error("duplicate-name", effect.span.word(name), name=name, help="a variable changes by `=` or `becomes`")


def keep(ctx: Context, name: str, value: Value, effect: Any) -> None:
    """Bind a chosen value: in a slot of the state in setup, in a local in a rule."""
    if ctx.stage != "setup":
        ctx.bind(name, Value(value.type, ctx.let(name, value.expr)))
        return
    world = ctx.world
    if name in world.variables:
        variable = world.variables[name]
        if variable.type != value.type:
            ctx.error("duplicate-name", effect.span, name=name)
            return
        widen(variable.slot, value.expr)
    else:
        low, high = int(max(value.expr.low, -ir.UNBOUNDED)), int(min(value.expr.high, ir.UNBOUNDED))
        type: ir.Type = "bool" if isinstance(value.type, Truths) else "int"
        slot = world.slot(f"CHOSEN_{name.upper()}", 1, low, high, type=type)
        variable = Variable(name, slot, value.type, None, effect.span)
        world.variables[name] = variable
    ctx.emit(ir.Store(variable.slot, ir.const(0), value.expr))


def widen(slot: ir.Slot, expr: ir.Expr) -> None:
    """Let a slot's range cover an expression."""
    object.__setattr__(slot, "low", int(min(slot.low, expr.low)))
    object.__setattr__(slot, "high", int(max(slot.high, expr.high)))


def draw_value(ctx: Context, domain: Any) -> Value | None:
    """Return a value drawn from a domain: equal chances, or by the weights it gives."""
    if isinstance(domain, n.RangeDomain):
        bounds = _bounds(ctx, domain)
        if bounds is None:
            return None
        low, high = bounds
        count = ir.add(ir.sub(high, low), ir.const(1))
        drawn = (
            ctx.let("drawn", ctx.runtime("draw", count, high=count.high - 1))
            if count != ir.const(1)
            else ir.const(0)
        )
        value = ir.add(low, drawn)
        return Value(NUMBER, _limited(value, low.low, high.high))
    listed = alternatives(ctx, domain)
    if listed is None:
        return None
    type, values = listed
    weights = _weights(ctx, domain)
    if weights is None:
        return None
    return Value(type, _drawn_of(ctx, values, weights))


def _limited(value: ir.Expr, low: float, high: float) -> ir.Expr:
    match value:
        case ir.Op(operator, values, type):
            return ir.Op(operator, values, type, low, high)
    return value


def _bounds(ctx: Context, domain: n.RangeDomain) -> tuple[ir.Expr, ir.Expr] | None:
    low, high = evaluate_number(ctx, domain.low), evaluate_number(ctx, domain.high)
    if low is None or high is None:
        return None
    if low.type == "real" or high.type == "real":
        ctx.error("bad-domain", domain.span, reason="a range to choose from has whole numbers")
        return None
    if high.high < low.low:
        ctx.error("bad-domain", domain.span, reason=f"the range {low.low:g}..{high.high:g} is empty")
        return None
    if high.low < low.high:
        high = ir.greatest((high, low))
    return ctx.let("low", low), ctx.let("high", high)


def alternatives(ctx: Context, domain: n.ChoiceDomain) -> tuple[ValueType, list[ir.Expr]] | None:
    """Return the type that the alternatives share, and each as a value of it."""
    nodes = domain.values
    world = ctx.world
    if all(isinstance(node, n.Text) for node in nodes):
        texts = tuple(node.value for node in nodes if isinstance(node, n.Text))
        return Texts(texts), [ir.const(i) for i in range(len(texts))]
    if all(isinstance(node, n.Name) for node in nodes):
        names = tuple(node.name for node in nodes if isinstance(node, n.Name))
        known = [name in ctx.scope or name in world.variables or name in world.params for name in names]
        if not any(known):
            if all(name in world.kinds for name in names):
                world.used_names.update(names)
                return Kinds(names), [ir.const(i) for i in range(len(names))]
            return Words(names), [ir.const(i) for i in range(len(names))]
    values = [evaluate(ctx, node) for node in nodes]
    if any(value is None for value in values):
        return None
    found = [value for value in values if value is not None]
    type = found[0].type
    if all(value.type == type for value in found):
        return type, [value.expr for value in found]
    ctx.error(
        "bad-domain",
        domain.span,
        reason="the alternatives are not of one kind: numbers, words, kinds, cells or texts",
    )
    return None


def _weights(ctx: Context, domain: n.ChoiceDomain) -> list[Fraction] | None:
    if all(weight is None for weight in domain.weights):
        return [Fraction(1, len(domain.values))] * len(domain.values)
    given = [
        constant_number(w, ctx.world.params, ctx.report) if w is not None else None for w in domain.weights
    ]
    if any(weight is None for weight in given):
        ctx.error("bad-domain", domain.span, reason="give each alternative a weight, or none")
        return None
    weights = [weight for weight in given if weight is not None]
    if sum(weights) != 1:
        total = f"{float(sum(weights)):g}"
        ctx.error("bad-chances", domain.span, total=total, wrong="not to 1", help="change one of them, so that they do")
        return None
    return weights


def _drawn_of(ctx: Context, values: list[ir.Expr], weights: list[Fraction]) -> ir.Expr:
    which = weighted(ctx, weights)
    if all(value == ir.const(index) for index, value in enumerate(values)):
        return which
    chosen = values[-1]
    for index in range(len(values) - 2, -1, -1):
        chosen = ir.select(ir.eq(which, index), values[index], chosen)
    return chosen


def weighted(ctx: Context, weights: list[Fraction]) -> ir.Expr:
    """Return an index drawn by constant weights, exactly."""
    if len(weights) == 1:
        return ir.const(0)
    if len(set(weights)) == 1:
        return ctx.let("drawn", ctx.runtime("draw", ir.const(len(weights)), high=len(weights) - 1))
    import math

    scale = math.lcm(*(weight.denominator for weight in weights))
    totals: list[int] = []
    for weight in weights:
        totals.append((totals[-1] if totals else 0) + int(weight * scale))
    listed = ctx.world.table(f"CHANCES_{len(ctx.world.tables)}", totals)
    pick = ir.Call("weighted", (ir.Local("r"), ir.Local(listed.name)), False, "int", 0, len(weights) - 1)
    return ctx.let("drawn", pick)


def _choose_among(ctx: Context, effect: n.Choose) -> None:
    """Draw all names together among the combinations that qualify: draw again until they do."""
    tries = ctx.variable("tries", ir.const(0), 0, MOST_REDRAWS)
    inner = ctx.inner(stage="rule")
    values: list[tuple[str, Value]] = []
    for name in effect.names:
        value = draw_value(inner, effect.domain)
        if value is None:
            return
        local = inner.let(name, value.expr)
        if not isinstance(local, ir.Local):
            fresh = inner.names.fresh(name)
            inner.emit(ir.Let(fresh, local))
            local = ir.Local(fresh, value.expr.type, value.expr.low, value.expr.high)
        bound = Value(value.type, local)
        inner.bind(name, bound)
        values.append((name, bound))
    tests: list[ir.Expr] = []
    if effect.distinct:
        size = values[0][1].expr.high - values[0][1].expr.low + 1
        if len(values) > size:
            ctx.error(
                "bad-domain", effect.span, reason=f"{len(values)} distinct values cannot come from {size:g}"
            )
            return
        tests.extend(
            ir.Op("!=", (a.expr, b.expr), "bool", 0, 1)
            for i, (_, a) in enumerate(values)
            for _, b in values[:i]
        )
    if effect.where is not None:
        tests.append(condition(inner, effect.where))
    one_more = ir.Op("+", (tries, ir.const(1)), "int", 0, MOST_REDRAWS)
    inner.emit(ir.Let(tries.name, one_more))
    inner.block.extend(ir.when(ir.both(*tests), [ir.Break()]))
    if ctx.stage == "setup":
        names = ", ".join(effect.names)
        failure = ir.Fail("no-place", effect.span, f"`{names}`\x00no combination qualifies")
        inner.emit(ir.If(ir.ge(tries, MOST_REDRAWS), [failure], []))
    else:
        inner.emit(ir.If(ir.ge(tries, MOST_REDRAWS), [ir.Break()], []))
    for _, value in values:
        assert isinstance(value.expr, ir.Local)
        ctx.emit(ir.Let(value.expr.name, ir.FALSE if value.type == TRUTH else ir.const(int(value.expr.low))))
    ctx.emit(ir.While(ir.TRUE, inner.block))
    for name, value in values:
        keep(ctx, name, value, effect)
