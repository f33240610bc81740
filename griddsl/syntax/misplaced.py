"""Calls that parse and mean nothing: values in other calls than `count` and `sum`, and named arguments beside bare."""

from __future__ import annotations

import re

from griddsl.diagnostics import Report, write
from griddsl.source import Fragment, Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def report_calls(
    tallies: list[tuple[str, n.Tally, bool]], mixed: list[tuple[Span, str]], report: Report
) -> None:
    """Report what ``NAME in DOMAIN`` stands in, by its name and whether it stands there alone, and mixed arguments."""
    for name, tally, alone in tallies:
        span = tally.over.span
        help: str
        if name == "count" and tally.value is not None and alone:
            help = write(_counted(tally.value, tally), place=tally.span)
        else:
            form = f"count({span.text})" if name != "sum" else f"sum(1 for {span.text})"
            help = (
                f"`count(i in 0..3 where C)` and `sum(E for i in 0..3)` go through values, as `{form}` would"
            )
        report.add("syntax", span, found=f"values in `{name}`", expected="one expression", help=help)
    for span, name in mixed:
        help = f"named arguments belong to kinds; `{name}` is called with values alone"
        called = re.match(rf"{name}\(([^()]*)\)", span.source.text[span.start : span.start + 200])
        if called is not None:
            values = re.sub(r"\b\w+\s*=(?!=)\s*", "", called[1])
            whole = Span(span.source, span.start, span.start + called.end(), span.through)
            help = write(f"{name}({values})", ": it is called with values alone", whole)
        report.add(
            "syntax", span, found="values beside `name = value`", expected="one or the other", help=help
        )


_HYPHENED = re.compile(r"\bin\s+(\d+)-(\d+)\b(?!\s*(?:\.\.|[-+*/.]|div\b|mod\b))")


def report_hyphened(fragment: Fragment, report: Report) -> None:
    """Report `choose n in 1-6`, which is one number below 0, where all from one to another are meant."""
    for said in _HYPHENED.finditer(re.sub(r'"[^"]*"', lambda quoted: "_" * len(quoted[0]), fragment.text)):
        if int(said[1]) < int(said[2]):
            place = fragment.span(said.start(1), said.end(2))
            help = write(f"{said[1]}..{said[2]}", ": both ends count", place)
            report.add("syntax", place, found=f"`{place.text}`, a difference", expected="a range", help=help)


def _counted(asked: n.Expression, tally: n.Tally) -> str:
    """Return the count of the values for which a condition holds: ``count(C for i in 0..3)``, as it is written."""
    where = asked if tally.where is None else n.Logic("and", (tally.where, asked), tally.span)
    return to_text(n.Tally(None, tally.over, where, tally.span))
