"""``each`` within a block: its effects for every thing of a kind, every cell, or every value of a domain."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.clauses.things import fits, for_each, is_cells, kinds_over, name_over, objects_end
from griddsl.lowering.clauses.unknown.names import no_kind
from griddsl.lowering.clauses.whereabouts import bind_cell, cell_of
from griddsl.lowering.conditions.ranging import through, through_cells, with_each_cell
from griddsl.lowering.effects.marching import march
from griddsl.lowering.effects.relocation import settle, settle_one
from griddsl.lowering.facts.made import turns_to_other_layers
from griddsl.lowering.facts.sent import settles
from griddsl.lowering.rules.coming import may_come, with_what_hears
from griddsl.lowering.rules.keeping import changes_kinds, most_turns, refresh, turn_of
from griddsl.lowering.rules.performing import perform, performs
from griddsl.lowering.traits import Traits, effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n

_WIDEST = 2**31 - 1  # keys that are whole numbers are kept as such


def sends_on(effect: n.Each | n.Repeat) -> bool:
    """Whether what a round sends elsewhere, which goes there before the next, may be met by what removes it."""
    return any(can.moves for _, can in effects_in(effect.body))


@performs(n.Each, Traits(holds=True, repeats=True, loses=sends_on))
def _each(ctx: Context, effect: n.Each) -> None:
    changes = ctx.after_changes or changes_kinds((effect,))
    ctx = ctx.inner(block=ctx.block, after_changes=changes)
    if isinstance(effect.over, n.Ranging):
        name = effect.over.name
        if name in ctx.scope or name in ctx.writer.variables or name in ctx.world.params:
            help = f"`{name}` means something here already: choose another name, such as `my_{name}`"
            ctx.error("duplicate-name", effect.over.span.word(name), name=name, help=help)
            return
        through(ctx, effect.over, lambda inner: _carried_out(inner, effect))
    elif is_cells(ctx, effect.over):
        _each_cell(ctx, effect)
    else:
        _each_thing(ctx, effect)


def _carried_out(ctx: Context, effect: n.Each, test: ir.Expr = ir.TRUE, ref: Ref | None = None) -> None:
    """Emit one round, where it is due; in a loop over objects it is that of ``ref``."""
    if effect.where is not None:
        test = ir.both(test, condition(ctx, effect.where, binds=True))
    done = ctx.inner(scope=ctx.scope)
    perform(done, effect.body)
    settle_round(done, effect.body, ref)
    ctx.block.extend(ir.when(test, done.block))


def settle_round(ctx: Context, body: tuple[n.Effect, ...], ref: Ref | None = None) -> None:
    """Emit that what a round of a loop sends elsewhere goes there, where the rule is one of those after all moves.

    ``ref`` is the object that the round is about.
    """
    if not ctx.settles_rounds or not settles(ctx.world, body):
        return
    if ctx.goes_alone and ref is not None:
        settle_one(ctx, ref, turns_to_other_layers(ctx.world))
    else:
        settle(ctx)
    refresh(ctx)


def _each_cell(ctx: Context, effect: n.Each) -> None:
    if effect.by is None:
        through_cells(ctx, lambda inner: _carried_out(inner, effect))
        return
    size = ctx.world.cells
    row = _Row(ctx, size)

    with_each_cell(ctx, lambda inner, here: row.note(inner, effect, here, ir.const(1)))

    def run(inner: Context, cell: ir.Expr) -> None:
        bind_cell(inner, cell)
        _carried_out(inner, effect)

    _in_order(ctx, effect, row, run)


def _each_thing(ctx: Context, effect: n.Each) -> None:
    over = effect.over
    if not isinstance(over, n.Name | n.Pattern | n.OneOf):
        no_kind(ctx, over)
        return
    kinds = kinds_over(ctx, over)
    if not kinds:
        return
    if march(ctx, effect, kinds):
        return
    kind, others = kinds[0], tuple(kinds[1:])

    def run(inner: Context, ref: Ref) -> None:
        inner.looped = name_over(over)
        inner.bind(inner.looped, ref)
        _carried_out(inner, effect, fits(inner, ref, over), ref if kind.category == "object" else None)

    if effect.by is None and not any(_may_come(ctx, effect, each) for each in kinds):
        for_each(ctx, kind, run, acts=True, others=others)
        return
    size = max(ctx.world.cells, ctx.writer.facts.capacity, len(ctx.world.agents))
    row = _Row(ctx, size)
    end = objects_end(ctx) if kind.category == "object" else ir.const(size)
    ctx.emit(*_cleared(ctx, row.due, size, end))

    def ask(inner: Context, ref: Ref) -> None:
        inner.bind(name_over(over), ref)
        if effect.by is not None:
            place = inner.let("place", cell_of(inner, ref))
            bind_cell(inner, ir.within(place, 0, ctx.world.cells - 1))
        row.note(inner, effect, ref.index, turn_of(inner, ref))

    for_each(ctx, kind, ask, acts=True, others=others)
    if effect.by is None:

        def marked(inner: Context, ref: Ref) -> None:
            deeper = inner.inner()
            run(deeper, ref)
            is_due = ir.eq(ir.load(row.due, ref.index), turn_of(inner, ref))
            inner.block.extend(ir.when(is_due, deeper.block))

        for_each(ctx, kind, marked, acts=True, others=others)
        return
    _in_order(ctx, effect, row, lambda inner, index: _if_there(inner, kinds, index, run), end, kind)


def _may_come(ctx: Context, effect: n.Each, kind: Kind) -> bool:
    """Whether a round can bring more of a kind onto the map, by itself or by the events of what it sends."""
    clauses = with_what_hears(ctx.world, (effect,)) if ctx.settles_rounds else effect.body
    return may_come(ctx.world, clauses, kind)


def _if_there(ctx: Context, kinds: list[Kind], index: ir.Expr, run: Callable[[Context, Ref], None]) -> None:
    """Emit what is done to a thing, by its number, where it still is one of these kinds that is on the map."""
    kind = kinds[0]
    if kind.category == "object":
        writer, there = ctx.writer, ctx.inner()
        run(there, Ref(kind, index, others=tuple(kinds[1:]), any_of=len(kinds) > 1))
        code = ir.load(writer.object_kind, index)
        is_of_kind = ir.either(*(ir.eq(code, each.code) for each in kinds))
        is_on_map = ir.ge(ir.load(writer.object_cell, index), 0)
        ctx.block.extend(ir.when(ir.both(is_of_kind, is_on_map), there.block))
        return

    def same(inner: Context, ref: Ref) -> None:
        deeper = inner.inner()
        run(deeper, ref)
        inner.block.extend(ir.when(ir.eq(ref.index, index), [*deeper.block, ir.Break()]))

    for_each(ctx, kind, same, acts=True)


class _Row:
    """Where a loop of its own keeps whose turn is to come, and by what they are ordered."""

    def __init__(self, ctx: Context, size: int) -> None:
        writer = ctx.writer
        writer.loops += 1
        self.number, self.size = writer.loops, size
        self.due = writer.scratch(("DUE", self.number), size, 0, most_turns(ctx.world))
        self.keys: ir.Slot | None = None

    def note(self, ctx: Context, effect: n.Each, index: ir.Expr, turn: ir.Expr) -> None:
        """Emit that a thing or cell is there when the loop begins, and by what it is ordered."""
        ctx.emit(ir.Store(self.due, index, turn))
        if effect.by is None:
            return
        key = evaluate_number(ctx, effect.by)
        if key is None:
            return
        name = ("ORDER", self.number)
        if key.type != "real" and key.low >= -_WIDEST and key.high <= _WIDEST:
            self.keys = ctx.writer.scratch(name, self.size, int(key.low), int(key.high))
            ctx.emit(ir.Store(self.keys, index, ir.as_number(key)))
        else:
            self.keys = ctx.writer.slot(name, self.size, type="real", saved=False)
            ctx.emit(ir.Store(self.keys, index, ir.as_float(key)))


def _cleared(ctx: Context, due: ir.Slot, size: int, end: ir.Expr) -> ir.Block:
    index = ir.Local(ctx.names.fresh("i"), "int", 0, size - 1)
    return [ir.For(index.name, ir.const(0), end, [ir.Store(due, index, ir.const(0))])]


def _is_due(ctx: Context, kind: Kind, due: ir.Slot, index: ir.Expr) -> ir.Expr:
    """Return whether the turn of a thing is to come: the turn of what is gone never does."""
    inside = ir.within(index, 0, ctx.writer.facts.capacity - 1) if kind.category == "object" else index
    return ir.eq(ir.load(due, index), turn_of(ctx, Ref(kind, inside)))


def _in_order(
    ctx: Context,
    effect: n.Each,
    row: _Row,
    run: Callable[[Context, ir.Expr], None],
    end: ir.Expr | None = None,
    kind: Kind | None = None,
) -> None:
    """Emit a loop over what is due, by its key; of equal ones the first goes first."""
    size, due, keys = row.size, row.due, row.keys
    if keys is None:
        return  # there is nothing to go through, or no key
    end = ir.const(size) if end is None else end
    best = ir.Local(ctx.names.fresh("best"), "int", -1, size - 1)
    other = ir.Local(ctx.names.fresh("i"), "int", 0, size - 1)
    rounds = ctx.names.fresh("n")
    known = ir.within(best, 0, size - 1)
    sign = ">" if effect.down else "<"
    nearer = ir.either(
        ir.lt(best, 0),
        ir.compare(sign, ir.load(keys, other), ir.load(keys, ir.greatest((best, ir.const(0))))),
    )
    is_due = ir.ne(ir.load(due, other), ir.const(0)) if kind is None else _is_due(ctx, kind, due, other)
    inner = ctx.inner()
    inner.emit(
        ir.Let(best.name, ir.const(-1)),
        ir.For(
            other.name,
            ir.const(0),
            end,
            [ir.If(is_due, [ir.If(nearer, [ir.Let(best.name, other)], [])], [])],
        ),
        ir.If(ir.lt(best, 0), [ir.Break()], []),
        ir.Store(due, known, ir.const(0)),
    )
    run(inner, inner.let("turn", known))
    ctx.emit(ir.For(rounds, ir.const(0), end, inner.block))
