"""Commands and all that they print, as the files of ``tests/cases/cli`` hold them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from griddsl.cli.app import app

FOLDER = Path(__file__).parents[2] / "cases" / "cli"
CASES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("case_file", CASES, ids=lambda path: path.stem, indirect=True)
def test_command__prints_what_its_case_holds(case_file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command exits with the code, and prints the text, of its case."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("TERMINAL_WIDTH", "100")
    monkeypatch.setenv("COLUMNS", "100")
    result = CliRunner().invoke(app, shlex.split(case_file.input), prog_name="griddsl")
    case_file.check(_written(result))


def test_cases__are_there() -> None:
    """The folder of cases is found."""
    assert len(CASES) > 20


def _written(result: Any) -> str:
    lines = [f"exit {result.exit_code}", *result.stdout.splitlines()]
    if result.stderr:
        lines += ["[stderr]", *result.stderr.splitlines()]
    return "\n".join(line.rstrip() for line in lines)
