"""Arriving: what a thing or an agent leaves, enters and meets, and the events that this raises."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.effects.relocation import settle
from griddsl.lowering.facts.sent import RAISED, settles
from griddsl.lowering.moving.ways import goes_on
from griddsl.lowering.rules import meeting
from griddsl.lowering.rules.events import raise_event
from griddsl.lowering.rules.hearing import event, settles_after
from griddsl.lowering.rules.keeping import unreplaced
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.actions import Group
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir


def stands(writer: Writer, ref: Ref) -> ir.Expr:
    """Return the cell of an agent that moves, and so takes part."""
    return ir.load(writer.agent_cell, ref.index)


def happen(ctx: Context, name: str, subject: Ref, *values: ir.Expr) -> None:
    """Emit an event, and the relocations that its rules can have asked for."""
    raise_event(ctx, name, subject, *values)
    found = event(ctx.world, name, subject.category == "object")
    if found is not None and any(settles(ctx.world, rule.effects) for _, rule in found.rules):
        settle(ctx)


def settle_if_needed(ctx: Context, *events: str) -> None:
    """Emit the relocations that the rules of these events can have asked for."""
    if settles_after(ctx.world, events):
        settle(ctx)


def arrive(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr) -> None:
    """Emit that the agent stands in a new cell: leave, enter, meet; return 1 if it is still there, the game on."""
    ctx.emit(ir.Store(ctx.writer.agent_cell, ref.index, target))
    leave_and_enter(ctx, ref, here, target)
    if goes_on(ctx.world):
        ctx.emit(ir.Return((ir.as_number(stays_there(ctx, ref, target)),)))


def leave_and_enter(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr, agents: bool = True) -> None:
    """Emit the events of an agent that has come to a cell: leave, enter, meet (with ``agents``, of those too).

    Of agents that move at once, the events of one can have sent another away that has not had its own yet.
    """
    world, writer = ctx.world, ctx.writer
    raise_event(ctx, "leave", ref, here)
    sent_before = not agents and settles_after(world, RAISED)
    if sent_before or event(world, "leave") is not None:
        settle_if_needed(ctx, "leave")
        still = ir.both(ir.eq(ir.load(writer.agent_cell, ref.index), target), writer.is_in(ref.index))
        entering = ctx.inner()
        _enter_and_meet(entering, ref, target, agents)
        ctx.block.extend(ir.when(still, entering.block))
    else:
        _enter_and_meet(ctx, ref, target, agents)


def stays_there(ctx: Context, ref: Ref, target: ir.Expr) -> ir.Expr:
    """Return whether an agent is still in the cell that it came to, and the game on, so that its move can go on."""
    world, writer = ctx.world, ctx.writer
    tests = [ir.eq(ir.load(writer.agent_cell, ref.index), target)] if _sends_away(world) else []
    tests.append(writer.is_in(ref.index))
    tests.append(writer.goes_on())
    return ir.both(*tests)


def _sends_away(world: World) -> bool:
    return any(can.moves for _, can in of_rules(world.spec))


def _enter_and_meet(ctx: Context, ref: Ref, target: ir.Expr, agents: bool = True) -> None:
    writer = ctx.writer
    raise_event(ctx, "enter", ref, target)
    settle_if_needed(ctx, "enter")
    met = ctx.inner()
    meeting.agent_meets(met, ref, target, agents, _settle_meeting)
    ctx.block.extend(ir.when(meeting.is_still_at(writer, ref, target, "enter"), met.block))


def raise_meeting(ctx: Context, first: Ref, second: Ref) -> None:
    """Emit ``meet`` of two agents, for both of them, and what that asks for."""
    meeting.raise_meeting(ctx, first, second)
    _settle_meeting(ctx)


def _settle_meeting(ctx: Context) -> None:
    settle_if_needed(ctx, "meet")


def thing_meets(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Emit that an object which came to a cell meets who is there, and what that asks for."""
    meeting.thing_meets(ctx, ref, cell, _settle_meeting)


def moving_slot(writer: Writer) -> ir.Slot:
    """Return the slot of the action by which each agent moves, by its place among all, plus one; 0 for none."""
    world = writer.world
    return writer.scratch("MOVING", len(world.agents), 0, len(world.actions))


def note_moving(ctx: Context, group: Group | None, chosen: ir.Expr, agent: Ref) -> None:
    """Emit by which action an agent moves, where one goes ``through`` something; one that plays by itself by none."""
    world, writer = ctx.world, ctx.writer
    if all(action.through is None for action in world.actions):
        return
    number = chosen
    if group is not None:
        numbers = [world.actions.index(action) + 1 for action in group.numbered]
        number = ir.lookup(writer.table(("MOVING", group.order), [*numbers, 0]), chosen)
    ctx.emit(ir.Store(moving_slot(writer), agent.index, number))


def thing_comes(ctx: Context, ref: Ref, old: ir.Expr, cell: ir.Expr) -> None:
    """Emit leave, enter and meet of an object that came to a cell; one that is sent on has no further ones there."""
    same = unreplaced(ctx, ref.index)
    happen(ctx, "leave", ref, old)
    entering, meets = ctx.inner(), ctx.inner()
    happen(entering, "enter", ref, cell)
    thing_meets(meets, ref, cell)
    entering.block.extend(ir.when(same(), meets.block))
    still = ir.eq(ir.load(ctx.writer.object_cell, ref.index), cell)
    ctx.block.extend(ir.when(ir.both(still, same()), entering.block))


def call_land(writer: Writer, agent: ir.Expr, here: ir.Expr, target: ir.Expr) -> ir.Call:
    """Return the call that puts an agent into the last cell of a drifting move or a belt, with its events."""
    if "land" not in writer.functions:
        _define_land(writer)
    return ir.call("land", agent, here, target, low=0, high=1)


def _define_land(writer: Writer) -> None:
    """Define ``land``: the events of an agent that a drifting move or a belt put into a cell."""
    ctx = new_function(writer, "rule", "land", "agent", "here", "target")
    writer.functions["land"] = ir.function(
        "land",
        ("agent", "here", "target"),
        ctx.block,
        "Put an agent into the last cell of a drifting move or a belt.",
    )
    high = writer.world.cells - 1
    arrive(
        ctx,
        writer.acting,
        ir.Local("here", "int", 0, high),
        ir.Local("target", "int", 0, high),
    )
