"""Scoring: what a policy is worth, with intervals, and how far it is from the optimum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import with_keywords
from griddsl.exact.draws import ExactError
from griddsl.exact.mdp import mdp_of
from griddsl.loading import resolve
from griddsl.refused import whole_number
from griddsl.training.evaluation import STEPS_WITHOUT_LIMIT, Evaluation, evaluate

Z95 = 1.959964  # of the normal distribution
MOST_STATES = 200_000
MOST_ASKED = 5_000  # states in which a network is asked, for its exact worth


@dataclass(frozen=True)
class Score:
    """An evaluation, with 95% intervals of what was simulated, and the optimum also where the policy is not exact."""

    evaluation: Evaluation
    returns_interval: tuple[float, float]
    success_interval: tuple[float, float]
    optimum: float | None
    why_no_optimum: str | None = None

    @property
    def regret(self) -> float | None:
        """The optimum less the return: exact where that is exact, else of the simulated mean; None without optimum."""
        if self.evaluation.regret is not None:
            return self.evaluation.regret
        return None if self.optimum is None else self.optimum - self.evaluation.simulated_returns.mean

    def rows(self) -> list[tuple[str, str]]:
        """Return the lines of a report."""
        found = self.evaluation
        low, high = self.returns_interval
        worst, best = self.success_interval
        rows = [
            ("return", f"{found.simulated_returns.mean:.6g}, 95% in {low:.6g} to {high:.6g}"),
            ("success", f"{found.simulated_success.mean:.1%}, 95% in {worst:.1%} to {best:.1%}"),
            ("length", f"{found.simulated_length.mean:.6g} steps"),
        ]
        if found.returns is not None:
            rows.append(("exactly", f"return {found.returns:.6g}, success {found.success:.6g}"))
        if self.optimum is None:
            rows.append(("optimum", f"not known: {self.why_no_optimum}"))
        else:
            sort = "exact" if found.returns is not None else f"of the mean of {found.episodes:,} episodes"
            rows.append(("optimum", f"{self.optimum:.6g}"))
            rows.append(("regret", f"{self.regret:.6g}, {sort}"))
        return rows


@with_keywords
def score(
    policy: Any,
    source: AnySpec,
    /,
    *,
    episodes: int = 1000,
    seed: int = 0,
    max_states: int = MOST_STATES,
    **params: Any,
) -> Score:
    """Return what a policy is worth in episodes seeded from ``seed``; ``policy`` as `griddsl.evaluate` takes it."""
    max_states = whole_number("the most states (`max_states`)", max_states, 1)
    asked = (
        min(max_states, MOST_ASKED) if hasattr(policy, "predict") and not hasattr(policy, "q") else max_states
    )
    found = evaluate(policy, source, episodes=episodes, seed=seed, max_states=asked, **params)
    optimum, why = found.optimum, None
    if optimum is None:
        optimum, why = optimum_of(source, max_states, **params)
    returns = found.simulated_returns
    wide = Z95 * returns.error
    return Score(
        found,
        (returns.mean - wide, returns.mean + wide),
        wilson(round(found.simulated_success.mean * episodes), episodes),
        optimum,
        why,
    )


def optimum_of(
    source: AnySpec, max_states: int = MOST_STATES, **params: Any
) -> tuple[float | None, str | None]:
    """Return the greatest return there is in the steps of the limit, exactly; or None and why it is not known."""
    program = compiled(resolve(source), **params).program
    try:
        mdp = mdp_of(program, max_states=max_states, reward_of_step=True)
        return mdp.solve(horizon=program.limit or STEPS_WITHOUT_LIMIT).optimal_return, None
    except (ExactError, ImportError) as error:
        return None, str(error)


def wilson(successes: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a rate (Wilson 1927): sound also at 0 and 1."""
    rate, z = successes / count, Z95
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)
