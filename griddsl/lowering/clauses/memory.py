"""Memory: ``prev(E)``, its value before this step, and ``lowest(E)``, its lowest so far in this episode."""

from __future__ import annotations

from math import ceil, floor

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.meaning import evaluate, evaluate_number
from griddsl.lowering.state.writer import Memory, Writer
from griddsl.lowering.world.values import NUMBER, TRUTH, Ref, Value
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
    world, writer = ctx.world, ctx.writer
    subject = _subject(ctx, node)
    index = ir.const(0) if subject is None else subject.index
    kind = None if subject is None else subject.kind
    for memory in writer.memories:
        if memory.node == node and memory.is_lowest == is_lowest and memory.subject is kind:
            return Value(memory.type, ir.load(memory.slot, index))
    probe = ctx.inner(scope=dict(writer.named_things), self_ref=subject)
    value = evaluate(probe, node)
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
    slot = writer.slot(
        (word, len(writer.memories) + 1),
        1 if subject is None else len(world.agents),
        low,
        high,
        type=type,
        saved=is_lowest or ctx.stage == "observe",
    )
    writer.memories.append(Memory(node, slot, value.type, is_lowest, kind))
    return Value(value.type, ir.load(slot, index))


def _subject(ctx: Context, node: n.Expression) -> Ref | None:
    """Return the agent, among several, that an expression speaks of as its subject: each remembers its own."""
    ref = ctx.self_ref
    if not ctx.world.several or ref is None or ref.category != "agent":
        return None
    names = {"self", "other", "agent", "start", ref.kind.name}
    speaks_of_it = any(
        (isinstance(part, n.KindName) and part.name in names)
        or isinstance(part, n.Can)
        or (isinstance(part, n.Relation) and part.name == "ahead")
        for part in walk(node)
    )
    return ref if speaks_of_it else None


def remember(ctx: Context, which: str) -> None:
    """Emit what keeps the memories: ``prev`` at the start of a step, ``lowest`` at its end, both at a reset."""
    memories = list(ctx.writer.memories)
    if which == "start":  # what was remembered of a memory is older than it
        memories.sort(key=lambda memory: -_depth(memory.node))
    for memory in memories:
        if which != "reset" and memory.is_lowest != (which == "end"):
            continue
        first = len(ctx.block)
        kind, index = memory.subject, ir.const(0) if memory.subject is None else ctx.writer.acting.index
        inner = ctx if kind is None else ctx.inner(self_ref=Ref(kind, index))
        value = evaluate(inner, memory.node)
        if value is None:
            continue
        expr = value.expr
        if which == "end":
            expr = ir.least((ir.load(memory.slot, index), expr))
        inner.emit(ir.Store(memory.slot, index, expr))
        if which == "start":
            memory.kept = inner.block if kind is not None else ctx.block[first:]
        if kind is not None:
            here = ir.TRUE if kind.name == "agent" else ir.eq(ctx.writer.agent_code(index), kind.code)
            ctx.emit(
                ir.For(
                    "agent", ir.const(0), ir.const(len(ctx.world.agents)), list(ir.when(here, inner.block))
                )
            )


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
