"""The shortest way: in how few steps a state can lead to success, for ``until solvable`` and ``until optimal_length``.

Setup asks while it draws a level, so this is found by a breadth-first search over what the step can do, chances aside:
what can happen counts as done.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from griddsl.exact.draws import ExactError, Script, scripted
from griddsl.exact.step_need import step_need_of
from griddsl.program.program import Program

MOST_STATES = 200_000
NONE = -1


def searcher(program: Program) -> Callable[[list[int], list[float]], int]:
    """Return a function of a state: the least number of steps to ``end success``, -1 where none leads there.

    Where a program has no such end, any end counts. The search stops at the program's limit, and raises `ExactError`
    beyond 200,000 states.
    """
    layout = program.layout
    counted = layout.offsets.get("STEP", -1)
    needs_step = step_need_of(program).kind not in {"none", "reward"}
    outcome_at = layout.offsets.get("OUTCOME", -1)
    success = program.outcomes.index("success") + 1 if "success" in program.outcomes else 0
    actions = list(itertools.product(*(range(len(group.actions)) for group in program.groups)))
    script = Script()
    step = scripted(program, script).functions["step"]
    initial, _ = program.initial()

    def key(s: list[int], f: list[float]) -> tuple[tuple[int, ...], tuple[float, ...]]:
        kept = s[: layout.saved]
        if 0 <= counted < layout.saved and not needs_step:
            kept[counted] = 0
        return tuple(kept), tuple(f[: layout.saved_reals])

    def shortest(s: list[int], f: list[float]) -> int:
        seen = {key(s, f)}
        border = list(seen)
        for length in itertools.count(1):
            beyond = []
            for state in border:
                for action in actions:
                    running = True
                    script.choices.clear()
                    script.rewind()
                    while running:
                        work = [*state[0], *initial[layout.saved :]]
                        reals = [*state[1], *[0.0] * (layout.reals - layout.saved_reals)]
                        _, ended, _ = step(work, reals, [0], *action)
                        if ended:
                            if not success or work[outcome_at] == success:
                                return length
                        elif (found := key(work, reals)) not in seen:
                            seen.add(found)
                            beyond.append(found)
                        running = script.advance()
                if len(seen) > MOST_STATES:
                    raise ExactError(
                        f"{program.id}: setup asks for the shortest way, over more than {MOST_STATES:,} states",
                        "ask it of smaller maps, or leave out `until solvable` and `until optimal_length`",
                    )
            if not beyond or (program.limit is not None and length >= program.limit):
                return NONE
            border = beyond
        raise AssertionError

    return shortest
