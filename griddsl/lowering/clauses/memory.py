"""Memory: ``prev(E)``, its value before this step, and ``lowest(E)``, its lowest so far in this episode."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.meaning import evaluate, evaluate_number
from griddsl.lowering.world.values import NUMBER, TRUTH, Value, ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n


@dataclass(slots=True)
class Memory:
    """An expression that is remembered, and the slot that holds it."""

    node: Any
    slot: ir.Slot
    type: ValueType
    is_lowest: bool


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


def _remembered(ctx: Context, node: Any, is_lowest: bool) -> Value | None:
    world = ctx.world
    for memory in world.memories:
        if memory.node == node and memory.is_lowest == is_lowest:
            return Value(memory.type, ir.load(memory.slot))
    probe = ctx.inner(scope=dict(world.named_things), self_ref=None)
    value = evaluate(probe, node)
    if value is None:
        return None
    if is_lowest and value.type != NUMBER:
        ctx.error("type", node.span, found=str(value.type), expected="a number")
        return None
    word = "LOWEST" if is_lowest else "PREVIOUS"
    expr = value.expr
    real = expr.type == "real"
    low, high = (
        (0, 1)
        if value.type == TRUTH
        else (floor(max(expr.low, -ir.UNBOUNDED)), ceil(min(expr.high, ir.UNBOUNDED)))
    )
    type: ir.Type = "bool" if value.type == TRUTH else "real" if real else "int"
    slot = ir.Slot(
        f"{word}_{len(world.memories) + 1}", 1, low, high, type, saved=is_lowest or ctx.stage == "observe"
    )
    world.slots[slot.name] = slot
    world.memories.append(Memory(node, slot, value.type, is_lowest))
    return Value(value.type, ir.load(slot))


def remember(ctx: Context, which: str) -> None:
    """Emit what keeps the memories: ``prev`` at the start of a step, ``lowest`` at its end, both at a reset."""
    for memory in list(ctx.world.memories):
        if which != "reset" and memory.is_lowest != (which == "end"):
            continue
        value = evaluate(ctx, memory.node)
        if value is None:
            continue
        expr = value.expr
        if which == "end":
            expr = ir.least((ir.load(memory.slot), expr))
        ctx.emit(ir.Store(memory.slot, ir.const(0), expr))
