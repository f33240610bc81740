"""Meeting: what comes into a cell meets what stands there, in whatever way it came."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.rules.events import event, raise_event, settles_after
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir

After = Callable[[Context], None]


def nothing(ctx: Context) -> None:
    """Emit nothing after a meeting: what it asks for is carried out elsewhere."""


def can_meet(world: World) -> bool:
    """Whether a rule listens to meetings."""
    return event(world, "meet") is not None or event(world, "meet", True) is not None


def is_still_at(writer: Writer, ref: Ref, cell: ir.Expr, *events: str) -> ir.Expr:
    """Return whether an agent is where it came to, after the rules of these events: who was sent away meets nobody."""
    here = (
        ir.eq(ir.load(writer.agent_cell, ref.index), cell) if settles_after(writer.world, events) else ir.TRUE
    )
    return ir.both(here, writer.is_in(ref.index))


def raise_meeting(ctx: Context, first: Ref, second: Ref, after: After = nothing) -> None:
    """Emit ``meet`` of two agents, for both of them; an agent is told by -1 - its number."""
    raise_event(ctx, "meet", first, ir.sub(ir.const(-1), second.index))
    raise_event(ctx, "meet", second, ir.sub(ir.const(-1), first.index))
    after(ctx)


def raise_thing_meet(ctx: Context, thing: ir.Expr, other: ir.Expr) -> None:
    """Emit ``on THING meet`` another thing, or an agent (-1 - its number)."""
    kinds = ctx.world.object_kinds()
    if kinds and event(ctx.world, "meet", True) is not None:
        raise_event(ctx, "meet", Ref(kinds[0], thing), other)


def agent_meets(ctx: Context, ref: Ref, cell: ir.Expr, agents: bool = True, after: After = nothing) -> None:
    """Emit that an agent meets the objects in the cell that it came to, and (with ``agents``) other agents there."""
    world = ctx.world
    if world.object_kinds() and can_meet(world):
        _meet_things(ctx, ref, cell, after)
    if agents and world.several and event(world, "meet") is not None:
        _meet_agents(ctx, ref, cell, after)


def _meet_things(ctx: Context, ref: Ref, cell: ir.Expr, after: After) -> None:
    world, writer = ctx.world, ctx.writer
    for layer in world.layers:
        thing = ctx.let("met", ir.load(writer.layer_slot(layer), cell))
        inner = ctx.inner()
        raise_event(inner, "meet", ref, thing)
        raise_thing_meet(inner, thing, ir.sub(ir.const(-1), ref.index))
        after(inner)
        still = is_still_at(writer, ref, cell, "meet")
        ctx.block.extend(ir.when(ir.both(ir.ge(thing, 0), still), inner.block))


def _meet_agents(ctx: Context, ref: Ref, cell: ir.Expr, after: After) -> None:
    world, writer = ctx.world, ctx.writer
    other = ir.Local(ctx.names.fresh("other"), "int", 0, len(world.agents) - 1)
    body, met = ctx.inner(), ctx.inner()
    raise_meeting(met, ref, agent_ref(met, other), after)
    test = ir.both(
        ir.ne(other, ref.index), ir.eq(ir.load(writer.agent_cell, other), cell), writer.is_in(other)
    )
    body.block.extend(ir.when(ir.both(test, writer.is_in(ref.index)), met.block))
    ctx.emit(ir.For(other.name, ir.const(0), ir.const(len(world.agents)), body.block))


def thing_meets(ctx: Context, ref: Ref, cell: ir.Expr, after: After = nothing) -> None:
    """Emit that an object which came to a cell meets the agents there, and the objects of other layers."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world):
        return
    still = ir.eq(ir.load(writer.object_slot("CELL"), ref.index), cell)
    number = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    body, met = ctx.inner(), ctx.inner()
    agent = agent_ref(met, number if world.several else ir.const(0))
    raise_event(met, "meet", agent, ref.index)
    raise_thing_meet(met, ref.index, ir.sub(ir.const(-1), agent.index))
    after(met)
    stands = ir.both(ir.eq(ir.load(writer.agent_cell, agent.index), cell), writer.is_in(agent.index))
    body.block.extend(ir.when(ir.both(stands, still), met.block))
    if world.several:
        ctx.emit(ir.For(number.name, ir.const(0), ir.const(len(world.agents)), body.block))
    else:
        ctx.block.extend(body.block)
    for layer in world.layers:
        if layer == ref.kind.layer or event(world, "meet", True) is None:
            continue
        other = ctx.let("other", ir.load(writer.layer_slot(layer), cell))
        both = ctx.inner()
        raise_thing_meet(both, ref.index, other)
        raise_thing_meet(both, other, ref.index)
        after(both)
        ctx.block.extend(ir.when(ir.both(ir.ge(other, 0), still), both.block))
