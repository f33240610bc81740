"""Loops over the cells around a place: what they find is what a loop over all cells finds."""

from __future__ import annotations

import pytest

from griddsl.compiler import compiled
from griddsl.program import ir
from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

SPEC = """
tile plot: alive in false | true, worth in 0..3
object stone: pushable
define ring(a, b): chebyshev(a, b) == 1
map:
    @~~..~~~*
    ~**~.~.*~
    ~~*~*~~~~
    .o~*~*~~.
    ~~*~~*o*~
    ~.~~*~~~~
legend: "~" = plot(worth=1), "*" = plot(alive=true, worth=2), o = stone on plot
actions: left, right, up, down
"""
MANY = {
    "chebyshev": "count(plot where chebyshev(plot, agent) == 1)",
    "turned": "count(plot where 1 >= chebyshev(agent, plot) and plot.alive)",
    "behind": "count(plot where plot.alive and distance(plot, agent) < 2)",
    "euclid": "count(plot where euclid(plot, agent) <= 1.5)",
    "within": "count(plot where plot within 1 of self)",
    "by_name": "count(plot where ring(plot, agent))",
    "of_both": "count(plot where plot.alive and ring(plot, agent) and distance(plot, (4, 2)) <= 4)",
    "by_attribute": "count(plot(worth=1) where chebyshev(plot, agent) <= 1)",
    "corner": "count(plot where chebyshev(plot, (0, 0)) <= 1)",
    "summed": "sum(plot.worth for plot where chebyshev(plot, agent) <= 1)",
    "cells": "count(cell where chebyshev(here, agent) <= 1 and any stone at here)",
    "numbered": "count(c in cells where distance(c, agent) <= 1)",
    "stones": "count(stone where count(plot where plot.alive and chebyshev(plot, stone) == 1) > 1)",
}
ANY = {
    "some": "any plot where plot.alive and chebyshev(plot, agent) == 1",
    "none": "no plot where distance(plot, agent) <= 1 and plot.alive",
    "every": "all plot where chebyshev(plot, agent) > 1 or plot.alive",
    "near": "plot(worth=2) within 1 of self",
}


@pytest.mark.parametrize("setting", ["as it is drawn", "as it changes"])
def test_what_is_near__is_as_defined(setting: str) -> None:
    """Counts, sums and quantifiers near the agent, stones and places at the border, however nearness is said."""
    rules = "each stone: place plot(alive=true, worth=3) at stone\n" if setting == "as it changes" else ""
    infos = "info: " + ", ".join(f"{name} = {asked}" for name, asked in {**MANY, **ANY}.items())
    assert_plays_as_defined(completed(SPEC + rules + infos + "\n"))


@pytest.mark.parametrize("asked", [*MANY, *ANY])
def test_what_is_far__is_not_looked_at(asked: str) -> None:
    """No loop over all cells, or all of a kind, is left in what asks for some near ones."""
    question = {**MANY, **ANY}[asked]
    program = compiled(completed(SPEC + f"info: asked = {question}\n")).program
    rounds = [
        int(each.high.value)
        for function in program.functions.values()
        for each in ir.statements(function.body)
        if isinstance(each, ir.Reduce) and isinstance(each.high, ir.Const)
    ]
    assert max(rounds) <= 9
