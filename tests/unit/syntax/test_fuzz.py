"""Whatever the text, the syntax room answers with diagnostics: it never fails and never hangs."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from griddsl.diagnostics import Report, to_github, to_json, to_text
from griddsl.source import Source
from griddsl.syntax.document import Statement
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.formatting.formatter import format_document
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS
from griddsl.syntax.reader import read_document, read_source

CASES = Path(__file__).parents[2] / "cases"
SEEDS = sorted((CASES / "language").glob("*"))
SIGNS = [
    *"()[]{}:,.=|<>+-*/%\"'#\\ \n\t@$~!?",
    "..",
    "==",
    "\n    ",
    "\n",
    '"""',
    "'''",
    "[[rules]]\n",
    "1",
    "\u00e9",
]
VOCABULARY = [
    *STATEMENTS,
    *EFFECT_WORDS,
    *SIGNS,
    "if",
    "else",
    "retry",
    "until",
    "in",
    "random",
    "where",
    "x",
    "box",
]


def survives(name: str, text: str) -> None:
    """Take a text through the whole room."""
    report = Report()
    source = read_source(text, report)
    if source is not None:
        source = Source(name, source.text)
        read = read_document(source, report)
        layout_is_sound = not report.has_errors
        formatted = format_document(read, report)
        converted = to_toml(read), to_grid(read)
        if layout_is_sound and not report.has_errors:
            _stays(
                name, formatted, converted, all(_has_right_head(statement) for statement in read.statements)
            )
    for diagnostic in report:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text)
    assert to_text(report) + to_json(report) + to_github(report)


def _has_right_head(statement: Statement) -> bool:
    """Whether a statement is named as it must be: the next room checks that in a `.grid` text."""
    form = STATEMENTS[statement.keyword].head
    return form in {"rule", "maybe", "slip"} or bool(statement.head.text) == (
        form in {"name", "define", "id"}
    )


def _stays(name: str, formatted: str, converted: tuple[str, str], has_right_heads: bool) -> None:
    """Check that what was written from a sound text is sound, and canonical."""
    for kind, text in (("a.grid", formatted), ("a.toml", converted[0]), ("a.grid", converted[1])):
        if kind == "a.toml" and not has_right_heads:
            continue
        report = Report()
        again = format_document(read_document(Source(kind, text), report), report)
        assert not report.has_errors, f"{name}\n{text}\n{to_text(report)}"
        if kind == "a.grid":
            assert again == text


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_fuzz__mutated_examples(path: Path) -> None:
    """Examples of the language with parts dropped, doubled, moved and replaced give diagnostics at most."""
    source = random.Random(path.name)
    seed = path.read_text(encoding="utf-8")
    for _ in range(80):
        text = seed
        for _ in range(source.randint(1, 4)):
            start = source.randrange(len(text) + 1)
            end = min(len(text), start + source.choice([0, 1, 1, 3, 20]))
            word = source.choice(["", "", source.choice(VOCABULARY), text[start:end] * 2, seed[-end:][:9]])
            text = text[:start] + word + text[end:]
        survives(path.name, text)


@pytest.mark.parametrize(
    "head", ["if-1", 'if"""x', "else.x", "if}x", "if", "else if", "retry", "retry 3", "if x)("]
)
def test_fuzz__heads_of_blocks(head: str) -> None:
    """A broken head of a block gives diagnostics at most."""
    survives("a.grid", f"each step:\n    {head}: end\n")
    survives("a.grid", f"each step:\n    if x > 1: end\n    {head}:\n        end\n")


@given(st.lists(st.sampled_from(VOCABULARY), max_size=30).map(" ".join))
@settings(max_examples=300)
@example("sticky in env")
@example("variant :")
def test_fuzz__words_of_the_language(text: str) -> None:
    """Any sequence of words of the language gives diagnostics at most."""
    survives("a.grid", text)


@given(st.text(max_size=60))
@settings(max_examples=300)
def test_fuzz__any_text(text: str) -> None:
    """Any text gives diagnostics at most, whichever format it is taken for."""
    survives("a.grid", text)
    survives("a.toml", text)


@pytest.mark.parametrize(
    "path", [CASES / "language" / "door_key.grid", CASES / "language" / "cliff_walking.toml"]
)
def test_fuzz__time_is_linear(path: Path) -> None:
    """Eight times the text takes about eight times as long."""
    seed = path.read_text(encoding="utf-8").partition("[[rules]]")
    many = [seed[0] + (seed[1] + seed[2]) * count if seed[1] else seed[0] * count for count in (20, 160)]
    times = []
    for text in (many[0], *many):
        start = time.process_time()
        report = Report()
        read_document(Source(path.name, text), report)
        times.append(time.process_time() - start)
    assert times[2] < 8 * 8 * times[1] + 1
