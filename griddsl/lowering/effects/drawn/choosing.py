"""Choosing: ``choose`` draws values and gives them names, for the episode in setup, for the block in a rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from griddsl.diagnostics import Label
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate, evaluate_number
from griddsl.lowering.conditions.cells import random_cell
from griddsl.lowering.effects.drawn.combining import Domain, distinct, qualifying
from griddsl.lowering.effects.drawn.picking import is_no_domain, pick, picked_kind
from griddsl.lowering.effects.drawn.sharing import by_shares, is_known, report_weights, weighted
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.state.writer import Stored
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.domains import LARGEST, spelled_out
from griddsl.lowering.world.kinds import ARTICLES
from griddsl.lowering.world.values import (
    CELL,
    NUMBER,
    Kinds,
    Texts,
    Truths,
    Value,
    ValueType,
    Words,
)
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.printer import to_text


@performs(n.Choose, Traits(draws=True))
def _choose(ctx: Context, effect: n.Choose) -> None:
    """Emit the draws of one ``choose``."""
    for name in effect.names:
        _check_name(ctx, name, effect)
    _draw(ctx, effect)
    kept = {*ctx.scope, *ctx.writer.variables}
    ctx.writer.notes.reported.update(name for name in effect.names if name not in kept)


def _draw(ctx: Context, effect: n.Choose) -> None:
    if is_no_domain(ctx, effect):
        return
    of = picked_kind(ctx, effect)
    if of is not None:
        pick(ctx, effect, of, keep)
        return
    if isinstance(effect.domain, n.RandomCell):
        drawn: list[ir.Expr] = []
        for name in effect.names:
            but = drawn if effect.distinct else ()
            drawn.append(random_cell(ctx, effect.domain, None, f"`{name}`", called=name, but=but))
            keep(ctx, name, Value(CELL, drawn[-1]), effect)
        return
    if effect.where is None and not effect.distinct:
        for name in effect.names:
            value = draw_value(ctx, effect.domain)
            if value is not None:
                keep(ctx, name, value, effect)
        return
    _choose_among(ctx, effect, effect.domain)


def _check_name(ctx: Context, name: str, effect: n.Choose) -> None:
    world, writer = ctx.world, ctx.writer
    if name in RESERVED:
        help = f"choose another, such as `my_{name}`"
        ctx.error("reserved-name", effect.span.word(name), name=name, help=help)
    elif name in world.params or (name in world.kinds and world.kinds[name].declared):
        what = "parameter" if name in world.params else f"kind, {ARTICLES[world.kinds[name].category]}"
        help = f"`{name}` is a {what}: choose another name, such as `my_{name}`"
        ctx.error("duplicate-name", effect.span.word(name), name=name, help=help)
    elif name in writer.variables and writer.variables[name].domain is not None:
        ctx.error(
            "duplicate-name", effect.span.word(name), name=name, help="a variable changes by `=` or `becomes`"
        )


def keep(ctx: Context, name: str, value: Value, effect: n.Choose | n.Place) -> None:
    """Bind a chosen value: in a slot of the state in setup, in a local in a rule."""
    if ctx.stage != "setup":
        ctx.bind(name, Value(value.type, ctx.let(name, value.expr)))
        return
    writer = ctx.writer
    if value.expr.type == "real":
        help = "choose among whole numbers and divide where it is read: `choose n in 1 | 3`, and `n / 2`"
        ctx.error("fraction", effect.span.word(name), name=name, help=help)
        return
    if name in writer.variables:
        variable = writer.variables[name]
        if variable.type != value.type:
            help = f"it was drawn from something else before: choose another name, such as `{name}_2`"
            labels = [Label(variable.span.word(name), "it is chosen here")]
            ctx.error("duplicate-name", effect.span.word(name), name=name, labels=labels, help=help)
            return
        writer.widen(variable.slot, value.expr)
    else:
        low, high = int(max(value.expr.low, -ir.UNBOUNDED)), int(min(value.expr.high, ir.UNBOUNDED))
        type: ir.Type = "bool" if isinstance(value.type, Truths) else "int"
        first = (min(max(low, 0), high),)  # what it is where the branch that chooses is not taken
        slot = writer.slot((keys.CHOSEN, name), 1, low, high, type=type, initial=first)
        variable = Stored(name, slot, value.type, None, effect.span)
        writer.variables[name] = variable
    ctx.emit(ir.Store(variable.slot, ir.const(0), value.expr))


def draw_value(ctx: Context, domain: n.Domain) -> Value | None:
    """Return a value drawn from a domain: equal chances, or by the weights it gives."""
    if isinstance(domain, n.RangeDomain):
        bounds = _bounds(ctx, domain)
        if bounds is None:
            return None
        low, high = bounds
        count = _count(low, high)
        drawn = ctx.let("drawn", ir.drawn(count, count.high - 1)) if count != ir.const(1) else ir.const(0)
        value = ir.add(low, drawn)
        return Value(NUMBER, _limited(value, low.low, high.high))
    domain = _spelled_out(ctx, domain)
    listed = alternatives(ctx, domain)
    if listed is None:
        return None
    type, values = listed
    if any(weight is not None and not is_known(ctx, weight) for weight in domain.weights):
        which = by_shares(ctx, domain, LARGEST)
        return None if which is None else Value(type, _one_of(values, which))
    weights = _weights(ctx, domain)
    if weights is None:
        return None
    return Value(type, _drawn_of(ctx, values, weights))


def _spelled_out(ctx: Context, domain: n.ChoiceDomain) -> n.ChoiceDomain:
    world = ctx.world
    return spelled_out(domain, {*ctx.scope, *ctx.writer.variables, *world.params, *world.kinds}, ctx.report)


def _count(low: ir.Expr, high: ir.Expr) -> ir.Expr:
    count = ir.add(ir.sub(high, low), ir.const(1))
    return ir.claim(count, 1, count.high, "a range is never empty")


def _limited(value: ir.Expr, low: float, high: float) -> ir.Expr:
    return ir.claim(value, low, high, "what is drawn from a range lies in it")


def _bounds(ctx: Context, domain: n.RangeDomain) -> tuple[ir.Expr, ir.Expr] | None:
    low, high = evaluate_number(ctx, domain.low), evaluate_number(ctx, domain.high)
    if low is None or high is None:
        return None
    if low.type == "real" or high.type == "real":
        ctx.error("bad-domain", domain.span, reason="a range to choose from has whole numbers")
        return None
    if min(low.low, high.low) < -LARGEST or max(low.high, high.high) > LARGEST:
        ctx.error("bad-domain", domain.span, reason=f"numbers lie within -{LARGEST:,} and {LARGEST:,}")
        return None
    if high.high < low.low:
        ctx.error("bad-domain", domain.span, reason=f"the range {low.low:g}..{high.high:g} is empty")
        return None
    if high.low < low.high:
        high = ir.greatest((high, low))
    return ctx.let("low", low), ctx.let("high", high)


def _numbered(words: Sequence[str]) -> list[ir.Expr]:
    """Return the number of each word, the same for one that stands twice."""
    known = list(dict.fromkeys(words))
    return [ir.const(known.index(word)) for word in words]


def alternatives(ctx: Context, domain: n.ChoiceDomain) -> tuple[ValueType, list[ir.Expr]] | None:
    """Return the type that the alternatives share, and each as a value of it."""
    nodes = domain.values
    world, writer = ctx.world, ctx.writer
    if all(isinstance(node, n.Text) for node in nodes):
        texts = tuple(node.value for node in nodes if isinstance(node, n.Text))
        return Texts(tuple(dict.fromkeys(texts))), _numbered(texts)
    if all(isinstance(node, n.Name) for node in nodes):
        names = tuple(node.name for node in nodes if isinstance(node, n.Name))
        known = [name in ctx.scope or name in writer.variables or name in world.params for name in names]
        if not any(known):
            if all(name in world.kinds for name in names):
                return Kinds(tuple(dict.fromkeys(names))), _numbered(names)
            return Words(tuple(dict.fromkeys(names))), _numbered(names)
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
    if any(weight is None for weight in domain.weights):
        report_weights(ctx, domain)
        return None
    weights = [weight for weight in given if weight is not None]
    if len(weights) < len(given):
        return None
    if all(weight.denominator == 1 and weight >= 0 for weight in weights) and sum(weights) > 0:
        return [weight / sum(weights) for weight in weights]  # whole numbers are shares
    if sum(weights) != 1:
        total = f"{float(sum(weights)):g}"
        ctx.error(
            "bad-chances",
            domain.span,
            total=total,
            wrong="not to 1",
            help="change one of them, so that they do",
        )
        return None
    return weights


def _drawn_of(ctx: Context, values: list[ir.Expr], weights: list[Fraction]) -> ir.Expr:
    return _one_of(values, weighted(ctx, weights))


def _one_of(values: list[ir.Expr], which: ir.Expr) -> ir.Expr:
    """Return the value of a number."""
    if all(value == ir.const(index) for index, value in enumerate(values)):
        return which
    chosen = values[-1]
    for index in range(len(values) - 2, -1, -1):
        chosen = ir.select(ir.eq(which, index), values[index], chosen)
    return chosen


def _counted(ctx: Context, domain: n.Domain) -> Domain | None:
    if isinstance(domain, n.RangeDomain):
        bounds = _bounds(ctx, domain)
        if bounds is None:
            return None
        low, high = bounds
        count = ctx.let("count", _count(low, high))
        most = int(high.high - low.low) + 1
        return Domain(NUMBER, count, most, lambda i: _limited(ir.add(low, i), low.low, high.high), None)
    listed = alternatives(ctx, domain)
    moving = next((each for each in domain.weights if each is not None and not is_known(ctx, each)), None)
    if moving is not None:
        what, where = "a weight that the game decides", "beside `where` or `distinct`"
        ctx.error("wrong-place", moving.span, what=what, where=where)
        return None
    weights = _weights(ctx, domain)
    if listed is None or weights is None:
        return None
    type, values = listed
    scale = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights] if len(set(weights)) > 1 else None
    return Domain(type, ir.const(len(values)), len(values), lambda i: _one_of(values, i), whole)


def _choose_among(ctx: Context, effect: n.Choose, among: n.Domain) -> None:
    """Draw all names together among the combinations that qualify, each with its chance."""
    among = among if isinstance(among, n.RangeDomain) else _spelled_out(ctx, among)
    domain = _counted(ctx, among)
    if domain is None:
        return
    said = [to_text(value) for value in among.values] if isinstance(among, n.ChoiceDomain) else []
    twice = next((place for place, text in enumerate(said) if text in said[:place]), None)
    if effect.distinct and twice is not None and isinstance(among, n.ChoiceDomain):
        reason = f"`{said[twice]}` stands twice among what is to be drawn `distinct`"
        ctx.error("bad-domain", among.values[twice].span, reason=reason)
        return
    if effect.distinct and len(effect.names) > domain.most:
        reason = f"{len(effect.names)} distinct values cannot come from {domain.most}"
        ctx.error("bad-domain", effect.span, reason=reason)
        return
    if effect.where is None and domain.weights is None:
        digits = distinct(ctx, effect, domain)
    else:
        digits = qualifying(ctx, effect, domain)
    for name, digit in zip(effect.names, digits, strict=False):
        keep(ctx, name, Value(domain.type, domain.value(ctx.let(name, digit))), effect)
