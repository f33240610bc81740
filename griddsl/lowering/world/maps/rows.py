"""Rows of a map: whether they are of one length, and what was meant to be no part of them."""

from __future__ import annotations

import re
from collections import Counter

from griddsl.diagnostics import Label, Report
from griddsl.source import Span


def comment_in(rows: tuple[str, ...]) -> tuple[int, int] | None:
    """Return where a row of a map seems to have a comment behind it, or None."""
    for y, row in enumerate(rows):
        found = re.search(r"\s(#|//)\s*[A-Za-z]{2,}[\w ,.]*\Z", row.rstrip())
        if found is not None:
            return y, found.start(1)
    return None


def is_even(rows: tuple[str, ...], spans: tuple[Span, ...], report: Report) -> bool:
    """Whether all rows have one length; the first that has not that of most is reported."""
    widths = Counter(len(row) for row in rows)
    width = max(widths, key=lambda each: (widths[each], each == len(rows[0])))
    at = next((at for at, row in enumerate(rows) if len(row) != width), None)
    if at is None:
        return True
    more = width - len(rows[at])
    cells = "one cell" if abs(more) == 1 else f"{abs(more)} cells"
    too_long = f"leave {cells} out, or draw the other rows as long"
    whole = rows.index(next(row for row in rows if len(row) == width))
    report.add(
        "ragged-map",
        spans[at],
        found=len(rows[at]),
        others="the first has" if len(rows[0]) == width else "most have",
        expected=width,
        labels=[Label(spans[whole], f"{width} cells")],
        help=f"draw {cells} more: floor is `.`" if more > 0 else too_long,
    )
    return False
