"""Performing: effects in order. The parts of the rooms each teach it the effects that they know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

NOT_IN_SETUP = (n.Reward, n.End, n.Truncate, n.Out, n.Cancel)
Performer = Callable[[Context, Any], None]
_PERFORMERS: dict[type, Performer] = {}


def performs(effect: type) -> Callable[[Performer], Performer]:
    """Let a function emit effects of this type."""

    def register(performer: Performer) -> Performer:
        _PERFORMERS[effect] = performer
        return performer

    return register


def perform(ctx: Context, effects: tuple[n.Effect, ...]) -> None:
    """Emit effects in order; names chosen by one are known to those after it."""
    for effect in effects:
        if ctx.stage == "setup" and isinstance(effect, NOT_IN_SETUP):
            word = type(effect).__name__.lower()
            ctx.error("wrong-place", effect.span, what=f"`{word}`", where="in setup: it belongs in a rule")
            continue
        _PERFORMERS[type(effect)](ctx, effect)


def settles(effects: tuple[n.Effect, ...]) -> bool:
    """Whether effects can ask for a relocation that is carried out after the rule."""
    return any(isinstance(node, n.Go | n.Move) for node in walk(effects))


def subject_of(ctx: Context) -> Ref:
    """Return the thing that an effect without one is done to: the subject of the rule, else the agent."""
    return (
        ctx.self_ref
        if ctx.self_ref is not None and ctx.self_ref.category != "tile"
        else agent_ref(ctx, ir.const(0))
    )


def when_there(ctx: Context, ref: Ref, do: Callable[[Context, Ref], None]) -> None:
    """Emit what is done to a thing, under the condition that it is there, where it may be absent (its index -1)."""
    if ref.index.low >= 0:
        do(ctx, ref)
        return
    index = ctx.let(ref.kind.name, ref.index)
    inner = ctx.inner(scope=ctx.scope)
    known = ir.Local(index.name, "int", 0, index.high) if isinstance(index, ir.Local) else index
    do(inner, Ref(ref.kind, known))
    ctx.block.extend(ir.when(ir.ge(index, 0), inner.block))
