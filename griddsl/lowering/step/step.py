"""The step: the function ``step`` of the program, phase by phase, in the order of the language."""

from __future__ import annotations

from fractions import Fraction

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.legality import legal
from griddsl.lowering.clauses.meaning import drawn, evaluate_chance
from griddsl.lowering.clauses.memory import remember
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.rules.events import begin_act
from griddsl.lowering.rules.performing import perform
from griddsl.lowering.rules.relocation import define_settle
from griddsl.lowering.rules.timing import rules_after, rules_before
from griddsl.lowering.step.creatures import move_creatures
from griddsl.lowering.step.handling import handle
from griddsl.lowering.step.motion import call_move, carry_agent, carry_things, drifts, settle_if_needed
from griddsl.lowering.step.slipping import slipped
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

EACH_STEP = ("REWARD", "REWARD_IS_SET", "HIDDEN_REWARD", "ENDED", "TRUNCATED", "OUTCOME")


def define_step(world: World) -> None:
    """Define ``step``: the phases of section 7 of the language, in order."""
    parameters = tuple(
        "action" if index == 0 else f"action_{index + 1}" for index in range(len(world.groups))
    )
    ctx = new_function(world, "rule", "step", *parameters)
    actions = [
        ir.Local(name, "int", -1, len(group.actions) - 1)
        for name, group in zip(parameters, world.groups, strict=True)
    ]
    agent = agent_ref(ctx, ir.const(0))
    ctx.emit(ir.Note("2. the action is settled"))
    settled = _settle_actions(ctx, actions, agent)
    if world.spec.order == "objects, agents":
        _objects_move(ctx, 3)
    ctx.emit(ir.Note("4. the agent acts"))
    _act(ctx, settled, agent)
    if world.spec.order == "agents, objects":
        _objects_move(ctx, 5)
    ctx.emit(ir.Note("6. each, every and when"))
    rules_after(ctx)
    remember(ctx, "end")
    define_settle(world)
    ctx.emit(ir.Note("7. reward, terminated, truncated"))
    _finish(ctx)
    begin = _begin(world)
    world.functions["step"] = ir.Function(
        "step", parameters, begin + ctx.block, "Carry out one step; return reward, terminated, truncated."
    )


def _begin(world: World) -> ir.Block:
    """Return phase 1: memories are frozen, the step is counted, what lasts one step is cleared."""
    ctx = new_function(world, "rule", "step")
    ctx.emit(ir.Note("1. the step is counted"))
    remember(ctx, "start")
    if world.limit is not None or "STEP" in world.slots:
        step = world.step
        ctx.emit(
            ir.Store(step, ir.const(0), ir.Op("+", (ir.load(step), ir.const(1)), "int", 0, ir.UNBOUNDED))
        )
    cleared = [world.slots[name] for name in EACH_STEP if name in world.slots]
    cleared += [
        slot for name, slot in world.slots.items() if name.startswith("INFO_") and name.endswith("_IS_SET")
    ]
    for slot in cleared:
        zero = ir.Const(0.0, "real") if slot.type == "real" else ir.const(0)
        ctx.block.extend(ir.Store(slot, ir.const(index), zero) for index in range(slot.length))
    return ctx.block


def _objects_move(ctx: Context, phase: int) -> None:
    world = ctx.world
    if world.object_kinds():
        ctx.emit(ir.Note(f"{phase}. objects move"))
        move_creatures(ctx)


def _settle_actions(ctx: Context, actions: list[ir.Local], agent: Ref) -> list[ir.Local]:
    """Emit legality, sticky, and the rules before the action; an action that is not done becomes -1."""
    world = ctx.world
    _legality(ctx, actions, agent)
    if world.spec.sticky is not None:
        _sticky(ctx, actions)
    if _reads_action(world):
        # `self.action` counts the actions of the first group.
        slot = world.scratch("ACTION", len(world.agents), 0, max(0, len(world.actions) - 1))
        ctx.emit(ir.Store(slot, agent.index, actions[0]))
    before = [rule for rule in world.spec.rules if rule.trigger.event in {"act", "do"}]
    cancels = any(isinstance(node, n.Cancel) for rule in before for node in walk(rule.effects))
    if cancels:
        ctx.emit(ir.Store(world.scratch("CANCELLED"), ir.const(0), ir.const(0)))
    rules_before(ctx, actions, agent)
    if cancels:
        stop: ir.Block = [ir.Let(action.name, ir.const(-1)) for action in actions]
        ctx.emit(ir.If(ir.eq(ir.load(world.scratch("CANCELLED")), 1), stop, []))
    return actions


def _reads_action(world: World) -> bool:
    return (
        "ACTION" in world.slots
        or any(action.through is not None for action in world.actions)
        or any(
            isinstance(node, n.Attribute) and node.name == "action"
            for root in (
                [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in world.spec.rules],
                [observe.items for observe in world.spec.observe],
                world.spec.info,
            )
            for node in walk(root)
        )
    )


def _legality(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    world = ctx.world
    if world.spec.illegal == "act":
        return
    for action in world.actions:
        if action.allow is None:
            continue
        chosen = actions[action.group]
        inner = ctx.inner()
        if world.spec.illegal == "end":
            perform(inner, (n.End("illegal", world.spec.place("illegal")),))
        inner.emit(ir.Let(chosen.name, ir.const(-1)))
        test = ir.both(ir.eq(chosen, action.number), ir.invert(legal(ctx, action, agent.index)))
        ctx.block.extend(ir.when(test, inner.block))


def _sticky(ctx: Context, actions: list[ir.Local]) -> None:
    """Emit that the previous action is repeated with a chance; the first step of an episode has none."""
    world = ctx.world
    chance = evaluate_chance(ctx, world.spec.sticky)
    if chance is None or chance == ir.const(0):
        return
    slot = world.slot(
        "PREVIOUS_ACTION", len(actions), -1, int(max(a.high for a in actions)), initial=(-1,) * len(actions)
    )
    again: ir.Block = [ir.Let(action.name, ir.load(slot, index)) for index, action in enumerate(actions)]
    test = ir.both(ir.ge(ir.load(slot, 0), 0), drawn(ctx, chance))
    ctx.block.extend(ir.when(test, again))
    for index, action in enumerate(actions):
        ctx.emit(ir.Store(slot, ir.const(index), action))


def _act(ctx: Context, actions: list[ir.Local], agent: Ref) -> None:
    """Emit phase 4: turning and handling, then moves, then belts."""
    world = ctx.world
    for group, chosen in zip(world.groups, actions, strict=True):
        _handle_group(ctx, group.actions, chosen, agent)
    for group, chosen in zip(world.groups, actions, strict=True):
        _move_group(ctx, group.actions, chosen, agent)
    if any(kind.carry is not None for kind in world.tile_kinds()):
        inner = ctx.inner()
        begin_act(inner)
        carry_agent(inner, agent)
        ended = ir.eq(ir.load(world.scratch("ENDED")), 0) if _moves_can_end(world) else ir.TRUE
        ctx.block.extend(ir.when(ended, inner.block))
        carry_things(ctx)


def _moves_can_end(world: World) -> bool:
    return any(isinstance(node, n.End) for rule in world.spec.rules for node in walk(rule.effects))


def _handle_group(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> None:
    world = ctx.world
    if any(action.turn for action in actions):
        turns = world.table("TURN", [action.turn % 4 for action in actions] + [0])
        turned = ir.mod(ir.add(ir.load(world.facing, agent.index), ir.lookup(turns, chosen)), ir.const(4))
        ctx.emit(ir.Store(world.facing, agent.index, turned))
    for action in actions:
        if action.verb in {"pickup", "drop", "toggle"}:
            inner = ctx.inner()
            begin_act(inner)
            handle(inner, action.verb, agent)
            settle_if_needed(inner, action.verb, "fail")
            ctx.block.extend(ir.when(ir.eq(chosen, action.number), inner.block))


def _move_group(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> None:
    """Emit the moves of a group: the direction by table, slip, facing, then the move itself."""
    world = ctx.world
    moves = [action for action in actions if action.verb == "move"]
    stays = [action for action in actions if action.verb == "stay"] if drifts(world) else []
    if not moves and not stays:
        return
    inner = ctx.inner()
    begin_act(inner)
    cells = world.table("MOVE_CELLS", [a.cells if a.verb == "move" else 0 for a in actions] + [0])
    if moves:
        direction = _direction(inner, actions, chosen, agent)
        direction = slipped(inner, direction, stays, chosen)
        if world.has_facing:
            facing = ir.Store(world.facing, agent.index, direction)
            absolute = [a for a in moves if a.direction is not None]
            if absolute:
                turning = (
                    ir.either(*(ir.eq(chosen, a.number) for a in absolute))
                    if len(absolute) < len(moves)
                    else ir.TRUE
                )
                inner.block.extend(ir.when(turning, [facing]))
    else:
        direction = ir.const(0)
    call_move(inner, agent, direction, ir.lookup(cells, chosen))
    doers = [*moves, *stays]
    test = _is_one_of(world, actions, doers, chosen)
    ctx.block.extend(ir.when(test, inner.block))


def _is_one_of(world: World, actions: list[Action], doers: list[Action], chosen: ir.Local) -> ir.Expr:
    if len(doers) == len(actions):
        return ir.ge(chosen, 0) if _can_be_undone(world) else ir.TRUE
    if len(doers) == 1:
        return ir.eq(chosen, doers[0].number)
    flags = world.table(f"MOVES_{doers[0].group}", [int(action in doers) for action in actions] + [0])
    return ir.eq(ir.lookup(flags, chosen), 1)


def _can_be_undone(world: World) -> bool:
    """Whether an action can have become -1: illegal, cancelled, or no previous one."""
    cancels = any(isinstance(node, n.Cancel) for rule in world.spec.rules for node in walk(rule.effects))
    return cancels or any(action.allow is not None for action in world.actions)


def _direction(ctx: Context, actions: list[Action], chosen: ir.Local, agent: Ref) -> ir.Expr:
    world = ctx.world
    relative = [action for action in actions if action.relative is not None]
    absolute = [action for action in actions if action.direction is not None]
    high = 7 if any((a.direction or 0) > 3 for a in absolute) else 3
    listed = world.table(f"DIRECTION_{actions[0].group}", [a.direction or 0 for a in actions] + [0])
    fixed = ir.lookup(listed, chosen)
    if not relative:
        return ctx.let("direction", fixed)
    turns = world.table("RELATIVE", [a.relative or 0 for a in actions] + [0])
    facing = ir.load(world.facing, agent.index)
    turn = ir.lookup(turns, chosen)
    turned = facing if turn == ir.const(0) else ir.mod(ir.add(facing, turn), ir.const(4))
    if not absolute:
        value = ctx.let("direction", turned)
        return ir.Local(value.name, "int", 0, high) if isinstance(value, ir.Local) else value
    flags = world.table("IS_RELATIVE", [int(a.relative is not None) for a in actions] + [0])
    return ctx.let("direction", ir.select(ir.eq(ir.lookup(flags, chosen), 1), turned, fixed))


def _finish(ctx: Context) -> None:
    """Emit phase 7: the reward, then terminated, then truncated."""
    world = ctx.world
    slots = world.slots
    reward: ir.Expr = ir.Const(Fraction(0), "real")
    if "REWARD" in slots:
        reward = ir.load(slots["REWARD"])
    if "REWARD_SET" in slots:
        reward = ir.select(ir.eq(ir.load(slots["REWARD_IS_SET"]), 1), ir.load(slots["REWARD_SET"]), reward)
    terminated = ir.eq(ir.load(slots["ENDED"]), 1) if "ENDED" in slots else ir.FALSE
    tests: list[ir.Expr] = []
    if "TRUNCATED" in slots:
        tests.append(ir.eq(ir.load(slots["TRUNCATED"]), 1))
    if world.limit is not None:
        tests.append(ir.Op(">=", (ir.load(world.step), ir.const(world.limit)), "bool", 0, 1))
    ctx.emit(ir.Return((reward, terminated, ir.either(*tests))))
