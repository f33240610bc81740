"""Reductions of several kinds become one where the same is asked, and their results are asked for together."""

from __future__ import annotations

import pytest

from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes import kindred
from tests.playing import Game

WORLD = """
object ball: portable
object key: portable
object crate: solid
map:
    @b.k.c
    .k..b.
legend: b = ball, k = key, c = crate
actions: right, left
var a: 0 in 0..99
var b: 0 in 0..99
observe tuple: a, b
each step:
"""

CASES = {
    "any": ("a = 1 if any object where object.x > 4 else 2", (1, 0), 1),
    # The next kind is asked where the ones before hold, and not otherwise.
    "all": ("a = 1 if all object where object.x > 0 else 2", (1, 0), 3),
    "no": ("a = 1 if no object where object.x > 5 else 2", (1, 0), 3),
    "count": ("a = count(object where object.x < 4)", (3, 0), 1),
    "sum": ("a = sum(2 * object.x for object where object.y == 0)", (18, 0), 1),
    "results asked apart": (
        "a = 1 if any ball where ball.x > 3 else 2, b = 1 if any key where key.x > 3 else 2",
        (1, 2),
        2,
    ),
    "one of them asked twice": (
        "a = count(ball where ball.x < 4) + count(key where key.x < 4) + 10 * count(crate)",
        (13, 0),
        2,
    ),
    "one kind twice": ("a = count(ball where ball.x < 4) + count(ball where ball.x < 4)", (2, 0), 2),
    "either of two, and a sum": (
        "a = 1 if (any ball where ball.x > 4) and (any key where key.x > 2) else 2",
        (2, 0),
        2,
    ),
    "not the same": ("a = 1 if (any ball where ball.x > 4) or (any key where key.y > 4) else 2", (2, 0), 2),
}


@pytest.mark.parametrize("name", CASES)
def test_joined__says_what_each_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In as many loops as are needed, with the same results as where none is joined."""
    effect, expected, loops = CASES[name]
    text = WORLD + f"    {effect}\n"
    assert Game(text).do("left").observation == expected
    step = compiled(f"env: t/Joined-v0\n{text}limit: none\n").program.functions["step"]
    reductions = [each for each in ir.statements(step.body) if isinstance(each, ir.Reduce)]
    assert len(reductions) == loops
    monkeypatch.setattr(kindred, "_are_one", lambda *_: False)
    assert Game(text).do("left").observation == expected
