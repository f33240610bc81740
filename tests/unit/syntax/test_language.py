"""The examples of the language's design parse as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from griddsl.diagnostics import Report, to_text
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.reader import read_document, read_source

FILES = sorted((Path(__file__).parents[2] / "cases" / "language").glob("*.*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_language__examples(path: Path) -> None:
    """Each example has no diagnostic, in its layout and in each of its clauses."""
    report = Report()
    source = read_source(path, report)
    assert source is not None
    grid_text(read_document(source, report), report)
    assert not report.diagnostics, to_text(report)


def test_language__has_examples() -> None:
    """All the blocks of the design are here."""
    assert len(FILES) >= 7
