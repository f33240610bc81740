"""Meeting: what comes into a cell meets what stands there, in whatever way it came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.whereabouts import agent_ref, is_of_layer
from griddsl.lowering.facts.made import may_bring, turns_to_other_layers
from griddsl.lowering.rules.events import raise_found
from griddsl.lowering.rules.hearing import Event, event, settles_after
from griddsl.lowering.rules.keeping import unreplaced
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import AT_MOVES

After = Callable[[Context], None]
_Meeting = tuple[
    Ref, str | None, ir.Expr, str | None
]  # who meets, its layer, what it met and the layer of that


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
    _raise(ctx, first, None, _number(second), None)
    _raise(ctx, second, None, _number(first), None)
    after(ctx)


def _raise(ctx: Context, subject: Ref, layer: str | None, met: ir.Expr, other: str | None) -> None:
    """Emit ``meet`` of a subject, which is told what it met, for the rules that may listen to that.

    The layers say which objects the two may be; None stands for agents, which are told by -1 - their number.
    """
    raise_found(ctx, _heard(ctx.world, layer, other), subject, met)


def _raise_both(ctx: Context, first: _Meeting, second: _Meeting) -> None:
    """Emit ``meet`` of both; who was removed by rules of the first meets nobody more, nor does what took its place."""
    one, two = ctx.inner(), ctx.inner()
    _raise(one, *first)
    _raise(two, *second)
    both = one.block and two.block
    asked = [unreplaced(ctx, who.index) for who, layer, *_ in (first, second) if both and layer is not None]
    ctx.emit(*one.block)
    ctx.block.extend(ir.when(ir.both(*(ask() for ask in asked)), two.block))


def _heard(world: World, layer: str | None, other: str | None) -> Event | None:
    """Return the rules that may listen when something of one layer meets something of another."""
    found = event(world, "meet", layer is not None)
    raised = [rule.effects for rule in world.spec.rules if rule.trigger.event in AT_MOVES]
    if found is None:
        return None
    # By the time that it is told, what met may be another thing: one that a rule made in the place of what is gone.
    made = [effect for effect, can in effects_in(raised) if can.makes is not None]
    new = {kind.layer for kind in world.object_kinds() if any(may_bring(world, each, kind) for each in made)}
    rules = [
        (index, rule)
        for index, rule in found.rules
        if _lies_on(world, rule.trigger.subject, layer, new)
        and _lies_on(world, rule.trigger.named, other, new)
    ]
    return Event("meet", found.of_things, rules, len(rules) == len(found.rules)) if rules else None


def _lies_on(world: World, node: n.KindName | None, layer: str | None, new: set[str]) -> bool:
    """Whether a trigger speaks of objects of a layer, or of a new one's; of agents where that is None."""
    kind = world.kinds["agent"] if node is None else world.kinds.get(node.name)
    if kind is None:
        return False
    if layer is None:
        return kind.category == "agent"
    return kind.category == "object" and kind.layer in {layer, *new}


def _number(agent: Ref) -> ir.Expr:
    """Return what a thing is told of an agent that it met."""
    return ir.sub(ir.const(-1), agent.index)


def agent_meets(ctx: Context, ref: Ref, cell: ir.Expr, agents: bool = True, after: After = nothing) -> None:
    """Emit that an agent meets the objects in the cell that it came to, and (with ``agents``) other agents there."""
    world = ctx.world
    if world.object_kinds() and can_meet(world):
        _meet_things(ctx, ref, cell, after)
    if agents and world.several and event(world, "meet") is not None:
        _meet_agents(ctx, ref, cell, after)


def _meet_things(ctx: Context, ref: Ref, cell: ir.Expr, after: After) -> None:
    world, writer = ctx.world, ctx.writer
    meetings: list[tuple[ir.Expr, Context, Context]] = []
    for layer in world.layers:
        there, inner = ctx.inner(), ctx.inner()
        thing = there.let("met", ir.load(writer.layer_slot(layer), cell))
        met = Ref(world.object_kinds()[0], thing)
        _raise_both(inner, (ref, None, thing, layer), (met, layer, _number(ref), None))
        if inner.block:
            after(inner)
            meetings.append((thing, there, inner))
    still = is_still_at(writer, ref, cell, "meet")
    _emit_in_turn(ctx, cell, meetings, still)


def _emit_in_turn(
    ctx: Context, cell: ir.Expr, meetings: list[tuple[ir.Expr, Context, Context]], still: ir.Expr
) -> None:
    """Emit the meetings with what lies in a cell, each once.

    Who lay there when somebody came is met: what a rule brings meanwhile, or lets go to another layer, is not.
    """
    tests = []
    for place, (thing, there, _) in enumerate(meetings):
        test = ir.ge(thing, 0)
        if place:
            same = unreplaced(there, thing)
            test = ir.both(test, ir.eq(ir.load(ctx.writer.object_cell, thing), cell), same())
        tests.append(test)
        ctx.emit(*there.block)
    for test, (_, _, inner) in zip(tests, meetings, strict=True):
        ctx.block.extend(ir.when(ir.both(test, still), inner.block))


def _meet_agents(ctx: Context, ref: Ref, cell: ir.Expr, after: After) -> None:
    world, writer = ctx.world, ctx.writer
    other = ir.Local(ctx.names.fresh("other"), "int", 0, len(world.agents) - 1)
    body, met = ctx.inner(), ctx.inner()
    raise_meeting(met, ref, agent_ref(met, other), after)
    test = ir.both(ir.ne(other, ref.index), _stands_there(ctx, other, cell, after))
    body.block.extend(ir.when(ir.both(test, is_still_at(writer, ref, cell, "meet")), met.block))
    ctx.emit(ir.For(other.name, ir.const(0), ir.const(len(world.agents)), body.block))


def _stands_there(ctx: Context, agent: ir.Expr, cell: ir.Expr, after: After) -> ir.Expr:
    """Return whether an agent stands in a cell, as it did before the first meeting there.

    Whom a meeting sends there before the next meets what is there when it comes, and not once more.
    """
    world, writer = ctx.world, ctx.writer
    stands = ir.both(ir.eq(ir.load(writer.agent_cell, agent), cell), writer.is_in(agent))
    if after is nothing or not world.several or not settles_after(world, ("meet",)):
        return stands
    stood = writer.scratch("STOOD_THERE", len(world.agents))
    each = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    here = ir.both(ir.eq(ir.load(writer.agent_cell, each), cell), writer.is_in(each))
    note: ir.Block = [ir.Store(stood, each, ir.as_number(here))]
    ctx.emit(ir.For(each.name, ir.const(0), ir.const(len(world.agents)), note))
    return ir.both(ir.eq(ir.load(stood, agent), 1), stands)


def thing_meets(ctx: Context, ref: Ref, cell: ir.Expr, after: After = nothing) -> None:
    """Emit that an object which came to a cell meets the agents there, and the objects of other layers."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world):
        return
    same = unreplaced(ctx, ref.index)
    still = ir.both(ir.eq(ir.load(writer.object_cell, ref.index), cell), same())
    number = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    body, met = ctx.inner(), ctx.inner()
    agent = agent_ref(met, number if world.several else ir.const(0))
    layer, thing = ref.kind.layer, Ref(world.object_kinds()[0], ref.index)
    _raise_both(met, (agent, None, ref.index, layer), (thing, layer, _number(agent), None))
    if met.block:
        after(met)
    stands = _stands_there(ctx, agent.index, cell, after) if met.block else ir.TRUE
    body.block.extend(ir.when(ir.both(stands, still), met.block))
    if world.several and body.block:
        ctx.emit(ir.For(number.name, ir.const(0), ir.const(len(world.agents)), body.block))
    else:
        ctx.block.extend(body.block)
    for mine, inner, is_mine in _lying_on(ctx, ref):
        _meet_beside(inner, replace(thing, kind=mine), cell, after, still)
        ctx.block.extend(ir.when(is_mine, inner.block))


def _lying_on(ctx: Context, ref: Ref) -> list[tuple[Kind, Context, ir.Expr]]:
    """Return for each layer that an object may lie on a kind of it, a block for that, and whether it lies there.

    It is another layer than that of the kind as which it came where rules turn objects into other kinds.
    """
    world = ctx.world
    if len(world.layers) == 1 or not turns_to_other_layers(world):
        return [(ref.kind, ctx.inner(), ir.TRUE)]
    code = ctx.let("kind", ir.load(ctx.writer.object_kind, ref.index))
    return [
        (world.first_of_layer(layer), ctx.inner(), is_of_layer(world, code, layer)) for layer in world.layers
    ]


def _meet_beside(ctx: Context, thing: Ref, cell: ir.Expr, after: After, still: ir.Expr) -> None:
    """Emit that an object meets those that lie on other layers of its cell."""
    world, layer = ctx.world, thing.kind.layer
    meetings = []
    for beside in world.layers:
        if beside == layer:
            continue
        there, both = ctx.inner(), ctx.inner()
        other = there.let("other", ir.load(ctx.writer.layer_slot(beside), cell))
        _raise_both(both, (thing, layer, other, beside), (Ref(thing.kind, other), beside, thing.index, layer))
        if both.block:
            after(both)
            meetings.append((other, there, both))
    _emit_in_turn(ctx, cell, meetings, still)
