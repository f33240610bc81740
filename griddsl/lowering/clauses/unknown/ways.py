"""Ways: what a name that is no direction was probably meant as where one is needed."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS, COMPASS
from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.values import DIRECTION, Value, Words
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
