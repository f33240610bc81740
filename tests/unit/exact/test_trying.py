"""Trying: what plain `check` looks for is looked for no longer than it takes, and the answer is that of the long way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import griddsl
from griddsl.backends.python import Machine
from griddsl.compiler import compiled
from griddsl.exact import draws, steps
from griddsl.exact.check import trying
from griddsl.exact.check.trying import Wanted, tried
from griddsl.exact.draws import Script
from tests.playing import completed

ROOM = """
map:
    @....
    .....
    ....G
legend: G = goal
actions: up, right, down, left
on enter goal: reward 1, end success
"""
SCATTERED = """
object coin:
map:
    ......
    ......
    ......
    ......
setup:
    place coin at random free
    place coin at random free
    place agent at random free
actions: up, right, down, left
on enter coin: reward 1, remove coin
when no coin left: end success
"""
FLIPS = """
var a: 0 in 0..9
var b: 0 in 0..9
var c: 0 in 0..9
map:
    @..G
legend: G = goal
setup:
    choose p in 0..2
    choose q in 0..3
    a = p
    if p == 1: b = q
    else:
        choose r in 0..1
        c = r
actions: left, right
on enter goal: reward a + b + c, end success
"""


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each function is run while a program is tried."""
    count: Counter[str] = Counter()
    made = draws.scripted

    def counted(*arguments: Any, **options: Any) -> Any:
        machine = made(*arguments, **options)

        def wrapped(name: str) -> Any:
            function = machine.functions[name]

            def run(*values: Any) -> Any:
                count[name] += 1
                return function(*values)

            return run

        names = [name for name in ("reset", "step") if name in machine.functions]
        functions = {**machine.functions, **{name: wrapped(name) for name in names}}
        return Machine(functions, machine.initial, machine.initial_reals, machine.fired)

    monkeypatch.setattr(steps, "scripted", counted)
    return count


def test_search__stops_when_nothing_is_left_to_find(runs: Counter[str]) -> None:
    """A setup without draws is run once; a search whose rules and ends were seen does not visit the rest."""
    program = compiled(completed(ROOM)).program
    assert not tried(program, Wanted(set(), set())).complete
    assert runs == {"reset": 1}
    runs.clear()
    assert tried(program, Wanted({"success", "never"}, set())).complete
    whole = runs["step"]
    assert whole == 4 * (5 * 3 - 1)
    runs.clear()
    assert not tried(program, Wanted({"success"}, {0})).complete
    assert runs["step"] < whole


def test_search__does_not_begin_where_there_are_too_many_starts(runs: Counter[str]) -> None:
    """Three random places in a room are 12,144 starts: a few resets show that they are more than are visited."""
    assert griddsl.check(completed(SCATTERED)) == []
    assert runs["step"] == 0 and runs["reset"] < trying.SAMPLED_STARTS + 50


def test_search__ends_where_the_states_are_more_than_its_steps(
    runs: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every state takes a step for each action: those that are known and not yet visited count."""
    program = compiled(completed(ROOM)).program
    monkeypatch.setattr(trying, "MOST_STEPS", 50)
    assert not tried(program, Wanted({"never"}, set())).complete
    assert runs["step"] <= 40


def test_starts__are_all_that_setup_can_lead_to() -> None:
    """The first draws are varied first, and none is left out, also where later draws hang on earlier ones."""
    program = compiled(completed(FLIPS)).program
    starts = set(steps.Steps(program, Script()).starts(500))
    chosen = [program.layout.offsets[info.slot] for info in program.names if info.name in {"a", "b", "c"}]
    assert {tuple(start[at] for at in chosen) for start in starts} == {
        *((p, 0, c) for p in (0, 2) for c in (0, 1)),
        *((1, q, 0) for q in range(4)),
    }


def test_wanted__is_what_was_not_seen() -> None:
    """What is taken away is what fired and how it ended; with parameters one end is as good as all."""
    program = compiled(completed(ROOM + "when agent at (4, 0) and agent at (0, 2): reward 1\n")).program
    wanted = Wanted({"success", "failure"}, {0, 1})
    found = tried(program, wanted)
    assert found.complete and found.states == 5 * 3 - 1
    assert (wanted.outcomes, wanted.rules) == ({"failure"}, {1})
    wanted = Wanted({"success", "failure"}, set(), any_end=True)
    assert not tried(program, wanted).complete and not wanted.outcomes


def test_starts__write_down_no_more_ways_than_they_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cave takes thousands of draws, each with a hundred ways to fall out: they are counted before they are made."""
    made = Counter[str]()
    others = Script._others

    def counted(self: Any, depth: int) -> Any:
        for choices in others(self, depth):
            made["others"] += 1
            yield choices

    monkeypatch.setattr(Script, "_others", counted)
    cave = """
generate: caves(12, 12)
setup:
    place agent at random floor
    place home at random floor
actions: up, right, down, left
on enter home: end success
"""
    griddsl.check(completed(cave))
    assert made["others"] <= trying.MOST_STARTS
