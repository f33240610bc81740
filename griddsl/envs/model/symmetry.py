"""Symmetry: whether agents may change places, proved by visiting every state that can be reached."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from griddsl.envs.joint.game import result_of
from griddsl.envs.model.distributions import counts_for_limit_only, initial_distribution
from griddsl.envs.model.simulator import ModelState
from griddsl.exact.draws import ExactError, Key, Script, TooManyStatesError
from griddsl.exact.explorer import Explorer
from griddsl.exact.states.step_need import StepNeed
from griddsl.exact.steps import RUNNING, TRUNCATED, Action, Steps
from griddsl.program import keys
from griddsl.program.program import Program

MOST_RUNS = 250_000  # joint steps, each way of each counted: some seconds
MOST_SETUPS = 5_000
Label: TypeAlias = tuple[Hashable, ...]  # one part an agent
Ways: TypeAlias = list[tuple[Label, int, Fraction]]
Part = TypeVar("Part")


@dataclass
class Walk:
    """All states that can be reached, and where every joint action leads from each.

    ``ways[i][k]`` are the ways joint action ``actions[k]`` can go in state i: what each agent gets, the number of the
    next state, the chance. Where nothing but the limit depends on the step, no step is counted and none is the last.
    """

    actions: list[tuple[Any, ...]]
    states: list[ModelState] = field(default_factory=list)
    initial: dict[int, Fraction] = field(default_factory=dict)
    ways: list[list[Ways]] = field(default_factory=list)

    def reward_range(self, agent: int) -> tuple[float, float]:
        """Return the least and the most that an agent gets in a step."""
        rewards = {
            label[agent][0]  # type: ignore[index]
            for row in self.ways
            for ways in row
            for label, _, _ in ways
        }
        rewards.discard(None)
        return (min(rewards), max(rewards)) if rewards else (0.0, 0.0)


class _Labelled(Steps):
    """Steps that give each agent a label: its reward, and how its part ended; none where it was out."""

    @cached_property
    def run(self) -> Callable[[Key, Action], tuple[Key, int, Any]]:
        """What carries out an action in a state once."""
        once, s, out_at = super().run, self.s, self.out_at
        names = (keys.TERMINATED, keys.CUT_SHORT) if self.several else ()
        places = [self.layout.offsets[name] for name in names]

        def run(state: Key, action: Action) -> tuple[Key, int, Label]:
            after, outcome, reward = once(state, action)
            if not self.several:
                return after, outcome, ((reward, outcome),)
            word = self.program.outcomes[outcome - 1] if 0 < outcome < TRUNCATED else ""
            label = tuple(
                (None,)
                if out_at >= 0 and state[out_at + player.agent]
                else (own, *(s[at + player.agent] for at in places), result_of(self.program, player, word))
                for player, own in zip(self.players, reward, strict=True)
            )
            return after, outcome, label

        return run


def walked(program: Program) -> Walk:
    """Visit every state; raises `ExactError` where there are too many, or not to be enumerated."""
    if any(group.joystick for player in program.players for group in player.groups):
        raise ExactError("the positions of a joystick cannot be enumerated")
    counts = keys.STEP in program.layout.offsets and not counts_for_limit_only(program)
    script = Script()
    steps = _Labelled(program, script, StepNeed("whole" if counts else "none"))
    explorer = Explorer(steps, MOST_RUNS)
    walk = Walk([*steps.parts])
    for key, chance in initial_distribution(steps.start, script, MOST_SETUPS).items():
        walk.initial[explorer.number(key)] = chance
    rows: dict[int, list[Ways]] = {}
    left = MOST_RUNS
    for number in explorer.visit():
        rows[number] = []
        same = steps.same(explorer.states[number])
        for index, ways in explorer.successors(number):
            left -= len(ways) if same[index] == index else 0
            if left < 0:
                raise _too_many()
            rows[number].append([(label, after, Fraction(*chance)) for after, label, *chance in ways])
    saved, names = program.layout.saved, [player.name for player in program.players]
    for number, (key, outcome) in enumerate(zip(explorer.states, explorer.outcome, strict=True)):
        inside = zip(names, steps.taking_part(key), strict=True)
        agents = tuple(name for name, is_in in inside if is_in and outcome == RUNNING)
        walk.states.append(ModelState(key[:saved], key[saved:], agents))  # type: ignore[arg-type]
        walk.ways.append(rows.get(number, []))
    return walk


def _too_many() -> TooManyStatesError:
    return TooManyStatesError(f"there are more than {MOST_RUNS:,} joint steps to visit")


def is_symmetric(walk: Walk, looks: list[Label]) -> bool:
    """Return whether any two agents may change places; ``looks`` are what each of them sees and may do in a state."""
    return all(_may_exchange(walk, looks, at) for at in range(len(looks[0]) - 1))


def _may_exchange(walk: Walk, looks: list[Label], at: int) -> bool:
    """Whether a game in which two neighbours have changed places is the same game.

    Both games together, the plain and the exchanged, are divided into classes of states from which everything has
    equal chances, ever finer until it holds (partition refinement); then the initial states must be divided evenly.
    """

    def exchanged(row: tuple[Part, ...]) -> tuple[Part, ...]:
        return (*row[:at], row[at + 1], row[at], *row[at + 2 :])

    count = len(walk.states)
    action_numbers = {action: number for number, action in enumerate(walk.actions)}
    order = [action_numbers[exchanged(action)] for action in walk.actions]
    rows = [*walk.ways]
    for row in walk.ways:
        turned = [
            [(exchanged(label), count + after, chance) for label, after, chance in ways] for ways in row
        ]
        rows.append([turned[number] for number in order] if turned else [])
    classes = _numbered([*looks, *(exchanged(look) for look in looks)])
    while True:
        finer = _numbered(
            [(own, *(_seen(ways, classes) for ways in row)) for own, row in zip(classes, rows, strict=True)]
        )
        if max(finer) == max(classes):
            break
        classes = finer
    shares: dict[int, Fraction] = {}
    for state, chance in walk.initial.items():
        shares[classes[state]] = shares.get(classes[state], Fraction(0)) + chance
        shares[classes[count + state]] = shares.get(classes[count + state], Fraction(0)) - chance
    return not any(shares.values())


def _seen(ways: Ways, classes: list[int]) -> Hashable:
    """Return what a joint action does, as far as classes tell states apart."""
    if len(ways) == 1:
        label, after, _ = ways[0]
        return label, classes[after]
    chances: dict[tuple[Label, int], Fraction] = {}
    for label, after, chance in ways:
        key = (label, classes[after])
        chances[key] = chances.get(key, Fraction(0)) + chance
    return next(iter(chances)) if len(chances) == 1 else frozenset(chances.items())


def _numbered(values: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]
