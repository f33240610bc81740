"""Turns: ``again`` gives the one that acts another, and ``K.turn`` asks whose turn it is."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import griddsl

COINS = """
env: test/Turns-v0
agents: red, blue, green
object coin:
tile pit:
map:
    R.*.
    B.*.
    G.*.
legend: R = red, B = blue, G = green, "*" = coin
actions: left, right
turns: alternate
on agent enter coin: again, remove coin
REST
observe: mine = self.turn
info: mine = self.turn
"""
DOTS = """
env: test/Dots-v0
agents: red, blue
agent red: sign 1 in 1..2
agent blue: sign 2 in 1..2
tile post: solid
tile side: drawn in false | true
tile box: owner 0 in 0..2
map:
    +-+-+R
    -b-b-#
    +-+-+#
    -b-b-#
    +-+-+B
legend: R = red, B = blue, "+" = post, "-" = side, b = box
define sides(c): count(way in directions where side(drawn=true) at (c.x + dx(way), c.y + dy(way)))
actions: draw(spot in cells where side(drawn=false) at spot)
turns: alternate
rewards: zero_sum
on do draw:
    if side at spot: side becomes side(drawn=true)
    each box where box.owner == 0 and sides(box) == 4: box.owner = self.sign, reward 1, again
    if no side(drawn=false) left: end
observe: grid as planes (side(drawn=true), box(owner=self.sign))
limit: none
"""
SIDES = [(x, y) for y in range(5) for x in range(5) if (x + y) % 2]
BOXES = [
    sum(1 << SIDES.index((x + dx, y + dy)) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    for x in (1, 3)
    for y in (1, 3)
]


def turns_of(rest: str, actions: str) -> list[str]:
    """Play a game of three: whose turn it was in each step, and whose it was after the last."""
    game = griddsl.make_aec(COINS.replace("REST", rest))
    game.reset(seed=0)
    found = []
    for action in actions:
        found.append(game.agent_selection)
        asked = {name: game.observe(name) for name in game.agents}
        assert [name for name in game.agents if asked[name]["mine"]] == [game.agent_selection]
        assert [name for name in game.agents if game.infos[name]["mine"]] == [game.agent_selection]
        game.step("lr".index(action))
    return [*found, game.agent_selection]


def test_who_is_given_another_turn_keeps_it() -> None:
    """The one that acts, whoever the rule is about; once for each step that says so."""
    assert turns_of("each step: reward 0", "rrrrrrr") == [
        "red",
        "blue",
        "green",
        "red",
        "red",
        "blue",
        "blue",
        "green",
    ]


def test_whose_turn_it_is_in_a_rule_is_who_acts() -> None:
    """A rule that speaks of all asks it of the one that acts in this step."""
    assert turns_of("each step if blue.turn and step < 4: again", "rrrr") == [
        "red",
        "blue",
        "blue",
        "blue",
        "green",
    ]


def test_who_goes_out_has_no_other_turn() -> None:
    """Nor does the next one, that was given nothing."""
    spec = (
        COINS.replace("REST", "on agent enter pit: out, again")
        .replace("R.*.", "Ro*.")
        .replace("legend:", "legend: o = pit,")
    )
    game = griddsl.make_aec(spec)
    game.reset(seed=0)
    game.step(1)
    assert game.agents == ["red", "blue", "green"]  # red is taken out of the list by its next, empty step
    game.step(None)
    assert game.agents == ["blue", "green"]
    assert game.agent_selection == "blue"


@cache
def _best(drawn: int) -> int:
    """Return how many boxes more than the other the one whose turn it is gets: the plain search, as the oracle."""
    values = []
    for side in range(len(SIDES)):
        after = drawn | 1 << side
        if after == drawn:
            continue
        gained = sum(after & box == box != drawn & box for box in BOXES)
        values.append(gained + _best(after) if gained else -_best(after))
    return max(values, default=0)


def test_dots_and_boxes_is_worth_what_a_plain_search_says() -> None:
    """Who closes a box draws again: the exact value of the whole game."""
    solution = griddsl.to_mdp(DOTS).solve(legal_only=True)
    assert solution.optimal_return == _best(0) == 2


def test_random_games_of_dots_and_boxes_go_as_by_hand() -> None:
    """Two hundred games: who acts, and what each closes."""
    game: Any = griddsl.make_aec(DOTS)
    draws = np.random.default_rng(0)
    for episode in range(200):
        game.reset(seed=episode)
        drawn, acting = 0, "red"
        while drawn != (1 << len(SIDES)) - 1:
            assert game.agent_selection == acting
            mask = game.infos[acting]["action_mask"]
            action = int(draws.choice(np.flatnonzero(mask)))
            after = drawn | 1 << SIDES.index((action % 6, action // 6))
            gained = sum(after & box == box != drawn & box for box in BOXES)
            game.step(action)
            assert game.rewards[acting] == gained
            acting = acting if gained else {"red": "blue", "blue": "red"}[acting]
            drawn = after
