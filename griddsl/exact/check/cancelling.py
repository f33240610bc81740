"""Cancelling: whether the rewards of a game of zero sum cancel in every step, proved or sampled."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from griddsl.diagnostics import Report
from griddsl.exact.draws import ExactError, Key, Script, TooManyStatesError
from griddsl.exact.explorer import Explorer
from griddsl.exact.states.step_need import Affine, step_need_of
from griddsl.exact.steps import RUNNING, Action, Steps
from griddsl.program import keys
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


class _Checking:
    """Joint steps of a program, one after the other, counted and added up."""

    def __init__(self, program: Program, script: Script) -> None:
        self.steps = Steps(program, script, step_need_of(program), traced=True, awaits=False)
        self.agents = len(program.agents)
        self.reward_at = program.layout.offsets[keys.REWARD]
        self.count = 0
        self.most = max(FEWEST_STEPS, MOST_WORK // program.layout.size)
        self.sampled = max(FEWEST_STEPS, SAMPLED_WORK // program.layout.size)

    def step(self, state: Key, action: Action) -> tuple[Key, int]:
        """Carry out a joint step; return what follows, and how it stands. Raises where rewards do not cancel."""
        self.count += 1
        fired = self.steps.stepping.fired
        fired.clear()
        after, outcome, _ = self.steps.run(state, action)
        total = sum(self.steps.f[self.reward_at : self.reward_at + self.agents])
        slope = total.slope if isinstance(total, Affine) else 0.0
        base = total.base if isinstance(total, Affine) else total
        if abs(base) > SMALL or abs(slope) > SMALL:
            raise _Fault(base + slope, tuple(fired))
        return after, outcome


def cancelling(program: Program, seed: int = 0) -> Cancelling:
    """Return whether the rewards of all agents come to nothing in every joint step.

    Every reachable step is looked at where there are few enough; else random ones are, over many episodes.
    """
    counted = 0
    for script, look in ((Script(), _all), (_Random(random.Random(seed)), _some)):
        try:
            checking = _Checking(program, script)
            if look(checking):
                return Cancelling(True, checking.count)
            counted = checking.count
        except _Fault as fault:
            return Cancelling(True, checking.count, fault.total, fault.rules)
        except TooManyStatesError:
            continue
        except ExactError:
            break
    return Cancelling(False, counted)


def _all(checking: _Checking) -> bool:
    """Look at every joint step of every reachable state; False where there are too many."""
    steps, script = checking.steps, checking.steps.script
    explorer = Explorer(steps, MOST_STATES)
    for state in steps.starts(MOST_STARTS):
        explorer.number(state)
    for done, number in enumerate(explorer.visit()):
        # Each state that is known takes a step for each action: often there are soon too many.
        if checking.count + (explorer.running - done) * len(steps.actions) > checking.most:
            return False
        state = explorer.states[number]
        for index in sorted(set(steps.same(state))):
            for after, outcome in script.runs(partial(checking.step, state, steps.actions[index])):
                explorer.number(after, outcome)
                if checking.count >= checking.most:
                    return False
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


def _some(checking: _Checking) -> bool:
    """Look at random steps; False, as nothing is proved."""
    steps = checking.steps
    assert isinstance(steps.script, _Random)
    choice = steps.script.generator.choice
    while checking.count < checking.sampled:
        try:
            state = steps.start()
        except SetupFailure:
            return False
        for _ in range(steps.program.limit or 200):
            state, outcome = checking.step(state, steps.given(tuple(choice(own) for own in steps.own)))
            if outcome != RUNNING or checking.count >= checking.sampled:
                break
    return False


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
