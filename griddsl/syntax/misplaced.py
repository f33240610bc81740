"""What parses and means nothing, or another thing than it says: calls, differences for ranges, `has no K`."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import Help, Report, write
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
            form = f"{name}(E for {span.text})" if name in {"sum", "min", "max"} else f"count({span.text})"
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


def report_misread(clause: object, fragment: Fragment, report: Report) -> None:
    """Report what a clause seems to say, and does not."""
    if "-" in fragment.text:
        _report_hyphened(fragment, report)
    if _OF_NONE.search(fragment.text):
        _report_behind_relations(clause, fragment, report)


_HYPHENED = re.compile(r"\bin\s+(\d+)-(\d+)\b(?!\s*(?:\.\.|[-+*/.]|div\b|mod\b))")


def _report_hyphened(fragment: Fragment, report: Report) -> None:
    """Report `choose n in 1-6`, which is one number below 0, where all from one to another are meant."""
    for said in _HYPHENED.finditer(re.sub(r'"[^"]*"', lambda quoted: "_" * len(quoted[0]), fragment.text)):
        if int(said[1]) < int(said[2]):
            place = fragment.span(said.start(1), said.end(2))
            help = write(f"{said[1]}..{said[2]}", ": both ends count", place)
            report.add("syntax", place, found=f"`{place.text}`, a difference", expected="a range", help=help)


_OF_NONE = re.compile(r"\b(?:on|at|has|of|sees) +(?:no|all)\b")


def _report_behind_relations(clause: object, fragment: Fragment, report: Report) -> None:
    """Report `agent has no key`: `no K` and `all K` stand before a relation, and behind it only a kind does."""
    for node in n.walk(clause):
        if not isinstance(node, n.Relation) or not isinstance(node.right, n.Quantified):
            continue
        asked = node.right
        if asked.quantifier != "any":
            kind = asked.kind.name if isinstance(asked.kind, n.KindName) else "no kind"
            lies_there = re.match(rf"\s*(?:on\s+enter|each)\s+{kind}\b", fragment.text) is not None
            help = _none(node, asked, lies_there) if asked.quantifier == "no" else _each_of_them(node, asked)
            found = f"`{to_text(asked)}` behind `{'of' if node.name == 'within' else node.name}`"
            report.add("syntax", asked.span, found=found, expected="a kind", help=help)


def _none(node: n.Relation, asked: n.Quantified, lies_there: bool) -> Help:
    """Return the relation that holds for none: ``not agent has key``; of what a rule finds, `any`: it lies there."""
    name = "on" if node.name == "at" else node.name  # `at` asks for a cell
    right = replace(asked, quantifier="any") if lies_there and name == "has" else asked.kind
    left, holds = node.left, replace(node, name=name, right=right)
    if isinstance(left, n.Quantified):
        each = replace(holds, left=left.kind)
        return write(f"({left.quantifier} {to_text(left.kind)} where not {to_text(each)})", place=node.span)
    return write(f"not {to_text(holds)}", place=node.span)


def _each_of_them(node: n.Relation, asked: n.Quantified) -> Help | str:
    """Return what asks something of all that are meant: ``all coin within 2 of agent``."""
    kind, is_one = to_text(asked.kind), not isinstance(node.left, n.Quantified)
    if node.name in {"within", "sees"} and is_one:
        return write(to_text(replace(node, left=asked, right=node.left)), place=node.span)
    if node.name == "has":
        return f"`no {kind} left` asks whether none is on the map any more"
    return f"`all` stands before what it is asked of, as in `all {kind} where ...`"


def _counted(asked: n.Expression, tally: n.Tally) -> str:
    """Return the count of the values for which a condition holds: ``count(C for i in 0..3)``, as it is written."""
    where = asked if tally.where is None else n.Logic("and", (tally.where, asked), tally.span)
    return to_text(n.Tally("count", None, tally.over, where, tally.span))
