"""Conditions that ask nothing of the game are told, wherever a rule or setup has one; what parameters decide is not."""

from __future__ import annotations

import pytest

import griddsl

HEAD = """env: test/Constant-v0
object coin: portable
param debug: false
param least: 1 in 0..3
var count_of: 0 in 0..9
define traced: false
map:
    @.c.G
legend: c = coin, G = goal
actions: left, right, pickup
observe: grid
limit: 50 steps
on enter goal: end success
each step: count_of += least if debug else 2
"""
CONSTANT = {
    "when 1 > 2: reward count_of": ("never-true", "1 > 2"),
    "each step if false: reward count_of": ("never-true", "false"),
    "each coin if not true: reward count_of": ("never-true", "not true"),
    "each step:\n    if false: reward count_of": ("never-true", "false"),
    "each step:\n    if 2 + 2 == 5 and true: reward count_of": ("never-true", "2 + 2 == 5 and true"),
    "each step: reward 1 if false else count_of": ("never-true", "false"),
    "setup:\n    if 1 > 2: count_of = 3": ("never-true", "1 > 2"),
    "when true: reward count_of": ("always-true", "true"),
    "each step if 1 < 2: reward count_of": ("always-true", "1 < 2"),
    "when count_of > 1 and 3 == 3: reward 1": ("always-true", "3 == 3"),
    "when count_of > 1 or true: reward 1": ("always-true", "true"),
    "each step: reward count(coin where true)": ("always-true", "true"),
}
NOT_CONSTANT = (
    "each step if debug: reward count_of",
    "each step if not debug: reward count_of",
    "when least > 1: reward count_of",
    "each step:\n    if traced: reward 1\n    reward count_of",
    "each step:\n    each k in 1..3:\n        reward 1 if k == 2 else count_of",
    "when count_of > 1: reward 1",
    "each step:\n    if true with chance 1/2: reward count_of",
    "when count_of > 1 xor true: reward 1",
)


@pytest.mark.parametrize("rule", CONSTANT)
def test_a_constant_condition__is_told(rule: str) -> None:
    """What is always the same is told as a whole, once, and nothing else is said of its rule."""
    found = [(each.code, each.span.text) for each in griddsl.check(f"{HEAD}{rule}\n")]
    assert [each for each in found if each[0] not in {"each-step-if", "unused-name"}] == [CONSTANT[rule]]


@pytest.mark.parametrize("rule", NOT_CONSTANT)
def test_what_may_be_otherwise__is_not_told(rule: str) -> None:
    """What a parameter, a definition or a loop decides may be otherwise there, and what is observed may be a constant."""
    text = f"{HEAD}{rule}\n".replace("observe: grid", "observe: grid as planes (true, coin)")
    assert not [each for each in griddsl.check(text) if each.code in {"always-true", "never-true"}]


def test_each_step_if__is_answered_with_the_words_of_its_condition() -> None:
    """The rewrite to `when` keeps the name of a definition, and is not given for what asks nothing."""
    text = HEAD.replace("define traced: false", "define traced: count_of > 3")
    found = griddsl.check(f"{text}each step if traced: reward 1\neach step if true: reward 1\n")
    assert [each.help for each in found if each.code == "each-step-if"] == ["write `when traced`"]
