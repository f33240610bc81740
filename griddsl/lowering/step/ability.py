"""Ability: ``can ACTION``, whether an action is allowed and would do something now."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import decides
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.moving.motion import could_move
from griddsl.lowering.rules.legality import action_named, some_legal
from griddsl.lowering.step.handling import could_handle
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING


@decides(n.Can)
def _can(ctx: Context, node: n.Can, _: bool) -> ir.Expr:
    if action_named(ctx, node.action, node.span) is None:
        return ir.FALSE
    ref = ctx.self_ref if ctx.self_ref and ctx.self_ref.category == "agent" else agent_ref(ctx, ir.const(0))
    owners: dict[int, tuple[Action, list[int]]] = {}  # agents may have other actions of this name, or none
    for role in ctx.world.roles:
        for action in role.actions:
            if action.name == node.action:
                owners.setdefault(id(action), (action, []))[1].extend(role.members)
    tests = []
    for action, members in owners.values():
        mine: ir.Expr = ir.TRUE
        if len(members) < len(ctx.world.agents):
            mine = ir.either(*(ir.eq(ref.index, member) for member in members))
        tests.append(ir.both(mine, _could(ctx, action, ref)))
    return ir.either(*tests)


def _could(ctx: Context, action: Action, ref: Ref) -> ir.Expr:
    """Return whether an agent that has an action could do it now."""
    # `allow down: can down` asks what the primitive would do, not for itself.
    test = ir.TRUE if action.name in ctx.writer.deciding else some_legal(ctx, action, ref.index)
    if action.verb == "move":
        return ir.both(test, could_move(ctx, action, ref))
    if action.verb in HANDLING:
        return ir.both(test, could_handle(ctx, action.verb, ref))
    return test
