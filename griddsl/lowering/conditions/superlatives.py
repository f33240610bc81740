"""The one of several: of which a number is the least or the most, or which is in a cell; and that number."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number, reads
from griddsl.lowering.clauses.things import finds, fits, for_each, is_cells, kinds_over, name_over
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.conditions.asked import cell_asked
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.conditions.ranging import tally, through, with_each_cell
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import CELL, NUMBER, Ref, Value, ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n

_FOUND = "what is there"  # a name that no spec can give


class _Search:
    """A search: ``found`` is the thing or cell of which the number is the least (or the most) so far, -1 at first."""

    def __init__(self, ctx: Context, most: bool, stem: str, last: int) -> None:
        self.found = ctx.variable(stem, ir.const(-1), -1, max(last, 0))
        self._ctx, self._most = ctx, most
        self._best: ir.Local | None = None

    def consider(
        self,
        inner: Context,
        where: n.Expression | None,
        number: n.Expression | None,
        index: ir.Expr,
        test: ir.Expr = ir.TRUE,
    ) -> None:
        """Emit, for a thing or cell of the loop, that it is the one found where its number is better.

        Without a number the first is found, and no more is asked of those behind it.
        """
        if number is None:
            test = ir.both(ir.lt(self.found, 0), test)
        if where is not None:
            test = ir.both(test, condition(inner, where, True))
        if number is None:
            inner.block.extend(ir.when(test, [ir.Let(self.found.name, index)]))
            return
        asked = inner.inner()
        value = evaluate_number(asked, number)
        if value is None:
            return
        value = asked.let("value", value)
        # It is set before the loop, and has a meaning once something is found.
        self._begin(value.type, value.low, value.high)
        self.take(asked, index, value)
        inner.block.extend(ir.when(test, asked.block))

    def _begin(self, type: ir.Type, low: float, high: float) -> None:
        zero = ir.Const(0.0, "real") if type == "real" else ir.const(0)
        self._best = self._ctx.variable("best", zero, min(0, low), max(0, high))

    def take(self, inner: Context, index: ir.Expr, value: ir.Expr) -> None:
        """Emit that a number is the best so far where it is better than the one before it, or the first."""
        assert self._best is not None
        worse = ir.compare(">" if self._most else "<", value, self._best)
        better = ir.either(ir.lt(self.found, 0), worse)
        inner.block.extend(ir.when(better, [ir.Let(self.found.name, index), ir.Let(self._best.name, value)]))

    def of_parts(self, parts: tuple[tuple[n.Expression | None, n.Expression], ...]) -> None:
        """Emit the search among numbers that stand one by one, each where its condition holds."""
        asked: list[tuple[Context, ir.Expr, Context, ir.Expr]] = []
        for where, node in parts:
            outer = self._ctx.inner()
            test = ir.TRUE if where is None else condition(outer, where, True)
            inner = outer.inner()
            value = evaluate_number(inner, node)
            if value is not None:
                asked.append((outer, test, inner, inner.let("value", value)))
        if not asked:
            return
        values = [value for *_, value in asked]
        is_real = any(value.type == "real" for value in values)
        self._begin("real" if is_real else "int", min(v.low for v in values), max(v.high for v in values))
        for outer, test, inner, value in asked:
            is_whole = is_real and value.type == "int"
            self.take(inner, ir.const(0), ir.as_float(value) if is_whole else value)
            outer.block.extend(ir.when(test, inner.block))
            self._ctx.block.extend(outer.block)

    def number(self) -> Value:
        """Return the number itself; 0 where nothing was found."""
        return Value(NUMBER, ir.const(0) if self._best is None else self._best)


@reads(n.Superlative)
def _place(ctx: Context, node: n.Superlative, _: ValueType | None) -> Value | None:
    """Return the cell that is meant, or the cell of the thing; -1 where there is none."""
    if is_cells(ctx, node.over):
        search = _Search(ctx, node.most, "spot", ctx.world.cells - 1)
        with_each_cell(ctx, lambda inner, here: search.consider(inner, node.where, node.value, here))
        return Value(CELL, search.found)
    ref = _thing(ctx, node)
    return None if ref is None else Value(CELL, cell_of(ctx, ref))


@finds(n.Superlative)
def _thing(ctx: Context, node: n.Superlative) -> Ref | None:
    """Return the thing that is meant; its index is -1 where none qualifies."""
    if is_cells(ctx, node.over):
        help = "a cell is a place, and no thing: `.x` and `.y` are its column and row"
        ctx.error("type", node.span, found="a cell", expected="a thing", help=help)
        return None
    sought = _among_things(ctx, node)
    if sought is None:
        return None
    (kind, *others), search = sought
    return Ref(kind, search.found, others=tuple(others), any_of=bool(others))


@reads(n.There)
def _place_there(ctx: Context, node: n.There, _: ValueType | None) -> Value | None:
    """Return the cell of the thing that is in a cell; -1 where none is."""
    ref = _there(ctx, node)
    return None if ref is None else Value(CELL, cell_of(ctx, ref))


@finds(n.There)
def _there(ctx: Context, node: n.There) -> Ref | None:
    """Return the thing of some kinds that is in a cell, the first where several are; its index is -1 where none is."""
    kinds, cell = kinds_over(ctx, node.over), cell_asked(ctx, node.at)
    if not kinds or cell is None:
        return None
    cell = ctx.let("there", cell)
    patterns = node.over.kinds if isinstance(node.over, n.OneOf) else (node.over,)
    found: ir.Expr = ir.const(-1)
    for kind, pattern in zip(kinds, patterns, strict=True):
        attributes = dict(pattern.arguments) if isinstance(pattern, n.Pattern) else {}
        inner = ctx.inner(block=ctx.block, scope=ctx.scope)
        test = found_in_cell(inner, cell, kind, attributes, _FOUND)
        ref = inner.scope[_FOUND]
        assert isinstance(ref, Ref)
        if len(kinds) > 1:  # the first of several is the one with the lowest number
            test = ir.both(test, ir.either(ir.lt(found, 0), ir.lt(ref.index, found)))
        found = ctx.let(kind.name, ir.select(test, ref.index, found))
    return Ref(kinds[0], found, others=tuple(kinds[1:]), any_of=len(kinds) > 1)


@reads(n.Best)
def _best(ctx: Context, node: n.Best, _: ValueType | None) -> Value | None:
    """Return the number itself, not what it is asked of."""
    if not is_cells(ctx, node.of.over):
        sought = _among_things(ctx, node.of)
        return None if sought is None else sought[1].number()
    search = _Search(ctx, node.of.most, "found", 0)
    with_each_cell(ctx, lambda inner, _: search.consider(inner, node.of.where, node.of.value, ir.const(0)))
    return search.number()


@reads(n.Tally)
def _tally(ctx: Context, node: n.Tally, _: ValueType | None) -> Value:
    if node.value is None or node.how == "sum":
        return tally(ctx, node)
    search, value = _Search(ctx, node.how == "max", "found", 0), node.value
    through(ctx, node.over, lambda inner: search.consider(inner, node.where, value, ir.const(0)))
    return search.number()


@reads(n.Extreme)
def _extreme(ctx: Context, node: n.Extreme, _: ValueType | None) -> Value:
    search = _Search(ctx, node.most, "found", 0)
    search.of_parts(node.parts)
    return search.number()


def _among_things(ctx: Context, node: n.Superlative) -> tuple[list[Kind], _Search] | None:
    """Return the kinds of the things that are gone through, and the search; None where they name no kind."""
    over = node.over
    kinds = kinds_over(ctx, over)
    if not kinds:
        return None
    kind, others = kinds[0], tuple(kinds[1:])
    size = {"tile": ctx.world.cells, "agent": len(ctx.world.agents)}.get(
        kind.category, ctx.writer.facts.capacity
    )
    search = _Search(ctx, node.most, kind.name, size - 1)

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(name_over(over), ref)
        search.consider(inner, node.where, node.value, ref.index, fits(inner, ref, over))

    for_each(ctx, kind, body, others=others)
    return kinds, search
