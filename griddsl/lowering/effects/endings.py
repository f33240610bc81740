"""Endings: ``end``, ``truncate``, ``out``; ``cancel`` ends an action, ``again`` keeps a turn from ending."""

from __future__ import annotations

import re

from griddsl.lowering.clauses.carrying import (
    leave_behind,
)
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.whereabouts import the_agent
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.world import World
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING
from griddsl.syntax.nodes import walk


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
    world, writer = ctx.world, ctx.writer
    if not world.several:
        _end(ctx, n.End("out", effect.span))
        return
    agent = the_agent(ctx, effect.span)
    gone = ctx.inner()
    gone.emit(
        ir.Store(writer.out, agent.index, ir.const(1)),
        ir.Store(writer.scratch(keys.LEFT, len(world.agents)), agent.index, ir.const(1)),
    )
    leave_behind(gone, agent.index)
    ctx.emit(ir.If(writer.is_in(agent.index), gone.block, []))


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
