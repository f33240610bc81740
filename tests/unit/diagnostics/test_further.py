"""Several mistakes in one text: all are found at once, and none that follows from another."""

from __future__ import annotations

import pytest

import griddsl

HEAD = """env: test/Further-v0
object coin: portable
var energy: 5 in 0..9
map:
    @.c.G
legend: c = coin, G = goal
actions: left, right, pickup
observe: grid
limit: 50 steps
on enter goal: end success
"""
FIRST = HEAD.count("\n") + 1
TEXTS = {
    "statement, clause, name": (
        "wen energy == 3: reward 1\neach step: rewrd 1\nwhen enrgy == 3: reward 1\n",
        ["1 unknown-statement", "2 unknown-effect", "3 unknown-name"],
    ),
    "no colon, clause, type": (
        "on bump wall reward -1\non entr coin: reward 1\nwhen energy is 3: reward 1\n",
        ["1 missing-colon", "2 syntax", "3 numbers-with-is"],
    ),
    "a declaration that is broken is missed by nobody": (
        "var fuel: 9 of 0..9\nwhen fuel == 0: end failure\nwhen energy = 3: reward 1\n",
        ["1 syntax", "3 syntax"],
    ),
    "a statement that may declare is missed by nobody": (
        "vra fuel: 9 in 0..9\nwhen fuel == 0: end failure\nwhen energy = 3: reward 1\n",
        ["1 unknown-statement", "3 syntax"],
    ),
    "a kind of a broken rule is not named only once": (
        "on entr lava: reward -1\non enter lava: reward -1\nwhen coin is gold: reward 1\n",
        ["1 syntax", "3 unknown-word"],
    ),
    "a statement is broken once": (
        "on enter coin:\n    if energy == 3\n        reward 1\n  rewrd 1\nwhen enrgy == 3: reward 1\n",
        ["2 missing-colon", "4 unexpected-indent", "5 unknown-name"],
    ),
    "a bracket that is open holds the colon": (
        "when count(coin == 0: end success\nwhen enrgy == 3: reward 1\n",
        ["1 syntax", "2 unknown-name"],
    ),
    "lines of a block": (
        "setup:\n    place coin at (1, 0\n    choose n from 1..3\nwhen n == 3: reward 1\n",
        ["2 syntax", "3 syntax"],
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_mistakes__are_found_beside_others(name: str) -> None:
    """Each mistake of a text is reported once, whatever else is broken, and nothing that is right is blamed."""
    text, expected = TEXTS[name]
    found = [each for each in griddsl.check(HEAD + text) if each.is_error]
    assert [f"{each.span.line - FIRST + 1} {each.code}" for each in found] == expected


def test_mistakes__of_statements_that_are_needed_are_no_other_ones() -> None:
    """A statement that is broken is there: it is not asked for."""
    text = HEAD.replace("observe:", "obsrve:").replace("map:", "mpa:") + "each step: rewrd 1\n"
    assert [each.code for each in griddsl.check(text)] == [
        "unknown-statement",
        "unknown-statement",
        "unknown-effect",
    ]


def test_mistakes__have_an_end() -> None:
    """A text full of mistakes is reported up to a limit."""
    found = griddsl.check(HEAD + "each step: rewrd 1\nwhen enrgy == 1: reward 1\nfoo\n" * 200)
    assert len(found) == 200
