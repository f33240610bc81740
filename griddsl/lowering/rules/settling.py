"""Settling: what becomes of the reward of every step, `rewards: scale 1/10, clip -1..1`, in the order of the spec."""

from __future__ import annotations

from fractions import Fraction

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.constants import constant_number
from griddsl.program import ir


def settled(ctx: Context, reward: ir.Expr) -> ir.Expr:
    """Return a reward, scaled and clipped as the spec says."""
    world = ctx.world
    for change in world.spec.reward_changes:
        values = [
            constant_number(each, world.params, ctx.report, f"`{change.name}`") for each in change.values
        ]
        given = [value for value in values if value is not None]
        if len(given) < len(values):
            return reward
        if change.name == "scale" and not given[0]:
            ctx.error("bad-value", change.span, reason="`scale 0` makes every reward 0")
            return reward
        if change.name == "scale":
            reward = ir.mul(reward, _real(given[0]))
            continue
        low, high = given
        if low > high:
            reason = f"`clip {float(low):g}..{float(high):g}` leaves no number"
            turned = write(f"clip {float(high):g}..{float(low):g}", place=change.span)
            ctx.error("bad-value", change.span, reason=reason, help=turned)
            return reward
        if world.spec.rewards == "zero_sum" and world.several:
            help = "scale them, which keeps the sum at zero: `scale 1/10`"
            where = "beside `zero_sum`: what is cut off one reward nobody else gets"
            ctx.error("wrong-place", change.span, what="`clip`", where=where, help=help)
            return reward
        reward = ir.least((ir.greatest((reward, _real(low))), _real(high)))
    # What folds to a constant, as without any rule that rewards, is a real number too.
    return ir.Const(Fraction(reward.value), "real") if isinstance(reward, ir.Const) else reward


def _real(value: Fraction) -> ir.Expr:
    return ir.Const(float(value), "real")
