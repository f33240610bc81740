"""No horizon: optimal values and policies of a process, with residuals and an error bound that is checked.

Discounted processes contract, and any method converges. Undiscounted ones are stochastic shortest paths: whether
they have a value depends on where an agent can stay for ever. So the places where it can stay for nothing are first
merged into one state each, which may also stop there (an agent that stays for ever gets no more); where staying
pays, there is no optimum, and that is said; where it only costs, every policy that does not end is infinitely bad,
and the value of what is left is unique (Bertsekas & Tsitsiklis 1991, "An analysis of stochastic shortest path
problems"; de Alfaro 1997, "Formal verification of probabilistic systems", for end components).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from griddsl.exact.draws import ExactError
from griddsl.exact.process import scipy_sparse
from griddsl.exact.solve.components import end_components, surely_reaching
from griddsl.exact.solve.horizon import ends_somewhere
from griddsl.exact.solve.measures import measure
from griddsl.exact.solve.rows import (
    SMALL,
    SWEEPS_BETWEEN,
    Rows,
    any_row,
    evaluate,
    first_row,
    largest_gain,
    most_steps,
)
from griddsl.exact.solve.solution import (
    TIE,
    Flags,
    Floats,
    Ints,
    Solution,
    objective_rewards,
    usable_actions,
    without_illegal_ties,
)

if TYPE_CHECKING:
    from griddsl.exact.process import Process

MOST_SWEEPS = 200_000


class Stationary:
    """A process that is solved without a horizon."""

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
        usable = usable_actions(mdp, legal_only)
        self.state, self.action = np.nonzero(usable)
        # Rows of states that go on, columns of states that go on.
        place = np.full(mdp.n_states, -1, np.int64)
        place[self.running] = np.arange(len(self.running))
        rows = self.state * mdp.n_actions + self.action
        matrix = mdp.transitions[rows][:, self.running].tocsr()
        self.rows = Rows.of(
            matrix, self.rewards[self.state, self.action], place[self.state], len(self.running)
        )
        if method == "auto":
            method = "policy" if len(self.running) <= SMALL else "modified"
        self.method = method
        self.scale = max(1.0, float(np.abs(self.rewards).max(initial=0.0)))
        self.residuals: list[float] = []

    def solve(self) -> Solution:
        """Return what is optimal."""
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
        optimal = without_illegal_ties(optimal.T, mdp.legal.T).T
        policy, soonest, is_ending = self._soonest(optimal)
        policy_return, success, length = self._measure(policy, values)
        starts = mdp.initial > 0
        return Solution(
            mdp=mdp,
            method=self.method,
            objective=self.objective,
            discount=self.discount,
            horizon=None,
            values=values,
            q=q,
            optimal=optimal,
            soonest=soonest,
            policy=policy,
            policies=None,
            iterations=len(self.residuals),
            residuals=self.residuals,
            error_bound=bound,
            is_proper=bool(is_ending[starts].all()),
            optimal_return=policy_return,
            success=success,
            expected_length=length,
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
            part = Rows.of(
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

    def _merge(self, component: Ints, inside: Flags) -> Rows:
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
        return Rows.of(matrix[order], reward[order], owner[order], groups)

    def _need_settled(self, rows: Rows) -> None:
        """Raise where staying for ever pays, or adds up to nothing that can be said."""
        component, inside = end_components(rows.matrix, rows.owner, np.ones(len(rows.reward), np.bool_))
        for number in range(int(component.max(initial=-1)) + 1):
            members = np.flatnonzero(inside & (component[rows.owner] == number))
            if rows.reward[members].max() <= 0:
                continue
            gain = largest_gain(rows, members, np.flatnonzero(component == number))
            inner = np.flatnonzero((component == number)[self.group])
            where = int(self.running[inner[0]])
            if gain > 1e-9 * self.scale:
                gain = self._gain(inner)
                raise ExactError(
                    f"the optimal return has no bound: reward can be collected for ever, {gain:g} a step "
                    f"(where {self.mdp.describe(where)})",
                    ends_somewhere(self.mdp.program),
                )
            if gain > -1e-9 * self.scale:
                raise ExactError(
                    "the return of an episode without end is not settled: rewards that are given can be taken "
                    f"again for ever (where {self.mdp.describe(where)})",
                    ends_somewhere(self.mdp.program),
                )

    def _gain(self, states: Ints) -> float:
        """Return the largest mean reward a step of staying in these states: those merged take steps to go through."""
        rows = self.rows
        is_inner = np.zeros(len(self.running), np.bool_)
        is_inner[states] = True
        stays = is_inner[rows.owner] & (rows.matrix @ is_inner.astype(float) > 1 - 1e-9)
        return largest_gain(rows, np.flatnonzero(stays), states)

    def _proper_policy(self, rows: Rows) -> Ints:
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

    def _certified(self, rows: Rows, values: Floats) -> float:
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
        tight = Rows.of(rows.matrix[kept], np.ones(len(kept)), rows.owner[kept], len(values))
        rounding = 1e-14 * max(1.0, float(np.abs(values).max()))
        least = Rows.of(tight.matrix, -tight.reward, tight.owner, len(values))
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
        above = np.minimum(values + 2 * slack * most_steps(tight, 1e-3 * self.scale / slack), cap)
        _, raised = rows.backup(above, 1.0)
        if not ((lowered >= values - lower - rounding).all() and (raised <= above + rounding).all()):
            return float("inf")
        return float(max((above - values).max(), lower.max(), rounding))

    # The methods

    def _iterate(self, rows: Rows, discount: float, start: Ints | None) -> Floats:
        if self.method == "policy":
            return self._policy_iteration(rows, discount, start)
        sweeps = 0 if self.method == "value" else SWEEPS_BETWEEN
        values = np.zeros(rows.matrix.shape[1])
        if start is not None and self.method == "modified":
            # From the values of a proper policy, values only rise.
            values = evaluate(rows, start, discount) if len(start) <= SMALL else values
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

    def _policy_iteration(self, rows: Rows, discount: float, start: Ints | None) -> Floats:
        policy = rows.first.copy() if start is None else start
        for _ in range(MOST_SWEEPS):
            values = evaluate(rows, policy, discount)
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
            stays = at_zero & any_row(owner, staying, states)
            later, allowed = surely_reaching(matrix, owner, tied & rest[owner], sure | stays, ends)
            chosen = np.full(states, -1, np.int64)
            self._nearest(later & rest & ~stays, allowed, chosen, equally, sure | stays)
            best = np.where(chosen >= 0, chosen, best)
            first_staying = first_row(owner, staying, states)
            best = np.where((best < 0) & stays, first_staying, best)
            equally |= staying & stays[owner]
        unset = best < 0
        if unset.any():
            fallback = first_row(owner, tied, states)
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
        rows = Rows.of(matrix[kept][:, inner].tocsr(), -np.ones(len(kept)), place[owner[kept]], len(inner))
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


def _within(method: str) -> Stationary:
    """Return a solver for a process that is a part of another, such as the one that counts steps."""
    inner = object.__new__(Stationary)
    inner.method = "modified" if method == "value" else method
    inner.tolerance, inner.scale, inner.residuals = 1e-9, 1.0, []
    return inner
