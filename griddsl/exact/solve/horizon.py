"""A horizon: the optimum in a number of steps, the last step first; the policy may change from step to step.

Far enough from the last step nothing is decided by it any more: the policy stays, and every value changes by the same
amount from step to step. Where that is sure to go on, the steps that are left are not played one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from griddsl.exact.draws import ExactError
from griddsl.exact.solve.blocks import Block, blocks_of
from griddsl.exact.solve.solution import TIE, Flags, Floats, Ints, Solution, objective_rewards, usable_actions
from griddsl.exact.solve.trend import trend
from griddsl.program.program import Program
from griddsl.refused import Refused, whole_number

if TYPE_CHECKING:
    from griddsl.exact.process import Process

ROUNDED = 4 * float(np.finfo(np.float64).eps)
MOST_KEPT = 100_000_000  # entries of a policy that changes from step to step


def by_backward_induction(
    mdp: Process,
    discount: float,
    steps: int,
    objective: str,
    legal_only: bool,
    progress: Callable[[int, int], None] | None = None,
    tolerance: float | None = None,
) -> Solution:
    """Solve for a number of steps; ``progress`` is told how many are done, of how many.

    With a ``tolerance`` they stand for all steps there are, under a discount: where one step more changes nothing to
    speak of, none that are left do, since each changes less than the one behind it by the discount (Shapley 1953).
    """
    rewards, slopes = objective_rewards(mdp, objective)
    signs = mdp.signs if objective == "return" else None
    blocks = blocks_of(mdp, rewards, slopes, usable_actions(mdp, legal_only), signs)
    n_states, n_actions = mdp.n_states, mdp.n_actions
    values, longer, success = np.zeros(n_states), np.zeros(n_states), np.zeros(n_states)
    keeps = steps * n_states <= MOST_KEPT
    policies = np.zeros((steps if keeps else 1, n_states), np.int16 if n_actions < 32_767 else np.int32)
    paid, off, rounds, next_look, summed = 1.0, 0.0, 0, 1, steps
    for step in range(steps, 0, -1):
        rounds += 1
        policy = policies[step - 1 if keeps else 0]
        after, lengths, chances, size = _one_step(blocks, step, discount, (values, longer, success), policy)
        paid = max(paid, size)
        stays = rounds >= next_look and step > 1 and np.array_equal(success, chances)
        changes = after - values, lengths - longer
        values, longer, success = after, lengths, chances
        if tolerance is not None and _stands_still(after, changes, tolerance * (1 - discount)):
            off, summed = (float(np.abs(changes[0]).max()) * discount + 4e-16 * paid) / (1 - discount), rounds
            break
        if stays:
            ahead = trend(blocks, values, longer, changes, discount, rounds, step - 1)
            if ahead is not None:
                values, longer, off = ahead.values, ahead.lengths, ahead.error
                paid = max(paid, float(np.abs(values).max()))
                policies[: step - 1] = policy
                break
            next_look = rounds + max(1, rounds // 4)
        if progress is not None:
            progress(rounds, steps)
    if progress is not None:
        progress(steps, steps)
    q, optimal, soonest = _of_first_step(blocks, n_states, n_actions)
    return Solution(
        mdp=mdp,
        method="backward induction",
        objective=objective,
        discount=discount,
        horizon=steps,
        values=values,
        q=q,
        optimal=optimal,
        soonest=soonest,
        policy=policies[0].astype(np.int64),
        policies=policies if keeps else None,
        iterations=rounds,
        residuals=[],
        error_bound=summed * 4e-16 * paid + off,
        is_proper=True,
        optimal_return=float(mdp.initial @ values),
        success=float(mdp.initial @ success),
        expected_length=float(mdp.initial @ longer),
    )


def _stands_still(values: Floats, changes: tuple[Floats, Floats], small: float) -> bool:
    """Whether a step changed what states are worth by no more than is ``small``, or than sums of floats are off by.

    And how long play goes on by no more than a millionth of a step.
    """
    worth, longer = (float(np.abs(change).max()) for change in changes)
    return worth <= max(small, ROUNDED * float(np.abs(values).max())) and longer <= 1e-6


def _one_step(
    blocks: list[Block], step: int, discount: float, later: tuple[Floats, Floats, Floats], policy: Ints
) -> tuple[Floats, Floats, Floats, float]:
    """Decide one step before what is known of the later ones: what they are worth, how long they are, and succeed.

    Returns the same with this step before them, and the largest amount among what its actions are worth. ``policy``,
    (states,), is given the actions.
    """
    values, longer, success = later
    after, size = np.zeros(len(values)), 1.0
    for block in blocks:
        best = block.look_ahead(step, discount, values)
        size = max(size, float(np.abs(best).max()))
        after[block.states] = best if block.sign is None else best * block.sign
    lengths, chances = np.zeros(len(values)), np.zeros(len(values))
    for block in blocks:
        found = block.decide(TIE * size, longer, success)
        policy[block.states], lengths[block.states], chances[block.states] = found
    return after, lengths, chances, size


def _of_first_step(blocks: list[Block], n_states: int, n_actions: int) -> tuple[Floats, Flags, Flags]:
    """Return what actions are worth, which are optimal, and which end soonest, each (states, actions)."""
    q = np.full((n_states, n_actions), -np.inf)
    optimal, soonest = np.zeros(q.shape, np.bool_), np.zeros(q.shape, np.bool_)
    for block in blocks:
        q[block.states] = (block.q if block.sign is None else block.q * block.sign).T
        optimal[block.states], soonest[block.states] = block.optimal.T, block.soonest.T
    return q, optimal, soonest


def ends_somewhere(program: Program) -> str:
    """Return the advice for what has no end of its own: a discount, or a horizon, the limit's where there is one."""
    steps = 'horizon="limit"' if program.limit is not None else "horizon=50"
    return f"use a discount, or a horizon (`{steps}`)"


def steps_of(program: Program, horizon: int | str | None) -> int | None:
    """Return a horizon in steps, ``"limit"`` as many as the spec allows; None for all there are. Raises ExactError."""
    if horizon is None:
        return None
    if horizon == "limit":
        if program.limit is None:
            raise ExactError(f"{program.id} has no `limit`", "give the number of steps")
        return program.limit
    try:
        return whole_number("a horizon", horizon, 1)
    except Refused as error:
        raise ExactError(str(error)) from None
