"""Exact answers against independent ones: published figures, Gymnasium's own tables, and a search by stepping."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.registration.ids import bundled_folder
from tests.conformance.brute_force import BruteForce

SPECS = bundled_folder()

SOKOBAN_ONE = """env: t/SokobanOne-v0
object box: pushable
map:
    #######
    #@....#
    #..b..#
    #..#.T#
    #.....#
    #######
legend: b = box, T = target
actions: up, right, down, left
observe: grid
each step: reward -0.1
when all box on target: reward 10, end success
"""
SOKOBAN_TWO = """env: t/SokobanTwo-v0
object box: pushable
map:
    ######
    #T@.T#
    #.bb.#
    #....#
    ######
legend: b = box, T = target
actions: up, right, down, left
observe: grid
each step: reward -0.1
when all box on target: reward 10, end success
"""
DOOR_KEY = """env: t/DoorKey-v0
use: minigrid
generate: room(6, 6)
setup:
    choose c in 2..3, r in 1..3
    place wall in column c
    place floor at (c, r)
    place door(state=locked, color=yellow) at (c, r)
    place agent(facing=random) at random floor where x < c
    place key(color=yellow) at random floor where x < c
    place goal at (4, 4)
each step: reward -1
on enter goal: end success
"""
CREATURE = """env: t/Creature-v0
object ghost: moves random
map:
    @..
    ..g
    ..G
legend: g = ghost, G = goal
actions: up, right, down, left
observe: grid
each step: reward -1
on meet ghost: reward -10, end failure
on enter goal: end success
"""


def test_cliff_walking__has_the_books_optimum() -> None:
    """Cliff walking has 38 states (36 cells above and at the start, less the cliff, and one end) and costs 13 steps."""
    mdp = griddsl.to_mdp(SPECS / "cliff_walking.grid")
    assert (mdp.n_states, int(mdp.terminal.sum()), mdp.n_transitions) == (38, 1, 37 * 4)
    for method in ("value", "policy", "modified"):
        solution = mdp.solve(method=method)
        assert solution.optimal_return == pytest.approx(-13, abs=solution.error_bound + 1e-12)
        assert solution.expected_length == pytest.approx(13)
        assert solution.success == pytest.approx(1)
        assert solution.is_proper


@pytest.mark.parametrize(("name", "steps"), [("windy_gridworld", 15), ("windy_gridworld_kings", 7)])
def test_windy_gridworld__has_the_books_optimum(name: str, steps: int) -> None:
    """The wind is crossed in 15 steps, and in 7 with king's moves."""
    solution = griddsl.to_mdp(SPECS / f"{name}.grid").solve()
    assert solution.optimal_return == pytest.approx(-steps)
    assert solution.expected_length == pytest.approx(steps)


@pytest.mark.parametrize(("level", "chance"), [("4x4", 14 / 17), ("8x8", 1.0)])
def test_frozen_lake__is_crossed_with_the_chance_of_a_linear_solve(level: str, chance: float) -> None:
    """The optimal success is 14/17 = 0.8235 on the small lake and 1 on the large; a plain linear solve agrees."""
    mdp = griddsl.to_mdp(SPECS / "frozen_lake.grid", level=level)
    solution = mdp.solve()
    assert solution.optimal_return == pytest.approx(chance, abs=1e-9)
    assert solution.success == pytest.approx(chance, abs=1e-9)
    original: Any = gym.make("FrozenLake-v1", map_name=level).unwrapped
    size = original.observation_space.n
    policy = {int(cell): int(a) for cell, a in zip(mdp.agent_cells, solution.policy, strict=True)}
    matrix, right = np.eye(size), np.zeros(size)
    for cell in range(size):
        for p, after, reward, ended in original.P[cell][policy.get(cell, 0)]:
            if after != cell or not ended:
                right[cell] += p * reward
                if not ended:
                    matrix[cell, after] -= p
    assert np.linalg.solve(matrix, right)[0] == pytest.approx(chance, abs=1e-9)


def test_taxi__has_the_originals_states_and_values() -> None:
    """Of the 500 codes 404 are reached, 4 of them ends, 300 are starts; all values are those of the original's P."""
    mdp = griddsl.to_mdp(SPECS / "taxi.grid")
    assert (mdp.n_states, int(mdp.terminal.sum()), int((mdp.initial > 0).sum())) == (404, 4, 300)
    original: Any = gym.make("Taxi-v3" if "Taxi-v4" not in gym.registry else "Taxi-v4").unwrapped
    assert original.observation_space.n == 500
    values = np.zeros(500)
    for _ in range(200):
        values = np.array(
            [
                max(
                    sum(p * (r + (0 if end else values[after])) for p, after, r, end in row)
                    for row in rows.values()
                )
                for _, rows in sorted(original.P.items())
            ]
        )
    solution = mdp.solve()
    looks = mdp.observing
    running = np.flatnonzero(~mdp.terminal)
    codes = [looks.observations[looks.seen[state][0][0]][0] for state in running]  # type: ignore[index]
    assert len(set(codes)) == 400
    assert solution.values[running] == pytest.approx(values[codes], abs=1e-9)


@pytest.mark.parametrize("source", [SOKOBAN_ONE, SOKOBAN_TWO])
def test_sokoban__equals_a_search_by_stepping(source: str) -> None:
    """Counts and optimal values of Sokoban are those found by ``set_state`` and ``step``, state by state."""
    assert_equal_to_brute_force(source, discount=0.9)


def test_door_key__equals_a_search_by_stepping() -> None:
    """Counts and optimal values of DoorKey-6x6 are those found by stepping from the starts of many seeds."""
    mdp = griddsl.to_mdp(DOOR_KEY)
    assert_equal_to_brute_force(DOOR_KEY, seeds=15 * int((mdp.initial > 0).sum()), discount=0.9)


@pytest.mark.long
def test_creature__equals_a_search_by_stepping() -> None:
    """With a creature that moves at random, counts and optimum are those of sampled outcomes, chances rounded."""
    assert_equal_to_brute_force(CREATURE, samples=2000, denominator=4, discount=1.0)


@pytest.mark.long
def test_rock_sample__equals_a_search_by_stepping() -> None:
    """With four cells a side and four rocks, counts and values are those of sampled outcomes of a short-sighted rover.

    What the sensor shows changes no reward, so the frequencies of its readings need not be exact.
    """
    text = (SPECS / "rock_sample.grid").read_text(encoding="utf-8").replace("limit: 100 steps", "")
    params = {"level": "4x4", "half_distance": 1}
    mdp = assert_equal_to_brute_force(text, 400, 8, 8, discount=0.95, **params)
    assert int((mdp.initial > 0).sum()) == 16


def assert_equal_to_brute_force(
    source: str, seeds: int = 1, samples: int = 1, denominator: int = 1, discount: float = 1.0, **params: Any
) -> Any:
    """Compare the states, those of the start, and all optimal values; return the process."""
    mdp = griddsl.to_mdp(source, **params)
    brute = BruteForce(source, seeds, samples, denominator, **params)
    starts = {mdp.index(state) for state in brute.starts}
    assert starts == set(np.flatnonzero(mdp.initial).tolist())
    assert len(brute.starts) == len(starts)
    assert brute.n_states == mdp.n_states
    solution = mdp.solve(discount=discount)
    values = brute.values(discount=discount)
    numbers = {state: mdp.index(state) for state in values}
    assert set(numbers.values()) == set(np.flatnonzero(~mdp.terminal).tolist())
    for state, value in values.items():
        assert solution.values[numbers[state]] == pytest.approx(value, abs=1e-8)
    return mdp
