"""Whereabouts: the cell of a thing, its column and row, and whether it is still what its name says."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.state.nearby import around, over_near
from griddsl.lowering.world.values import CELL, NUMBER, Ref, Value
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.source import Span

IS_SELF = (
    "is self"  # asked of agents where `self` and `other` stand for a kind; no attribute can be called so
)


def cell_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the cell of a thing; -1 where it is not on the map."""
    if ref.category == "tile":
        return ref.index
    if ref.category == "agent":
        here = ir.load(ctx.writer.agent_cell, ref.index)
        # An agent that is out is nowhere for the others; what it sees itself at last, it sees from where it stood.
        if not ctx.writer.facts.can_leave or ref == ctx.self_ref:
            return if_there(ref, here, -1)
        is_seen: ir.Expr = ctx.writer.is_in(ref.index)
        if ref.by_its_kind and ctx.self_ref is not None and is_agent(ctx.self_ref):
            is_seen = ir.either(is_seen, ir.eq(ctx.self_ref.index, ref.index))
        return if_there(ref, ir.select(is_seen, here, ir.const(-1)), -1)
    cell = ir.load(ctx.writer.object_cell, ref.index)
    return _with_range(cell, 0, cell.high) if ref.on_map else if_there(ref, cell, -1)


def if_there(ref: Ref, value: ir.Expr, otherwise: int | ir.Expr) -> ir.Expr:
    """Return what is known of a thing, or a stand-in where the thing may be absent (its index -1)."""
    stand_in = ir.const(otherwise) if isinstance(otherwise, int) else otherwise
    return value if ref.index.low >= 0 else ir.select(ir.ge(ref.index, 0), value, stand_in)


def kind_code_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the code of the kind that a thing is now."""
    if ref.category == "tile":
        return if_there(ref, ctx.writer.tile_at(ref.index), -1)
    if ref.category == "object":
        return if_there(ref, ir.load(ctx.writer.object_kind, ref.index), -1)
    if ctx.world.several and not isinstance(ref.index, ir.Const):
        return if_there(ref, ctx.writer.agent_code(ref.index), -1)
    return ir.const(ref.kind.code)


def column(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return the x of a cell; -1 for no cell."""
    x = ir.mod(cell, ir.const(ctx.world.width)) if cell.low >= 0 else _of_cell(ctx, cell, ir.mod)
    return _within(x, ctx.world.width - 1)


def row(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return the y of a cell; -1 for no cell."""
    y = ir.div(cell, ir.const(ctx.world.width)) if cell.low >= 0 else _of_cell(ctx, cell, ir.div)
    return _within(y, ctx.world.height - 1)


def bind_cell(ctx: Context, cell: ir.Expr) -> None:
    """Let ``x``, ``y`` and ``here`` mean a candidate cell."""
    ctx.bind("here", Value(CELL, cell))
    ctx.bind("x", Value(NUMBER, column(ctx, cell)))
    ctx.bind("y", Value(NUMBER, row(ctx, cell)))


def over_cells(ctx: Context, loop: ir.Loop, cell: ir.Local, block: ir.Block) -> None:
    """Emit a loop over all cells, or over those around a place where no other can count."""
    near = around(ctx.places, loop, cell, block, ctx.world.cells)
    if near is None:
        ctx.emit(loop(cell.name, ir.const(0), ir.const(ctx.world.cells), block))
    else:
        ctx.emit(*over_near(ctx.writer, ctx.names, loop, cell, block, near))


def _of_cell(ctx: Context, cell: ir.Expr, part: Callable[[ir.Expr, ir.Expr], ir.Expr]) -> ir.Expr:
    known = _with_range(cell, 0, cell.high)
    return ir.select(ir.ge(cell, 0), part(known, ir.const(ctx.world.width)), ir.const(-1))


def _with_range(value: ir.Expr, low: float, high: float) -> ir.Expr:
    match value:
        case ir.Local(name, type):
            return ir.Local(name, type, low, high)
        case ir.Load():
            return ir.claim(value, low, high, "what is spoken of stands on the map")
    return value


def _within(value: ir.Expr, high: int) -> ir.Expr:
    match value:
        case ir.Op(operator, values, type, low, _):
            return ir.Op(operator, values, type, low, min(value.high, high))
    return value


def is_agent(ref: Ref | None) -> bool:
    """Whether a reference is to an agent."""
    return ref is not None and ref.category == "agent"


def the_agent(ctx: Context, span: Span) -> Ref:
    """Return the agent that a clause speaks of without a name: its subject, or the only one there is."""
    if ctx.self_ref is not None and ctx.self_ref.category == "agent":
        return ctx.self_ref
    if ctx.world.several:
        help: str = "name the agent, or let the rule have one as its subject: `each agent:`, `on enter K:`"
        looped = [name for name, meant in ctx.scope.items() if isinstance(meant, Ref) and is_agent(meant)]
        if looped and span.text == "self":  # of a loop `each agent:` in a block
            help = write(looped[-1], ": a loop names each by its kind, and `self` is the rule's own", span)
        ctx.error("ambiguous", span, name="the agent", count=len(ctx.world.agents), help=help)
    return agent_ref(ctx, ir.const(0))


def is_still(ctx: Context, ref: Ref, name: str | None = None) -> ir.Expr:
    """Return whether what a name was given to is still there, and of a kind that it was: one with an attribute."""
    kinds = [kind for kind in (ref.kind, *ref.others) if name is None or name in kind.attributes]
    writer = ctx.writer
    if not ref.may_be_gone or (ref.category == "tile" and not writer.facts.dynamic_tiles):
        return ir.TRUE
    if ref.category == "tile":
        return if_there(ref, ir.eq(writer.tile_at(ref.index), ref.kind.code), ir.FALSE)
    is_one = [ir.eq(ir.load(writer.object_kind, ref.index), kind.code) for kind in kinds]
    return if_there(ref, ir.either(*is_one), ir.FALSE)


def agent_ref(ctx: Context, index: ir.Expr) -> Ref:
    """Return a reference to an agent by its number."""
    if isinstance(index, ir.Const):
        return Ref(ctx.world.agents[int(index.value)], index)
    return Ref(ctx.world.kinds["agent"], index)


def is_of_layer(world: World, code: ir.Expr, layer: str) -> ir.Expr:
    """Return whether an object whose kind has this code lies on a layer."""
    if len(world.layers) == 1:
        return ir.TRUE
    return ir.either(*(ir.eq(code, kind.code) for kind in world.object_kinds() if kind.layer == layer))
