"""Logic: ``and``, ``or``, ``xor`` and ``not``, and tests whose statements run only where others hold."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    condition,
    decides,
    drawn,
    evaluate_chance,
    odd,
)
from griddsl.lowering.conditions.kinds import Part, of_kinds_at_once
from griddsl.program import ir, keys
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@decides(n.Logic)
def _logic(ctx: Context, node: n.Logic, binds: bool) -> ir.Expr:
    if node.operator == "or":
        return _any_of(ctx, node.values)
    if node.operator == "xor":
        return odd(*(_apart(ctx, value) for value in node.values))
    if not binds:
        return _apart(ctx, node)
    ctx.writer.notes.joined.update((value.span, node) for value in node.values)
    return _all_of(ctx, node.values, binds)


@decides(n.Not)
def _not(ctx: Context, node: n.Not, _: bool) -> ir.Expr:
    return ir.invert(_apart(ctx, node.value))


@decides(n.ByChance)
def _by_chance(ctx: Context, node: n.ByChance, binds: bool) -> ir.Expr:
    """A chance is drawn only where the condition beside it holds; it may speak of what that finds."""
    held = ir.TRUE if node.test is None else condition(ctx, node.test, binds)
    inner = ctx.inner(scope=ctx.scope)
    chance = evaluate_chance(inner, node.chance)
    happens = ir.FALSE if chance is None else drawn(inner, chance)
    if inner.block and held != ir.TRUE:
        return nested_test(ctx, inner.block, held, happens)
    ctx.block.extend(inner.block)
    return ir.both(held, happens)


_DENIED = re.compile(r"\bnot[ ]+\Z")


@decides(n.Quantified)
def _quantifier_alone(ctx: Context, node: n.Quantified, _: bool) -> ir.Expr:
    name = getattr(node.kind, "name", "K")
    help: str = f"write `{node.quantifier} {name} on K2`, or `no K left`"
    if node.quantifier == "no" and name in ctx.world.kinds:
        help = write(f"no {to_text(node.kind)} left", f", or where: `no {name} on K2`")
    elif (denied := _DENIED.search(node.span.source.text, 0, node.span.start)) and name in ctx.world.kinds:
        whole = Span(node.span.source, denied.start(), node.span.end, node.span.through)
        help = write(f"no {to_text(node.kind)} left", place=whole)
    elif node.quantifier == "any" and name in ctx.world.kinds:
        help = write(f"count({to_text(node.kind)}) > 0", f", or where: `any {name} on K2`")
    ctx.error(
        "syntax", node.span, found=f"`{node.quantifier}` alone", expected="a relation after it", help=help
    )
    return ir.FALSE


def _any_of(ctx: Context, values: tuple[n.Expression, ...]) -> ir.Expr:
    """Join conditions by ``or``; what one finds is not named outside of it."""
    parts: list[Part] = []
    for value in values:
        inner = ctx.inner()
        test = condition(inner, value, binds=True)
        parts.append((inner.block, test))
    tests: list[ir.Expr] = []
    for block, test in of_kinds_at_once(parts, "or", _kinds(ctx)):
        ctx.block.extend(block)
        tests.append(test)
    return ir.either(*tests)


def _all_of(ctx: Context, values: tuple[n.Expression, ...], binds: bool) -> ir.Expr:
    """Join conditions by ``and``; statements that a later one needs run only where the earlier ones hold."""
    parts: list[Part] = []
    for value in values:
        inner = ctx.inner(scope=ctx.scope)
        test = condition(inner, value, binds)
        ctx.known = inner.known
        parts.append((inner.block, test))
    held: ir.Expr = ir.TRUE
    for block, test in of_kinds_at_once(parts, "and", _kinds(ctx)):
        if block and held != ir.TRUE:
            held = nested_test(ctx, block, held, test)
        else:
            ctx.block.extend(block)
            held = ir.both(held, test)
    return held


def _kinds(ctx: Context) -> ir.Slot | None:
    """Return the slot that says of which kind an object is; None where there are none."""
    return ctx.writer.slots.get(keys.OBJECT_KIND)


def nested_test(ctx: Context, block: ir.Block, held: ir.Expr, test: ir.Expr) -> ir.Expr:
    """Emit the statements of a test under what has to hold before it; return whether both do."""
    name = ctx.names.fresh("holds")
    for statement in block:
        if isinstance(statement, ir.Let):
            ctx.emit(ir.Let(statement.name, _zero_of(statement.value)))
    if held == ir.FALSE:  # then what is asked behind it would be claimed of what nobody asked before
        return ir.FALSE
    ctx.emit(ir.Let(name, ir.FALSE), *ir.when(held, [*block, ir.Let(name, test)]))
    return ir.Local(name, "bool", 0, 1)


def _zero_of(value: ir.Expr) -> ir.Expr:
    if value.type == "bool":
        return ir.FALSE
    return ir.Const(0.0, "real") if value.type == "real" else ir.const(0)


def _apart(ctx: Context, node: n.Expression) -> ir.Expr:
    """Lower a condition whose finds are not named outside of it."""
    inner = ctx.inner()
    test = condition(inner, node, binds=True)
    ctx.block.extend(inner.block)
    return test
