"""Missions: what a text says that depends on the game: alternatives, and attributes in braces.

Each such part is kept as an expression, and ``{told_1__}`` stands for it in the mission.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Span
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause

ATTRIBUTE = re.compile(r"\{\s*([A-Za-z_]\w*\.[A-Za-z_]\w*)\s*\}")
Keep = Callable[[n.Expression], str]


def told(number: int) -> str:
    """Return what stands in a mission for the part with this number, from 1, without its braces."""
    return f"told_{number}__"


def mission_of(text: str, place: Span, keep: Keep, report: Report) -> str:
    """Return a text with a name for each attribute in its braces; ``keep`` takes the attribute and names it."""

    def name(match: re.Match[str]) -> str:
        start = place.source.text.find(match.group(1), place.start, place.end)
        size = len(match.group(1)) + 1
        # What is written otherwise in the file, as a character of TOML can be, stands where its text begins.
        origin = list(range(start, start + size)) if start >= 0 else [place.start] * size
        node = parse_clause("expression", Fragment(place.source, match.group(1), origin), report)
        return match.group() if node is None else "{" + keep(node) + "}"

    return ATTRIBUTE.sub(name, text)


def alternatives_of(fragment: Fragment, keep: Keep, report: Report) -> str:
    """Return what stands for ``"A" if C else "B"`` in a mission."""
    node = parse_clause("expression", fragment, report)
    if node is None:
        return ""
    return "{" + keep(with_names(node, keep, report)) + "}"


def with_names(node: n.Expression, keep: Keep, report: Report) -> n.Expression:
    """Return alternatives of texts with a name for each attribute in their braces; `keep` takes these."""
    match node:
        case n.IfElse(then=then, otherwise=otherwise):
            parts = with_names(then, keep, report), with_names(otherwise, keep, report)
            return replace(node, then=parts[0], otherwise=parts[1])
        case n.Text(value):
            return replace(node, value=mission_of(value, node.span, keep, report))
        case n.Call() | n.Name() | n.Attribute():
            return node
    help = 'as in `mission: "go to the key" if count(key) > 0 else "go to the door"`'
    report.add("type", node.span, found="this", expected="a text", help=help)
    return node
