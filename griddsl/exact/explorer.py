"""The explorer: states numbered in the order in which they are found, and where each of them leads, with exact chances.

Whoever asks visits: it gives the starts, takes a state from its frontier, and does with the successors what it wants.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from griddsl.exact.draws import ExactError, Key, TooManyStatesError
from griddsl.exact.steps import RUNNING, Steps

MOST_OUTCOMES = 100_000  # of one step
MOST_RUNS = 1_000_000  # of one step, which can come to fewer outcomes
WIDE_HELP = "let fewer things be drawn in one step, or choose a smaller map"

Way: TypeAlias = tuple[
    int, Any, int, int
]  # the number of the state, the reward, the chance as over and under


class Explorer:
    """The states that were found so far: ``outcome`` says of each how the episode stands there.

    A state in which an episode has ended is one of its own, by how it ended.
    """

    def __init__(self, steps: Steps, most: int, refuse: Callable[[], ExactError] | None = None) -> None:
        self.steps, self.most = steps, most
        self._refuse = refuse or self._too_many
        self.states: list[Key] = []
        self.outcome = array("q")
        self._running: dict[Key, int] = {}
        self._ended: dict[tuple[int, Key], int] = {}

    def number(self, state: Key, outcome: int = RUNNING) -> int:
        """Return the number of a state; raise what ``refuse`` gives for one too many."""
        states = self.states
        if outcome == RUNNING:
            number = self._running.setdefault(state, len(states))
        else:
            number = self._ended.setdefault((outcome, state), len(states))
        if number == len(states):
            if number == self.most:
                raise self._refuse()
            states.append(state)
            self.outcome.append(outcome)
        return number

    @property
    def running(self) -> int:
        """The number of states in which episodes go on."""
        return len(self._running)

    def visit(self) -> Iterator[int]:
        """Yield the states in which episodes go on, breadth first: those too that are found meanwhile."""
        for number in itertools.count():
            if number == len(self.states):
                return
            if self.outcome[number] == RUNNING:
                yield number

    def successors(self, number: int) -> Iterator[tuple[int, list[Way]]]:
        """Yield every action by its number, with the ways it can go: none twice."""
        state, actions, ways = self.states[number], self.steps.actions, self._ways
        if not self.steps.several:
            for index, action in enumerate(actions):
                yield index, ways(state, action)
            return
        found: dict[int, list[Way]] = {}
        for index, first in enumerate(self.steps.same(state)):
            if index == first:
                found[index] = ways(state, actions[index])
            yield index, found[first]

    def _ways(self, state: Key, action: tuple[int, ...]) -> list[Way]:
        script, running, run = self.steps.script, self._running, self.steps.run
        if self.steps.begin_anew:
            return self._ways_of_a_trial(state, action)
        script.choices.clear()
        script.rewind()
        found: dict[tuple[int, Any], tuple[int, int]] = {}
        for runs in itertools.count(1):
            key, outcome, reward = run(state, action)
            after = running.get(key, -1) if outcome == RUNNING else -1
            if after < 0:
                after = self.number(key, outcome)
            if not script.position:
                return [(after, reward, 1, 1)]
            over, under = found.get((after, reward), (0, 1))
            found[after, reward] = (
                (over + script.over, under)
                if under == script.under
                else (over * script.under + script.over * under, under * script.under)
            )
            if len(found) > MOST_OUTCOMES:
                raise too_wide()
            if runs > MOST_RUNS:
                raise too_many_draws()
            if not script.advance():
                break
        return [(after, reward, over, under) for (after, reward), (over, under) in found.items()]

    def _ways_of_a_trial(self, state: Key, action: tuple[int, ...]) -> list[Way]:
        """Return the ways of a step whose setup may fail or try again."""
        run = partial(self.steps.run, state, action)
        chances = self.steps.script.steps_that_begin_anew(run, MOST_RUNS, lambda found: too_many_draws())
        if len(chances) > MOST_OUTCOMES:
            raise too_wide()
        return [
            (self.number(key, outcome), reward, *chance.as_integer_ratio())
            for (key, outcome, reward), chance in chances.items()
        ]

    def _too_many(self) -> TooManyStatesError:
        return TooManyStatesError(f"there are more than {self.most:,} states")


def too_wide() -> TooManyStatesError:
    """Return the error of a step with too many outcomes."""
    return TooManyStatesError(f"one step has more than {MOST_OUTCOMES:,} outcomes", WIDE_HELP)


def too_many_draws() -> TooManyStatesError:
    """Return the error of a step whose draws can fall out in too many ways."""
    return TooManyStatesError(f"the draws of one step fall out in more than {MOST_RUNS:,} ways", WIDE_HELP)
