"""`TabularMDP`: a spec as a Markov decision process, which is solved, and written to files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import with_keywords
from griddsl.exact.enumerate import MOST_STATES, Progress, enumerate_states
from griddsl.exact.process import GymTable, Process
from griddsl.loading import resolve
from griddsl.program.program import Program
from griddsl.program.spaces import Discrete

if TYPE_CHECKING:
    from griddsl.exact.solve import Solution
    from griddsl.exact.solve.solution import Floats


@with_keywords
def to_mdp(
    source: AnySpec,
    /,
    *,
    max_states: int = MOST_STATES,
    with_step: bool = False,
    reward_of_step: bool = False,
    backend: str = "auto",
    progress: Progress | None = None,
    **params: Any,
) -> TabularMDP:
    """Return a spec as a Markov decision process: all states that can be reached, all transitions, exact chances.

    ``source`` is a path, a text, a registered id or a `GridSpec`; ``params`` are its parameters and ``level``.
    Where only ``limit`` speaks of the step, the step is no part of the states, and the process has no end but the
    spec's own; where rules do, as much of it is as they need. ``with_step`` puts it in always, so that the limit
    is an end too. ``reward_of_step`` keeps a reward ``a + b * step`` as two arrays, `R` and `R_step`, instead.
    ``backend`` says what runs the program: ``python``, ``native`` (numba), or ``auto``, the latter for what is large.
    Raises `TooManyStatesError` beyond ``max_states``, and `SpecError` for a spec with errors.
    """
    program = compiled(resolve(source), **params).program
    return mdp_of(
        program,
        max_states=max_states,
        with_step=with_step,
        reward_of_step=reward_of_step,
        backend=backend,
        progress=progress,
    )


def mdp_of(program: Program, *, max_states: int = MOST_STATES, **options: Any) -> TabularMDP:
    """Return a compiled program as a Markov decision process; `to_mdp` says how."""
    return TabularMDP(enumerate_states(program, most_states=max_states, **options))


class TabularMDP(Process):
    """A `Process` that is solved and saved in one call."""

    def save(self, path: str | os.PathLike[str], **options: Any) -> list[str]:
        """Write the process to a file, by its ending, and return the files written.

        ``.npz`` holds the arrays; ``.pomdp`` is Cassandra's text format; ``.tra`` is PRISM's explicit format, with
        ``.sta``, ``.lab`` and ``.trew`` beside it.
        """
        from griddsl.exact.formats import write

        return write(self, path, **options)

    def _repr_html_(self) -> str:
        from griddsl.exact.pictures import process_html

        return process_html(self)

    def solve(self, **options: Any) -> Solution:
        """Return the optimal values and policy; `griddsl.exact.solve.solve` says what can be asked for."""
        from griddsl.exact.solve import solve

        return solve(self, **options)

    def values(self, policy: Any, discount: float = 1.0) -> Floats:
        """Return what a policy is worth from each state; `griddsl.exact.solve.measures.values` says how."""
        from griddsl.exact.solve.measures import values

        return values(self, policy, discount)


def gym_table(program: Program) -> GymTable:
    """Return ``P`` as toy-text has it, numbered by the observation where that is one whole number that tells the
    state (numbers that never come stay where they are), else by the states of `to_mdp`.
    """
    mdp = mdp_of(program)
    leaves = program.observation.leaves
    space = leaves[0].space
    if program.observation.form != "bare" or program.goal or not isinstance(space, Discrete) or space.start:
        return mdp.to_gym_P()
    observing = mdp.observing
    if observing.is_noisy:
        return mdp.to_gym_P()
    values = [observing.observations[row[0][0]] for row in observing.seen]
    seen = [int(value[0]) for value in values]  # type: ignore[index]
    running = [number for number, ended in zip(seen, mdp.terminal, strict=True) if not ended]
    ended = {number for number, is_end in zip(seen, mdp.terminal, strict=True) if is_end}
    if len(set(running)) < len(running) or ended & set(running):
        return mdp.to_gym_P()
    table: GymTable = {
        number: {action: [(1.0, number, 0.0, True)] for action in range(mdp.n_actions)}
        for number in range(space.size)
    }
    for state, actions in mdp.to_gym_P().items():
        if not mdp.terminal[state]:
            for action, outcomes in actions.items():
                table[seen[state]][action] = [
                    (p, seen[after], reward, end) for p, after, reward, end in outcomes
                ]
    return table
