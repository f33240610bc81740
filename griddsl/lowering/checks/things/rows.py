"""Rows: of things that stand side by side and are all moved one way, those behind find the others in their way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from griddsl.diagnostics import Label
from griddsl.lowering.checks.things.twice import WAYS
from griddsl.lowering.facts.sent import AFTER_ALL_MOVES
from griddsl.lowering.state.writer import Writer
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

# Things go in the order in which they came to be, those of the map row by row.
LATER = {name: way for name, way in WAYS.items() if way[1] > 0 or way == (1, 0)}


LOOP = "a loop `each {over}{where} by {by}:` lets the one ahead go first"


def in_their_way(writer: Writer) -> None:
    """Warn of `each alien: move alien south` where the map has one alien below another: the upper one goes nowhere.

    Where a condition asks what lies there, a chance decides, or `by` says who goes first, that is thought of.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source:
            continue
        is_after = rule.trigger.event in AFTER_ALL_MOVES
        if rule.trigger.event == "each" and rule.chance is None:
            over = rule.trigger.object
            _row(writer, over, rule.condition, rule.effects, f"in the block of `each step:`, {LOOP}")
        for loop in walk(rule.effects):
            if isinstance(loop, n.Each) and not (is_after and loop.by is not None):
                kept = "; a variable keeps what an action takes" if rule.trigger.event == "do" else ""
                help = LOOP if is_after else f"in the block of `each step:`, {LOOP}{kept}"
                _row(writer, loop.over, loop.where, loop.body, help)


def _row(writer: Writer, over: Any, where: Any, body: Sequence[Any], help: str) -> None:
    kind = writer.world.kinds.get(getattr(over, "name", ""))
    if not isinstance(over, n.Name | n.Pattern) or kind is None or kind.category != "object":
        return
    if any(isinstance(part, n.Relation | n.Quantified | n.Some | n.ByChance) for part in walk(where)):
        return
    for effect in body:
        match effect:
            case n.Move(subject=n.Name(name), direction=way) if way is not None and name in {
                kind.name,
                "self",
            }:
                known = WAYS.get(to_text(way))
            case _:
                continue
        if any(isinstance(part, n.Name) and part.name in {kind.name, "self"} for part in walk(way)):
            continue  # each goes a way of its own
        ways = LATER.values() if known is None else [known] if known in LATER.values() else []
        is_limited = where is not None or isinstance(over, n.Pattern)
        if not any(_is_beside(writer, kind.name, each, is_limited) for each in ways):
            continue
        by = f"{kind.name}.{'y' if known[1] else 'x'} down" if known else _ahead(kind.name, way)
        said = f" where {to_text(where)}" if where is not None else ""
        help = help.format(over=to_text(over), where=said, by=by)
        labels = [Label(over.span, "these go in the order in which they came to be")]
        writer.report.add("in-its-way", effect.span, name=kind.name, labels=labels, help=help)
        return


def _ahead(name: str, way: Any) -> str:
    words = to_text(way)
    return f"{name}.x * dx({words}) + {name}.y * dy({words}) down"


def _is_beside(writer: Writer, name: str, way: tuple[int, int], is_limited: bool) -> bool:
    """Whether a map draws two of a kind side by side; where not all of the kind are moved, by one glyph."""
    for level in writer.world.levels:
        drawn = {each.cell: each for each in level.objects if each.kind.name == name and each.cell >= 0}
        for cell, thing in drawn.items():
            x, y = cell % level.width + way[0], cell // level.width + way[1]
            other = drawn.get(y * level.width + x) if 0 <= x < level.width else None
            if other is not None and (not is_limited or _looks(thing) == _looks(other)):
                return True
    return False


def _looks(thing: Any) -> list[tuple[str, str]]:
    return [(name, to_text(value)) for name, value in thing.attributes.items()]
