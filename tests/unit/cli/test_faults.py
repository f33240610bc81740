"""Faults of the package are not told as if whoever called had made them."""

from __future__ import annotations

import pytest
import typer

from griddsl.cli.app import _guarded
from griddsl.diagnostics import Refused


def test_refusal__is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be done as it was asked is one line and an exit code."""

    def refuses() -> None:
        raise Refused("there is no such level")

    with pytest.raises(typer.Exit):
        _guarded(refuses)()
    assert "there is no such level" in capsys.readouterr().err


def test_fault__is_raised() -> None:
    """A `ValueError` that nobody meant goes through, with its place."""

    def fails() -> None:
        max([])

    with pytest.raises(ValueError, match="empty"):
        _guarded(fails)()
