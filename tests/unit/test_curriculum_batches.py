"""Curricula of batches: which levels are kept and played again, and how their episodes begin."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.curriculum import CurriculumVectorEnv, LevelReplay, chances, flipped, moved
from griddsl.curriculum.arrays import Memory
from griddsl.curriculum.replay import REMEMBERED, by_successes
from griddsl.envs.states import State

WALK = """
env: tests/Walk-v0
generate: empty(6, 1)
setup:
    place agent at (0, 0)
    choose far in 1..5
    place goal at (far, 0)
actions: left, right
observe: cell
each step: reward -1
on enter goal: end success
limit: 9 steps
"""
CAVE = """
env: tests/Cave-v0
generate: room(6, 5)
setup:
    place 3 wall at random floor
    place agent at random floor
    place goal at random floor
actions: up, right, down, left
observe: grid as codes (floor 0, wall 1, goal 2, agent 3)
on enter goal: end success
limit: 12 steps
"""


def _level(number: int) -> State:
    return (number,), (), 77


def _judged(replay: LevelReplay, **scores: float) -> None:
    for name, share in scores.items():
        replay.judge(_level(int(name[1:])), [share], [True])


def _by_return(returns: Any, successes: Any) -> float:
    return float(returns.mean())


def test_a_memory__keeps_those_that_promise_most() -> None:
    """A level that promises more takes the place of the one that promises least; one that is there is judged anew."""
    replay = LevelReplay(capacity=3, score=_by_return)
    _judged(replay, l1=0.1, l2=0.3, l3=0.2, l4=0.05, l5=0.25)
    assert [level[0][0] for level in replay.levels] == [5, 2, 3]
    assert replay.scores.tolist() == [0.25, 0.3, 0.2] and replay.ages.tolist() == [0, 3, 2]
    _judged(replay, l2=0.0)
    assert replay.scores.tolist() == [0.25, 0.15, 0.2] and len(replay.levels) == 3
    for _ in range(REMEMBERED):
        _judged(replay, l2=0.7)
    assert replay.scores[1] == pytest.approx(0.7)  # what is long ago counts no more
    found = [
        by_successes(np.zeros(count), np.arange(count) < wins) for wins, count in ((0, 1), (1, 2), (8, 8))
    ]
    assert found == pytest.approx([2 / 9, 1 / 4, 9 / 100])


def test_what_is_played__is_new_kept_or_changed_by_its_share() -> None:
    """New until half is full; then shares and ranks are as stated, in many draws."""
    replay = LevelReplay(
        capacity=4, score=_by_return, replayed=0.5, changed=0.2, change=lambda rng, level: _level(99)
    )
    _judged(replay, l1=0.5)
    assert all(replay.next_level() is None for _ in range(50))
    _judged(replay, l2=1.0)
    drawn = [replay.next_level() for _ in range(4000)]
    shares = [
        np.mean([each == wanted for each in drawn]) for wanted in (None, _level(99), _level(2), _level(1))
    ]
    by_rank = 1 / (1 + 2 ** (-1 / 0.3))
    assert shares[:2] == pytest.approx([0.3, 0.2], abs=0.03)
    assert shares[2] == pytest.approx(0.5 * 0.9 * by_rank, abs=0.03) and shares[3] > 0
    apart = [replay.next_level([_level(2), None, _level(55)]) for _ in range(400)]
    assert _level(2) not in apart and apart.count(_level(1)) > 150
    assert replay.next_level([_level(1), _level(2)]) is None
    again = chances(Memory(None, replay.scores, np.array([0.0, 6.0, 0.0, 0.0])), staleness=0.5)
    assert again == pytest.approx([0.5 * (1 - by_rank), 0.5 * by_rank + 0.5, 0, 0])


def test_bad_wishes__are_answered() -> None:
    """Shares, sizes and scores that cannot be, another mode of resets, and a spec that nobody succeeds in."""
    for wish, said in (
        ({"replayed": 0.8, "changed": 0.3}, "1 together at most"),
        ({"replayed": float("nan")}, "1 together at most"),
        ({"changed": 0.3}, "a share and a function"),
        ({"change": lambda rng, level: level}, "a share and a function"),
        ({"games": 0}, "`games` is a whole number from 1 on, not 0"),
        ({"capacity": 1.5}, "`capacity` is a whole number from 1 on, not 1.5"),
        ({"sharpness": 0.0}, "`sharpness` is above 0"),
        ({"sharpness": "0.3"}, "`sharpness` is above 0"),
        ({"staleness": None}, "`staleness` from 0 to 1"),
        ({"replayed": "half"}, "0 or more and 1 together at most, not 'half'"),
        ({"seed": "x"}, "a seed is a whole number from 0 on"),
    ):
        with pytest.raises(ValueError, match=said):
            LevelReplay(**wish)
    for unfit in ({"score": "x"}, {"change": 3, "changed": 0.3}):
        with pytest.raises(TypeError, match=f"`{next(iter(unfit))}` is a function, as in"):
            LevelReplay(**unfit)
    with pytest.raises(ValueError, match="0 or more, not nan"):
        LevelReplay(score=lambda returns, successes: float("nan")).judge(_level(1), [1.0], [True])
    with pytest.raises(TypeError, match="autoreset_mode is not to be chosen"):
        CurriculumVectorEnv(WALK, 2, curriculum=LevelReplay(), autoreset_mode="NextStep")
    with pytest.raises(TypeError, match="is a LevelReplay, not str"):
        CurriculumVectorEnv(WALK, 2, curriculum="plr")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"no `end success`.*score="):
        CurriculumVectorEnv(WALK.replace("end success", "end"), 2, curriculum=LevelReplay())
    CurriculumVectorEnv(WALK.replace("end success", "end"), 2, curriculum=LevelReplay(score=_by_return))


@pytest.mark.parametrize("backend", ["auto", "python"])
def test_levels__are_played_as_often_as_asked_and_judged_by_what_came_out(backend: str) -> None:
    """Each level is that of all its games; what is reported are the returns and successes of exactly those."""
    seen: list[tuple[State, list[float], list[bool]]] = []

    class Noting(LevelReplay):
        def judge(self, level: State, returns: Any, successes: Any) -> None:
            seen.append((level, list(returns), list(successes)))
            super().judge(level, returns, successes)

    batch = CurriculumVectorEnv(WALK, 3, curriculum=Noting(games=2, capacity=4, seed=5), backend=backend)
    batch.reset(seed=3)
    codes = {kind.name: kind.code for kind in batch.program.kinds}

    def far(state: Any) -> int:
        return list(state[0][batch.program.grounds]).index(codes["goal"])

    went_right = np.array([True, True, False])  # the third stays where it is, and is cut off
    for _ in range(60):
        before = [far(state) for state in batch.get_state()]
        _, rewards, ended, cut, infos = batch.step(went_right.astype(int))
        assert (rewards == -1).all() and not ended[2]
        for i in np.flatnonzero(ended | cut):
            assert infos["final_info"]["is_success"][i] == went_right[i]
            assert infos["final_obs"][i] == (before[i] if went_right[i] else 0)
    assert len(seen) >= 12
    for level, returns, successes in seen:
        if all(successes):
            assert returns == [-far(level)] * 2
        else:
            assert returns == [-9.0, -9.0] and not any(successes)
    kept = {level[:2] for level in batch.curriculum.levels}
    assert len(kept) == 4 and kept <= {level[:2] for level, *_ in seen}


def test_a_level_that_is_kept__begins_as_it_began() -> None:
    """With replay alone, every episode begins in a level of the memory, and is seen so; chances go on."""
    curriculum = LevelReplay(replayed=1.0, games=1, capacity=4, score=lambda returns, successes: 1.0, seed=2)
    batch = CurriculumVectorEnv(CAVE, 4, curriculum=curriculum)
    batch.reset(seed=1)
    rng, checked = np.random.default_rng(0), 0
    viewer = griddsl.make_vec(CAVE, 1)
    for _ in range(200):
        full = len(curriculum.levels) >= 2
        observations, _, ended, cut, _ = batch.step(rng.integers(0, 4, 4))
        known = {level[:2] for level in curriculum.levels}
        for i in np.flatnonzero(ended | cut).tolist():
            state = batch.get_state([i])[0]
            assert np.array_equal(observations[i], viewer.set_state([state])[0])
            checked += full
            assert not full or state[:2] in known
    assert checked > 10
    streams = {state[2] for state in batch.get_state()}
    assert len(streams) == 4


def test_levels_that_are_changed__differ_in_few_cells() -> None:
    """Ground is flipped inside only and where nothing stands; the agent goes to a free cell; errors name what there is."""
    env = griddsl.make(CAVE)
    env.reset(seed=4)
    level, program, rng = env.get_state(), env.program, np.random.default_rng(1)
    codes = {kind.name: kind.code for kind in program.kinds}
    for _ in range(20):
        other = flipped(program, rng, level, count=2)
        before, after = (np.array(each[0][program.grounds]).reshape(5, 6) for each in (level, other))
        rows, columns = np.nonzero(before != after)
        assert len(rows) == 2 and set(rows) <= {1, 2, 3} and set(columns) <= {1, 2, 3, 4}
        assert set(before[rows, columns]) <= {codes["floor"], codes["wall"]}
        env.set_state(moved(program, rng, other))
        assert env.get_state()[0][program.grounds] == other[0][program.grounds]
    with pytest.raises(ValueError, match="has no ground `lava`; it has"):
        flipped(program, rng, level, kinds=("floor", "lava"))
    lake = griddsl.make("griddsl/FrozenLake-v0")
    lake.reset(seed=0)
    with pytest.raises(ValueError, match="the ground of griddsl/FrozenLake-v0 never changes"):
        flipped(lake.program, rng, lake.get_state())


def test_a_batch__is_the_same_for_the_same_seeds_and_from_a_pickle() -> None:
    """Evolution included; a pickle in the middle goes on as the batch does."""
    program = griddsl.make(CAVE).program

    def made() -> CurriculumVectorEnv:
        curriculum = LevelReplay(
            replayed=0.4, changed=0.4, change=_Flip(program), capacity=8, games=2, seed=3
        )
        batch = CurriculumVectorEnv(CAVE, 5, curriculum=curriculum)
        batch.reset(seed=9)
        return batch

    first, second = made(), made()
    actions = np.random.default_rng(0).integers(0, 4, (240, 5))
    for step, row in enumerate(actions):
        if step == 120:
            assert len(first.curriculum.levels) >= 4
            second = pickle.loads(pickle.dumps(second))
        one, two = first.step(row), second.step(row)
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], two[:4], strict=True))
    assert first.curriculum.scores.tolist() == second.curriculum.scores.tolist()
    assert first.backend in {"native", "python"}  # no table holds levels that setup does not draw


class _Flip:
    """Flips a cell of a level."""

    def __init__(self, program: Any) -> None:
        self.program = program

    def __call__(self, rng: np.random.Generator, level: State) -> State:
        return flipped(self.program, rng, level)


def test_what_is_begun_from_outside__is_not_judged() -> None:
    """A reset in the middle drops what was played of a level, of a new one and of one played again."""
    calls: list[State] = []

    class Counting(LevelReplay):
        def judge(self, level: State, returns: Any, successes: Any) -> None:
            calls.append(level)
            super().judge(level, returns, successes)

    batch = CurriculumVectorEnv(WALK, 1, curriculum=Counting(games=2, capacity=2, replayed=1.0))

    def play(games: int) -> None:
        batch.reset()
        for _ in range(9 * games):
            batch.step(np.array([0]))

    for _ in range(5):
        play(games=1)
    assert not calls
    play(games=2)
    for _ in range(5):
        play(games=1)
    assert len(calls) == 1
    play(games=2)
    assert calls[0][:2] == calls[1][:2]
