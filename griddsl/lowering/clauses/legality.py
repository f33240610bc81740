"""Legality: which actions there are by name, when each is allowed, and the mask of those that are."""

from __future__ import annotations

from griddsl.diagnostics import Help, did_you_mean, listing
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.actions import KNOWN, Action
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import Role, World
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def action_named(ctx: Context, name: str, span: Span) -> Action | None:
    """Return an action of the spec; where there is none, report it, but not to a library."""
    for action in ctx.world.actions:
        if action.name == name:
            found: Action = action
            return found
    if (
        span.source is ctx.world.spec.source
    ):  # A rule of a library waits for an action that the spec may leave out.
        names = [action.name for action in ctx.world.actions]
        help = _added(ctx.world, name) or did_you_mean(name, names) or f"actions: {listing(names, 'and')}"
        ctx.error("unknown-action", span, name=name, help=help)
    return None


def _added(world: World, name: str) -> Help | None:
    """Return how a known action comes among the spec's own."""
    if name not in KNOWN or not world.actions:
        return None
    last = world.actions[-1].span
    if last.source is not world.spec.source or last.source.is_toml:
        return Help(f"it is none of this spec's actions: add `{name}` to them", ())
    return Help(f"add `{name}` to the actions", (f", {name}",), place=Span(last.source, last.end, last.end))


def actions_named(ctx: Context, name: str, span: Span) -> list[Action]:
    """Return the actions of this name: agents of several kinds can each have one."""
    first = action_named(ctx, name, span)
    return [] if first is None else [action for action in ctx.world.actions if action.name == name]


def allows(world: World, action: Action) -> ir.Key:
    """Return the key of the function that says whether an action is allowed."""
    own = world.group_of(action).agent
    return ("allows", action.name) if own is None else ("allows", own, action.name)


def legal(ctx: Context, action: Action, agent: ir.Expr) -> ir.Expr:
    """Return whether an action is allowed now."""
    if action.allow is None:
        return ir.TRUE
    world, writer = ctx.world, ctx.writer
    own = world.group_of(action).agent
    name = writer.function_name(allows(world, action))
    if name not in writer.functions:
        inner = new_function(writer, "observe", f"`allow {action.name}`", "agent")
        writer.functions[name] = ir.function(
            name, ("agent",), inner.block, f"Whether `{action.name}` is allowed."
        )
        inner.self_ref = writer.acting if own is None else Ref(world.kinds[own], writer.acting.index)
        writer.deciding.add(action.name)
        allowed = condition(inner, action.allow)
        inner.emit(ir.Return((allowed,)))
        writer.deciding.discard(action.name)
        if allowed == ir.FALSE:
            _never_allowed(writer, action)
    return ir.call(name, agent, type="bool", low=0, high=1)


def _never_allowed(writer: Writer, action: Action) -> None:
    """Warn of an action that is never allowed, where no other parameter or map can change that."""
    world = writer.world
    assert action.allow is not None
    span = action.allow.span
    said = any(
        found.code == "never-true" and span.start <= found.span.start < span.end
        for found in writer.report.diagnostics
    )
    varies = any(isinstance(node, n.Name) and node.name in world.params for node in walk(action.allow))
    if not (said or varies) and len(world.spec.maps) <= len(world.levels):
        writer.report.add(
            "never-true", span, help=f"`{action.name}` is never allowed: leave it out of the actions"
        )


def define_mask(writer: Writer, role: Role) -> str | None:
    """Define the function that writes which actions of a role are allowed, one byte each; None without ``allow``."""
    if not any(action.allow is not None for action in role.actions):
        return None
    key = "mask" if len(writer.world.learners) == 1 else ("mask", role.name)
    ctx = new_function(writer, "observe", "the mask", *writer.observing(role))
    write_mask(ctx, role, writer.observer(role))
    return define(
        writer, ctx, key, writer.observing(role), "Which actions are allowed, one entry an action.", out=True
    )


def write_mask(ctx: Context, role: Role, agent: Ref) -> None:
    """Emit the writing of a role's mask, one entry an action, groups one after the other.

    Of a group of which nothing is allowed the mask forbids nothing: who has to choose cannot be left without a choice,
    and `illegal` says what becomes of it.
    """
    first = 0
    for group in role.groups:
        places: list[ir.Expr] = [ir.const(first + index) for index in range(len(group.actions))]
        first += len(places)
        allowed = [legal(ctx, action, agent.index) for action in group.actions]
        if ir.either(*allowed) == ir.TRUE:
            _write(ctx, places, allowed)
            continue
        kept = [ctx.let("allowed", ir.as_number(each)) for each in allowed]
        _write(ctx, places, kept)
        nothing = ir.both(*(ir.eq(each, 0) for each in kept))
        everything: ir.Block = [ir.Out(place, ir.const(1)) for place in places]
        ctx.block.extend(ir.when(nothing, everything))


def _write(ctx: Context, places: list[ir.Expr], allowed: list[ir.Expr]) -> None:
    for place, each in zip(places, allowed, strict=True):
        ctx.emit(ir.Out(place, ir.as_number(each)))
