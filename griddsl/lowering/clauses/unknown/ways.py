"""Ways: what a name that is no direction was probably meant as where one is needed."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS, COMPASS
from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.values import CELL, DIRECTION, NUMBER, Value, ValueType, Words
from griddsl.source import Span

# Directions that other games name otherwise; `y` grows downwards.
_SHORT_WAYS = {
    **ARROWS,
    "upward": "north",
    "downward": "south",
    "leftward": "west",
    "rightward": "east",
    **{word[0]: word for word in ("north", "east", "south", "west")},
    **{word: word for word in COMPASS},
    "upleft": "northwest",
    "upright": "northeast",
    "downleft": "southwest",
    "downright": "southeast",
    "nw": "northwest",
    "ne": "northeast",
    "sw": "southwest",
    "se": "southeast",
}


def direction_meant(ctx: Context, name: str, place: Span) -> str | None:
    """Return the way of the agent for `forward`, and the name that is a direction here for another that is none."""
    turning = re.search(r"\bturn\s+to\s+\Z", place.source.text[: place.start])
    if name in {"left", "right", "around"} and turning is not None:
        return write(f"turn {name}", place=Span(place.source, turning.start(), place.end, place.through))
    if (
        said := ARROWS.get(name) or _SHORT_WAYS.get(name.lower().replace("_", "").removesuffix("wards"))
    ) is not None:
        return write(said)
    if name in {"around", "back", "backwards", "behind"}:
        return write("opposite(self.facing)", ": the way back")
    if name in {"randomly", "anywhere", "wherever"}:
        return write("random", ": a way that is drawn")
    if name in {"forward", "backward", "ahead"}:
        return "an object goes by a direction: `east`, or in brackets the way that something faces, `(agent.facing)`"
    if name in {"direction", "dir", "way", "facing", "heading", "d"}:
        ways = [
            called
            for called, meaning in ctx.scope.items()
            if isinstance(meaning, Value)
            and isinstance(meaning.type, Words)
            and set(meaning.type.words) <= set(DIRECTION.words)
        ]
        return write(ways[0]) if len(ways) == 1 else None
    return None


def words_and_numbers(given: ValueType, expected: ValueType, span: Span) -> str | None:
    """Return what is meant where a word stands in the place of a number, or is to count."""
    if expected == NUMBER and isinstance(given, Words):
        return _word_as_number(given.words, span)
    if expected == CELL and isinstance(given, Words) and {*given.words} <= {*DIRECTION.words}:
        return f"`(agent.x + dx({span.text}), agent.y + dy({span.text}))` is the cell a step that way from the agent"
    counted = re.search(r"[-+]=\s*\Z", span.source.text[: span.start])
    if isinstance(expected, Words) and given == NUMBER and counted is not None:
        last = len(expected.words) - 1
        return (
            f"a word counts nothing: `becomes {expected.words[-1]}` sets it, and a number in 0..{last} counts"
        )
    return None


def _word_as_number(words: tuple[str, ...], span: Span) -> str:
    """Return what is asked of a word, a direction among them, that stands where a number is needed."""
    way, line = span.text, span.source.text[: span.start].rsplit("\n", 1)[-1]
    way = f"({way})" if " if " in way else way
    if "as planes (" in line:
        planes = ", ".join(f"{way} is {word}" for word in words[:3])
        more = ", ..." if len(words) > 3 else ""
        return f"a word is no number: `{planes}{more}` are planes, one for each word"
    if not {*words} <= {*DIRECTION.words}:
        return f"a word is no number: `(1 if {way} is {words[-1]} else 0)` makes one of it"
    turned = re.search(r"-\s*\(?\s*\Z", line)
    if turned is not None and way.isidentifier():
        whole = Span(span.source, span.start - len(turned[0].rstrip("( ")), span.end, span.through)
        return write(f"opposite({way})", ": the direction behind it", whole)
    return f"`(agent.x + dx({way}), agent.y + dy({way}))` is the cell a step that way from the agent"
