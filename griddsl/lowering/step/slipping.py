"""Slipping: a move that goes another way than it was meant, with the chances that ``slip`` gives."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_chance
from griddsl.lowering.effects.drawn.sharing import weighted
from griddsl.lowering.world.actions import Action
from griddsl.program import ir
from griddsl.spec.models import Slip

RELATIVE_TURNS = {"right": 1, "back": 2, "left": 3}


def slipped(ctx: Context, direction: ir.Expr, stays: list[Action], chosen: ir.Local) -> ir.Expr:
    """Emit the slips: a move goes another way with the chances given, relative to the intended direction."""
    for slip in ctx.world.spec.slip:
        test = ir.TRUE if slip.condition is None else condition(ctx, slip.condition)
        for stay in stays:
            test = ir.both(test, ir.ne(chosen, stay.number))
        if test == ir.FALSE:
            continue
        inner = ctx.inner()
        turn = _slip_turn(inner, slip)
        if turn is None:
            continue
        most = 7 if direction.high > 3 else 3
        if not isinstance(direction, ir.Local):
            direction = ctx.variable("direction", direction)
        direction = replace(direction, low=0, high=most)  # Slipped, it may be any.
        group = ir.sub(direction, ir.mod(direction, ir.const(4))) if direction.high > 3 else ir.const(0)
        turned = ir.add(group, ir.mod(ir.add(direction, turn), ir.const(4)))
        inner.emit(ir.Let(direction.name, turned))
        ctx.block.extend(ir.when(test, inner.block))
    return direction


def _slip_turn(ctx: Context, slip: Slip) -> ir.Expr | None:
    """Return the quarter turns clockwise that a slip draws."""
    chances: list[ir.Expr] = []
    turns: list[int] = []
    for item in slip.items:
        if item.direction not in RELATIVE_TURNS:
            help = (
                did_you_mean(item.direction, RELATIVE_TURNS) or "directions are relative: left, right, back"
            )
            ctx.error(
                "unknown-word", item.span, word=item.direction, of="the directions of a slip", help=help
            )
            return None
        value = evaluate_chance(ctx, item.chance)
        if value is None:
            return None
        chances.append(value)
        turns.append(RELATIVE_TURNS[item.direction])
    constants = [_exact(value) for value in chances]
    known = [value for value in constants if value is not None]
    if sum(known) > 1:
        span = slip.items[0].span.to(slip.items[-1].span)
        total = f"{float(sum(known)):g}"
        ctx.error(
            "bad-chances", span, total=total, wrong="more than 1", help="what is left of 1 goes as intended"
        )
        return None
    if len(known) == len(chances):
        return _constant_turn(ctx, known, turns)
    return _sequential_turn(ctx, chances, turns)


def _exact(value: ir.Expr) -> Fraction | None:
    if not isinstance(value, ir.Const):
        return None
    return (
        Fraction(value.value).limit_denominator(10**6)
        if isinstance(value.value, float)
        else Fraction(value.value)
    )


def _constant_turn(ctx: Context, chances: list[Fraction], turns: list[int]) -> ir.Expr | None:
    weights = [*chances, Fraction(1) - sum(chances)]
    kept = [(weight, turn) for weight, turn in zip(weights, [*turns, 0], strict=True) if weight]
    if len(kept) == 1:
        return None if kept[0][1] == 0 else ir.const(kept[0][1])
    which = weighted(ctx, [weight for weight, _ in kept])
    turned = [turn for _, turn in kept]
    return ir.lookup(ctx.writer.table(("SLIP", *turned), turned), which)


def _sequential_turn(ctx: Context, chances: list[ir.Expr], turns: list[int]) -> ir.Expr:
    """Draw among chances that are not known before: each given that those before it did not happen."""
    turn = ctx.variable("turn", ir.const(0), 0, 3)
    left: ir.Expr = ir.const(1)
    block: ir.Block = []
    parts: list[tuple[ir.Expr, int]] = []
    for chance, quarter in zip(chances, turns, strict=True):
        share = ir.Op("/", (chance, ir.greatest((left, ir.Const(Fraction(1, 10**12), "real")))), "real", 0, 1)
        parts.append((ir.Draw("chance", (share,), "bool"), quarter))
        left = ir.sub(left, chance)
    for test, quarter in reversed(parts):
        block = [ir.If(test, [ir.Let(turn.name, ir.const(quarter))], block)]
    ctx.block.extend(block)
    return turn
