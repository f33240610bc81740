"""Trying: what a tenth of a second shows of a spec: setups that fail, ends that no play reaches, play without end.

Every state is visited where there are few; where there are more nothing is said but what was seen. The budget is
counted in steps and in numbers of the state, so that the same spec is answered the same on every machine; the clock
only stops what is slower than that.
"""

from __future__ import annotations

import itertools
import random
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from griddsl.exact.draws import ExactError, Key, Script, TryAgain, scripted
from griddsl.exact.relevance import idle_slots
from griddsl.exact.step_need import STEP, step_need_of
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

MOST_STEPS = 10_000
MOST_NUMBERS = 1_500_000  # of the state, gone over in all steps together
MOST_STARTS = 500
MOST_ACTIONS = 300  # of all agents together
SAMPLED_STARTS = 10
SECONDS = 0.25  # more than the steps take on a slow machine
LARGEST_STATE = 50_000


@dataclass(slots=True)
class Tried:
    """What was found. ``complete`` says that every state was visited, so that what was not seen cannot be.

    ``failure`` is a setup that found no place; ``endless`` says that some play goes on for ever.
    """

    failure: SetupFailure | None = None
    complete: bool = False
    states: int = 0
    ended: bool = False
    endless: bool = False
    outcomes: set[str] = field(default_factory=set)
    fired: set[int] = field(default_factory=set)


class _OutOfTime(Exception):
    """The budget is spent."""


@dataclass(slots=True)
class _Budget:
    steps: int
    until: float

    def spend(self) -> None:
        """Count one run of a function; raise `_OutOfTime` where it was the last."""
        self.steps -= 1
        self.look()
        if self.steps < 0:
            raise _OutOfTime

    def look(self) -> None:
        """Raise `_OutOfTime` where the time is over."""
        if time.perf_counter() > self.until:
            raise _OutOfTime


class _Branching(Script):
    """A script that visits every way in which the draws can fall out."""

    def __init__(self, budget: _Budget) -> None:
        super().__init__()
        self.budget = budget

    def _choose(self, count: int) -> int:
        self.budget.look()
        return super()._choose(count)

    def snapshot(self, s: list[Any]) -> list[Any]:
        """Stand for `runtime.snapshot`; nothing needs to be kept."""
        return s

    def restore(self, s: list[Any], kept: list[Any]) -> None:
        """End a run whose try failed: the others are visited on their own."""
        raise TryAgain(0)


class _Chance(Script):
    """A script that draws as play does, and keeps nothing."""

    def __init__(self, budget: _Budget) -> None:
        super().__init__()
        self.budget, self.generator = budget, random.Random(0)

    def draw(self, r: Any, n: int) -> int:
        """Stand for `runtime.draw`."""
        self.budget.look()
        return self.generator.randrange(n)

    def odds(self, r: Any, wins: int, of: int) -> bool:
        """Stand for `runtime.odds`."""
        return self.draw(r, of) < wins

    def weighted(self, r: Any, totals: Sequence[int]) -> int:
        """Stand for `runtime.weighted`."""
        return bisect_right(totals, self.draw(r, totals[-1]))

    def snapshot(self, s: list[Any]) -> list[Any]:
        """Keep the state."""
        self.budget.look()
        return list(s)

    def restore(self, s: list[Any], kept: list[Any]) -> None:
        """Go back to the state."""
        self.budget.look()
        s[:] = kept


def tried(program: Program) -> Tried:
    """Return what a short search through the states of a program shows."""
    found = Tried()
    layout = program.layout
    if layout.size > LARGEST_STATE or program.plug_ins:
        return found
    budget = _budget(program)
    try:
        found.failure = _failed_start(program, budget)
        if found.failure is None:
            _visit(_Game(program, budget, _Branching(budget)), found)
    except (_OutOfTime, ExactError):
        found.complete = False
    return found


def comes_back(program: Program) -> bool:
    """Whether random play was seen to come back to a state that it was in: so it can go round for ever."""
    if program.layout.size > LARGEST_STATE or program.plug_ins:
        return False
    budget = _budget(program)
    script = _Chance(budget)
    try:
        game = _Game(program, budget, script)
        while True:
            state = next(game.starts())
            seen = {state}
            for action in iter(lambda: script.generator.choice(game.actions), None):
                state, outcome, _ = next(game.after(state, action))
                if outcome is not None:
                    break
                if state in seen:
                    return True
                seen.add(state)
    except (_OutOfTime, ExactError, StopIteration):
        return False


def _budget(program: Program) -> _Budget:
    steps = max(1, min(MOST_STEPS, MOST_NUMBERS // program.layout.size))
    return _Budget(steps, time.perf_counter() + SECONDS)


def _failed_start(program: Program, budget: _Budget) -> SetupFailure | None:
    """Return how setup failed in one of a few resets; None where it did not."""
    script = _Chance(budget)
    machine = scripted(program, script)
    for _ in range(SAMPLED_STARTS):
        s, f, r = machine.new_state()
        budget.spend()
        try:
            machine.functions["reset"](s, f, r, -1)
        except SetupFailure as failure:
            failure.state = s
            return failure
    return None


class _Game:
    """A program whose states are visited one by one, by joint actions where several agents play."""

    def __init__(self, program: Program, budget: _Budget, script: Script) -> None:
        self.program, self.budget, self.script = program, budget, script
        self.machine = scripted(program, script, traced=True)
        self.layout = program.layout
        self.initial, self.initial_reals = program.initial()
        self.step_need = step_need_of(program)
        self.step_at = self.layout.offsets.get(STEP, -1)
        self.outcome_at = self.layout.offsets.get("OUTCOME", -1)
        offsets = self.layout.offsets
        self.idle = [
            offsets[slot.key] + k for slot in idle_slots(program, rules=True) for k in range(slot.length)
        ]
        self.players = program.players
        own = [
            itertools.product(*(range(len(group.actions)) for group in each.groups)) for each in self.players
        ]
        count = 1
        for player in self.players:
            for group in player.groups:
                count *= max(1, len(group.actions))
        if count > MOST_ACTIONS:
            raise _OutOfTime
        self.actions: list[Any] = list(itertools.product(*own)) if len(self.players) > 1 else list(own[0])
        width = {slot.key: slot.length for slot in program.slots}.get("CHOICE", 0)
        self.width = width // max(1, len(program.agents))

    def starts(self) -> Iterator[Key]:
        """Yield the states that setup can lead to."""
        running, count = True, 0
        while running:
            count += 1
            if count > MOST_STARTS:
                raise _OutOfTime
            self.budget.spend()
            s, f, r = self.machine.new_state()
            try:
                self.machine.functions["reset"](s, f, r, -1)
                yield self._key(s, f)
            except (TryAgain, SetupFailure):
                pass
            running = self.script.advance()
        self.machine.fired.clear()

    def after(self, state: Key, action: Any) -> Iterator[tuple[Key, str | None, bool]]:
        """Yield the states that an action can lead to, with its outcome (None: it goes on) and whether it is cut."""
        self.script.choices.clear()
        self.script.rewind()
        running = True
        while running:
            self.budget.spend()
            s, f = self._entered(state)
            if len(self.players) > 1:
                for player, numbers in zip(self.players, action, strict=True):
                    at = self.layout.offsets["CHOICE"] + player.agent * self.width
                    s[at : at + len(numbers)] = numbers
                self.machine.functions["step"](s, f, [0])
                over = self._all(s, "TERMINATED")
                cut = not over and self._all(s, "TERMINATED", "CUT_SHORT")
            else:
                _, over, cut = self.machine.functions["step"](s, f, [0], *action)
            yield self._key(s, f), self._outcome(s) if over else None, bool(cut)
            running = self.script.advance()

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
        return (*s[: self.layout.saved], *f[: self.layout.saved_reals])


def _visit(game: _Game, found: Tried) -> None:
    """Visit every state that can be reached, and note what happens on the way."""
    seen = dict.fromkeys(game.starts())
    pending = list(seen)
    choices: dict[Key, list[set[Key]]] = {}
    timed = game.step_need.kind == "whole"
    while pending:
        state = pending.pop()
        choices[state] = []
        for action in game.actions:
            following: set[Key] = set()
            stays = True
            for after, outcome, cut in game.after(state, action):
                if outcome is not None or (cut and timed):
                    stays = False
                    found.ended = True
                    found.outcomes |= {outcome} if outcome else set()
                    continue
                following.add(after)
                if after not in seen:
                    seen[after] = None
                    pending.append(after)
            if stays:
                choices[state].append(following)
    found.fired |= set(game.machine.fired)
    found.complete, found.states = True, len(seen)
    found.endless = _goes_on_for_ever(choices)


def _goes_on_for_ever(choices: dict[Key, list[set[Key]]]) -> bool:
    """Whether some choice of actions never leaves a set of states: all others are taken away until nothing changes."""
    sources: dict[Key, set[Key]] = defaultdict(set)
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
