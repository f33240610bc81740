"""Effects that are nearly said: with a word too many, or one for another."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake

Said = re.Match[str]


def _drawn(said: Said, mistake: Mistake) -> str:
    name, values = said[1], said[2].strip()
    is_variable = re.search(rf"^var\s+{name}\b", mistake.whole, re.MULTILINE) is not None
    return f"{name} = random {values}" if is_variable else f"choose {name} in {values}"


# How an effect reads that is said so, the first that fits.
_FORMS: tuple[tuple[str, Callable[[Said, Mistake], str]], ...] = (
    (r"go\s+back\s+(?:to\s+)?start", lambda said, _: "go to start"),
    (r"end\s+(?:with|in|as)\s+(\w+)", lambda said, _: f"end {said[1]}"),
    (r"place\s+(.+?)\s+at\s+((?:row|column)\s+\S+)", lambda said, _: f"place {said[1]} in {said[2]}"),
    (
        r"place\s+([A-Za-z_]\w*)\s+with\s+([A-Za-z_]\w*)\s*=?\s*(\w+)\s+((?:at|in)\s.+)",
        lambda said, _: f"place {said[1]}({said[2]}={said[3]}) {said[4]}",
    ),
    (r"(place\s.+?=\s*random)\s+in\s+(.+)", lambda said, _: f"{said[1]} {said[2]}"),
    (r"([A-Za-z_]\w*)\s*~\s*([^~]+)", _drawn),
    (r"let\s+([A-Za-z_]\w*)\s+in\s+(.+)", lambda said, _: f"choose {said[1]} in {said[2]}"),
    (
        r"reward\s+(max|min|sum)\s+([A-Za-z_]\w*)\.(\w+)",
        lambda said, _: f"reward {said[1]}({said[2]}.{said[3]} for {said[2]})",
    ),
)


def nearly(mistake: Mistake) -> Meant | None:
    """`go back to start`, `end with success`, `place box at row 1`, `n ~ 0..5`, `reward max box.weight`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop].rstrip()
    for form, rewrite in _FORMS:
        said = re.fullmatch(form, item)
        if said is not None:
            return Meant(write(rewrite(said, mistake)), start=start, stop=start + len(item))
    return None
