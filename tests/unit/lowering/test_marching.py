"""Marches: loops in an order in which all of a kind take one step, found for all cells at once."""

from __future__ import annotations

import pytest

from griddsl.compiler import compiled
from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

CROWD = """
object rock: layer things, weight in 0..2{edge}
object post: layer things
tile hedge: solid
tile gate: one_way south
var heading: east in east | south | west | north
setup:
    place rock(weight=0) at every floor where y < 5 with chance 0.3
    place rock(weight=1) at every floor where y < 5 with chance 0.4
    place rock(weight=2) at every floor where y < 5 with chance 0.2
    place post at every floor where y < 5 with chance 0.1
    place agent at (6, 5)
map:
    ...h...
    .......
    .......
    ..h..g.
    .......
    .......
legend: h = hedge, g = gate
actions: stay, east, south, west, north
on do east: heading = east
on do south: heading = south
on do west: heading = west
on do north: heading = north
observe tuple: grid as planes (rock, post), heading
limit: 25 steps
"""
FALLING = "each step:\n    each rock by y down: move rock south\n"


def marches(text: str) -> bool:
    """Whether a text has a march."""
    return any(slot.key[0] == "AFTER" for slot in compiled(completed(text)).program.slots)


@pytest.mark.parametrize(
    "order", ["x", "x down", "y", "y down", "0", "rock.weight", "3 * y + rock.weight - x down"]
)
@pytest.mark.parametrize("edge", ["", ", edge wrap", ", edge clip"])
@pytest.mark.parametrize("way", ["heading", "south", "northwest"])
def test_march__goes_as_rounds_in_order_do(order: str, edge: str, way: str) -> None:
    """Whatever the order: who comes first leaves its cell to who is behind, and who is blocked blocks in turn."""
    text = CROWD.format(edge=edge) + f"each step:\n    each rock by {order}: move rock {way}\n"
    assert marches(text) == (edge != ", edge clip" or way != "northwest")  # in a corner two may come together
    assert_plays_as_defined(completed(text), steps=30)


def test_march__stands_beside_others_in_one_rule() -> None:
    """What goes in rounds is there before the next loop begins."""
    rule = """
when step mod 2 == 0:
    each rock by x: move rock heading
    if count(rock where rock.x == 0) > 2: heading = south
    else:
        each post by y: move post north
        each rock by y down: move rock south
"""
    text = CROWD.format(edge="") + rule
    assert marches(text)
    assert_plays_as_defined(completed(text), steps=40)


@pytest.mark.parametrize(
    "rule",
    [
        "each step:\n    each rock where rock.weight > 0 by y down: move rock south\n",
        "each step:\n    each rock(weight=1) by y down: move rock south\n",
        "each step:\n    each rock by y down: move rock (east if rock.weight == 1 else south)\n",
        "each step:\n    each rock by y down:\n        move rock south\n        reward 1\n",
        "each step:\n    if count(post) > 0:\n        let first = the post with least post.x\n        move first east\n    each rock by y down: move rock south\n",
        "each step:\n    each post:\n        move post east\n        each rock by y down: move rock south\n",
        f"on enter hedge: reward 1\n{FALLING}",
        f"object wall_of_air: layer air, solid\n{FALLING}",
    ],
    ids=["where", "some", "own way", "more", "one sent", "within a round", "heard", "solid"],
)
def test_march__is_left_to_rounds_where_more_depends_on_them(rule: str) -> None:
    """What is not moved by one step with all others, at once, or what a rule hears of, goes in rounds as ever."""
    text = CROWD.format(edge="") + rule
    assert not marches(text)
    assert_plays_as_defined(completed(text), steps=20)


def test_march__is_for_maps_with_as_many_things_as_cells() -> None:
    """On a large map the rounds of a few things are fewer than its cells."""
    assert marches(CROWD.format(edge="") + FALLING)
    wide = CROWD.format(edge="")
    for row in ("...h...", "..h..g.", "......."):
        wide = wide.replace(f"    {row}\n", f"    {row}{'.' * 40}\n")
    assert not marches(wide + FALLING)
