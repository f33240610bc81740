"""Ability: `can MOVE` says what the move would do now, rows that are pushed and what it passes included."""

from __future__ import annotations

import pytest

import griddsl
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

ROWS = """
object box: pushable
object crate: solid, pushable 2
object hurdle: solid
map:
    ........
    .@{drawn}...
    ........
legend: b = box, c = crate, h = hurdle
actions: left, right, jump = move east 2 through hurdle, hop = move east 1 through hurdle with chance 0.5
info: goes = can right, jumps = can jump, hops = can hop, back = can left
each box: reward 0
each crate: reward 0
each hurdle: reward 0
"""


@pytest.mark.parametrize(
    ("drawn", "goes", "jumps", "hops"),
    [
        ("...", 1, 1, 1),
        ("b..", 1, 1, 1),
        ("bb.", 0, 0, 0),
        ("b#.", 0, 0, 0),
        ("cc.", 1, 1, 1),
        ("ccc", 0, 0, 0),
        ("h..", 0, 1, 0),
        ("#..", 0, 0, 0),
    ],
)
def test_can__of_a_move_is_whether_it_would_go(drawn: str, goes: int, jumps: int, hops: int) -> None:
    """A row that gives way lets a move go, one that does not stops it; what is jumped over is none of its affair."""
    env = griddsl.make(completed(ROWS.replace("{drawn}", drawn)))
    _, info = env.reset(seed=0)
    assert (info["goes"], info["jumps"], info["hops"]) == (goes, jumps, hops)
    assert info["back"]
    if drawn[0] != "h":
        assert (env.step(1)[0] != 9) == bool(goes)


def test_can__plays_as_the_reference_says() -> None:
    """In every state of a random play, beside numbers of cells that the game decides."""
    text = ROWS.replace("{drawn}", ".bc").replace("info:", "var speed: 1 in -1..1\ninfo: far = can go,")
    text = text.replace("left, right,", "left, right, up, down, go = move east (speed),")
    text += "each step with chance 0.3: speed = 0 - 1 if speed == 1 else speed + 1\n"
    assert_plays_as_defined(completed(text.replace("........", "..h.b...", 1)), steps=150, seeds=(0, 1, 2))


def test_can__in_an_allow_masks_a_push_that_does_not_go() -> None:
    """`allow right: can right` forbids what would be a bump into a row that is stuck."""
    game = Game(
        "object box: pushable\nmap:\n    @bb.\nlegend: b = box\nactions: left, right\nallow right: can right\n"
        "each box: reward 0"
    )
    assert game.env.action_masks().tolist() == [True, False]


WHOSE = """
agents: ann, bob * 2, cat
agent cat: moves random
object box: pushable
map:
    a.b.
    .#x.
    cb..
legend: a = ann, b = bob, c = cat, x = box
actions ann: right, down, stay
actions bob: left, up, right
info: named = ann can right, looked = count(bob where bob can left), others = self can right
info: all_can = all bob can up, any_can = any bob can left, none = no agent can right, whoever = any agent can down
info: in_turn = (the bob with least bob.x) can up, never = any cat can right
each agent if self.x == 3 and not can right with chance 1/3: out for 2 steps
on ann bump edge: reward 1
limit: 30 steps
observe: position of self
"""


@pytest.mark.parametrize("turns", ["simultaneous", "in_order", "random_order"])
def test_can__of_who_is_named_plays_as_the_reference_says(turns: str) -> None:
    """Of one that is named, of one that is looked for, of all, any and none: who plays by itself, or is out, can none."""
    text = f"env: test/Whose-v0\nturns: {turns}{WHOSE}"
    assert_plays_as_defined(text, steps=100, seeds=(0, 1, 2))
    asks = griddsl.make_parallel(text)
    _, infos = asks.reset(seed=0)
    told = infos["ann"]
    assert (told["named"], told["looked"], told["never"]) == (True, 1, False)
