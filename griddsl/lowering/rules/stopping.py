"""Stopping: what was in the way of whoever bumps; what merely lies there was not."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.physics import guard
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def can_stop(ctx: Context, subject: Ref, other: Ref) -> ir.Expr:
    """Return whether a thing in the cell that a subject wanted can have been in its way, as it is now."""
    return ir.TRUE if stops_by_its_kind(ctx.world, subject.kind, other.kind) else guard(ctx, other, "solid")


def stops_by_its_kind(world: World, subject: Kind, kind: Kind) -> bool:
    """Whether any thing of a kind can be in the way of a subject, solid or not."""
    if kind.category == "agent" or kind.one_way is not None or _avoids(world, subject, kind):
        return True
    if kind.category == "object" and subject.category == "object":
        return kind.layer == subject.layer
    return kind.category == "object" and bool(kind.pushable)


def _avoids(world: World, subject: Kind, kind: Kind) -> bool:
    """Whether what moves by itself, of a subject's category, keeps off a kind."""
    movers = [
        mover
        for each in world.kinds.values()
        if each.category == subject.category
        for mover in walk(each.moves)
        if isinstance(mover, n.Mover)
    ]
    avoided = {part.name for mover in movers for part in walk(mover.avoiding) if isinstance(part, n.KindName)}
    return kind.name in avoided
