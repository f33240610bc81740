"""Filling: what each character of a drawing puts into its cell, by the legend."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from griddsl.diagnostics import Report
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.edges import Rows
from griddsl.lowering.world.maps.letters import Letter, quoted_sign
from griddsl.lowering.world.maps.level import Level, Thing
from griddsl.lowering.world.maps.rows import comment_in
from griddsl.source import Span
from griddsl.spec.models import Drawing
from griddsl.syntax import nodes as n

AGENT_LETTERS = "AaPpSRr"


@dataclass(slots=True)
class Legend:
    """What the letters of drawings stand for, and which were met; ``agent_missing``: nothing puts it anywhere.

    ``undrawn`` are the kinds of ground and objects that no letter stands for.
    """

    letters: dict[str, Letter]
    agent_missing: bool
    report: Report
    undrawn: tuple[str, ...] = ()
    used: set[str] = field(default_factory=set)


def filled(drawing: Drawing, rows: Rows, legend: Legend) -> Level | None:
    """Return a level as its rows draw it; None after an error about a letter."""
    text, width = "".join(rows.texts), len(rows.texts[0])
    legend.used.update(text)
    unknown = set(text) - set(legend.letters)
    _report_unknown(unknown, drawing, rows, legend)
    if unknown and legend.report.is_stuck:
        return None
    text = text.translate({ord(char): "." for char in unknown})
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    tiles = np.zeros(len(text), dtype=np.int32)
    patterns: list[tuple[int, Kind, dict[str, n.Expression]]] = []
    things: list[Thing] = []
    for char in sorted(set(text)):
        letter = legend.letters[char]
        where = np.flatnonzero(points == ord(char))
        tiles[where] = letter.tile.code
        if letter.tile_attributes:
            patterns.extend((int(cell), letter.tile, letter.tile_attributes) for cell in where)
        if letter.thing is not None:
            things.extend(Thing(letter.thing, int(cell), letter.attributes) for cell in where)
    things.sort(key=lambda thing: thing.cell)
    return Level(
        name=drawing.name,
        width=width,
        height=len(rows.texts),
        tiles=tiles,
        span=drawing.span,
        objects=tuple(thing for thing in things if thing.kind.category != "agent"),
        starts=tuple(thing for thing in things if thing.kind.category == "agent"),
        tile_patterns=tuple(patterns),
        barriers=rows.barriers,
        glyphs=text,
    )


def _report_unknown(unknown: set[str], drawing: Drawing, rows: Rows, legend: Legend) -> None:
    """Report each letter that the legend does not name, once; or a comment behind a row, instead of its letters."""
    if len(unknown) > 1 and (found := comment_in(rows.texts)) is not None and not drawing.walled:
        y, x = found
        span = Span(rows.spans[y].source, rows.spans[y].start + x, rows.spans[y].end)
        help = "`#` is wall in a map, and starts no comment: write it above `map:`"
        legend.report.add("unknown-glyph", span, glyph=rows.texts[y][x + 1 :].strip()[:20], help=help)
        return
    text, width = "".join(rows.texts), len(rows.texts[0])
    for char in sorted(unknown):
        y, x = divmod(text.index(char), width)
        at = 2 * x + 1 if drawing.walled else x
        span = Span(rows.spans[y].source, rows.spans[y].start + at, rows.spans[y].start + at + 1)
        legend.report.add("unknown-glyph", span, glyph=char, help=_letter_meant(char, text, rows, legend))


def _letter_meant(char: str, text: str, rows: Rows, legend: Legend) -> str:
    """Return what a letter that the legend does not name may be."""
    letters, other = legend.letters, char.swapcase()
    if char in "'\"" and all(row.strip()[:1] == char for row in rows.texts):
        return "the rows of a map stand without quotes and commas"
    if other != char and other in letters and other not in text:
        return f"the legend names `{other}`: write the same letter in both"
    if legend.agent_missing and char in AGENT_LETTERS and text.count(char) == 1:
        return f"add it to the legend: `{char} = agent`, as nothing places the agent; `@` is one without a legend"
    meant = [name for name in legend.undrawn if name[0].lower() == char.lower()]
    if len(meant) == 1:
        return f"add it to the legend: `{char} = {meant[0]}`"
    help = "a tab? draw with blanks" if char == "\t" else f"add it to the legend: `{quoted_sign(char)} = ...`"
    return f"{help}; `{other}` is another glyph" if other != char and other in letters else help
