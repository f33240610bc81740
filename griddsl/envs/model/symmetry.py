"""Symmetry: whether agents may change places, proved by visiting every state that can be reached."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from griddsl.envs.joint.game import JointStep
from griddsl.envs.model.distributions import counts_for_limit_only, initial_distribution, runs
from griddsl.envs.model.simulator import ModelState, Simulator
from griddsl.exact.draws import ExactError, Script, TooManyStatesError
from griddsl.exact.step_need import STEP
from griddsl.program.program import Player

MOST_RUNS = 50_000  # joint steps, each way of each counted: a few seconds
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


def walked(simulator: Simulator, script: Script) -> Walk:
    """Visit every state; raises `ExactError` where there are too many, or not to be enumerated."""
    program = simulator.program
    names = tuple(simulator.players)
    choices = [_actions(player) for player in simulator.players.values()]
    if math.prod(map(len, choices)) > MOST_RUNS:
        raise _too_many()
    walk = Walk(list(itertools.product(*choices)))
    step_at = program.layout.offsets.get(STEP, -1) if counts_for_limit_only(program) else -1
    numbers: dict[ModelState, int] = {}

    def number(state: ModelState) -> int:
        if step_at >= 0:
            integers = state.integers
            state = state._replace(integers=(*integers[:step_at], 0, *integers[step_at + 1 :]))
        found = numbers.setdefault(state, len(walk.states))
        if found == len(walk.states):
            walk.states.append(state)
        return found

    for state, chance in initial_distribution(simulator, script, MOST_SETUPS).items():
        at = number(state)
        walk.initial[at] = walk.initial.get(at, Fraction(0)) + chance
    left = MOST_RUNS
    for state in walk.states:  # which grows on the way
        row: list[Ways] = []
        walk.ways.append(row)
        if not state.agents:
            continue
        simulator.put(state)
        acting = (simulator.turn,) if simulator.turn is not None else state.agents
        done: dict[tuple[Any, ...], Ways] = {}
        for action in walk.actions:
            # What those do who have no say makes no difference.
            said = tuple(a if name in acting else None for name, a in zip(names, action, strict=True))
            if said not in done:
                joint = dict(zip(names, said, strict=True))

                def go(state: ModelState = state, joint: dict[str, Any] = joint) -> JointStep:
                    simulator.put(state)
                    return simulator.play(state.agents, joint)

                done[said] = [
                    (_label(names, simulator, played), number(simulator.value(played.agents)), chance)
                    for played, chance in runs(script, go)
                ]
                left -= len(done[said])
                if left < 0:
                    raise _too_many()
            row.append(done[said])
    return walk


def _too_many() -> TooManyStatesError:
    return TooManyStatesError(f"there are more than {MOST_RUNS:,} joint steps to visit")


def _actions(player: Player) -> Sequence[Any]:
    if any(group.joystick for group in player.groups):
        raise ExactError("the positions of a joystick cannot be enumerated")
    counts = [range(len(group.actions)) for group in player.groups]
    return counts[0] if len(counts) == 1 else list(itertools.product(*counts))


def _label(names: tuple[str, ...], simulator: Simulator, played: JointStep) -> Label:
    results = dict(zip(played.rewards, simulator.results(played), strict=True))
    return tuple(
        (played.rewards[name], played.terminated[name], played.truncated[name], results[name])
        if name in played.rewards
        else (None,)
        for name in names
    )


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
