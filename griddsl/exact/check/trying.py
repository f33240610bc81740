"""Trying: what a tenth of a second shows of a spec: setups that fail, ends that no play reaches, play without end.

Every state is visited where there are few; where there are more nothing is said but what was seen. The budget is
counted in steps and in numbers of the state, so that the same spec is answered the same on every machine; the clock
only stops what is slower than that. The search stops as soon as nothing is left to find, or as the states it knows of
are more than the budget has steps for.
"""

from __future__ import annotations

import math
import random
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from griddsl.backends.python import Machine
from griddsl.exact.check.forbidding import Forbidding, Group
from griddsl.exact.draws import ExactError, Key, Script, TryAgain, scripted
from griddsl.exact.explorer import Explorer
from griddsl.exact.steps import RUNNING, TRUNCATED, Action, Part, Steps
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

MOST_STEPS = 10_000
MOST_NUMBERS = 1_500_000  # of the state, gone over in all steps together
MOST_STARTS = 500
MOST_ACTIONS = 300  # of all agents together
SAMPLED_STARTS = 10
FEWEST_STARTS = 3  # where they are slow
SAMPLED_SECONDS = 0.03
SECONDS = 0.25  # of the processor: more than the steps take on a slow machine
LOOKS_APART = 8  # how often the time is asked
LARGEST_STATE = 50_000


@dataclass(slots=True)
class Tried:
    """What was found. ``complete`` says that every state was visited, so that what was not seen cannot be.

    ``failure`` is a setup that found no place; ``endless`` says that some play goes on for ever; ``forbidden`` are the
    groups of actions of which some play comes to where none is allowed, with the fewest steps to it that were seen.
    """

    failure: SetupFailure | None = None
    starts: list[list[Any]] = field(default_factory=list)  # the states after a few resets
    complete: bool = False
    cut: bool = False  # whether the limit was what ended some play
    states: int = 0
    endless: bool = False
    forbidden: dict[Group, int] = field(default_factory=dict)


@dataclass(slots=True)
class Wanted:
    """What is looked for; what was seen is taken away, so what is left after every state was visited cannot be.

    ``any_end`` says that one end is as good as all. ``endless`` asks whether some play goes on for ever: only all
    states tell that. ``groups`` are those that may be forbidden whole.
    """

    outcomes: set[str]
    rules: set[int]
    any_end: bool = False
    endless: bool = False
    groups: set[Group] = field(default_factory=set)

    @property
    def is_any(self) -> bool:
        """Whether something is left to find."""
        return bool(self.endless or self.rules or self.outcomes or self.groups)

    def see_end(self, outcome: str) -> None:
        """Take away an end."""
        if self.any_end:
            self.outcomes.clear()
        self.outcomes.discard(outcome)
        self._go_on()

    def see_rules(self, fired: list[int]) -> None:
        """Take away rules that fired, and forget that they did."""
        if not self.rules.isdisjoint(fired):
            self.rules.difference_update(fired)
            self._go_on()
        fired.clear()

    def see_groups(self, forbidden: Collection[Group]) -> None:
        """Take away groups that were seen forbidden."""
        if not self.groups.isdisjoint(forbidden):
            self.groups.difference_update(forbidden)
            self._go_on()

    def _go_on(self) -> None:
        if not self.is_any:
            raise _Stop


class _Stop(Exception):
    """The budget is spent, or nothing is left to find."""


@dataclass(slots=True)
class _Budget:
    steps: int
    until: float = field(default_factory=lambda: time.process_time() + SECONDS)
    looks: int = 0

    def spend(self) -> None:
        """Count one run of a function; raise `_Stop` where it is one too many."""
        self.steps -= 1
        self.look()
        if self.steps < 0:
            raise _Stop

    def expect(self, steps: int) -> None:
        """Raise `_Stop` where so many steps, which are still to do, are more than are left."""
        if steps > self.steps:
            raise _Stop

    def look(self) -> None:
        """Raise `_Stop` where the time is over: asked in a step or a draw, each of which is short."""
        self.looks += 1
        if self.looks % LOOKS_APART == 0 and time.process_time() > self.until:
            raise _Stop


class _Draws(Script):
    """A script that visits every way in which the draws can fall out; with a ``generator`` one, drawn as in play."""

    def __init__(self, budget: _Budget) -> None:
        super().__init__()
        self.budget = budget
        self.generator: random.Random | None = None
        self.drawn = 0  # with a generator

    @contextmanager
    def at_random(self) -> Iterator[random.Random]:
        """Draw as play does, and keep nothing of it."""
        self.generator = random.Random(0)
        try:
            yield self.generator
        finally:
            self.generator = None

    def _choose(self, count: int) -> int:
        self.budget.look()
        return super()._choose(count)

    def draw(self, r: Any, n: int) -> int:
        """Stand for `runtime.draw`."""
        if self.generator is None:
            return super().draw(r, n)
        self.budget.look()
        self.drawn += n > 1
        return self.generator.randrange(n)

    def odds(self, r: Any, wins: int, of: int) -> bool:
        """Stand for `runtime.odds`."""
        if self.generator is None or wins <= 0 or wins >= of:
            return super().odds(r, wins, of)
        return self.draw(r, of) < wins

    def weighted(self, r: Any, totals: Sequence[int]) -> int:
        """Stand for `runtime.weighted`."""
        if self.generator is None:
            return super().weighted(r, totals)
        return bisect_right(totals, self.draw(r, totals[-1]))

    def snapshot(self, s: list[Any]) -> list[Any]:
        """Keep the state, where a run may go back to it."""
        self.budget.look()
        return s if self.generator is None else list(s)

    def restore(self, s: list[Any], kept: list[Any]) -> None:
        """Go back to the state; where every draw is visited the other tries are, so the run ends."""
        if self.generator is None:
            raise TryAgain(0)
        self.budget.look()
        s[:] = kept


def tried(program: Program, wanted: Wanted) -> Tried:
    """Return what a short search through the states of a program shows, for what is ``wanted`` of it."""
    found = Tried()
    if program.layout.size > LARGEST_STATE or program.plug_ins:
        return found
    game = _Game(program, wanted.groups)
    try:
        found.failure = _failed_start(game, found.starts)
        if found.failure is None and wanted.is_any:
            _visit(game, wanted, found)
    except (_Stop, ExactError):
        found.complete = False
    found.forbidden = game.forbidding.steps(program.limit)
    return found


def comes_back(program: Program, with_luck: bool) -> bool:
    """Whether random play was seen to come back to a state that it was in: so it can go round for ever.

    It surely can where nothing was drawn on the way; ``with_luck`` says that a way with draws counts as well.
    """
    if program.layout.size > LARGEST_STATE or program.plug_ins:
        return False
    game = _Game(program)
    try:
        with game.draws.at_random() as generator:
            while True:
                state = game.steps.start()
                seen = {state: game.draws.drawn}
                for action in iter(lambda: generator.choice(game.steps.actions), None):
                    state, outcome, _ = game.steps.run(state, action)
                    if outcome != RUNNING:
                        break
                    if state in seen and (with_luck or seen[state] == game.draws.drawn):
                        return True
                    seen[state] = game.draws.drawn
    except (_Stop, ExactError, SetupFailure):
        return False


def states_in_play(program: Program) -> Iterator[Key]:
    """Yield the states that random play comes through, within the budget; none of what is too large to try out."""
    if program.layout.size > LARGEST_STATE or program.plug_ins:
        return
    game = _Game(program)
    steps = game.steps
    try:
        with game.draws.at_random() as generator:
            while True:
                state, outcome = steps.start(), RUNNING
                yield state
                while outcome == RUNNING:
                    action = steps.given(tuple(generator.choice(own) for own in steps.own))
                    state, outcome, _ = steps.run(state, action)
                    yield state
    except (_Stop, ExactError, SetupFailure):
        return


def _failed_start(game: _Game, starts: list[list[Any]]) -> SetupFailure | None:
    """Return how setup failed in one of a few resets, or in the only one there is; None where it did not.

    The states after those that did not are added to ``starts``.
    """
    until = time.process_time() + SAMPLED_SECONDS
    with game.draws.at_random():
        for count in range(SAMPLED_STARTS):
            try:
                game.steps.reset()
            except SetupFailure as failure:
                failure.state = list(game.steps.s)
                return failure
            starts.append(list(game.steps.s))
            is_late = count + 1 >= FEWEST_STARTS and time.process_time() > until
            if is_late or not game.draws.drawn:
                break
    return None


class _Game:
    """A program whose states are visited one by one, by joint actions where several agents play."""

    def __init__(self, program: Program, groups: Collection[Group] = ()) -> None:
        self.forbidding = Forbidding(program, set(groups))
        self.program = program
        self.budget = _Budget(max(1, min(MOST_STEPS, MOST_NUMBERS // program.layout.size)))
        self.draws = _Draws(self.budget)
        self.steps = _Counted(program, self.draws, self.budget)

    @cached_property
    def deciding(self) -> Machine:
        """What decides which actions are allowed."""
        return scripted(self.program, self.draws, only=self.forbidding.functions())

    def look(self, number: int, state: Key, wanted: Wanted) -> None:
        """Look whether a new state allows nothing. Within a limit a shorter way to one may still be found."""
        if self.forbidding.groups:
            self.budget.look()
            self.forbidding.look(number, self.steps.enter(state), self.deciding.functions)
            if self.program.limit is None:
                wanted.see_groups(self.forbidding.found)


class _Counted(Steps):
    """Steps that are counted, and no more than the budget allows."""

    def __init__(self, program: Program, draws: _Draws, budget: _Budget) -> None:
        super().__init__(program, draws, traced=True, awaits=False)
        self._budget = budget

    @cached_property
    def parts(self) -> list[Part]:
        """What each agent does in every action; `_Stop` where there are more than are tried."""
        if (
            math.prod(max(1, len(group.actions)) for player in self.players for group in player.groups)
            > MOST_ACTIONS
        ):
            raise _Stop
        return super().parts

    def reset(self) -> None:
        """Run setup once."""
        self._budget.spend()
        super().reset()

    @cached_property
    def run(self) -> Callable[[Key, Action], tuple[Key, int, Any]]:
        """What carries out an action in a state once."""
        once, spend = super().run, self._budget.spend

        def run(state: Key, action: Action) -> tuple[Key, int, Any]:
            spend()
            return once(state, action)

        return run


def _visit(game: _Game, wanted: Wanted, found: Tried) -> None:
    """Visit every state that can be reached, and note what happens on the way."""
    steps, budget, forbidding = game.steps, game.budget, game.forbidding
    explorer = Explorer(steps, MOST_STEPS * MOST_STEPS)
    actions, outcomes = steps.actions, game.program.outcomes
    for state in _starts(steps):
        if explorer.number(state) == forbidding.starts:
            forbidding.starts += 1
            game.look(forbidding.starts - 1, state, wanted)
        budget.expect(explorer.running * len(actions))
    choices: dict[int, list[set[int]]] = {}
    fired, known = steps.stepping.fired, len(explorer.states)
    depths, limit = [0] * known, game.program.limit
    for number in explorer.visit():
        if limit is not None and depths[number] >= limit:
            found.cut, choices[number] = True, []
            continue
        budget.expect((explorer.running - len(choices)) * len(actions))
        options: list[set[int]] = []
        for _, ways in explorer.successors(number):
            if fired:
                wanted.see_rules(fired)
            following = {after for after, *_ in ways}
            for after in range(known, len(explorer.states)):
                outcome = explorer.outcome[after]
                if outcome == RUNNING:
                    game.look(after, explorer.states[after], wanted)
                elif outcome != TRUNCATED:
                    wanted.see_end(outcomes[outcome - 1] if outcome else "")
                elif steps.need.kind == "whole":
                    wanted.see_end("")
            known = len(explorer.states)
            depths += [depths[number] + 1] * (known - len(depths))
            goes_on = {after for after in following if explorer.outcome[after] == RUNNING}
            for after in goes_on if forbidding.groups else ():
                forbidding.lead(number, after)
            if goes_on == following:
                options.append(following)
        choices[number] = options
    found.complete, found.states = True, explorer.running
    found.endless = wanted.endless and _goes_on_for_ever(choices)


def _starts(steps: Steps) -> Iterator[Key]:
    """Yield the states that setup can lead to, on every level that an episode can be asked for."""
    levels = len(steps.program.levels)
    for level in range(levels) if levels > 1 else (-1,):
        steps.level = level
        yield from steps.starts(MOST_STARTS)


def _goes_on_for_ever(choices: dict[int, list[set[int]]]) -> bool:
    """Whether some choice of actions never leaves a set of states: all others are taken away until nothing changes."""
    sources: dict[int, set[int]] = defaultdict(set)
    for state, options in choices.items():
        for following in options:
            for after in following:
                sources[after].add(state)
    left = set(choices)
    pending = [state for state in left if not choices[state]]
    while pending:
        state = pending.pop()
        if state not in left or any(following <= left for following in choices[state]):
            continue
        left.discard(state)
        pending.extend(sources[state] & left)
    return bool(left)
