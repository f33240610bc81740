"""Solve: optimal values and policies of a `Process`, without a horizon or with one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from griddsl.exact.draws import ExactError
from griddsl.exact.solve.horizon import by_backward_induction, ends_somewhere, steps_of
from griddsl.exact.solve.solution import Method, Objective, Solution, usable_actions
from griddsl.exact.solve.stationary import Stationary

if TYPE_CHECKING:
    from griddsl.exact.process import Process

Told: TypeAlias = Callable[[int, int], None]

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
    progress: Told | None = None,
) -> Solution:
    """Return the optimal values and policy.

    ``discount`` below 1 discounts; 1 asks for the expected sum of rewards. ``horizon`` is a number of steps, or
    ``"limit"`` for the spec's; None has no end but the spec's own. ``objective="success"`` asks for the chance of
    `end success` instead of the return. ``legal_only`` leaves out what `allow` forbids. Raises `ExactError` where
    there is no optimum, such as reward that can be collected for ever. ``progress`` is told how many steps of a horizon
    are done, of how many.

    Several agents that all get the same have a joint optimum. Of two of which one gets what the other loses, and that
    take turns, the values are what the first can be sure of, and the policy is the best that each can do.
    """
    if method not in METHODS:
        raise ExactError(f"there is no method `{method}`", f"methods: {', '.join(METHODS)}")
    if not isinstance(discount, Real) or not 0 <= discount <= 1:
        raise ExactError(f"a discount is from 0 to 1, not {discount!r}")
    steps = steps_of(mdp.program, horizon)
    if objective == "return":
        mdp.need_one_optimum()
        if steps is None:
            mdp.need_stationary_rewards()
    if steps is not None:
        return by_backward_induction(mdp, discount, steps, objective, legal_only, progress)
    if objective == "return" and mdp.signs is not None:
        return _of_opposed(mdp, discount, legal_only, tolerance)
    return Stationary(mdp, discount, method, objective, legal_only, tolerance).solve()


def _of_opposed(mdp: Process, discount: float, legal_only: bool, tolerance: float) -> Solution:
    """Return what two agents with opposed interests come to, who take turns until an end.

    As many steps are looked ahead as any play has, or with a discount, as make no more difference.
    """
    steps, rest = _longest_play(mdp, legal_only), 0.0
    if steps is None:
        if discount == 1:
            raise _endless(mdp, legal_only)
        most = max(tolerance, float(np.abs(mdp.rewards).max()))
        steps = (
            1
            if discount == 0
            else math.ceil(math.log(tolerance * (1 - discount) / most) / math.log(discount))
        )
        rest = discount**steps * most / (1 - discount)
    found = by_backward_induction(
        mdp, discount, steps, "return", legal_only, tolerance=tolerance if rest else None
    )
    return replace(found, horizon=None, policies=None, error_bound=found.error_bound + rest)


def _longest_play(mdp: Process, legal_only: bool) -> int | None:
    """Return how many steps a play has at most; None where it can go round for ever by the actions that count."""
    running = np.flatnonzero(~mdp.terminal)
    rows = (running[:, None] * mdp.n_actions + np.arange(mdp.n_actions)).reshape(-1)
    after, usable = mdp.transitions[rows][:, running], usable_actions(mdp, legal_only)[running]
    goes_on, steps = np.ones(len(running), np.bool_), 1
    while True:
        reached = (after @ goes_on.astype(np.float64)).reshape(-1, mdp.n_actions) > 0
        longer = (reached & usable).any(axis=1)
        if not longer.any():
            return steps
        if np.array_equal(longer, goes_on):
            return None
        goes_on, steps = longer, steps + 1


def _endless(mdp: Process, legal_only: bool) -> ExactError:
    """Return the error of a play without a last step."""
    agents = " and ".join(mdp.agents)
    if not legal_only and _longest_play(mdp, True) is not None:
        return ExactError(
            f"{agents} can go round for ever by illegal actions, which pass the turn here",
            "leave them out: `legal_only=True`",
        )
    endless = f"{agents} can go round for ever, so there is no last step to begin with"
    return ExactError(endless, ends_somewhere(mdp.program))
