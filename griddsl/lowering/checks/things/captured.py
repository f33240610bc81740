"""Captured: a bare kind that means the very thing that is spoken of, in a definition or behind ``is``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeAlias

from griddsl.diagnostics import write
from griddsl.lowering.checks.things.misread import looked_at, things
from griddsl.lowering.clauses.unknown.values import whether_there
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.facts.reckoned import is_off
from griddsl.lowering.state.writer import Writer
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_Named: TypeAlias = Mapping[str, Span]  # kinds that mean one thing, each with what gave it that meaning


def named_by_the_caller(writer: Writer) -> None:
    """`define covered(c): lid at c`, called in `each lid`: it asks whether this very lid is there."""
    spec = writer.world.spec
    said = {each.span.start for each in writer.report if each.code in {"beside-itself", "in-two-cells"}}
    asking: list[tuple[object, _Named]] = [(spec.preparing, {})]
    for rule in spec.rules:
        heard = {part.name: part.span for part in walk(rule.trigger) if isinstance(part, n.KindName)}
        asking.append(((rule.condition, rule.effects), {} if rule.trigger.event == "when" else heard))
    for clause, given in asking:
        for name, block in _captured(clause, given):
            kind = writer.world.kinds.get(name.name)
            if kind is None or kind.category == "agent" or name.span.source is not spec.source:
                continue
            if name.span.start not in said and may_be_several(writer.facts, kind):
                said.add(name.span.start)
                in_body = replace(name.span, through=())
                help: str = write(f"any {name.name}", ": it asks for any of them", in_body)
                if next(things(block, name.name), None) is not None:
                    loop = f"each {name.name} where {name.name} at CELL:"
                    help = f"`{loop}` goes through those that are there, and in its block `{name.name}` is that one"
                writer.report.add("of-the-caller", name.span, name=name.name, help=help)


def is_itself(writer: Writer) -> None:
    """`let next = the gem at (gem.x + 1, gem.y)`, `if next is gem`: it asks for this very gem, which is elsewhere."""
    spec, said = writer.world.spec, set[Span]()
    for rule in spec.rules:
        heard = {part.name for part in walk(rule.trigger) if isinstance(part, n.KindName)}
        for asked in _compared(rule.effects, set() if rule.trigger.event == "when" else heard, {}):
            if asked.span.source is spec.source and asked.span not in said:
                said.add(asked.span)
                kind, named = getattr(asked.right, "name", ""), getattr(asked.left, "name", "")
                help = whether_there(named, asked.negated, asked.span)
                writer.report.add("beside-itself", asked.span, name=kind, help=help)


def _compared(value: object, heard: set[str], given: Mapping[str, n.There]) -> Iterator[n.Is]:
    """Yield where what lies beside a thing, which ``let`` named, is compared with that very thing."""
    if isinstance(value, tuple):
        for each in value:
            yield from _compared(each, heard, given)
            match each:
                case n.Let(name, n.There(_, n.Position()) as there):
                    given = {**given, name: there}
                case n.Let(name):
                    given = {known: meant for known, meant in given.items() if known != name}
        return
    match value:
        case n.Is(n.Name(name), n.Name(kind)) if name in given and kind in heard:
            if _is_beside(given[name].at, kind):
                yield value
    if not isinstance(value, n.Node):
        return
    over = looked_at(value)
    for field in fields(value):
        yield from _compared(getattr(value, field.name), heard if over is None else {*heard, over}, given)


def _is_beside(cell: n.Expression, kind: str) -> bool:
    """Whether a cell is reckoned from where a thing is, and is another one as far as can be seen."""
    if not isinstance(cell, n.Position):
        return False
    reckoned = any(isinstance(part, n.Arithmetic) for part in (cell.x, cell.y))
    return is_off(cell, kind, {}) or (reckoned and next(things(cell, kind), None) is not None)


def _captured(value: object, named: _Named, block: object = ()) -> Iterator[tuple[n.Name, object]]:
    """Yield where the body of a definition asks for a kind in a cell, of which something outside of it speaks.

    With it comes the block that goes on where it holds.
    """
    if isinstance(value, tuple):
        for each in value:
            yield from _captured(each, named, block)
    if not isinstance(value, n.Node):
        return
    over = looked_at(value)
    if over is not None:
        through = next(part.span for part in walk(value) if getattr(part, "name", None) == over)
        named = {**named, over: through}
    match value:
        case n.If(branches):
            for test, body in branches:
                yield from _captured(test, named, body)
                yield from _captured(body, {**named, **_found(test)})
            return
        case n.Relation("at", n.Name(name, span) as sought) if name in named:
            if span.through and span.through == value.span.through and span.through != named[name].through:
                yield sought, block
    for field in fields(value):
        yield from _captured(getattr(value, field.name), named, block)


def _found(test: n.Expression | None) -> dict[str, Span]:
    """Return the kinds that a condition finds, where it holds, each with the place that finds it."""
    if isinstance(test, n.Logic) and test.operator == "and":
        return {name: span for each in test.values for name, span in _found(each).items()}
    if not isinstance(test, n.Relation):
        return {}
    sides = [side for side in (test.left, test.right) if isinstance(side, n.KindName)]
    return {side.name: side.span for side in sides}
