"""Ranging: conditions and sums over things, numbers and cells that a name goes through."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.diagnostics.codes import OF_NUMBERS
from griddsl.lowering.clauses.carrying import each_hand, hands_of
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.functions import computes, summing
from griddsl.lowering.clauses.meaning import condition, decides, evaluate_number
from griddsl.lowering.clauses.things import is_cells, resolve_thing
from griddsl.lowering.clauses.unknown.names import report_unknown
from griddsl.lowering.clauses.whereabouts import bind_cell, over_cells
from griddsl.lowering.conditions.finding import in_region, may_hold, quantified_over
from griddsl.lowering.world.values import CELL, NUMBER, Ref, Value
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

MOST_ROUNDS = 1_000_000


def through_cells(ctx: Context, body: Callable[[Context], None], loop: ir.Loop = ir.For) -> None:
    """Emit a loop over all cells, each called ``here``, ``x`` and ``y``."""
    with_each_cell(ctx, lambda inner, _: body(inner), loop)


def with_each_cell(ctx: Context, body: Callable[[Context, ir.Local], None], loop: ir.Loop = ir.For) -> None:
    """Emit the same loop, where the body is given the cell as well."""
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    inner = ctx.inner()
    bind_cell(inner, cell)
    body(inner, cell)
    over_cells(ctx, loop, cell, inner.block)


def through(
    ctx: Context, over: n.Ranging | n.Held, body: Callable[[Context], None], loop: ir.Loop = ir.For
) -> int:
    """Emit a loop over numbers, cells or what is held, each called as the clause says; return how many at most."""
    if isinstance(over, n.Held):
        return _through_held(ctx, over, body, loop)
    if over.name in ctx.world.kinds:
        _report_kind(ctx, over)
    if isinstance(over.domain, n.RangeDomain):
        return _through_numbers(ctx, over, over.domain, body, loop)
    (name,) = over.domain.values
    if not isinstance(name, n.Name) or name.name not in ctx.world.regions:
        report_unknown(ctx, getattr(name, "name", ""), over.domain.span)
        return 1
    cell = ir.Local(ctx.names.fresh(over.name), "int", 0, ctx.world.cells - 1)
    inner = ctx.inner()
    inner.bind(over.name, Value(CELL, cell))
    inside = inner.inner()
    body(inside)
    inner.block.extend(ir.when(in_region(inner, name.name, cell), inside.block))
    over_cells(ctx, loop, cell, inner.block)
    return ctx.world.cells


def _through_held(ctx: Context, over: n.Held, body: Callable[[Context], None], loop: ir.Loop) -> int:
    """Emit a loop over the things of a kind that something holds, each called as its kind is."""
    holder, kind = resolve_thing(ctx, over.holder), ctx.world.kinds.get(over.name)
    if kind is None:
        report_unknown(ctx, over.name, over.kind.span)
    if holder is None or kind is None or not may_hold(ctx, holder, kind, over, to_text(over)):
        return 1

    def one(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        thing = inner.let(kind.name, ir.load(slot, place))
        test = ir.both(ir.ge(thing, 0), ir.eq(ir.load(ctx.writer.object_kind, thing), kind.code))
        deeper = inner.inner()
        deeper.bind(kind.name, Ref(kind, thing))
        body(deeper)
        inner.block.extend(ir.when(test, deeper.block))

    each_hand(ctx, holder, one, loop)
    return hands_of(ctx, holder)[1]


def _report_kind(ctx: Context, over: n.Ranging) -> None:
    """Report a loop whose name is that of a kind, which would mean the numbers or cells that it goes through."""
    name, area = over.name, getattr(over.domain, "values", (None,))[0]
    help = f"`{name}` is a kind: choose another name, such as `my_{name}`"
    if isinstance(area, n.Name) and area.name in ctx.world.regions:
        help += f"; those that are there: `{name} where {name} on {over.domain.span.text}`"
    ctx.error("duplicate-name", over.span.word(name), name=name, help=help)


def _through_numbers(
    ctx: Context, over: n.Ranging, domain: n.RangeDomain, body: Callable[[Context], None], loop: ir.Loop
) -> int:
    low, high = evaluate_number(ctx, domain.low), evaluate_number(ctx, domain.high)
    if low is None or high is None:
        return 1
    reason = None
    if "real" in (low.type, high.type):
        reason = "what a name goes through are whole numbers"
    elif high.high < low.low and not any(isinstance(part, n.Name | n.Call) for part in walk(domain)):
        reason = f"the range {low.low:g}..{high.high:g} is empty"
    elif high.high - low.low >= MOST_ROUNDS:
        reason = f"a name goes through at most {MOST_ROUNDS:,} numbers"
    if reason is not None:
        ctx.error("bad-domain", domain.span, reason=reason)
        return 1
    low = ctx.let("low", low)
    count = ir.add(ir.sub(high, low), ir.const(1))
    # A range that is empty with these parameters is looked at as if it had one number: other faults there are faults.
    most = max(0, int(high.high - low.low) + 1)
    at = ir.Local(ctx.names.fresh("i"), "int", 0, max(0, most - 1))
    inner = ctx.inner()
    last = max(low.low, high.high)
    number = ir.claim(ir.add(low, at), low.low, last, "it lies between the ends of its range")
    inner.bind(over.name, Value(NUMBER, inner.let(over.name, number)))
    said = len(ctx.report.diagnostics)
    body(inner)
    if most == 0:
        ctx.report.forget(said, OF_NUMBERS)
    ctx.emit(loop(at.name, ir.const(0), ir.greatest((count, ir.const(0))), inner.block))
    return most


@decides(n.Some)
def _some(ctx: Context, node: n.Some, _: bool) -> ir.Expr:
    if not isinstance(node.over, n.Ranging | n.Held) and not is_cells(ctx, node.over):
        kind = n.Quantified(node.quantifier, node.over, node.span)
        return quantified_over(ctx, kind, lambda inner, ref: condition(inner, node.where, True), node)
    every = node.quantifier == "all"
    result = ctx.variable("all_hold" if every else "any_holds", ir.const(every), 0, 1)

    def body(inner: Context) -> None:
        test = condition(inner, node.where, True)
        test = ir.invert(test) if every else test
        inner.block.extend(ir.when(test, [ir.Hit()]))

    search = ir.all_of(result) if every else ir.any_of(result)
    if isinstance(node.over, n.Ranging | n.Held):
        through(ctx, node.over, body, search)
    else:
        through_cells(ctx, body, search)
    value = ir.Local(result.name, "bool", 0, 1)
    return ir.invert(value) if node.quantifier == "no" else value


def tally(ctx: Context, node: n.Tally) -> Value:
    """Return a count or a sum over numbers or cells."""

    def loop(body: Callable[[Context], None], sums: ir.Loop) -> int:
        return through(ctx, node.over, body, sums)

    return _summed(ctx, node.value, node.where, loop)


@computes("count of cells")
def _count_of_cells(ctx: Context, node: n.Call) -> Value:
    def loop(body: Callable[[Context], None], sums: ir.Loop) -> int:
        through_cells(ctx, body, sums)
        return ctx.world.cells

    return _summed(ctx, node.arguments[0] if node.name == "sum" else None, node.where, loop)


def _summed(
    ctx: Context,
    summand: n.Expression | None,
    where: n.Expression | None,
    loop: Callable[[Callable[[Context], None], ir.Loop], int],
) -> Value:
    """Return the sum of an expression (of ones where there is none) over what a loop goes through."""
    total = ctx.variable("total", ir.const(0))
    found: list[ir.Expr] = []

    def body(inner: Context) -> None:
        test = ir.TRUE if where is None else condition(inner, where, True)
        counted = inner.inner()
        value = ir.const(1) if summand is None else evaluate_number(counted, summand)
        if value is None:
            return
        found.append(value)
        counted.emit(ir.Hit(value))
        inner.block.extend(ir.when(test, counted.block))

    most = loop(body, summing(total, found, is_count=summand is None))
    if not found:
        return Value(NUMBER, ir.const(0))
    low, high = min(0, found[0].low * most), max(0, found[0].high * most)
    return Value(NUMBER, ir.Local(total.name, found[0].type, low, high))
