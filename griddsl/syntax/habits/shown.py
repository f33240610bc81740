"""Habits in what is observed: forms without `as`, lists without brackets, codes without numbers."""

from __future__ import annotations

import re

from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake

_FORMS = r"planes|codes|kinds|minigrid"


def form_alone(mistake: Mistake) -> Meant | None:
    """`view 3x3 planes (coin)`, `view 7x7 centered codes (...)`: a form follows `as`."""
    if mistake.start != "observations" or not re.fullmatch(_FORMS, mistake.found):
        return None
    if re.search(r"\b(?:grid|view\s+\d+\s*x\s*\d+|centered|occluded|cone)\s*\Z", mistake.before) is None:
        return None
    return Meant(write(f"as {mistake.found}"), expected="`as`")


def list_without_brackets(mistake: Mistake) -> Meant | None:
    """`grid as planes coin, goal`, `as codes wall 1, coin 2`: what is shown stands in brackets."""
    said = re.search(r"\bas\s+(planes|codes)\s+([^()]*?)\s*\Z", mistake.text)
    if (
        mistake.start != "observations"
        or said is None
        or not said.start(2) <= mistake.begin <= said.start(2) + len(said[2].split()[0] if said[2] else "")
    ):
        return None
    if "=" in said[2] or re.match(r"(?:with|as)\b|[^\w]", said[2]):
        return None
    start, stop = said.span(2)
    return Meant(write(f"({said[2]})"), start=start, stop=stop, expected="brackets around what is shown")


def codes_with_equals(mistake: Mistake) -> Meant | None:
    """`grid as codes (wall=1, coin=2)`: a kind and its code, with nothing between them."""
    said = re.search(r"\bas\s+codes\s*\(([^()]*)\)", mistake.text)
    if mistake.start != "observations" or said is None or not said.start() < mistake.begin < said.end():
        return None
    codes = re.sub(r"(\w)\s*[=:]\s*(\d)", r"\1 \2", said[1])
    if codes == said[1] or re.search(r"[=:]", codes):
        return None
    return Meant(write(codes), *said.span(1), expected="kinds and their codes: `wall 0`")


def centered_late(mistake: Mistake) -> Meant | None:
    """`view 5x5 occluded centered`: where the agent stands is said first."""
    said = re.search(r"\b(?:occluded|cone(?:\s+\d+)?)(?:\s+(?:occluded|cone(?:\s+\d+)?))*\Z", mistake.before)
    if mistake.start != "observations" or mistake.found != "centered" or said is None:
        return None
    return Meant(write(f"centered {said[0]}"), start=said.start(), stop=mistake.end)


def described_view(mistake: Mistake) -> Meant | None:
    """`partial view 5x5`, `local view 5x5`, `egocentric view`: a view is a part of the board anyway."""
    said = re.search(
        r"\b(partial|local|egocentric|agent|first_person|cropped)\s+\Z", mistake.text[: mistake.begin]
    )
    if mistake.start != "observations" or mistake.found != "view" or said is None:
        return None
    return Meant(
        write("view", ": it is what is around the agent"),
        *said.span(1),
        expected="an item",
        start=said.start(1),
        stop=mistake.end,
    )
