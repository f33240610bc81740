"""Curricula of variants: which parameters and named levels are played next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

from griddsl.curriculum import VariantEnv, VariantReplay

WALK = """
env: tests/Walk-v0
param far: 3 in 1..9
generate: empty(12, 1)
setup:
    place agent at (0, 0)
    place goal at (far, 0)
actions: left, right
observe flat:
    position of agent as unit
each step: reward -1
on enter goal: end success
limit: 5 steps
"""
NAMED = """
env: tests/Named-v0
map near:
    @G..
map far:
    @..G
legend: G = goal
actions: left, right
observe flat:
    position of agent as unit
on enter goal: end success
limit: 2 steps
"""


def _played(env: VariantEnv, episodes: int) -> list[int]:
    """Play to the right; return which variants were chosen."""
    chosen = []
    for _ in range(episodes):
        _, info = env.reset()
        chosen.append(info["variant"])
        over = False
        while not over:
            _, _, ended, cut, info = env.step(1)
            over = ended or cut
            assert info["variant"] == chosen[-1]
    return chosen


def test_variants__are_all_played_once_and_then_by_what_came_out() -> None:
    """What is solved always or never comes seldom; what a score of one's own prefers comes most."""
    variants = [{"far": far} for far in (1, 4, 8, 9)]

    def longest(returns: Any, successes: Any) -> float:
        return float(-returns.mean() * successes.mean())

    env = VariantEnv(WALK, VariantReplay(variants, score=longest, seed=3))
    env.reset(seed=0)
    chosen = _played(env, 300)
    assert sorted(chosen[:4]) == [0, 1, 2, 3]
    assert env.curriculum.scores.tolist() == [1, 4, 0, 0]
    assert chosen.count(1) > 200 and min(chosen.count(each) for each in range(4)) > 3
    assert env.curriculum.chances().sum() == pytest.approx(1)


def test_named_levels__are_variants_too() -> None:
    """A level of the file is chosen by its name, and the same seeds choose the same."""
    runs = []
    for _ in range(2):
        env = VariantEnv(NAMED, VariantReplay([{"level": "near"}, {"level": "far"}], seed=5))
        env.reset(seed=1)
        runs.append(_played(env, 40))
        wins = [np.mean([won for _, won in past]) for past in env.curriculum._past]
        assert wins == [1, 0]
    assert runs[0] == runs[1] and set(runs[0]) == {0, 1}


def test_an_environment_of_variants__is_one_of_gymnasium() -> None:
    """Gymnasium's check passes, and several share a curriculum in one batch."""
    curriculum = VariantReplay([{"far": 2}, {"far": 3}])
    check_env(VariantEnv(WALK, curriculum), skip_render_check=True)
    batch = SyncVectorEnv([lambda: VariantEnv(WALK, curriculum) for _ in range(3)])
    batch.reset(seed=4)
    for _ in range(30):
        batch.step(np.ones(3, int))
    assert (curriculum.scores >= 0).all() and sum(map(len, curriculum._past)) == 2 * 8


def test_bad_variants__are_answered() -> None:
    """No variants, wrong ones, other observations, and games that nobody succeeds in."""
    for wish, said in (
        (([],), "one or more dicts"),
        ((["far"],), "one or more dicts of parameters.*not 'far'"),
        (("griddsl/CliffWalking-v0",), "a list of one or more dicts.*not 'griddsl/CliffWalking-v0'"),
        ((None,), "a list of one or more dicts of parameters.*not None"),
    ):
        with pytest.raises(ValueError, match=said):
            VariantReplay(*wish)
    with pytest.raises(ValueError, match="`sharpness` is above 0"):
        VariantReplay([{}], sharpness=0)
    with pytest.raises(ValueError, match="0 or more, not -1"):
        VariantReplay([{}], score=lambda returns, successes: -1.0).judge(0, 1.0, True)
    with pytest.raises(TypeError, match="not list"):
        VariantEnv(WALK, [{"far": 2}])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="faar"):
        VariantEnv(WALK, VariantReplay([{"faar": 2}]))
    grid = WALK.replace("empty(12, 1)", "empty(far + 2, 1)").replace(
        "position of agent as unit", "grid as codes (goal 1)"
    )
    with pytest.raises(ValueError, match=r"cannot play \{'far': 2\} and \{'far': 3\}: their observations"):
        VariantEnv(grid, VariantReplay([{"far": 2}, {"far": 3}]))
    with pytest.raises(ValueError, match=r"no `end success`.*score="):
        VariantEnv(WALK.replace("end success", "end"), VariantReplay([{"far": 2}]))
