"""The formatter: canonical text that means the same, and stays as it is when formatted again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.syntax.formatting.formatter import WIDTH, format_document
from griddsl.syntax.layout import read_layout
from tests.unit.syntax.parsing import document, meaning

CASES = Path(__file__).parents[2] / "cases"
FORMATS = sorted((CASES / "fmt").glob("*.txt"))
TEXTS = [
    *(path.read_text(encoding="utf-8").partition("\n---\n")[0] for path in FORMATS),
    *(path.read_text(encoding="utf-8") for path in sorted((CASES / "language").glob("*.grid"))),
]

ROOT = Path(__file__).parents[3]
SHIPPED = [
    path
    for folder in ("specs", "examples", "griddsl/libraries")
    for path in sorted((ROOT / folder).rglob("*.grid"))
]


def formatted(text: str) -> str:
    """Format a text that has no mistake."""
    report = Report()
    result = format_document(read_layout(Source("case.grid", text), report), report)
    assert not report.diagnostics
    return result


@pytest.mark.parametrize("case_file", FORMATS, indirect=True, ids=lambda path: path.stem)
def test_format_document__cases(case_file: Any) -> None:
    """Each text becomes the canonical text of its case file."""
    case_file.check(formatted(case_file.input))


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_format_document__is_idempotent(text: str) -> None:
    """Formatting twice gives what formatting once gives."""
    once = formatted(text)
    assert formatted(once) == once


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_format_document__keeps_the_meaning(text: str) -> None:
    """The formatted text says the same, in the same order."""
    assert meaning(document(formatted(text))) == meaning(document(text))


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_format_document__keeps_every_comment(text: str) -> None:
    """No comment is lost or moved past another."""
    report = Report()
    before = _comments(read_layout(Source("case.grid", text), report))
    after = _comments(read_layout(Source("case.grid", formatted(text)), report))
    assert before == after


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_format_document__changes_nothing_that_is_shipped(path: Path) -> None:
    """Specs, libraries and examples are laid out as `griddsl fmt` does."""
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


def _comments(read: Any) -> list[str]:
    found: list[str] = []
    for part in [*getattr(read, "statements", ()), *getattr(read, "block", ())]:
        found.extend([*part.above, part.comment, *_comments(part)])
    return [note for note in (*found, *read.below) if note]


def test_format_document__leaves_mistakes_alone() -> None:
    """A text with an error comes back unchanged, with the error in the report."""
    report = Report()
    text = "each  step:  rewrd 3\n"
    assert format_document(read_layout(Source("case.grid", text), report), report) == text
    assert report.has_errors


def test_format_document__cliff_walking_is_canonical() -> None:
    """The first example of the language stays as it is."""
    text = (CASES / "language" / "cliff_walking.grid").read_text(encoding="utf-8")
    assert formatted(text) == text


def test_format_document__breaks_at_the_width() -> None:
    """Items stand on one line as long as they fit, and one a line where they do not."""
    names = ["n" * 8] * 9
    line = f"edge: {', '.join(names)}"
    assert len(line) <= WIDTH < len(line) + 8
    assert formatted(line) == f"{line}\n"
    assert formatted(f"{line}, {names[0]}") == "edge:\n" + f"    {names[0]}\n" * 10
