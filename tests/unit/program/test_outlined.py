"""Parts that are taken out of long functions do what they did in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.program import ir
from griddsl.program.passes import outlined as passes
from griddsl.program.program import Program
from tests.unit.program.test_loops import trail

SPECS = sorted((Path(griddsl.__file__).parent.parent / "specs").glob("*.grid"))
SENTENCES = next(path for path in SPECS if path.stem == "baby_sentences")


def length(program: Program) -> int:
    """Return the number of statements of the longest function that writes no observation."""
    return max(
        sum(1 for _ in ir.statements(function.body))
        for function in program.functions.values()
        if not function.writes_out
    )


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_outlined__plays_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each bundled spec, with nearly everything taken out."""
    program = compiled(path).program
    expected = trail(program.plain, 5, 25)
    monkeypatch.setattr(passes, "MOST", 12)
    monkeypatch.setattr(passes, "LEAST", 6)
    assert trail(program.outlined, 5, 25) == expected


def test_outlined__of_babyais_sentences_no_function_is_long() -> None:
    """Whose setup is the longest of the bundled ones."""
    program = compiled(SENTENCES).program
    assert length(program) > passes.MOST
    assert length(program.outlined) <= passes.MOST


def test_outlined__what_is_the_same_is_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the names of its locals."""
    text = """
env: t/Alike-v0
object box: worth in 0..9
map:
    @....
actions: left, right
setup:
    repeat 3: place box at random floor
    each box: box.worth = 3
on do left:
    each box where box.x > 2: box.worth = 1, move box west
on do right:
    each box where box.x > 2: box.worth = 1, move box west
observe: grid
limit: 9 steps
"""
    program = compiled(text).program
    monkeypatch.setattr(passes, "MOST", 4)
    monkeypatch.setattr(passes, "LEAST", 4)
    parts = passes.outlined(program.plain.functions)
    bodies = [str(function.body) for name, function in parts.items() if name not in program.functions]
    assert bodies
    assert len(set(bodies)) == len(bodies)
