"""Settled: conditions that are true, or false, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.diagnostics import write
from griddsl.lowering.checks.never import kinds_made
from griddsl.lowering.state.writer import Settled, Writer
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def settled_with_reason(writer: Writer) -> None:
    """Comparisons that the range of one side decides, and actions that are never allowed."""
    _report(writer, _innermost([found for found in _settled(writer) if found.help is not None]))


def settled_otherwise(writer: Writer) -> None:
    """Conditions that what is known of kinds makes false, where nothing else was said of them; and `when true`."""
    said = [each.span for each in writer.report.diagnostics]
    made = kinds_made(writer.world)
    for found in _innermost(list(_settled(writer))):
        node = found.node
        missing = {
            part.name for part in walk(node) if isinstance(part, n.KindName)
        } & writer.world.kinds.keys()
        if found.help is not None or True in found.values or made is None or missing - made:
            continue  # what speaks of a kind that is nowhere is no condition's fault
        if not isinstance(node, n.Truth) and not touches(node.span, said):
            _report(writer, [found], "nothing that can happen changes it")
    for rule in writer.world.spec.rules:
        trigger = rule.trigger
        if trigger.event == "when" and trigger.object == n.Truth(True, rule.span):
            place = rule.span.word("when").to(trigger.object.span)
            writer.report.add("always-true", trigger.object.span, help=write("each step", place=place))


def _report(writer: Writer, settled: list[Settled], reason: str | None = None) -> None:
    for found in settled:
        code = "always-true" if found.values == {True} else "never-true"
        writer.report.add(code, found.node.span, help=found.help or reason)


def _innermost(settled: list[Settled]) -> list[Settled]:
    """Leave out what another stands in: it is decided by that."""
    places = [found.node.span for found in settled]
    return [found for found in settled if not any(_is_inside(place, found.node.span) for place in places)]


def _settled(writer: Writer) -> Iterator[Settled]:
    """Yield the conditions of the spec itself that are the same in all that they were written for.

    What a definition asks of an argument may differ at its other calls, and with other parameters or another map.
    """
    world = writer.world
    for span, found in writer.notes.settled.items():
        is_own = span.source is world.spec.source and not span.through
        if is_own and found.values in ({True}, {False}) and not _varies(world, found.node):
            yield found


def _varies(world: World, node: n.Expression) -> bool:
    """Whether a parameter, or another map, may decide it otherwise: by its name, or by the size of the grid."""
    spec = world.spec
    if not spec.params and len(spec.maps) <= len(world.levels):
        return False
    fixed = {declaration.name for declaration in spec.variables if not _names(world, declaration.domain)}
    return any(
        isinstance(part, n.Name | n.Call | n.Position) and getattr(part, "name", "") not in fixed
        for part in walk(node)
    )


def _names(world: World, node: object) -> bool:
    return any(isinstance(part, n.Name) and part.name in world.params for part in walk(node))


def touches(span: Span, said: list[Span]) -> bool:
    """Whether something was said already of a part of this place."""
    return any(
        each.source is span.source and each.start < span.end and span.start < each.end for each in said
    )


def _is_inside(inner: Span, outer: Span) -> bool:
    return inner != outer and outer.start <= inner.start and inner.end <= outer.end
