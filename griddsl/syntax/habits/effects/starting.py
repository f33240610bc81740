"""Habits in setup: where things begin, said without `place`; and maps that are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.effects.placed import as_effect
from griddsl.syntax.habits.mistake import Meant, Mistake

_PUT = r"(?:(?:put|spawn|add|create)\s+)?(?:the\s+|an?\s+)?"
_IS = r"(?:\s+(?:starts?|begins?|spawns?|appears?|is|is\s+placed|goes))?"
_SOMEWHERE = (
    r"(?:(?:at\s+|in\s+|on\s+)?(?:an?\s+)?random(?:ly)?(?:\s+(?:placed?|position|cells?|spot|location|free|(?P<tile>\w+)))?"
    r"|somewhere|anywhere)"
)


def _at_random(said: re.Match[str], kind: str) -> Help:
    return write(f"place {kind} at random {said.groupdict().get('tile') or 'free'}")


def _some_at_random(said: re.Match[str], kind: str) -> Help:
    return write(f"place {said['number']} {kind} at random {said.groupdict().get('tile') or 'free'}")


def _at_cell(said: re.Match[str], kind: str) -> Help:
    return write(f"place {kind} at {said['cell']}")


# What an effect is as a whole, and what to write: `kind` has to be a kind or the agent.
_ROWS: tuple[tuple[str, Callable[[re.Match[str], str], Help]], ...] = (
    (rf"{_PUT}(?P<number>\d+)\s+(?P<kind>\w+)(?:\s+{_SOMEWHERE})?", _some_at_random),
    (rf"{_PUT}(?P<kind>\w+){_IS}\s+{_SOMEWHERE}", _at_random),
    (r"random\s+(?P<kind>\w+)", _at_random),
    (rf"(?P<kind>\w+){_IS}\s+(?:at|in)\s+(?P<cell>\(\s*\w+\s*,\s*\w+\s*\))", _at_cell),
)
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)
_GENERATED = re.compile(
    r"(?:generate\s+)?(?:an?\s+|the\s+)?(?:random\s+)?(?P<map>maze|cave|rooms|map|level)(?:\s*\(.*\))?"
)
_GENERATORS = {"cave": "cave(15, 15)", "rooms": "rooms(15, 15)"}


def started(mistake: Mistake) -> Meant | None:
    """`3 coins at random`, `agent starts at random floor`, `random coin`, `generate maze`."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    text = mistake.text[start:stop]
    if (drawn := _GENERATED.fullmatch(text)) is not None and not mistake.is_kind(drawn["map"]):
        shown = _GENERATORS.get(drawn["map"], "maze(15, 15)")
        return as_effect(f"a map is drawn by a statement: `generate: {shown}`", mistake, start, stop)
    for pattern, answer in _MEANT:
        said = pattern.fullmatch(text)
        kind = None if said is None else _kind(said["kind"], mistake)
        if said is not None and kind is not None:
            return as_effect(answer(said, kind), mistake, start, stop)
    return None


def _kind(word: str, mistake: Mistake) -> str | None:
    return "agent" if word in {"agent", "player"} else mistake.singular(word)
