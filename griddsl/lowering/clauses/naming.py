"""Naming: a name for a value or a thing, to the end of a block or of an expression."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import pair_asked
from griddsl.lowering.clauses.meaning import condition, decides, evaluate, reads
from griddsl.lowering.clauses.things import is_other, is_superlative, resolve_thing
from griddsl.lowering.world.values import Meaning, Ref, Value, ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n


def meant_by(ctx: Context, node: n.Expression, stem: str) -> Meaning | None:
    """Return what an expression means where it stands: a thing by its number, or a value that is kept."""
    if _names_thing(ctx, node):
        return resolve_thing(ctx, node)
    value = evaluate(ctx, node)
    if value is None:
        return None
    kept = ctx.let(stem, value.expr)
    return Value(value.type, kept, _asked(ctx, node, kept))


def _asked(ctx: Context, node: n.Expression, kept: ir.Expr) -> ir.Expr | None:
    """Return the cell that conditions ask about by a name for a pair; None where it is none, or surely on the grid."""
    if isinstance(node, n.Name):
        bound = ctx.scope.get(node.name)
        return bound.asked if isinstance(bound, Value) else None
    return pair_asked(ctx, node, kept) if isinstance(node, n.Position) else None


def _names_thing(ctx: Context, node: n.Expression) -> bool:
    """Whether an expression names a thing, and no value."""
    if not isinstance(node, n.Name):
        return isinstance(node, n.Pattern | n.Other) or is_superlative(ctx, node)
    bound = ctx.scope.get(node.name)
    if bound is not None:
        return isinstance(bound, Ref)
    world = ctx.world
    if node.name in ctx.writer.variables or node.name in world.params:
        return False
    return node.name in world.kinds or node.name == "self" or is_other(ctx, node)


def given(ctx: Context, node: n.Given) -> Context:
    """Return the context in which what a definition was given has its names; what means nothing is reported."""
    inner = ctx.inner(block=ctx.block)
    for name, outside in node.names:
        meaning = meant_by(ctx, outside, name)
        if meaning is not None:
            inner.bind(name, meaning)
    return inner


@reads(n.Given)
def _given(ctx: Context, node: n.Given, expected: ValueType | None) -> Value | None:
    inner = given(ctx, node)
    return (
        evaluate(inner, node.value, expected) if all(name in inner.scope for name, _ in node.names) else None
    )


@decides(n.Given, always=False)
def _finding(ctx: Context, node: n.Given, binds: bool) -> ir.Expr:
    """What the condition of a definition finds is named as if it stood at the call; what it was given is not."""
    inner = given(ctx, node)
    own = {name for name, _ in node.names}
    if not all(name in inner.scope for name in own):
        return ir.FALSE
    test = condition(inner, node.value, binds)
    ctx.scope.update({name: meaning for name, meaning in inner.scope.items() if name not in own})
    return test
