"""Analysis: what can be said of a spec once all of its states are known, as a report and as diagnostics with places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from griddsl.compiler import AnySpec, compile_spec, lower_spec
from griddsl.diagnostics import Diagnostic, Report, SpecError
from griddsl.exact.check.branches import Branch, report_untaken, with_branches
from griddsl.exact.draws import ExactError
from griddsl.exact.enumerate import MOST_STATES, Progress, enumerate_states
from griddsl.exact.mdp import TabularMDP
from griddsl.exact.solve import Solution, policy_rows
from griddsl.loading import resolve
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

STEPS_WITHOUT_LIMIT = 1_000  # of the random policy, where the spec has no limit
LEFT_OUT = frozenset({"truncated", "illegal"})


@dataclass(frozen=True)
class Analysis:
    """What is known of a spec, all of it proved by visiting every state."""

    mdp: TabularMDP
    unreached_outcomes: list[str]
    dead: NDArray[np.bool_] = field(repr=False)  # (states,) whether no end can be reached from there
    fired: frozenset[int]  # rules, and branches of them where the program notes those
    unmet_kinds: list[str]
    least_reward: float  # of one step
    most_reward: float
    solution: Solution | None
    why_not_solved: str | None
    random_returns: list[float]  # of each agent
    random_success: float
    random_length: float
    random_steps: int  # an episode of the random policy has at most so many
    visits: NDArray[np.float64] = field(
        repr=False
    )  # (height, width): how often the random policy is in each cell
    hardest_start: int | None  # the start with the lowest optimal value, where starts differ in it

    @property
    def idle_rules(self) -> list[int]:
        """The numbers of the rules that never fire."""
        return [number for number in range(len(self.mdp.program.rules)) if number not in self.fired]

    @property
    def dead_share(self) -> float:
        """The share of the states that go on from which no end can be reached."""
        running = ~self.mdp.terminal
        return float(self.dead.sum() / max(1, running.sum()))


def analyse(
    program: Program, *, most_states: int = MOST_STATES, progress: Progress | None = None
) -> Analysis:
    """Return what is known of a program; raise `ExactError` where its states cannot be enumerated."""
    found = enumerate_states(
        program, most_states=most_states, reward_of_step=True, traced=True, progress=progress
    )
    mdp = TabularMDP(found)
    reached = {mdp.outcome(int(state)) for state in np.flatnonzero(mdp.terminal)}
    low, high = _reward_range(mdp)
    solution, why = _solved(mdp)
    steps = program.limit or STEPS_WITHOUT_LIMIT
    returns, success, length, visits = _random_walk(mdp, steps)
    return Analysis(
        mdp=mdp,
        unreached_outcomes=[name for name in program.outcomes if name not in reached | LEFT_OUT],
        dead=_dead(mdp),
        fired=frozenset(found.fired or ()),
        unmet_kinds=_unmet(mdp),
        least_reward=low,
        most_reward=high,
        solution=solution,
        why_not_solved=why,
        random_returns=returns,
        random_success=success,
        random_length=length,
        random_steps=steps,
        visits=visits,
        hardest_start=_hardest(mdp, solution),
    )


def diagnose(spec: GridSpec, analysis: Analysis, report: Report) -> None:
    """Add what is surely unmeant to a report, each with its place in the spec."""
    mdp = analysis.mdp
    proof = _proof(spec, mdp)
    source = spec.source
    for number in analysis.idle_rules:
        span = mdp.program.rules[number].span
        if span.source is source:
            report.add("never-fires", span, help=proof)
    for outcome in analysis.unreached_outcomes:
        ends = (node for rule in spec.rules for node in walk(rule.effects) if isinstance(node, n.End))
        end = next((end for end in ends if end.outcome == outcome and end.span.source is source), None)
        if end is not None:
            report.add("unreachable-end", end.span, name=outcome, help=proof)
    if analysis.dead.any() and mdp.terminal.any():
        example = int(np.flatnonzero(analysis.dead)[0])
        count = int(analysis.dead.sum())
        help = f"one of them: {mdp.describe(example)}"
        report.add(
            "dead-states",
            spec.place("map"),
            count=count,
            share=f"{100 * analysis.dead_share:.3g} %",
            help=help,
        )
    for kind in analysis.unmet_kinds:
        report.add("never-entered", spec.place("legend"), name=kind, help=proof)


def _proof(spec: GridSpec, mdp: TabularMDP) -> str:
    """Say what was visited: of several levels the one that play begins with, of several limits the spec's own."""
    proof = f"proved by visiting all {mdp.n_states:,} states"
    level = mdp.program.levels[0] if mdp.program.levels and not spec.draws_level else None
    if len(spec.maps) > 1 and level is not None:
        proof += f" of the level `{level}` alone"
    if spec.params:
        proof += ", with the parameters as they are"
    elif mdp.program.limit is not None and any("limit" in variant.settings for variant in spec.variants):
        proof += f", within {mdp.program.limit:,} steps"
    return proof


def _dead(mdp: TabularMDP) -> NDArray[np.bool_]:
    """Return the states that go on and from which no end can be reached, whatever is done."""
    sources = mdp.row // mdp.n_actions
    order = np.argsort(mdp.target, kind="stable")
    first = np.searchsorted(mdp.target[order], np.arange(mdp.n_states + 1))
    reaching = mdp.terminal.copy()
    pending = np.flatnonzero(mdp.terminal).tolist()
    while pending:
        state = pending.pop()
        for before in sources[order[first[state] : first[state + 1]]].tolist():
            if not reaching[before]:
                reaching[before] = True
                pending.append(before)
    return ~reaching


def _reward_range(mdp: TabularMDP) -> tuple[float, float]:
    rewards = np.array([np.asarray(column) for column in mdp.enumeration.rewards])
    if not rewards.size:
        return 0.0, 0.0
    if mdp.enumeration.slope is None:
        return float(rewards.min()), float(rewards.max())
    slopes = np.asarray(mdp.enumeration.slope)
    ends = np.stack([rewards + slopes, rewards + slopes * (mdp.program.limit or STEPS_WITHOUT_LIMIT)])
    return float(ends.min()), float(ends.max())


def _unmet(mdp: TabularMDP) -> list[str]:
    """Return the kinds of tile that lie on the map, could be stood on, and are never stood on."""
    program = mdp.program
    states = mdp.enumeration.states
    layout = program.layout
    if keys.AGENT_CELL not in layout.offsets:
        return []  # who acts stands nowhere
    tile_at, level_at = layout.offsets.get(keys.TILE, -1), layout.offsets.get(keys.LEVEL, -1)
    met: set[int] = set()
    seen: set[int] = set()
    for key, cells in zip(states, mdp.cells_of_agents.tolist(), strict=True):
        if tile_at >= 0:
            ground = [int(tile) for tile in key[tile_at : tile_at + program.cells]]
        else:
            ground = list(program.ground[int(key[level_at]) if level_at >= 0 else 0])
        if tile_at >= 0 or not seen:
            seen.update(ground)
        met.update(ground[cell] for cell in cells if cell >= 0)
    # What an agent enters and is sent away from at once it never stands on; so only what no rule speaks of counts.
    spoken = " ".join(rule.head for rule in program.rules)
    return [
        kind.name
        for kind in program.kinds
        if kind.category == "tile"
        and kind.code in seen - met
        and "solid" not in kind.properties
        and kind.name not in {"floor", "wall"}
        and kind.name not in spoken
    ]


def _solved(mdp: TabularMDP) -> tuple[Solution | None, str | None]:
    try:
        return mdp.solve(horizon=None if mdp.has_stationary_rewards else "limit"), None
    except ExactError as error:
        return None, str(error)


def _random_walk(mdp: TabularMDP, steps: int) -> tuple[list[float], float, float, NDArray[np.float64]]:
    """Return what actions drawn uniformly come to in so many steps, and how often they are in each cell."""
    policy = np.full((mdp.n_states, mdp.n_actions), 1.0 / mdp.n_actions)
    matrix, _ = policy_rows(mdp, policy, mdp.rewards)
    paid = [policy_rows(mdp, policy, own)[1] for own in mdp.rewards_of_agents]
    more = None if mdp.rewards_of_step is None else policy_rows(mdp, policy, mdp.rewards_of_step)[1]
    transposed = matrix.T.tocsr()
    here, running = mdp.initial.copy(), (~mdp.terminal).astype(np.float64)
    totals, length, spent = [0.0] * len(paid), 0.0, np.zeros(mdp.n_states)
    for step in range(1, steps + 1):
        alive = here * running
        mass = float(alive.sum())
        if mass < 1e-12:
            break
        length += mass
        spent += alive
        for agent, own in enumerate(paid):
            totals[agent] += float(alive @ own) + (0.0 if more is None else step * float(alive @ more))
        here = transposed @ alive + here * (1 - running)
    visits = np.zeros(mdp.program.cells)
    for cells in mdp.cells_of_agents.T:
        counted = cells >= 0
        visits += np.bincount(cells[counted], spent[counted], mdp.program.cells)
    shape = mdp.program.height, mdp.program.width
    return totals, float(here @ mdp.success), length, visits.reshape(shape)


def _hardest(mdp: TabularMDP, solution: Solution | None) -> int | None:
    starts = np.flatnonzero(mdp.initial)
    if solution is None or len(starts) < 2:
        return None
    values = solution.values[starts]
    return int(starts[np.argmin(values)]) if values.min() < values.max() else None


def check_exactly(
    source: AnySpec,
    params: Mapping[str, Any] | None = None,
    *,
    max_states: int = MOST_STATES,
    progress: Progress | None = None,
) -> tuple[list[Diagnostic], Analysis | None]:
    """Return everything there is to say about a spec, by place, and its analysis; None for one with errors.

    Raises `ExactError` where the states cannot be enumerated.
    """
    report = Report()
    try:
        spec, program = compile_spec(resolve(source), dict(params or {}), report)
    except SpecError as error:
        return error.diagnostics, None
    if spec is None or program is None or report.has_errors:
        return list(report), None
    branches: dict[int, Branch] = {}
    drawn = len(spec.maps) <= 1 or spec.draws_level
    if not spec.params and not spec.variants and drawn:  # elsewhere others may be taken
        noting, branches = with_branches(spec)
        program = (lower_spec(noting, Report())[1] if branches else None) or program
    analysis = analyse(program, most_states=max_states, progress=progress)
    diagnose(spec.plain, analysis, report)
    proof = _proof(spec, analysis.mdp)
    report_untaken(branches, analysis.fired, branches.keys() - analysis.fired, proof, report)
    return list(report), analysis
