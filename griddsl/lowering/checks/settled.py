"""Settled: conditions that are true, or false, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.diagnostics import write
from griddsl.lowering.checks.never import kinds_made, names_that_vary
from griddsl.lowering.state.writer import Settled, Writer
from griddsl.lowering.world.constants import is_constant
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

NOTHING_ASKED = "it asks nothing of the game: leave it out"
NOTHING_CHANGES = "it asks nothing of the game, so that nothing can change it: leave out what hangs on it"


def settled_with_reason(writer: Writer) -> None:
    """Comparisons that the range of one side decides, actions that are never allowed, and constants as conditions."""
    _compared_with_itself(writer)
    said = [found.span for found in writer.report.diagnostics]
    with_help = [
        found for found in _settled(writer) if found.help is not None and not touches(found.node.span, said)
    ]
    _report(writer, _innermost(with_help))
    said = [found.node.span for found in with_help]
    _constants(writer, [found for found in _settled(writer) if not touches(found.node.span, said)])


def _compared_with_itself(writer: Writer) -> None:
    """`player.x < player.x`: what stands on both sides is the same, so that nothing is asked."""
    spec = writer.world.spec
    places = set[tuple[int, int]]()
    rules = [(rule.trigger.object, rule.condition, rule.effects) for rule in spec.rules]
    for node in walk((rules, spec.preparing)):
        if not isinstance(node, n.Compare | n.Is) or node.left != node.right:
            continue
        is_asked = isinstance(node, n.Compare) or isinstance(node.left, n.Attribute)
        if not is_asked or node.span.source is not spec.source:
            continue
        sides, place = (node.left.span, node.right.span), (node.span.start, node.span.end)
        is_written = all(_is_inside(side, node.span) for side in sides)  # not given at a call
        if not is_written or sides[0].text != sides[1].text or place in places or asks_nothing(node):
            continue
        places.add(place)
        named = [part.name for part in walk(node.left) if isinstance(part, n.Name)]
        kind = next((name for name in named if name in writer.world.kinds and name != "agent"), None)
        help = "both sides are the same"
        if kind is not None:
            help += f": a `{kind}` beside another one is given a name before, `let this = {kind}`"
        holds = not node.negated if isinstance(node, n.Is) else node.operator in {"==", "<=", ">="}
        writer.report.add("always-true" if holds else "never-true", node.span, help=help)


def _constants(writer: Writer, settled: list[Settled]) -> None:
    """Say what conditions of rules and setup are that are constants, each as a whole; what is observed may be one."""
    spec = writer.world.spec
    asked = ([(rule.trigger, rule.condition, rule.effects) for rule in spec.rules], spec.preparing)
    asking = {node.span for node in walk(asked)} - {node.span for node in _needed(asked)}
    constant = [found for found in settled if found.node.span in asking and asks_nothing(found.node)]
    for found in constant:
        place = found.node.span
        if any(_is_inside(place, other.node.span) for other in constant):
            continue
        if found.values == {False}:
            writer.report.add("never-true", place, help=NOTHING_CHANGES)
        else:
            writer.report.add("always-true", place, help=_without(writer, found.node))


def never_obeyed(writer: Writer) -> None:
    """`sticky: 1`: the first action is repeated for ever, whatever an agent chooses."""
    spec = writer.world.spec
    chance = spec.sticky
    if isinstance(chance, n.Number) and chance.value == 1 and chance.span.source is spec.source:
        help = write("0.25", ": a chance of 1 repeats the first action for ever, whatever is chosen")
        writer.report.add("always-true", chance.span, help=help)


def asks_nothing(node: n.Expression) -> bool:
    """Whether a condition is made of constants alone, as it is written."""
    return is_constant(node, lambda name: False)


def _needed(asked: object) -> Iterator[n.Expression]:
    """Yield constants that mean something: `if true with chance P` asks for the chance, `xor true` turns round."""
    for node in walk(asked):
        if isinstance(node, n.ByChance) and node.test is not None:
            yield node.test
        elif isinstance(node, n.Logic) and node.operator == "xor":
            yield from node.values


def _without(writer: Writer, node: n.Expression) -> str:
    """Say what becomes of a condition that is a constant and holds."""
    rules, preparing = writer.world.spec.rules, writer.world.spec.preparing
    for rule in rules:
        if rule.trigger.event == "when" and rule.trigger.object == node:
            return write("each step", place=rule.span.word("when").to(node.span))
    for each in walk(([(rule.trigger, rule.condition, rule.effects) for rule in rules], preparing)):
        if not isinstance(each, n.Logic) or each.operator != "or":
            continue
        if any(value.span == node.span for value in each.values):
            return f"it asks nothing of the game, and makes all of `{to_text(each)}` true"
    return NOTHING_ASKED


def settled_otherwise(writer: Writer) -> None:
    """Conditions that what is known of kinds makes false, where nothing else was said of them."""
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
    """Whether a parameter, another map or a variant's limit may decide it otherwise: by its name, or by the size."""
    spec = world.spec
    if not spec.params and len(spec.maps) <= len(world.levels):
        return any(getattr(part, "name", "") in names_that_vary(world) for part in walk(node))
    fixed = {declaration.name for declaration in spec.variables} - names_that_vary(world)
    return any(
        isinstance(part, n.Name | n.Call | n.Position) and getattr(part, "name", "") not in fixed
        for part in walk(node)
    )


def touches(span: Span, said: list[Span]) -> bool:
    """Whether something was said already of a part of this place."""
    return any(
        each.source is span.source and each.start < span.end and span.start < each.end for each in said
    )


def _is_inside(inner: Span, outer: Span) -> bool:
    return inner != outer and outer.start <= inner.start and inner.end <= outer.end
