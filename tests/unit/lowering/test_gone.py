"""What a rule has removed: which names still mean it, and which mean another that is looked for."""

from __future__ import annotations

import pytest

import griddsl

SPEC = """env: t/Lamps-v0
object lamp: portable, lit in false | true
map:
    @l..L.
legend: l = lamp, L = lamp(lit=true)
actions: left, right, pickup
observe: grid as planes (agent, lamp.lit)
on pickup lamp:
    remove lamp
    {}
when no lamp left: end success
limit: 30 steps
"""


@pytest.mark.parametrize(
    "line",
    [
        "each lamp where lamp.lit: reward 7",
        "if any lamp where lamp.lit: reward 7",
        "if any lamp where lamp.lit and lamp.x > 1: reward 7",
        "reward count(lamp where lamp.lit)",
        "reward sum(2 for lamp where lamp.lit)",
        "if lamp at (4, 0) and lamp.lit: reward 1",
    ],
)
def test_names__of_others_are_no_names_of_what_is_gone(line: str) -> None:
    """Loops, conditions and places speak of the lamps that are left."""
    assert griddsl.check(SPEC.format(line)) == []


@pytest.mark.parametrize(
    "line",
    [
        "if lamp.lit: reward 1",
        "reward 1 if lamp.lit else 0",
        "if agent.x > 2 and lamp.lit: reward 1",
        "if any lamp where lamp.x > 1: reward 1 if lamp.lit else 2",
    ],
)
def test_names__of_what_is_gone_are_warned_of(line: str) -> None:
    """Its attributes are the first of their domains then."""
    assert [(each.code, each.span.text) for each in griddsl.check(SPEC.format(line))] == [
        ("read-when-gone", "lamp.lit")
    ]


BARREN = """env: t/Barren-v0
object key: portable
object chest: color in red | blue
generate: room(7, 5)
setup:
    {}
actions: up, right, down, left, pickup
observe: position of agent
on pickup key: reward 1
on bump wall if chest is red: end
limit: 40 steps
"""


@pytest.mark.parametrize(
    "lines",
    [
        "place agent at (1, 1), place key at (2, 2), place chest at random floor where distance(here, key) > 1",
        "place key at (1, 1)\n    repeat 9 until agent within 1 of key:\n        place agent at random floor\n"
        "    place chest at random floor",
        "place key at (1, 1)\n    retry 9 until distance(agent, chest) > 2:\n        place agent at random floor\n"
        "        place chest at random floor",
        "choose one in key | chest\n    place agent at (1, 1)\n    place one as prize at random floor\n"
        "    place chest at random floor where distance(here, prize) > 1\n    place key at random floor",
        "place agent at (1, 1)\n    each row in 1 | 2:\n        place key at random floor where no key at (x + 1, y)\n"
        "    place chest at random floor",
    ],
)
def test_setup__asks_of_what_is_there(lines: str) -> None:
    """What stands above, and what the last round of a block has placed, may be asked about."""
    assert [each.code for each in griddsl.check(BARREN.format(lines)) if each.code == "not-there-yet"] == []


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("place agent at random floor where distance(agent, (0, 0)) > 2\n    place key at (1, 1)", "agent"),
        ("place agent at (1, 1)\n    if chest.color is red: place key at random floor", "chest"),
        ("place agent at (1, 1)\n    place key at random floor where no chest within 1 of here", "chest"),
        ("retry 9 until not agent at (1, 1):\n        place key at random floor where distance(here, agent) > 2\n"
         "        place agent at random floor", "agent"),
    ],
)  # fmt: skip
def test_setup__asks_of_what_is_nowhere(lines: str, name: str) -> None:
    """What nothing has drawn or placed so far is on no cell, and conditions on it ask nothing."""
    told = griddsl.check(BARREN.format(lines + "\n    place chest at random floor"))
    assert [each.span.text for each in told if each.code == "not-there-yet"] == [name]
