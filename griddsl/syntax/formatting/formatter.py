"""Formatter: the canonical text of a ``.grid`` file; comments and the order of statements are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from griddsl.diagnostics import Report
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.formatting.items import Row, head_text, is_plain, one_line, rows_of
from griddsl.syntax.keywords import STATEMENTS
from griddsl.syntax.layout import BLANK
from griddsl.syntax.printer import INDENT

WIDTH = 100
_Output = tuple[str, str]


def format_document(document: Document, report: Report) -> str:
    """Return the canonical ``.grid`` text of a document; its own text, unchanged, where it has errors."""
    text = grid_text(document, report)
    return document.source.text if report.has_errors else text


def grid_text(document: Document, report: Report) -> str:
    """Return the ``.grid`` text of a document of either format; clauses with errors stay as they are."""
    output: list[_Output] = []
    for statement in document.statements:
        output.extend(_notes(statement.above, 0))
        output.extend(_statement(statement, report))
    output.extend(_notes(document.below, 0))
    return "".join(f"{line}\n" for line in _trimmed(_aligned(output)))


# Statements that read as lists: several lines of them stay lines.
KEEP_BLOCKS = frozenset({"define", "once", "setup", "observe"})
# Statements with properties on their line and attributes below it, where they were written so.
KEEP_HEADS = frozenset({"agent", "object", "tile"})
# Statements that stand below each other as a table does: what is too long for one line takes two.
ROWS_OF_TABLES = frozenset({"variant"})


def block_text(rows: Sequence[Row], below: Iterable[str]) -> list[str]:
    """Return rows as the lines of a block of their own, not indented."""
    return _trimmed(_aligned([*_rows(rows, 0), *_notes(below, 0)]))


def _statement(statement: Statement, report: Report) -> Iterator[_Output]:
    head = head_text(statement, report)
    kind = STATEMENTS[statement.keyword].items
    if kind == "rows":
        yield f"{head}: {statement.items.text}".rstrip(), statement.comment
        for row in statement.rows:
            yield f"{INDENT}{row.text}".rstrip(), ""
    elif kind == "raw":
        yield from _raw(head, statement, report)
    elif statement.keyword in KEEP_HEADS and statement.items.text and statement.block:
        yield from _properties_and_attributes(head, statement, report)
    else:
        lists = statement.keyword in KEEP_BLOCKS and not statement.items.text
        written = lists and len(statement.block) > 1
        rows = rows_of(statement, report)
        if statement.keyword in ROWS_OF_TABLES and is_plain(rows, statement.below):
            rows = (Row(one_line(rows)),)
        yield from _block(head, statement.comment, rows, statement.below, 0, written)


def _properties_and_attributes(head: str, statement: Statement, report: Report) -> Iterator[_Output]:
    first = rows_of(replace(statement, block=()), report)
    yield from _block(head, statement.comment, first, (), 0)
    attributes = rows_of(statement, report)[len(first) :]
    yield from _rows(attributes, 1)
    yield from _notes(statement.below, 1)


def _raw(head: str, statement: Statement, report: Report) -> Iterator[_Output]:
    """Lay out texts as they stand: what is on the first line stays there."""
    rows = rows_of(statement, report)
    if not statement.items.text and len(rows) == 1 and is_plain(rows, statement.below):
        yield f"{head}: {rows[0].text}", statement.comment
        return
    yield f"{head}: {statement.items.text}".rstrip(), statement.comment
    yield from _rows(rows[1:] if statement.items.text else rows, 1)
    yield from _notes(statement.below, 1)


def _block(
    head: str, comment: str, rows: Sequence[Row], below: Iterable[str], depth: int, written: bool = False
) -> Iterator[_Output]:
    """Lay out a head with its items: on its line where they fit, else one a line below it.

    A block that was ``written`` as one, of several lines, stays one.
    """
    margin = INDENT * depth
    short = f"{margin}{head}: {one_line(rows)}".rstrip()
    if is_plain(rows, below) and not written and (len(short) <= WIDTH or not rows):
        yield short, comment
        return
    yield f"{margin}{head}:", comment
    yield from _rows(rows, depth + 1)
    yield from _notes(below, depth + 1)


def _rows(rows: Sequence[Row], depth: int) -> Iterator[_Output]:
    for index, row in enumerate(rows):
        above = row.above if index else tuple(_without_first_blank(row.above))
        yield from _notes(above, depth)
        if row.is_head:
            yield from _block(row.text, row.comment, row.rows, row.below, depth, row.is_written)
        else:
            yield f"{INDENT * depth}{row.text}", row.comment


def _without_first_blank(notes: Sequence[str]) -> Sequence[str]:
    return notes[1:] if notes and notes[0] == BLANK else notes


def _notes(notes: Iterable[str], depth: int) -> Iterator[_Output]:
    for note in notes:
        yield (f"{INDENT * depth}{note}" if note else ""), ""


def _aligned(output: Sequence[_Output]) -> list[str]:
    """Return the lines with their comments; those of lines that follow each other start in one column."""
    lines: list[str] = []
    start = 0
    while start < len(output):
        end = start
        while end < len(output) and output[end][1]:
            end += 1
        column = max((len(text) for text, _ in output[start:end]), default=0) + 2
        lines.extend(f"{text:<{column}}{comment}" for text, comment in output[start:end])
        lines.extend(text for text, _ in output[end : end + 1])
        start = end + 1
    return lines


def _trimmed(lines: Iterable[str]) -> list[str]:
    """Return the lines without blank ones at the ends, and with no two of them in a row."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept
