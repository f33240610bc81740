"""What is given to a thing that is made, or that becomes another: its values are those before anything changes."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Value
from griddsl.lowering.world.world import domain_type
from griddsl.program import ir
from griddsl.syntax import nodes as n


def asked_before(ctx: Context, kind: Kind, node: n.Expression) -> n.Expression:
    """Return what is made or becomes another, with what it is given asked before anything changes."""
    return given_before(ctx, kind, node) if isinstance(node, n.Pattern) else node


def given_before(ctx: Context, kind: Kind, node: n.Pattern) -> n.Pattern:
    """Return a kind with attributes, these asked before anything changes.

    In `egg becomes hen(size=egg.size)` the egg is none any more when the hen gets its size. What is drawn is drawn
    when its turn comes.
    """
    arguments: list[tuple[str, n.Expression]] = []
    for name, value in node.arguments:
        attribute = kind.attributes.get(name)
        if name == "carries" and isinstance(value, n.Pattern) and value.name in ctx.world.kinds:
            value = given_before(ctx, ctx.world.kinds[value.name], value)
        elif attribute is not None and not isinstance(value, n.Random):
            worth = value_in(ctx, value, attribute.domain)
            if worth is None:
                continue
            if not isinstance(worth, ir.Const):
                called = f"given {ctx.names.fresh('given')}"  # with a blank, as no name of a spec
                ctx.bind(called, Value(domain_type(attribute.domain), ctx.let("given", worth)))
                value = n.Name(called, value.span)
        arguments.append((name, value))
    return n.Pattern(node.name, tuple(arguments), node.span)
