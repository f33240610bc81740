"""Catch and the maze of pillars, step by step beside Gymnax's own code, which is told what ours has drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.playing import Game

gymnax: Any = pytest.importorskip("gymnax")
SPECS = Path(__file__).parents[2] / "specs"


def theirs(name: str) -> tuple[Any, Any, Any]:
    """Return compiled functions of a game of Gymnax, of a step and of what is seen and ended, and what a state is."""
    import jax

    env, params = gymnax.make(name)
    _, state = env.reset_env(jax.random.key(0), params)

    def step(state: Any, action: Any) -> Any:
        _, state, reward, _, _ = env.step_env(jax.random.key(0), state, action, params)
        return state, reward

    def seen(state: Any) -> Any:
        return env.get_obs(state, params), env.is_terminated(state, params), env.is_truncated(state, params)

    return jax.jit(step), jax.jit(seen), state


def test_catch__is_that_of_gymnax() -> None:
    """The ball falls, the paddle keeps to the board, and in the last row it pays 1 below the ball and else -1."""
    step, look, state = theirs("Catch-bsuite")
    rng, gained, columns = np.random.default_rng(0), 0, set[int]()
    game = Game(SPECS / "catch.grid")
    for seed in range(60):
        game.reset(seed)
        column = int(game.observation[0].argmax())
        columns.add(column)
        state = state.replace(ball_x=column, ball_y=0, paddle_x=2, paddle_y=9, prev_done=False, time=0)
        for _ in range(9):
            assert not game.terminated
            action = int(rng.integers(3)) if seed % 2 else 1 + int(np.sign(column - int(state.paddle_x)))
            state, reward = step(state, action)
            seen, over, _ = look(state)
            game.do(game.names[action])
            assert (np.asarray(seen) == game.observation).all()
            assert (game.reward, game.terminated) == (float(reward), bool(over))
        assert game.terminated and game.info["is_success"] == (game.reward == 1)
        gained += game.reward == 1
    assert columns == set(range(5)) and 30 <= gained < 60


def test_meta_maze__is_that_of_gymnax() -> None:
    """What is seen, paid and ended agrees; whoever finds the prize is put on any floor, and ends where it lies."""
    step, look, state = theirs("MetaMaze-misc")
    rng, found, ends, cut = np.random.default_rng(0), 0, 0, 0
    starts, put = set[int](), set[int]()
    game = Game(SPECS / "meta_maze.grid")
    for seed in range(60):
        game.reset(seed)
        prize = game.slot("OBJECT_CELL")[0]
        starts.add(prize)
        state = state.replace(
            last_action=0, last_reward=np.float32(0), pos=place(40), goal=place(prize), time=np.float32(0)
        )
        assert (np.asarray(look(state)[0]) == game.observation).all()
        while not (game.terminated or game.truncated):
            action = int(rng.integers(4))
            state, reward = step(state, action)
            game.do(game.names[action])
            cell = game.slot("AGENT_CELL")[0]
            if game.reward:  # where it is put is drawn by each for itself
                found, state = found + 1, state.replace(pos=place(cell))
                put.add(cell)
            seen, terminated, truncated = look(state)
            assert (np.asarray(seen) == game.observation).all()
            assert np.asarray(state.pos).tolist() == place(cell).tolist()
            assert game.reward == float(reward)
            assert (game.terminated, game.truncated) == (bool(terminated), bool(truncated))
        ends, cut = ends + game.terminated, cut + game.truncated
    floor = {y * 9 + x for y in range(9) for x in range(9) if y % 2 == 0 or x % 2 == 0}
    assert starts | put <= floor and len(starts | put) > 50 and found > 30 and ends and cut


def place(cell: int) -> Any:
    """Return a cell of our map as Gymnax counts: row, then column, in a map with a border."""
    return np.array([cell // 9 + 1, cell % 9 + 1], np.int32)
