"""A name that is chosen twice: told where the first draw is in vain, and nowhere else."""

from __future__ import annotations

import pytest

import griddsl

HEAD = """env: test/Again-v0
object crate: layer ground, worth in 0..9
map:
    @.c..G
    .....d
legend: c = crate(worth=k), G = goal, d = door
tile door: mark in 0..9
var total: 0 in 0..99
actions: left, right, down
observe tuple: grid, w, k, total
limit: 50 steps
on enter goal: end success
"""
IN_VAIN = {
    "setup": ("setup:\n    choose k, w in 1..3\n    choose w in 2..4\n", 14),
    "one line": ("setup:\n    choose k in 1..3\n    choose w, w in 2..4\n", 15),
    "once and setup": ("once:\n    choose k, w in 1..3\nsetup:\n    choose w in 2..4\n", 14),
    "a name of the legend": ("setup:\n    choose k, w in 1..3\n    choose k in 2..4\n", 14),
    "with others between": ("setup:\n    choose k, w in 1..3\n    total = k\n    choose w in 2..4\n", 14),
    "a block": (
        "setup:\n    choose k, w in 1..3\n    if k == 1:\n        choose w in 2..4\n        choose w in 5..6\n",
        16,
    ),
    "a rule": (
        "setup:\n    choose k, w in 1..3\neach step:\n    choose a in 1..3\n    choose a in 2..4\n    total += a\n",
        16,
    ),
}
MEANT = {
    "asked for between": "setup:\n    choose k, w in 1..3\n    total = w\n    choose w in 2..4\n",
    "asked for by the second": "setup:\n    choose k, w in 1..3\n    choose w in w..4\n",
    "asked for by another draw": "setup:\n    choose k, w in 1..3\n    choose v in 1..3 where v >= w\n    choose w in v..4\n",
    "in a branch": "setup:\n    choose k, w in 1..3\n    if k == 1: choose w in 2..4\n",
    "in each branch": "setup:\n    choose k in 1..3\n    if k == 1: choose w in 2..4\n    else: choose w in 5..6\n",
    "asked for by a block": "setup:\n    choose k, w in 1..3\n    if w == 1: total = 3\n    choose w in 2..4\n",
    "in a loop": "setup:\n    choose k in 1..3\n    repeat 3:\n        choose w in 2..4\n        total += w\n",
}


def said_of(text: str) -> list[int]:
    """Return the lines of draws that are said to be in vain; no other mistake is in the text."""
    found = griddsl.check(HEAD + text)
    assert not any(each.is_error for each in found)
    return [each.span.line for each in found if each.code == "overwritten"]


@pytest.mark.parametrize("where", IN_VAIN)
def test_chosen_again__in_vain_is_told(where: str) -> None:
    """Where nothing asks for the first value, it is said of the first draw."""
    text, line = IN_VAIN[where]
    assert said_of(text) == [line]


@pytest.mark.parametrize("where", MEANT)
def test_chosen_again__with_a_use_is_silent(where: str) -> None:
    """Where the first value may count, nothing is said."""
    assert said_of(MEANT[where]) == []
