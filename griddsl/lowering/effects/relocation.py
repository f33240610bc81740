"""Relocation: things put elsewhere by ``go to`` and ``move``, taken off the map, and the events that this raises."""

from __future__ import annotations

from collections.abc import Sequence

from griddsl.lowering.clauses.carrying import forgotten, goto_slot, release, released, spill
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import free_for_object
from griddsl.lowering.clauses.things import objects_end
from griddsl.lowering.clauses.whereabouts import agent_ref, cell_of, is_of_layer
from griddsl.lowering.rules.acts import mark
from griddsl.lowering.rules.events import raise_event
from griddsl.lowering.rules.hearing import settles_after
from griddsl.lowering.rules.keeping import MOST_ACTS, act_slot, unreplaced, which_of
from griddsl.lowering.rules.meeting import agent_meets, can_meet, thing_meets
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.program import ir


def request_agent(ctx: Context, agent: ir.Expr, cell: ir.Expr) -> None:
    """Ask for an agent to be put into a cell after the running event's rules; in setup it happens at once."""
    world, writer = ctx.world, ctx.writer
    writer.notes.asks_where |= world.nowhere
    if ctx.stage == "setup":
        ctx.emit(ir.Store(writer.agent_cell, agent, cell))
        return
    outside, ctx = ctx, ctx.inner(scope=ctx.scope)
    ctx.emit(ir.Store(_goto(writer), agent, ir.add(cell, ir.const(1))))
    if ctx.meets:  # whom it sends to where it is meets nobody there anew
        stays = ir.eq(cell, ir.load(writer.agent_cell, agent))
        ctx.block.extend(ir.when(stays, [_met(writer, _number_of(writer, agent))]))
    if world.several:
        ctx.emit(ir.Store(writer.scratch("AGENTS_GO"), ir.const(0), ir.const(1)))
    outside.block.extend(ir.when(writer.is_in(agent), ctx.block))


def request_thing(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Ask for an object to be put into a cell after the running event's rules."""
    writer = ctx.writer
    if ctx.stage == "setup":
        bring_thing(ctx, ref, cell)
        return
    ctx.emit(ir.Store(goto_slot(writer), ref.index, ir.add(cell, ir.const(1))))
    if not ctx.goes_alone:
        ctx.emit(ir.Store(writer.scratch("THINGS_GO"), ir.const(0), ir.const(1)))


def _goto(writer: Writer) -> ir.Slot:
    """Where each agent is to be put, plus one; 0 for nowhere."""
    world = writer.world
    return writer.scratch("GOTO", len(world.agents), 0, world.cells)


def mark_destination(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Count a rule as run for what it sends its subject to: who comes out of a portal does not go in again."""
    if ctx.once is not None:
        mark(ctx, ctx.once, cell, which_of(ctx, ref, ctx.writer.facts.capacity))


def put_thing(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Move an object to a cell of the map; its old cell is left empty on its layer."""
    writer = ctx.writer
    layer = writer.layer_slot(ref.kind.layer)
    old = ctx.let("old", cell_of(ctx, ref))
    ctx.emit(ir.If(ir.ge(old, 0), [ir.Store(layer, old, ir.const(-1))], []))
    ctx.emit(ir.Store(layer, cell, ref.index), ir.Store(writer.object_cell, ref.index, cell))


def bring_thing(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Put an object into a cell of the map, out of what holds it if it was held."""
    held = ctx.inner()
    release(held, ref.index)
    ctx.block.extend(ir.when(ir.lt(cell_of(ctx, ref), 0), held.block))
    put_thing(ctx, ref, cell)


def lift_thing(ctx: Context, ref: Ref) -> None:
    """Take an object off the map, or out of what holds it, without removing it from the world."""
    writer = ctx.writer
    old = ctx.let("old", cell_of(ctx, ref))
    held = ctx.inner()
    release(held, ref.index)
    on_map: ir.Block = [ir.Store(writer.layer_slot(ref.kind.layer), old, ir.const(-1))]
    ctx.emit(ir.If(ir.ge(old, 0), on_map, held.block))
    ctx.emit(ir.Store(writer.object_cell, ref.index, ir.const(-1)))


def remove_thing(ctx: Context, ref: Ref) -> None:
    """Remove an object from the world: from the map, or from what holds it. What it carried takes its place."""
    writer = ctx.writer
    there = ctx.inner()
    if ref.kind.carries:
        cell = there.let("cell", cell_of(there, ref))
        hand = there.variable("hand", ir.const(-1), -1, ir.UNBOUNDED)
        on_map: ir.Block = [ir.Store(writer.layer_slot(ref.kind.layer), cell, ir.const(-1))]
        there.emit(ir.If(ir.ge(cell, 0), on_map, [ir.Let(hand.name, released(writer, ref.index))]))
        there.emit(ir.Store(writer.object_cell, ref.index, ir.const(-1)))
        spill(there, ref, cell, hand)
    else:
        lift_thing(there, ref)
    there.block.extend(forgotten(writer, ref.index))
    ctx.block.extend(ir.when(ir.ge(ref.index, 0), there.block))


def settle(ctx: Context) -> None:
    """Emit that what was asked for is carried out, where something was."""
    world, writer = ctx.world, ctx.writer
    asked = _agents_go(writer)
    if world.object_kinds():
        asked.append(ir.eq(ir.load(writer.scratch("THINGS_GO")), 1))
        goto_slot(writer)
    writer.settles |= bool(asked)
    if asked:
        ctx.emit(ir.If(ir.either(*asked), [ir.Do(ir.call("settle"))], []))


def _agents_go(writer: Writer) -> list[ir.Expr]:
    """Return what asks whether rules have sent agents anywhere; nothing where these stand nowhere."""
    if writer.world.nowhere:
        return []
    if writer.world.several:
        return [ir.eq(ir.load(writer.scratch("AGENTS_GO")), 1)]
    return [ir.compare(">", ir.load(_goto(writer)), ir.const(0))]


def define_settle(writer: Writer) -> None:
    """Define ``settle``: put agents and objects where rules sent them, with leave, enter and meet, until all rest."""
    world = writer.world
    if not writer.settles:
        return
    ctx = new_function(writer, "rule", "settle")
    writer.functions["settle"] = ir.function(
        "settle", (), ctx.block, "Carry out `go to` and `move`, with their events."
    )
    things = "THING_GOTO" in writer.slots
    inner = ctx.inner() if things else ctx
    if world.nowhere:
        pass
    elif world.several:
        flag = writer.scratch("AGENTS_GO")
        index = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
        outer, each = inner.inner(), inner.inner()
        _settle_agent(each, agent_ref(ctx, index))
        outer.emit(ir.Store(flag, ir.const(0), ir.const(0)))
        outer.emit(ir.For(index.name, ir.const(0), ir.const(len(world.agents)), each.block))
        asked = ir.eq(ir.load(flag), 1)
        # Beside things each pass lets every agent go once, then every thing, and what is sent on waits for the next.
        inner.emit(ir.If(asked, outer.block, []) if things else ir.While(asked, outer.block))
    else:
        _settle_agent(inner, agent_ref(ctx, ir.const(0)))
    if things:
        _settle_things(inner)
        things_go = ir.eq(ir.load(writer.scratch("THINGS_GO")), 1)
        ctx.emit(ir.While(ir.either(*_agents_go(writer), things_go), inner.block))


def _meets_for_the_first_time(ctx: Context, number: ir.Expr) -> ir.Expr:
    """Return whether who is put somewhere meets there, and note that it did: once an act, so that it comes to an end.

    Agents are numbered after the objects. Where no rule on a meeting sends anybody on, it need not be asked.
    """
    world, writer = ctx.world, ctx.writer
    if not settles_after(world, ("meet",)):
        return ir.TRUE
    noted = _met(writer, number)
    first = ctx.let("first", ir.Op("!=", (ir.load(noted.slot, number), noted.value), "bool", 0, 1))
    ctx.emit(noted)
    return first


def _met(writer: Writer, number: ir.Expr) -> ir.Store:
    """Return what notes that who has a number met somebody in this act."""
    met = writer.scratch("MET", _newcomer(writer) + 1, 0, MOST_ACTS)
    return ir.Store(met, number, ir.load(act_slot(writer)))


def _number_of(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return the number of an agent among all that meet: they come after the objects."""
    return ir.add(agent, ir.const(writer.facts.capacity))


def _newcomer(writer: Writer) -> int:
    """Return the number of all that comes in an act, behind those of the objects and of the agents."""
    return writer.facts.capacity + len(writer.world.agents)


def _settle_agent(ctx: Context, ref: Ref) -> None:
    """Emit that an agent is put where rules sent it, with the events of that, until none sends it on."""
    world, writer = ctx.world, ctx.writer
    goto = ir.load(_goto(writer), ref.index)
    inner = ctx.inner()
    target = inner.let("target", ir.sub(goto, ir.const(1)))
    target = ir.Local(getattr(target, "name", "target"), "int", 0, world.cells - 1)
    old = inner.let("old", ir.load(writer.agent_cell, ref.index))
    inner.emit(
        ir.Store(_goto(writer), ref.index, ir.const(0)), ir.Store(writer.agent_cell, ref.index, target)
    )
    raise_event(inner, "leave", ref, old)
    entering = inner.inner()
    raise_event(entering, "enter", ref, target)
    inner.block.extend(ir.when(ir.both(ir.eq(goto, 0), writer.is_in(ref.index)), entering.block))
    _agent_meets(inner, ref, target, goto)
    ctx.emit(ir.While(ir.compare(">", goto, ir.const(0)), inner.block))


def _agent_meets(ctx: Context, ref: Ref, cell: ir.Expr, goto: ir.Expr) -> None:
    """Emit that an agent that was put into a cell, and is not sent on, meets what is there."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world):
        return
    inner = ctx.inner()
    first = _meets_for_the_first_time(inner, _number_of(writer, ref.index))
    met = inner.inner()
    agent_meets(met, ref, cell)
    inner.block.extend(ir.when(first, met.block))
    ctx.block.extend(ir.when(ir.both(ir.eq(goto, 0), writer.is_in(ref.index)), inner.block))


def settle_one(ctx: Context, ref: Ref, turns: bool) -> None:
    """Emit that the thing of a round goes where it was sent, if it was: nothing else is under way.

    ``turns`` says that the round can turn it into a kind of another layer.
    """
    layers = (
        ctx.world.layers if turns else list(dict.fromkeys(kind.layer for kind in (ref.kind, *ref.others)))
    )
    goes = ctx.inner()
    _bring_sent(goes, ref.index, layers)
    wanted = ir.compare(">", ir.load(goto_slot(ctx.writer), ref.index), ir.const(0))
    ctx.block.extend(ir.when(wanted, goes.block))


def _settle_things(ctx: Context) -> None:
    world, writer = ctx.world, ctx.writer
    flag = writer.scratch("THINGS_GO")
    index = ctx.names.fresh("i")
    thing = ir.Local(index, "int", 0, writer.facts.capacity - 1)
    outer, body = ctx.inner(), ctx.inner()
    _bring_sent(body, thing, world.layers)
    outer.emit(ir.Store(flag, ir.const(0), ir.const(0)))
    wanted = ir.compare(">", ir.load(goto_slot(writer), thing), ir.const(0))
    outer.emit(ir.For(index, ir.const(0), objects_end(outer), ir.when(wanted, body.block)))
    ctx.emit(ir.If(ir.eq(ir.load(flag), 1), outer.block, []))


def _bring_sent(ctx: Context, thing: ir.Expr, layers: Sequence[str]) -> None:
    """Emit that a thing of one of these layers is put where it was sent, with the events of that."""
    world, writer = ctx.world, ctx.writer
    target = ctx.let("target", ir.sub(ir.load(goto_slot(writer), thing), ir.const(1)))
    ctx.emit(ir.Store(goto_slot(writer), thing, ir.const(0)))
    here: ir.Expr = ir.load(writer.object_kind, thing)
    if len(layers) > 1:  # rules may turn it into a kind of another layer, or put another in its place
        here = ctx.let("kind", here)
    for layer in layers:
        inner = ctx.inner()
        ref = Ref(world.first_of_layer(layer), thing)
        old = inner.let("old", cell_of(inner, ref))
        bring_thing(inner, ref, target)
        same = unreplaced(inner, thing)
        raised = inner.inner()
        raise_event(raised, "leave", ref, old)
        inner.block.extend(ir.when(ir.ge(old, 0), raised.block))
        entering, meeting = inner.inner(), inner.inner()
        raise_event(entering, "enter", ref, target)
        inner.block.extend(ir.when(same(), entering.block))
        _thing_meets(meeting, ref, target)
        inner.block.extend(ir.when(same(), meeting.block))
        is_there = ir.both(ir.ge(here, 0), is_of_layer(world, here, layer) if len(layers) > 1 else ir.TRUE)
        test = ir.both(is_there, free_for_object(ctx, target, layer))
        ctx.block.extend(ir.when(test, inner.block))


def _thing_meets(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Emit that an object that was put into a cell, and is there still, meets who is there."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world):
        return
    inner = ctx.inner()
    first = _meets_for_the_first_time(inner, which_of(inner, ref, _newcomer(writer)))
    met = inner.inner()
    thing_meets(met, ref, cell)
    inner.block.extend(ir.when(first, met.block))
    there = ir.eq(ir.load(writer.object_cell, ref.index), cell)
    ctx.block.extend(ir.when(there, inner.block))
