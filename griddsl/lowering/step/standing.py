"""Standing: what each of several agents gets in a step, and who is out of the episode after it."""

from __future__ import annotations

from griddsl.lowering.clauses.carrying import leave_behind
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.effects.sending import where_to
from griddsl.lowering.facts.facts import is_start
from griddsl.lowering.rules.settling import settled
from griddsl.lowering.world.values import Ref
from griddsl.program import ir, keys


def finish_several(ctx: Context) -> None:
    """Emit phase 7: each agent's reward, whether its part has ended, and how."""
    world, writer = ctx.world, ctx.writer
    slots, count = writer.slots, len(world.agents)
    reward = writer.slot(keys.REWARD, count, type="real", saved=False)
    agent = writer.acting.index
    zero = ir.Const(0.0, "real")
    if keys.REWARD_SET in slots:
        given: ir.Block = [ir.Store(reward, agent, ir.load(slots[keys.REWARD_SET], agent))]
        is_set = ir.eq(ir.load(slots[keys.REWARD_IS_SET], agent), 1)
        ctx.emit(ir.For("agent", ir.const(0), ir.const(count), [ir.If(is_set, given, [])]))
    if world.spec.rewards == "shared":
        total = ctx.variable("total", zero, -ir.UNBOUNDED, ir.UNBOUNDED)
        ctx.emit(
            ir.sum_of(total)("agent", ir.const(0), ir.const(count), [ir.Hit(ir.load(reward, agent))]),
            ir.For("agent", ir.const(0), ir.const(count), [ir.Store(reward, agent, total)]),
        )
    if world.spec.reward_changes:
        changed = settled(ctx, ir.load(reward, agent))
        ctx.emit(ir.For("agent", ir.const(0), ir.const(count), [ir.Store(reward, agent, changed)]))
    if keys.TOTAL in slots:
        gained = slots[keys.TOTAL]
        grown = ir.add(ir.load(gained, agent), ir.load(reward, agent))
        ctx.emit(ir.For("agent", ir.const(0), ir.const(count), [ir.Store(gained, agent, grown)]))
    _own_limits(ctx)
    if world.turns == "alternate":
        _pass_turn(ctx)
    _name_the_leaving(ctx)
    if len(world.learners) == 1:
        _return_one(ctx, reward)
        return
    terminated, truncated = writer.scratch(keys.TERMINATED, count), writer.scratch(keys.CUT_SHORT, count)
    ends, cuts = _ends(ctx, agent), _cuts(ctx, agent)
    ctx.emit(
        ir.For(
            "agent",
            ir.const(0),
            ir.const(count),
            [
                ir.Store(terminated, agent, ir.as_number(ends)),
                ir.Store(truncated, agent, ir.as_number(cuts)),
            ],
        ),
        ir.Return(()),
    )


def come_back(ctx: Context) -> None:
    """Emit that agents whose time away is over are back, and that the others have one step less to wait.

    Where a random place is to be had by nobody, they wait for another step.
    """
    world, writer = ctx.world, ctx.writer
    if not writer.facts.comes_back:
        return
    ctx.emit(ir.Note("Agents that were away are back"))
    agent = writer.acting.index
    due, waits = ctx.inner(self_ref=writer.acting, where="`back at`"), ctx.inner()
    _put_back(due, writer.acting)
    waits.emit(ir.Store(writer.out, agent, ir.sub(ir.load(writer.out, agent), ir.const(1))))
    is_away = ir.both(ir.ge(ir.load(writer.out, agent), 2), ir.eq(ir.load(writer.left, agent), 0))
    turn = ir.If(ir.eq(ir.load(writer.out, agent), 2), due.block, waits.block)
    ctx.emit(ir.For("agent", ir.const(0), ir.const(len(world.agents)), [ir.If(is_away, [turn], [])]))


def _put_back(ctx: Context, agent: Ref) -> None:
    """Emit that an agent takes part again, at its place, if there is room; it raises no event there."""
    world, writer = ctx.world, ctx.writer
    places = writer.facts.places_back.values()
    for number, place in enumerate(places):
        there = ctx.inner()
        is_meant = ir.TRUE if len(places) == 1 else ir.eq(ir.load(writer.back, agent.index), number)
        back: ir.Block = [ir.Store(writer.out, agent.index, ir.const(0))]
        if not (world.nowhere and is_start(place)):
            with ctx.clause(place.span, "leave `back at` out"):
                cell = where_to(there, agent, place)
                if cell is None:
                    continue
                cell = there.let("there", cell)
                back.append(ir.Store(writer.agent_cell, agent.index, cell))
            back = ir.when(ir.ge(cell, 0), back)
        there.block.extend(back)
        ctx.block.extend(ir.when(is_meant, there.block))


def _ends(ctx: Context, agent: ir.Expr) -> ir.Expr:
    slots = ctx.writer.slots
    tests = [ir.eq(ir.load(slots[keys.ENDED]), 1)] if keys.ENDED in slots else []
    if keys.LEFT in slots:
        tests.append(ir.eq(ir.load(slots[keys.LEFT], agent), 1))
    return ir.either(*tests)


def _cuts(ctx: Context, agent: ir.Expr) -> ir.Expr:
    world, writer = ctx.world, ctx.writer
    tests = [ir.eq(ir.load(writer.slots[keys.TRUNCATED]), 1)] if keys.TRUNCATED in writer.slots else []
    if world.limit is not None:
        tests.append(ir.Op(">=", (ir.load(writer.step), ir.const(world.limit)), "bool", 0, 1))
    if world.own_limits:
        tests.append(ir.eq(ir.load(writer.scratch("TIMED_OUT", len(world.agents)), agent), 1))
    return ir.either(*tests)


def _own_limits(ctx: Context) -> None:
    """Emit that agents whose own limit is reached are out."""
    world, writer = ctx.world, ctx.writer
    if not world.own_limits:
        return
    timed_out = writer.scratch("TIMED_OUT", len(world.agents))
    ctx.emit(ir.Fill(timed_out, ir.const(0)))
    for index, kind in enumerate(world.agents):
        if kind.name in world.own_limits:
            over = ir.Op(">=", (ir.load(writer.step), ir.const(world.own_limits[kind.name])), "bool", 0, 1)
            gone = ctx.inner()
            gone.emit(
                ir.Store(timed_out, ir.const(index), ir.const(1)),
                ir.Store(writer.out, ir.const(index), ir.const(1)),
            )
            leave_behind(gone, ir.const(index))
            stays = ir.ne(ir.load(writer.out, index), 1)
            ctx.block.extend(ir.when(ir.both(over, stays), gone.block))


def _name_the_leaving(ctx: Context) -> None:
    """Emit that to the only one that learns, its own leaving is how the episode ended, unless a rule said another."""
    world, writer = ctx.world, ctx.writer
    if len(world.learners) > 1 or not writer.facts.can_leave:
        return
    if "out" not in writer.outcomes:
        writer.outcomes.append("out")
    left = ir.eq(ir.load(writer.left, world.learners[0]), 1)
    outcome = writer.scratch(keys.OUTCOME, 1, 0, 1000)
    went = ir.Store(outcome, ir.const(0), ir.const(writer.outcomes.index("out") + 1))
    goes_on = ir.eq(ir.load(writer.slots[keys.ENDED]), 0) if keys.ENDED in writer.slots else ir.TRUE
    ctx.block.extend(ir.when(ir.both(left, goes_on), [went]))


def _return_one(ctx: Context, reward: ir.Slot) -> None:
    learner = ir.const(ctx.world.learners[0])
    ctx.emit(ir.Return((ir.load(reward, learner), _ends(ctx, learner), _cuts(ctx, learner))))


def _pass_turn(ctx: Context) -> None:
    """Emit that the turn goes to the next agent that takes part: not to one whose own limit was reached just now.

    Who takes part and was given another turn keeps it.
    """
    world, writer = ctx.world, ctx.writer
    slot, count = writer.turn, len(world.agents)
    turn = ir.load(slot)
    body: ir.Block = [ir.Store(slot, ir.const(0), ir.mod(ir.add(turn, ir.const(1)), ir.const(count)))]
    if writer.facts.can_leave:
        body.append(ir.If(writer.is_in(turn), [ir.Break()], []))
        body = [ir.For(ctx.names.fresh("i"), ir.const(0), ir.const(count), body)]
    if keys.AGAIN in writer.slots:
        keeps = ir.both(ir.eq(ir.load(writer.slots[keys.AGAIN]), 1), writer.is_in(turn))
        body = ir.when(ir.invert(keeps), body)
    ctx.block.extend(body)
