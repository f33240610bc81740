"""Malformed snippets and the exact message for each of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from griddsl.diagnostics import Report, to_text
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.reader import read_document, read_source

FILES = sorted((Path(__file__).parents[2] / "cases" / "syntax").glob("*.txt"))


@pytest.mark.parametrize("case_file", FILES, indirect=True, ids=lambda path: path.stem)
def test_mistakes__say_what_was_meant(case_file: Any) -> None:
    """Each malformed snippet has the message that its case file shows."""
    report = Report()
    source = read_source(case_file.input, report)
    assert source is not None
    grid_text(read_document(source, report), report)
    assert report.has_errors
    case_file.check(to_text(report))


def test_mistakes__has_cases() -> None:
    """There are at least forty snippets, so that the test above is no empty one."""
    assert len(FILES) >= 40
