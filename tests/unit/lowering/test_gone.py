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
