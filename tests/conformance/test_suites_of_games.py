"""Catch, Cleaner, Hex and POGEMA beside their rules written out again, step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import griddsl
from tests.conformance.joint import Ours

UP_RIGHT_DOWN_LEFT = ((0, -1), (1, 0), (0, 1), (-1, 0))
SIX = ((0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1))


@pytest.mark.parametrize(("rows", "columns"), [(10, 5), (4, 9), (2, 1)])
def test_catch__follows_its_rules(rows: int, columns: int) -> None:
    """The ball falls a row a step, the paddle stays on the board, and the last row pays 1 or -1."""
    env: Any = griddsl.make("griddsl/Catch-v0", rows=rows, columns=columns)
    rng, paid, started = np.random.default_rng(1), Counter[float](), Counter[int]()
    for seed in range(40):
        seen, _ = env.reset(seed=seed)
        ball, paddle, done, y = int(seen[0].argmax()), columns // 2, False, 0
        started[ball] += 1
        while not done:
            action = int(rng.integers(3))
            paddle, y = min(max(paddle + action - 1, 0), columns - 1), y + 1
            seen, reward, done, cut, info = env.step(action)
            board = np.zeros((rows, columns))
            board[y, ball] = board[rows - 1, paddle] = 1
            assert np.array_equal(seen.reshape(rows, columns), board) and not cut
            assert done == (y == rows - 1)
            assert reward == (0 if not done else 1 if ball == paddle else -1)
        paid[reward] += 1
        assert info["is_success"] == (reward == 1)
    assert set(started) == set(range(columns)) and (columns == 1 or len(paid) == 2)


@pytest.mark.parametrize(("size", "cleaners"), [(11, 3), (7, 2), (5, 5)])
def test_cleaner__follows_its_rules(size: int, cleaners: int) -> None:
    """Each dirty cell that anybody comes to pays everybody 1, each step costs 1/2, and a step into a wall ends it."""
    env: Any = griddsl.make_parallel("griddsl/Cleaner-v0", size=size, cleaners=cleaners)
    rng, ends = np.random.default_rng(2), Counter[str]()
    for seed in range(8):
        seen, _ = env.reset(seed=seed)
        first = seen["cleaner_0"]["maze"].astype(bool)
        dirt, wall = first[..., 0].copy(), first[..., 1]
        assert np.array_equal(dirt, ~wall & (np.add.outer(np.arange(size), np.arange(size)) > 2))
        places, steps = [(1, 1)] * cleaners, 0
        while env.agents:
            allowed = [[not wall[y + v, x + u] for u, v in UP_RIGHT_DOWN_LEFT] for x, y in places]
            assert [seen[name]["legal"].astype(bool).tolist() for name in env.agents] == allowed
            bold = rng.random() < 0.01
            taken = [int(rng.integers(4) if bold else rng.choice(np.flatnonzero(mask))) for mask in allowed]
            legal = [mask[action] for mask, action in zip(allowed, taken, strict=True)]
            moves = [
                UP_RIGHT_DOWN_LEFT[action] if is_legal else (0, 0)
                for action, is_legal in zip(taken, legal, strict=True)
            ]
            places = [(x + u, y + v) for (x, y), (u, v) in zip(places, moves, strict=True)]
            cleaned = {(y, x) for x, y in places if dirt[y, x]}
            for cell in cleaned:
                dirt[cell] = False
            steps += 1
            names = list(env.agents)
            seen, rewards, ended, cut, _ = env.step(dict(zip(names, taken, strict=True)))
            assert set(rewards.values()) == {len(cleaned) - 0.5}
            over = not all(legal) or not dirt.any()
            assert set(ended.values()) == {over} and set(cut.values()) == {steps == size * size}
            for name, place in zip(names, places, strict=True):
                assert seen[name]["me"].tolist() == list(place)
                assert np.array_equal(seen[name]["maze"].astype(bool), np.stack([dirt, wall], -1))
                assert (
                    seen[name]["cleaners"].sum() == cleaners
                    and seen[name]["cleaners"][place[1], place[0]] >= 1
                )
        ends["wall" if not all(legal) else "clean" if over else "cut"] += 1
    assert len(ends) >= 2


def linked(stones: set[tuple[int, int]], size: int, across: bool) -> bool:
    """Whether stones reach from one side of a rhombus to the other."""
    reached = {(x, y) for x, y in stones if (x if across else y) == 0}
    row = list(reached)
    while row:
        x, y = row.pop()
        for u, v in SIX:
            if (x + u, y + v) in stones - reached:
                reached.add((x + u, y + v))
                row.append((x + u, y + v))
    return any((x if across else y) == size - 1 for x, y in reached)


@pytest.mark.parametrize(("size", "games"), [(11, 2), (5, 16), (3, 16)])
def test_hex__follows_its_rules(size: int, games: int) -> None:
    """Red links top and bottom, blue left and right; the second action may take the first stone, mirrored."""
    env: Any = griddsl.make_parallel("griddsl/Hex-v0", size=size)
    rng, ends = np.random.default_rng(3), Counter[str]()
    for seed in range(games):
        _, info = env.reset(seed=seed)
        stones: dict[str, set[tuple[int, int]]] = {"red": set(), "blue": set()}
        turn = 0
        while env.agents:
            who, other = ("red", "blue") if turn % 2 == 0 else ("blue", "red")
            taken = stones["red"] | stones["blue"]
            free = [(x, y) not in taken for y in range(size) for x in range(size)]
            assert info[who]["action_mask"].astype(bool).tolist() == [*free, turn == 1]
            action = size * size if turn == 1 and seed % 2 else int(rng.choice(np.flatnonzero(free)))
            if action == size * size:
                ((x, y),) = stones["red"]
                stones = {"red": set(), "blue": {(y, x)}}
                ends["swap"] += 1
            else:
                stones[who].add((action % size, action // size))
            turn += 1
            seen, rewards, ended, _, info = env.step(
                {name: action if name == who else 0 for name in env.agents}
            )
            for name, foe in (("red", "blue"), ("blue", "red")):
                planes = seen[name][:size].astype(bool)
                for plane, side in ((0, name), (1, foe)):
                    assert {(int(x), int(y)) for y, x in np.argwhere(planes[..., plane])} == stones[side]
                assert (planes[..., 2].all(), planes[..., 2].any()) == (name == "blue",) * 2
                assert (planes[..., 3].all(), planes[..., 3].any()) == (turn == 1,) * 2
            won = action < size * size and linked(stones[who], size, who == "blue")
            assert set(ended.values()) == {won}
            assert rewards == {who: float(won), other: -float(won)}
        ends[who] += 1
    assert ends["swap"] and (games < 5 or (ends["red"] and ends["blue"]))


@pytest.mark.parametrize(("size", "robots", "density"), [(8, 4, 0.3), (5, 6, 0.1), (4, 5, 0.0), (16, 8, 0.3)])
def test_pogema__follows_its_rules(size: int, robots: int, density: float) -> None:
    """One robot after the other goes where nothing stands; who is at its goal is paid and gone after the step."""
    ours = Ours("pogema", size=size, robots=robots, density=density)
    rng, arrived = np.random.default_rng(4), 0
    for seed in range(6):
        seen = ours.reset(seed)
        wall = np.array(ours.slot("TILE")).reshape(size + 2, size + 2) == ours.kind("wall")
        goals = list(zip(ours.slot(("AGENT", "goal_x")), ours.slot(("AGENT", "goal_y")), strict=True))
        places, active, steps = list(ours.places), set(range(robots)), 0
        assert len(set(goals)) == robots and not any(wall[y, x] for x, y in goals)
        while ours.env.agents:
            for index in active:
                assert np.array_equal(seen[f"robot_{index}"], _around(index, places, goals, active, wall))
            actions = [_toward(rng, place, goal) for place, goal in zip(places, goals, strict=True)]
            for index in sorted(active):
                (x, y), (u, v) = places[index], ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))[actions[index]]
                if not wall[y + v, x + u] and (x + u, y + v) not in {places[each] for each in active}:
                    places[index] = (x + u, y + v)
            steps += 1
            seen, rewards, ended, cut, _ = ours.step(actions)
            there = {index for index in active if places[index] == goals[index]}
            for index in active:
                assert rewards[index] == (index in there) and ended[index] == (index in there)
                assert index in there or cut[index] == (steps == 64)
            active -= there
            arrived += len(there)
    assert arrived > robots


def _toward(rng: np.random.Generator, place: tuple[int, int], goal: tuple[int, int]) -> int:
    (x, y), (u, v) = place, goal
    ways = [way for way, holds in ((1, v < y), (2, v > y), (3, u < x), (4, u > x)) if holds]
    return int(rng.choice(ways)) if ways and rng.random() < 0.6 else int(rng.integers(5))


def _around(
    index: int, places: Any, goals: Any, active: set[int], wall: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Return walls, robots and the goal (at the edge where it is far) in the 11 x 11 cells around a robot."""
    (x, y), (u, v) = places[index], goals[index]
    planes = np.zeros((11, 11, 3))
    for row in range(11):
        for column in range(11):
            at = (x + column - 5, y + row - 5)
            if 0 <= at[0] < wall.shape[1] and 0 <= at[1] < wall.shape[0]:
                planes[row, column, 0] = wall[at[1], at[0]]
            planes[row, column, 1] = at in {places[each] for each in active}
    planes[5 + int(np.clip(v - y, -5, 5)), 5 + int(np.clip(u - x, -5, 5)), 2] = 1
    return planes
