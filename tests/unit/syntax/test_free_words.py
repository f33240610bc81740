"""Words of the language that are not reserved: they can be names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from griddsl.syntax import clauses
from griddsl.syntax.keywords import EVENTS, RESERVED, STATEMENTS
from tests.playing import Game

GRAMMAR = Path(clauses.__file__).with_name("clause.lark").read_text(encoding="utf-8")
LIMITED = re.findall(r"/([a-z]+)\(\?=", GRAMMAR)  # words that what follows makes words of the language
WORDS = sorted({*re.findall(r'"([a-z_]+)"', GRAMMAR), *LIMITED, *STATEMENTS} - RESERVED - {"agent"})
VARIABLE = """
var {word}: 0 in 0..3
map:
    @..
actions: left, right
each step: {word} += 1
when {word} == 2 and {word} > 1: reward {word} + 1
when ({word}) == 3: reward 2 * {word}
when {word} == 1: {word} = {word} + 0
info: a = {word}, b = 1 if {word} == 1 else 2
"""
TILE = """
map:
    @o
    ..
legend: o = {word}
actions: left, right
on enter {word}: reward 1
when agent on {word} and count({word}) == 1: reward 2
when no {word} left: reward 5
"""


@contextmanager
def _as_a_name(word: str) -> Iterator[None]:
    """Say, where something fails in the block, what becomes of a word that can be no name."""
    try:
        yield
    except AssertionError as error:
        error.add_note(
            f"if no name can be `{word}`, it is among EFFECT_WORDS or RESERVED of griddsl/syntax/keywords.py"
        )
        raise


def test_words__are_many() -> None:
    """The grammar was read: a guard that sees nothing guards nothing."""
    assert len(WORDS) > 80 and {"other", "left", "facing", "position"} <= set(WORDS)


@pytest.mark.parametrize("word", [word for word in WORDS if word != "limit"])
def test_word__can_name_a_variable(word: str) -> None:
    """A variable of that name is read, compared and changed; `limit` is a number of the game."""
    with _as_a_name(word):
        game = Game(VARIABLE.format(word=word))
        assert game.rewards("left left left") == [0, 3, 6]
        assert game.told == {"a": 3, "b": 2}


@pytest.mark.parametrize("word", [word for word in WORDS if word != "edge"])
def test_word__can_name_a_kind(word: str) -> None:
    """A tile of that name is entered, stood on and counted; `edge` is the border."""
    with _as_a_name(word):
        assert Game(TILE.format(word=word)).rewards("right right") == [3, 2]


def test_events__are_those_of_the_grammar() -> None:
    """What a rule may hear of a kind stands in one list beside the grammar."""
    (alternatives,) = re.findall(r"^!event: (.*)$", GRAMMAR, re.MULTILINE)
    assert re.findall(r'"(\w+)"', alternatives) == list(EVENTS)
