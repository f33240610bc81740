"""Repeating: ``retry`` draws a layout again until it fits, ``repeat`` does what it holds several times."""

from __future__ import annotations

from dataclasses import replace

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.effects.looping import sends_on, settle_round
from griddsl.lowering.effects.placing import MOST_ROUNDS
from griddsl.lowering.rules.keeping import changes_kinds
from griddsl.lowering.rules.performing import perform, performs
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.values import NUMBER, TRUTH, Value
from griddsl.program import ir
from griddsl.program.program import SEARCHES_GROUP, PlugIn
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

SEARCHED = ("solvable", "optimal_length")


@performs(n.Retry, Traits(in_rules=False, holds=True))
def _retry(ctx: Context, effect: n.Retry) -> None:
    """Emit ``retry N until C``: the state as it was is restored before each new try."""
    count = constant_number(effect.count, ctx.world.params, ctx.report, "the number of tries")
    if count is None:
        return
    if count.denominator != 1 or not 1 <= count <= MOST_ROUNDS:
        reason = f"`retry` needs a whole number from 1 to {MOST_ROUNDS:,}"
        ctx.error("bad-value", effect.count.span, reason=reason)
        return
    most = int(count)
    if _too_many_rounds(ctx, effect, most):
        return
    tries = ctx.variable("tries", ir.const(0), 0, most)
    kept = ctx.names.fresh("kept")
    ctx.emit(ir.Keep(kept, ctx.writer.copies))
    ctx.writer.copies += 1
    inner = ctx.inner(scope=ctx.scope, rounds=ctx.rounds * most)
    perform(inner, effect.body)
    for part in walk(effect.body):  # what the block has placed under a name, the condition knows
        if isinstance(part, n.Place) and part.alias in ctx.writer.named_things:
            inner.scope.setdefault(part.alias, ctx.writer.named_things[part.alias])
    inner.block[:] = _with_another_try(inner.block)
    test = _held(inner, effect.until)
    _forget(ctx, effect)
    tried = ir.claim(ir.add(tries, ir.const(1)), 0, most, "the last try fits, or setup fails")
    inner.emit(ir.Let(tries.name, tried))
    inner.block.extend(ir.when(test, [ir.Break()]))
    inner.emit(ir.If(ir.ge(tries, most), [ir.Fail("retries", effect.span, f"{most}\x00")], []))
    inner.emit(ir.Restore(kept))
    ctx.emit(ir.While(ir.TRUE, inner.block))


def _with_another_try(block: ir.Block) -> ir.Block:
    """Return what a try does; where it finds no place, and setup fails, it is said how there would be another try."""
    made: ir.Block = []
    for statement in block:
        if isinstance(statement, ir.Fail) and "`if free`" in statement.message:
            again = "; then `until` can ask whether it is there, and another try is made"
            if again not in statement.message:
                statement = replace(statement, message=statement.message + again)
        made.append(ir.with_blocks(statement, _with_another_try))
    return made


def _held(ctx: Context, until: n.Expression) -> ir.Expr:
    """Return whether a condition holds that may ask for the shortest way: ``solvable``, ``optimal_length``."""
    world, writer = ctx.world, ctx.writer
    known = {*world.kinds, *writer.variables, *world.params, *ctx.scope}
    asked = [
        node
        for node in walk(until)
        if isinstance(node, n.Name) and node.name in SEARCHED and node.name not in known
    ]
    if not asked:
        return condition(ctx, until)
    if len(world.learners) > 1:
        help = "the shortest way is one agent's"
        ctx.error(
            "wrong-place",
            asked[0].span,
            what=f"`{asked[0].name}`",
            where="with several agents that learn",
            help=help,
        )
        return ir.FALSE
    writer.plug_ins["shortest"] = PlugIn(SEARCHES_GROUP, "shortest", "finds the shortest way", asked[0].span)
    ctx.emit(ir.Do(ir.call("begin")))
    length = ctx.let("length", ir.Ask("shortest", (), "int", -1, ir.UNBOUNDED))
    solvable = ir.ge(length, 0)
    ctx.bind("solvable", Value(TRUTH, solvable))
    ctx.bind("optimal_length", Value(NUMBER, ir.within(length, 0, ir.UNBOUNDED)))
    inner = ctx.inner(scope=ctx.scope)
    test = condition(inner, until)
    ctx.block.extend(inner.block)
    return test if not any(node.name == "optimal_length" for node in asked) else ir.both(solvable, test)


@performs(n.Repeat, Traits(repeats=True, holds=True, loses=sends_on))
def _repeat(ctx: Context, effect: n.Repeat) -> None:
    """Emit ``repeat N [until C]``: C is tested before each round, and each goes on from what the last one left."""
    count = evaluate_number(ctx, effect.count)
    if count is None:
        return
    if count.type == "real" or not 0 <= count.high <= MOST_ROUNDS:
        ctx.error(
            "bad-value", effect.count.span, reason=f"`repeat` needs a whole number up to {MOST_ROUNDS:,}"
        )
        return
    most = max(1, int(count.high))
    if _too_many_rounds(ctx, effect, most):
        return
    changes = ctx.after_changes or changes_kinds((effect,))
    scope = ctx.scope if ctx.stage == "setup" else dict(ctx.scope)
    inner = ctx.inner(scope=scope, rounds=ctx.rounds * most, after_changes=changes)
    if effect.until is not None:
        inner.block.extend(ir.when(condition(inner, effect.until), [ir.Break()]))
    perform(inner, effect.body)
    settle_round(inner, effect.body)
    _forget(ctx, effect)
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))


def _forget(ctx: Context, effect: n.Retry | n.Repeat) -> None:
    """Let the names that `let` gives in a block mean nothing behind it."""
    for part in effect.body:
        if isinstance(part, n.Let):
            ctx.scope.pop(part.name, None)


def _too_many_rounds(ctx: Context, effect: n.Retry | n.Repeat, most: int) -> bool:
    """Report a loop in loops that would run its block too often, all in all."""
    rounds = ctx.rounds * most
    if rounds <= MOST_ROUNDS:
        return False
    reason = f"with the loops around it this block runs up to {rounds:,} times; at most {MOST_ROUNDS:,} are allowed"
    ctx.error("bad-value", effect.count.span, reason=reason)
    return True
