"""Taxi against Gymnasium's own: all 500 states, the mask, the start, and the rainy and fickle variants."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from gymnasium.envs.toy_text.taxi import TaxiEnv

import griddsl
from griddsl.program.ir import Key
from tests.conformance.enumerating import Enumerated, State

SPEC = Path(__file__).parents[2] / "specs" / "taxi.grid"
ACTIONS = range(6)
Distribution = dict[tuple[int, float, bool], float]


class Taxi(Enumerated):
    """Our taxi, with its steps enumerated, and one of its starts."""

    def __init__(self, **params: Any) -> None:
        super().__init__(SPEC, **params)
        self.start = next(iter(self.starts()))


def poked(taxi: Taxi, values: Mapping[Key, int]) -> State:
    """Return a state with the values given for slots, and a start's for all others."""
    integers, reals = taxi.start
    changed = list(integers)
    for name, value in values.items():
        changed[taxi.program.layout.offsets[name]] = value
    return tuple(changed), reals


def state_of(taxi: Taxi, number: int, wavering: bool = False) -> State:
    """Return our state for the number that Gymnasium gives it."""
    row, column, passenger, destination = number // 100, number // 20 % 5, number // 4 % 5, number % 4
    return poked(
        taxi,
        {
            "AGENT_CELL": row * 5 + column,
            ("VAR", "passenger"): passenger,
            ("VAR", "destination"): destination,
            ("VAR", "wavering"): int(wavering),
        },
    )


def observed(taxi: Taxi, state: State) -> int:
    """Return what the agent observes in a state."""
    taxi._restore(state)
    function = taxi.program.observation.leaves[0].function
    return int(taxi.machine.functions[function](taxi.s, taxi.f, taxi.r))


def ours(taxi: Taxi, state: State, action: int) -> Distribution:
    """Return what follows, by what is observed of it."""
    found: Distribution = defaultdict(float)
    for (after, reward, terminated, _), chance in taxi.outcomes(state, action).items():
        found[observed(taxi, after), reward, terminated] += chance
    return found


def theirs(env: TaxiEnv, number: int, action: int) -> Distribution:
    """Return the transitions that Gymnasium lists, the equal ones joined."""
    found: Distribution = defaultdict(float)
    for chance, after, reward, terminated in env.P[number][action]:
        found[after, float(reward), terminated] += chance
    return {outcome: chance for outcome, chance in found.items() if chance}


def test_taxi__agrees_with_every_entry_of_the_transition_table() -> None:
    """P is exactly equal: 500 states, 6 actions."""
    taxi, env = Taxi(), TaxiEnv()
    compared = 0
    for number, action in itertools.product(range(500), ACTIONS):
        state = state_of(taxi, number)
        assert observed(taxi, state) == number
        assert ours(taxi, state, action) == theirs(env, number, action), (number, action)
        compared += 1
    assert compared == 3000


@pytest.mark.parametrize("probability", [0.8, 0.35])
def test_taxi_in_the_rain__agrees_with_every_entry_of_the_transition_table(probability: float) -> None:
    """With rain the taxi slides aside with the same chances, and never where the way ahead is blocked."""
    taxi = Taxi(rainy=True, rainy_probability=probability)
    env = TaxiEnv(is_rainy=True, rainy_probability=probability)
    for number, action in itertools.product(range(500), ACTIONS):
        expected = theirs(env, number, action)
        assert ours(taxi, state_of(taxi, number), action) == pytest.approx(expected, abs=1e-12), (
            number,
            action,
        )


class Scripted:
    """A stand-in for Gymnasium's generator: one place in the unit interval, one pick of each list."""

    def __init__(self, point: float, pick: int) -> None:
        self.point, self.pick = point, pick

    def random(self) -> float:
        """Return the place."""
        return self.point

    def choice(self, values: list[int]) -> int:
        """Return the pick."""
        return values[self.pick]


def fickle_outcomes(env: TaxiEnv, number: int, action: int, wavering: bool) -> dict[Any, float]:
    """Return the outcomes of Gymnasium's own step, over all of its draws: state, reward, flag, still wavering."""
    found: dict[Any, float] = defaultdict(float)
    step: Callable[[int], Any] = env.step
    start = 0.0
    for chance, *_ in env.P[number][action]:
        for pick in range(3):
            env.s, env.fickle_step = number, wavering
            env.np_random = Scripted(start + chance / 2, pick)  # type: ignore[assignment]
            after, reward, terminated, _, _ = step(action)
            found[after, float(reward), terminated, env.fickle_step] += chance / 3
        start += chance
    return found


@pytest.mark.parametrize("rainy", [False, True])
def test_taxi_with_a_fickle_passenger__changes_its_mind_as_often(rainy: bool) -> None:
    """The coin that Gymnasium tosses at reset is tossed here when it matters: all that is seen has the same chances."""
    taxi = Taxi(fickle=True, rainy=rainy)
    env = TaxiEnv(is_rainy=rainy, fickle_passenger=True)
    states = [
        state_of(taxi, number, wavering)
        for number, wavering in itertools.product(range(500), (False, True))
        if not wavering or env.decode(number)[2] < 4 or env.decode(number)[:2] in env.locs
    ]
    assert len(states) == 500 + 400 + 16
    wavers = taxi.program.layout.offsets[("VAR", "wavering")]
    for state, action in itertools.product(states, ACTIONS):
        number, wavering = observed(taxi, state), bool(state[0][wavers])
        expected: dict[Any, float] = defaultdict(float)
        for fickle, weight in ((True, 0.3), (False, 0.7)) if wavering else ((False, 1.0),):
            for (after, reward, terminated, _), chance in fickle_outcomes(
                env, number, action, fickle
            ).items():
                settles = env.decode(number)[2] == 4 and after // 20 != number // 20
                expected[after, reward, terminated, wavering and not settles] += weight * chance
        found: dict[Any, float] = defaultdict(float)
        for (next_state, reward, terminated, _), chance in taxi.outcomes(state, action).items():
            found[observed(taxi, next_state), reward, terminated, bool(next_state[0][wavers])] += chance
        assert found == pytest.approx(expected, abs=1e-12), (number, action, wavering)


def test_taxi__starts_as_often_in_every_state() -> None:
    """The start is uniform over the 300 states in which the passenger waits where they do not want to go."""
    taxi, env = Taxi(), TaxiEnv()
    found: dict[int, float] = defaultdict(float)
    for state, chance in taxi.starts().items():
        found[observed(taxi, state)] += chance
    expected = {number: chance for number, chance in enumerate(env.initial_state_distrib) if chance}
    assert len(expected) == 300
    assert found == pytest.approx(expected, abs=1e-12)


def test_taxi__allows_what_gymnasium_allows() -> None:
    """The mask is equal in all 500 states."""
    taxi, env, original = Taxi(), griddsl.make(SPEC), TaxiEnv()
    env.reset(seed=0)
    for number in range(500):
        env.set_state((*state_of(taxi, number), 0))
        assert env._mask().tolist() == original.action_mask(number).tolist(), number
