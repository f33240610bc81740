"""Habits in `look`: colours by numbers, shapes in quotes, pictures without them, and other words for all of these."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.syntax.habits.kinds.described import COLOURS
from griddsl.syntax.habits.mistake import QUOTED, Meant, Mistake, of_item


def _of_parts(said: re.Match[str]) -> Help:
    red, green, blue = (min(int(part), 255) for part in said.group(1, 2, 3))
    return write(f'color "#{red:02x}{green:02x}{blue:02x}"')


def _shape_and_colour(said: re.Match[str]) -> Help:
    return write(f"shape {said[1]}, color {said[2]}", ": items are separated by commas")


# What an item of a look is as a whole, and what to write in its place, or why not.
_ROWS: tuple[tuple[str, Callable[[re.Match[str]], Help | str]], ...] = (
    (r"colour\s*[:=]?\s*(\w+)", lambda said: write(f"color {said[1]}")),
    (rf"colour\s*[:=]?\s*({QUOTED})", lambda said: write(f"color {said[1]}")),
    (r"(?:colou?r\s*[:=]?\s*)?(?:rgb\s*)?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)", _of_parts),
    (r"colou?r\s*[:=]?\s*0x([0-9a-fA-F]{6})", lambda said: write(f'color "#{said[1]}"')),
    (
        r"colou?r\s+(light|dark|bright|pale)\s*-?\s*(\w+)",
        lambda said: f'a color is a name of the gallery or a number: `color {said[2]}`, `color "#aabbcc"`',
    ),
    (COLOURS, lambda said: write(f"color {said[0]}")),
    (r"\"([A-Za-z]+)\"", lambda said: write(f"color {said[1]}")),
    (r"shape\s*[:=]?\s*\"([A-Za-z_]+)\"", lambda said: write(f"shape {said[1]}")),
    (r"shape\s+(\w+)\s+(?:and\s+)?(?:in\s+)?(?:colou?r\s+)?(\w+)", _shape_and_colour),
    (
        r"(?:sprite|image|icon|picture|texture|file)\s*[:=]?\s*([\w/-]+\.(?:png|jpe?g|gif|webp))",
        lambda said: f'a picture of the folder stands in quotes: `sprite "{said[1]}"`',
    ),
    (
        r"(?:icon|like|as|looks\s+like|symbol|form|sprite)\s*[:=]?\s+(?:an?\s+)?([a-z_]+)",
        lambda said: Help(f"write `shape {said[1]}`: the gallery lists the shapes", (f"shape {said[1]}",)),
    ),
    (
        r"(?:invisible|hidden|transparent|none|nothing|no\s+look)",
        lambda said: "a picture shows all kinds; what an agent is shown is said by `observe`",
    ),
    (
        r"(?:background|border|size|scale|opacity|alpha|outline)\b.*",
        lambda said: "a look has a `color`, a `shape` or a `sprite`, and nothing else",
    ),
)
_MEANT = tuple((re.compile(pattern), answer) for pattern, answer in _ROWS)


def pictured(mistake: Mistake) -> Meant | None:
    """`colour blue`, `color (0, 0, 255)`, `shape "circle"`, `sprite box.png`, `like lake`."""
    if mistake.start != "looks":
        return None
    word = re.compile(r"(?!colour\b)\w+(?=\s+\S)").match(mistake.text, mistake.item_start())
    meant = None if word is None else did_you_mean(word[0], ("color", "shape", "sprite"))
    if word is not None and meant is not None and word[0] not in {"color", "shape", "sprite"}:
        return Meant(meant, *word.span(), expected="`color`, `shape` or `sprite`")
    return of_item(mistake, _MEANT, "`color`, `shape` or `sprite`")
