"""Riders: what stands on belts, agents and things, and which of it rode already."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import (
    guard,
    is_conditional,
)
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir


def belts(world: World) -> dict[Kind, int]:
    """Return the tiles that carry, each with its direction."""
    return {kind: kind.carry for kind in world.tile_kinds() if kind.carry is not None}


def agent_rode(writer: Writer) -> ir.Slot:
    """Which agents a belt has carried in this step."""
    return writer.scratch("AGENT_RODE", len(writer.world.agents), 0, 1)


def each_agent(ctx: Context, body: Callable[[Context, Ref], None], loop: ir.Loop = ir.For) -> None:
    """Emit a body for every agent that is on the map; nothing where agents stand nowhere."""
    if ctx.world.nowhere:
        return
    world, writer, inner = ctx.world, ctx.writer, ctx.inner()
    agent = writer.acting if world.several else agent_ref(ctx, ir.const(0))
    body(inner, agent)
    taking_part = ir.when(writer.is_in(agent.index), inner.block)
    if world.several or loop is not ir.For:
        ctx.emit(loop("agent", ir.const(0), ir.const(len(world.agents)), taking_part))
    else:
        ctx.block.extend(taking_part)


def each_thing(ctx: Context, body: Callable[[Context, ir.Local, ir.Expr], None]) -> None:
    """Emit a loop over the objects on the map; ``body(context, thing, cell)`` fills it."""
    world, writer, inner = ctx.world, ctx.writer, ctx.inner()
    thing = ir.Local(ctx.names.fresh("i"), "int", 0, writer.facts.capacity - 1)
    here = inner.let("cell", ir.load(writer.object_cell, thing))
    riding = inner.inner()
    body(riding, thing, ir.within(here, 0, world.cells - 1))
    alive = ir.ge(ir.load(writer.object_kind, thing), 0)
    inner.block.extend(ir.when(ir.both(alive, ir.ge(here, 0)), riding.block))
    ctx.emit(ir.For(thing.name, ir.const(0), ir.const(writer.facts.capacity), inner.block))


def things_at(ctx: Context, cell: ir.Expr) -> list[ir.Expr]:
    """Return the object of each layer in a cell, -1 for none."""
    if not ctx.world.object_kinds():
        return []
    return [ctx.let("thing", ir.load(ctx.writer.layer_slot(layer), cell)) for layer in ctx.world.layers]


def is_solid(writer: Writer, thing: ir.Expr) -> ir.Expr:
    """Return whether an object is solid now."""
    return asked_by_kind(writer, "thing_is_solid", "SOLID_THING", thing, lambda kind: False)


def keeps_agents_out(writer: Writer, thing: ir.Expr) -> ir.Expr:
    """Return whether an object and an agent cannot be in one cell: it is solid now, or pushable."""
    return asked_by_kind(writer, "thing_keeps_out", "KEEPS_OUT", thing, lambda kind: bool(kind.pushable))


def asked_by_kind(
    writer: Writer, name: str, table: str, thing: ir.Expr, always: Callable[[Kind], bool]
) -> ir.Expr:
    """Return what a table says of the kind of a thing, or what is asked of its kind where that depends."""

    def surely(kind: Kind) -> bool:
        return always(kind) or (kind.solid is not None and not is_conditional(kind, "solid"))

    code = ir.load(writer.object_kind, thing)
    kinds = writer.world.object_kinds()
    listed = writer.kind_table(table, {kind: int(surely(kind)) for kind in kinds})
    asked = [kind for kind in kinds if not surely(kind) and is_conditional(kind, "solid")]
    if not asked:
        return ir.eq(ir.lookup(listed, code), 1) if any(map(surely, kinds)) else ir.FALSE
    if name not in writer.functions:
        ctx = new_function(writer, "rule", name, "thing")
        writer.functions[name] = ir.function(name, ("thing",), ctx.block, "Whether an object is in the way.")
        this = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
        of_kind = ctx.let("kind", ir.load(writer.object_kind, this))
        for kind in asked:
            inner = ctx.inner()
            test = guard(inner, Ref(kind, this), "solid")
            inner.emit(ir.Return((test,)))
            ctx.block.extend(ir.when(ir.eq(of_kind, kind.code), inner.block))
        ctx.emit(ir.Return((ir.eq(ir.lookup(listed, of_kind), 1),)))
    return ir.call(name, thing, type="bool", low=0, high=1)
