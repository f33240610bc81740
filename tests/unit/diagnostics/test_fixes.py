"""What a help line says to write can be written: applied to the text, it mends what it is said of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import Diagnostic, Fix, Report, to_text
from griddsl.source import Source
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.reader import read_document, read_source
from tests.unit.diagnostics.error_cases import FILES as CASES
from tests.unit.diagnostics.error_cases import diagnostics_of, directives_of

ROOT = Path(__file__).parents[2] / "cases"
MISTAKES = sorted((ROOT / "mistakes").glob("*.txt"))
SNIPPETS = sorted((ROOT / "syntax").glob("*.txt"))
FEWEST_FIXES = {"cases": 40, "mistakes": 100, "snippets": 50}

# Words that stand for what the reader puts there: such a line shows a form, and states no rewrite.
_FORM = re.compile(r"\b(K2?|C|N|NAME|VALUE|WORD|DOMAIN|A|B|CELL|PLACE|E|mine/MyWorld-v0|MyWorld)\b|\.\.\.|''")
_STATES = re.compile(r"(?:^|; |: )(?:write|did you mean|leave|add) `([^`]+)`")

Check = Callable[[str], list[Diagnostic]]


def states_a_rewrite(help: str) -> bool:
    """Whether a help line says what to write, literally."""
    return any(not _FORM.search(found) for found in _STATES.findall(help))


def lines_of(fix: Fix) -> range:
    """Return the numbers of the lines that a rewrite makes."""
    first = fix.span.line
    return range(first, first + fix.replacement.rstrip("\n").count("\n") + 1)


def blame(fix: Fix, before: list[Diagnostic], check: Check) -> list[str]:
    """Return what is wrong on the lines of a rewrite that was not wrong before."""
    known = Counter((found.code, found.message) for found in before)
    mended = next((found for found in before if fix in found.fixes), None)
    if mended is not None:
        known[mended.code, mended.message] -= 1
    left = Counter(
        (found.code, found.message)
        for found in check(fix.applied())
        if (found.is_error or (mended is not None and found.code == mended.code))
        and found.span.line in lines_of(fix)
    )
    return [f"{code}: {message}" for code, message in left - known]


def faults(found: list[Diagnostic], check: Check) -> Iterator[str]:
    """Yield what is wrong with the rewrites of some diagnostics: missing ones, and those that mend nothing."""
    for diagnostic in found:
        named = re.findall(r"`([^`]+)`", diagnostic.message)
        if named and not diagnostic.fixes and not any(name in diagnostic.span.text for name in named):
            continue  # what is misspelt stands elsewhere: a keyword of Python, or a word that was chosen
        if diagnostic.span.through:
            continue  # a definition is mended where it stands, for all who call it
        if diagnostic.help and states_a_rewrite(diagnostic.help) and not diagnostic.fixes:
            yield f"{diagnostic.help!r} states a rewrite and carries none"
        for fix in diagnostic.fixes:
            for fault in blame(fix, found, check):
                yield f"{diagnostic.help!r} puts {fix.replacement!r} for {fix.span.text!r}: {fault}"


def syntax_of(text: str) -> list[Diagnostic]:
    """Return what is said of a text that is no whole spec, up to its clauses."""
    report = Report()
    source = read_source(text, report)
    if source is not None:
        grid_text(read_document(source, report), report)
    return list(report)


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_fixes__of_error_cases_leave_no_error(case: Path, tmp_path: Path) -> None:
    """A case has one mistake: with any rewrite that its help states, it has no error and not the same warning."""
    if directives_of(case).keys() & {"expand", "encoding"}:
        pytest.skip("what is expanded stands not in the file")
    found = diagnostics_of(case, tmp_path)
    draft = case.with_name(f"_draft_of_{case.name}")

    def check(text: str) -> list[Diagnostic]:
        draft.write_text(text, encoding="utf-8")
        try:
            return diagnostics_of(draft, tmp_path)
        finally:
            draft.unlink()

    assert list(faults(found, check)) == []
    for diagnostic in found:
        for fix in diagnostic.fixes:
            left = [each for each in check(fix.applied()) if each.is_error or each.code == diagnostic.code]
            assert to_text(left) == ""


@pytest.mark.parametrize("case_file", MISTAKES, indirect=True, ids=lambda path: path.stem)
def test_mistakes__are_answered_by_what_was_meant(case_file: Any) -> None:
    """Mistakes of beginners have the message that their files show, and what it says to write is right there."""
    found = griddsl.check(f"{case_file.input}\n")
    assert any(diagnostic.is_error for diagnostic in found)
    case_file.check(to_text(found))
    assert list(faults(found, griddsl.check)) == []


@pytest.mark.parametrize("case_file", SNIPPETS, indirect=True, ids=lambda path: path.stem)
def test_fixes__of_snippets_parse(case_file: Any) -> None:
    """What is said to write in place of a part of a clause makes a clause that parses there."""
    assert list(faults(syntax_of(case_file.input), syntax_of)) == []


@pytest.mark.long
def test_fixes__are_stated_often(tmp_path: Path) -> None:
    """The tests above see many rewrites."""
    counts = {
        "cases": sum(len(found.fixes) for case in CASES for found in diagnostics_of(case, tmp_path)),
        "mistakes": sum(len(found.fixes) for file in MISTAKES for found in griddsl.check(_input(file))),
        "snippets": sum(len(found.fixes) for file in SNIPPETS for found in syntax_of(_input(file))),
    }
    assert {name: count for name, count in counts.items() if count < FEWEST_FIXES[name]} == {}


def _input(file: Path) -> str:
    return file.read_text(encoding="utf-8").partition("\n---\n")[0] + "\n"


def test_rewrites__that_are_stated_are_seen() -> None:
    """A line that says what to write is told from one that shows a form."""
    assert states_a_rewrite("write `count(coin)`; `no coin left` asks whether there is none")
    assert states_a_rewrite("did you mean `goal`?")
    assert not states_a_rewrite("write `A if C else B`")
    assert not states_a_rewrite("declare it, as in `var n: 0 in 0..9`")


def test_fix__rewrites_its_span() -> None:
    """A fix puts its replacement in place of its span, and keeps the rest."""
    source = Source("a.grid", "env: a/B-v0\nedge: wrop\n")
    start = source.text.index("wrop")
    assert Fix(source.whole().span(start, start + 4), "wrap").applied() == "env: a/B-v0\nedge: wrap\n"
