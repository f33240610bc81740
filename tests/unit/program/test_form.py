"""The program as JSON: what comes back is the same program, and the page names all there is in it."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import get_args

import pytest

import griddsl
from griddsl.backends.python import build
from griddsl.compiler import compiled
from griddsl.program import ir, keys
from griddsl.program.form import from_json, to_json
from griddsl.program.program import Program

ROOT = Path(__file__).parents[3]
SPECS = sorted((ROOT / "specs").glob("*.grid"))
FIELDS = [
    field.name
    for field in dataclasses.fields(Program)
    if field.name not in {"slots", "tables", "functions", "ground"}
]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_program__comes_back_from_json(path: Path) -> None:
    """What was written is read as the same program: its functions, its state, and the words around it."""
    program = compiled(path).program
    text = to_json(program)
    back = from_json(text)
    assert back.source() == program.source()
    assert back.initial() == program.initial()
    assert [getattr(back, name) for name in FIELDS] == [getattr(program, name) for name in FIELDS]
    assert to_json(back) == text


def test_program__runs_after_json() -> None:
    """A program that came back takes the same steps."""
    program = compiled(ROOT / "specs" / "frozen_lake.grid").program
    told = []
    for each in (program, from_json(to_json(program))):
        machine = build(each)
        s, f, r = machine.new_state()
        r[0] = 7
        machine.functions["reset"](s, f, r, -1)
        told.append([machine.functions["step"](s, f, r, 1) for _ in range(20)] + s)
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"form":4}', '{"form":2}', '{"form":3,"slots":[{"is":"Table"}]}']
)
def test_other_texts__are_refused(text: str) -> None:
    """What is no program is a ValueError with words."""
    with pytest.raises(ValueError, match=r"form 3|Expecting value"):
        from_json(text)


def test_page__names_every_node_and_key() -> None:
    """`docs/program.md` leaves out no node, and no part of the whole but those that it sums up."""
    page = (ROOT / "docs" / "program.md").read_text(encoding="utf-8")
    nodes = [*get_args(ir.Expr), *get_args(ir.Stmt)]
    assert len(nodes) > 20
    missing = [node.__name__ for node in nodes if f"`{node.__name__}`" not in page]
    whole = json.loads(to_json(griddsl.make(ROOT / "specs" / "taxi.grid").program))
    missing += [key for key in whole if f"`{key}`" not in page]
    assert not missing


def test_page__names_every_part_of_a_node() -> None:
    """What is in a statement or an expression stands as code in `docs/program.md`, in the row of the node or of its fellows."""
    rows = (ROOT / "docs" / "program.md").read_text(encoding="utf-8").split("\n")
    shared = {"type", "low", "high", "values"}
    missing = []
    for node in [*get_args(ir.Expr), *get_args(ir.Stmt)]:
        said = " ".join(row for row in rows if f"`{node.__name__}`" in row)
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", said))))
        parts = {field.name for field in dataclasses.fields(node)} - shared
        missing += [f"{node.__name__}.{part}" for part in sorted(parts - words)]
    assert not missing


def test_page__says_what_each_word_of_a_slot_holds() -> None:
    """The table of the page is the list of `program/keys.py`, row by row."""
    source = Path(keys.__file__).read_text(encoding="utf-8")
    rows = re.findall(r'^([A-Z_]+): Final = "(\w+)"  # (.+)$', source, re.MULTILINE)
    assert len(rows) == source.count(": Final") and all(name == word for name, word, _ in rows)
    table = "".join(f"| `{word}` | {meaning} |\n" for _, word, meaning in rows)
    page = (ROOT / "docs" / "program.md").read_text(encoding="utf-8")
    assert f"| key | holds |\n|---|---|\n{table}\n" in page
