"""Telling: entries of info, as a user reads them."""

from __future__ import annotations

from typing import Any

from griddsl.program.program import InfoEntry


def told(entry: InfoEntry, value: Any) -> Any:
    """Return the value of an entry in words, as a bool, or as a number."""
    if entry.form == "words":
        return entry.words[value]
    if entry.form == "bool":
        return bool(value)
    return float(value) if entry.form == "real" else value
