"""Placing: ``place`` puts tiles, objects and agents, and ``retry`` draws a layout again until it fits."""

from __future__ import annotations

from typing import Any

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.cells import bind_cell, every_cell, in_area, random_cell
from griddsl.lowering.context import Context
from griddsl.lowering.domains import constant_number
from griddsl.lowering.effects import _set_attributes, perform
from griddsl.lowering.expressions import evaluate, evaluate_as, evaluate_number, names_of, place_of
from griddsl.lowering.kinds import Kind
from griddsl.lowering.physics import free_for_object
from griddsl.lowering.relations import condition
from griddsl.lowering.relocation import request_agent
from griddsl.lowering.things import agent_ref, report_unknown, set_attribute
from griddsl.lowering.values import CELL, DIRECTION, Kinds, Ref, Value
from griddsl.program import ir
from griddsl.syntax import nodes as n

MOST_ROUNDS = 1_000_000


def place(ctx: Context, effect: n.Place) -> None:
    """Emit one ``place``."""
    chosen = _chosen_kind(ctx, effect.kind)
    if chosen is not None:
        for index, name in enumerate(names_of(chosen.type)):
            inner = ctx.inner(scope=ctx.scope)
            _place_kind(inner, effect, ctx.world.kinds[name])
            ctx.block.extend(ir.when(ir.eq(chosen.expr, index), inner.block))
        return
    name = getattr(effect.kind, "name", "")
    kind = ctx.world.kinds.get(name)
    if kind is None:
        report_unknown(ctx, name, effect.kind.span)
        return
    ctx.world.used_names.add(name)
    _place_kind(ctx, effect, kind)


def _chosen_kind(ctx: Context, node: Any) -> Value | None:
    """Return the kind that a chosen name stands for."""
    if not isinstance(node, n.Name | n.Pattern):
        return None
    name = n.Name(node.name, node.span)
    if node.name in ctx.scope or node.name in ctx.world.variables:
        value = evaluate(ctx, name)
        if value is not None and isinstance(value.type, Kinds):
            return value
    return None


def _place_kind(ctx: Context, effect: n.Place, kind: Kind) -> None:
    if effect.area is not None:
        _place_in_area(ctx, effect, kind)
        return
    count = ir.const(1) if effect.count is None else evaluate_number(ctx, effect.count)
    if count is None:
        return
    if effect.alias is not None and count != ir.const(1):
        ctx.error(
            "wrong-place", effect.span, what="`as`", where="where several are placed: it names one thing"
        )
    if count == ir.const(1):
        _place_one(ctx, effect, kind)
        return
    inner = ctx.inner()
    _place_one(inner, effect, kind)
    if count.type == "real":
        ctx.error("fraction", effect.span, name="the number to place")
        return
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))


def _place_one(ctx: Context, effect: n.Place, kind: Kind) -> None:
    what = f"`{kind.name}`"
    if kind.category == "agent" and ctx.stage == "setup":
        _lift_agents(ctx, kind)
    if isinstance(effect.at, n.EveryCell):
        inner, cell, test = every_cell(ctx, effect.at, kind)
        body = inner.inner()
        _put(body, effect, kind, cell)
        inner.block.extend(ir.when(test, body.block))
        ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), inner.block))
        return
    if isinstance(effect.at, n.RandomCell):
        cell_ = random_cell(ctx, effect.at, kind, what)
    else:
        found = place_of(ctx, effect.at)
        if found is None:
            return
        cell_ = found
    inner = ctx.inner(scope=ctx.scope)
    _put(inner, effect, kind, cell_)
    test = ir.ge(cell_, 0) if cell_.low < 0 else ir.TRUE
    ctx.block.extend(ir.when(test, inner.block))


def _lift_agents(ctx: Context, kind: Kind) -> None:
    """Take the agent from the map before a place for it is drawn, so that its old cell is free."""
    if len(ctx.world.agents) == 1:
        slot = ctx.world.agent_cell
        object.__setattr__(slot, "low", -1)
        ctx.emit(ir.Store(slot, ir.const(0), ir.const(-1)))


def _put(ctx: Context, effect: n.Place, kind: Kind, cell: ir.Expr) -> None:
    world = ctx.world
    given = dict(effect.kind.arguments) if isinstance(effect.kind, n.Pattern) else {}
    for name in given:
        if name not in kind.attributes and not (name == "facing" and kind.category == "agent"):
            help = did_you_mean(name, kind.attributes)
            ctx.error("unknown-attribute", effect.kind.span, kind=kind.name, name=name, help=help)
            return
    cell = ctx.let("cell", cell)
    if kind.category == "tile":
        ctx.emit(ir.Store(world.tile_slot, cell, ir.const(kind.code)))
        _set_attributes(ctx, Ref(kind, cell), _pattern(kind, given, effect))
        ref = Ref(kind, cell)
    elif kind.category == "agent":
        ref = agent_ref(ctx, ir.const(0))
        request_agent(ctx, ref.index, cell)
        for name, node in given.items():
            value = evaluate_as(ctx, node, DIRECTION) if name == "facing" else None
            if name == "facing" and value is not None:
                world.has_facing = True
                ctx.emit(ir.Store(world.facing, ref.index, value))
            elif name != "facing":
                from griddsl.lowering.world import domain_type

                value = evaluate_as(ctx, node, domain_type(kind.attributes[name].domain))
                if value is not None:
                    set_attribute(ctx, ref, name, ir.as_number(value))
    else:
        ref = Ref(kind, put_object(ctx, kind, cell, given))
    if effect.alias is not None:
        _name_placed(ctx, effect, ref)


def _pattern(kind: Kind, given: dict[str, Any], effect: n.Place) -> n.Pattern:
    return n.Pattern(kind.name, tuple(given.items()), effect.kind.span)


def _name_placed(ctx: Context, effect: n.Place, ref: Ref) -> None:
    from griddsl.lowering.choosing import keep

    assert effect.alias is not None
    if ref.category == "tile" or ctx.stage != "setup":
        if ref.category == "tile":
            keep(ctx, effect.alias, Value(CELL, ref.index), effect)
        else:
            ctx.bind(effect.alias, ref)
        return
    slot = ctx.world.slot(f"CHOSEN_{effect.alias.upper()}", 1, -1, max(ctx.world.capacity, 1) - 1)
    ctx.emit(ir.Store(slot, ir.const(0), ref.index))
    ctx.world.named_things[effect.alias] = Ref(ref.kind, ir.load(slot))


def put_object(ctx: Context, kind: Kind, cell: ir.Expr, given: dict[str, Any]) -> ir.Expr:
    """Make an object in a cell if it is free on its layer; return its index, -1 where it was not."""
    world = ctx.world
    index = ctx.names.fresh("i")
    made = ctx.variable(f"new_{kind.name}", ir.const(-1), -1, world.capacity - 1)
    slot = ir.Local(index, "int", 0, world.capacity - 1)
    body = ctx.inner()
    body.emit(
        ir.Store(world.object_slot("KIND"), slot, ir.const(kind.code)),
        ir.Store(world.object_slot("CELL"), slot, cell),
        ir.Store(world.layer_slot(kind.layer), cell, slot),
    )
    _set_attributes(body, Ref(kind, slot), n.Pattern(kind.name, tuple(given.items()), kind.span))
    body.emit(ir.Let(made.name, slot), ir.Break())
    loop = ir.For(
        index,
        ir.const(0),
        ir.const(world.capacity),
        ir.when(ir.lt(ir.load(world.object_slot("KIND"), slot), 0), body.block),
    )
    ctx.block.extend(ir.when(free_for_object(ctx, cell, kind.layer), [loop]))
    return made


def _place_in_area(ctx: Context, effect: n.Place, kind: Kind) -> None:
    """Put a kind into every cell of an area."""
    assert effect.area is not None
    if kind.category == "agent":
        ctx.error(
            "wrong-place",
            effect.span,
            what="an agent",
            where="in every cell of an area: write `at random free in ...`",
        )
        return
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    inner = ctx.inner()
    bind_cell(inner, cell)
    test = in_area(inner, effect.area, cell)
    if effect.where is not None:
        test = ir.both(test, condition(inner, effect.where))
    body = inner.inner()
    _put(body, effect, kind, cell)
    inner.block.extend(ir.when(test, body.block))
    ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), inner.block))


def retry(ctx: Context, effect: n.Retry) -> None:
    """Emit ``retry N until C``: the state as it was is restored before each new try."""
    if ctx.stage != "setup":
        ctx.error("wrong-place", effect.span, what="`retry`", where="in a rule: it belongs in setup")
        return
    count = constant_number(effect.count, ctx.world.params, ctx.report, "the number of tries")
    if count is None:
        return
    if count.denominator != 1 or not 1 <= count <= 1_000_000:
        ctx.error("bad-value", effect.count.span, reason="`retry` needs a whole number from 1 to 1,000,000")
        return
    most = int(count)
    tries = ctx.variable("tries", ir.const(0), 0, most)
    kept = ctx.names.fresh("kept")
    ctx.emit(ir.Let(kept, ir.call("snapshot", ir.Local("s"), state=False)))
    inner = ctx.inner(scope=ctx.scope)
    perform(inner, effect.body)
    test = condition(inner, effect.until)
    inner.emit(ir.Let(tries.name, ir.Op("+", (tries, ir.const(1)), "int", 0, most)))
    inner.block.extend(ir.when(test, [ir.Break()]))
    inner.emit(ir.If(ir.ge(tries, most), [ir.Fail("retries", effect.span, f"{most}\x00")], []))
    inner.emit(ir.Do(ir.call("restore", ir.Local("s"), ir.Local(kept), state=False)))
    ctx.emit(ir.While(ir.TRUE, inner.block))


def repeat(ctx: Context, effect: n.Repeat) -> None:
    """Emit ``repeat N [until C]``: C is tested before each round, and each goes on from what the last one left."""
    if ctx.stage != "setup":
        ctx.error("wrong-place", effect.span, what="`repeat`", where="in a rule: it belongs in setup")
        return
    count = evaluate_number(ctx, effect.count)
    if count is None:
        return
    if count.type == "real" or not 1 <= count.high <= MOST_ROUNDS:
        ctx.error("bad-value", effect.count.span, reason=f"`repeat` needs a whole number from 1 to {MOST_ROUNDS:,}")
        return
    inner = ctx.inner(scope=ctx.scope)
    if effect.until is not None:
        inner.block.extend(ir.when(condition(inner, effect.until), [ir.Break()]))
    perform(inner, effect.body)
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))
