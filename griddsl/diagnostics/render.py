"""Diagnostics for a reader: text with carets, JSON for tools, GitHub workflow commands."""

from __future__ import annotations

import json
from collections.abc import Iterable

from griddsl.diagnostics.diagnostic import Diagnostic
from griddsl.source import Span, visible

WIDEST = 120


def to_text(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the diagnostics as text, each with its source line and carets, an empty line between them."""
    return "\n\n".join(_block(diagnostic) for diagnostic in diagnostics)


def to_json(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON array with one object a diagnostic; lines and columns are 1-based, ends exclusive."""
    return json.dumps([_record(diagnostic) for diagnostic in diagnostics], indent=2, ensure_ascii=False)


def to_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one GitHub workflow command a diagnostic, so that it shows on the line of a pull request."""
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _block(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    line, column = span.source.position(span.start)
    width = max(len(str(place.line)) for place in _places(diagnostic))
    margin = " " * width
    lines = [
        f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}",
        f"{margin}--> {visible(span.source.name)}:{line}:{column}",
        f"{margin} |",
        *_excerpt(span, "^", "", width),
    ]
    shown = span.source.name
    for label in diagnostic.labels:
        if label.span.source.name != shown:
            shown = label.span.source.name
            place = label.span.source.position(label.span.start)
            lines.append(f"{margin}::: {visible(shown)}:{place[0]}:{place[1]}")
        lines.extend(_excerpt(label.span, "-", visible(label.text), width))
    if diagnostic.picture:
        lines.append(f"{margin} |")
        lines.extend(f"{margin} | {visible(row)}".rstrip() for row in diagnostic.picture.splitlines())
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(lines)


def _places(diagnostic: Diagnostic) -> list[Span]:
    return [diagnostic.span, *(label.span for label in diagnostic.labels)]


def _excerpt(span: Span, mark: str, text: str, width: int) -> list[str]:
    """Draw the first line of a span, cut to a window around it where the line is very long."""
    number, column = span.source.position(span.start)
    source_line = span.source.line(number)
    start = column - 1
    end = max(start + 1, min(start + (span.end - span.start), len(source_line)))
    first = 0 if len(source_line) <= WIDEST else max(0, start - WIDEST // 3)
    shown = visible(source_line[first : first + WIDEST])
    before = "... " if first else ""
    after = " ..." if first + WIDEST < len(source_line) else ""
    carets = mark * max(1, min(end, first + WIDEST) - start)
    pad = " " * (len(before) + start - first)
    return [
        f"{number:>{width}} | {before}{shown}{after}".rstrip(),
        f"{' ' * width} | {pad}{carets} {text}".rstrip(),
    ]


def _record(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **_location(diagnostic.span),
        "help": diagnostic.help,
        "fixes": [{"replacement": fix.replacement, **_location(fix.span)} for fix in diagnostic.fixes],
        "labels": [{"text": label.text, **_location(label.span)} for label in diagnostic.labels],
    }


def _location(span: Span) -> dict[str, object]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _command(diagnostic: Diagnostic) -> str:
    place = _location(diagnostic.span)
    message = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    properties = {
        "file": place["file"],
        "line": place["line"],
        "endLine": place["end_line"],
        "col": place["column"],
        "endColumn": place["end_column"],
        "title": f"griddsl {diagnostic.code}",
    }
    fields = ",".join(f"{key}={_escape(str(value), in_property=True)}" for key, value in properties.items())
    return f"::{diagnostic.severity} {fields}::{_escape(message)}"


def _escape(text: str, in_property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if in_property else text
