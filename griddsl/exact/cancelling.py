"""Cancelling: whether the rewards of a game of zero sum cancel in every step, proved or sampled."""

from __future__ import annotations

import itertools
import random
from collections import deque
from dataclasses import dataclass

from griddsl.diagnostics import Report
from griddsl.exact.draws import ExactError, Script, TryAgain, scripted
from griddsl.exact.step_need import step_need_of
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_STATES = 5_000
MOST_STARTS = 500
# How many numbers of the state are gone over, at the most: a step of a large state takes longer.
MOST_WORK = 1_500_000
SAMPLED_WORK = 400_000
FEWEST_STEPS = 300
SMALL = 1e-9
State = tuple[tuple[int, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Cancelling:
    """What was found: ``total`` is what the rewards of one step came to, None where they cancelled in all.

    ``proved`` says that every joint step of every reachable state was looked at; ``rules`` fired in the step at fault.
    """

    proved: bool
    steps: int
    total: float | None = None
    rules: tuple[int, ...] = ()


class _Fault(Exception):
    def __init__(self, total: float, rules: tuple[int, ...]) -> None:
        super().__init__(total)
        self.total, self.rules = total, rules


class _Steps:
    """Joint steps of a program, one after the other, counted and added up."""

    def __init__(self, program: Program, script: Script) -> None:
        self.program, self.script = program, script
        self.layout = program.layout
        self._machine = scripted(program, script, traced=True)
        self._initial, _ = program.initial()
        self._reward = self.layout.offsets["REWARD"]
        self._choice = self.layout.offsets["CHOICE"]
        lengths = {slot.key: slot.length for slot in program.slots}
        self._width = lengths["CHOICE"] // len(program.agents)
        step_need = step_need_of(program)
        self._timeless = self.layout.offsets.get("STEP") if step_need.kind in {"none", "reward"} else None
        self.actions = list(
            itertools.product(
                *(
                    itertools.product(*(range(len(group.actions)) for group in player.groups))
                    for player in program.players
                )
            )
        )
        self.count = 0
        self.most = max(FEWEST_STEPS, MOST_WORK // self.layout.size)
        self.sampled = max(FEWEST_STEPS, SAMPLED_WORK // self.layout.size)

    def start(self) -> State:
        """Run setup."""
        s, f, r = self._machine.new_state()
        self._machine.functions["reset"](s, f, r, -1)
        return self._kept(s, f)

    def step(self, state: State, actions: tuple[tuple[int, ...], ...]) -> tuple[State, bool]:
        """Carry out a joint step; return what follows, and whether it goes on. Raises where rewards do not cancel."""
        self.count += 1
        s = [*state[0], *self._initial[self.layout.saved :]]
        f = [*state[1], *[0.0] * (self.layout.reals - self.layout.saved_reals)]
        for player, numbers in zip(self.program.players, actions, strict=True):
            at = self._choice + player.agent * self._width
            s[at : at + len(numbers)] = numbers
        self._machine.fired.clear()
        self._machine.functions["step"](s, f, [0])
        total = sum(f[self._reward : self._reward + len(self.program.agents)])
        if abs(total) > SMALL:
            raise _Fault(total, tuple(self._machine.fired))
        at_ended = self.layout.offsets["TERMINATED"]
        return self._kept(s, f), not all(s[at_ended + player.agent] for player in self.program.players)

    def _kept(self, s: list[int], f: list[float]) -> State:
        kept = s[: self.layout.saved]
        if self._timeless is not None and self._timeless < self.layout.saved:
            kept[self._timeless] = 0
        return tuple(kept), tuple(f[: self.layout.saved_reals])


def cancelling(program: Program, seed: int = 0) -> Cancelling:
    """Return whether the rewards of all agents come to nothing in every joint step.

    Every reachable step is looked at where there are few enough; else random ones are, over many episodes.
    """
    try:
        steps = _Steps(program, Script())
        try:
            if _all(steps):
                return Cancelling(True, steps.count)
        except _Fault as fault:
            return Cancelling(True, steps.count, fault.total, fault.rules)
    except ExactError:
        return Cancelling(False, 0)
    lucky = _Random(random.Random(seed))
    steps = _Steps(program, lucky)
    try:
        _some(steps, lucky)
    except _Fault as fault:
        return Cancelling(True, steps.count, fault.total, fault.rules)
    return Cancelling(False, steps.count)


def _all(steps: _Steps) -> bool:
    """Look at every joint step of every reachable state; False where there are too many."""
    script = steps.script
    seen: set[State] = set()
    running, starts = True, 0
    while running:
        if starts == MOST_STARTS:
            return False
        starts += 1
        try:
            seen.add(steps.start())
        except TryAgain:
            pass  # The other tries of this `retry` are starts of their own.
        except (SetupFailure, RuntimeError):
            return False
        running = script.advance()
    pending = deque(seen)
    while pending:
        # Each state that is known takes a step for each action: often there are soon too many.
        if steps.count + len(pending) * len(steps.actions) > steps.most or len(seen) > MOST_STATES:
            return False
        state = pending.popleft()
        for actions in steps.actions:
            script.choices.clear()
            script.rewind()
            running = True
            while running:
                if steps.count >= steps.most:
                    return False
                following, goes_on = steps.step(state, actions)
                if goes_on and following not in seen:
                    seen.add(following)
                    pending.append(following)
                running = script.advance()
    return True


class _Random(Script):
    """A script that chooses at random and keeps nothing."""

    def __init__(self, generator: random.Random) -> None:
        super().__init__()
        self.generator = generator

    def _choose(self, count: int) -> int:
        return self.generator.randrange(count)

    def snapshot(self, s: list[int]) -> list[int]:
        """Keep the state."""
        return list(s)

    def restore(self, s: list[int], kept: list[int]) -> None:
        """Go back to the state."""
        s[:] = kept


def _some(steps: _Steps, lucky: _Random) -> None:
    limit = steps.program.limit or 200
    while steps.count < steps.sampled:
        try:
            state = steps.start()
        except SetupFailure:
            return
        for _ in range(limit):
            state, goes_on = steps.step(state, lucky.generator.choice(steps.actions))
            if not goes_on or steps.count >= steps.sampled:
                break


def _pays(effects: tuple[n.Effect, ...]) -> bool:
    return any(isinstance(node, n.Reward) for node in walk(effects))


def diagnose_cancelling(spec: GridSpec, program: Program, report: Report) -> None:
    """Add an error where ``rewards: zero_sum`` is not true, at a rule that fired in such a step."""
    found = cancelling(program)
    if found.total is None:
        return
    paying = [number for number in found.rules if _pays(spec.rules[number].effects)]
    place = program.rules[paying[-1]].span if paying else spec.place("rewards")
    help = "let them cancel in every step, or write `rewards: own`"
    report.add("rewards-do-not-cancel", place, total=f"{found.total:g}", help=help)
