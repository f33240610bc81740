"""Branches that no state takes: who asks for all states is told of them."""

from __future__ import annotations

import pytest

from griddsl.compiler import compile_spec
from griddsl.diagnostics import Report
from griddsl.exact.check.analysis import check_exactly
from griddsl.exact.check.branches import with_branches
from griddsl.exact.enumerate import enumerate_states

SPEC = """env: t/Branches-v0
{}define pay(n):
    if n > 1: reward n
    else: reward 1
object box: portable
object ball: portable
map:
    @.b.
    ..x.
legend: b = ball, x = box
agent: coins 0 in 0..3
actions: up, right, down, left, pickup, drop
on pickup portable:
    pay(1)
    if portable is box: reward 1
on drop ball:
    if agent on floor: agent.coins += 1
    else:
        if agent.coins == 2: reward 2
each step:
    if step > 1 and agent.coins == 3: reward 3
when step > 3: end
observe tuple: cell, carrying
limit: 20 steps
"""


def said(text: str) -> list[tuple[str, str]]:
    """The codes, and the texts that they are said of."""
    return [(each.code, each.span.text) for each in check_exactly(text)[0]]


def test_branches__that_no_state_takes_are_said_once() -> None:
    """Neither what stands in another that is not taken, nor what one of several kinds does, nor a definition."""
    assert said(SPEC.format("")) == [
        ("always-true", "agent on floor"),
        ("never-true", "step > 1 and agent.coins == 3"),
    ]


def test_branches__may_be_taken_with_other_parameters() -> None:
    """A spec that has parameters is another game with others."""
    text = SPEC.format("param most: 3 in 1..9\n").replace("step > 3", "step > most")
    assert said(text) == []


@pytest.mark.parametrize("backend", ["python", "native"])
def test_branches__are_noted_by_every_search(backend: str) -> None:
    """The same rules and branches are seen in Python and in native code, which has room for the numbers of all."""
    if backend == "native":
        pytest.importorskip("numba")
    spec, _ = compile_spec(SPEC.format(""), {}, Report())
    assert spec is not None
    noting, branches = with_branches(spec)
    _, program = compile_spec(noting, {}, Report())
    assert program is not None and min(branches) == len(program.rules)
    fired = enumerate_states(program, traced=True, backend=backend).fired or set()
    untaken = {branches[number].span.text for number in branches.keys() - fired}
    assert untaken == {"agent on floor", "agent.coins == 2", "step > 1 and agent.coins == 3"}
    assert set(range(len(program.rules))) <= fired
