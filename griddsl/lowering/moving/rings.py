"""Rings: belts that lead round, where each thing goes on because the one before it does."""

from __future__ import annotations

import numpy as np

from griddsl.compass import STEPS
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import (
    guard,
    is_conditional,
    one_way_allows,
)
from griddsl.lowering.clauses.whereabouts import is_of_layer
from griddsl.lowering.effects.making import thing_rode
from griddsl.lowering.moving.arriving import leave_and_enter, thing_comes
from griddsl.lowering.moving.riders import (
    agent_rode,
    belts,
    each_agent,
    each_thing,
    is_solid,
    keeps_agents_out,
    things_at,
)
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.rules.keeping import is_of_births, noted_births
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir


def can_be_rings(writer: Writer) -> bool:
    """Whether belts can lie in a ring: as drawn, or, where tiles change, by their directions."""
    world = writer.world
    ways = belts(world)
    if not writer.facts.dynamic_tiles:
        return _has_ring(world, {kind.code: way for kind, way in ways.items()})
    if world.spec.edge == "wrap":
        return True
    steps = {STEPS[way] for way in ways.values()}
    while steps:
        lonely = {
            step
            for step in steps
            for axis in (0, 1)
            if step[axis] and not any(other[axis] * step[axis] < 0 for other in steps)
        }
        if not lonely:
            break
        steps -= lonely
    return len({abs(dx) * 2 + abs(dy) if dx * dy >= 0 else -1 for dx, dy in steps}) > 1


def _has_ring(world: World, ways: dict[int, int]) -> bool:
    """Whether the belts of the map lead round; walls between cells may still be in the way."""
    tiles = world.levels[0].tiles
    leads: dict[int, int] = {}
    for cell in map(int, np.flatnonzero(np.isin(tiles, list(ways)))):
        dx, dy = STEPS[ways[int(tiles[cell])]]
        x, y = cell % world.width + dx, cell // world.width + dy
        if world.spec.edge == "wrap":
            x, y = x % world.width, y % world.height
        if 0 <= x < world.width and 0 <= y < world.height:
            leads[cell] = y * world.width + x
    while leads:
        ends = [cell for cell, target in leads.items() if target not in leads]
        if not ends:
            return True
        for cell in ends:
            del leads[cell]
    return False


def _on_ring(writer: Writer) -> ir.Slot:
    return writer.scratch("ON_RING", writer.world.cells, 0, 1)


def _agent_from(writer: Writer) -> ir.Slot:
    """The cell from which each agent goes round with a ring, plus one; 0 for those that do not."""
    world = writer.world
    return writer.scratch("AGENT_RODE_FROM", len(world.agents), 0, world.cells)


def _thing_from(writer: Writer) -> ir.Slot:
    """The cell from which each object goes round with a ring, plus one; 0 for those that do not."""
    return writer.scratch("THING_RODE_FROM", writer.facts.capacity, 0, writer.world.cells)


def _leads(writer: Writer, cell: ir.Expr) -> ir.Call:
    """Return the call that gives the cell to which the belt in a cell leads; -1 where none does."""
    world = writer.world
    if "belt_leads" not in writer.functions:
        ctx = new_function(writer, "rule", "belt_leads", "cell")
        doc = "The cell to which the belt in a cell leads, or -1."
        writer.functions["belt_leads"] = ir.function("belt_leads", ("cell",), ctx.block, doc)
        here = ir.Local("cell", "int", 0, world.cells - 1)
        listed = writer.kind_table("CARRY", belts(world), -1)
        way = ctx.let("way", ir.lookup(listed, writer.tile_at(here)))
        nowhere: ir.Block = [ir.Return((ir.const(-1),))]
        ctx.block.extend(ir.when(ir.lt(way, 0), nowhere))
        known_way = ir.within(way, 0, max(belts(world).values()))
        target = ctx.let("target", writer.next_cell(here, known_way))
        ctx.block.extend(ir.when(ir.lt(target, 0), nowhere))
        known = ir.within(target, 0, world.cells - 1)
        stopped = ir.either(_ground_blocks(ctx, known), ir.invert(one_way_allows(ctx, known, known_way)))
        ctx.block.extend(ir.when(stopped, nowhere))
        ctx.emit(ir.Return((known,)))
    return ir.call("belt_leads", cell, low=-1, high=world.cells - 1)


def _leads_round(writer: Writer, cell: ir.Expr) -> ir.Expr:
    """Return the cell to which the belt in a cell of a ring leads."""
    return ir.claim(
        _leads(writer, cell), 0, writer.world.cells - 1, "the belts of a ring lead to one another"
    )


def _ground_blocks(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return whether the ground of a cell, whatever lies on it, is solid now."""
    world, writer = ctx.world, ctx.writer
    plain = [
        kind for kind in world.tile_kinds() if kind.solid is not None and not is_conditional(kind, "solid")
    ]
    tile = ctx.let("tile", writer.tile_at(cell))
    tests = [ir.eq(ir.lookup(writer.kind_table("SOLID", dict.fromkeys(plain, 1)), tile), 1)]
    for kind in world.tile_kinds():
        if is_conditional(kind, "solid"):
            tests.append(ir.both(ir.eq(tile, kind.code), guard(ctx, Ref(kind, cell), "solid")))
    return ir.either(*tests)


def find_rings(ctx: Context) -> None:
    """Emit that the cells of rings are marked: each cell is gone over once. Belts that face each other are none."""
    world, writer = ctx.world, ctx.writer
    seen = writer.scratch("RING_SEEN", world.cells, 0, world.cells)
    listed = writer.kind_table("CARRY", belts(world), -1)
    start = ir.Local(ctx.names.fresh("cell"), "int", 0, world.cells - 1)
    body = ctx.inner()
    at = body.variable("at", start, -1, world.cells - 1)
    known = ir.within(at, 0, world.cells - 1)
    follow: ir.Block = [
        ir.Store(seen, known, ir.add(start, ir.const(1))),
        ir.Let(at.name, _leads(writer, known)),
    ]
    body.emit(ir.While(ir.both(ir.ge(at, 0), ir.eq(ir.load(seen, known), 0)), follow))
    ring = body.inner()
    after = ring.variable("after", _leads_round(writer, known), 0, world.cells - 1)
    back = ring.let("back", _leads_round(writer, after))
    ways = [ir.lookup(listed, writer.tile_at(cell)) for cell in (known, after)]
    faces = ir.both(ir.eq(back, known), ir.ne(*ways))
    marks = ring.inner()
    marks.emit(
        ir.Store(_on_ring(writer), known, ir.const(1)),
        ir.While(
            ir.ne(after, known),
            [
                ir.Store(_on_ring(writer), after, ir.const(1)),
                ir.Let(after.name, _leads_round(writer, after)),
            ],
        ),
    )
    ring.block.extend(ir.when(ir.invert(ir.either(faces, ir.eq(after, known))), marks.block))
    closed = ir.both(ir.ge(at, 0), ir.eq(ir.load(seen, known), ir.add(start, ir.const(1))))
    body.block.extend(ir.when(closed, ring.block))
    ctx.emit(ir.Fill(seen, ir.const(0)), ir.Fill(_on_ring(writer), ir.const(0)))
    ctx.emit(ir.For(start.name, ir.const(0), ir.const(world.cells), body.block))


def turn_rings(ctx: Context) -> None:
    """Emit that what waits on a ring goes round: all that have only others before them that go as well."""
    world, writer = ctx.world, ctx.writer
    find_rings(ctx)
    _mark_waiting(ctx)
    changed = ctx.variable("changed", ir.const(1), 0, 1)
    once = ctx.inner()
    once.emit(ir.Let(changed.name, ir.const(0)))
    _let_go(once, changed)
    ctx.emit(ir.While(ir.eq(changed, 1), once.block))
    _move_round(ctx)

    def agent_arrives(inner: Context, agent: Ref) -> None:
        came = inner.let("came", _came(_agent_from(writer), agent.index))
        known = ir.within(came, 0, world.cells - 1)
        went, there = inner.inner(), inner.inner()
        target = went.let("target", _leads(writer, known))
        begin_act(there)
        leave_and_enter(there, agent, known, ir.within(target, 0, world.cells - 1))
        still = ir.eq(ir.load(writer.agent_cell, agent.index), target)
        went.block.extend(ir.when(ir.both(still, writer.goes_on()), there.block))
        inner.block.extend(ir.when(ir.ge(came, 0), went.block))

    def thing_arrives(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        came = inner.let("came", _came(_thing_from(writer), thing))
        known = ir.within(came, 0, world.cells - 1)
        went, there = inner.inner(), inner.inner()
        target = went.let("target", _leads(writer, known))
        begin_act(there)
        code: ir.Expr = ir.load(writer.object_kind, thing)
        code = (
            code if len(world.layers) == 1 else there.let("kind", code)
        )  # its rules may turn it into another
        for layer, ref in _by_layer(world, thing):
            one = there.inner()
            thing_comes(one, ref, known, here)
            there.block.extend(ir.when(is_of_layer(world, code, layer), one.block))
        same = is_of_births(went, "RING_BIRTHS", writer.facts.capacity, thing, thing)
        went.block.extend(ir.when(ir.both(ir.eq(target, here), same), there.block))
        inner.block.extend(ir.when(ir.ge(came, 0), went.block))

    each_agent(ctx, agent_arrives)
    if world.object_kinds():
        each_thing(ctx, thing_arrives)


def _came(slot: ir.Slot, index: ir.Expr) -> ir.Expr:
    return ir.sub(ir.load(slot, index), ir.const(1))


def _by_layer(world: World, thing: ir.Local) -> list[tuple[str, Ref]]:
    return [(layer, Ref(world.first_of_layer(layer), thing)) for layer in world.layers]


def _mark_waiting(ctx: Context) -> None:
    """Emit that those on rings which no belt has carried yet are taken to go round."""
    world, writer = ctx.world, ctx.writer
    ctx.emit(ir.Fill(_agent_from(writer), ir.const(0)))

    def agent_waits(inner: Context, agent: Ref) -> None:
        here = ir.load(writer.agent_cell, agent.index)
        waits = ir.both(
            ir.eq(ir.load(agent_rode(writer), agent.index), 0),
            ir.eq(ir.load(_on_ring(writer), here), 1),
            writer.goes_on(),
        )
        inner.emit(ir.If(waits, [ir.Store(_agent_from(writer), agent.index, ir.add(here, ir.const(1)))], []))

    def thing_waits(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        waits = ir.both(
            ir.eq(ir.load(thing_rode(writer), thing), 0), ir.eq(ir.load(_on_ring(writer), here), 1)
        )
        inner.emit(ir.If(waits, [ir.Store(_thing_from(writer), thing, ir.add(here, ir.const(1)))], []))

    each_agent(ctx, agent_waits)
    if world.object_kinds():
        ctx.emit(ir.Fill(_thing_from(writer), ir.const(0)))
        each_thing(ctx, thing_waits)


def _let_go(ctx: Context, changed: ir.Local) -> None:
    """Emit that those stay which have something before them that stays."""
    world, writer = ctx.world, ctx.writer

    def stays(slot: ir.Slot, index: ir.Expr) -> ir.Block:
        return [ir.Store(slot, index, ir.const(0)), ir.Let(changed.name, ir.const(1))]

    def agent_is_held(inner: Context, agent: Ref) -> None:
        going = inner.inner()
        here = going.let("here", ir.load(writer.agent_cell, agent.index))
        target = going.let("target", _leads_round(writer, here))
        stay = stays(_agent_from(writer), agent.index)
        for thing in things_at(going, target):
            waits = ir.both(ir.ge(thing, 0), ir.eq(ir.load(_thing_from(writer), thing), 0))
            going.block.extend(ir.when(waits, ir.when(keeps_agents_out(writer, thing), stay)))
        if world.agents_block:
            going.block.extend(ir.when(_agent_stays_at(writer, target), stay))
        inner.block.extend(
            ir.when(ir.compare(">", ir.load(_agent_from(writer), agent.index), ir.const(0)), going.block)
        )

    def thing_is_held(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        going = inner.inner()
        target = going.let("target", _leads_round(writer, here))
        stay = stays(_thing_from(writer), thing)
        going.block.extend(
            ir.when(keeps_agents_out(writer, thing), ir.when(_agent_stays_at(writer, target), stay))
        )
        for layer, other in zip(world.layers, things_at(going, target), strict=True):
            waits = ir.both(ir.ge(other, 0), ir.eq(ir.load(_thing_from(writer), other), 0))
            in_the_way = ir.either(
                is_of_layer(world, ir.load(writer.object_kind, thing), layer), is_solid(writer, other)
            )
            going.block.extend(ir.when(waits, ir.when(in_the_way, stay)))
        inner.block.extend(
            ir.when(ir.compare(">", ir.load(_thing_from(writer), thing), ir.const(0)), going.block)
        )

    each_agent(ctx, agent_is_held)
    if world.object_kinds():
        each_thing(ctx, thing_is_held)


def _agent_stays_at(writer: Writer, cell: ir.Expr) -> ir.Expr:
    """Return whether an agent is in a cell that does not go round with the ring."""
    if "stays_at" not in writer.functions:
        ctx = new_function(writer, "rule", "stays_at", "cell")
        doc = "Whether an agent is in a cell that no ring carries on."
        writer.functions["stays_at"] = ir.function("stays_at", ("cell",), ctx.block, doc)

        def ask(inner: Context, agent: Ref) -> None:
            here = ir.eq(
                ir.load(writer.agent_cell, agent.index), ir.Local("cell", "int", 0, writer.world.cells - 1)
            )
            stays = ir.eq(ir.load(_agent_from(writer), agent.index), 0)
            inner.emit(ir.If(ir.both(here, stays), [ir.Hit()], []))

        found = ctx.variable("found", ir.FALSE, 0, 1)
        each_agent(ctx, ask, ir.any_of(found))
        ctx.emit(ir.Return((found,)))
    return ir.call("stays_at", cell, type="bool", low=0, high=1)


def _move_round(ctx: Context) -> None:
    """Emit that all that go round are lifted first, and then put down."""
    world, writer = ctx.world, ctx.writer

    def go(inner: Context, agent: Ref) -> None:
        came = inner.let("came", _came(_agent_from(writer), agent.index))
        went = inner.inner()
        target = went.let("target", _leads_round(writer, ir.within(came, 0, world.cells - 1)))
        went.emit(
            ir.Store(writer.agent_cell, agent.index, target),
            ir.Store(agent_rode(writer), agent.index, ir.const(1)),
        )
        inner.block.extend(ir.when(ir.ge(came, 0), went.block))

    def lift(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        lifted: ir.Block = []
        for layer, _ in _by_layer(world, thing):
            lifted.extend(
                ir.when(
                    is_of_layer(world, ir.load(writer.object_kind, thing), layer),
                    [ir.Store(writer.layer_slot(layer), here, ir.const(-1))],
                )
            )
        inner.emit(ir.If(ir.compare(">", ir.load(_thing_from(writer), thing), ir.const(0)), lifted, []))

    def put(inner: Context, thing: ir.Local, here: ir.Expr) -> None:
        down = inner.inner()
        target = down.let("target", _leads_round(writer, here))
        down.emit(
            ir.Store(writer.object_cell, thing, target),
            ir.Store(thing_rode(writer), thing, ir.const(1)),
            *noted_births(inner, "RING_BIRTHS", writer.facts.capacity, thing, thing),
        )
        for layer, _ in _by_layer(world, thing):
            store: ir.Block = [ir.Store(writer.layer_slot(layer), target, thing)]
            down.block.extend(ir.when(is_of_layer(world, ir.load(writer.object_kind, thing), layer), store))
        inner.emit(ir.If(ir.compare(">", ir.load(_thing_from(writer), thing), ir.const(0)), down.block, []))

    each_agent(ctx, go)
    if world.object_kinds():
        each_thing(ctx, lift)
        each_thing(ctx, put)
