"""Shares and chances of alternatives, conditions that are compared, and rewards as a whole."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import griddsl
from griddsl.diagnostics import SpecError
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

HEAD = """
var lit: false
var n: 3 in 0..9
map:
    @..L
legend: L = lever
actions: right, stay
observe tuple: lit, n, agent on lever
"""


def game(rest: str) -> Game:
    """Return a game that the executable semantics plays the same way."""
    assert_plays_as_defined(completed(HEAD + rest), steps=20)
    return Game(HEAD + rest)


@pytest.mark.parametrize(
    ("domain", "chances"),
    [
        ("1 1/2 | 2 50%", {1: Fraction(1, 2), 2: Fraction(1, 2)}),
        ("1 3 | 2 1", {1: Fraction(3, 4), 2: Fraction(1, 4)}),
        ("1 n | 2 1 | 3 0", {1: Fraction(3, 4), 2: Fraction(1, 4)}),
        ("1 n - 5 | 2 2 * n | 3 3", {2: Fraction(2, 3), 3: Fraction(1, 3)}),
        ("1 n - n | 2 0", {1: Fraction(1)}),
    ],
)
def test_weights__are_exact_in_the_model(domain: str, chances: dict[int, Fraction]) -> None:
    """The model of a spec gives each alternative just the chance that its weight says."""
    text = completed(HEAD + f"each step:\n    choose k in {domain}\n    reward k\n")
    assert_plays_as_defined(text, steps=20)
    mdp = griddsl.to_mdp(text)
    expected = float(sum(value * chance for value, chance in chances.items()))
    assert mdp.R[0][0] == pytest.approx(expected, abs=1e-12)
    assert mdp.R[1][0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("lit == (n > 5)", 1),
        ("lit != (n == 3)", 1),
        ("lit is not (agent on lever)", 0),
        ("(n > 2) is (n < 5)", 1),
        ("lit xor n == 3", 1),
        ("n == 3 xor true xor not lit", 1),
        ("false or lit xor n > 2 and true", 1),
    ],
)
def test_conditions__are_compared(condition: str, value: int) -> None:
    """Two conditions are the same where both hold or both fail; `xor` counts those that hold."""
    played = game(f"each step: reward 1 if {condition} else 0\nwhen n > 4 xor lit: end\n")
    assert played.rewards("stay") == [value]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [("scale 1/4", 2.5), ("clip -1..1", 1), ("scale 1/4, clip 0..2", 2), ("clip 0..2, scale 1/4", 0.5)],
)
def test_rewards__are_changed_as_a_whole(changes: str, expected: float) -> None:
    """What all rules give in a step is scaled and clipped in the order of the spec, alone and in batches."""
    rest = f"rewards: {changes}\neach step: reward 4, hidden reward 7\neach step: reward 6\n"
    assert game(rest).rewards("right stay") == [expected, expected]
    envs = griddsl.make_vec(completed(HEAD + rest), num_envs=3)
    envs.reset(seed=1)
    _, rewards, _, _, infos = envs.step(np.zeros(3, dtype=np.int64))
    assert rewards.tolist() == [expected] * 3
    assert infos["hidden_reward"].tolist() == [7.0] * 3


def test_rewards__are_changed_for_each_of_several() -> None:
    """Where rewards are shared, the sum is what is changed."""
    text = """
env: test/Two-v0
agents: red, blue
map:
    @..@
actions: left, right
rewards: shared, scale 1/2, clip 0..4
observe: cell
each step: reward 1 to red, reward 5 to blue
limit: 9 steps
"""
    assert_plays_as_defined(text, steps=10)
    env = griddsl.make_parallel(text)
    env.reset(seed=1)
    assert env.step({"red": 0, "blue": 0})[1] == {"red": 3.0, "blue": 3.0}


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("setup:\n    choose q in 1 0.9 | 2 0.3\neach step: reward q\n", "bad-chances"),
        ("setup:\n    choose q in 1 n / 2 | 2 1\neach step: reward q\n", "bad-domain"),
        ("setup:\n    choose q in 1 n | 2 1 where q > 0\neach step: reward q\n", "wrong-place"),
        ("rewards: clip 2..1\neach step: reward 1\n", "bad-value"),
        ("rewards: clip n..1\neach step: reward 1\n", "not-constant"),
        ("rewards: scale 1/2, smaller\neach step: reward 1\n", "syntax"),
        ("var hue: red in red blue\neach step: reward 1 if hue is red else 0\n", "bad-domain"),
    ],
)
def test_mistakes__are_told(rest: str, code: str) -> None:
    """What cannot be weighed, drawn or changed is an error of the spec."""
    with pytest.raises(SpecError, match=f"error\\[{code}\\]"):
        griddsl.load(completed(HEAD + rest))
        griddsl.make(completed(HEAD + rest))
