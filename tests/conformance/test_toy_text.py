"""Gymnasium's toy-text worlds: every reachable state and action leads where the original's ``P`` says."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import pytest

import griddsl
from griddsl.registration.ids import bundled_folder
from tests.conformance.enumerating import Enumerated

CLIFF = bundled_folder() / "cliff_walking.grid"
LAKE = bundled_folder() / "frozen_lake.grid"
DRAWS = 2000
LAKES = [
    (level, slippery, rate)
    for level in ("4x4", "8x8")
    for slippery, rate in (
        (False, 1 / 3),
        (True, 1 / 3),
        (True, 0.8),
        (True, 0.123456789012345),
        (True, 1.0),
        (True, 0.0),
    )
]
Table = dict[tuple[int, float, bool], float]


def original_outcomes(transitions: list[tuple[float, int, float, bool]]) -> Table:
    """Return a row of ``P`` as outcomes with their chances, equal outcomes joined."""
    found: Table = defaultdict(float)
    for chance, state, reward, terminated in transitions:
        if chance > 0:
            found[int(state), float(reward), bool(terminated)] += chance
    return dict(found)


def our_outcomes(env: Enumerated, state: Any, action: int) -> Table:
    """Return the outcomes of a step by the agent's cell."""
    found: Table = defaultdict(float)
    for (after, reward, terminated, _), chance in env.outcomes(state, action).items():
        found[env.cell(after), reward, terminated] += chance
    return dict(found)


def assert_same_table(env: Enumerated, original: Any) -> int:
    """Compare all reachable states and actions; return how many pairs there were."""
    pairs = 0
    for state in env.reachable(env.cell):
        for action in range(original.action_space.n):
            ours = our_outcomes(env, state, action)
            theirs = original_outcomes(original.P[env.cell(state)][action])
            assert ours.keys() == theirs.keys(), (env.cell(state), action)
            for outcome, chance in theirs.items():
                assert ours[outcome] == pytest.approx(chance, abs=1e-12), (env.cell(state), action, outcome)
            pairs += 1
    return pairs


def assert_same_starts(env: Enumerated, original: Any) -> None:
    """Compare the chances of the states that an episode starts in."""
    ours: dict[int, float] = defaultdict(float)
    for state, chance in env.starts().items():
        ours[env.cell(state)] += chance
    theirs = {cell: chance for cell, chance in enumerate(original.initial_state_distrib) if chance > 0}
    assert ours == pytest.approx(theirs, abs=1e-12)


def stepped_states(env: Any) -> Iterator[tuple[int, Any]]:
    """Yield a saved state for each reachable cell, found by stepping with many streams."""
    cell, _ = env.reset(seed=0)
    seen = {cell: env.get_state()}
    pending = [cell]
    while pending:
        here = pending.pop()
        yield here, seen[here]
        for action in range(env.action_space.n):
            for stream in range(24):
                env.set_state((*seen[here][:2], stream * 7919))
                after, _, terminated, _, _ = env.step(action)
                if not terminated and after not in seen:
                    seen[after] = env.get_state()
                    pending.append(after)


@pytest.mark.parametrize("slippery", [False, True])
def test_cliff_walking__has_the_originals_table(slippery: bool) -> None:
    """All outcomes of cliff walking, their rewards, ends and exact chances are Gymnasium's."""
    original = gym.make("CliffWalking-v1", is_slippery=slippery).unwrapped
    env = Enumerated(CLIFF, slippery=slippery)
    assert_same_starts(env, original)
    assert assert_same_table(env, original) == 37 * 4


@pytest.mark.parametrize(("level", "slippery", "rate"), LAKES)
def test_frozen_lake__has_the_originals_table(level: str, slippery: bool, rate: float) -> None:
    """All outcomes of frozen lake are Gymnasium's, on both maps, for several success rates."""
    original = gym.make("FrozenLake-v1", map_name=level, is_slippery=slippery, success_rate=rate).unwrapped
    env = Enumerated(LAKE, level=level, slippery=slippery, success_rate=rate)
    assert_same_starts(env, original)
    assert assert_same_table(env, original) == (11 if level == "4x4" else 53) * 4


@pytest.mark.parametrize("slippery", [False, True])
def test_cliff_walking__draws_with_the_originals_frequencies(slippery: bool) -> None:
    """Sampled through ``set_state`` and ``step``, outcomes come as often as Gymnasium's ``P`` says."""
    original = gym.make("CliffWalking-v1", is_slippery=slippery).unwrapped
    assert sampled_like(griddsl.make(CLIFF, slippery=slippery), original, DRAWS if slippery else 3) == 37 * 4


@pytest.mark.parametrize(
    ("slippery", "rate"), [(False, 1 / 3), (True, 1 / 3), (True, 0.8), (True, 0.123456789012345)]
)
def test_frozen_lake__draws_with_the_originals_frequencies(slippery: bool, rate: float) -> None:
    """Sampled through ``set_state`` and ``step``, outcomes come as often as Gymnasium's ``P`` says."""
    original = gym.make("FrozenLake-v1", map_name="4x4", is_slippery=slippery, success_rate=rate).unwrapped
    env = griddsl.make(LAKE, level="4x4", slippery=slippery, success_rate=rate)
    assert sampled_like(env, original, DRAWS if slippery else 3) == 11 * 4


def sampled_like(env: Any, original: Any, draws: int) -> int:
    """Compare sampled outcomes with ``P``, to five standard errors; return how many pairs there were."""
    pairs = 0
    for cell, (integers, reals, _) in stepped_states(env):
        for action in range(env.action_space.n):
            theirs = original_outcomes(original.P[cell][action])
            counts: Counter[tuple[int, float, bool]] = Counter()
            stream = 1 + 1000 * cell + action
            for _ in range(draws):
                env.set_state((integers, reals, stream))
                after, reward, terminated, _, _ = env.step(action)
                counts[after, reward, terminated] += 1
                stream = env.get_state()[2]
            assert counts.keys() == theirs.keys(), (cell, action)
            for outcome, chance in theirs.items():
                error = math.sqrt(chance * (1 - chance) / draws)
                assert counts[outcome] / draws == pytest.approx(chance, abs=5 * error + 1e-9), (cell, action)
            pairs += 1
    return pairs


def test_frozen_lake__ends_after_the_originals_steps() -> None:
    """The registered step limit is FrozenLake-v1's, and the spaces are equal."""
    ours, theirs = gym.make("griddsl/FrozenLake-v0"), gym.make("FrozenLake-v1")
    assert ours.spec is not None and theirs.spec is not None
    assert ours.spec.max_episode_steps == theirs.spec.max_episode_steps == 100
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space


def test_frozen_lake_random__draws_the_originals_lakes() -> None:
    """At size 2 and chance 0.8, each lake that can be crossed comes with its chance among those that can."""
    env = Enumerated(_bounded_lake(), size=2, frozen=0.8)
    ice, hole = 0.8, 0.2
    chances = {(0, 0): ice * ice, (0, 1): ice * hole, (1, 0): hole * ice}
    offset = env.program.layout.offsets["TILE"]
    code = next(kind.code for kind in env.program.kinds if kind.name == "hole")
    found: dict[tuple[int, int], float] = defaultdict(float)
    for state, chance in env.starts().items():
        tiles = state[0][offset : offset + 4]
        found[int(tiles[1] == code), int(tiles[2] == code)] += chance
    crossed = sum(chances.values())
    for holes, chance in chances.items():
        # Two tries reach the share 1 - hole**4 of what drawing without end would give.
        assert found[holes] == pytest.approx(chance * (1 - (1 - crossed) ** 2) / crossed, abs=1e-12)


def _bounded_lake() -> str:
    """Return the random lake with two tries, so that all its draws can be enumerated; the second always counts."""
    text = (bundled_folder() / "frozen_lake_random.grid").read_text(encoding="utf-8")
    return text.replace("retry 1000 until", "retry 2 until")
