"""Edges: a drawing with walls between its cells as rows of cells, and which edges are walls."""

from __future__ import annotations

from typing import NamedTuple

from griddsl.diagnostics import Report, write
from griddsl.source import Span
from griddsl.spec.models import Drawing


class Rows(NamedTuple):
    """The rows of cells of a drawing, the place of each, and the walls on edges: (cell, direction)."""

    texts: tuple[str, ...]
    spans: tuple[Span, ...]
    barriers: frozenset[tuple[int, int]] = frozenset()


def rows_of(drawing: Drawing, report: Report) -> Rows | None:
    """Return the rows of cells of a drawing, without the border of one that has it; None after an error."""
    return _unwalled(drawing, report) if drawing.walled else Rows(drawing.rows, drawing.spans)


def _unwalled(drawing: Drawing, report: Report) -> Rows | None:
    """Split a drawing with its border into rows of cells (with their places) and walls on edges.

    A row that starts with `+` holds the edges between the rows of cells around it; two rows of cells without one
    between them are open to each other.
    """
    wide = max(len(row) for row in drawing.rows)
    rows = [row.ljust(wide) for row in drawing.rows]
    border = rows[0].startswith("+") and rows[-1].startswith("+")
    if not border or wide % 2 == 0 or wide < 3 or all(row.startswith("+") for row in rows):
        reason = "the drawing needs its whole border: rows of edges, starting with `+`, around an odd number of columns"
        report.add("bad-walls", drawing.span, reason=reason)
        return None
    width = wide // 2
    barriers: set[tuple[int, int]] = set()
    cells, spans = list[str](), list[Span]()
    for index, row in enumerate(rows):
        span = drawing.spans[index]
        if row.startswith("+"):
            if index and rows[index - 1].startswith("+"):
                report.add("bad-walls", span, reason="between two rows of edges stands a row of cells")
                return None
            if cells and index < len(rows) - 1:
                first = (len(cells) - 1) * width
                barriers.update((first + x, 1) for x in range(width) if row[2 * x + 1] == "-")
            continue
        for column in range(0, wide, 2):
            if row[column] not in "|: ":
                here, head = (Span(span.source, span.start + at, span.start + at + 1) for at in (column, 0))
                help = write("+", ": a row of edges starts with it", head) if row[column] in "+-" else None
                report.add("bad-walls", here, reason="an edge between cells is `|`, `:` or blank", help=help)
                return None
            if row[column] == "|" and 0 < column < wide - 1:
                barriers.add((len(cells) * width + column // 2 - 1, 0))
        cells.append(row[1::2])
        spans.append(span)
    return Rows(tuple(cells), tuple(spans), frozenset(barriers))
