"""Memory: ``prev(E)``, its value before this step, and ``lowest(E)``, its lowest so far in this episode."""

from __future__ import annotations

from math import ceil, floor

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.meaning import evaluate, evaluate_number
from griddsl.lowering.clauses.owners import any_of, owned, speaking
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.state.memories import Memory
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import NUMBER, TRUTH, Value
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


@computes("prev")
def _previous(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 1:
        return wrong_arguments(ctx, node)
    return _remembered(ctx, node.arguments[0], False)


@computes("lowest")
def _lowest(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 1:
        return wrong_arguments(ctx, node)
    found = _remembered(ctx, node.arguments[0], True)
    now = evaluate_number(ctx, node.arguments[0])
    if found is None or now is None:
        return None
    return Value(NUMBER, ir.least((found.expr, now)))


def _remembered(ctx: Context, node: n.Expression, is_lowest: bool) -> Value | None:
    writer = ctx.writer
    found = owned(ctx, node, is_lowest)
    if found is None:
        return None
    owner, index = found
    for memory in writer.memories:
        if memory.node == node and memory.is_lowest == is_lowest and memory.owner == owner:
            return _recalled(memory, index)
    each = any_of(ctx, owner)
    value = evaluate(speaking(ctx, owner, each), node)
    if value is None:
        return None
    if is_lowest and value.type != NUMBER:
        ctx.error("type", node.span, found=str(value.type), expected="a number")
        return None
    word = keys.LOWEST if is_lowest else keys.PREVIOUS
    expr = value.expr
    real = expr.type == "real"
    low, high = (
        (0, 1)
        if value.type == TRUTH
        else (floor(max(expr.low, -ir.UNBOUNDED)), ceil(min(expr.high, ir.UNBOUNDED)))
    )
    type: ir.Type = "bool" if value.type == TRUTH else "real" if real else "int"
    # Of things there may be fewer than there is room for: 0 stands in what is left, and behind all what none has.
    few = owner is not None and owner.is_of_things
    length = int(each.high) + (2 if few else 1)
    ends = (min(low, 0), max(high, 0)) if few else (low, high)
    saved = is_lowest or ctx.stage == "observe"
    slot = writer.slot((word, len(writer.memories) + 1), length, *ends, type=type, saved=saved)
    memory = Memory(node, slot, value.type, is_lowest, owner, (low, high))
    writer.memories.append(memory)
    return _recalled(memory, index)


def _recalled(memory: Memory, index: ir.Expr) -> Value:
    """Return what is remembered of the one that a clause speaks of."""
    if index.low < 0:
        index = ir.select(ir.ge(index, 0), index, _none(memory))
    kept: ir.Expr = ir.load(memory.slot, index)
    if memory.owner is not None and memory.owner.is_of_things and memory.type != TRUTH:
        kept = ir.claim(kept, *memory.range, "it was kept of each as the step began")
    return Value(memory.type, kept)


def _none(memory: Memory) -> ir.Expr:
    """Return where it is kept what an expression is of a thing that is not there."""
    return ir.const(memory.slot.length - 1)


def remember(ctx: Context, which: str) -> None:
    """Emit what keeps the memories: ``prev`` at the start of a step, ``lowest`` at its end, both at a reset."""
    memories = list(ctx.writer.memories)
    if which == "start":  # what was remembered of a memory is older than it
        memories.sort(key=lambda memory: -_depth(memory.node))
    for memory in memories:
        if which != "reset" and memory.is_lowest != (which == "end"):
            continue
        first = len(ctx.block)
        _each_owner(ctx, memory, which == "end")
        if which == "start":
            memory.kept = ctx.block[first:]


def _each_owner(ctx: Context, memory: Memory, is_lowest: bool) -> None:
    """Emit that a value is kept of each of whom or what it is remembered."""
    owner = memory.owner

    def keep(inner: Context, index: ir.Expr, thing: ir.Expr | None = None) -> None:
        spoken = speaking(inner, owner, index if thing is None else thing)
        value = evaluate(spoken, memory.node)
        if value is not None:
            expr = value.expr
            if is_lowest:
                expr = ir.least((ir.load(memory.slot, index), expr))
            inner.emit(*spoken.block, ir.Store(memory.slot, index, expr))

    if owner is None:
        keep(ctx, ir.const(0))
    elif owner.is_of_things and owner.kind is not None:
        if owner.may_be_none:
            keep(ctx, _none(memory), ir.const(-1))
        for_each(
            ctx, owner.kind, lambda inner, ref: keep(inner, ref.index), on_map=False, others=owner.others
        )
    else:
        inner = ctx.inner()
        index = any_of(ctx, owner) if owner.kind is None else ctx.writer.acting.index
        keep(inner, index)
        here: ir.Expr = ir.TRUE
        if owner.kind is not None and owner.kind.name != "agent":
            here = ir.eq(ctx.writer.agent_code(index), owner.kind.code)
        assert isinstance(index, ir.Local)
        count = ir.const(int(index.high) + 1)
        ctx.emit(ir.For(index.name, ir.const(0), count, list(ir.when(here, inner.block))))


def _depth(node: n.Expression) -> int:
    return sum(isinstance(part, n.Call) and part.name == "prev" for part in walk(node))


def keep_what_is_remembered(writer: Writer) -> None:
    """Let all that ``prev`` reads at the start of a step be part of the state: it is of the step before."""
    for memory in writer.memories:
        bodies, written = [memory.kept], set[ir.Key]()
        read: list[ir.Slot] = []
        called: set[str] = set()
        while bodies:
            for statement in ir.statements(bodies.pop()):
                if isinstance(statement, ir.Store | ir.Fill | ir.Copy):
                    written.add(statement.slot.key)
                for value in ir.values_of(statement):
                    parts = list(ir.parts(value))
                    read += [part.slot for part in parts if isinstance(part, ir.Load)]
                    names = {part.function for part in parts if isinstance(part, ir.Call)} - called
                    called |= names
                    bodies += [writer.functions[name].body for name in names]
        for slot in read:
            if slot.key not in written:
                writer.keep(slot)
