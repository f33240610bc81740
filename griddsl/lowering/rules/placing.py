"""Placing: ``place`` puts tiles, objects and agents, and ``retry`` draws a layout again until it fits."""

from __future__ import annotations

from typing import Any

from griddsl.diagnostics import did_you_mean
from griddsl.lowering.clauses.cells import bind_cell, every_cell, in_area, random_cell
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.meaning import condition, evaluate_as, evaluate_number, names_of
from griddsl.lowering.clauses.things import only_one, report_unknown, resolve_thing, set_attribute
from griddsl.lowering.rules.choosing import keep
from griddsl.lowering.rules.making import chosen_kind, put_in, put_new_in, put_object, set_attributes
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.rules.relocation import request_agent
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import CELL, DIRECTION, Ref, Value, in_capitals
from griddsl.lowering.world.world import domain_type
from griddsl.program import ir
from griddsl.syntax import nodes as n

MOST_ROUNDS = 1_000_000


@performs(n.Place)
def _place(ctx: Context, effect: n.Place) -> None:
    """Emit one ``place``."""
    chosen = chosen_kind(ctx, effect.kind)
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


def _place_one(ctx: Context, effect: n.Place, kind: Kind, holder: Ref | None) -> None:
    what = f"`{kind.name}`"
    if holder is not None:
        made = put_new_in(ctx, holder, kind, effect.kind)
        if effect.alias is not None:
            _name_placed(ctx, effect, Ref(kind, made))
        return
    agent = _which_agent(ctx, effect, kind) if kind.category == "agent" else None
    if agent is not None and ctx.stage == "setup":
        lift_agent(ctx, agent.index)
    if isinstance(effect.at, n.EveryCell):
        inner, cell, test = every_cell(ctx, effect.at, kind)
        body = inner.inner()
        _put(body, effect, kind, cell, agent)
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
    _put(inner, effect, kind, cell_, agent)
    test = ir.ge(cell_, 0) if cell_.low < 0 else ir.TRUE
    ctx.block.extend(ir.when(test, inner.block))


def lift_agent(ctx: Context, agent: ir.Expr) -> None:
    """Take an agent from the map until a place for it is drawn, so that it stands in no cell's way."""
    slot = ctx.world.agent_cell
    object.__setattr__(slot, "low", -1)
    ctx.emit(ir.Store(slot, agent, ir.const(-1)))


def _which_agent(ctx: Context, effect: n.Place, kind: Kind) -> Ref | None:
    """Return the agent that is placed: the only one of its kind, or in setup the first that is not yet on the map."""
    world = ctx.world
    members = [i for i, each in enumerate(world.agents) if kind.name == "agent" or each is kind]
    if not members:  # It is reported that nobody is of this kind.
        return None
    if len(members) == 1:
        return Ref(world.agents[members[0]], ir.const(members[0]))
    if ctx.stage != "setup":
        return only_one(ctx, kind, effect.kind)
    object.__setattr__(world.agent_cell, "low", -1)
    found = ctx.variable(f"next_{kind.name}", ir.const(members[0]), members[0], members[-1])
    body = ctx.inner()
    index = ir.Local(ctx.names.fresh("i"), "int", members[0], members[-1])
    waits = ir.lt(ir.load(world.agent_cell, index), 0)
    if kind.name != "agent":
        waits = ir.both(ir.eq(world.agent_code(index), kind.code), waits)
    body.block.extend(ir.when(waits, [ir.Let(found.name, index), ir.Break()]))
    ctx.emit(ir.For(index.name, ir.const(members[0]), ir.const(members[-1] + 1), body.block))
    return Ref(kind, found)


def _put(ctx: Context, effect: n.Place, kind: Kind, cell: ir.Expr, agent: Ref | None = None) -> None:
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
        set_attributes(ctx, Ref(kind, cell), _pattern(kind, given, effect))
        ref = Ref(kind, cell)
    elif kind.category == "agent":
        if agent is None:
            return
        ref = agent
        request_agent(ctx, ref.index, cell)
        for name, node in given.items():
            value = evaluate_as(ctx, node, DIRECTION) if name == "facing" else None
            if name == "facing" and value is not None:
                world.has_facing = True
                ctx.emit(ir.Store(world.facing, ref.index, value))
            elif name == "carries":
                put_in(ctx, ref, node)
            elif name != "facing":
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
