"""A row of the table of diagnostics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A row of the table; ``message`` is a template filled by `Report.add`, ``meaning`` a sentence for the docs."""

    severity: str
    message: str
    meaning: str


def error(message: str, meaning: str) -> Code:
    """Return the row of what is wrong."""
    return Code("error", message, meaning)


def warning(message: str, meaning: str) -> Code:
    """Return the row of what is legal and hardly meant."""
    return Code("warning", message, meaning)
