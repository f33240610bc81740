"""Trying: what a tenth of a second shows of a spec: setups that fail, ends that no play reaches, play without end.

Every state is visited where there are few; where there are more nothing is said but what was seen. The budget is
counted in steps and in numbers of the state, so that the same spec is answered the same on every machine; the clock
only stops what is slower than that. The search stops as soon as nothing is left to find, or as the states it knows of
are more than the budget has steps for.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from griddsl.backends.python import Machine
from griddsl.exact.draws import ExactError, Key, Script, TryAgain, scripted
from griddsl.exact.forbidding import Forbidding, Group
from griddsl.exact.relevance import idle_slots
from griddsl.exact.step_need import STEP, StepNeed, step_need_of
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

Choices: TypeAlias = list[list[int]]  # at each draw the alternative that is taken, and how many there are


@dataclass(slots=True)
class Tried:
    """What was found. ``complete`` says that every state was visited, so that what was not seen cannot be.

    ``failure`` is a setup that found no place; ``endless`` says that some play goes on for ever; ``forbidden`` are the
    groups of actions of which some play comes to where none is allowed, with the fewest steps to it that were seen.
    """

    failure: SetupFailure | None = None
    starts: list[list[Any]] = field(default_factory=list)  # the states after a few resets
    complete: bool = False
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

    def begin(self, choices: Choices) -> None:
        """Begin a run that makes these choices first."""
        self.choices = [*map(list, choices)]
        self.rewind()

    def others(self, depth: int) -> Iterator[Choices]:
        """Yield how the runs begin that choose otherwise than this one at a draw from ``depth`` on."""
        for at in range(depth, self.position):
            taken, count = self.choices[at]
            for other in range(taken + 1, count):
                yield [*self.choices[:at], [other, count]]

    def count_others(self, depth: int) -> int:
        """Return how many `others` would yield, each of which is as long as what it begins with."""
        return sum(count - 1 - taken for taken, count in self.choices[depth : self.position])

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
                state = next(game.starts())
                seen = {state: game.draws.drawn}
                for action in iter(lambda: generator.choice(game.actions), None):
                    state, outcome, _ = next(game.after(state, action))
                    if outcome is not None:
                        break
                    if state in seen and (with_luck or seen[state] == game.draws.drawn):
                        return True
                    seen[state] = game.draws.drawn
    except (_Stop, ExactError, StopIteration):
        return False


def _failed_start(game: _Game, starts: list[list[Any]]) -> SetupFailure | None:
    """Return how setup failed in one of a few resets, or in the only one there is; None where it did not.

    The states after those that did not are added to ``starts``.
    """
    until = time.process_time() + SAMPLED_SECONDS
    with game.draws.at_random():
        for count in range(SAMPLED_STARTS):
            s, f, r = game.resetting.new_state()
            game.budget.spend()
            try:
                game.resetting.functions["reset"](s, f, r, -1)
            except SetupFailure as failure:
                failure.state = s
                return failure
            starts.append(s)
            is_late = count + 1 >= FEWEST_STARTS and time.process_time() > until
            if is_late or not game.draws.drawn:
                break
    return None


class _Game:
    """A program whose states are visited one by one, by joint actions where several agents play."""

    def __init__(self, program: Program, groups: Collection[Group] = ()) -> None:
        self.forbidding = Forbidding(program, set(groups))
        self.program, self.layout, self.players = program, program.layout, program.players
        steps = max(1, min(MOST_STEPS, MOST_NUMBERS // self.layout.size))
        self.budget = _Budget(steps)
        self.draws = _Draws(self.budget)
        self.initial, self.initial_reals = program.initial()
        offsets = self.layout.offsets
        self.step_at, self.outcome_at = offsets.get(STEP, -1), offsets.get("OUTCOME", -1)
        width = {slot.key: slot.length for slot in program.slots}.get("CHOICE", 0)
        self.width = width // max(1, len(program.agents))

    @cached_property
    def resetting(self) -> Machine:
        """What resets: all that is run of a game with too many starts."""
        return scripted(self.program, self.draws, only=["reset"])

    @cached_property
    def stepping(self) -> Machine:
        """What steps, and notes the rules that fire."""
        return scripted(self.program, self.draws, traced=True, only=["step"])

    @cached_property
    def deciding(self) -> Machine:
        """What decides which actions are allowed."""
        return scripted(self.program, self.draws, only=self.forbidding.functions())

    @cached_property
    def step_need(self) -> StepNeed:
        """How much of the step matters."""
        return step_need_of(self.program)

    @cached_property
    def idle(self) -> list[int]:
        """The numbers of the state on which nothing depends."""
        offsets = self.layout.offsets
        slots = idle_slots(self.program, rules=True)
        return [offsets[slot.key] + k for slot in slots for k in range(slot.length)]

    @cached_property
    def actions(self) -> list[Any]:
        """All actions, of all agents together where several play."""
        sizes = [[len(group.actions) for group in player.groups] for player in self.players]
        if math.prod(max(1, size) for own in sizes for size in own) > MOST_ACTIONS:
            raise _Stop
        each = [itertools.product(*map(range, own)) for own in sizes]
        return list(itertools.product(*each)) if len(each) > 1 else list(each[0])

    def starts(self) -> Iterator[Key]:
        """Yield the states that setup can lead to.

        The first draws are varied first: so it shows soon where there are too many.
        """
        pending: deque[Choices] = deque([[]])
        for count in itertools.count(1):
            self.budget.spend()
            choices = pending.popleft()
            s, f, r = self.resetting.new_state()
            try:
                self.draws.begin(choices)
                self.resetting.functions["reset"](s, f, r, -1)
                is_start = True
            except (TryAgain, SetupFailure):
                is_start = False
            if count + len(pending) + self.draws.count_others(len(choices)) > MOST_STARTS:
                raise _Stop
            pending.extend(self.draws.others(len(choices)))
            if is_start:
                yield self._key(s, f)
            if not pending:
                return

    def after(self, state: Key, action: Any) -> Iterator[tuple[Key, str | None, bool]]:
        """Yield the states that an action can lead to, with its outcome (None: it goes on) and whether it is cut."""
        self.draws.choices.clear()
        self.draws.rewind()
        step, running = self.stepping.functions["step"], True
        while running:
            self.budget.spend()
            s, f = self._entered(state)
            if len(self.players) > 1:
                for player, numbers in zip(self.players, action, strict=True):
                    at = self.layout.offsets["CHOICE"] + player.agent * self.width
                    s[at : at + len(numbers)] = numbers
                step(s, f, [0])
                over = self._all(s, "TERMINATED")
                cut = not over and self._all(s, "TERMINATED", "CUT_SHORT")
            else:
                _, over, cut = step(s, f, [0], *action)
            yield self._key(s, f), self._outcome(s) if over else None, bool(cut)
            running = self.draws.advance()

    def look(self, number: int, state: Key, wanted: Wanted) -> None:
        """Look whether a new state allows nothing. Within a limit a shorter way to one may still be found."""
        if self.forbidding.groups:
            self.budget.look()
            self.forbidding.look(number, self._entered(state), self.deciding.functions)
            if self.program.limit is None:
                wanted.see_groups(self.forbidding.found)

    def _entered(self, state: Key) -> tuple[list[Any], list[Any]]:
        saved = self.layout.saved
        s: list[Any] = [*state[:saved], *self.initial[saved:]]
        return s, [*state[saved:], *self.initial_reals[self.layout.saved_reals :]]

    def _all(self, s: list[Any], *names: str) -> bool:
        offsets = self.layout.offsets
        return all(
            any(name in offsets and s[offsets[name] + player.agent] for name in names)
            for player in self.players
        )

    def _outcome(self, s: list[Any]) -> str:
        code = s[self.outcome_at] if self.outcome_at >= 0 else 0
        return self.program.outcomes[code - 1] if code else ""

    def _key(self, s: list[Any], f: list[Any]) -> Key:
        """Return the saved part of a state, with as much of the step as matters to what happens."""
        if self.step_at >= 0 and self.step_need.kind != "whole":
            s[self.step_at] = s[self.step_at] % self.step_need.period if self.step_need.kind == "phase" else 0
        for at in self.idle:
            s[at] = self.initial[at]
        kept, reals = self.layout.saved, self.layout.saved_reals
        return (*s[:kept], *f[:reals]) if reals else tuple(s[:kept])


def _visit(game: _Game, wanted: Wanted, found: Tried) -> None:
    """Visit every state that can be reached, and note what happens on the way. States have numbers, by their turn."""
    actions = game.actions
    seen: dict[Key, int] = {}
    for state in game.starts():
        if state not in seen:
            seen[state] = game.forbidding.starts = len(seen)
            game.forbidding.starts += 1
            game.look(seen[state], state, wanted)
        game.budget.expect(len(seen) * len(actions))
    pending, known = list(seen), len(seen)
    choices: dict[int, list[set[int]]] = {}
    timed = game.step_need.kind == "whole"
    fired = game.stepping.fired
    while pending:
        game.budget.expect(len(pending) * len(actions))
        state = pending.pop()
        options: list[set[int]] = []
        for action in actions:
            following: set[int] = set()
            stays = True
            for after, outcome, cut in game.after(state, action):
                if fired:
                    wanted.see_rules(fired)
                if outcome is not None or (cut and timed):
                    stays = False
                    wanted.see_end(outcome or "")
                    continue
                number = seen.setdefault(after, len(seen))
                if game.forbidding.groups:
                    game.forbidding.lead(seen[state], number)
                if number == known:
                    known += 1
                    pending.append(after)
                    game.look(number, after, wanted)
                following.add(number)
            if stays:
                options.append(following)
        choices[seen[state]] = options
    found.complete, found.states = True, len(seen)
    found.endless = wanted.endless and _goes_on_for_ever(choices)


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
