"""The report of ``griddsl check --exact``: one screen of what is known of a spec, with a heat map of visits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from griddsl.cli.paint import paint

if TYPE_CHECKING:
    from griddsl.exact.check.analysis import Analysis

MOST_ROWS_DRAWN = 20


def report_of(analysis: Analysis, color: bool) -> str:
    """Return the report as text."""
    rows = _rows(analysis, color)
    wide = max(len(name) for name, _ in rows)
    lines = [f"{name:<{wide}}  {text}" for name, text in rows]
    if analysis.mdp.program.height <= MOST_ROWS_DRAWN:
        lines += ["", "where random actions lead, in visits an episode:", _picture(analysis, color)]
    return "\n".join(lines)


def _rows(analysis: Analysis, color: bool) -> list[tuple[str, str]]:
    mdp = analysis.mdp
    ends = int(mdp.terminal.sum())
    starts = int((mdp.initial > 0).sum())
    actions = "actions" if len(mdp.agents) == 1 or mdp.turn is not None else "joint actions"
    rows = [
        ("spec", paint(mdp.program.id, "bold", color)),
        (
            "states",
            f"{mdp.n_states:,}, of them {ends:,} end{'' if ends == 1 else 's'}; {starts:,} to start in",
        ),
        ("transitions", f"{mdp.n_transitions:,}, by {mdp.n_actions} {actions}"),
        ("reward of a step", f"{analysis.least_reward:g} to {analysis.most_reward:g}"),
        (
            "dead states",
            f"{int(analysis.dead.sum()):,}" if analysis.dead.any() else "none: an end is always in reach",
        ),
    ]
    solution = analysis.solution
    if solution is None:
        rows.append(("optimum", f"none: {analysis.why_not_solved}"))
    else:
        best = paint(f"{solution.optimal_return:.6g}", "green", color)
        within = "" if solution.horizon is None else f", in at most {solution.horizon:,}"
        title = "optimal return" if mdp.interests == "common" else f"return of {mdp.agents[0]}"
        rows.append((title, f"{best} in {solution.expected_length:.6g} steps{within}"))
        rows.append(("", f"success {solution.success:.6g}"))
    rows.append(
        (
            "random actions",
            f"{_returns(analysis)}, success {analysis.random_success:.6g}, "
            f"in {analysis.random_length:.6g} steps of at most {analysis.random_steps:,}",
        )
    )
    if solution is not None and analysis.hardest_start is not None:
        value = solution.values[analysis.hardest_start]
        rows.append(("hardest start", f"{mdp.describe(analysis.hardest_start)}: {value:.6g}"))
    return rows


def _returns(analysis: Analysis) -> str:
    returns, mdp = analysis.random_returns, analysis.mdp
    if mdp.interests == "common":
        return f"return {returns[0]:.6g}"
    return ", ".join(f"{name} {value:.6g}" for name, value in zip(mdp.agents, returns, strict=True))


def _picture(analysis: Analysis, color: bool) -> str:
    from griddsl.exact.pictures import scene_of
    from griddsl.render.ansi import to_ansi

    scene = scene_of(analysis.mdp, int(np.argmax(analysis.mdp.initial)))
    visits = np.where(analysis.visits > 0, analysis.visits, np.nan)
    return to_ansi(replace(scene, values=visits), color=color)
