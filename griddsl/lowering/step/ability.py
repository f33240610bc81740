"""Ability: ``can ACTION``, whether an action is allowed and would do something now."""

from __future__ import annotations

from griddsl.diagnostics import Help, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import decides
from griddsl.lowering.clauses.things import is_other, resolve_thing
from griddsl.lowering.clauses.whereabouts import if_there, is_agent, the_agent
from griddsl.lowering.conditions.finding import quantified_over
from griddsl.lowering.moving.motion import could_move
from griddsl.lowering.rules.legality import action_named, some_legal
from griddsl.lowering.step.handling import could_handle
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING
from griddsl.syntax.printer import to_text


@decides(n.Can)
def _can(ctx: Context, node: n.Can, _: bool) -> ir.Expr:
    if action_named(ctx, node.action, node.span) is None:
        return ir.FALSE
    if isinstance(node.left, n.Quantified):
        if is_other(ctx, node.left.kind):
            found, help = f"`{to_text(node.left)}`", _of_others(node, node.left)
            ctx.error("type", node.left.span, found=found, expected="an agent", help=help)
            return ir.FALSE
        return quantified_over(ctx, node.left, lambda inner, ref: _is_able(inner, node, ref), node)
    ref = _subject(ctx, node) if node.left is None else resolve_thing(ctx, node.left)
    return ir.FALSE if ref is None else _is_able(ctx, node, ref)


def _subject(ctx: Context, node: n.Can) -> Ref | None:
    """Return the agent that is asked where none is named: the subject, or the only one there is."""
    if is_agent(ctx.self_ref) or not ctx.world.several:
        return the_agent(ctx, node.span)
    looped = [name for name, meant in ctx.scope.items() if isinstance(meant, Ref) and is_agent(meant)]
    said = node.span.text
    if looped:
        help = write(f"{looped[-1]} {said}", ": a loop names each by its kind", node.span)
    else:
        one = ctx.world.agents[0].name
        help = write(f"any agent {said}", f", or name one, as in `{one} {said}`", node.span)
    ctx.error("ambiguous", node.span, name="the agent", count=len(ctx.world.agents), help=help)
    return None


def _of_others(node: n.Can, left: n.Quantified) -> Help:
    """Return how the others are asked, of which `other` is one alone."""
    but = "is self or" if left.quantifier == "all" else "is not self and"
    return write(f"{left.quantifier} agent where agent {but} agent can {node.action}", place=node.span)


def _is_able(ctx: Context, node: n.Can, ref: Ref) -> ir.Expr:
    """Return whether an agent can do an action; one that is out, or that is not found, can do none."""
    if not is_agent(ref):
        assert node.left is not None
        help = "agents have actions; a creature goes where nothing is in its way: `no wall at (K.x + 1, K.y)`"
        ctx.error("type", node.left.span, found=f"a `{ref.kind.name}`", expected="an agent", help=help)
        return ir.FALSE
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
    able = ir.both(ctx.writer.is_in(ref.index), ir.either(*tests))
    return if_there(ref, able, ir.FALSE)


def _could(ctx: Context, action: Action, ref: Ref) -> ir.Expr:
    """Return whether an agent that has an action could do it now."""
    # `allow down: can down` asks what the primitive would do, not for itself.
    test = ir.TRUE if action.name in ctx.writer.deciding else some_legal(ctx, action, ref.index)
    if action.verb == "move":
        return ir.both(test, could_move(ctx, action, ref))
    if action.verb in HANDLING:
        return ir.both(test, could_handle(ctx, action.verb, ref))
    return test
