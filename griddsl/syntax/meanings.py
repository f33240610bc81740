"""Meanings: what a definition gives a name to, an expression or effects."""

from __future__ import annotations

import re

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Source
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause, parse_effects
from griddsl.syntax.habits.mistake import hidden
from griddsl.syntax.keywords import EFFECT_WORDS, leading_word

_CHANGES = re.compile(r"(?<![=!<>])=(?!=)|\bbecomes\b")


def parse_meaning(text: Fragment, report: Report) -> n.Expression | tuple[n.Effect, ...] | None:
    """Return the expression that a text is, else its effects as a tuple; None, with a diagnostic, where it is neither.

    A call alone is an expression here: whether it is carried out, what it calls says.
    """
    if leading_word(text.text) in EFFECT_WORDS:
        return parse_effects(text, report)
    tried, other = Report(), Report()
    value = parse_clause("expression", text, tried)
    if not tried.has_errors:
        return value
    effects = parse_effects(text, other)
    if not other.has_errors:
        return effects
    reads_as_effects = _CHANGES.search(hidden(text.text)) is not None
    for diagnostic in other if reads_as_effects else tried:
        report.take(diagnostic)
    return None


def called(value: object) -> tuple[n.CarryOut, ...]:
    """Return a call, or a name alone, as an effect; nothing for other expressions."""
    if isinstance(value, n.Call) and value.each is value.where is value.avoiding is None:
        return (n.CarryOut(value.name, value.arguments, value.span),)
    return ()


def read_call(text: str) -> n.Expression | None:
    """Return the expression that stands in the braces of a mission, without its place; None where it is none."""
    return parse_clause("expression", Source("", text).whole(), Report())
