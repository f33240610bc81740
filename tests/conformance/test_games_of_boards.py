"""2048, Mastermind and Deep Sea beside their rules written out again, step by step."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import griddsl

Board = np.ndarray[Any, Any]


def slid(board: Board, way: str) -> tuple[Board, int]:
    """Return a board of 2048 after its blocks went one way, and what the pairs that joined are worth."""
    turns = {"west": 0, "north": 1, "east": 2, "south": 3}[way]
    turned, gained = np.rot90(board, turns).copy(), 0
    for row in turned:
        left, kept = [int(value) for value in row if value], list[int]()
        while left:
            value = left.pop(0)
            if left and left[0] == value:
                value += left.pop(0)
                gained += value
            kept.append(value)
        row[:] = kept + [0] * (4 - len(kept))
    return np.rot90(turned, -turns), gained


def test_2048__follows_its_rules() -> None:
    """Blocks slide, each joins once, one new block comes where there was none; what would move nothing is forbidden."""
    env = griddsl.make("griddsl/Game2048-v0")
    ways = ["east", "south", "west", "north"]
    rng, new, ended = np.random.default_rng(0), Counter[int](), 0
    for seed in range(6):
        seen, info = env.reset(seed=seed)
        board, done, total = seen[:4].astype(int), False, 0.0
        assert sorted(board[board > 0]) in ([2, 2], [2, 4], [4, 4])
        while not done:
            allowed = [not np.array_equal(slid(board, way)[0], board) for way in ways]
            assert info["action_mask"].astype(bool).tolist() == allowed
            action = int(rng.choice(np.flatnonzero(allowed)))
            seen, reward, done, _, info = env.step(action)
            expected, gained = slid(board, ways[action])
            total += gained
            board = seen[:4].astype(int)
            changed = np.argwhere(board != expected)
            assert len(changed) == 1 and expected[tuple(changed[0])] == 0
            new[int(board[tuple(changed[0])])] += 1
            assert (reward, info["points"]) == (gained, total)
            stuck = all(np.array_equal(slid(board, way)[0], board) for way in ways)
            assert done == stuck
        ended += 1
    assert ended == 6 and set(new) == {2, 4} and 0.04 < new[4] / new.total() < 0.18


def test_mastermind__answers_as_everybody_does() -> None:
    """Pegs in the right place, and pegs of the right colour elsewhere, each counted once."""
    env: Any = griddsl.make("griddsl/Mastermind-v0")
    rng, wins = np.random.default_rng(2), 0
    for seed in range(20):
        env.reset(seed=seed)
        code = [
            ["red", "green", "blue", "yellow", "purple", "orange"].index(env.unwrapped.value_of(f"k{i}"))
            for i in (1, 2, 3, 4)
        ]
        for turn in range(10):
            guess = rng.integers(6, size=4).tolist() if turn < seed % 11 else code
            number = int(np.ravel_multi_index(guess, (6, 6, 6, 6)))
            seen, reward, terminated, truncated, _ = env.step(number)
            right = sum(a == b for a, b in zip(guess, code, strict=True))
            both = sum((Counter(guess) & Counter(code)).values())
            assert seen[turn, :4, :6].argmax(axis=-1).tolist() == guess
            assert (4 * seen[turn, 4, 6:]).tolist() == [right, both - right]
            assert (reward, terminated, truncated) == (right == 4, right == 4, turn == 9)
            if terminated:
                wins += 1
                break
    assert wins >= 10


@pytest.mark.parametrize("size", [2, 5, 10])
def test_deep_sea__is_that_of_bsuite(size: int) -> None:
    """Each step goes down, right where the action is that of the cell; the mapping stays until a reset with a seed."""
    env = griddsl.make("griddsl/DeepSea-v0", size=size)
    rng, treasures, mappings = np.random.default_rng(size), 0, set[bytes]()
    for seed in range(6):
        seen, _ = env.reset(seed=seed)
        mapping = _mapping(env, size)
        mappings.add(mapping.tobytes())
        for episode in range(4):
            if episode:
                seen, _ = env.reset()
            row = column = 0
            assert (_mapping(env, size) == mapping).all()
            while row < size:
                assert seen.argmax() == row * size + column and seen.sum() == 1
                action = int(mapping[row, column]) if episode == 3 else int(rng.integers(2))
                seen, reward, terminated, _, info = env.step(action)
                right = action == mapping[row, column]
                expected = (1.0 if right and column == size - 1 else 0.0) - (0.01 / size if right else 0.0)
                treasure = bool(right and column == size - 1)
                column, row = min(max(column + (1 if right else -1), 0), size - 1), row + 1
                assert reward == pytest.approx(expected) and terminated == (row == size)
                if terminated:
                    assert info["is_success"] == treasure
                    treasures += treasure
    assert treasures >= 6 and len(mappings) > 1


def _mapping(env: Any, size: int) -> Board:
    """Return which action goes right in each cell."""
    program = env.unwrapped.program
    at = program.layout.offsets["TILE", "swapped"]
    return np.array(env.unwrapped.get_state()[0][at : at + size * size]).reshape(size, size)
