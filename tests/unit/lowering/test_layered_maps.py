"""Layered maps: what stands on the ground is drawn apart from it."""

from __future__ import annotations

import griddsl
from tests.playing import Game

APART = """
map ground:
    .~G
    ~~#
map objects:
    @b.
    .b.
"""
TOGETHER = """
map:
    @BG
    ~B#
"""
REST = """
object box: pushable, weight in 1..3
legend: "~" = water, G = goal, {}
setup:
    choose heavy in 2..3
actions: right, down, left, up
observe: grid as planes (wall, water, box, goal, agent, box.weight)
"""


def _trace(text: str) -> list[object]:
    game = Game(text, seed=3)
    seen = [game.observation.tolist()]
    for action in ("right", "down", "right", "up", "left"):
        seen.append([game.do(action).observation.tolist(), game.reward, game.terminated])
    return seen


def test_layers__are_the_level_that_one_map_with_glyphs_of_both_draws() -> None:
    """Boxes stand on the water that the other map shows, with what the legend gives them, and leave it behind."""
    apart = APART + REST.format("b = box(weight=heavy)") + "on enter goal: end success\n"
    together = TOGETHER + REST.format("B = box(weight=heavy) on water") + "on enter goal: end success\n"
    assert _trace(apart) == _trace(together)


def test_layers__draw_the_attributes_of_ground_and_things() -> None:
    """What setup chooses is given to the ground and to the thing of one cell."""
    text = """
tile mud: depth in 1..9
object box: weight in 1..9
map ground:
    m.
map objects:
    b@
legend: m = mud(depth=deep), b = box(weight=deep)
setup:
    choose deep in 4..5
actions: left, right
observe tuple: mud.depth, box.weight, deep
"""
    depth, weight, deep = Game(text, seed=1).observation
    assert depth == weight == deep in {4, 5}


def test_layers__lie_on_ground_with_walls_between_cells() -> None:
    """The ground may be `walled`."""
    text = """
map walled ground:
    +---+
    |.|g|
    +---+
map objects:
    @.
legend: g = goal
actions: right, left
observe: cell
on bump wall: reward -1
on enter goal: end success
"""
    assert Game(text).do("right").reward == -1


def test_layers__in_toml_are_two_texts() -> None:
    """`[map]` holds both."""
    text = """
env = "test/Layers-v0"
legend = { w = "water", k = "key" }
actions = ["left", "right"]
observe = "grid as planes (agent, water, key)"
limit = "9 steps"

[object]
key = "portable"

[map]
ground = '''
w.
'''
objects = '''
k@
'''
"""
    seen, _ = griddsl.make(text).reset(seed=0)
    assert seen.tolist() == [[[0, 1, 1], [1, 0, 0]]]
