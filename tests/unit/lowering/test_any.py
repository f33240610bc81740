"""Any: `any K` behind a relation asks for one of them, and leaves the name of the kind to what is found by it."""

from __future__ import annotations

import pytest

from tests.playing import Game, completed, problems
from tests.reference.beside import assert_plays_as_defined

COINS = """
object coin: portable, layer low, value in 1..9
object chest: carries 1
map:
    @cC.
legend: c = coin(value=2), C = chest
setup:
    place coin(value=3) in agent
    place coin(value=5) in chest
actions: right, left, stay
"""
ASKED = ["agent has any coin", "agent on any coin", "agent within 1 of any coin(value=2)"]


@pytest.mark.parametrize("asked", [*ASKED, "agent sees any coin(value=2)"])
def test_any__behind_a_relation_names_nothing(asked: str) -> None:
    """The coin is the one in the chest, which the name finds, whatever was asked for before it."""
    text = COINS + f"when {asked} and chest has coin: reward coin.value\n"
    assert 5 in Game(text).rewards("stay right")
    assert_plays_as_defined(completed(text), steps=20)


@pytest.mark.parametrize("asked", ASKED)
def test_any__is_no_name_for_what_it_finds(asked: str) -> None:
    """Where there are several, the bare name behind it is an error, and the help takes `any` away."""
    several = COINS.replace("@cC.", "@cCc") + f"when {asked}: reward coin.value\n"
    (found,) = [each for each in problems(several) if each.is_error]
    assert found.code == "ambiguous"
    assert found.help == "write `coin` for `any coin`: then it is the one that is found"


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("quantifier", ["no", "all"])
def test_none_and_all__stand_before_relations(asked: str, quantifier: str) -> None:
    """`agent has no coin` is refused; it was read as `agent has coin`."""
    said = asked.replace("any", quantifier)
    (found,) = problems(COINS + f"when {said}: reward 1\n")
    assert (found.code, found.is_error) == ("syntax", True)
    if quantifier == "no":
        (fix,) = found.fixes
        assert fix.replacement == "not " + asked.replace("any ", "")
        assert not [each for each in problems(fix.applied()) if each.is_error]
