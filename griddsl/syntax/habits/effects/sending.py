"""Habits in effects that send something elsewhere: `move east`, `move ball, east`, `agent at start`."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_COMPASS = ("north", "east", "south", "west")
_EXPECTED = "what moves, and where to"
_WHERE = r"\w+(?:\.\w+)?|\([^()]*\)"

# `y` grows downwards.
_WAYS = {
    ("0", "-1"): "north",
    ("1", "0"): "east",
    ("0", "1"): "south",
    ("-1", "0"): "west",
    ("1", "-1"): "northeast",
    ("1", "1"): "southeast",
    ("-1", "1"): "southwest",
    ("-1", "-1"): "northwest",
}


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


def by_numbers(mistake: Mistake) -> Meant | None:
    """`move bird (0, -1)`, `move bird by (0, -1)`, `move bird 0, -1`: a way as numbers; `move bird (3, 2)`: a cell."""
    start = mistake.item_start()
    item = re.compile(r"move\s+(\w+)\s+(?:by\s+)?(\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\))").match(
        mistake.text, start
    )
    if mistake.start != "effects" or item is None or mistake.begin > item.end():
        return None
    who, cell, across, down = item[1], item[2], item[3].lstrip("+"), item[4].lstrip("+")
    way = _WAYS.get((across, down))
    to_cell = f"move {who} to ({across}, {down})"
    help = write(to_cell, ": a cell follows `to`")
    if way is not None and "-" in across + down:
        help = write(f"move {who} {way}", ": a way is a word, and a cell follows `to`")
    elif way is not None:
        line = f"write `move {who} {way}` for the way, `{to_cell}` for the cell"
        help = Help(line, (f"move {who} {way}", to_cell))
    return Meant(
        help,
        *item.span(2),
        found=f"`{cell}`",
        expected="a direction, or `to` and a cell",
        start=start,
        stop=item.end(),
    )


def moved(mistake: Mistake) -> Meant | None:
    """`move east`, `move ball`: who is moved is named, and where to."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"move\s+(\w+)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None or mistake.found.strip(","):
        return None
    if mistake.is_kind(said[1]) or mistake.is_thing(said[1]):
        return Meant(f"say where to: `move {said[1]} east`, `move {said[1]} to start`")
    help = write(f"move agent {said[1]}")
    return Meant(help, start, stop, expected=_EXPECTED, start=start, stop=stop)


def moved_with_comma(mistake: Mistake) -> Meant | None:
    """`move ball, east`, `move(ball, east)`, `move ball, (1, 2)`: nothing stands between who moves and where to."""
    start = mistake.item_start()
    for opening, closing in ((r"move\s+", r""), (r"move\s*\(\s*", r"\s*\)")):
        form = rf"{opening}(\w+)\s*,\s*(to\s+)?({_WHERE}){closing}(?=\s*(?:,|\Z))"
        said = re.compile(form).match(mistake.text, start)
        if (
            mistake.start != "effects"
            or said is None
            or mistake.begin > said.end()
            or said[3] in EFFECT_WORDS
        ):
            continue
        who, way = (
            (said[3], said[1]) if said[1] in _COMPASS and said[3].isidentifier() else (said[1], said[3])
        )
        help = write(f"move {who} {'to ' if said[2] or way.startswith('(') else ''}{way}")
        if closing:
            begin = mistake.text.index("(", start)
            return Meant(
                help,
                begin,
                said.end(),
                "brackets",
                f"{_EXPECTED}, without them",
                start=start,
                stop=said.end(),
            )
        comma = mistake.text.index(",", start)
        return Meant(
            help, comma, comma + 1, expected="where to, without a comma", start=start, stop=said.end()
        )
    return None
