"""Belts: after the moves, ground that carries moves on by one cell what stands on it (step order, phase 4).

Each thing rides once a step, as soon as nothing is in its way: agents in order of declaration, then objects in the
order in which they came to be. What waits is asked again when others have gone, so that a row of things moves on as
one. What then still waits on a ring of belts, each for the next, goes round together.
"""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import (
    agent_at,
    blocks,
    free_for_object,
    one_way_allows,
)
from griddsl.lowering.clauses.whereabouts import is_of_layer
from griddsl.lowering.effects.making import thing_rode
from griddsl.lowering.effects.relocation import put_thing
from griddsl.lowering.moving.arriving import call_land, stands, thing_comes
from griddsl.lowering.moving.riders import (
    agent_rode,
    belts,
    each_agent,
    each_thing,
    keeps_agents_out,
    things_at,
)
from griddsl.lowering.moving.rings import can_be_rings, turn_rings
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.program import ir


def ride_belts(ctx: Context) -> None:
    """Emit that belts carry what stands on them, each thing once."""
    world, writer = ctx.world, ctx.writer
    if not belts(world) or (world.nowhere and not world.object_kinds()):
        return
    if world.several or world.object_kinds():
        ctx.emit(ir.Do(ir.call(_define_belts(writer))))
        return
    inner = ctx.inner()
    begin_act(inner)
    inner.emit(ir.Do(_ride(writer, ir.const(0))))
    ctx.block.extend(ir.when(writer.goes_on(), inner.block))


def _define_belts(writer: Writer) -> str:
    world = writer.world
    ctx = new_function(writer, "rule", "belts")
    doc = "Move on by the belts what stands on them, each once a step."
    writer.functions["belts"] = ir.function("belts", (), ctx.block, doc)
    ctx.emit(ir.Fill(agent_rode(writer), ir.const(0)))
    if world.object_kinds():
        ctx.emit(ir.Fill(thing_rode(writer), ir.const(0)))
    moved = ctx.variable("moved", ir.const(1), 0, 1)
    once = ctx.inner()
    once.emit(ir.Let(moved.name, ir.const(0)))
    _agents_ride(once, moved)
    if world.object_kinds():
        _things_ride(once, moved)
    ctx.emit(ir.While(ir.eq(moved, 1), once.block))
    if can_be_rings(writer):
        turn_rings(ctx)
    return "belts"


# One after the other


def _agents_ride(ctx: Context, moved: ir.Local) -> None:
    writer = ctx.writer

    def ride(inner: Context, agent: Ref) -> None:
        going = inner.inner()
        begin_act(going)
        goes = going.let("goes", _ride(writer, agent.index))
        going.emit(ir.If(ir.eq(goes, 1), [ir.Let(moved.name, ir.const(1))], []))
        waits = ir.eq(ir.load(agent_rode(writer), agent.index), 0)
        inner.block.extend(ir.when(ir.both(waits, writer.goes_on()), going.block))

    each_agent(ctx, ride)


def _ride(writer: Writer, agent: ir.Expr) -> ir.Call:
    """Return the call that lets the belt under an agent carry it, if nothing is in its way; 1 where it did."""
    if "ride" not in writer.functions:
        _define_ride(writer)
    return ir.call("ride", agent, low=0, high=1)


def _define_ride(writer: Writer) -> None:
    world = writer.world
    ctx = new_function(writer, "rule", "ride", "agent")
    doc = "Move an agent on by the belt it stands on; 1 if it went."
    writer.functions["ride"] = ir.function("ride", ("agent",), ctx.block, doc)
    ref = writer.acting
    here = ctx.let("cell", stands(ctx.writer, ref))
    listed = writer.kind_table("CARRY", belts(world), -1)
    way = ctx.let("way", ir.lookup(listed, writer.tile_at(here)))
    ctx.block.extend(ir.when(ir.lt(way, 0), [ir.Return((ir.const(0),))]))
    known_way = ir.within(way, 0, max(belts(world).values()))
    target = ctx.let("target", writer.next_cell(here, known_way))
    ctx.block.extend(ir.when(ir.lt(target, 0), [ir.Return((ir.const(0),))]))
    known = ir.within(target, 0, world.cells - 1)
    stopped = ir.either(blocks(ctx, known, "solid"), ir.invert(one_way_allows(ctx, known, known_way)))
    if world.agents_block:
        stopped = ir.either(stopped, agent_at(ctx, known))
    stays: ir.Block = [ir.Return((ir.const(0),))]
    ctx.block.extend(ir.when(stopped, stays))
    if any(kind.pushable for kind in world.object_kinds()):
        for thing in things_at(ctx, known):
            ctx.block.extend(ir.when(ir.ge(thing, 0), ir.when(keeps_agents_out(writer, thing), stays)))
    if world.several or world.object_kinds():
        ctx.emit(ir.Store(agent_rode(writer), ref.index, ir.const(1)))
    ctx.emit(ir.Do(call_land(writer, ref.index, here, known)), ir.Return((ir.const(1),)))


def _things_ride(ctx: Context, moved: ir.Local) -> None:
    world, writer = ctx.world, ctx.writer
    listed = writer.kind_table("CARRY", belts(world), -1)

    def ride(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        way = inner.let("way", ir.lookup(listed, writer.tile_at(here)))
        riding, known_way = inner.inner(), ir.within(way, 0, max(belts(world).values()))
        target = riding.let("target", writer.next_cell(here, known_way))
        going, known = riding.inner(), ir.within(target, 0, world.cells - 1)
        for layer in world.layers:
            _thing_rides(going, thing, layer, here, known, known_way, moved)
        riding.block.extend(ir.when(ir.ge(target, 0), going.block))
        waits = ir.eq(ir.load(thing_rode(writer), thing), 0)
        inner.block.extend(ir.when(ir.both(waits, ir.ge(way, 0)), riding.block))

    each_thing(ctx, ride)


def _thing_rides(
    ctx: Context, thing: ir.Local, layer: str, here: ir.Expr, target: ir.Expr, way: ir.Expr, moved: ir.Local
) -> None:
    """Emit that an object, if it is of this layer, rides to a cell that is free for it."""
    world, writer = ctx.world, ctx.writer
    ref = Ref(world.first_of_layer(layer), thing)
    put = ctx.inner()
    begin_act(put)
    put.emit(ir.Store(thing_rode(writer), thing, ir.const(1)), ir.Let(moved.name, ir.const(1)))
    put_thing(put, ref, target)
    thing_comes(put, ref, here, target)
    mine = is_of_layer(world, ir.load(writer.object_kind, thing), layer)
    waits = ir.eq(ir.load(thing_rode(writer), thing), 0) if len(world.layers) > 1 else ir.TRUE
    inner = ctx.inner()
    free = ir.both(free_for_object(inner, target, layer), one_way_allows(inner, target, way))
    kept_out = ir.both(agent_at(inner, target), keeps_agents_out(writer, thing))
    inner.block.extend(ir.when(ir.both(free, ir.invert(kept_out)), put.block))
    ctx.block.extend(ir.when(ir.both(waits, mine), inner.block))
