"""Placing: ``place`` puts tiles, objects and agents, and ``retry`` draws a layout again until it fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.carrying import empty_hands, put_into
from griddsl.lowering.cells import bind_cell, every_cell, in_area, random_cell
from griddsl.lowering.context import Context
from griddsl.lowering.domains import constant_number
from griddsl.lowering.effects import _set_attributes, perform
from griddsl.lowering.expressions import evaluate, evaluate_as, evaluate_number, names_of, place_of
from griddsl.lowering.kinds import Kind
from griddsl.lowering.physics import free_for_object
from griddsl.lowering.relations import condition
from griddsl.lowering.relocation import request_agent
from griddsl.lowering.things import agent_ref, find_kind, report_unknown, resolve_thing, set_attribute
from griddsl.lowering.values import CELL, DIRECTION, Kinds, Ref, Value, in_capitals
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
    holder = _holder(ctx, effect)
    if holder is None and effect.area is not None:
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
        _place_one(ctx, effect, kind, holder)
        return
    inner = ctx.inner()
    _place_one(inner, effect, kind, holder)
    if count.type == "real":
        ctx.error("fraction", effect.span, name="the number to place")
        return
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))


def _holder(ctx: Context, effect: n.Place) -> Ref | None:
    """Return the thing that `in` names, where it names no region: what is placed is put into it."""
    area = effect.area
    if area is None or area.form != "region" or not isinstance(area.value, n.Name):
        return None
    name = area.value.name
    if name in ctx.world.regions:
        return None
    if name not in ctx.world.kinds and name != "self" and not isinstance(ctx.scope.get(name), Ref):
        return None
    holder = resolve_thing(ctx, area.value)
    if holder is not None and not holder.kind.takes("carries"):
        help = f"say it: `{holder.category} {holder.kind.name}: carries 1`"
        if holder.category == "tile":
            help = f"a tile carries nothing; declare `object {holder.kind.name}: carries 1`"
        ctx.error("carries-nothing", area.span, kind=holder.kind.name, help=help)
    return holder


def put_in(ctx: Context, holder: Ref, node: Any) -> None:
    """Emit that a holder gets a new object, of a kind with attributes; of a kind that was chosen, of that one."""
    if not isinstance(node, n.Name | n.Pattern):
        ctx.error("type", node.span, found="this", expected="a kind to carry")
        return
    chosen = _chosen_kind(ctx, node)
    if chosen is not None:
        for index, name in enumerate(names_of(chosen.type)):
            inner = ctx.inner(scope=ctx.scope)
            _put_in(inner, holder, ctx.world.kinds[name], node)
            ctx.block.extend(ir.when(ir.eq(chosen.expr, index), inner.block))
        return
    kind = find_kind(ctx, node.name)
    if kind is None:
        report_unknown(ctx, node.name, node.span)
        return
    _put_in(ctx, holder, kind, node)


def _put_in(ctx: Context, holder: Ref, kind: Kind, node: Any) -> ir.Expr:
    """Emit that a new object of a kind is put into a holder; return its index, -1 where none could be made."""
    if kind.category != "object" or not holder.kind.takes("carries"):
        if kind.category != "object":
            found = f"`{kind.name}`, no object,"
            ctx.error("type", node.span, found=found, expected=f"an object for `{holder.kind.name}` to carry")
        return ir.const(-1)
    given = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    made, body, loop = _new_object(ctx, kind, None, given)
    put_into(body, made, holder)
    test = ir.ge(holder.index, 0)
    ctx.block.extend(ir.when(test, loop()))
    return made


def _place_one(ctx: Context, effect: n.Place, kind: Kind, holder: Ref | None) -> None:
    what = f"`{kind.name}`"
    if holder is not None:
        made = _put_in(ctx, holder, kind, effect.kind)
        if effect.alias is not None:
            _name_placed(ctx, effect, Ref(kind, made))
        return
    if kind.category == "agent" and ctx.stage == "setup":
        lift_agents(ctx)
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


def lift_agents(ctx: Context) -> None:
    """Take the agent from the map until a place for it is drawn, so that it stands in no cell's way."""
    if len(ctx.world.agents) == 1:
        slot = ctx.world.agent_cell
        object.__setattr__(slot, "low", -1)
        ctx.emit(ir.Store(slot, ir.const(0), ir.const(-1)))


def _put(ctx: Context, effect: n.Place, kind: Kind, cell: ir.Expr) -> None:
    world = ctx.world
    given = dict(effect.kind.arguments) if isinstance(effect.kind, n.Pattern) else {}
    for name in given:
        if not kind.takes(name):
            help = did_you_mean(name, kind.attributes)
            if name == "carries":
                help = f"say it: `{kind.category} {kind.name}: carries 1`"
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
            elif name == "carries":
                put_in(ctx, ref, node)
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
    slot = ctx.world.slot(f"CHOSEN_{in_capitals(effect.alias)}", 1, -1, max(ctx.world.capacity, 1) - 1)
    ctx.emit(ir.Store(slot, ir.const(0), ref.index))
    named = Ref(ref.kind, ir.load(slot))
    ctx.world.named_things[effect.alias] = named
    ctx.bind(effect.alias, named)


def put_object(ctx: Context, kind: Kind, cell: ir.Expr, given: dict[str, Any]) -> ir.Expr:
    """Make an object in a cell if it is free on its layer; return its index, -1 where it was not."""
    made, _, loop = _new_object(ctx, kind, cell, given)
    ctx.block.extend(ir.when(free_for_object(ctx, cell, kind.layer), loop()))
    return made


def _new_object(
    ctx: Context, kind: Kind, cell: ir.Expr | None, given: dict[str, Any]
) -> tuple[ir.Expr, Context, Callable[[], ir.Block]]:
    """Return a new object's index, what is done to it (a context to add to), and the block that makes it."""
    world = ctx.world
    index = ctx.names.fresh("i")
    made = ctx.variable(f"new_{kind.name}", ir.const(-1), -1, world.capacity - 1)
    slot = ir.Local(index, "int", 0, world.capacity - 1)
    body = ctx.inner()
    body.emit(
        ir.Store(world.object_slot("KIND"), slot, ir.const(kind.code)),
        ir.Store(world.object_slot("CELL"), slot, ir.const(-1) if cell is None else cell),
        ir.Let(made.name, slot),
    )
    if cell is not None:
        body.emit(ir.Store(world.layer_slot(kind.layer), cell, slot))
    if kind.carries:
        empty_hands(body, Ref(kind, slot))
    _set_attributes(body, Ref(kind, slot), n.Pattern(kind.name, tuple(given.items()), kind.span))

    def loop() -> ir.Block:
        empty = ir.lt(ir.load(world.object_slot("KIND"), slot), 0)
        return [
            ir.For(index, ir.const(0), ir.const(world.capacity), ir.when(empty, [*body.block, ir.Break()]))
        ]

    return ir.Local(made.name, "int", -1, world.capacity - 1), body, loop


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
    if count.type == "real" or not 0 <= count.high <= MOST_ROUNDS:
        ctx.error(
            "bad-value", effect.count.span, reason=f"`repeat` needs a whole number up to {MOST_ROUNDS:,}"
        )
        return
    inner = ctx.inner(scope=ctx.scope)
    if effect.until is not None:
        inner.block.extend(ir.when(condition(inner, effect.until), [ir.Break()]))
    perform(inner, effect.body)
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))
