"""Properties that a kind has twice: which of them holds, nobody could tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from griddsl.diagnostics import Help, Label, Report
from griddsl.lowering.world.kinds import PROPERTIES
from griddsl.syntax import nodes as n


def property_of(item: Any) -> str:
    """Return the property that an item of a kind is, and an empty text for an attribute or a word that is none."""
    if isinstance(item, n.Mover):
        return "moves"
    name = item.name if isinstance(item, n.Guarded | n.Property) else ""
    return name if name in PROPERTIES else ""


def report_twice(items: Sequence[Any], report: Report) -> None:
    """Report each item that says again what the same declaration has said."""
    seen: dict[str, Any] = {}
    for before, item in zip([None, *items], items, strict=False):
        name = property_of(item)
        if not name:
            continue
        first = seen.setdefault(name, item)
        if first is not item:
            labels = [Label(first.span, "first here")]
            help = _one_of(name, first, item, before)
            report.add("duplicate-property", item.span, name=name, labels=labels, help=help)


def _one_of(name: str, first: Any, item: Any, before: Any) -> str | Help:
    """Return how both are said at once, or that one of them is left out."""
    one, other = (" ".join(each.span.text.split()) for each in (first, item))
    between = replace(item.span, start=before.span.end, end=item.span.start)
    if one == other and not isinstance(item, n.Mover) and re.fullmatch(r",[ \t]*", between.text):
        return Help("once is enough: leave it out", ("",), place=replace(between, end=item.span.end))
    if isinstance(item, n.Mover):
        if re.search(r"\b(if|every|with)\b", one):
            return "a condition chooses between two ways to move: `moves A if C else B`"
        return f"a condition chooses between the two: `moves {one} if C else {other}`"
    if isinstance(item, n.Guarded):
        return _one_condition(name, first, item)
    return "a kind has one: leave the other out"


def _one_condition(name: str, first: n.Guarded, item: n.Guarded) -> str:
    if first.condition is None or item.condition is None:
        alone, said = (first, item) if first.condition is None else (item, first)
        return f"`{alone.span.text}` alone is always so: leave it out if `{said.span.text}` is meant"
    if first.word == item.word:
        joined = "or" if item.word == "if" else "and"
        asked = f"{first.condition.span.text} {joined} {item.condition.span.text}"
        return f"one condition says when: `{name} {item.word} {asked}`"
    return f"one condition says when: `{name} if C`"
