"""Draws that branch: a program whose random draws follow a script, so that every outcome can be visited.

A run consults the script at each draw; past its end it takes the first alternative and writes down how many there
were. Running again with the last choice advanced, until none is left, visits all combinations. Chances are exact:
a run's chance is a fraction of whole numbers.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod
from random import Random
from typing import Any, TypeAlias, TypeVar

from griddsl.backends.python import Machine, build
from griddsl.diagnostics import Refused
from griddsl.program import drawing
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

Key: TypeAlias = tuple[float, ...]  # a state: the saved integers, then the saved reals
Value = TypeVar("Value")
DESCENTS = 20
TELLING = 100  # descents that say what there is many of
BEYOND = 4  # times the bound
OFTEN = 8  # ways to one state: as many as that come of what is drawn again


class ExactError(Refused):
    """A question that cannot be answered exactly; ``help`` says what can be done."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


class TooManyStatesError(ExactError):
    """More states, or more outcomes of a setup, than the bound allows."""


def too_many_setups(most: int, found: Sequence[Any], words: Sequence[str]) -> TooManyStatesError:
    """Return the error of a setup whose draws fall out in more ways; ``words`` say what there is many of.

    ``found`` is what the ways that were tried lead to.
    """
    bound = "or raise the bound (`max_states`; `--max-states` in the terminal)"
    different = len(set(found))
    if different * OFTEN < len(found):
        return TooManyStatesError(
            f"the draws of setup fall out in more than {most:,} ways, though {len(found):,} of them lead to only "
            f"{different:,} state{'' if different == 1 else 's'}",
            f"each draw of a `repeat` multiplies them: repeat less often, {bound}",
        )
    return TooManyStatesError(
        f"the draws of setup fall out in more than {most:,} ways{multiplied(words)}",
        f"draw less in setup, choose a smaller map, {bound}",
    )


def multiplied(words: Sequence[str]) -> str:
    """Return what to say of that of which there is much; nothing where too little was found to know."""
    return f"; what multiplies them, by values found so far: {', '.join(words)}" if words else ""


class TryAgain(Exception):
    """A try that does not count: of ``retry``, whose condition was not met, or of a setup within a step.

    ``key`` is the number of what would be tried again.
    """

    def __init__(self, key: int) -> None:
        super().__init__(key)
        self.key = key


class Script:
    """The draws of a program's runs, in the place of the random stream."""

    def __init__(self) -> None:
        self.choices: list[list[int]] = []
        self.position = 0
        self.over = 1  # the chance of the run so far is over / under
        self.under = 1
        self._snapshots: dict[tuple[tuple[int, ...], int], int] = {}
        self._masses: list[Fraction] = []
        self._passed: list[int] = []
        self._within_steps: set[int] = set()
        self._dice: Random | None = None  # says what is taken where the script ends, in place of the first

    @property
    def chance(self) -> Fraction:
        """The chance of the run so far."""
        return Fraction(self.over, self.under)

    def rewind(self) -> None:
        """Begin a run."""
        self.position = 0
        self.over = self.under = 1

    def advance(self) -> bool:
        """Move to the next combination; return False, with an empty script, after the last."""
        choices = self.choices
        del choices[self.position :]
        while choices and choices[-1][0] + 1 == choices[-1][1]:
            choices.pop()
        if choices:
            choices[-1][0] += 1
        self.rewind()
        return bool(choices)

    def runs(self, go: Callable[[], Value]) -> Iterator[Value]:
        """Yield what ``go`` gives in each way that its draws can fall out; `chance` is then that of the way."""
        self.choices.clear()
        self.rewind()
        running = True
        while running:
            yield go()
            running = self.advance()

    def ways(self, go: Callable[[], Value], most: int) -> Iterator[Value]:
        """Yield as `runs` does, the first draws varied first: so it shows soon where there are too many ways.

        Raises `TooManyStatesError` where there are more than ``most``.
        """
        pending: deque[list[list[int]]] = deque([[]])
        for count in itertools.count(1):
            self.choices = [*map(list, pending.popleft())]
            depth = len(self.choices)
            self.rewind()
            found = go()
            made = self.choices[depth : self.position]
            # Counted before they are written down, each as long as what it begins with.
            if count + len(pending) + sum(many - 1 - taken for taken, many in made) > most:
                raise TooManyStatesError(f"the draws fall out in more than {most:,} ways")
            pending.extend(self._others(depth))
            yield found
            if not pending:
                return

    def surely_more(self, go: Callable[[], Value | None], most: int) -> list[Value] | None:
        """Return what some ways lead to where there are more than ``most``, found soon; None where that is not sure.

        A way down the tree of draws, each branch as likely as the others, comes to a leaf with a chance of one over
        the product of its branches (Knuth 1975). Of ``most`` leaves or fewer, those with a product beyond four times
        as much are met in fewer than one descent of four: twenty such descents in a row say what is wrong less often
        than once in 10^12.
        """
        found: list[Value] = []
        dice = Random(0)
        for number in range(TELLING):
            self.choices.clear()
            self.rewind()
            self._dice = dice
            value = go()
            self._dice = None
            ways = prod(count for _, count in self.choices[: self.position])
            if number < DESCENTS and ways <= BEYOND * most:
                return None
            if value is not None:
                found.append(value)
        return found

    def _others(self, depth: int) -> Iterator[list[list[int]]]:
        """Yield how the runs begin that choose otherwise than this one at a draw from ``depth`` on."""
        for at in range(depth, self.position):
            taken, count = self.choices[at]
            for other in range(taken + 1, count):
                yield [*self.choices[:at], [other, count]]

    def _choose(self, count: int) -> int:
        at = self.position
        self.position = at + 1
        if at == len(self.choices):
            self.choices.append([0 if self._dice is None else self._dice.randrange(count), count])
        return self.choices[at][0]

    # What the program calls

    def draw(self, r: Any, n: int) -> int:
        """Stand for `runtime.draw`."""
        if n == 1:
            return 0
        self.under *= n
        return self._choose(n)

    def odds(self, r: Any, wins: int, of: int) -> bool:
        """Stand for `runtime.odds`."""
        if wins <= 0 or wins >= of:
            return wins > 0
        won = self._choose(2) == 1
        self.over *= wins if won else of - wins
        self.under *= of
        return won

    def chance_of(self, r: Any, p: float) -> bool:
        """Stand for `runtime.chance`."""
        if p <= 0 or p >= 1:
            return p > 0
        return self.odds(r, *float(p).as_integer_ratio())

    def weighted(self, r: Any, totals: Sequence[int]) -> int:
        """Stand for `runtime.weighted`."""
        weights = [b - a for a, b in zip((0, *totals), totals, strict=False)]
        possible = [index for index, weight in enumerate(weights) if weight]
        chosen = possible[self._choose(len(possible)) if len(possible) > 1 else 0]
        self.over *= weights[chosen]
        self.under *= totals[-1]
        return chosen

    def snapshot(self, s: list[Any]) -> list[Any]:
        """Stand for `runtime.snapshot`: the tries of a ``retry`` start here."""
        return [self._enter(), *s]

    def restore(self, s: list[Any], kept: list[Any]) -> None:
        """Stand for `runtime.restore`: this try failed, so what it drew does not count."""
        raise TryAgain(kept[0])

    def within_a_step(self, reset: Callable[..., Any]) -> Callable[..., Any]:
        """Return the ``reset`` of a step that begins the next episode: one that fails is a failed try of it."""

        def begin(*state: Any) -> Any:
            key = self._enter()
            self._within_steps.add(key)
            try:
                return reset(*state)
            except SetupFailure:
                raise TryAgain(key) from None

        return begin

    def _enter(self) -> int:
        """Begin something of which the tries that fail do not count; return its number."""
        before = tuple(choice for choice, _ in self.choices[: self.position])
        key = self._snapshots.setdefault((before, len(self._passed)), len(self._snapshots))
        if key == len(self._masses):
            self._masses.append(self.chance)
        self._passed.append(key)
        return key

    # Where tries can fail

    def outcomes(
        self, go: Callable[[], Any], most: int, refuse: Callable[[list[Any]], ExactError]
    ) -> tuple[dict[Any, Fraction], Fraction]:
        """Return what ``go`` can give with the chances, and the chance that its setup fails instead.

        A failed try leaves the chances of the others as they were among themselves: they are divided by the chance
        that a try succeeds. Beyond ``most`` runs, raises what ``refuse`` makes of what was found by then.
        """
        self._snapshots, self._masses, self._within_steps = {}, [], set()
        found: list[_Run] = []
        self.choices.clear()
        self.rewind()
        running = True
        while running:
            if len(found) == most:
                raise refuse([each.value for each in found if each.end == "done"])
            self._passed = []
            try:
                value, end = go(), "done"
            except TryAgain as again:
                value, end = again.key, "again"
            except SetupFailure:
                value, end = None, "failed"
            found.append(_Run((self.over, self.under), tuple(self._passed), end, value))
            running = self.advance()
        hopeless = self._without_failed_tries(found)
        done = sums((run.value, run.part) for run in found if run.end == "done")
        failed = sums(("failed", run.part) for run in found if run.end == "failed")
        return done, failed.get("failed", Fraction(0)) + hopeless

    def setups(
        self, reset: Callable[[], Any], most: int, multipliers: Callable[[list[Any]], Sequence[str]]
    ) -> tuple[dict[Any, Fraction], Fraction]:
        """Return what ``reset`` can give with the chances, and the chance that it fails instead.

        Raises `TooManyStatesError` beyond ``most`` runs; ``multipliers`` says of the outcomes found by then what
        there is many of.
        """
        return self.outcomes(reset, most, lambda found: too_many_setups(most, found, multipliers(found)))

    def steps_that_begin_anew(
        self, go: Callable[[], Any], most: int, refuse: Callable[[list[Any]], ExactError]
    ) -> dict[Any, Fraction]:
        """Return what a step can lead to with the chances, where it may begin the next episode of a trial.

        The setup of that one is taken to find a place for everything. Raises `ExactError` where it never does.
        """
        chances, hopeless = self.outcomes(go, most, refuse)
        if hopeless:
            raise ExactError(
                "the setup of the trial's next episode never finds a place for everything, or a layout"
            )
        return chances

    def _without_failed_tries(self, found: list[_Run]) -> Fraction:
        """Divide by the chance that a try succeeds, the innermost first; return the chance of what never does.

        A ``retry`` that never does is a failed try of the setup that it stands in, where that is one of a step.
        """
        hopeless = Fraction(0)
        innermost_first = sorted(self._snapshots.items(), key=lambda item: item[0][1], reverse=True)
        for _, key in innermost_first:
            runs = [run for run in found if run.end == "again" and run.value == key]
            failed = sum((run.chance for run in runs), Fraction(0))
            if failed == self._masses[key]:
                around = self._within_steps.intersection(*(run.passed for run in runs)) - {key}
                for run in runs if around else ():
                    (run.value,) = around
                hopeless += 0 if around else failed
            elif failed:
                left = 1 - failed / self._masses[key]
                for run in found:
                    if key in run.passed:
                        run.part = (run.chance / left).as_integer_ratio()
        return hopeless


@dataclass(slots=True)
class _Run:
    """One run: its chance as over and under, what it began of which tries can fail, and how it ended.

    ``end`` is ``done`` (``value`` is what it gave), ``again`` (what of that failed) or ``failed``.
    """

    part: tuple[int, int]
    passed: tuple[int, ...]
    end: str
    value: Any

    @property
    def chance(self) -> Fraction:
        """The chance as a fraction."""
        return Fraction(*self.part)


def sums(parts: Iterable[tuple[Any, tuple[int, int]]]) -> dict[Any, Fraction]:
    """Return the sum of the chances of each value; those with one denominator are added as whole numbers."""
    rows: dict[Any, dict[int, int]] = {}
    for value, (over, under) in parts:
        row = rows.setdefault(value, {})
        row[under] = row.get(under, 0) + over
    fraction = cache(Fraction)  # most are alike
    return {
        value: fraction(*row.popitem()[::-1])
        if len(row) == 1
        else sum((fraction(over, under) for under, over in row.items()), Fraction(0))
        for value, row in rows.items()
    }


def scripted(
    program: Program, script: Script, traced: bool = False, only: Sequence[str] | None = None
) -> Machine:
    """Return a program's functions with every draw taken from a script; ``only`` some, with all that they call.

    Raises `ExactError` for a program that draws outside them: in a plug-in.
    """
    random_ones = [plug_in for plug_in in program.plug_ins.values() if plug_in.draws]
    if random_ones:
        plug_in = random_ones[0]
        raise ExactError(f"{plug_in}, and what it draws cannot be enumerated")
    draws: dict[str, Callable[..., Any]] = {
        "draw": script.draw,
        "odds": script.odds,
        "chance": script.chance_of,
        "weighted": script.weighted,
    }
    tries: dict[str, Callable[..., Any]] = {"snapshot": script.snapshot, "restore": script.restore}
    return build(
        program,
        traced,
        only,
        {"reset": script.within_a_step},
        **draws,
        **drawing.with_draws(script.draw),
        **tries,
    )
