"""Painting: maps as they stand in a spec's text, and what changes in it where a cell or the size does.

Only the rows of a map change: comments, blanks and all other statements stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from griddsl.diagnostics import Refused, Report
from griddsl.source import Source
from griddsl.syntax.document import Statement
from griddsl.syntax.reader import read_document

FLOOR, WALL = ".", "#"
LARGEST_SIDE = 256


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a map: where it starts in the text, and what it says."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map in a text: its name, empty for the only one, and its rows; a walled one has its edges between cells."""

    name: str
    rows: tuple[Row, ...]
    is_walled: bool

    @property
    def cells(self) -> list[str]:
        """The glyphs of each row of cells."""
        if not self.is_walled:
            return [row.text for row in self.rows]
        return [row.text[1::2] for row in self.rows if row.text.startswith(("|", ":"))]

    @property
    def has_frame(self) -> bool:
        """Whether walls stand all around."""
        cells = self.cells
        ends = {row[0] + row[-1] for row in cells if row}
        return len(cells) > 2 and set(cells[0] + cells[-1]) == {WALL} and ends == {WALL * 2}


def maps_of(source: Source) -> list[DrawnMap]:
    """Return the maps that a text draws, in order; none of a text that cannot be read."""
    found = []
    for statement in read_document(source, Report()).statements:
        if statement.keyword == "map" and statement.rows:
            found.append(_drawn(statement, source))
    return found


def _drawn(statement: Statement, source: Source) -> DrawnMap:
    rows = tuple(Row(span.start, row.text) for row in statement.rows if (span := row.span()).source is source)
    return DrawnMap(statement.name, rows, statement.head.text.split(" ")[0] == "walled")


def painted(source: Source, number: int, cells: Iterable[tuple[int, int, str]]) -> str:
    """Return a text in which cells ``(x, y, glyph)`` of a map show other glyphs.

    Raises `Refused` for a cell off the map, a glyph that is not one printable character, or a row that is written
    in another way than it is read.
    """
    drawn = _map(source, number)
    text = source.text
    lines = [row for row in drawn.rows if not drawn.is_walled or row.text.startswith(("|", ":"))]
    for x, y, glyph in cells:
        if len(glyph) != 1 or not glyph.isprintable() or glyph in '"\\' or glyph.isspace():
            raise Refused(f"{glyph!r} is no glyph")
        column = 2 * x + 1 if drawn.is_walled else x
        if not (0 <= y < len(lines) and x >= 0 and column < len(lines[y].text)):
            raise Refused(f"({x}, {y}) is off the map")
        at = lines[y].start + column
        text = text[:at] + glyph + text[at + 1 :]
    return text


def resized(source: Source, number: int, width: int, height: int) -> str:
    """Return a text in which a map has another size; what is added is floor, inside the walls where they stand around.

    Raises `Refused` for a size that no map has, and for a map with walls between its cells.
    """
    drawn = _map(source, number)
    if drawn.is_walled:
        raise Refused("a map with walls between its cells is resized in its text")
    if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise Refused(f"a map has 1 to {LARGEST_SIDE} cells a side")
    inner = 1 if drawn.has_frame else 0
    text, rows = source.text, list(drawn.rows)
    if inner and (width < 3 or height < 3):
        raise Refused("the walls around need at least 3 cells a side")
    changes: list[tuple[int, int, str]] = []
    for row in rows:
        filling = WALL if inner and set(row.text) == {WALL} else FLOOR
        end = row.start + len(row.text) - inner
        if len(row.text) < width:
            changes.append((end, end, filling * (width - len(row.text))))
        elif len(row.text) > width:
            changes.append((end - (len(row.text) - width), end, ""))
    if height > len(rows):
        after = rows[len(rows) - 1 - inner]
        line_start, line_end = text.rfind("\n", 0, after.start) + 1, _line_end(text, after.start)
        row_text = WALL + FLOOR * (width - 2) + WALL if inner else FLOOR * width
        line = "\n" + text[line_start : after.start] + row_text
        changes.append((line_end, line_end, line * (height - len(rows))))
    for row in rows[height - inner : len(rows) - inner] if height < len(rows) else ():
        line_start = text.rfind("\n", 0, row.start)
        changes = [change for change in changes if not line_start < change[0] <= _line_end(text, row.start)]
        changes.append((line_start, _line_end(text, row.start), ""))
    # From the end; at one place the new lines first, for what is put there later stands before them.
    for start, end, put in sorted(
        changes, key=lambda each: (each[0], each[2].startswith("\n")), reverse=True
    ):
        text = text[:start] + put + text[end:]
    return text


def _map(source: Source, number: int) -> DrawnMap:
    maps = maps_of(source)
    if not 0 <= number < len(maps):
        raise Refused("the text draws no such map")
    drawn = maps[number]
    for row in drawn.rows:
        if source.text[row.start : row.start + len(row.text)] != row.text:
            raise Refused("this map is written with escapes: it is changed in its text")
    return drawn


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
