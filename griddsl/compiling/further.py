"""Further: the other mistakes of a text that could not be read to its end, without those that follow from the first.

What is broken is left out, statement by statement, of rules and setup line by line, and the rest is read on: a clause
that does not parse is found in the same run as a statement without its colon, and a name that nothing declares in the
same run as both.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

from griddsl.compiling.pruned import Pruned, pruned
from griddsl.diagnostics import Diagnostic, Report, near
from griddsl.source import Source
from griddsl.spec.build import build
from griddsl.spec.models import GridSpec
from griddsl.spec.statements.choices import CHOICES
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS, leading_word
from griddsl.syntax.reader import read_document

# Statements that declare nothing: what is said of the others does not hang on them.
SILENT = frozenset(
    {
        *RULE_WORDS,
        *CHOICES,
        *(
            "allow",
            "info",
            "limit",
            "look",
            "mission",
            "observe",
            "order",
            "score",
            "slip",
            "sticky",
            "variant",
        ),
    }
)
# What can be said of a clause whatever stands in the others.
OF_CLAUSES = frozenset(
    {
        "bad-chance",
        "bad-chances",
        "bad-domain",
        "bad-value",
        "duplicate-glyph",
        "duplicate-name",
        "hidden-word",
        "numbers-with-is",
        "param-value",
        "reserved-name",
        "syntax",
        "type",
        "unknown-attribute",
        "unknown-function",
        "unknown-glyph",
        "unknown-level",
        "unknown-name",
        "unknown-param",
        "unknown-property",
        "unknown-word",
        "words-with-equals",
        "wrong-arguments",
        "wrong-place",
        "wrong-property",
    }
)
# What can be said of a clause even where a statement is left out that declares something.
OF_THEMSELVES = frozenset(
    {
        *("bad-chance", "bad-chances", "bad-domain", "bad-value", "duplicate-glyph", "duplicate-name"),
        *("numbers-with-is", "reserved-name", "unknown-function", "unknown-property", "wrong-property"),
    }
)
# Warnings of how something is spelt, which are said beside errors too.
OF_SPELLING = frozenset({"near-outcome", "turned-sign"})
# Codes of errors that are about a name, which is where they point.
NAMING = frozenset({"duplicate-name", "once-named", "reserved-name", "unknown-attribute", "unknown-name"})
STAND_INS = {
    "env": "env: stand/In-v0\n",
    "observe": "observe: cell\n",
    "map": "map:\n    @\n",
    "actions": "actions: up, right, down, left\n",
}
_START = re.compile(r"^(?=[^\s#])", re.MULTILINE)


def look_further(document: Document, arguments: dict[str, Any], report: Report, folder: Path | None) -> None:
    """Add what is wrong with the statements of a document that nothing was said of yet."""
    source = document.source
    broken = _broken(document, report)
    if report.is_full or any(each.code.startswith("too-") for each in report):
        return
    if any(
        statement.keyword == "use" and _start(statement, source) in broken
        for statement in document.statements
    ):
        _forget_what_follows(report)
        return
    left = list(_pruned(document, report))
    rest = _with_stand_ins(_unbroken(document, report, left), report)
    found = Report()
    spec = build(rest, found, folder)
    if spec is None:
        names = _words(document, report)
        said = (each for each in found if each.code != "missing-statement")
        _add(
            report,
            [each for each in said if each.code != "unknown-effect" or each.span.text not in names],
            source,
        )
        if any(each.is_error and each.code == "missing-statement" for each in found):
            return
        left = list(_pruned(document, report))
        rest = _with_stand_ins(_unbroken(document, report, left), report)
        spec = build(rest, Report(), folder)
    if spec is not None:
        spec._left_out = _words(document, report)
        codes = OF_CLAUSES if _declares_all(document, report) else OF_THEMSELVES
        look_behind(document, spec.with_arguments(arguments), report, codes, left)


def look_behind(
    document: Document,
    spec: GridSpec,
    report: Report,
    codes: frozenset[str] = OF_CLAUSES,
    left: Sequence[Pruned] = (),
) -> None:
    """Add what is wrong with the clauses of a spec whose map, legend or names have errors, or that was read in part.

    The world is made as well as can be: a glyph that means nothing is floor there, and of a name that stands twice
    the first counts. What speaks of a name that an error is about is not spoken of.
    """
    from griddsl.lowering.lower import lower

    blamed = {word for each in report if each.is_error for word in _blamed(each, document)}
    blamed |= {word for word in spec.left_out if codes is OF_THEMSELVES and not word.isdigit()}
    # `self.away` is there where a rule says `out for N steps`, which may be left out here.
    blamed |= {"away"} if re.search(r"\bout\b", document.source.text) else set()
    spoken_of = {glyph for each in report for glyph in re.findall(r"the map shows `(.)`", each.help or "")}
    found = Report(lenient=True)
    lower(spec, found)
    misspelt = {each.span.start: each.code for each in reversed(list(found)) if is_misspelt(each)}
    _add(
        report,
        [
            reduce(lambda said, part: part.tells(said), left, each)
            for each in found
            if (each.code in codes | OF_SPELLING or (codes is OF_CLAUSES and is_misspelt(each)))
            and all(part.allows(each) for part in left)
            # A kind that is misspelt is no kind of anything: what follows from that is no mistake of its own.
            and misspelt.get(each.span.start, each.code) == each.code
            and not blamed & set(re.findall(r"\w+", each.span.text))
            and not (each.code == "unknown-glyph" and each.span.text in spoken_of)
        ],
        spec.source,
    )


def _blamed(diagnostic: Diagnostic, document: Document) -> list[str]:
    """Return the names that an error is about: what it points at where that is a name, and what it declares."""
    place = diagnostic.span
    words = re.findall(r"[A-Za-z_]\w*", place.text)
    start = max((start for start in _starts(document) if start <= place.start), default=0)
    statement = place.source.text[start : place.end]
    if statement.startswith("actions"):
        return re.findall(r"[A-Za-z_]\w*", place.source.text[start:].splitlines()[statement.count("\n")])
    declaration = (
        r'"?(\w+)' if place.source.is_toml else r"(?:tile|object|var|region|param|agent|define)\s+(\w+)"
    )
    declared = re.match(declaration, statement)
    pointed_at = diagnostic.code in NAMING or (diagnostic.code == "type" and words == [place.text])
    return [*(words if pointed_at else ()), *([declared[1]] if declared is not None else ())]


def _forget_what_follows(report: Report) -> None:
    """Take back what may be said only because a library was not found: it would have brought statements and names."""
    report.diagnostics = [
        each for each in report.diagnostics if each.code not in {"missing-statement", "unknown-effect"}
    ]


def is_misspelt(diagnostic: Diagnostic) -> bool:
    """Whether a kind is named once, or is nowhere, and nearly as another is: what was left out does not speak of it."""
    if diagnostic.code == "never-placed":
        return diagnostic.is_error
    return diagnostic.code == "once-named" and str(diagnostic.help).startswith("did you mean")


def _with_stand_ins(document: Document, report: Report) -> Document:
    """Return a document with stand-ins for the statements of which it was said that they are missing."""
    missing = [each.message for each in report if each.code == "missing-statement"]
    lines = [line for word, line in STAND_INS.items() if any(f"`{word}`" in message for message in missing)]
    if not lines:
        return document
    stand_in = read_document(Source("", "".join(lines)), Report())
    return replace(document, statements=(*document.statements, *stand_in.statements))


def _unbroken(document: Document, report: Report, left: Sequence[Pruned] = ()) -> Document:
    """Return the statements of a document in whose lines no error lies, and what is left of others."""
    broken = _broken(document, report)
    kept = {each.start: each.statement for each in left}
    statements = [
        kept.get(start, each)
        for each in document.statements
        if (start := _start(each, document.source)) not in broken or start in kept
    ]
    return replace(document, statements=tuple(statements))


def _pruned(document: Document, report: Report) -> Iterator[Pruned]:
    """Yield what is left of the rules and blocks in which an error lies."""
    source, broken = document.source, _broken(document, report)
    following = dict(itertools.pairwise([*_starts(document), len(source.text)]))
    for statement in document.statements:
        start = _start(statement, source)
        if start not in broken:
            continue
        end = following[start]
        errors = (
            each
            for each in report
            if each.is_error and each.span.source is source and start <= each.span.start < end
        )
        left = pruned(statement, end, errors)
        if left is not None:
            yield left


def _starts(document: Document) -> list[int]:
    """Return where the statements of a document start."""
    source = document.source
    if source.is_toml:
        known = (start for each in document.statements if (start := _start(each, source)) >= 0)
        return sorted({*known, *document.unread})
    return [match.start() for match in _START.finditer(source.text)]


def _broken(document: Document, report: Report) -> set[int]:
    """Return where the statements start in which an error lies; one is all from column 0 to what is there next."""
    source, starts = document.source, _starts(document)
    errors = [
        each.span.start
        for each in report
        if each.is_error and each.span.source is source and each.code != "missing-statement"
    ]
    return {max((start for start in starts if start <= error), default=0) for error in errors}


def _words(document: Document, report: Report) -> frozenset[str]:
    """Return the words of the statements in which an error lies."""
    source = document.source
    following = dict(itertools.pairwise([*_starts(document), len(source.text)]))
    texts = (source.text[start : following.get(start)] for start in _broken(document, report))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def _start(statement: Statement, source: Source) -> int:
    return statement.keyword_span.start if statement.keyword_span.source is source else -1


def _declares_all(document: Document, report: Report) -> bool:
    """Whether all that was left out declares nothing: rules, and what else no other statement speaks of."""
    kept = {_start(statement, document.source) for statement in _unbroken(document, report).statements}
    left_out = [each.keyword for each in document.statements if _start(each, document.source) not in kept]
    known = {_start(statement, document.source) for statement in document.statements}
    left_out += [_meant(document, report, start) for start in _broken(document, report) - known]
    return all(keyword in SILENT for keyword in left_out)


def _meant(document: Document, report: Report, start: int) -> str:
    """Return the keyword that a line which is no statement was to begin with, as its help says; empty where unknown."""
    said = [each for each in report if each.code == "unknown-statement" and each.span.start == start]
    if said and said[0].fixes:
        return leading_word(said[0].fixes[0].replacement)
    return next(iter(near(leading_word(document.source.text[start:]), STATEMENTS)), "")


def _add(report: Report, found: list[Diagnostic], source: Source) -> None:
    """Add errors that lie in the text itself, and what is said of its spelling."""
    for diagnostic in found:
        if (diagnostic.is_error or diagnostic.code in OF_SPELLING) and diagnostic.span.source is source:
            report.take(diagnostic)
