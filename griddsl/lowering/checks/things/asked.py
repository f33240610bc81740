"""Asked: what stands behind the `where` of `no K`, `any K` and `all K`, and has nothing to do with K."""

from __future__ import annotations

from dataclasses import fields

from griddsl.diagnostics import Help
from griddsl.lowering.checks.never import kinds_drawn
from griddsl.lowering.checks.things.misread import looked_at
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def asked_of_none(writer: Writer) -> None:
    """Warn of ``no coin where C and no gem left``: the second is asked of each coin, and does not speak of it.

    `no` turns around all that belongs to it. Of `any coin where C or D` and `all coin where C and D` the whole means
    the same either way while there is a coin, and something else once the last one is gone.
    """
    spec, said = writer.world.spec, set[Span]()
    clauses = (
        [(rule.condition, rule.trigger, rule.effects) for rule in spec.rules],
        spec.observe,
        spec.info,
        spec.allow,
        spec.actions,
    )
    for node in walk(clauses):
        if not isinstance(node, n.Some) or node.span.source is not spec.source:
            continue
        if isinstance(node.over, n.Held):
            continue
        operators = {"no": {"and", "or"}, "any": {"or"}, "all": {"and"}}[node.quantifier]
        where = node.where
        if not isinstance(where, n.Logic) or where.operator not in operators:
            continue
        values = where.values
        if node.quantifier != "no" and not _may_be_none(writer, node.over):
            continue
        other = next((value for value in values[1:] if not _speaks_of(value, node.over)), None)
        place = None if other is None else _written_at(node, other)
        if place is not None and place not in said and _speaks_of(values[0], node.over):
            said.add(place)
            name = getattr(node.over, "name", "cell")
            asked = f"{node.quantifier} {name} where"
            writer.report.add(
                "asked-of-none",
                place,
                asked=asked,
                name=name,
                help=_bracketed(node, where.operator, place),
            )


def _may_be_none(writer: Writer, over: n.Expression | n.Ranging) -> bool:
    """Whether no object of a kind may lie on the map: it comes only by a rule, is taken, removed or becomes another."""
    spec = writer.world.spec
    kind = writer.world.kinds.get(getattr(over, "name", ""))
    if kind is None or kind.category != "object":
        return False
    taken = kind.portable and any(action.verb == "pickup" for action in writer.world.actions)
    drawn = kinds_drawn(writer.world)
    placed = {getattr(node.kind, "name", None) for node in walk(spec.preparing) if isinstance(node, n.Place)}
    comes_later = (
        drawn is not None and kind.name not in drawn and placed <= writer.world.kinds.keys() - {kind.name}
    )
    return comes_later or taken or any(can.loses(effect) for effect, can in of_rules(spec))


def _speaks_of(node: object, over: n.Expression | n.Ranging) -> bool:
    """Whether a condition asks about what is gone through, by its name or as the cell.

    What it goes through itself by that name, as a definition may, is another.
    """
    name = getattr(over, "name", "")
    if looked_at(node) == name != "" or (isinstance(node, n.Quantified) and node.span.through):
        return False
    if isinstance(node, n.Pattern) and node.span.through:
        return False  # it asks for any that fits
    if isinstance(node, n.KindName):
        return node.name in {name, *({"here", "x", "y"} if name == "cell" else ())}
    if isinstance(node, tuple):
        return any(_speaks_of(each, over) for each in node)
    if not isinstance(node, n.Node):
        return False
    return any(_speaks_of(getattr(node, each.name), over) for each in fields(node))


def _written_at(node: n.Some, part: n.Expression) -> Span | None:
    """Return where a part of a condition is written in it, or the call that says it; None where it is given to it."""
    calls = [each.span for each in part.span.through[len(node.span.through) :]]
    for place in (*reversed(calls), part.span):
        if place.source is node.span.source and node.span.start <= place.start < node.span.end:
            return place
    return None


def _bracketed(node: n.Some, operator: str, other: Span) -> Help | None:
    """Return the same with brackets around what surely belongs to `no`."""
    start = node.span.start
    inside = node.span.source.text[start : other.start]
    before = inside.rstrip("( ")
    if "\n" in inside or not before.endswith(operator):
        return None
    opened = inside.removeprefix(before).strip()
    first = before.removesuffix(operator).rstrip()
    place = Span(node.span.source, start, other.start)
    rewrite = f"({first}) {operator} {opened}"
    return Help(f"write `{rewrite.strip()} ...`: brackets end what `where` asks", (rewrite,), place=place)
