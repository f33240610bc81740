"""Solve: optimal values and policies of a `Process`, without a horizon or with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from griddsl.exact.draws import ExactError
from griddsl.exact.solve.horizon import by_backward_induction
from griddsl.exact.solve.solution import Method, Objective, Solution
from griddsl.exact.solve.stationary import Stationary

if TYPE_CHECKING:
    from griddsl.exact.process import Process

METHODS = ("auto", "value", "policy", "modified")


def solve(
    mdp: Process,
    *,
    discount: float = 1.0,
    horizon: int | Literal["limit"] | None = None,
    method: Method = "auto",
    objective: Objective = "return",
    legal_only: bool = False,
    tolerance: float = 1e-10,
) -> Solution:
    """Return the optimal values and policy.

    ``discount`` below 1 discounts; 1 asks for the expected sum of rewards. ``horizon`` is a number of steps, or
    ``"limit"`` for the spec's; None has no end but the spec's own. ``objective="success"`` asks for the chance of
    `end success` instead of the return. ``legal_only`` leaves out what `allow` forbids. Raises `ExactError` where
    there is no optimum, such as reward that can be collected for ever.
    """
    if method not in METHODS:
        raise ExactError(f"there is no method `{method}`", f"methods: {', '.join(METHODS)}")
    if not 0 <= discount <= 1:
        raise ExactError(f"a discount is from 0 to 1, not {discount:g}")
    steps = _steps(mdp, horizon)
    if steps is None:
        if objective == "return":
            mdp.need_stationary_rewards()
        return Stationary(mdp, discount, method, objective, legal_only, tolerance).solve()
    return by_backward_induction(mdp, discount, steps, objective, legal_only)


def _steps(mdp: Process, horizon: int | str | None) -> int | None:
    if horizon is None:
        return None
    if horizon != "limit":
        steps = int(horizon)
        if steps < 1:
            raise ExactError(f"a horizon is 1 step or more, not {steps}")
        return steps
    if mdp.program.limit is None:
        raise ExactError(f"{mdp.program.id} has no `limit`", "give the number of steps")
    return mdp.program.limit
