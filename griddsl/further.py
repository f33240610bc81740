"""Further: the other mistakes of a text that could not be read to its end, without those that follow from the first.

What is broken is left out, statement by statement, and the rest is read on: a clause that does not parse is found in
the same run as a statement without its colon, and a name that nothing declares in the same run as both.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from griddsl.diagnostics import Diagnostic, Report, near
from griddsl.source import Source
from griddsl.spec.build import build
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from griddsl.syntax.layout import Document, Statement
from griddsl.syntax.reader import read_document

# Statements that declare nothing: what is said of the others does not hang on them.
SILENT = frozenset({*RULE_WORDS, "allow", "info", "look", "slip", "sticky", "variant"})
# What can be said of a clause whatever stands in the others.
OF_CLAUSES = frozenset(
    {
        "hidden-word",
        "numbers-with-is",
        "reserved-name",
        "type",
        "unknown-attribute",
        "unknown-function",
        "unknown-glyph",
        "unknown-name",
        "unknown-property",
        "unknown-word",
        "words-with-equals",
        "wrong-arguments",
        "wrong-place",
        "wrong-property",
    }
)
_START = re.compile(r"^(?=[^\s#])", re.MULTILINE)


def look_further(document: Document, arguments: dict[str, Any], report: Report, folder: Path | None) -> None:
    """Add what is wrong with the statements of a document that nothing was said of yet."""
    source = document.source
    if source.is_toml or report.is_full or any(each.code.startswith("too-") for each in report):
        return
    rest = _with_observe(_unbroken(document, report), report)
    found = Report()
    spec = build(rest, found, folder)
    if spec is None:
        names = _words(source, report)
        said = (each for each in found if each.code != "missing-statement")
        _add(
            report,
            [each for each in said if each.code != "unknown-effect" or each.span.text not in names],
            source,
        )
        if any(each.is_error and each.code == "missing-statement" for each in found):
            return
        rest = _with_observe(_unbroken(document, report), report)
        spec = build(rest, Report(), folder)
    if spec is not None and _declares_all(document, rest, report):
        from griddsl.lowering.lower import lower

        found = Report()
        spec._left_out = _words(source, report)
        lower(spec.with_arguments(arguments), found)
        _add(report, [each for each in found if each.code in OF_CLAUSES or _is_misspelt(each)], source)


def _is_misspelt(diagnostic: Diagnostic) -> bool:
    """Whether a kind is named once and nearly as another is: what was left out does not speak of it."""
    return diagnostic.code == "once-named" and str(diagnostic.help).startswith("did you mean")


def _with_observe(document: Document, report: Report) -> Document:
    """Return a document with an observation where it was said that there is none: the rest hangs on none."""
    if not any(each.code == "missing-statement" and "`observe`" in each.message for each in report):
        return document
    stand_in = read_document(Source("", "observe: cell\n"), Report())
    return replace(document, statements=(*document.statements, *stand_in.statements))


def _unbroken(document: Document, report: Report) -> Document:
    """Return the statements of a document in whose lines no error lies."""
    broken = _broken(document.source, report)
    statements = [each for each in document.statements if _start(each, document.source) not in broken]
    return replace(document, statements=tuple(statements))


def _starts(source: Source) -> list[int]:
    return [match.start() for match in _START.finditer(source.text)]


def _broken(source: Source, report: Report) -> set[int]:
    """Return where the statements start in which an error lies; one is all from column 0 to what is there next."""
    starts = _starts(source)
    errors = [
        each.span.start
        for each in report
        if each.is_error and each.span.source is source and each.code != "missing-statement"
    ]
    return {max((start for start in starts if start <= error), default=0) for error in errors}


def _words(source: Source, report: Report) -> frozenset[str]:
    """Return the words of the statements in which an error lies."""
    following = dict(itertools.pairwise([*_starts(source), len(source.text)]))
    texts = (source.text[start : following.get(start)] for start in _broken(source, report))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def _start(statement: Statement, source: Source) -> int:
    return statement.keyword_span.start if statement.keyword_span.source is source else -1


def _declares_all(document: Document, rest: Document, report: Report) -> bool:
    """Whether all that was left out declares nothing: rules, and what else no other statement speaks of."""
    kept = {_start(statement, document.source) for statement in rest.statements}
    left_out = [each.keyword for each in document.statements if _start(each, document.source) not in kept]
    known = {_start(statement, document.source) for statement in document.statements}
    for start in _broken(document.source, report) - known:
        word = re.compile(r"\w*").match(document.source.text, start)
        meant = near(word.group(), STATEMENTS) if word is not None else []
        left_out.append(meant[0] if meant else "")
    return all(keyword in SILENT for keyword in left_out)


def _add(report: Report, found: list[Diagnostic], source: Source) -> None:
    """Add errors that lie in the text itself."""
    for diagnostic in found:
        if diagnostic.is_error and diagnostic.span.source is source:
            report.take(diagnostic)
