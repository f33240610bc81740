"""Functional models and exact chances: what they say is what is played, and as often."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import griddsl
from griddsl.envs.model.simulator import ModelState, frozen
from griddsl.exact.draws import ExactError
from tests.agreement.comparing import assert_same
from tests.fuzz.specs.traces import Case, base_trace, made, sampled

SAMPLES = 150
MOST_WAYS = 12
MOST_STATES = 1_500
# A false alarm is a matter of one in 10^12: each count stays within seven deviations, and a little more for few.
DEVIATIONS = 7.0


def check_model(case: Case) -> None:
    """A step of the functional model is a step of the environment that was put into the same state."""
    model, env = griddsl.make_model(case.compiled), made(case)
    try:
        state = model.sample_initial_state(case.seed)
    except griddsl.SpecError:
        return
    for number in case.numbers[:15]:
        actions = _joint_action(model, state, number)
        try:
            found = model.step(state, actions, number)
        except griddsl.SpecError:
            return  # the setup of a trial's next episode finds no place
        assert model.step(state, actions, number).state == found.state, "the model remembers something"
        stream = int(
            np.random.Generator(np.random.PCG64(np.random.SeedSequence(number))).integers(
                0, 2**64, dtype=np.uint64
            )
        )
        if not case.is_joint:
            env.set_state((state.integers, state.reals, stream))
            seen, reward, terminated, truncated, _ = env.step(next(iter(actions.values())))
            assert_same(
                frozen(next(iter(found.observations.values()))), frozen(seen), "the model: observation"
            )
            assert next(iter(found.rewards.values())) == reward, "the model: reward"
            assert (terminated, truncated) == (
                found.terminated[model.possible_agents[0]],
                found.truncated[model.possible_agents[0]],
            )
            assert env.get_state()[:2] == (found.state.integers, found.state.reals), "the model: state"
            case.compared.append(1)
        _check_transition(model, state, actions, number)
        if found.all_done:
            return
        state = found.state


def _joint_action(model: Any, state: ModelState, number: int) -> dict[str, Any]:
    return {name: sampled(model.action_spaces[name], number + k) for k, name in enumerate(state.agents)}


def _check_transition(model: Any, state: ModelState, actions: dict[str, Any], seed: int) -> None:
    """The chances of the next states sum to 1, and as many samples lead to each as they say."""
    try:
        chances = model.transition(state, actions)
    except ExactError:
        return
    assert sum(chances.values()) == 1, "chances that do not sum to 1"
    if not 2 <= len(chances) <= MOST_WAYS:
        return
    rng, found = np.random.default_rng(seed), Counter[ModelState]()
    for _ in range(SAMPLES):
        try:
            found[model.step(state, actions, rng).state] += 1
        except griddsl.SpecError:
            return  # the chances are those where setup finds a place
    as_often(found, chances, "a step")


def as_often(found: Counter[Any], chances: Mapping[Any, Fraction], what: str) -> None:
    """Fail where samples are surely not drawn with these chances."""
    total = sum(found.values())
    strange: list[Hashable] = [key for key in found if key not in chances]
    assert not strange, f"{what} leads where its chances say it never does"
    for key, chance in chances.items():
        deviation = math.sqrt(total * chance * (1 - chance))
        distance = abs(found[key] - total * float(chance))
        assert distance <= DEVIATIONS * deviation + DEVIATIONS**2 / 3, (
            f"{what}: {found[key]} of {total} at {chance}"
        )


def check_start(case: Case) -> None:
    """Initial states are drawn as often as their exact chances say."""
    model = griddsl.make_model(case.compiled)
    try:
        chances = model.initial_belief()
    except (ExactError, griddsl.SpecError):
        return
    assert sum(chances.values()) == 1, "chances of initial states that do not sum to 1"
    if not 2 <= len(chances) <= MOST_WAYS:
        return
    rng = np.random.default_rng(case.seed)
    try:
        found = Counter(model.sample_initial_state(rng) for _ in range(SAMPLES))
    except griddsl.SpecError:  # now and then setup finds no place
        return
    as_often(found, chances, "the start")


def check_process(case: Case) -> None:
    """What is played is in the Markov decision process of the spec, with its rewards."""
    program = case.compiled.program
    if case.is_joint or len(program.groups) > 1 or program.groups[0].joystick:
        return
    try:
        process = griddsl.to_mdp(case.compiled, max_states=MOST_STATES, backend="python")
    except (ExactError, griddsl.SpecError):
        return
    totals = np.bincount(process.row, weights=process.chance, minlength=process.n_states * process.n_actions)
    assert np.isclose(totals[totals > 0], 1).all(), "chances of a process that do not sum to 1"
    before: Any = None
    numbers = iter(case.numbers)
    env = made(case)
    for moment in base_trace(case):
        if moment[0] == "refused":
            return
        if moment[0] == "step":
            action = int(sampled(env.action_space, next(numbers)))
            _in_process(process, before, action, moment)
            case.compared.append(1)
        before = moment[-2]


def _in_process(process: Any, before: Any, action: int, moment: Any) -> None:
    _, _, reward, terminated, truncated, _, after, _ = moment
    ways = process.outcomes(process.index(before), action)
    if terminated or truncated:
        return
    number = process.index(after)
    assert any(way[1] == number for way in ways), "a step that the process does not have"
    rewards = [way[2] for way in ways if way[1] == number]
    assert any(math.isclose(value, reward, abs_tol=1e-9) for value in rewards), (
        f"a reward of {reward}, the process: {rewards}"
    )
