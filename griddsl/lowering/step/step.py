"""The step: the function ``step`` of the program, phase by phase, in the order of the language."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.memory import remember
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.effects.relocation import define_settle
from griddsl.lowering.moving.belts import ride_belts
from griddsl.lowering.moving.motion import call_move
from griddsl.lowering.rules.events import note_untold
from griddsl.lowering.rules.settling import settled
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.step.acting import handle_group, move_groups, settle_actions
from griddsl.lowering.step.creatures import move_creatures
from griddsl.lowering.step.drawing_once import next_of_trial
from griddsl.lowering.step.several import several_act
from griddsl.lowering.step.standing import come_back, finish_several
from griddsl.lowering.step.timing import rules_after
from griddsl.lowering.world.world import Role
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

FEW = 4
EACH_TURN = (
    keys.REWARD,
    keys.REWARD_IS_SET,
    keys.ENDED,
    keys.TRUNCATED,
    keys.OUTCOME,
    keys.LEFT,
    keys.AGAIN,
)


def define_step(writer: Writer) -> None:
    """Define ``step``: the phases of section 7 of the language, in order."""
    world = writer.world
    parameters: tuple[str, ...] = ()
    if len(world.learners) == 1:
        learner = next(role for role in world.roles if role.moves is None)
        parameters = tuple(f"action_{i + 1}" if i else "action" for i in range(len(learner.groups)))
    ctx = new_function(writer, "rule", "step", *parameters)
    if any(
        isinstance(node, n.Reward) and node.hidden for rule in world.spec.rules for node in walk(rule.effects)
    ):
        # The entry is there wherever a rule could give one, also where none ever fires.
        writer.slot(keys.HIDDEN_REWARD, len(world.agents), type="real", saved=False)
    if world.several:
        several_act(ctx, parameters, _objects_move)
    else:
        _one_acts(ctx, world.roles[0], parameters)
    come_back(ctx)
    ctx.emit(ir.Note("6. each, every and when"))
    rules_after(ctx)
    remember(ctx, "end")
    define_settle(writer)
    ctx.emit(ir.Note("7. reward, terminated, truncated"))
    ctx.block.extend(writer.tell())
    (finish_several if world.several else _finish)(ctx)
    note_untold(writer)
    begin = _begin(writer, ctx.names)
    returned = "return reward, terminated, truncated" if parameters else "rewards and flags are in the state"
    writer.functions["step"] = ir.function(
        "step", parameters, begin + ctx.block, f"Carry out one step; {returned}."
    )


def _one_acts(ctx: Context, role: Role, parameters: tuple[str, ...]) -> None:
    """Emit phases 2 to 5 of the only agent."""
    world = ctx.world
    actions = [
        ir.Local(name, "int", -1, group.size - 1) for name, group in zip(parameters, role.groups, strict=True)
    ]
    agent = agent_ref(ctx, ir.const(0))
    ctx.emit(ir.Note("2. the action is settled"))
    settle_actions(ctx, role, actions, agent)
    if world.spec.order == "objects, agents":
        _objects_move(ctx, 3)
    ctx.emit(ir.Note("4. the agent acts"))
    for group, chosen in zip(role.groups, actions, strict=True):
        handle_group(ctx, group, chosen, agent)
    move_groups(ctx, role, actions, agent, call_move)
    ride_belts(ctx)
    if world.spec.order == "agents, objects":
        _objects_move(ctx, 5)


def hold_steps(writer: Writer) -> None:
    """Let the count of steps stay at the limit where it is asked for, when it is known whether it is.

    Whoever steps on after the end, where nothing is promised, is then led to no cell beyond the map.
    """
    if writer.world.limit is None:
        return
    body = writer.functions["step"].body
    if not any(_asks_for_steps(name, function) for name, function in writer.functions.items()):
        return
    for at, statement in enumerate(body):
        if isinstance(statement, ir.Store) and statement.slot.key == keys.STEP:
            step = statement.slot
            held = ir.least([ir.add(ir.load(step), ir.const(1)), ir.const(int(step.high))])
            body[at] = ir.Store(step, ir.const(0), held)


def _asks_for_steps(name: str, function: ir.Function) -> bool:
    """Whether a function reads the count of steps for more than to count them and to end an episode."""
    for statement in ir.statements(function.body):
        is_end = isinstance(statement, ir.Return) and name == "step"
        if is_end or (isinstance(statement, ir.Store) and statement.slot.key in {keys.STEP, keys.CUT_SHORT}):
            continue
        parts = (part for value in ir.values_of(statement) for part in ir.parts(value))
        if any(isinstance(part, ir.Load) and part.slot.key == keys.STEP for part in parts):
            return True
    return False


def _begin(writer: Writer, names: ir.Names) -> ir.Block:
    """Return phase 1: memories are frozen, the step is counted, what lasts one step is cleared."""
    ctx = replace(new_function(writer, "rule", "step"), names=names)
    ctx.emit(ir.Note("1. the step is counted"))
    remember(ctx, "start")
    if writer.world.limit is not None or keys.STEP in writer.slots:
        step = writer.step
        counted = ir.claim(ir.add(ir.load(step), ir.const(1)), 0, step.high, "no step follows the last one")
        ctx.emit(ir.Store(step, ir.const(0), counted))
    _clear(ctx, [writer.slots[name] for name in EACH_TURN if name in writer.slots])
    told = [writer.slots[keys.HIDDEN_REWARD]] if keys.HIDDEN_REWARD in writer.slots else []
    told += [writer.slots[entry.flag] for entry in writer.infos.values()]
    if told and writer.world.turns == "alternate":
        inner = ctx.inner()
        _clear(inner, told)
        ctx.block.extend(ir.when(_begins_a_step(writer), inner.block))
    else:
        _clear(ctx, told)
    return ctx.block


def _begins_a_step(writer: Writer) -> ir.Expr:
    """Whether it is the turn of one that learns: those of the others belong to the step of the learner before."""
    learns = [int(index in writer.world.learners) for index in range(len(writer.world.agents))]
    if all(learns):
        return ir.TRUE
    return ir.eq(ir.lookup(writer.table("LEARNS", learns), ir.load(writer.turn)), 1)


def _clear(ctx: Context, slots: list[ir.Slot]) -> None:
    """Emit that slots hold 0 again."""
    for slot in slots:
        zero = ir.Const(0.0, "real") if slot.type == "real" else ir.const(0)
        if slot.length > FEW and slot.type != "real":
            ctx.emit(ir.Fill(slot, zero))
        elif slot.length > FEW:
            index = ir.Local(ctx.names.fresh("i"), "int", 0, slot.length - 1)
            ctx.emit(ir.For(index.name, ir.const(0), ir.const(slot.length), [ir.Store(slot, index, zero)]))
        else:
            ctx.block.extend(ir.Store(slot, ir.const(index), zero) for index in range(slot.length))


def _objects_move(ctx: Context, phase: int) -> None:
    world = ctx.world
    if world.object_kinds():
        ctx.emit(ir.Note(f"{phase}. objects move"))
        move_creatures(ctx)


def _finish(ctx: Context) -> None:
    """Emit phase 7: the reward, then terminated, then truncated."""
    world, writer = ctx.world, ctx.writer
    slots = writer.slots
    reward: ir.Expr = ir.Const(Fraction(0), "real")
    if keys.REWARD in slots:
        reward = ir.load(slots[keys.REWARD])
    if keys.REWARD_SET in slots:
        reward = ir.select(
            ir.eq(ir.load(slots[keys.REWARD_IS_SET]), 1), ir.load(slots[keys.REWARD_SET]), reward
        )
    reward = settled(ctx, reward)
    if keys.TOTAL in slots:
        reward = ctx.let("gain", reward)
        total = slots[keys.TOTAL]
        ctx.emit(ir.Store(total, ir.const(0), ir.add(ir.load(total), reward)))
    terminated = ir.eq(ir.load(slots[keys.ENDED]), 1) if keys.ENDED in slots else ir.FALSE
    tests: list[ir.Expr] = []
    if keys.TRUNCATED in slots:
        tests.append(ir.eq(ir.load(slots[keys.TRUNCATED]), 1))
    if world.limit is not None:
        tests.append(ir.Op(">=", (ir.load(writer.step), ir.const(world.limit)), "bool", 0, 1))
    if world.episodes > 1:
        ctx.emit(next_of_trial(ctx, reward, terminated, ir.either(*tests)))
    else:
        ctx.emit(ir.Return((reward, terminated, ir.either(*tests))))
