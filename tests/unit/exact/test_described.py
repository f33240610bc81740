"""A state in words: all that differs between states is told, and nothing that does not."""

from __future__ import annotations

import griddsl

HOUSE = """
env: test/House-v0
object key: portable
object lamp: lit in false | true, solid
object rock: solid
tile plank:
tile pit:
var fuel: 2 in 0..2
var mood: calm in calm | cross
map:
    @=kl
    r..G
legend: "=" = plank, k = key, l = lamp, r = rock, G = goal
agent: facing
actions: up, right, down, left, pickup, press
on do press: lamp.lit = true, mood becomes cross
on leave plank: plank becomes pit, fuel -= 1
on enter goal if mood is cross and fuel > 0: reward 1
on enter goal: end success
observe: cell
limit: none
"""


def _described(text: str) -> set[str]:
    mdp = griddsl.to_mdp(text)
    return {mdp.describe(state) for state in range(mdp.n_states)}


def test_describe__tells_what_differs_in_the_words_of_the_spec() -> None:
    """Places, facings, what is held, attributes, tiles that change, variables by their words; no two states alike."""
    mdp = griddsl.to_mdp(HOUSE)
    told = [mdp.describe(state) for state in range(mdp.n_states)]
    assert len(set(told)) == mdp.n_states
    assert told[mdp.initial.argmax()] == (
        "agent at (0, 0) facing east, key at (2, 0), lamp(lit=false) at (3, 0), plank at (1, 0), fuel 2, mood calm"
    )
    assert any(
        "agent at (2, 0) facing east with key" in each and "pit at (1, 0), fuel 1" in each for each in told
    )
    assert any(each.endswith("mood cross, ended: success") for each in told)
    assert not any("rock" in each or "goal at" in each for each in told)


def test_describe__puts_things_that_are_alike_together() -> None:
    """Which of two boxes stands where makes no difference to what is said."""
    text = """
env: test/Boxes-v0
object box: pushable
map:
    .....
    @b.b.
legend: b = box
actions: up, right, down, left
when box at (4, 1): end success
observe: cell
limit: none
"""
    assert "agent at (0, 1), box at (1, 1), (3, 1)" in _described(text)


def test_describe__tells_tiles_that_have_attributes() -> None:
    """Of each cell, and of all that are alike at once."""
    text = """
env: test/Lights-v0
tile light: lit in false | true
map:
    @..
legend: "." = light, "@" = agent on light
actions: left, right, flip
on do flip if light at agent: light.lit = not light.lit
when all light where light.lit: end success
observe: cell
limit: none
"""
    told = _described(text)
    assert "agent at (0, 0), light(lit=false) at (0, 0), (1, 0), (2, 0)" in told
    assert "agent at (2, 0), light(lit=true) at (0, 0), (1, 0), (2, 0), ended: success" in told


def test_describe__tells_what_a_thing_holds_that_stays() -> None:
    """A chest that stands where it stood is told of where what is in it differs."""
    text = """
env: test/Chest-v0
object coin: portable
object chest: carries 1
map:
    @ch
legend: c = coin, h = chest
actions: left, right, pickup, drop, stow
on do stow if agent has coin and agent on chest: remove coin, place coin in chest
when chest has coin: end success
observe: cell
limit: none
"""
    told = _described(text)
    assert "agent at (0, 0), coin at (1, 0), chest at (2, 0)" in told
    assert "agent at (2, 0), chest with coin at (2, 0), ended: success" in told
