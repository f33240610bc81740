"""Legality: which actions there are by name, when each is allowed, and the mask of those that are."""

from __future__ import annotations

from griddsl.diagnostics import did_you_mean, listing
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import Role, World
from griddsl.program import ir
from griddsl.source import Span


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
        help = did_you_mean(name, names) or f"actions: {listing(names, 'and')}"
        ctx.error("unknown-action", span, name=name, help=help)
    return None


def actions_named(ctx: Context, name: str, span: Span) -> list[Action]:
    """Return the actions of this name: agents of several kinds can each have one."""
    first = action_named(ctx, name, span)
    return [] if first is None else [action for action in ctx.world.actions if action.name == name]


def legal(ctx: Context, action: Action, agent: ir.Expr) -> ir.Expr:
    """Return whether an action is allowed now."""
    if action.allow is None:
        return ir.TRUE
    world = ctx.world
    own = world.group_of(action).agent
    name = f"allows_{action.name}" if own is None else f"allows_{own}_{action.name}"
    if name not in world.functions:
        inner = new_function(world, "observe", f"`allow {action.name}`", "agent")
        world.functions[name] = ir.Function(
            name, ("agent",), inner.block, f"Whether `{action.name}` is allowed."
        )
        inner.self_ref = world.acting if own is None else Ref(world.kinds[own], world.acting.index)
        world.deciding.add(action.name)
        inner.emit(ir.Return((condition(inner, action.allow),)))
        world.deciding.discard(action.name)
    return ir.call(name, agent, type="bool", low=0, high=1)


def define_mask(world: World, role: Role) -> str | None:
    """Define the function that writes which actions of a role are allowed, one byte each; None without ``allow``."""
    if not any(action.allow is not None for action in role.actions):
        return None
    name = "mask" if len(world.learners) == 1 else f"mask_{role.name}"
    ctx = new_function(world, "observe", "the mask", *world.observing(role))
    write_mask(ctx, role, world.observer(role))
    return define(
        world, ctx, name, world.observing(role), "Which actions are allowed, one entry an action.", out=True
    )


def write_mask(ctx: Context, role: Role, agent: Ref) -> None:
    """Emit the writing of a role's mask, one entry an action, groups one after the other."""
    for index, action in enumerate(role.actions):
        ctx.emit(ir.Out(ir.const(index), ir.as_number(legal(ctx, action, agent.index))))
