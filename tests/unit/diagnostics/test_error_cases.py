"""Every code has a case, and every case the exact text that a user sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from griddsl.diagnostics import CODES, to_text
from tests.unit.diagnostics.error_cases import FILES, FOLDER, diagnostics_of

DOCS = Path(__file__).parents[3] / "docs" / "diagnostics.md"
FEWEST_CASES = 70


@pytest.mark.parametrize("case", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_error_case__says_exactly_what_its_file_shows(case: Path, tmp_path: Path, request: Any) -> None:
    """The rendered text of all diagnostics of a case is the one beside it, and holds the code of its folder."""
    diagnostics = diagnostics_of(case, tmp_path)
    found = to_text(diagnostics) + "\n"
    expected = case.with_suffix(".txt") if case.suffix == ".grid" else case.with_suffix(".toml.txt")
    if request.config.getoption("--update-cases"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert case.parent.name in {diagnostic.code for diagnostic in diagnostics}


def test_error_cases__show_one_mistake_once() -> None:
    """A case has one error: no mistake is reported again by what follows from it."""
    several = {
        str(file.relative_to(FOLDER)): count
        for file in FOLDER.glob("*/*.txt")
        if (count := sum(line.startswith("error[") for line in file.read_text(encoding="utf-8").split("\n")))
        > 1
    }
    assert several == {}


def test_error_cases__cover_every_code() -> None:
    """Every code of the table has a case, every folder of cases is a code, and there are at least seventy."""
    folders = {file.parent.name for file in FILES}
    assert set(CODES) - folders == set(), "each wants a case: tests/cases/errors/CODE/NAME.grid"
    assert folders - set(CODES) == set()
    assert len(FILES) >= FEWEST_CASES


def test_error_cases__leave_no_text_behind() -> None:
    """Every expected text belongs to a case."""
    cases = {
        case.with_suffix(".txt") if case.suffix == ".grid" else case.with_suffix(".toml.txt")
        for case in FILES
    }
    assert set(FOLDER.glob("*/*.txt")) == cases


def test_codes__are_documented() -> None:
    """Every code has a section in the index of diagnostics, and the index no other."""
    sections = {
        line[5:-1] for line in DOCS.read_text(encoding="utf-8").split("\n") if line.startswith("### `")
    }
    assert sections == set(CODES), "run python docs/make_diagnostics.py"
    assert len(sections) > 0
