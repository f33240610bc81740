"""Finding: the instance of a kind in a cell, in a hand, or anywhere, and the name that it gets."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.diagnostics import write
from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.carrying import each_hand, hands_of
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import alone, for_each, name_over
from griddsl.lowering.clauses.unknown.names import no_kind, report_unknown
from griddsl.lowering.clauses.whereabouts import agent_ref, cell_of
from griddsl.lowering.conditions.logic import nested_test
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import (
    Ref,
)
from griddsl.program import ir
from griddsl.syntax import nodes as n


def pattern_kind(ctx: Context, node: n.Expression) -> tuple[Kind | None, dict[str, n.Expression]]:
    """Return the kind that the right side of a relation names, and the attributes it asks for."""
    if isinstance(node, n.Quantified):
        node = node.kind
    if not isinstance(node, n.KindName):
        no_kind(ctx, node)
        return None, {}
    bound = ctx.scope.get(node.name)
    kind = bound.kind if isinstance(bound, Ref) else ctx.world.kinds.get(node.name)
    if kind is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return None, {}
    return kind, dict(node.arguments) if isinstance(node, n.Pattern) else {}


def name_of(node: n.Expression) -> str:
    """Return the name of the kind that a node asks for, with or without a quantifier; empty where it names none."""
    named = node.kind if isinstance(node, n.Quantified) else node
    return name_over(named) if isinstance(named, n.KindName | n.OneOf) else ""


def name_given(node: n.Expression, binds: bool) -> str | None:
    """Return the name that a condition gives to what it finds: that of the kind; ``any K`` asks, and names nothing."""
    return name_of(node) if binds and not isinstance(node, n.Quantified) else None


def in_region(ctx: Context, name: str, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell lies in a region."""
    region = ctx.world.regions[name]
    if region.all() and cell.low >= 0:
        return ir.TRUE
    mask = ctx.writer.table(("REGION", name), region.astype(int).tolist())
    return ir.eq(ir.lookup(mask, cell), 1)


def found_in_cell(
    ctx: Context,
    cell: ir.Expr,
    kind: Kind,
    attributes: dict[str, n.Expression],
    bind: str | None,
    but: Ref | None = None,
) -> ir.Expr:
    """Return whether a thing of this kind, with these attributes, is in the cell, ``but`` one; bind it to a name."""
    writer = ctx.writer
    if kind.category == "tile":
        ref = Ref(kind, cell)
        test = ir.eq(writer.tile_at(cell), kind.code)
        if cell.low < 0:
            test = ir.both(ir.ge(cell, 0), test)
    elif kind.category == "object":
        at = ir.load(writer.layer_slot(kind.layer), cell)
        found = ctx.let(kind.name, ir.select(ir.ge(cell, 0), at, ir.const(-1)) if cell.low < 0 else at)
        ref = Ref(kind, found)
        test = ir.ge(found, 0)
        if not ctx.world.has_layer_alone(kind):
            test = ir.both(test, ir.eq(ir.load(writer.object_kind, found), kind.code))
        if but is not None and but.category == "object":
            test = ir.both(test, ir.ne(found, but.index))
    else:
        # Several may share the cell: the first one is not the only one that can have the attributes.
        asked = attributes if len(ctx.world.agents) > 1 else {}
        ref, test = _agent_in_cell(ctx, cell, kind, but, asked)
        test = ir.both(ir.ge(cell, 0), test)
        attributes = {} if asked else attributes
    bind_found(ctx, bind, ref)
    if not attributes:
        return test
    inner = ctx.inner(scope=ctx.scope)
    more = matches(inner, ref, attributes)
    if inner.block:
        return nested_test(ctx, inner.block, test, more)
    return ir.both(test, more)


def bind_found(ctx: Context, name: str | None, ref: Ref, several: int = 0) -> None:
    """Let a name, if there is one, mean what a condition found; where it could mean several, its use is an error."""
    if name is None:
        return
    bound = ctx.scope.get(name)
    named_twice = isinstance(bound, Ref) and bound.index != ref.index
    if named_twice:
        several = 2
    present = ref.index
    if isinstance(present, ir.Local) and present.low < 0:
        present = ir.Local(present.name, present.type, 0, present.high)
    ctx.bind(name, Ref(ref.kind, present, several if several > 1 else 0, named_twice=named_twice))


def _agent_in_cell(
    ctx: Context, cell: ir.Expr, kind: Kind, but: Ref | None, attributes: dict[str, n.Expression]
) -> tuple[Ref, ir.Expr]:
    world, writer = ctx.world, ctx.writer
    other = but if but is not None and but.category == "agent" else None
    if len(world.agents) == 1:
        if other is not None:
            return agent_ref(ctx, ir.const(0)), ir.FALSE
        return agent_ref(ctx, ir.const(0)), ir.eq(ir.load(writer.agent_cell, ir.const(0)), cell)
    found = ctx.variable(kind.name, ir.const(-1), -1, len(world.agents) - 1)

    def body(inner: Context, ref: Ref) -> None:
        is_other = ir.TRUE if other is None else ir.ne(ref.index, other.index)
        is_there = ir.both(is_other, ir.eq(cell_of(inner, ref), cell))
        there = inner.inner(scope=inner.scope)
        test = matches(there, ref, attributes)
        there.block.extend(ir.when(test, [ir.Hit(ref.index)]))
        inner.block.extend(ir.when(is_there, there.block))

    for_each(ctx, kind, body, loop=ir.first_of(found))
    return Ref(kind, found), ir.ge(found, 0)


def may_hold(ctx: Context, holder: Ref, kind: Kind, node: n.Node, said: str) -> bool:
    """Whether a thing can hold another of a kind, else that is reported of what was ``said``."""
    if holder.category == "tile" or kind.category != "object":
        owner, has, _ = said.partition(" has ")
        is_place = holder.category == "tile"
        help = write(f"{kind.name} at {owner}", place=node.span) if is_place and has else None
        expected = "an agent, or an object that carries," if is_place else "an object, which can be held,"
        found = f"`{owner if is_place and has else kind.name}`"
        ctx.error("type", node.span, found=found, expected=expected, help=help)
        return False
    if holder.category == "object" and holder.kind.carries is None:
        said_so = f"say it: `object {holder.kind.name}: carries 1`"
        ctx.error("carries-nothing", node.span, kind=holder.kind.name, help=said_so)
        return False
    return True


def held_by(ctx: Context, holder: Ref, thing: ir.Expr) -> ir.Expr:
    """Return whether this very object is held."""
    slot, most = hands_of(ctx, holder)
    if most == 1:
        return ir.both(ir.ge(holder.index, 0), ir.ge(thing, 0), ir.eq(ir.load(slot, holder.index), thing))
    held = ctx.variable("held", ir.FALSE, 0, 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        test = ir.both(ir.ge(thing, 0), ir.eq(ir.load(slot, place), thing))
        inner.block.extend(ir.when(test, [ir.Hit()]))

    each_hand(ctx, holder, body, ir.any_of(held))
    return ir.Local(held.name, "bool", 0, 1)


def find_held(
    ctx: Context, holder: Ref, kind: Kind, attributes: dict[str, n.Expression]
) -> tuple[Ref, ir.Expr]:
    """Return the first thing of a kind that a holder holds, and whether there is one."""
    writer = ctx.writer
    slot, most = hands_of(ctx, holder)
    if most == 1:
        load = ir.load(slot, holder.index)
        found = ctx.let(kind.name, ir.select(ir.ge(holder.index, 0), load, ir.const(-1)))
        ref = Ref(kind, found)
        test = ir.both(ir.ge(found, 0), ir.eq(ir.load(writer.object_kind, found), kind.code))
        inner = ctx.inner(scope=ctx.scope)
        more = matches(inner, ref, attributes)
        return ref, nested_test(ctx, inner.block, test, more) if inner.block else ir.both(test, more)
    first = ctx.variable(kind.name, ir.const(-1), -1, writer.facts.capacity - 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        thing = inner.let("thing", ir.load(slot, place))
        test = ir.both(
            ir.ge(thing, 0),
            ir.eq(ir.load(writer.object_kind, thing), kind.code),
        )
        deeper = inner.inner()
        more = matches(deeper, Ref(kind, thing), attributes)
        deeper.block.extend(ir.when(more, [ir.Hit(thing)]))
        inner.block.extend(ir.when(test, deeper.block))

    each_hand(ctx, holder, body, ir.first_of(first))
    return Ref(kind, first), ir.ge(first, 0)


def quantified_over(
    ctx: Context, quantified: n.Quantified, holds: Callable[[Context, Ref], ir.Expr], node: n.Expression
) -> ir.Expr:
    """Return whether a relation holds for all, any or no thing of a kind."""
    over, called = alone(quantified.kind)
    kind, attributes = pattern_kind(ctx, over)
    if kind is None:
        return ir.FALSE
    every = quantified.quantifier == "all"
    negated = isinstance(node, n.Is) and node.negated
    result = ctx.variable("all_hold" if every else "any_holds", ir.const(every), 0, 1)

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(called or kind.name, ref)
        test = holds(inner, ref)
        test = ir.invert(test) if negated else test
        if every:
            test = ir.either(ir.invert(matches(inner, ref, attributes)), test)
            inner.block.extend(ir.when(ir.invert(test), [ir.Hit()]))
        else:
            test = ir.both(matches(inner, ref, attributes), test)
            inner.block.extend(ir.when(test, [ir.Hit()]))

    for_each(ctx, kind, body, loop=ir.all_of(result) if every else ir.any_of(result))
    value = ir.Local(result.name, "bool", 0, 1)
    return ir.invert(value) if quantified.quantifier == "no" else value
