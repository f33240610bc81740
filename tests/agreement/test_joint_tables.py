"""Games of several on tables: the batch of the reference backend, bit for bit, in every mode of starting anew."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import pytest

import griddsl
from griddsl.envs.batch.parallel_vec import GridParallelVectorEnv
from tests.agreement.comparing import MODES, assert_same

COUNT, STEPS = 24, 120

COIN = """
env: test/Coin-v0
agents: red, blue
object coin:
    value in 1..2
map:
    r..
    .c.
    ..b
legend: r = red, b = blue, c = coin(value=random)
actions: up, down, left, right, stay
edge: clip
setup:
    choose where_to in 0..2
    move coin to (1, where_to)
on red enter coin: reward coin.value, move coin to (2, 0)
on blue enter coin: reward 1, out
on red meet blue: reward -1, end loss
observe: board = grid as planes (self, other, coin), me = position of self
limit: 20 steps
"""
TURNS = """
env: test/Turns-v0
agents: red, blue, ghost
agent ghost: moves random
map:
    r.g
    ..b
legend: r = red, b = blue, g = ghost
actions: up, down, left, right, stay
turns: alternate
contested: share
edge: clip
allow up: self.y > 0
on red meet ghost: reward -1, out
on ghost meet red: end caught
on blue meet ghost: reward -2, out
on red meet blue: reward 1, end success
info: height = self.y
observe: position of self
limit: 20 steps
"""
GROUPS = """
env: test/Groups-v0
agents: left_one, right_one
agent left_one: lamp 0 in 0..1
agent right_one: lamp 0 in 0..2
map:
    l....r
legend: l = left_one, r = right_one
actions left_one: left, right, stay
actions left_one light: off, lit
actions right_one: west = left, east = right, rest = stay
edge: wrap
swap: allow
contested: share
on do lit: self.lamp = 1, reward -1/8
on do off: self.lamp = 0
on left_one meet right_one: reward 1 if self.lamp == 1 else -1
each step: reward -1/16
observe: here = position of self, lamp = self.lamp
limit: 9 steps
"""


def batches(text: str, mode: gym.vector.AutoresetMode) -> list[GridParallelVectorEnv]:
    """Return the game on tables and on the reference backend."""
    return [
        griddsl.make_parallel_vec(text, COUNT, backend=backend, autoreset_mode=mode)
        for backend in ("table", "python")
    ]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("text", [COIN, TURNS, GROUPS], ids=["coin", "turns", "groups"])
def test_tables__play_games_of_several_as_the_reference_does(
    text: str, mode: gym.vector.AutoresetMode
) -> None:
    """Observations, rewards, flags, infos, masks and states agree, resets of some games and copies among them."""
    table, python = batches(text, mode)
    assert_same(table.reset(seed=5), python.reset(seed=5), "reset")
    ended = 0
    for step in range(STEPS):
        actions = table.sampled_actions(step)
        found, expected = table.step(actions), python.step(actions)
        assert_same(found[:4], expected[:4], f"step {step}")
        assert_same(dict(found[4]), dict(expected[4]), f"infos of step {step}")
        over = ~expected[4]["alive"].any(axis=1)
        ended += int(over.sum())
        if mode == gym.vector.AutoresetMode.DISABLED and over.any():
            options: dict[str, Any] = {"reset_mask": over}
            assert_same(
                table.reset(options=options), python.reset(options=options), f"reset after step {step}"
            )
        if step == STEPS // 2:
            assert table.__getstate__()["states"] == python.__getstate__()["states"]
            table, python = copy.deepcopy(table), copy.deepcopy(python)
    assert ended or mode == gym.vector.AutoresetMode.SAME_STEP


def test_one_game_of_several__is_no_matter_for_tables() -> None:
    """Tables step many games at once; for one the error says what to write."""
    with pytest.raises(ValueError, match=r"make_parallel_vec\(source, n, backend='table'\)"):
        griddsl.make_parallel(COIN, backend="table")


def test_a_game_that_tables_cannot_play__is_refused_with_the_reason() -> None:
    """Asking for tables where they cannot be had is an error that says why; ``auto`` takes another backend."""
    with pytest.raises(ValueError, match="it uses the count of steps for more than its limit"):
        griddsl.make_parallel_vec("Overcooked", 2, backend="table")
    assert griddsl.make_parallel_vec("Overcooked", 2).backend != "table"
