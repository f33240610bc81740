"""Cost: how many things a clause looks at each time it is asked; what is counted within what is counted multiplies."""

from __future__ import annotations

import math

from griddsl.diagnostics import Report
from griddsl.lowering.conditions.relations import lies_in_cell
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.constants import constant_number
from griddsl.source import Span
from griddsl.syntax import nodes as n

MOST_LOOKED_AT = 20_000_000  # a second or more of plain Python
OVER_THINGS = frozenset({"count", "sum"})
OVER_CELLS = frozenset({"path_distance"})


def costly_clauses(writer: Writer) -> None:
    """Report each clause that would keep a step or a reset waiting for seconds."""
    spec = writer.world.spec
    for rule in spec.rules:
        times = 1
        if rule.trigger.event == "each":
            times = _size(writer, rule.trigger.object)
        head = (rule.trigger, rule.condition, rule.chance)
        for part in (head, *rule.effects):
            _bound(writer, part, times, rule.span)
    for effect in spec.preparing:
        _bound(writer, effect, 1, effect.span)
    for action in writer.world.actions:
        # The mask asks for all values of what it takes.
        values = math.prod(argument.size for argument in action.arguments)
        for limit in (action.allow, *(argument.where for argument in action.arguments)):
            if limit is not None:
                _bound(writer, limit, values, limit.span)
    for clauses in (*(observe.items for observe in spec.observe), spec.info, spec.tellings):
        for item in clauses or ():
            _bound(writer, item, 1, item.span)
    for declaration in spec.kinds:
        for own in declaration.items:
            _bound(writer, own, 1, own.span)


def _bound(writer: Writer, part: object, times: int, place: Span) -> None:
    count = times * _cost(writer, part)
    if count > MOST_LOOKED_AT:
        help = "count once what does not change within, or ask of fewer things"
        span = part.span if isinstance(part, n.Node) else place
        writer.report.add("too-costly", span, count=count, most=MOST_LOOKED_AT, help=help)


def _cost(writer: Writer, node: object) -> int:
    """Return how many things a clause looks at, at the most."""
    world = writer.world
    if isinstance(node, (tuple, list)):
        return sum([_cost(writer, part) for part in node])
    if not isinstance(node, n.Node):
        return 0
    match node:
        case n.Relation(name="at", left=n.Quantified() as things, right=cell) if lies_in_cell(
            world, things, cell
        ):
            return 1 + _cost(writer, (things.kind, cell))
    inside = sum([_cost(writer, getattr(node, name)) for name in n.PARTS[type(node)] if name != "others"])
    match node:
        case n.CellsFor(over=kind, others=others):
            return _size(writer, kind) * max(1, inside) + (_cost(writer, others) if others is not None else 0)
        case n.Call(name=name, arguments=arguments) if name in OVER_THINGS:
            over = node.each if node.each is not None else (arguments[0] if arguments else None)
            return _size(writer, over) * max(1, inside)
        case n.Call(name=name) if name in OVER_CELLS:
            return world.cells + inside
        case n.Some(over=over) | n.Tally(over=over) | n.Each(over=over) | n.Superlative(over=over):
            return _through(writer, over) * max(1, inside)
        case n.Quantified(kind=kind):
            return _size(writer, kind) * max(1, inside)
        case n.RandomCell() | n.EveryCell():
            return world.cells * max(1, inside)
        case n.Place(area=area) if area is not None:
            return world.cells * max(1, inside)
    return inside


def _through(writer: Writer, over: n.Expression | n.Ranging) -> int:
    """Return how many things, cells or numbers a name goes through, as far as constants tell."""
    domain = over.domain if isinstance(over, n.Ranging) else None
    if not isinstance(domain, n.RangeDomain):
        return writer.world.cells if domain is not None else _size(writer, over)
    ends = (domain.low, domain.high)
    low, high = (constant_number(end, writer.world.params, Report(), "") for end in ends)
    return writer.world.cells if low is None or high is None else max(1, int(high - low) + 1)


def _size(writer: Writer, node: object) -> int:
    """Return how many things of a kind there can be."""
    world = writer.world
    kind = world.kinds.get(getattr(node, "name", ""))
    if kind is None or kind.category == "tile":
        return world.cells
    return max(1, len(world.agents) if kind.category == "agent" else writer.facts.capacity)
