"""Layout: a text, or some of its statements, as `griddsl fmt` has it; maps whose rows are of one width."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from lsprotocol import types as lsp

from griddsl.diagnostics import Report
from griddsl.editor.text import SpecText
from griddsl.source import Source
from griddsl.syntax.document import Statement
from griddsl.syntax.formatting.convert import laid_out
from griddsl.syntax.formatting.formatter import format_document
from griddsl.syntax.reader import read_document


def formatted(spec: SpecText) -> list[lsp.TextEdit]:
    """Return what changes a whole text to its canonical layout; nothing where it has syntax errors."""
    if spec.is_large:
        return []
    text, document = spec.source.text, spec.document
    if spec.report.has_errors:
        return []
    found = laid_out(document, Report())
    return [] if found == text else [_change(spec, 0, len(text), found)]


def formatted_range(spec: SpecText, wanted: lsp.Range) -> list[lsp.TextEdit]:
    """Return the same for the statements that a range touches; in TOML for its lines, where that is no other spec."""
    if spec.is_large:
        return []
    return list(_lines_in_toml(spec, wanted) if spec.source.is_toml else _statements_in(spec, wanted))


def _statements_in(spec: SpecText, wanted: lsp.Range) -> Iterator[lsp.TextEdit]:
    for statement in spec.document.statements:
        start, end = statement.keyword_span.start, spec.last_offset(statement)
        lines = spec.range(start, end)
        if lines.end.line < wanted.start.line or lines.start.line > wanted.end.line:
            continue
        written = spec.source.text[start:end]
        report = Report()
        document = read_document(Source(f"{spec.name}.grid", written + "\n"), report)
        found = written if report.has_errors else format_document(document, report).removesuffix("\n")
        if found != written and not report.has_errors:
            yield _change(spec, start, end, found)


def _lines_in_toml(spec: SpecText, wanted: lsp.Range) -> Iterator[lsp.TextEdit]:
    """Yield what differs in a range; nothing where the rest of the layout has to change with it, as where keys move."""
    document = spec.document
    if spec.report.has_errors:
        return
    whole = laid_out(document, Report())
    old, new = spec.source.text.splitlines(keepends=True), whole.splitlines(keepends=True)
    starts = list(accumulate(map(len, old), initial=0))
    changes = [
        (first, last, "".join(new[start:end]))
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal" and first <= wanted.end.line and max(last - 1, first) >= wanted.start.line
    ]
    lines = list(old)
    for first, last, text in reversed(changes):
        lines[first:last] = [text]
    report = Report()
    changed = read_document(Source(spec.name, "".join(lines)), report)
    if not report.has_errors and laid_out(changed, Report()) == whole:
        for first, last, text in changes:
            yield _change(spec, starts[first], starts[last], text)


def _change(spec: SpecText, start: int, end: int, text: str) -> lsp.TextEdit:
    """Return an edit without what is alike at its ends, so that cursors stay where they are."""
    old = spec.source.text[start:end]
    first = 0
    while first < min(len(old), len(text)) and old[first] == text[first]:
        first += 1
    last = 0
    while last < min(len(old), len(text)) - first and old[-1 - last] == text[-1 - last]:
        last += 1
    return lsp.TextEdit(spec.range(start + first, end - last), text[first : len(text) - last])


def squared(spec: SpecText, statement: Statement) -> list[lsp.TextEdit]:
    """Return what fills the rows of a map up to the longest of them: with walls where it is walled in, else floor."""
    rows = [row for row in statement.rows if row.span().source is spec.source]
    width = max((len(row.text) for row in rows), default=0)
    if not rows or statement.head.text.startswith("walled"):
        return []
    edits = []
    for row in rows:
        missing = width - len(row.text)
        if not missing:
            continue
        if set(row.text.strip()) == {"#"}:
            at, filling = len(row.text), "#" * missing
        elif len(row.text) > 1 and row.text.endswith("#"):
            at, filling = len(row.text) - 1, "." * missing
        else:
            at, filling = len(row.text), "." * missing
        place = row.span().start + at
        edits.append(lsp.TextEdit(spec.range(place, place), filling))
    return edits
