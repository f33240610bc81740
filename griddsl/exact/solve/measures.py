"""Measures: what a policy comes to, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from griddsl.exact.draws import ExactError
from griddsl.exact.process import scipy_sparse
from griddsl.exact.solve.rows import solve_linear
from griddsl.exact.solve.solution import Flags, Floats, Ints

if TYPE_CHECKING:
    from griddsl.exact.process import Process


@dataclass(frozen=True, slots=True)
class Measures:
    """What a policy comes to: expected (undiscounted) return, chance of success, expected length of an episode."""

    returns: float
    success: float
    length: float


def measure(mdp: Process, policy: Ints | Floats) -> Measures:
    """Return exactly what a policy comes to without a horizon.

    ``policy`` is (states,), or (states, actions) with the chances of a random one. The return is minus or plus
    infinity, or not a number, where rewards go on for ever.
    """
    matrix, reward = policy_rows(mdp, policy, mdp.rewards)
    success = (matrix @ mdp.success.astype(np.float64))[:, None]
    running = ~mdp.terminal
    inner = matrix[running][:, running].tocsr()
    # States from which the policy reaches an end at all, and those from which it does so surely.
    ends = np.asarray(inner.sum(axis=1)).reshape(-1) < 1 - 1e-9
    reaching = _backwards(inner, ends)
    doomed = ~reaching
    surely = ~_backwards(inner, doomed)
    initial = mdp.initial[running]
    order = np.flatnonzero(reaching)
    solved = np.zeros((len(initial), 1))
    if len(order):
        part = inner[order][:, order]
        solved[order] = solve_linear(part, success[running][order], 1.0).reshape(len(order), -1)
    chance = float(initial @ solved[:, 0])
    if not surely[initial > 0].all():
        stuck = _forwards(inner, initial > 0) & doomed
        paid = np.asarray(reward[running][stuck])
        if not np.any(paid):
            returns = _transient_return(inner, reward[running], reaching, initial)
        else:
            returns = np.inf if (paid >= 0).all() else -np.inf if (paid <= 0).all() else np.nan
        return Measures(returns, chance, float("inf"))
    order = np.flatnonzero(surely)
    both = np.stack([reward[running][order], np.ones(len(order))], axis=1)
    solution = solve_linear(inner[order][:, order], both, 1.0)
    found = initial[order] @ solution
    return Measures(float(found[0]), chance, float(found[1]))


def values(mdp: Process, policy: Ints | Floats | str, discount: float = 1.0) -> Floats:
    """Return what a policy is worth from each state, without a horizon, (states,); 0 at an end.

    ``policy`` is (states,) actions, (states, actions) chances, or ``"random"``: each action alike. Raises
    `ExactError` where nothing discounts an episode that may never end, and where rewards speak of ``step``.
    """
    if not 0 <= discount <= 1:
        raise ExactError(f"a discount is from 0 to 1, not {discount}")
    if isinstance(policy, str):
        if policy != "random":
            raise ExactError(f"there is no policy `{policy}`", "an array over states, or `random`")
        policy = np.full((mdp.n_states, mdp.n_actions), 1 / mdp.n_actions)
    if mdp.rewards_of_step is not None:
        raise ExactError("its rewards speak of `step`, so that no state has one value", "`with_step=True`")
    matrix, reward = policy_rows(mdp, policy, mdp.rewards)
    running = np.flatnonzero(~mdp.terminal)
    inner = matrix[running][:, running].tocsr()
    if discount == 1 and np.isinf(lengths(mdp, policy)).any():
        said = "with this policy an episode may never end, so that its return has no bound that is sure"
        raise ExactError(said, "a discount below 1")
    found = np.zeros(mdp.n_states)
    if len(running):
        found[running] = solve_linear(inner, reward[running][:, None], discount)[:, 0]
    return found


def lengths(mdp: Process, policy: Ints | Floats) -> Floats:
    """Return the expected steps of a policy from each state, (states,); infinity where it may never end."""
    matrix, _ = policy_rows(mdp, policy, mdp.rewards)
    running = np.flatnonzero(~mdp.terminal)
    inner = matrix[running][:, running].tocsr()
    ends = np.asarray(inner.sum(axis=1)).reshape(-1) < 1 - 1e-9
    surely = np.flatnonzero(~_backwards(inner, ~_backwards(inner, ends)))
    found = np.where(mdp.terminal, 0.0, np.inf)
    if len(surely):
        ones = np.ones((len(surely), 1))
        found[running[surely]] = solve_linear(inner[surely][:, surely], ones, 1.0)[:, 0]
    return found


def _transient_return(inner: Any, reward: Floats, reaching: Flags, initial: Floats) -> float:
    """Return the expected return where the policy may go round for ever, for nothing."""
    order = np.flatnonzero(reaching)
    if not len(order):
        return 0.0
    return float(initial[order] @ solve_linear(inner[order][:, order], reward[order][:, None], 1.0)[:, 0])


def policy_rows(mdp: Process, policy: Ints | Floats, rewards: Floats) -> tuple[Any, Floats]:
    """Return the chances, (states, states), and the expected rewards, (states,), under a policy."""
    sparse = scipy_sparse()
    states, actions = mdp.n_states, mdp.n_actions
    given = np.asarray(policy)
    if given.shape == (states,):
        chosen = np.arange(states) * actions + given.astype(np.int64)
        return mdp.transitions[chosen].tocsr(), rewards[np.arange(states), given.astype(np.int64)]
    if given.shape != (states, actions):
        raise ExactError(f"a policy has the shape ({states},) or ({states}, {actions}), not {given.shape}")
    rows = np.repeat(np.arange(states), actions)
    pick = sparse.csr_array(
        (given.reshape(-1).astype(float), (rows, np.arange(states * actions))),
        shape=(states, states * actions),
    )
    return (pick @ mdp.transitions).tocsr(), (given * rewards).sum(axis=1)


def _backwards(matrix: Any, goal: Flags) -> Flags:
    """Return the states from which the goal can be reached, the goal included."""
    reached = goal.copy()
    transposed = matrix.T.tocsr()
    front = np.flatnonzero(goal)
    while len(front):
        after = np.unique(transposed[front].indices)
        front = after[~reached[after]]
        reached[front] = True
    return reached


def _forwards(matrix: Any, start: Flags) -> Flags:
    """Return the states that can be reached from the start, the start included."""
    return _backwards(matrix.T.tocsr(), start)
