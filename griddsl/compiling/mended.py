"""Mended: what else is wrong once the mistakes are mended of which it is sure what was meant.

A clause that does not parse hides what hangs on what it says: of a legend that is left out nobody knows the kinds. What
has a help that states one rewrite is mended by it, the text read once more, and at most once more after that, and what
is wrong with it said at the places that it has in the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from griddsl.compiling.further import OF_CLAUSES, is_misspelt
from griddsl.diagnostics import Diagnostic, Report
from griddsl.diagnostics.diagnostic import Fix, Label
from griddsl.source import Source, Span
from griddsl.syntax.keywords import STATEMENTS

MOST_TIMES = 2  # a mistake is mended behind another one, as the name in an entry that had none


def look_at_mended(
    text: Source, report: Report, compiled: Callable[[Source, Report], object], times: int = MOST_TIMES
) -> None:
    """Add the errors of a text whose mistakes are mended, so many times over, as ``compiled`` finds them."""
    mending = _mending(text, report)
    if mending is None or report.is_full:
        return
    found = Report()
    compiled(mending.made, found)
    if times > 1 and found.has_errors:
        look_at_mended(mending.made, found, compiled, times - 1)
    for diagnostic in found:
        moved = mending.moved(diagnostic)
        if moved is not None and _is_news(moved, report):
            report.take(moved)


def _is_news(diagnostic: Diagnostic, report: Report) -> bool:
    """Whether an error says what none did, of a clause: what a whole game lacks may follow from what was mended."""
    if not diagnostic.is_error or not (diagnostic.code in OF_CLAUSES or is_misspelt(diagnostic)):
        return False
    if (
        diagnostic.span.text in STATEMENTS
    ):  # said of a whole statement, such as a map that shows too few agents
        return False
    if (diagnostic.code, diagnostic.span.start) in {(each.code, each.span.start) for each in report}:
        return False
    misspelt = {name for each in report if is_misspelt(each) for name in _quoted(each)}
    return not (is_misspelt(diagnostic) and misspelt & _quoted(diagnostic))


def _quoted(diagnostic: Diagnostic) -> set[str]:
    return set(re.findall(r"`(\w+)`", f"{diagnostic.message} {diagnostic.help}"))


def _mending(text: Source, report: Report) -> _Mending | None:
    """Return the text with all that is sure mended; None where there is nothing of that kind."""
    sure = [
        each.fixes[0]
        for each in report
        if each.is_error and len(each.fixes) == 1 and each.fixes[0].span.source is text
    ]
    fixes: list[Fix] = []
    for fix in sorted(sure, key=lambda fix: (fix.span.start, fix.span.end)):
        if not fixes or fix.span.start >= fixes[-1].span.end:
            fixes.append(fix)
    if text.is_toml or not fixes:
        return None
    parts, at = [], 0
    for fix in fixes:
        parts += [text.text[at : fix.span.start], fix.replacement]
        at = fix.span.end
    made = Source(text.name, "".join([*parts, text.text[at:]]), text.variant)
    return _Mending(text, made, fixes)


@dataclass(frozen=True, slots=True)
class _Mending:
    """A text, what was made of it, and the rewrites that lead from the one to the other, in order."""

    text: Source
    made: Source
    fixes: Sequence[Fix]

    def moved(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Return a diagnostic of the mended text at its place in the first; None for what was rewritten."""
        span = self._span(diagnostic.span)
        if span is None:
            return None
        labels = ((self._span(each.span), each.text) for each in diagnostic.labels)
        fixes = ((self._span(each.span), each.replacement) for each in diagnostic.fixes)
        return replace(
            diagnostic,
            span=span,
            labels=tuple(Label(place, words) for place, words in labels if place is not None),
            fixes=tuple(Fix(place, words) for place, words in fixes if place is not None),
        )

    def _span(self, span: Span) -> Span | None:
        if span.source is not self.made:
            return span
        start, end = self._offset(span.start), self._offset(span.end)
        if start is None or end is None:
            return None
        return Span(self.text, start, end, span.through)

    def _offset(self, at: int) -> int | None:
        """Return where a place of the mended text is in the first; None inside of what was rewritten."""
        shift = 0
        for fix in self.fixes:
            start = fix.span.start + shift
            if at < start:
                break
            if at < start + len(fix.replacement):
                return None
            shift += len(fix.replacement) - (fix.span.end - fix.span.start)
        return at - shift
