"""The solution: what is optimal in each state of a process, and which actions count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.draws import ExactError

if TYPE_CHECKING:
    from griddsl.exact.process import Process

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Method: TypeAlias = Literal["auto", "value", "policy", "modified"]
Objective: TypeAlias = Literal["return", "success"]

TIE = 1e-9  # actions whose values differ by less, relative to the largest value, are tied


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

    @property
    def title(self) -> str:
        """What `optimal_return` is, in words."""
        words = "optimal return" if self.objective == "return" else "best chance of success"
        if self.objective == "return" and self.mdp.interests == "opposed":
            words = f"return that {self.mdp.agents[0]} can be sure of"
        if self.discount < 1:
            words += f", discounted by {self.discount:g}"
        return words if self.horizon is None else f"{words}, in at most {self.horizon:,} steps"

    def facts(self) -> dict[str, str]:
        """Return what a report says of it, in order, each with its name."""
        how = self.method if "induction" in self.method else f"{self.method} iteration"
        length = f"{self.expected_length:.10g} steps"
        if not self.horizon:
            length += "; ends with certainty" if self.is_proper else "; may never end"
        bound = f"{self.error_bound:.1e} in every state, proved"
        if self.error_bound == float("inf"):
            bound = f"not proved; the last residual is {self.residuals[-1]:.1e}"
        return {
            **self.mdp.facts(),
            self.title: f"{self.optimal_return:.10g}",
            "success": f"{self.success:.10g}",
            "expected length": length,
            "solved by": f"{how}, {self.iterations:,} round{'' if self.iterations == 1 else 's'}",
            "error at most": bound,
        }

    def _repr_html_(self) -> str:
        from griddsl.exact.pictures import solution_html

        return solution_html(self.mdp, self.facts(), self.values, self.soonest)


def objective_rewards(mdp: Process, objective: str) -> tuple[Floats, Floats | None]:
    """Return what each action is worth, (states, actions), and what each further step adds to it."""
    if objective == "return":
        return mdp.rewards, mdp.rewards_of_step
    if objective != "success":
        raise ExactError(f"there is no objective `{objective}`", "objectives: return, success")
    return (mdp.transitions @ mdp.success.astype(np.float64)).reshape(mdp.rewards.shape), None


def usable_actions(mdp: Process, legal_only: bool) -> Flags:
    """Return which actions of which states count, (states, actions): none at an end."""
    usable: Flags = np.repeat(~mdp.terminal[:, None], mdp.n_actions, axis=1)
    if legal_only:
        bare: Flags = ~np.any(mdp.legal, axis=1)
        usable &= mdp.legal | bare[:, None]
    return np.asarray(usable, dtype=np.bool_)


def without_illegal_ties(optimal: Flags, legal: Flags) -> Flags:
    """Return the ties, (actions, states), without illegal actions, where a legal one is as good."""
    allowed = optimal & legal
    return np.where(allowed.any(axis=0), allowed, optimal)
