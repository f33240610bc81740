"""Agents in one cell under ``contested: block``: what brings them there all the same, and how they are seen."""

from __future__ import annotations

import pytest

import griddsl
from tests.reference.beside import assert_plays_as_defined

TWO = """env: t/Two-v0
agents: ann, bob
map:
    a{}b
    ...
legend: a = ann, b = bob
actions: {}, stay
turns: {}
contested: block
observe: {}
info: together = (ann.x == bob.x)
limit: 30 steps
{}
"""
HOP = "hop = move east 1 through wall, hep = move west 1 through wall"


@pytest.mark.parametrize(
    "observed", ["grid", "grid as codes (bob 1, ann 2, wall 3)", "grid as codes (other 1, self 2)"]
)
@pytest.mark.parametrize("turns", ["simultaneous", "in_order"])
def test_agents_that_go_through_a_wall__are_seen_in_one_cell(turns: str, observed: str) -> None:
    """Who went in last is on top in a map of codes, as where agents share cells."""
    assert_plays_as_defined(TWO.format("#", HOP, turns, observed, ""), steps=60)


@pytest.mark.parametrize("effect", ["move self east", "go to (2, 0)", "place ann at (2, 0)"])
def test_effects__bring_agents_into_one_cell(effect: str) -> None:
    """What moves, sends and places does not look for agents: the manual says so."""
    text = TWO.format(".", "hop, left", "simultaneous", "grid", f"on do hop: {effect}")
    assert_plays_as_defined(text, steps=30)
    env = griddsl.make_parallel(text)
    env.reset(seed=0)
    ways = [env.step({"ann": 0, "bob": 2})[4]["ann"]["together"] for _ in range(2)]
    assert ways[-1]
