"""Acting: one agent's part of a step: its action settled, then turning and handling, then its move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import drawn, evaluate_chance, evaluate_number
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION
from griddsl.lowering.moving.arriving import note_moving, settle_if_needed
from griddsl.lowering.moving.ways import drifts
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.rules.given import is_chosen, places_of
from griddsl.lowering.rules.legality import legal
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.handling import handle
from griddsl.lowering.step.slipping import slipped
from griddsl.lowering.step.timing import rules_before
from griddsl.lowering.world.actions import FARTHEST, Action, Group
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import Role, World
from griddsl.program import ir, keys
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING
from griddsl.syntax.nodes import walk

OWN_ACTIONS = "an agent chooses among its own actions"  # what claims of ranges rest on
Go = Callable[[Context, Ref, ir.Expr, ir.Expr], None]


def settle_actions(
    ctx: Context, role: Role, actions: list[ir.Local], agent: Ref, illegal: list[ir.Expr] | None = None
) -> None:
    """Emit legality, sticky, and the rules before the action; an action that is not done becomes -1.

    Where it was judged before, `illegal` says of each group whether its action is.
    """
    world, writer = ctx.world, ctx.writer
    reads_action = bool(actions) and _reads_action(writer)
    if reads_action and can_be_illegal(world, role):
        ctx.emit(_note_action(writer, role, actions[0], agent))
    judged = (
        illegal_tests(ctx, role, actions, agent) if illegal is None else zip(actions, illegal, strict=True)
    )
    for chosen, test in judged:
        inner = ctx.inner()
        if world.spec.illegal == "end":
            perform(inner, (n.End("illegal", world.spec.place("illegal")),))
        inner.emit(ir.Let(chosen.name, ir.const(-1)))
        ctx.block.extend(ir.when(test, inner.block))
    if world.spec.sticky is not None:
        _sticky(ctx, actions, agent)
    if reads_action:
        note = _note_action(writer, role, actions[0], agent)
        # Of an action that is illegal it stays noted which one was chosen.
        known = ir.ge(actions[0], 0) if can_be_illegal(world, role) else ir.TRUE
        ctx.block.extend(ir.when(known, [note]))
    before = [rule for rule in world.spec.rules if rule.trigger.event in BEFORE_THE_ACTION]
    cancels = any(isinstance(node, n.Cancel) for rule in before for node in walk(rule.effects))
    if cancels:
        ctx.emit(ir.Store(writer.scratch(keys.CANCELLED), ir.const(0), ir.const(0)))
    rules_before(ctx, role, actions, agent)
    if cancels:
        stop: ir.Block = [ir.Let(action.name, ir.const(-1)) for action in actions]
        ctx.emit(ir.If(ir.eq(ir.load(writer.scratch(keys.CANCELLED)), 1), stop, []))


def _note_action(writer: Writer, role: Role, chosen: ir.Local, agent: Ref) -> ir.Stmt:
    """Return what notes an agent's action for `self.action`, which counts those of the first group."""
    names = [writer.world.action_names.index(action.name) for action in role.groups[0].numbered]
    number: ir.Expr = chosen
    if names != list(range(len(names))):
        number = ir.lookup(writer.table(("ACTION_NAME", role.groups[0].order), [*names, 0]), number)
    return ir.Store(writer.action_slot, agent.index, number)


def can_be_illegal(world: World, role: Role) -> bool:
    """Whether an agent of a role may choose what is not allowed, and is told so."""
    return world.spec.illegal != "act" and any(action.is_limited for action in role.actions)


def _reads_action(writer: Writer) -> bool:
    """Whether anything asks for an agent's action, wherever it stands: also what moves or gives way by it."""
    asked = (
        isinstance(node, n.Attribute) and node.name == "action" for node in clauses_of(writer.world.spec)
    )
    return keys.ACTION in writer.slots or any(asked)


def illegal_tests(
    ctx: Context, role: Role, actions: list[ir.Local], agent: Ref
) -> Iterator[tuple[ir.Local, ir.Expr]]:
    """Yield the action of a group, and whether it is one that is not allowed, for each that may be forbidden."""
    for action in role.actions if can_be_illegal(ctx.world, role) else ():
        if action.is_limited:
            chosen, places = actions[action.group], places_of(ctx, action, actions)
            yield (
                chosen,
                ir.both(is_chosen(action, chosen), ir.invert(legal(ctx, action, agent.index, places))),
            )


def _sticky(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    """Emit that the previous action is repeated with a chance; the first step of an episode has none."""
    world, writer = ctx.world, ctx.writer
    chance = None if world.spec.sticky is None else evaluate_chance(ctx, world.spec.sticky)
    if chance is None or chance == ir.const(0):
        return
    width = max(len(role.groups) for role in world.roles)
    length = width * len(world.agents)
    most = max(group.size for group in world.groups) - 1
    slot = writer.slot(keys.PREVIOUS_ACTION, length, -1, most, initial=(-1,) * length)
    first = ir.mul(agent.index, ir.const(width))
    places = [ir.add(first, ir.const(index)) for index in range(len(actions))]
    again: ir.Block = [
        ir.Let(action.name, ir.claim(ir.load(slot, place), action.low, action.high, OWN_ACTIONS))
        for action, place in zip(actions, places, strict=True)
    ]
    test = ir.both(ir.ge(ir.load(slot, places[0]), 0), drawn(ctx, chance))
    ctx.block.extend(ir.when(test, again))
    for action, place in zip(actions, places, strict=True):
        ctx.emit(ir.Store(slot, place, action))


def handle_group(ctx: Context, group: Group, chosen: ir.Local, agent: Ref) -> None:
    """Emit the turning, picking up, dropping and toggling of a group of actions."""
    writer, actions = ctx.writer, group.actions
    if any(action.turn for action in actions):
        turns = writer.table(("TURN", group.order), [action.turn % 4 for action in group.numbered] + [0])
        turned = writer.turned(ir.load(writer.facing, agent.index), ir.lookup(turns, chosen))
        ctx.emit(ir.Store(writer.facing, agent.index, turned))
    for action in actions:
        if action.verb in HANDLING:
            inner = ctx.inner()
            begin_act(inner)
            handle(inner, action, agent)
            settle_if_needed(inner, action.verb, "fail")
            ctx.block.extend(ir.when(ir.eq(chosen, action.number), inner.block))


def move_groups(ctx: Context, role: Role, actions: list[ir.Local], agent: Ref, go: Go) -> None:
    """Emit the moves of an agent, group by group: after an end, or once it is out, a further group moves nothing."""
    for index, (group, chosen) in enumerate(zip(role.groups, actions, strict=True)):
        inner = ctx.inner()
        move_group(inner, group, chosen, agent, go)
        goes = may_go_on(ctx.writer, agent.index) if index else ir.TRUE
        ctx.block.extend(ir.when(goes, inner.block) if inner.block else [])


def may_go_on(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return whether the move of a further group is made: while the episode goes on, and the agent takes part."""
    return ir.both(writer.is_in(agent), writer.goes_on())


def moves_in(world: World, group: Group) -> bool:
    """Whether an action of a group is a move, or stays on ground that drifts."""
    verbs = {"move", "stay"} if drifts(world) else {"move"}
    return any(action.verb in verbs for action in group.actions)


def move_group(ctx: Context, group: Group, chosen: ir.Local, agent: Ref, go: Go) -> None:
    """Emit the moves of a group: the direction by table, slip, facing, then what ``go`` makes of it."""
    world, writer, actions = ctx.world, ctx.writer, group.actions
    moves = [action for action in actions if action.verb == "move"]
    stays = [action for action in actions if action.verb == "stay"] if drifts(world) else []
    if not moves and not stays:
        return
    inner = ctx.inner()
    begin_act(inner)
    cells = writer.table(
        ("MOVE_CELLS", group.order), [a.cells if a.verb == "move" else 0 for a in group.numbered] + [0]
    )
    reach = ir.lookup(cells, chosen)
    if moves:
        direction = _direction(inner, group, chosen, agent)
        if any(action.reach is not None for action in moves):
            direction, reach = _reach(inner, moves, chosen, direction, reach)
        direction = slipped(inner, direction, stays, chosen)
        if writer.facts.has_facing:
            facing = ir.Store(writer.facing, agent.index, direction)
            absolute = [a for a in moves if a.direction is not None]
            if absolute:
                turning = (
                    ir.either(*(ir.eq(chosen, a.number) for a in absolute))
                    if len(absolute) < len(moves) + len(stays)  # who stays on drifting ground does not turn
                    else ir.TRUE
                )
                inner.block.extend(ir.when(turning, [facing]))
    else:
        direction = ir.const(0)
    note_moving(inner, group, chosen, agent)
    go(inner, agent, direction, reach)
    doers = [*moves, *stays]
    test = _is_one_of(writer, group, doers, chosen)
    ctx.block.extend(ir.when(test, inner.block))


def _reach(
    ctx: Context, moves: list[Action], chosen: ir.Local, direction: ir.Expr, listed: ir.Expr
) -> tuple[ir.Expr, ir.Expr]:
    """Emit how many cells a move goes where the game decides that; a number below 0 turns the move around."""
    writer = ctx.writer
    cells = ctx.variable("cells", listed, -FARTHEST, FARTHEST)
    for action in moves:
        if action.reach is None:
            continue
        inner = ctx.inner()
        number = evaluate_number(inner, action.reach)
        if number is None:
            continue
        if number.type == "real" or not -FARTHEST <= number.low <= number.high <= FARTHEST:
            reason = f"a move goes a whole number of cells, {FARTHEST} at the most"
            ctx.error("bad-value", action.reach.span, reason=reason)
            continue
        inner.emit(ir.Let(cells.name, number))
        ctx.block.extend(ir.when(ir.eq(chosen, action.number), inner.block))
    opposite = ir.lookup(writer.table("OPPOSITE", [2, 3, 0, 1, 6, 7, 4, 5]), direction)
    back = ir.lt(cells, 0)
    way = ctx.let("way", ir.select(back, opposite, direction))
    far = ctx.let("far", ir.Op("abs", (cells,), "int", 0, FARTHEST))
    return way, far


def _is_one_of(writer: Writer, group: Group, doers: list[Action], chosen: ir.Local) -> ir.Expr:
    actions = group.actions
    if len(doers) == len(actions):
        return ir.ge(chosen, 0) if _can_be_undone(writer.world) else ir.TRUE
    if len(doers) == 1:
        return ir.eq(chosen, doers[0].number)
    flags = writer.table(("MOVES", group.order), [int(action in doers) for action in group.numbered] + [0])
    return ir.eq(ir.lookup(flags, chosen), 1)


def _can_be_undone(world: World) -> bool:
    """Whether an action can have become -1: illegal, cancelled, or no previous one."""
    cancels = any(isinstance(node, n.Cancel) for rule in world.spec.rules for node in walk(rule.effects))
    return cancels or any(action.is_limited for action in world.actions)


def _direction(ctx: Context, group: Group, chosen: ir.Local, agent: Ref) -> ir.Expr:
    writer, actions = ctx.writer, group.actions
    relative = [action for action in actions if action.relative is not None]
    absolute = [action for action in actions if action.direction is not None]
    high = 7 if writer.facts.faces_diagonally else 3
    listed = writer.table(("DIRECTION", group.order), [a.direction or 0 for a in group.numbered] + [0])
    fixed = ir.lookup(listed, chosen)
    if not relative:
        return ctx.let("direction", fixed)
    turns = writer.table(("RELATIVE", group.order), [a.relative or 0 for a in group.numbered] + [0])
    facing = ir.load(writer.facing, agent.index)
    turn = ir.lookup(turns, chosen)
    turned = facing if turn == ir.const(0) else writer.turned(facing, turn)
    if not absolute:
        value = ctx.let("direction", turned)
        return ir.Local(value.name, "int", 0, high) if isinstance(value, ir.Local) else value
    flags = writer.table(
        ("IS_RELATIVE", group.order), [int(a.relative is not None) for a in group.numbered] + [0]
    )
    return ctx.let("direction", ir.select(ir.eq(ir.lookup(flags, chosen), 1), turned, fixed))
