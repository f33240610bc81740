"""Solve: optimal values and policies of a `Process`, with residuals and an error bound that is checked.

Discounted processes contract, and any method converges. Undiscounted ones are stochastic shortest paths: whether
they have a value depends on where an agent can stay for ever. So the places where it can stay for nothing are first
merged into one state each, which may also stop there (an agent that stays for ever gets no more); where staying
pays, there is no optimum, and that is said; where it only costs, every policy that does not end is infinitely bad,
and the value of what is left is unique (Bertsekas & Tsitsiklis 1991, "An analysis of stochastic shortest path
problems"; de Alfaro 1997, "Formal verification of probabilistic systems", for end components).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.components import end_components, surely_reaching
from griddsl.exact.draws import ExactError
from griddsl.exact.sparse import scipy_sparse

if TYPE_CHECKING:
    from griddsl.exact.process import Process

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Method: TypeAlias = Literal["auto", "value", "policy", "modified"]
Objective: TypeAlias = Literal["return", "success"]

METHODS = ("auto", "value", "policy", "modified")
SMALL = 3_000  # states up to which policy iteration with a direct solver is the quickest
TIE = 1e-9  # actions whose values differ by less, relative to the largest value, are tied
MOST_SWEEPS = 200_000
SWEEPS_BETWEEN = 30  # of modified policy iteration
MOST_ROUNDS = 1_000
MOST_KEPT = 100_000_000  # entries of a policy that changes from step to step


@dataclass(frozen=True)
class Solution:
    """What is optimal in each state, and how well that is known.

    ``values`` is (states,), minus infinity where every policy pays for ever without an end; ``q`` and ``optimal``
    are (states, actions), the latter with all ties. ``policy`` is (states,), one of the tied actions: of the
    policies with the optimal return, the one that ends soonest. With a horizon these are of the first step, and
    ``policies`` is (steps, states). ``error_bound`` bounds the error of every finite value.
    """

    mdp: Process
    method: str
    objective: str
    discount: float
    horizon: int | None
    values: Floats = field(repr=False)
    q: Floats = field(repr=False)
    optimal: Flags = field(repr=False)
    soonest: Flags = field(
        repr=False
    )  # those of the optimal actions that also end soonest: what a picture shows
    policy: Ints = field(repr=False)
    policies: Any = field(repr=False)
    iterations: int
    residuals: list[float] = field(repr=False)
    error_bound: float
    is_proper: bool  # whether the policy ends with certainty, from every start
    optimal_return: float
    success: float
    expected_length: float


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
        return _Stationary(mdp, discount, method, objective, legal_only, tolerance).solve()
    return _by_backward_induction(mdp, discount, steps, objective, legal_only)


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


def objective_rewards(mdp: Process, objective: str) -> tuple[Floats, Floats | None]:
    """Return what each action is worth, (states, actions), and what each further step adds to it."""
    if objective == "return":
        return mdp.rewards, mdp.rewards_of_step
    if objective != "success":
        raise ExactError(f"there is no objective `{objective}`", "objectives: return, success")
    return (mdp.transitions @ mdp.success.astype(np.float64)).reshape(mdp.rewards.shape), None


# No horizon


@dataclass
class _Rows:
    """A process in rows: row k belongs to state ``owner[k]``; an end has no column, and a row may sum below 1."""

    matrix: Any  # (rows, states)
    reward: Floats
    owner: Ints  # sorted
    first: Ints  # (states,) the first row of each state

    @classmethod
    def of(cls, matrix: Any, reward: Floats, owner: Ints, states: int) -> _Rows:
        return cls(matrix, reward, owner, np.searchsorted(owner, np.arange(states)))

    def backup(self, values: Floats, discount: float) -> tuple[Floats, Floats]:
        """Return the value of each row, and the best of each state."""
        q = self.reward + discount * (self.matrix @ values)
        return q, np.maximum.reduceat(q, self.first)

    def greedy(self, q: Floats, best: Floats) -> Ints:
        """Return the first best row of each state."""
        rows = np.where(q >= best[self.owner], np.arange(len(q)), len(q))
        return np.minimum.reduceat(rows, self.first)


class _Stationary:
    def __init__(
        self,
        mdp: Process,
        discount: float,
        method: str,
        objective: str,
        legal_only: bool,
        tolerance: float,
    ) -> None:
        self.mdp, self.discount, self.objective, self.tolerance = mdp, discount, objective, tolerance
        self.rewards, _ = objective_rewards(mdp, objective)
        self.running = np.flatnonzero(~mdp.terminal)
        usable = _usable(mdp, legal_only)
        self.state, self.action = np.nonzero(usable)
        # Rows of states that go on, columns of states that go on.
        place = np.full(mdp.n_states, -1, np.int64)
        place[self.running] = np.arange(len(self.running))
        rows = self.state * mdp.n_actions + self.action
        matrix = mdp.transitions[rows][:, self.running].tocsr()
        self.rows = _Rows.of(
            matrix, self.rewards[self.state, self.action], place[self.state], len(self.running)
        )
        if method == "auto":
            method = "policy" if len(self.running) <= SMALL else "modified"
        self.method = method
        self.scale = max(1.0, float(np.abs(self.rewards).max(initial=0.0)))
        self.residuals: list[float] = []

    def solve(self) -> Solution:
        mdp = self.mdp
        values = np.zeros(mdp.n_states)
        bound = 0.0
        if len(self.running):
            found, bound = self._discounted() if self.discount < 1 else self._undiscounted()
            values[self.running] = found
        q = np.full((mdp.n_states, mdp.n_actions), -np.inf)
        with np.errstate(invalid="ignore"):
            finite = np.where(np.isfinite(values), values, 0.0)
            whole = self.rows.reward + self.discount * (self.rows.matrix @ finite[self.running])
            lost = (self.rows.matrix @ (~np.isfinite(values[self.running])).astype(float)) > 0
        whole[lost] = -np.inf
        q[self.state, self.action] = whole
        size = max(1.0, float(np.abs(values[np.isfinite(values)]).max(initial=0.0)))
        with np.errstate(invalid="ignore"):
            optimal = np.isfinite(q) & (q >= values[:, None] - TIE * size - bound)
        optimal = _without_illegal_ties(mdp, optimal)
        policy, soonest, is_ending = self._soonest(optimal)
        policy_return, success, length = self._measure(policy, values)
        starts = mdp.initial > 0
        return Solution(
            mdp,
            self.method,
            self.objective,
            self.discount,
            None,
            values,
            q,
            optimal,
            soonest,
            policy,
            None,
            len(self.residuals),
            self.residuals,
            bound,
            bool(is_ending[starts].all()),
            policy_return,
            success,
            length,
        )

    # Discounted

    def _discounted(self) -> tuple[Floats, float]:
        values = self._iterate(self.rows, self.discount, None)
        _, best = self.rows.backup(values, self.discount)
        residual = float(np.abs(best - values).max())
        return values, residual * self.discount / (1 - self.discount) + residual

    # Undiscounted

    def _undiscounted(self) -> tuple[Floats, float]:
        rows = self.rows
        states = len(self.running)
        free = np.abs(rows.reward) <= 1e-12 * self.scale
        component, inside = end_components(rows.matrix, rows.owner, free)
        merged = self._merge(component, inside)
        self._need_settled(merged)
        # Only where an end, or a place to stay for nothing, can be reached with certainty is there a finite value.
        missing = np.asarray(merged.matrix.sum(axis=1)).reshape(-1) < 1 - 1e-9
        everything = np.ones(len(merged.reward), np.bool_)
        sure, allowed = surely_reaching(
            merged.matrix, merged.owner, everything, np.zeros(merged.matrix.shape[1], np.bool_), missing
        )
        values = np.full(merged.matrix.shape[1], -np.inf)
        bound = 0.0
        if sure.any():
            inner = np.flatnonzero(sure)
            place = np.full(len(sure), -1, np.int64)
            place[inner] = np.arange(len(inner))
            kept = np.flatnonzero(allowed)
            part = _Rows.of(
                merged.matrix[kept][:, inner].tocsr(),
                merged.reward[kept],
                place[merged.owner[kept]],
                len(inner),
            )
            start = self._proper_policy(part)
            values[inner] = self._iterate(part, 1.0, start)
            bound = self._certified(part, values[inner])
        self.merged_component, self.free_inside = component, inside
        return values[self.group[np.arange(states)]], bound

    def _merge(self, component: Ints, inside: Flags) -> _Rows:
        """Return the process with each free component as one state, which may stop there for nothing."""
        sparse = scipy_sparse()
        rows, states = self.rows, len(self.running)
        count = int(component.max(initial=-1)) + 1
        alone = np.flatnonzero(component < 0)
        group = np.empty(states, np.int64)
        group[alone] = np.arange(len(alone))
        group[component >= 0] = len(alone) + component[component >= 0]
        self.group = group
        groups = len(alone) + count
        gather = sparse.csr_array((np.ones(states), (np.arange(states), group)), shape=(states, groups))
        kept = np.flatnonzero(~inside)
        matrix = rows.matrix[kept] @ gather
        # Staying for nothing: a row without successors and without reward for each component.
        matrix = sparse.vstack([matrix, sparse.csr_array((count, groups))]).tocsr()
        reward = np.concatenate([rows.reward[kept], np.zeros(count)])
        owner = np.concatenate([group[rows.owner[kept]], len(alone) + np.arange(count)])
        order = np.argsort(owner, kind="stable")
        return _Rows.of(matrix[order], reward[order], owner[order], groups)

    def _need_settled(self, rows: _Rows) -> None:
        """Raise where staying for ever pays, or adds up to nothing that can be said."""
        component, inside = end_components(rows.matrix, rows.owner, np.ones(len(rows.reward), np.bool_))
        for number in range(int(component.max(initial=-1)) + 1):
            members = np.flatnonzero(inside & (component[rows.owner] == number))
            if rows.reward[members].max() <= 0:
                continue
            gain = _largest_gain(rows, members, np.flatnonzero(component == number))
            where = int(
                self.running[int(np.flatnonzero(self.group == np.flatnonzero(component == number)[0])[0])]
            )
            if gain > 1e-9 * self.scale:
                raise ExactError(
                    f"the optimal return has no bound: reward can be collected for ever, {gain:g} a step "
                    f"(where {self.mdp.describe(where)})",
                    'use a discount, or a horizon (`horizon="limit"`)',
                )
            if gain > -1e-9 * self.scale:
                raise ExactError(
                    "the return of an episode without end is not settled: rewards that are given can be taken "
                    f"again for ever (where {self.mdp.describe(where)})",
                    'use a discount, or a horizon (`horizon="limit"`)',
                )

    def _proper_policy(self, rows: _Rows) -> Ints:
        """Return a row for each state such that the episode ends with certainty: nearest to the end first."""
        ends = np.asarray(rows.matrix.sum(axis=1)).reshape(-1) < 1 - 1e-9
        states = rows.matrix.shape[1]
        chosen = np.full(states, -1, np.int64)
        pattern = rows.matrix.tocoo()
        row, column = pattern.row, pattern.col
        hits = ends
        while True:
            fresh = np.flatnonzero(hits & (chosen[rows.owner] < 0))
            if not len(fresh):
                return chosen
            chosen[rows.owner[fresh[::-1]]] = fresh[::-1]
            hits = np.zeros(len(rows.reward), np.bool_)
            hits[row[chosen[column] >= 0]] = True

    def _certified(self, rows: _Rows, values: Floats) -> float:
        """Return a bound on the error of values, from functions below and above the optimum, both checked.

        Infinity says that none was found: values may be as good as they look, but it is not proved.

        A function that no backup raises lies above the optimum, one that a proper policy's backup does not lower
        lies below it. Both are the values moved by a multiple of the steps that near-optimal policies take.
        """
        q, best = rows.backup(values, 1.0)
        residual = float(np.abs(best - values).max())
        slack = max(residual, 1e-15 * max(1.0, float(np.abs(values).max())))
        near = q >= best[rows.owner] - max(1e3 * slack, TIE * self.scale)
        kept = np.flatnonzero(near)
        tight = _Rows.of(rows.matrix[kept], np.ones(len(kept)), rows.owner[kept], len(values))
        rounding = 1e-14 * max(1.0, float(np.abs(values).max()))
        least = _Rows.of(tight.matrix, -tight.reward, tight.owner, len(values))
        try:
            lower = -2 * slack * _within(self.method)._iterate(least, 1.0, self._proper_policy(least))
        except (ExactError, RuntimeError):
            return float("inf")
        _, lowered = rows.backup(values - lower, 1.0)
        # A constant lies above where no row pays more than its chance to end allows; the lower of two that lie
        # above lies above.
        left = 1 - np.asarray(rows.matrix.sum(axis=1)).reshape(-1)
        ends = left > 1e-9
        pays = float((rows.reward[ends] / left[ends]).max(initial=0.0))
        cap = pays if (rows.reward[~ends] <= 0).all() else np.inf
        above = np.minimum(values + 2 * slack * _most_steps(tight, 1e-3 * self.scale / slack), cap)
        _, raised = rows.backup(above, 1.0)
        if not ((lowered >= values - lower - rounding).all() and (raised <= above + rounding).all()):
            return float("inf")
        return float(max((above - values).max(), lower.max(), rounding))

    # The methods

    def _iterate(self, rows: _Rows, discount: float, start: Ints | None) -> Floats:
        if self.method == "policy":
            return self._policy_iteration(rows, discount, start)
        sweeps = 0 if self.method == "value" else SWEEPS_BETWEEN
        values = np.zeros(rows.matrix.shape[1])
        if start is not None and self.method == "modified":
            # From the values of a proper policy, values only rise.
            values = _evaluate(rows, start, discount) if len(start) <= SMALL else values
        stop = self.tolerance * self.scale * (1e-3 if discount == 1 else max(1 - discount, 1e-9))
        least = 4e-16
        for _ in range(MOST_SWEEPS):
            q, best = rows.backup(values, discount)
            residual = float(np.abs(best - values).max())
            self.residuals.append(residual)
            if sweeps:
                chosen = rows.greedy(q, best)
                matrix, reward = rows.matrix[chosen], rows.reward[chosen]
                values = best
                for _ in range(sweeps):
                    after = reward + discount * (matrix @ values)
                    is_settled = float(np.abs(after - values).max()) <= stop
                    values = after
                    if is_settled:
                        break
            else:
                values = best
            if residual <= max(stop, least * float(np.abs(values).max())):
                return values
        raise ExactError(
            f"values have not settled after {MOST_SWEEPS:,} sweeps (residual {self.residuals[-1]:g})",
            "use a discount, or policy iteration",
        )

    def _policy_iteration(self, rows: _Rows, discount: float, start: Ints | None) -> Floats:
        policy = rows.first.copy() if start is None else start
        for _ in range(MOST_SWEEPS):
            values = _evaluate(rows, policy, discount)
            q, best = rows.backup(values, discount)
            self.residuals.append(float(np.abs(best - values).max()))
            better = best > q[policy] + 1e-12 * np.maximum(self.scale, np.abs(values))
            if not better.any():
                return values
            policy = np.where(better, rows.greedy(q, best), policy)
        raise ExactError("policy iteration has not settled")

    # The policy among ties

    def _soonest(self, optimal: Flags) -> tuple[Ints, Flags, Flags]:
        """Return, of the optimal policies, one that ends soonest, all its ties, and where it ends with certainty."""
        mdp = self.mdp
        tied = optimal[self.state, self.action]
        owner, matrix = self.rows.owner, self.rows.matrix
        ends = np.asarray(matrix.sum(axis=1)).reshape(-1) < 1 - 1e-9
        states = len(self.running)
        none = np.zeros(states, np.bool_)
        sure, allowed = surely_reaching(matrix, owner, tied, none, ends)
        best = np.full(states, -1, np.int64)
        equally = np.zeros(len(owner), np.bool_)
        self._nearest(sure, allowed, best, equally)
        rest = ~sure
        if self.discount == 1 and rest.any():
            # What cannot end without giving up reward goes to where it may stay for nothing, and stays.
            at_zero = (self.merged_component >= 0) & rest & ~np.isneginf(self._values_of(optimal))
            staying = self.free_inside & tied & (self.merged_component[owner] >= 0)
            stays = at_zero & _any_row(owner, staying, states)
            later, allowed = surely_reaching(matrix, owner, tied & rest[owner], sure | stays, ends)
            chosen = np.full(states, -1, np.int64)
            self._nearest(later & rest & ~stays, allowed, chosen, equally, sure | stays)
            best = np.where(chosen >= 0, chosen, best)
            first_staying = _first_row(owner, staying, states)
            best = np.where((best < 0) & stays, first_staying, best)
            equally |= staying & stays[owner]
        unset = best < 0
        if unset.any():
            fallback = _first_row(owner, tied, states)
            best[unset] = np.where(fallback[unset] >= 0, fallback[unset], self.rows.first[unset])
            equally |= tied & unset[owner]
        policy = np.zeros(mdp.n_states, np.int64)
        policy[self.running] = self.action[best]
        soonest = np.zeros_like(optimal)
        soonest[self.state[equally], self.action[equally]] = True
        ending = np.ones(mdp.n_states, np.bool_)
        ending[self.running] = sure
        return policy, soonest, ending

    def _values_of(self, optimal: Flags) -> Floats:
        """Return 0 where some action is optimal and minus infinity elsewhere, of the states that go on."""
        return np.where(optimal[self.running].any(axis=1), 0.0, -np.inf)

    def _nearest(
        self, sure: Flags, allowed: Flags, best: Ints, equally: Flags, goal: Flags | None = None
    ) -> None:
        """Write the rows of the policy with the fewest expected steps from sure states, among the allowed rows."""
        owner, matrix = self.rows.owner, self.rows.matrix
        wanted = sure if goal is None else sure & ~goal
        inner = np.flatnonzero(wanted)
        if not len(inner):
            return
        place = np.full(len(sure), -1, np.int64)
        place[inner] = np.arange(len(inner))
        kept = np.flatnonzero(allowed & wanted[owner])
        rows = _Rows.of(matrix[kept][:, inner].tocsr(), -np.ones(len(kept)), place[owner[kept]], len(inner))
        lengths = _within(self.method)._iterate(rows, 1.0, self._proper_policy(rows))
        q, top = rows.backup(lengths, 1.0)
        best[inner] = kept[rows.greedy(q, top)]
        equally[kept[q >= top[rows.owner] - 1e-7 * np.maximum(1.0, np.abs(top[rows.owner]))]] = True

    def _measure(self, policy: Ints, values: Floats) -> tuple[float, float, float]:
        mdp = self.mdp
        with np.errstate(invalid="ignore"):
            start = mdp.initial > 0
            optimal_return = float(mdp.initial[start] @ values[start])
        measured = measure(mdp, policy)
        return optimal_return, measured.success, measured.length


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
        solved[order] = _solve_linear(part, success[running][order], 1.0).reshape(len(order), -1)
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
    solution = _solve_linear(inner[order][:, order], both, 1.0)
    found = initial[order] @ solution
    return Measures(float(found[0]), chance, float(found[1]))


def _transient_return(inner: Any, reward: Floats, reaching: Flags, initial: Floats) -> float:
    """Return the expected return where the policy may go round for ever, for nothing."""
    order = np.flatnonzero(reaching)
    if not len(order):
        return 0.0
    return float(initial[order] @ _solve_linear(inner[order][:, order], reward[order][:, None], 1.0)[:, 0])


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


# A horizon


def _by_backward_induction(
    mdp: Process, discount: float, steps: int, objective: str, legal_only: bool
) -> Solution:
    """Solve for a number of steps: the last step first (the policy may change from step to step)."""
    rewards, slopes = objective_rewards(mdp, objective)
    usable = _usable(mdp, legal_only)
    shape = mdp.rewards.shape
    values, longer = np.zeros(mdp.n_states), np.zeros(mdp.n_states)
    keeps = steps * mdp.n_states <= MOST_KEPT
    policies = np.zeros(
        (steps if keeps else 1, mdp.n_states), np.int16 if mdp.n_actions < 32_767 else np.int32
    )
    numbers = np.arange(mdp.n_states)
    q = np.zeros(shape)
    optimal = soonest = np.zeros(shape, np.bool_)
    wins = (mdp.transitions @ mdp.success.astype(np.float64)).reshape(shape)
    success, paid = np.zeros(mdp.n_states), 0.0
    for step in range(steps, 0, -1):
        now = rewards if slopes is None else rewards + step * slopes
        q = now + discount * (mdp.transitions @ values).reshape(shape)
        q[~usable] = -np.inf
        best = np.where(mdp.terminal, 0.0, q.max(axis=1))
        size = max(1.0, float(np.abs(best).max()))
        paid = max(paid, size)
        optimal = (q >= best[:, None] - TIE * size) & ~mdp.terminal[:, None]
        optimal = _without_illegal_ties(mdp, optimal)
        lengths = 1 + (mdp.transitions @ longer).reshape(shape)
        lengths[~optimal] = np.inf
        least = lengths.min(axis=1)
        most = least + 1e-9 * np.maximum(1, np.where(least < np.inf, least, 1))
        soonest = optimal & (lengths <= most[:, None])
        policy = np.argmax(soonest, axis=1)
        policies[step - 1 if keeps else 0] = policy
        longer = np.where(mdp.terminal, 0.0, lengths[numbers, policy])
        longer[~np.isfinite(longer)] = 0.0
        success = np.where(
            mdp.terminal, 0.0, (wins + (mdp.transitions @ success).reshape(shape))[numbers, policy]
        )
        values = best
    return Solution(
        mdp,
        "backward induction",
        objective,
        discount,
        steps,
        values,
        np.where(usable, q, -np.inf),
        optimal,
        soonest,
        policies[0].astype(np.int64),
        policies if keeps else None,
        steps,
        [],
        steps * 4e-16 * paid,
        True,
        float(mdp.initial @ values),
        float(mdp.initial @ success),
        float(mdp.initial @ longer),
    )


# Pieces


def _within(method: str) -> _Stationary:
    """Return a solver for a process that is a part of another, such as the one that counts steps."""
    inner = object.__new__(_Stationary)
    inner.method = "modified" if method == "value" else method
    inner.tolerance, inner.scale, inner.residuals = 1e-9, 1.0, []
    return inner


def _most_steps(rows: _Rows, hopeless: float) -> Floats:
    """Return the most steps that these rows can take before the end, about; infinity beyond ``hopeless``."""
    policy, steps = rows.first.copy(), np.zeros(rows.matrix.shape[1])
    for _ in range(MOST_ROUNDS):
        if len(steps) <= SMALL:
            try:
                steps = _evaluate(rows, policy, 1.0)
            except RuntimeError:
                break
        else:
            for _ in range(10 * SWEEPS_BETWEEN):
                _, steps = rows.backup(steps, 1.0)
        q, best = rows.backup(steps, 1.0)
        if not np.isfinite(best).all() or steps.min() < -1e-6 or best.max() > hopeless:
            break
        if (best <= steps + 0.25).all():
            return np.asarray(steps + 1)
        policy = rows.greedy(q, best)
    return np.full(len(steps), np.inf)


def _usable(mdp: Process, legal_only: bool) -> Flags:
    usable: Flags = np.repeat(~mdp.terminal[:, None], mdp.n_actions, axis=1)
    if legal_only:
        bare: Flags = ~np.any(mdp.legal, axis=1)
        usable &= mdp.legal | bare[:, None]
    return np.asarray(usable, dtype=np.bool_)


def _without_illegal_ties(mdp: Process, optimal: Flags) -> Flags:
    """Return the ties without illegal actions, where a legal one is as good."""
    allowed = optimal & mdp.legal
    any_allowed: Flags = np.any(allowed, axis=1)
    return np.where(any_allowed[:, None], allowed, optimal)


def _evaluate(rows: _Rows, chosen: Ints, discount: float) -> Floats:
    return _solve_linear(rows.matrix[chosen], rows.reward[chosen][:, None], discount)[:, 0]


def _solve_linear(matrix: Any, right: Floats, discount: float) -> Floats:
    """Return x of ``x = right + discount * matrix @ x``."""
    sparse = scipy_sparse()
    system = (sparse.eye_array(matrix.shape[0]) - discount * matrix).tocsc()
    return np.asarray(sparse.linalg.splu(system).solve(np.ascontiguousarray(right)))


def _largest_gain(rows: _Rows, members: Ints, states: Ints) -> float:
    """Return the largest mean reward a step of staying in an end component for ever, by a linear program."""
    from scipy.optimize import linprog

    sparse = scipy_sparse()
    count = len(members)
    place = np.full(rows.matrix.shape[1], -1, np.int64)
    place[states] = np.arange(len(states))
    leave = sparse.csr_array(
        (np.ones(count), (place[rows.owner[members]], np.arange(count))), shape=(len(states), count)
    )
    arrive = rows.matrix[members][:, states].T
    equal = sparse.vstack([leave - arrive, sparse.csr_array(np.ones((1, count)))])
    right = np.zeros(len(states) + 1)
    right[-1] = 1.0
    found = linprog(-rows.reward[members], A_eq=equal.tocsr(), b_eq=right, method="highs")
    return float(-found.fun)


def _any_row(owner: Ints, flags: Flags, states: int) -> Flags:
    found = np.zeros(states, np.bool_)
    found[owner[flags]] = True
    return found


def _first_row(owner: Ints, flags: Flags, states: int) -> Ints:
    found = np.full(states, -1, np.int64)
    rows = np.flatnonzero(flags)[::-1]
    found[owner[rows]] = rows
    return found


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
