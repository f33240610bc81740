"""The shortest way: in how few steps a state can lead to success, for ``until solvable`` and ``until optimal_length``.

Setup asks while it draws a level, so this is found by a breadth-first search over what the step can do, chances aside:
what can happen counts as done.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from griddsl.exact.draws import ExactError, Script
from griddsl.exact.explorer import Explorer
from griddsl.exact.steps import RUNNING, TRUNCATED, Steps
from griddsl.program import keys
from griddsl.program.program import Program

MOST_STATES = 200_000
NONE = -1


def searcher(program: Program) -> Callable[[list[int], list[float]], int]:
    """Return a function of a state: the least number of steps to ``end success``, -1 where none leads there.

    Where a program has no such end, any end counts. The search stops at the program's limit, and raises `ExactError`
    beyond 200,000 states.
    """
    steps = Steps(program, Script())
    wins = {program.outcomes.index("success") + 1} if "success" in program.outcomes else None

    def too_many() -> ExactError:
        return ExactError(
            f"{program.id}: setup asks for the shortest way, over more than {MOST_STATES:,} states",
            "ask it of smaller maps, or leave out `until solvable` and `until optimal_length`",
        )

    # A level is asked about its own episode: in the last one of a trial, success is the end and begins no other.
    trial = [
        (program.layout.offsets[slot.key], int(slot.high))
        for slot in program.slots
        if slot.key == keys.EPISODE
    ]

    def shortest(s: list[int], f: list[float]) -> int:
        s = list(s)
        for at, last in trial:
            s[at] = last
        explorer = Explorer(steps, MOST_STATES, too_many)
        outcome = explorer.outcome
        border = range(explorer.number(steps.key_of(s, f)), 1)
        for length in itertools.count(1):
            for number in border:
                if outcome[number] != RUNNING:
                    continue
                for _, ways in explorer.successors(number):
                    ends = {outcome[after] for after, *_ in ways} - {RUNNING, TRUNCATED}
                    if ends if wins is None else ends & wins:
                        return length
            border = range(border.stop, len(explorer.states))
            if not border or (program.limit is not None and length >= program.limit):
                return NONE
        raise AssertionError

    return shortest
