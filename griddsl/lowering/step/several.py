"""Several agents: whose turn it is, and the rewards and flags of each (step order, phases 2 to 4 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION
from griddsl.lowering.moving.arriving import note_moving
from griddsl.lowering.moving.belts import ride_belts
from griddsl.lowering.moving.contest import define_moves, left_slot, way_of, way_slot
from griddsl.lowering.moving.motion import call_move
from griddsl.lowering.moving.ways import drifts, most_cells
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.acting import (
    OWN_ACTIONS,
    can_be_illegal,
    handle_group,
    illegal_tests,
    move_group,
    move_groups,
    moves_in,
    settle_actions,
)
from griddsl.lowering.step.creatures import guide
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import Role, World
from griddsl.program import ir, keys


def several_act(
    ctx: Context, parameters: tuple[str, ...], objects_move: Callable[[Context, int], None]
) -> None:
    """Emit phases 2 to 5 of several agents; what each chose is read from the state."""
    world, writer = ctx.world, ctx.writer
    choice = choice_slot(writer)
    if parameters:
        first = world.learners[0] * _width(world)
        for index, name in enumerate(parameters):
            ctx.emit(ir.Store(choice, ir.const(first + index), ir.Local(name, "int", -1, choice.high)))
    turns = world.turns
    if turns == "random_order":
        _shuffle(ctx)
    ctx.emit(ir.Note("2. the actions are settled"))
    if _judges_first(world):
        ctx.emit(ir.Fill(_illegal_slot(writer), ir.const(0)))
        _each_agent(ctx, "judge", _define_judge)
    _each_agent(ctx, "settle", _define_settle_actions)
    if world.spec.order == "objects, agents":
        objects_move(ctx, 3)
    ctx.emit(ir.Note(f"4. the agents act: {turns}"))
    if turns == "simultaneous":
        _each_agent(ctx, "handle", _define_handle)
        if not world.nowhere:
            _move_at_once(ctx)
    else:
        _define_act(writer)
        if turns == "alternate":
            turn = ir.load(writer.turn)
            ctx.block.extend(ir.when(writer.is_in(turn), [ir.Do(ir.call("act", turn))]))
        elif turns == "in_order":
            each = writer.acting.index
            body = ir.when(writer.is_in(each), [ir.Do(ir.call("act", each)), *_stop_at_the_end(writer)])
            ctx.emit(ir.For("agent", ir.const(0), ir.const(len(world.agents)), body))
        else:
            place = ir.Local(ctx.names.fresh("i"), "int", 0, len(world.agents) - 1)
            body_ = ctx.inner()
            agent = body_.let("agent", ir.load(_order_slot(writer), place))
            acts = [ir.Do(ir.call("act", agent)), *_stop_at_the_end(writer)]
            body_.block.extend(ir.when(writer.is_in(agent), acts))
            ctx.emit(ir.For(place.name, ir.const(0), ir.const(len(world.agents)), body_.block))
    ride_belts(ctx)
    if world.spec.order == "agents, objects":
        objects_move(ctx, 5)


def _move_at_once(ctx: Context) -> None:
    """Emit the moves of all at once: those of the first groups of actions, then those of the next, until an end."""
    world, writer = ctx.world, ctx.writer
    numbers = sorted({number for role in world.roles for number in _moving_groups(world, role)})
    for place, number in enumerate(numbers or [0]):
        inner = ctx.inner()
        inner.emit(ir.Fill(left_slot(writer), ir.const(0)))
        if drifts(world):
            inner.emit(ir.Fill(_blown_slot(writer), ir.const(0)))
        verb = f"aim_{number + 1}" if place else "aim"
        _each_agent(inner, verb, partial(_define_aim, number=number))
        moves = "move_agents" if place else define_moves(writer)
        inner.emit(ir.Do(ir.call(moves)))
        _move_the_blown(inner)
        goes_on = writer.goes_on() if number else ir.TRUE  # after an end, none but the first group
        ctx.block.extend(ir.when(goes_on, inner.block))


def _moving_groups(world: World, role: Role) -> list[int]:
    """Return the numbers of the groups in which agents of a role move; who plays by itself moves with the first."""
    if role.moves is not None:
        return [0]
    return [number for number, group in enumerate(role.groups) if moves_in(world, group)]


def _stop_at_the_end(writer: Writer) -> ir.Block:
    """Return what keeps the agents whose turn is yet to come from acting once the episode has ended."""
    return ir.when(ir.invert(writer.goes_on()), [ir.Break()])


def _width(world: World) -> int:
    """Return how many places an agent's actions have: the most groups that any has."""
    return max(1, *(len(role.groups) for role in world.roles))


def choice_slot(writer: Writer) -> ir.Slot:
    """Return the slot of what the agents chose, one number a group; -1 for nothing."""
    world = writer.world
    most = max((group.size for group in world.groups), default=1) - 1
    return writer.scratch(keys.CHOICE, len(world.agents) * _width(world), -1, most)


def _order_slot(writer: Writer) -> ir.Slot:
    world = writer.world
    return writer.scratch("ORDER", len(world.agents), 0, len(world.agents) - 1)


# Each agent, by its role


def _runs(world: World) -> Iterator[tuple[Role, int, int]]:
    """Yield the roles in order of declaration, with the first and the last of the agents in a row that play each."""
    by_agent = {index: role for role in world.roles for index in role.members}
    first = 0
    for index in range(1, len(world.agents) + 1):
        if index == len(world.agents) or by_agent[index] is not by_agent[first]:
            yield by_agent[first], first, index - 1
            first = index


def _each_agent(ctx: Context, verb: str, define: Callable[[Writer, Role, str], bool]) -> None:
    """Emit a call of a role's function for every agent that takes part, in order of declaration."""
    world, writer = ctx.world, ctx.writer
    for role, first, last in _runs(world):
        name = writer.function_name((verb, role.name))
        if name not in writer.functions and not define(writer, role, name):
            continue
        agent: ir.Expr = ir.const(first) if first == last else ir.Local("agent", "int", first, last)
        tests = [writer.is_in(agent)]
        if verb not in {"judge", "settle"} or world.turns == "alternate":
            tests.append(_may_act(writer, agent))
        call = ir.when(ir.both(*tests), [ir.Do(ir.call(name, agent))])
        if first == last:
            ctx.block.extend(call)
        else:
            ctx.emit(ir.For("agent", ir.const(first), ir.const(last + 1), call))


def _may_act(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return whether it is an agent's turn."""
    if writer.world.turns != "alternate":
        return ir.TRUE
    return ir.eq(ir.load(writer.turn), agent)


def _begin(writer: Writer, role: Role, name: str) -> tuple[Context, Ref]:
    ctx = new_function(writer, "rule", name, "agent")
    low, high = min(role.members), max(role.members)
    ref = Ref(role.kind, ir.Local("agent", "int", low, high))
    ctx.self_ref = ref
    return ctx, ref


def _chosen(ctx: Context, role: Role, agent: Ref) -> list[ir.Local]:
    """Emit the actions of an agent as locals, one a group."""
    slot, width = choice_slot(ctx.writer), _width(ctx.world)
    found: list[ir.Local] = []
    for index, group in enumerate(role.groups):
        name = ctx.names.fresh("action")
        place = ir.add(ir.mul(agent.index, ir.const(width)), ir.const(index))
        last = group.size - 1
        ctx.emit(ir.Let(name, ir.claim(ir.load(slot, place), -1, last, OWN_ACTIONS)))
        found.append(ir.Local(name, "int", -1, last))
    return found


def _judges_first(world: World) -> bool:
    """Whether the actions of all are judged before any is settled: where rules of one could change what others may.

    What is allowed is as the masks tell it, and these were made when nobody had acted.
    """
    acts = any(rule.trigger.event in BEFORE_THE_ACTION for rule in world.spec.rules)
    limited = any(can_be_illegal(world, role) for role in world.roles)
    return world.turns != "alternate" and len(world.learners) > 1 and acts and limited


def _illegal_slot(writer: Writer) -> ir.Slot:
    return writer.scratch("ILLEGAL", len(writer.world.agents) * _width(writer.world))


def _define_judge(writer: Writer, role: Role, name: str) -> bool:
    if role.moves is not None or not can_be_illegal(writer.world, role):
        return False
    ctx, agent = _begin(writer, role, name)
    actions, width = _chosen(ctx, role, agent), _width(writer.world)
    for chosen, test in illegal_tests(ctx, role, actions, agent):
        place = ir.add(ir.mul(agent.index, ir.const(width)), ir.const(actions.index(chosen)))
        ctx.block.extend(ir.when(test, [ir.Store(_illegal_slot(writer), place, ir.const(1))]))
    writer.functions[name] = ir.function(
        name, ("agent",), ctx.block, "Judge whether what an agent chose is allowed."
    )
    return True


def _define_settle_actions(writer: Writer, role: Role, name: str) -> bool:
    if role.moves is not None or not role.groups:  # that one has no actions is told where they are read
        return False
    ctx, agent = _begin(writer, role, name)
    actions = _chosen(ctx, role, agent)
    slot, width = choice_slot(writer), _width(writer.world)
    illegal: list[ir.Expr] | None = None
    if _judges_first(writer.world):
        places = [
            ir.add(ir.mul(agent.index, ir.const(width)), ir.const(index)) for index in range(len(actions))
        ]
        judged = can_be_illegal(writer.world, role)
        illegal = [
            ir.eq(ir.load(_illegal_slot(writer), place), 1) if judged else ir.FALSE for place in places
        ]
    before = len(ctx.block)
    settle_actions(ctx, role, actions, agent, illegal)
    if len(ctx.block) == before:
        return False
    for index, action in enumerate(actions):
        ctx.emit(ir.Store(slot, ir.add(ir.mul(agent.index, ir.const(width)), ir.const(index)), action))
    writer.functions[name] = ir.function(name, ("agent",), ctx.block, "Settle what an agent does.")
    return True


def _define_handle(writer: Writer, role: Role, name: str) -> bool:
    if role.moves is not None:
        return False
    ctx, agent = _begin(writer, role, name)
    actions = _chosen(ctx, role, agent)
    before = len(ctx.block)
    for group, chosen in zip(role.groups, actions, strict=True):
        handle_group(ctx, group, chosen, agent)
    if len(ctx.block) == before:
        return False
    writer.functions[name] = ir.function(name, ("agent",), ctx.block, "Let an agent turn, and handle things.")
    return True


def _define_aim(writer: Writer, role: Role, name: str, number: int) -> bool:
    """Define where an agent wants to go by its action of a group: its direction, and over how many cells."""
    world = writer.world
    if number not in _moving_groups(world, role):
        return False
    ctx, agent = _begin(writer, role, name)

    def aim(inner: Context, who: Ref, direction: ir.Expr, cells: ir.Expr) -> None:
        inner.emit(ir.Store(way_slot(writer), who.index, direction))
        if not drifts(world):
            inner.emit(ir.Store(left_slot(writer), who.index, cells))
            return
        tile = inner.let("tile", writer.tile_at(ir.load(writer.agent_cell, who.index)))
        blown = ir.either(*(ir.eq(tile, kind.code) for kind in drifts(world)))
        later: ir.Block = [ir.Store(_blown_slot(writer), who.index, ir.add(cells, ir.const(1)))]
        inner.block.extend(ir.when(blown, later, [ir.Store(left_slot(writer), who.index, cells)]))

    if role.moves is not None:
        note_moving(ctx, None, ir.const(0), agent)
        guide(ctx, role.moves, agent, aim)
    else:
        move_group(ctx, role.groups[number], _chosen(ctx, role, agent)[number], agent, aim)
    writer.functions[name] = ir.function(name, ("agent",), ctx.block, "Let an agent say where it goes.")
    return True


def _blown_slot(writer: Writer) -> ir.Slot:
    """Return the slot of how many cells each agent goes that starts on drifting ground, plus one; 0 for others."""
    world = writer.world
    return writer.scratch("BLOWN", len(world.agents), 0, most_cells(world) + 1)


def _move_the_blown(ctx: Context) -> None:
    """Emit the moves from drifting ground, one after the other: their displacement is one step, not cell by cell."""
    world, writer = ctx.world, ctx.writer
    if not drifts(world):
        return
    agent = writer.acting
    inner = ctx.inner()
    begin_act(inner)
    way = way_of(writer, agent.index)
    call_move(inner, agent, way, ir.sub(ir.load(_blown_slot(writer), agent.index), ir.const(1)))
    blown = ir.both(
        writer.is_in(agent.index), ir.compare(">", ir.load(_blown_slot(writer), agent.index), ir.const(0))
    )
    ctx.emit(ir.For("agent", ir.const(0), ir.const(len(world.agents)), ir.when(blown, inner.block)))


def _define_act(writer: Writer) -> None:
    """Define ``act``: all that one agent does in its turn, whatever its role."""
    ctx = new_function(writer, "rule", "act", "agent")
    writer.functions["act"] = ir.function(
        "act", ("agent",), ctx.block, "Let one agent act: handling, then its move."
    )
    for role, first, last in _runs(writer.world):
        block: ir.Block = []
        for verb, define in (("handle", _define_handle), ("go", _define_go)):
            name = writer.function_name((verb, role.name))
            if name in writer.functions or define(writer, role, name):
                block.append(ir.Do(ir.call(name, writer.acting.index)))
        if block:
            here = ir.both(
                ir.ge(writer.acting.index, first), ir.compare("<=", writer.acting.index, ir.const(last))
            )
            ctx.block.extend(ir.when(here, block))


def _define_go(writer: Writer, role: Role, name: str) -> bool:
    if not _moving_groups(writer.world, role):
        return False
    ctx, agent = _begin(writer, role, name)
    if role.moves is not None:
        begin_act(ctx)
        note_moving(ctx, None, ir.const(0), agent)
        guide(ctx, role.moves, agent, call_move)
    else:
        move_groups(ctx, role, _chosen(ctx, role, agent), agent, call_move)
    writer.functions[name] = ir.function(name, ("agent",), ctx.block, "Let an agent move.")
    return True


# Turns


def _shuffle(ctx: Context) -> None:
    """Emit the order in which the agents act in this step, drawn anew."""
    world, writer = ctx.world, ctx.writer
    order, count = _order_slot(writer), len(world.agents)
    index = ir.Local(ctx.names.fresh("i"), "int", 0, count - 1)
    ctx.emit(ir.For(index.name, ir.const(0), ir.const(count), [ir.Store(order, index, index)]))
    body = ctx.inner()
    last = ir.sub(ir.const(count - 1), index)
    place = body.let("place", ir.drawn(ir.add(last, ir.const(1)), count - 1))
    kept = body.let("kept", ir.load(order, place))
    body.emit(ir.Store(order, place, ir.load(order, last)), ir.Store(order, last, kept))
    ctx.emit(ir.For(index.name, ir.const(0), ir.const(count - 1), body.block))
