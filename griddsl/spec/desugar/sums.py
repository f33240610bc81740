"""Sums of an episode: ``count of on pickup coin`` is a variable that a rule counts up, ``score`` an entry of info."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from griddsl.diagnostics import Report, write
from griddsl.spec.models import Declaration, GridSpec, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

MOST = 2_147_483_647


def with_sums(spec: GridSpec, report: Report) -> GridSpec | None:
    """Return the same spec with a variable and a rule for each count, and its scores in its info; None without any."""
    variables, rules, info = list(spec.variables), list(spec.rules), []
    for item in (*spec.info, *spec.scores):
        value = item.value
        if isinstance(value, n.TotalReward) and value.word != "total":
            _misread(report, value, value.word, "total")
        elif isinstance(value, n.CountOf) and value.words != "count of":
            _misread(report, value, value.words, "count of")
        elif isinstance(value, n.CountOf):
            name, span = f"count_{len(rules) + 1}__", value.span
            domain = n.RangeDomain(_number(0, value), _number(MOST, value), span)
            variables.append(Declaration(name, _number(0, value), domain, span))
            counted: n.Effect = n.Assign(n.Name(name, span), "+=", _number(1, value), span)
            head = f"{to_text(value.trigger)}, counted"
            rules.append(Rule(head, value.trigger, value.condition, None, (counted,), span))
            item = replace(item, value=n.Name(name, span))
        info.append(item)
    if not spec.scores and len(rules) == len(spec.rules):
        return None
    changes = {"info": tuple(info), "variables": tuple(variables), "rules": tuple(rules)}
    plain = spec.model_copy(update=changes)
    plain._plain = None
    return plain


def _number(value: int, node: n.CountOf) -> n.Number:
    return n.Number(Fraction(value), str(value), node.span)


def _misread(report: Report, node: n.TotalReward | n.CountOf, words: str, meant: str) -> None:
    place = replace(node.span, end=node.span.start + len(words))
    help = write(
        meant, ": the sums of an episode are `total reward` and `count of on pickup coin`", place=place
    )
    report.add("syntax", place, found=f"`{words}`", expected="a value", help=help)
