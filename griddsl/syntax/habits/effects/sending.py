"""Habits in effects that send something elsewhere: `move east`, `agent at start`."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake


def stood(mistake: Mistake) -> Meant | None:
    """`agent at start`, `agent on goal` as an effect."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"(?:agent|self|player)\s+(?:at|on|to|goes\s+to|moves\s+to)\s+(\w+|\([^()]*\))",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None:
        return None
    word = re.match(r"\w+", mistake.text[start:])
    assert word is not None
    return Meant(
        write(f"go to {said[1]}"), start, start + word.end(), unknown_effect=word[0], start=start, stop=stop
    )


def moved(mistake: Mistake) -> Meant | None:
    """`move east`: who is moved is named."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"move\s+(\w+)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None or mistake.found.strip(","):
        return None
    if mistake.is_kind(said[1]):
        return Meant(f"say where to: `move {said[1]} east`, `move {said[1]} to start`")
    return Meant(
        write(f"move agent {said[1]}"),
        start,
        stop,
        expected="what moves, and where to",
        start=start,
        stop=stop,
    )
