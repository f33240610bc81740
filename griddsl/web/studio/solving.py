"""Solving: the optimum of a game, found in a process of its own, so that whoever types meanwhile never waits for it."""

from __future__ import annotations

import asyncio
import math
import pickle
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from griddsl.diagnostics import Refused
from griddsl.program.program import Program
from griddsl.web.studio.reading import board_pixels, picture

MOST_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and the start of the episode that is played, with its seed; None where the start is not known."""

    program: Program
    start: Any
    seed: int


def solution(question: Question) -> dict[str, Any]:
    """Return the exact values and best moves on the map, and what the optimum is; Refused where there is none.

    Where there are too many states to count from all starts, those of the episode's start are counted.
    """
    from griddsl.exact.draws import TooManyStatesError
    from griddsl.exact.mdp import mdp_of
    from griddsl.exact.pictures import scene_of_best
    from griddsl.exact.slices import like_the_start
    from griddsl.exact.solve import solve

    program, seed = question.program, None
    counted = partial(mdp_of, program, max_states=MOST_STATES, reward_of_step=True)
    try:
        mdp = counted()
    except TooManyStatesError:
        if question.start is None:
            raise
        mdp, seed = counted(start=question.start), question.seed
    steps: Literal["limit"] | None = (
        "limit" if program.limit is not None and not mdp.has_stationary_rewards else None
    )
    found = solve(mdp, horizon=steps)
    scene = scene_of_best(mdp, found.values, found.soonest, like_the_start(mdp))
    return {
        "board": picture(scene, board_pixels(scene)),
        "states": mdp.n_states,
        "seed": seed,
        "return": round(found.optimal_return, 6),
        "success": round(found.success, 6),
        "length": round(found.expected_length, 3) if math.isfinite(found.expected_length) else None,
    }


class Solver:
    """Answers one question at a time: a newer one takes the place of the one that is being answered."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._known: tuple[Program, dict[str, Any]] | None = None

    async def answer(self, question: Question) -> dict[str, Any]:
        """Return the solution of a game. Raises `Refused` where it has none, or was asked for again meanwhile."""
        if self._known is not None and self._known[0] is question.program:
            return self._known[1]
        self.stop()
        pipe = asyncio.subprocess.PIPE
        # Without the working directory among the places that modules are imported from: it is the user's.
        process = self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", __name__), stdin=pipe, stdout=pipe
        )
        output, _ = await process.communicate(pickle.dumps(question))
        if process is not self._process:
            raise Refused("the question was asked again, and is being answered anew")
        self._process = None
        if not output:
            raise Refused("solving the game came to a sudden end: is there enough memory?")
        found, why = pickle.loads(output)
        if found is None:
            raise Refused(why)
        if found["seed"] is None:
            self._known = (question.program, found)
        return dict(found)

    def stop(self) -> None:
        """Stop what is being answered."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()


def main() -> None:
    """Answer the question on standard input, on standard output."""
    question = pickle.load(sys.stdin.buffer)
    try:
        answer: tuple[dict[str, Any] | None, str] = (solution(question), "")
    except Refused as error:
        answer = (None, str(error).strip())
    sys.stdout.buffer.write(pickle.dumps(answer))


if __name__ == "__main__":
    main()
