"""Nearness: `within` asks for others, whatever the thing is that they are near to."""

from __future__ import annotations

import pytest

from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined
from tests.unit.lowering.test_several import Several

THREE = """
agents: red, blue, green
map:
    1....23
legend: 1 = red, 2 = blue, 3 = green
actions: left, right, stay
contested: share
info: some = any agent within 1 of self, none = no agent within 1 of self, all_near = all agent within 1 of self
info: count = count(agent where agent within 1 of self), red_near = any red within 1 of self
"""


def test_within__of_self_asks_for_others() -> None:
    """An agent alone has nobody near; two beside each other have; `all` leaves out the agent itself."""
    names = ("some", "none", "all_near", "count", "red_near")
    game = Several(THREE)
    assert [game.infos["red"][name] for name in names] == [False, True, False, 0, False]
    assert [game.infos["blue"][name] for name in names] == [True, False, False, 1, False]
    game.do("right+left+left right+left+left right+stay+left")
    assert [game.infos["red"][name] for name in names] == [True, False, True, 2, False]
    assert game.infos["blue"]["red_near"]


BOXES = """
object box: pushable
map:
    @b.b..
    ......
legend: b = box
actions: left, right, up, down
info: apart = no box within 1 of box, pair = any box within 1 of box, n = count(box where box within 1 of agent)
"""


def test_within__of_one_of_the_same_kind_asks_for_another() -> None:
    """`no box within 1 of box`: no two of them are beside each other."""
    game = Game(BOXES)
    assert game.told == {"apart": True, "pair": False, "n": 1}
    assert game.do("right").told == {"apart": False, "pair": True, "n": 1}


@pytest.mark.parametrize("text", [BOXES, THREE], ids=["boxes", "agents"])
def test_within__is_as_the_reference_says(text: str) -> None:
    """Every form of it, in single games and in those of several."""
    assert_plays_as_defined(completed(text))
