"""Legality: which actions there are by name, when each is allowed, and the mask of those that are."""

from __future__ import annotations

from griddsl.diagnostics import did_you_mean, listing
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.clauses.things import agent_ref
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.world import World
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


def legal(ctx: Context, action: Action, agent: ir.Expr) -> ir.Expr:
    """Return whether an action is allowed now."""
    if action.allow is None:
        return ir.TRUE
    world = ctx.world
    name = f"allows_{action.name}"
    if name not in world.functions:
        inner = new_function(world, "observe", f"`allow {action.name}`", "agent")
        world.functions[name] = ir.Function(
            name, ("agent",), inner.block, f"Whether `{action.name}` is allowed."
        )
        inner.self_ref = agent_ref(inner, _agent_parameter(world))
        world.deciding.add(action.name)
        inner.emit(ir.Return((condition(inner, action.allow),)))
        world.deciding.discard(action.name)
    return ir.call(name, agent, type="bool", low=0, high=1)


def _agent_parameter(world: World) -> ir.Expr:
    return ir.const(0) if len(world.agents) == 1 else ir.Local("agent", "int", 0, len(world.agents) - 1)


def define_mask(world: World) -> str | None:
    """Define the function that writes which actions are allowed, one byte an action; None without ``allow``."""
    if not any(action.allow is not None for action in world.actions):
        return None
    ctx = new_function(world, "observe", "the mask")
    for index, action in enumerate(world.actions):
        ctx.emit(ir.Out(ir.const(index), ir.as_number(legal(ctx, action, ir.const(0)))))
    return define(world, ctx, "mask", (), "Which actions are allowed, one entry an action.", out=True)
