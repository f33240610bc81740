"""Twice: of several moves of one thing in one list the last one counts, since what moves goes behind the rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from griddsl.compass import STEP_OF
from griddsl.diagnostics import Label
from griddsl.lowering.checks.overwritten import lists_of
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import block_of, effects_in
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

_Moved: TypeAlias = tuple[n.Move, n.Expression | None]  # a move, and the condition below which it stands


def moved_twice(writer: Writer) -> None:
    """Warn of `move agent east, move agent north`: both are carried out as one move, the last that was asked for.

    So it is where each stands below an `if` of its own, and the two speak of different things: `if vx > 0: move agent
    east` and `if vy > 0: move agent north` both hold at times.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source:
            continue
        after = rule.trigger.event in TIMED
        for effects in _all_lists(rule.effects):
            first: dict[str, _Moved] = {}
            for effect in effects:
                for name in _named_by(effect):
                    first.pop(name, None)
                for move, condition in _moves(effect):
                    name = to_text(move.subject)
                    before = first.get(name)
                    if before is not None and _both_hold(name, before[1], condition):
                        _report(writer, before, move, condition, after)
                    first[name] = (move, condition)


def _all_lists(effects: tuple[n.Effect, ...]) -> Iterator[tuple[n.Effect, ...]]:
    """Yield a list of effects, and those of its blocks and loops."""
    yield from lists_of(effects)
    for effect, can in effects_in(effects):
        if can.holds:
            yield from lists_of(block_of(effect))


def _named_by(effect: n.Effect) -> Iterator[str]:
    """Yield the names that mean another thing behind an effect."""
    if isinstance(effect, n.Choose):
        yield from effect.names
    elif isinstance(effect, n.Let):
        yield effect.name
    elif isinstance(effect, n.Place):
        yield str(effect.alias or getattr(effect.kind, "name", ""))


def _moves(effect: n.Effect) -> Iterator[_Moved]:
    """Yield the moves one way of a line, and the condition below which they stand; of `else` nothing is said."""
    match effect:
        case n.Move(subject=n.Name(), direction=way) if way is not None:
            yield effect, None
        case n.If(branches=((condition, body),)):
            for inner in body:
                if (
                    isinstance(inner, n.Move)
                    and isinstance(inner.subject, n.Name)
                    and inner.direction is not None
                ):
                    yield inner, condition


def _both_hold(name: str, first: n.Expression | None, second: n.Expression | None) -> bool:
    """Whether two moves of this name are both asked for, surely or where two conditions of their own hold."""
    if first is None or second is None:
        return first is None and second is None
    if first is second:
        return True
    found = [part for condition in (first, second) for part in walk(condition)]
    if any(isinstance(part, n.Relation | n.Quantified | n.Some) for part in found):
        return False  # what a condition finds is another thing for each
    return not _asked(first) & _asked(second)


def _asked(condition: n.Expression) -> set[str]:
    """Return what a condition speaks of: names, and attributes as they are written."""
    owners = {id(part.owner) for part in walk(condition) if isinstance(part, n.Attribute)}
    return {
        to_text(part)
        for part in walk(condition)
        if isinstance(part, n.Name | n.Attribute) and id(part) not in owners
    }


def _report(
    writer: Writer, before: _Moved, last: n.Move, condition: n.Expression | None, after: bool
) -> None:
    name = to_text(last.subject)
    ways = [STEP_OF.get(to_text(move.direction)) for move in (before[0], last) if move.direction is not None]
    if after:
        help = "each below a `repeat 1:` of its own goes before the next one"
        help += f": `repeat 1: {to_text(last)}`" if condition is None else ""
    elif condition is None and None not in ways:
        x, y = (sum(way[axis] for way in ways if way) for axis in (0, 1))
        help = f"say in one where it goes: `move {name} to ({name}.x{_number(x)}, {name}.y{_number(y)})`"
    else:
        help = "say in one where it goes, or move it in `each step:`, where each below a `repeat 1:` of its own does"
    labels = [Label(last.span, "this one counts, where both are asked for")]
    writer.report.add("moved-once", before[0].span, name=name, often="twice", labels=labels, help=help)


def _number(amount: int) -> str:
    return f" {'+' if amount > 0 else '-'} {abs(amount)}" if amount else ""
