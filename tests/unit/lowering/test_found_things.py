"""What a rule has found or moved: a word where it is asked for elsewhere, or counted on too soon, and none where not."""

from __future__ import annotations

import pytest

import griddsl

SPEC = """
env: test/Found-v0
object peg: layer top, hot in false | true
tile moss: wet in false | true
{more}
map:
    @pp.m
    m.m..
    .p.p#
legend: p = peg, m = moss
actions: up, right, down, left, wait
on bump wall: reward 1
{rule}
observe: grid as planes (peg.hot, moss.wet)
limit: 9 steps
"""
TOLD = {"in-two-cells", "beside-itself", "not-gone-yet", "moved-once"}


def told(rule: str, more: str = "") -> list[str]:
    """Return those of the codes that this file is about."""
    found = griddsl.check(SPEC.format(rule=rule, more=more))
    assert not any(each.is_error for each in found), found
    return [each.code for each in found if each.code in TOLD]


@pytest.mark.parametrize(
    "test",
    [
        "peg at (1, 0) and peg at (2, 0)",
        "peg at (1, 0) and not peg at (2, 0)",
        "peg at (1, 0) and (agent.x == 1 or peg at (2, 0))",
        "peg(hot=false) at (1, 0) and peg at (2, 0)",
        "peg at (1, 0) and count(cell where peg at here) > 1",
        "agent on moss and moss at (agent.x + 1, agent.y)",
        "any cell where moss at here and moss at (x + 2, y)",
    ],
)
def test_other_cell__of_what_was_found_is_told(test: str) -> None:
    """The second asks for the very one that the first found, in conditions of rules as in what is observed."""
    assert told(f"when {test}: reward 1") == ["in-two-cells"]
    assert told(f"info: both = {test}") == ["in-two-cells"]


@pytest.mark.parametrize(
    "test",
    [
        "peg at (1, 0) and any peg at (2, 0)",
        "peg at (1, 0) and not any peg at (2, 0)",
        "peg at (1, 0) and peg(hot=true) at (2, 0)",
        "peg at (1, 0) or peg at (2, 0)",
        "peg at (agent.x, 0) and peg at (agent.x, 0)",
        "peg at (1, 0) and count(peg where peg at (2, 0)) > 0",
        "agent on moss and moss at (2, 1)",
        "here_too(1) and here_too(1)",
    ],
)
def test_other_cell__of_another_is_not_told(test: str) -> None:
    """Nor is what may well be meant: whether the moss that the agent stands on is that of a cell."""
    assert (
        told(f"when {test}: reward 1", "define here_too(a): peg at (a, 0)\nwhen here_too(2): reward 0.5")
        == []
    )


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        ("when peg at (1, 0):\n    if peg at (2, 0): reward 1", ["in-two-cells"]),
        ("when peg at (1, 0):\n    reward (1 if peg at (2, 0) else 0)", ["in-two-cells"]),
        ("when peg at (1, 0):\n    each peg where peg at (2, 0): reward 1", []),
        ("when peg at (1, 0):\n    move peg south\n    if peg at (2, 0): reward 1", []),
        (
            "each peg:\n    reward count(d in directions where peg at (peg.x + dx(d), peg.y + dy(d)))",
            ["beside-itself"],
        ),
        ("each peg if near(peg.x, peg.y): reward 1\ndefine near(a, b): peg at (a + 1, b)", ["beside-itself"]),
        ("each peg if near(peg.x, peg.y): reward 1\ndefine near(a, b): any peg at (a + 1, b)", []),
        ("each peg:\n    let c = peg.x\n    if peg at (c + 1, peg.y): reward 1", ["beside-itself"]),
        ("each peg:\n    let c = peg.x + 1\n    if not peg at (c, peg.y): reward 1", ["beside-itself"]),
        (
            "each peg:\n    let c = peg.x\n    if near(c): reward 1\ndefine near(c): peg at (c + 1, 0)",
            ["beside-itself"],
        ),
        ("each peg:\n    let c = peg.x\n    if any peg at (c + 1, peg.y): reward 1", []),
        ("each peg:\n    let c = peg.x\n    reward count(peg where peg at (c + 1, peg.y))", []),
        ("each peg:\n    let c = peg.x\n    move peg south\n    if peg at (c + 1, 0): reward 1", []),
        (
            "each step:\n    each peg:\n        let c = peg.x\n        repeat 2:\n            move peg east\n"
            "            if peg at (c + 1, 0): reward 1",
            [],
        ),
    ],
)
def test_blocks__are_looked_through(rule: str, codes: list[str]) -> None:
    """What a condition found keeps its name in its block, until something moves; so does what the rule is about."""
    assert told(rule) == codes


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        (
            "each peg:\n    let this = peg\n    if no peg at (this.x - 1, this.y): move peg west",
            ["not-gone-yet"],
        ),
        (
            "each step:\n    each peg:\n        let this = peg\n        if no peg at (this.x - 1, this.y): move this west",
            [],
        ),
        ("each peg if no moss at (peg.x - 1, peg.y): move peg west", []),
        ("on bump wall: move agent north", []),
        (
            "on do wait:\n    each i in 1..2:\n        if peg at (i, 0): move peg south",
            [],
        ),
        ("on do wait:\n    each i in 1..2:\n        if agent at (i, 0): move agent south", ["moved-once"]),
        ("on do wait:\n    repeat 3:\n        each peg by peg.x down: move peg east", ["moved-once"]),
        ("on do wait:\n    repeat 3:\n        each peg with chance 0.5: move peg east", []),
        ("on do wait:\n    repeat 3:\n        each peg(hot=false): move peg east, peg becomes hot", []),
        ("when self.action is wait:\n    repeat 3:\n        each peg by peg.x down: move peg east", []),
    ],
)
def test_moves__that_are_counted_on_too_soon_are_told(rule: str, codes: list[str]) -> None:
    """A rule `each K` sends all of them at once, and a rule of an event each thing once."""
    assert told(rule) == codes


@pytest.mark.parametrize(("given", "reward"), [("peg.x", 0.0), ("1", 0.0), ("any_of", 1.0)])
def test_what_a_definition_finds__is_named_at_the_call_whatever_it_is_given(
    given: str, reward: float
) -> None:
    """The second floor is the one that the first call found, also where the call speaks of what is looked for in it."""
    found = "any floor" if given == "any_of" else "floor"
    at = "peg.x" if given == "any_of" else given
    more = f"define clear(x, y): {found} at (x, y) and no peg at (x, y)"
    rule = f"each step:\n    each peg where peg.y == 0 and peg.x == 1:\n        if clear({at} - 1, 2) and clear({at}, 1): reward 1"
    env = griddsl.make(SPEC.format(rule=rule, more=more))
    env.reset(seed=0)
    assert env.step(4)[1] == reward


def test_any__in_a_loop_about_its_kind_leaves_the_name_to_the_loop() -> None:
    """Of `if any peg at C: peg.hot = true` in a loop about pegs it is the one that is looked at, and meant so."""
    rule = "each step:\n    each peg:\n        let this = peg\n        if any peg at (this.x + 1, this.y): peg.hot = true"
    assert griddsl.check(SPEC.format(rule=rule, more="")) == []
