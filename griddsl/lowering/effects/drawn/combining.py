"""Combining: several names that are drawn together, among the combinations of their values that qualify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.world.values import Value, ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n

MOST_COMBINATIONS = 1_000_000


@dataclass(slots=True)
class Domain:
    """A domain by number: how many values it has (``most`` at the most), the value of each, their whole weights."""

    type: ValueType
    count: ir.Expr
    most: int
    value: Callable[[ir.Expr], ir.Expr]
    weights: list[int] | None


def distinct(ctx: Context, effect: n.Choose, domain: Domain) -> list[ir.Expr]:
    """Draw numbers without replacement: each takes its place in a row, and the first left takes the place it leaves."""
    places: list[ir.Expr] = []
    moved: list[ir.Expr] = []

    def at(place: ir.Expr) -> ir.Expr:
        found = place
        for other, value in zip(places, moved, strict=True):
            found = ir.select(ir.eq(place, other), value, found)
        return found

    drawn: list[ir.Expr] = []
    for index in range(len(effect.names)):
        left = ir.greatest((ir.sub(domain.count, ir.const(index)), ir.const(1)))
        pick = ir.drawn(left, domain.most - 1 - index) if left != ir.const(1) else ir.const(0)
        place = ctx.let("place", ir.add(pick, ir.const(index)))
        drawn.append(ctx.let("drawn", at(place)))
        kept = ctx.let("moved", at(ir.const(index)))
        places.append(place)
        moved.append(kept)
    return drawn


def qualifying(ctx: Context, effect: n.Choose, domain: Domain) -> list[ir.Expr]:
    """List the combinations that qualify, and draw one of them."""
    size = domain.most ** len(effect.names)
    if size > MOST_COMBINATIONS:
        reason = f"{size:,} combinations are too many to look at; choose one after the other"
        ctx.error("bad-domain", effect.span, reason=reason)
        return []
    listed = ctx.writer.scratch(("COMBINATION", size), size, 0, size - 1)
    found = ctx.variable("found", ir.const(0), 0, size)
    which = _drawn_by_weight if domain.weights else _drawn_alike
    place = which(ctx, effect, domain, listed, found)
    first: ir.Expr = ir.load(listed, place)
    if ctx.stage != "setup":
        first = ir.select(ir.compare(">", found, ir.const(0)), first, ir.const(0))
    combination = ctx.let("combination", first)
    places = reversed(range(len(effect.names)))
    return [ir.mod(ir.div(combination, ir.const(domain.most**at)), ir.const(domain.most)) for at in places]


def _drawn_alike(
    ctx: Context, effect: n.Choose, domain: Domain, listed: ir.Slot, found: ir.Local
) -> ir.Local:
    """List what qualifies, and return the place of one that is drawn, each with the same chance."""
    loops = _loops(ctx, effect, domain)
    inner, number, _ = _combination(ctx, effect, domain, loops, None)
    tests = _tests(inner, effect, loops)
    body: ir.Block = [*inner.block, *ir.when(ir.both(*tests), [ir.Hit(number)])]
    _emit_loops(ctx, loops, domain, body, ir.collected(listed, found))
    size = listed.length
    which = ctx.variable("which", ir.const(0), 0, size - 1)
    _emit_drawn(ctx, effect, found, [ir.Let(which.name, ir.drawn(found, size - 1))])
    return which


def _drawn_by_weight(
    ctx: Context, effect: n.Choose, domain: Domain, listed: ir.Slot, found: ir.Local
) -> ir.Local:
    """List what qualifies, with the sums of weights so far, and return the place of one drawn by its weight."""
    size = listed.length
    weights = domain.weights or []
    heaviest = min(sum(weights) ** len(effect.names), ir.UNBOUNDED)
    total = ctx.variable("total", ir.const(0), 0, heaviest)
    loops = _loops(ctx, effect, domain)
    inner, number, weight = _combination(ctx, effect, domain, loops, ctx.writer.new_table("WEIGHTS", weights))
    tests = [*_tests(inner, effect, loops), ir.compare(">", weight, ir.const(0))]
    sums = ctx.writer.scratch(("WEIGHT_SUM", size), size, 0, heaviest)
    take: ir.Block = [
        ir.Store(listed, found, number),
        ir.Let(total.name, ir.claim(ir.add(total, weight), 0, heaviest, "each combination is added once")),
        ir.Store(sums, found, total),
        ir.Let(found.name, ir.Op("+", (found, ir.const(1)), "int", 0, size)),
    ]
    _emit_loops(ctx, loops, domain, [*inner.block, *ir.when(ir.both(*tests), take)], ir.For)
    which = ctx.variable("which", ir.const(0), 0, size - 1)
    index = ir.Local(ctx.names.fresh("i"), "int", 0, size - 1)
    drawn = ir.Local(ctx.names.fresh("weight"), "int", 0, heaviest - 1)
    weighs = ir.claim(total, 1, heaviest, "only what has a weight is found")
    is_it = ir.when(ir.compare("<", drawn, ir.load(sums, index)), [ir.Hit(index)])
    pick: ir.Block = [
        ir.Let(drawn.name, ir.drawn(weighs, heaviest - 1)),
        ir.first_of(which)(index.name, ir.const(0), found, is_it),
    ]
    _emit_drawn(ctx, effect, found, pick)
    return which


def _loops(ctx: Context, effect: n.Choose, domain: Domain) -> list[ir.Local]:
    """Return what goes through the domain, once for each name."""
    return [ir.Local(ctx.names.fresh("i"), "int", 0, domain.most - 1) for _ in effect.names]


def _combination(
    ctx: Context, effect: n.Choose, domain: Domain, loops: list[ir.Local], weights: ir.Table | None
) -> tuple[Context, ir.Expr, ir.Expr]:
    """Return where the names have the values of a combination, its number, and its weight."""
    inner = ctx.inner(stage="rule")
    number: ir.Expr = ir.const(0)
    weight: ir.Expr = ir.const(1)
    for name, loop in zip(effect.names, loops, strict=True):
        inner.bind(name, Value(domain.type, inner.let(name, domain.value(loop))))
        number = ir.add(ir.mul(number, ir.const(domain.most)), loop)
        if weights is not None:
            weight = ir.mul(weight, ir.lookup(weights, loop))
    return inner, number, weight


def _tests(inner: Context, effect: n.Choose, loops: list[ir.Local]) -> list[ir.Expr]:
    """Return what a combination has to be."""
    tests: list[ir.Expr] = []
    if effect.distinct:
        tests.extend(ir.ne(a, b) for index, a in enumerate(loops) for b in loops[:index])
    if effect.where is not None:
        tests.append(condition(inner, effect.where))
    return tests


def _emit_loops(
    ctx: Context, loops: list[ir.Local], domain: Domain, body: ir.Block, innermost: ir.Loop
) -> None:
    """Emit the loops around what is done for each combination."""
    made = innermost
    for loop in reversed(loops):
        body = [made(loop.name, ir.const(0), domain.count, body)]
        made = ir.For
    ctx.emit(*body)


def _emit_drawn(ctx: Context, effect: n.Choose, found: ir.Local, pick: ir.Block) -> None:
    """Emit the draw, if anything qualifies; nothing is a failure of setup."""
    names = ctx.report.as_written(", ".join(effect.names))
    failure = ir.Fail("no-place", effect.span, f"`{names}`\x00no combination qualifies")
    nothing: ir.Block = [failure] if ctx.stage == "setup" else []
    ctx.emit(ir.If(ir.compare(">", found, ir.const(0)), pick, nothing))
