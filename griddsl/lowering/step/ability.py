"""Ability: ``can ACTION``, whether an action is allowed and would do something now."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import decides
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.moving.motion import could_move
from griddsl.lowering.rules.legality import action_named, some_legal
from griddsl.lowering.step.handling import could_handle
from griddsl.program import ir
from griddsl.syntax import nodes as n


@decides(n.Can)
def _can(ctx: Context, node: n.Can, _: bool) -> ir.Expr:
    action = action_named(ctx, node.action, node.span)
    if action is None:
        return ir.FALSE
    ref = ctx.self_ref if ctx.self_ref and ctx.self_ref.category == "agent" else agent_ref(ctx, ir.const(0))
    # `allow down: can down` asks what the primitive would do, not for itself.
    test = ir.TRUE if action.name in ctx.writer.deciding else some_legal(ctx, action, ref.index)
    if action.verb == "move":
        return ir.both(test, could_move(ctx, action, ref))
    if action.verb in {"pickup", "drop", "toggle"}:
        return ir.both(test, could_handle(ctx, action.verb, ref))
    return test
