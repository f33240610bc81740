"""Rewards: what ``reward`` gives, and what that means for the others where rewards are shared or cancel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import (
    evaluate_number,
)
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.whereabouts import is_agent
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.naming import one_of_many
from griddsl.lowering.world.values import Ref
from griddsl.program import ir, keys
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@performs(n.Reward, Traits(in_setup=False, asks_first=True))
def _reward(ctx: Context, effect: n.Reward) -> None:
    match effect.value:
        case n.Arithmetic("+" | "-" as sign, n.Name(name), amount) if (
            _is_agent(ctx, name) and effect.to is None
        ):
            help = write(f"reward {sign}{to_text(amount)} to {name}", place=effect.span)
            found = f"`{name}`, who gets it,"
            ctx.error("type", effect.value.left.span, found=found, expected="a number", help=help)
            return
    value = evaluate_number(ctx, effect.value)
    if value is None:
        return
    world = ctx.world
    if effect.to is None and (effect.hidden or world.spec.rewards == "own"):
        learner = world.agent_names[world.learners[0]] if world.learners else "NAME"
        line = Help(
            f"write `{to_text(effect)} to {learner}`", (f"{to_text(effect)} to {learner}",), place=effect.span
        )
        warn_of_nobody(ctx, effect.span, "the reward", "paid", line)
    recipients = _recipients(ctx, effect)
    value = ctx.let("amount", value) if world.several else value
    if world.several and not effect.hidden and world.spec.rewards != "own":
        _give_and_take(ctx, effect, recipients, value)
        return
    for index in recipients:
        given = ctx.inner()
        _give(given, effect, index, value)
        is_paid = _takes_part(ctx.writer, index) if ctx.writer.facts.comes_back else ir.TRUE
        ctx.block.extend(given.block if effect.hidden else ir.when(is_paid, given.block))


def warn_of_nobody(ctx: Context, span: Span, what: str, told: str, help: str) -> None:
    """Warn where a rule about an agent that plays by itself pays or tells it something: no learner is told."""
    subject = ctx.self_ref
    if (
        ctx.world.several
        and subject is not None
        and subject.category == "agent"
        and subject.kind.moves is not None
    ):
        ctx.error("told-to-nobody", span, what=what, agent=subject.kind.name, told=told, help=help)


def _is_agent(ctx: Context, name: str) -> bool:
    return name in ctx.world.kinds and ctx.world.kinds[name].category == "agent"


def _give(ctx: Context, effect: n.Reward, index: ir.Expr, value: ir.Expr) -> None:
    """Emit that one agent gets a reward."""
    writer, agents = ctx.writer, len(ctx.world.agents)
    if effect.hidden:
        _add(ctx, writer.slot(keys.HIDDEN_REWARD, agents, type="real", saved=False), index, value)
    elif effect.assigns:
        ctx.emit(
            ir.Store(
                writer.slot(keys.REWARD_SET, agents, type="real", saved=False), index, ir.as_float(value)
            )
        )
        ctx.emit(ir.Store(writer.scratch(keys.REWARD_IS_SET, agents), index, ir.const(1)))
    else:
        _add(ctx, writer.slot(keys.REWARD, agents, type="real", saved=False), index, value)


def _give_and_take(ctx: Context, effect: n.Reward, winners: list[ir.Expr], value: ir.Expr) -> None:
    """Emit a reward that means something for the others as well; who is out gets none and pays none."""
    world, writer = ctx.world, ctx.writer
    if world.spec.rewards == "zero_sum" and ctx.pays_itself != ir.TRUE:
        alike, others = ctx.inner(), ctx.inner()
        if ctx.pays_itself != ir.FALSE:
            _give_and_take(replace(alike, pays_itself=ir.TRUE), effect, winners, value)
        _take_from_others(others, effect, winners, value)
        ctx.block.extend(ir.when(ctx.pays_itself, alike.block, others.block))
        return
    for winner in winners:
        there, gone = ctx.inner(), ctx.inner()
        _give(there, effect, winner, value)
        if ctx.pays_itself == ir.TRUE and writer.facts.can_leave:
            _share_out(gone, effect, value)
        ctx.block.extend(ir.when(_takes_part(writer, winner), there.block, gone.block))


def _takes_part(writer: Writer, agent: ir.Expr) -> ir.Expr:
    """Return whether rewards of this step concern an agent: it is in, or went out in this very step."""
    if not writer.facts.can_leave:
        return ir.TRUE
    return ir.either(writer.is_in(agent), ir.ge(ir.load(writer.left, agent), 1))


def _count_taking_part(ctx: Context, agents: list[ir.Expr]) -> ir.Expr:
    """Return how many of some agents take part."""
    total: ir.Expr = ir.const(0)
    for agent in agents:
        total = ir.add(total, ir.as_number(_takes_part(ctx.writer, agent)))
    return ctx.let("getting", total)


def _all_taking_part(ctx: Context) -> ir.Expr:
    """Return how many agents take part."""
    writer, count = ctx.writer, len(ctx.world.agents)
    if not writer.facts.can_leave:
        return ir.const(count)
    if "taking_part" not in writer.functions:
        inner = new_function(writer, "rule", "taking_part")
        doc = "How many agents the rewards of this step concern."
        writer.functions["taking_part"] = ir.function("taking_part", (), inner.block, doc)
        found = inner.variable("found", ir.const(0), 0, count)
        agent = ir.Local("agent", "int", 0, count - 1)
        counted = ir.when(_takes_part(writer, agent), [ir.Hit()])
        inner.emit(ir.count_of(found)(agent.name, ir.const(0), ir.const(count), counted))
        inner.emit(ir.Return((found,)))
    return ctx.let("all_in", ir.call("taking_part", low=0, high=count))


def _share_out(ctx: Context, effect: n.Reward, value: ir.Expr) -> None:
    """Emit that what an agent that is out would get, or pay, is dealt among all that take part."""
    writer = ctx.writer
    count = ir.greatest((_all_taking_part(ctx), ir.const(1)))
    share = ctx.let("share", ir.quotient(ir.real(value), count))
    _give_each(ctx, effect, share, lambda agent: _takes_part(writer, agent))


def _give_each(
    ctx: Context, effect: n.Reward, value: ir.Expr, concerns: Callable[[ir.Expr], ir.Expr]
) -> None:
    """Emit that all agents that a test holds for get a reward."""
    world = ctx.world
    agent = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    inner = ctx.inner()
    _give(inner, effect, agent, value)
    body = ir.when(concerns(agent), inner.block)
    ctx.emit(ir.For(agent.name, ir.const(0), ir.const(len(world.agents)), body))


def _take_from_others(ctx: Context, effect: n.Reward, winners: list[ir.Expr], value: ir.Expr) -> None:
    """Emit that the others pay for a reward in equal shares; where no other takes part, nobody gets it."""
    world, writer = ctx.world, ctx.writer
    if not 0 < len(winners) < len(world.agents):
        return

    def pays(agent: ir.Expr) -> ir.Expr:
        return ir.both(_takes_part(writer, agent), *(ir.ne(agent, winner) for winner in winners))

    getting = _count_taking_part(ctx, winners)
    paying = ctx.let("paying", ir.sub(_all_taking_part(ctx), getting))
    inner = ctx.inner()
    for winner in winners:
        given = inner.inner()
        _give(given, effect, winner, value)
        inner.block.extend(ir.when(_takes_part(writer, winner), given.block))
    owed = ir.mul(ir.real(value), ir.sub(ir.const(0), getting))
    share = inner.let("share", ir.quotient(owed, ir.within(paying, 1, len(world.agents))))
    _give_each(inner, effect, share, pays)
    ctx.block.extend(ir.when(ir.compare(">", paying, ir.const(0)), inner.block))


def _report_no_agent(ctx: Context, effect: n.Reward) -> None:
    """Report that a reward is to somebody who is no agent: a thing that the rule is about, or any kind of things."""
    place = effect.span.word(str(effect.to))
    before = place.source.text[: place.start].rstrip().removesuffix("to").rstrip()
    told, subject = "the agent", ctx.self_ref
    if ctx.world.several:
        told = f"them all (`to {ctx.world.agents[0].name}` pays one of them)"
    if is_agent(subject):
        told = "the agent that the rule is about"
    help = Help(
        f"leave `to {effect.to}` out: it pays {told} then",
        ("",),
        place=Span(place.source, len(before), place.end),
    )
    ctx.error("type", place, found=f"`{effect.to}`, which is no agent,", expected="an agent", help=help)


def _add(ctx: Context, slot: ir.Slot, index: ir.Expr, value: ir.Expr) -> None:
    old = ir.load(slot, index)
    ctx.emit(ir.Store(slot, index, ir.Op("+", (old, ir.real(value)), "real", -ir.UNBOUNDED, ir.UNBOUNDED)))


def _recipients(ctx: Context, effect: n.Reward) -> list[ir.Expr]:
    agents = ctx.world.agents
    if effect.to == "other":
        other = resolve_thing(ctx, n.Name("other", effect.span))
        return [] if other is None else [other.index]
    if effect.to is not None:
        if effect.to == "self" and ctx.self_ref is not None and is_agent(ctx.self_ref):
            return [ctx.self_ref.index]
        bound = ctx.scope.get(effect.to)
        if isinstance(bound, Ref) and bound.category == "agent":
            return [bound.index]
        named = [ir.const(i) for i, kind in enumerate(agents) if effect.to in {kind.name, "agent"}]
        if not named:
            help = one_of_many(ctx.world.agent_names, ctx.world.kinds, effect.to)
            help = help or did_you_mean(effect.to, [k.name for k in agents])
            if effect.to in ctx.world.kinds or (effect.to == "self" and ctx.self_ref is not None):
                _report_no_agent(ctx, effect)
                return []
            if effect.to == "self":
                one = f"`to {agents[0].name}` one of them"
                help = f"this rule is about no agent: without `to` it pays them all, and {one}"
            if effect.to in {"others", "opponent", "enemy", "them", "opponents"}:
                help = Help("did you mean `other`?", ("other",), effect.to)
                if len(agents) > 2:
                    help = "name them: " + listing(
                        f"reward ... to {kind.name}" for kind in dict.fromkeys(agents)
                    )
            if effect.to in {"team", "teammates", "everyone_else"}:
                help = "under `rewards: shared` everybody gets the sum of all; `to agent` is every agent"
            if effect.to in {"all", "both", "everyone", "everybody", "agents", "each"}:
                help = (
                    "`to agent` is every agent; without `to`, a rule whose subject is no agent pays them all"
                )
            place = effect.span.word(effect.to)
            ctx.error("unknown-name", place, where=ctx.where, name=effect.to, help=help)
        return list(named)
    if ctx.self_ref is not None and ctx.self_ref.category == "agent":
        return [ctx.self_ref.index]
    return [ir.const(i) for i in range(len(agents))]
