"""Problems: diagnostics as an editor takes them, and what can be said of a text within the time of a key press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp

from griddsl.diagnostics import Diagnostic, Report
from griddsl.editor.text import SpecText
from griddsl.source import CONTROL, Span
from griddsl.syntax.document import Line, Statement
from griddsl.syntax.keywords import LEVEL_FILES, STATEMENTS

PAGE = "https://github.com/griddsl/griddsl/blob/main/docs/diagnostics.md"
# What a file that others use need not have.
OF_WHOLE_SPECS = frozenset({"missing-statement"})


def quick_check(spec: SpecText) -> list[Diagnostic]:
    """Return what reading and building a text shows, without working out what it means."""
    from griddsl.spec.build import build

    if spec.is_large or CONTROL.search(spec.source.text):
        return []
    document, report = spec.document, Report()
    for each in spec.report.diagnostics:
        report.take(each)
    if not report.has_errors:
        rest = tuple(each for each in document.statements if not _is_clean_rule(each))
        build(replace(document, statements=rest), report, spec.folder)
    return [each for each in report if not (each.code in OF_WHOLE_SPECS and is_library(spec))]


_clean: dict[tuple[object, ...], None] = {}  # rules that were read without a word, by their texts
MOST_CLEAN = 10_000


def _is_clean_rule(statement: Statement) -> bool:
    """Whether a statement is a rule of which reading finds nothing to say: rules declare nothing for the others."""
    from griddsl.spec.statements.rules import rule_of

    if STATEMENTS[statement.keyword].head != "rule":
        return False
    key = (statement.keyword, statement.head.text, statement.items.text, *map(_shape, statement.block))
    if key not in _clean:
        report = Report()
        rule_of(statement, report)
        if report.diagnostics:
            return False
        while len(_clean) >= MOST_CLEAN:
            del _clean[next(iter(_clean))]
        _clean[key] = None
    return True


def _shape(line: Line) -> tuple[object, ...]:
    return line.text.text, None if line.tail is None else line.tail.text, *map(_shape, line.block)


def is_library(spec: SpecText) -> bool:
    """Whether a text holds what others use: it has statements, and no `env`, map or generator."""
    keywords = {statement.keyword for statement in spec.document.statements}
    return bool(keywords) and not keywords & {"env", "map", *LEVEL_FILES, "generate", "actions"}


def mine(spec: SpecText, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics that lie in a text itself."""
    return (each for each in found if each.span.source.name == spec.name)


def problems(spec: SpecText, found: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
    """Return diagnostics as the protocol has them; what lies in a file that is used is told at its `use`."""
    return [as_problem(spec, each) for each in found]


def as_problem(spec: SpecText, diagnostic: Diagnostic) -> lsp.Diagnostic:
    """Return one diagnostic, with its help, its other places and the page of its code."""
    message = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    if diagnostic.picture:
        message += f"\n{diagnostic.picture}"
    related = [_related(spec, label.span, label.text) for label in diagnostic.labels]
    span = diagnostic.span
    if span.source.name != spec.name:
        message = f"in {Path(span.source.name).name}: {message}"
        related.append(_related(spec, span, diagnostic.message))
        place = _use_of(spec, Path(span.source.name))
    else:
        place = spec.range(span.start, max(span.end, span.start + 1) if span.text != "\n" else span.end)
    return lsp.Diagnostic(
        place,
        message,
        severity=lsp.DiagnosticSeverity.Error if diagnostic.is_error else lsp.DiagnosticSeverity.Warning,
        code=diagnostic.code,
        code_description=lsp.CodeDescription(f"{PAGE}#{diagnostic.code}"),
        source="griddsl",
        related_information=related or None,
    )


def _related(spec: SpecText, span: Span, text: str) -> lsp.DiagnosticRelatedInformation:
    if span.source.name == spec.name:
        place = lsp.Location(spec.uri, spec.range_of(span))
    else:
        line, column = span.source.position(span.start)
        start = lsp.Position(line - 1, column - 1)
        path = Path(span.source.name)
        uri = path.absolute().as_uri() if path.suffix else spec.uri
        place = lsp.Location(uri, lsp.Range(start, start))
    return lsp.DiagnosticRelatedInformation(place, text)


def _use_of(spec: SpecText, path: Path) -> lsp.Range:
    """Return the place of the statement that brings a file; that of the start where none is found."""
    for statement in spec.document.statements:
        if statement.keyword in {"use", *LEVEL_FILES}:
            for text in statement.texts():
                if path.stem in text.text or statement.keyword in LEVEL_FILES:
                    return spec.range_of(text.span())
    return spec.range(0, 0)
