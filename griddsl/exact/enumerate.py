"""Enumerate: all states that a program can reach, breadth first, over every outcome of every draw."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.backends.native.emit import refusal
from griddsl.diagnostics import Refused
from griddsl.exact.draws import ExactError, Key, Script, TooManyStatesError, multiplied, too_many_setups
from griddsl.exact.explorer import Explorer, too_many_draws, too_wide
from griddsl.exact.states.step_need import Affine, StepNeed, step_need_of
from griddsl.exact.states.words import ALIKE, OBJECTS, multipliers
from griddsl.exact.steps import RUNNING, Steps
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.refused import whole_number

Start: TypeAlias = tuple[Sequence[int], Sequence[float]]  # the whole numbers and the reals of a state
Progress: TypeAlias = Callable[[int, int, int], None]  # states found, states done, transitions

MOST_STATES = 200_000
MOST_VALUES = 100_000_000  # numbers held in all states together: under a gigabyte
MOST_SETUPS = 200_000
BACKENDS = ("auto", "python", "native")
HAND_OVER = 200_000  # transitions after which native code is worth its making
HAND_OVER_SETUPS = 5_000  # and setups, of which each takes longer
REPORT_EVERY = 500
SECONDS_BETWEEN_REPORTS = 0.5


@dataclass(slots=True)
class Enumeration:
    """The states that were found, numbered in the order of finding, and the transitions between them.

    ``outcome[i]`` is `RUNNING`, or how the episode ended when it came to state i. Transition k leads from
    ``source[k]`` by action ``action[k]`` to ``target[k]`` with the chance ``chances[chance[k]]`` and the reward
    ``rewards[agent][k]`` (plus ``slope[k]`` times the number of the step, where ``slope`` is not None).
    """

    program: Program
    step_need: StepNeed
    parts: list[tuple[tuple[int, ...], ...]]  # what each agent does in every action
    idle: list[
        tuple[int, int]
    ]  # the numbers of the state on which nothing depends: where, what stands for them
    states: Sequence[Key] = field(default_factory=list)
    outcome: array[int] = field(default_factory=lambda: array("q"))
    initial: dict[int, Fraction] = field(default_factory=dict)
    setup_failure: Fraction = Fraction(0)
    source: array[int] = field(default_factory=lambda: array("i"))
    action: array[int] = field(default_factory=lambda: array("i"))
    target: array[int] = field(default_factory=lambda: array("i"))
    chance: array[int] = field(default_factory=lambda: array("i"))
    rewards: list[array[float]] = field(default_factory=list)  # one column an agent
    slope: array[float] | None = None
    chances: list[Fraction] = field(default_factory=list)
    legal: bytearray | None = None  # (states, actions), where the program has a mask
    fired: set[int] | None = None  # the rules that fired, where it was asked for
    backend: str = "python"  # what ran the program, at the end

    @property
    def actions(self) -> list[tuple[int, ...]]:
        """Every action as the numbers of its groups, of several agents one after the other."""
        return [sum(part, ()) for part in self.parts]

    @property
    def reward(self) -> array[float]:
        """The rewards of the first agent, which is the only one where one plays."""
        return self.rewards[0]


def enumerate_states(
    program: Program,
    *,
    most_states: int = MOST_STATES,
    with_step: bool = False,
    reward_of_step: bool = False,
    traced: bool = False,
    backend: str = "auto",
    progress: Progress | None = None,
    start: Start | None = None,
) -> Enumeration:
    """Return all states that can be reached from all starts, or from one (``start``), with every transition.

    The step is kept in the states only where something but the limit depends on it; ``with_step`` keeps it always,
    and ``reward_of_step`` lets rewards of one agent be ``a + b * step`` instead where that is enough. ``traced``
    notes which rules fired. ``backend`` is ``python``, ``native`` (numba), or ``auto``: Python, and native code for
    what is large where numba is installed; both find the same, bit for bit. Raises `TooManyStatesError` beyond
    ``most_states``, and `ExactError` for what cannot be enumerated.
    """
    if backend not in BACKENDS:
        raise Refused(
            f"there is no backend {backend!r} to enumerate with; choose one of {', '.join(BACKENDS)}"
        )
    most_states = whole_number("the most states (`max_states`)", most_states, 1)
    step_need = step_need_of(program)
    if with_step or (step_need.kind == "reward" and not (reward_of_step and len(program.players) == 1)):
        step_need = StepNeed("whole") if keys.STEP in program.layout.offsets else StepNeed("none")
    search = _Search(program, step_need, most_states, traced, progress)
    if start is not None:
        search.begin_at(start)
    return search.run(_hand_over(program, backend))


def find_starts(program: Program, step_need: StepNeed, backend: str = "auto") -> Enumeration:
    """Return the states that setup can lead to, with their chances, and nothing more."""
    search = _Search(program, step_need, MOST_SETUPS, False, None)
    search.find_starts(_hand_over(program, backend))
    return search.found


def _hand_over(program: Program, backend: str) -> float:
    """Return after how many transitions the native search goes on; `ValueError` where it is asked for and cannot."""
    reason = None
    if backend != "python":
        reason = refusal(program) if len(program.players) == 1 else "several agents play it"
    if backend == "native" and reason is not None:
        raise Refused(f"the native backend cannot enumerate {program.id}: {reason}")
    if backend == "python" or reason is not None:
        return math.inf
    return -1 if backend == "native" else HAND_OVER


class _Search:
    """The breadth-first search."""

    def __init__(
        self, program: Program, step_need: StepNeed, most_states: int, traced: bool, progress: Progress | None
    ) -> None:
        self.program, self.step_need, self.progress = program, step_need, progress
        self.script, self.traced = Script(), traced
        self.steps = Steps(program, self.script, step_need, traced=traced)
        self.numbers = max(1, program.layout.saved + program.layout.saved_reals)  # of one state
        self.most_states = min(most_states, max(1, MOST_VALUES // self.numbers))
        self.is_bound_by_memory = self.most_states < most_states
        self.explorer = Explorer(self.steps, self.most_states, self._too_many)
        self.found = Enumeration(program, step_need, self.steps.parts, self.steps.idle)
        self.found.states, self.found.outcome = self.explorer.states, self.explorer.outcome
        self.found.rewards = [array("d") for _ in program.players]
        if step_need.kind == "reward":
            self.found.slope = array("d")
        if traced:
            self.found.fired = set()
        if any(player.mask for player in program.players):
            self.found.legal = bytearray()
        self.chance_numbers: dict[tuple[int, int], int] = {}

    def run(self, hand_over: float) -> Enumeration:
        """Search from the setups on; after so many transitions natively, where that can be."""
        found, states = self.found, self.explorer.states
        self._report(0, 0, 0)
        if not found.initial and self.find_starts(hand_over):
            hand_over = -1
        self._report(len(states), 0, 0)
        done, told = 0, time.monotonic()
        while done < len(states):
            if len(found.source) > hand_over:
                if self._go_on_natively(done):
                    return found
                hand_over = math.inf
            if found.outcome[done] == RUNNING:
                self._expand(done)
            if found.legal is not None:
                found.legal.extend(self.steps.legal(states[done]))
            done += 1
            # A state of several agents can take as long as hundreds of one: so it is told by the clock too.
            if done % REPORT_EVERY == 0 or time.monotonic() - told > SECONDS_BETWEEN_REPORTS:
                self._report(len(states), done, 0)
                told = time.monotonic()
        if found.fired is not None:
            found.fired.update(self.steps.stepping.fired)
        self._report(len(states), done, 0)
        return found

    def begin_at(self, start: Start) -> None:
        """Start in one state for certain, and not where setup leads."""
        key = self.steps.key_of(list(start[0]), list(start[1]))
        self.found.initial[self.explorer.number(key)] = Fraction(1)

    def find_starts(self, hand_over: float) -> bool:
        """Find the starts; return whether they were found natively, so that the rest is better found so too."""
        chances, self.found.setup_failure, natively = self._setups(hand_over)
        whole = sum(chances.values(), Fraction(0)) if self.found.setup_failure else Fraction(bool(chances))
        if not whole:
            raise ExactError(
                "setup never finds a place for everything, or a layout", "`griddsl run` shows where"
            )
        for key, chance in chances.items():
            self.found.initial[self.explorer.number(key)] = chance / whole if whole != 1 else chance
        return natively

    def _setups(self, hand_over: float) -> tuple[dict[Key, Fraction], Fraction, bool]:
        """Return what setup can lead to, the chance that it fails, and whether native code told so.

        That is asked where it can be, and there is much to find.
        """
        most = max(MOST_SETUPS, self.most_states)
        self._refuse_surely_more(most)
        if hand_over < math.inf:
            try:
                if hand_over >= 0:
                    return *self.script.setups(self.steps.start, HAND_OVER_SETUPS, lambda keys: ()), False
            except TooManyStatesError:
                pass
            try:
                from griddsl.exact.native.search import Unsuitable
                from griddsl.exact.native.setups import setups

                return *setups(self.program, self.step_need, self.found.idle, most, self._multipliers), True
            except Unsuitable:
                pass
        return *self.script.setups(self.steps.start, most, self._multipliers), False

    def _refuse_surely_more(self, most: int) -> None:
        """Raise `TooManyStatesError` at once for a setup of which it is sure that it has more ways to fall out.

        To run each takes minutes where the map is large, and as many states as are allowed fill gigabytes.
        """
        found = self.steps.surely_more_starts(most)
        if found is not None:
            raise too_many_setups(most, found, self._multipliers(found))

    def _multipliers(self, states: Sequence[Key]) -> list[str]:
        return multipliers(self.program, states)

    def _expand(self, number: int) -> None:
        """Carry out every action in a state, with all outcomes of its draws."""
        found = self.found
        slope, several = found.slope, self.steps.several
        (rewards, *_) = found.rewards
        certain = self._chance_number(1, 1)
        for index, ways in self.explorer.successors(number):
            for after, reward, over, under in ways:
                found.source.append(number)
                found.action.append(index)
                found.target.append(after)
                found.chance.append(certain if under == 1 else self._chance_number(over, under))
                if slope is not None:
                    moves = isinstance(reward, Affine)
                    slope.append(reward.slope if moves else 0.0)
                    reward = reward.base if moves else reward
                if several:
                    for column, own in zip(found.rewards, reward, strict=True):
                        column.append(own)
                else:
                    rewards.append(reward)
        fired = self.steps.stepping.fired
        if found.fired is not None and fired:
            found.fired.update(fired)
            fired.clear()

    def _chance_number(self, over: int, under: int) -> int:
        number = self.chance_numbers.get((over, under), -1)
        if number < 0:
            number = self.chance_numbers[over, under] = len(self.found.chances)
            self.found.chances.append(Fraction(over, under))
        return number

    def _go_on_natively(self, done: int) -> bool:
        """Find the rest natively, after ``done`` states; return False, with nothing changed, where that cannot be."""
        from griddsl.exact.native.search import NativeSearch, Unsuitable

        found = self.found
        try:
            search = NativeSearch(
                self.program,
                self.step_need,
                found.idle,
                found.actions,
                traced=self.traced,
                most_states=self.most_states,
            )
            more = search.run(found.states, found.outcome, done, self._report)
        except Unsuitable:
            return False
        found.states, found.outcome, found.backend = more.states, more.outcome, "native"
        if more.refusal is not None:
            refusals = {"states": self._too_many, "outcomes": too_wide, "runs": too_many_draws}
            raise refusals[more.refusal]()
        found.source += more.source
        found.action += more.action
        found.target += more.target
        found.rewards[0] += more.reward
        found.chance.frombytes(self._numbers_of(more.chance, more.chances).tobytes())
        if found.slope is not None:
            found.slope += more.slope
        if found.legal is not None:
            found.legal += more.legal
        if found.fired is not None:
            found.fired |= more.fired
        return True

    def _report(self, states: int, done: int, transitions: int) -> None:
        if self.progress is not None:
            self.progress(states, done, transitions + len(self.found.source))

    def _numbers_of(self, nodes: array[int], chances: list[tuple[int, int]]) -> NDArray[np.int32]:
        """Return the numbers of the chances that nodes stand for, new ones in the order in which they appear."""
        self._chance_number(1, 1)
        column = np.asarray(nodes)
        first = np.full(len(chances), len(column), np.int64)
        np.minimum.at(first, column, np.arange(len(column)))
        numbers: NDArray[np.int32] = np.zeros(len(chances), np.int32)
        for node in np.argsort(first, kind="stable")[: np.count_nonzero(first < len(column))].tolist():
            numbers[node] = self._chance_number(*chances[node])
        return np.asarray(numbers[column])

    def _too_many(self) -> TooManyStatesError:
        found = multipliers(self.program, self.found.states)
        parts = multiplied(found)
        bound = f"there are more than {self.most_states:,} state{'' if self.most_states == 1 else 's'}"
        help = "choose a smaller map or narrower ranges"
        if self.is_bound_by_memory:
            bound += f", each of {self.numbers:,} numbers, and no more fit in memory"
        else:
            help += ", or raise the bound (`max_states`; `--max-states` in the terminal)"
        if found and found[0].startswith(OBJECTS):
            help += f"; {ALIKE}"
        if self.step_need.kind == "whole" and self.step_need != step_need_of(self.program):
            help = (
                "`griddsl solve` handles rewards that speak of `step` without counting it in the state; or "
                + help
            )
        return TooManyStatesError(f"{bound}{parts}", help)
