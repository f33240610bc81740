"""Endings: ``end``, ``truncate``, ``out``; ``cancel`` ends an action, ``again`` keeps a turn from ending."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import Help, write
from griddsl.lowering.clauses.carrying import leave_behind
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate_number
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.whereabouts import the_agent
from griddsl.lowering.facts.facts import place_back
from griddsl.lowering.rules.performing import performs, when_there
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


@performs(n.End, Traits(in_setup=False, ends=True))
def _end(ctx: Context, effect: n.End) -> None:
    world, writer = ctx.world, ctx.writer
    name = effect.outcome or "end"
    if name not in writer.outcomes:
        writer.outcomes.append(name)
    ended = writer.scratch(keys.ENDED)
    outcome = writer.scratch(keys.OUTCOME, 1, 0, 1000)
    code = writer.outcomes.index(name) + 1
    store = ir.Store(outcome, ir.const(0), ir.const(code))
    if len(_outcomes(world)) > 1:
        ctx.emit(ir.If(ir.eq(ir.load(ended), 0), [store], []))
    else:
        ctx.emit(store)
    ctx.emit(ir.Store(ended, ir.const(0), ir.const(1)))


def _outcomes(world: World) -> set[str]:
    """Return the outcomes that an episode can end with: those of rules, of `out`, and of an illegal action."""
    found = {"illegal"} if world.spec.illegal == "end" and world.forbids else set()
    for node in walk([rule.effects for rule in world.spec.rules]):
        if isinstance(node, n.End):
            found.add(node.outcome or "end")
        elif isinstance(node, n.Out) and not world.several:
            found.add("out")
    return found


@performs(n.Truncate, Traits(in_setup=False, ends=True))
def _truncate(ctx: Context, effect: n.Truncate) -> None:
    ctx.emit(ir.Store(ctx.writer.scratch(keys.TRUNCATED), ir.const(0), ir.const(1)))


@performs(n.Out, Traits(in_setup=False, ends=True, loses=lambda effect: True))
def _out(ctx: Context, effect: n.Out) -> None:
    if isinstance(effect.who, n.Quantified) and effect.who.quantifier == "all":
        kind = to_text(effect.who.kind)
        help = f"a loop goes through them, on a line of its own: `each {kind}: {kind} {_behind(effect)}`"
        ctx.error("type", effect.who.span, found=f"`{to_text(effect.who)}`", expected="a thing", help=help)
        return
    agent = the_agent(ctx, effect.span) if effect.who is None else resolve_thing(ctx, effect.who)
    if agent is None:
        return
    if agent.category != "agent":
        _report_no_agent(ctx, effect, agent)
    elif ctx.world.several:
        when_there(ctx, agent, lambda inner, there: _goes_out(inner, there, effect))
    elif effect.steps is not None:
        _report_alone(ctx, effect)
    else:
        _end(ctx, n.End("out", effect.span))


def _behind(effect: n.Out) -> str:
    """Return what is said of the one that leaves: `out for 5 steps`."""
    return to_text(replace(effect, who=None))


def _goes_out(ctx: Context, agent: Ref, effect: n.Out) -> None:
    """Emit that one of several agents leaves, for good or for some steps."""
    writer, first, gone = ctx.writer, ctx.inner(), ctx.inner()
    away = ir.const(0) if effect.steps is None else _steps_away(first, effect)
    if away is None:
        return
    gone.emit(
        ir.Store(writer.out, agent.index, ir.add(away, ir.const(1))),
        ir.Store(writer.left, agent.index, ir.const(1 if effect.steps is None else 2)),
    )
    if effect.steps is not None and len(writer.facts.places_back) > 1:
        number = list(writer.facts.places_back).index(to_text(place_back(effect)))
        gone.emit(ir.Store(writer.back, agent.index, ir.const(number)))
    leave_behind(gone, agent.index)
    goes = ir.TRUE if effect.steps is None or away.low > 0 else ir.compare(">", away, ir.const(0))
    ctx.block.extend(first.block)
    ctx.block.extend(ir.when(ir.both(writer.is_in(agent.index), goes), gone.block))


def _steps_away(ctx: Context, effect: n.Out) -> ir.Expr | None:
    """Return for how many steps an agent is away."""
    assert effect.steps is not None
    steps, most = evaluate_number(ctx, effect.steps), ctx.writer.facts.most_away
    if steps is not None and steps.type == "real":
        reason = "an agent is away for a whole number of steps"
        help: Help | str = "`div` divides and leaves the rest out, as in `n div 2`"
        text = effect.steps.span.text
        if text.count("/") == 1:
            help = write(re.sub(r"\s*/\s*", " div ", text), place=effect.steps.span)
        ctx.error("bad-value", effect.steps.span, reason=reason, help=help)
        return None
    if steps is not None and steps.high < 1:
        reason = "an agent is away for at least one step"
        ctx.error(
            "bad-value",
            effect.steps.span,
            reason=reason,
            help="for 0 steps nobody goes anywhere: leave it out",
        )
        return None
    return None if steps is None else ctx.let("away", ir.clamp(steps, 0, most))


def _report_no_agent(ctx: Context, effect: n.Out, thing: Ref) -> None:
    """Report `ghost out`: what is no agent is removed."""
    assert effect.who is not None
    name = to_text(effect.who)
    help: Help | str = write(f"remove {name}", place=effect.span)
    if effect.steps is not None:
        help = f"only agents come back: `remove {name}` takes it out of the world, and `place` makes another"
    ctx.error("type", effect.who.span, found=f"the {thing.category} `{name}`", expected="an agent", help=help)


def _report_alone(ctx: Context, effect: n.Out) -> None:
    """Report `out for 5 steps` where one agent plays: nobody would act meanwhile."""
    ctx.error(
        "wrong-place",
        effect.span,
        what="`out for`",
        where="here: there is one agent, and nobody acts while it is away",
        help="let it wait: `agent: waits 0 in 0..5`, and `allow ACTION: self.waits == 0`",
    )


def _stopped_otherwise(where: str) -> str | None:
    """Return how that is kept from happening which a rule with `cancel` hears of; None for other rules."""
    heard = re.match(r"rule `on (?:\w+ )?(push|pickup|drop|toggle|enter|bump) (\w+)", where)
    if heard is None:
        return None
    event, kind = heard.groups()
    if event == "push":
        return f"by then it is pushed: `object {kind}: pushable if C` says when it can be"
    if event in HANDLING:
        return (
            f"by then it is done: `on do {event} if C: cancel` comes before, and so does `allow {event}: C`"
        )
    return f"by then it is too late: `solid if C` in what `{kind}` is keeps all out"


@performs(n.Cancel, Traits(in_setup=False))
def _cancel(ctx: Context, effect: n.Cancel) -> None:
    if ctx.stage != "act":
        ctx.error(
            "wrong-place",
            effect.span,
            what="`cancel`",
            where="here: it stops an action in `on act` and `on do` rules",
            help=_stopped_otherwise(ctx.where),
        )
        return
    ctx.emit(ir.Store(ctx.writer.scratch(keys.CANCELLED), ir.const(0), ir.const(1)))


@performs(n.Again, Traits(in_setup=False))
def _again(ctx: Context, effect: n.Again) -> None:
    world = ctx.world
    alone = next((kind.name for kind in world.agents if kind.moves is not None), None)
    if world.turns == "alternate" and alone is None:
        ctx.emit(ir.Store(ctx.writer.scratch(keys.AGAIN), ir.const(0), ir.const(1)))
        return
    where, help = "here: the turn passes from one agent to the next under `turns: alternate` alone", None
    if not world.several:
        where = "here: there is one agent, and each step is its turn"
        help = "several are declared as in `agents: red, blue`, with `turns: alternate`"
    elif alone is not None:
        where = f"here: `{alone}` plays by itself, and its turns are part of the step of the one before it"
        help = f"without `moves` it is given actions too, as by `griddsl.make(source, policies={{{alone!r}: policy}})`"
    elif world.spec.place("turns").text != "turns":
        help = "write the line `turns: alternate`"
    ctx.error("wrong-place", effect.span, what="`again`", where=where, help=help)
