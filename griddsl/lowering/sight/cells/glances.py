"""Glances: a view ``as minigrid`` told as data, for backends that look at all of its cells at once."""

from __future__ import annotations

import numpy as np

from griddsl.lowering.clauses.context import TAKEN, Context
from griddsl.lowering.clauses.physics import guard, is_conditional
from griddsl.lowering.clauses.things import objects_end
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.sight.cells.minigrid import (
    OFF_THE_GRID,
    UNSEEN,
    ground_codes,
    pixel_of,
    write_hand,
    write_object,
)
from griddsl.lowering.sight.cells.sights import NORTH, Sight, quarter_turn
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n

MOST_KINDS = 250  # a cell's kind is kept in a byte, and so is what lies off the grid, or in the dark


def glance_of(sight: Sight, form: n.Form | None, ctx: Context) -> ir.Glance | None:
    """Return what a view in MiniGrid's form shows; None where more than kinds of ground and one thing a cell decide."""
    world, writer, agent = ctx.world, ctx.writer, ctx.self_ref
    if form is None or form.name != "minigrid" or not sight.is_view or agent is None or world.several:
        return None
    ground = ground_codes(world)
    layers = world.layers if world.object_kinds() else ()
    is_fixed = not any(is_conditional(kind, "opaque") for kind in world.tile_kinds())
    if ground is None or len(layers) > 1 or not is_fixed or len(world.kind_list) > MOST_KINDS:
        return None
    ctx = ctx.inner(names=ir.Names(set(TAKEN)))
    before, after = ctx.inner(), ctx.inner()
    here = cell_of(before, agent)
    turn = quarter_turn(before, agent) if sight.turns else ir.const(NORTH)
    count = objects_end(before) if layers else ir.const(0)
    write_hand(after, pixel_of(after, sight, ir.const(sight.agent_column), ir.const(sight.agent_row)))
    thing = ir.Local(ctx.names.fresh("thing"), "int", 0, writer.facts.capacity - 1)
    pixel = ir.Local(ctx.names.fresh("pixel"), "int", 0, 3 * sight.rows * sight.columns - 3)
    asks, shown = ctx.inner(), ctx.inner()
    stops = _stops(asks, thing) if layers else ir.FALSE
    if layers:
        write_object(shown, thing, pixel)
    if not all(isinstance(statement, ir.Let) for statement in (*before.block, *asks.block)):
        return None
    tiles = world.tile_kinds()
    return ir.Glance(
        rows=sight.rows,
        columns=sight.columns,
        agent_row=sight.agent_row,
        agent_column=sight.agent_column,
        cone=sight.cone,
        occluded=sight.occluded,
        by_columns=True,
        before=before.block,
        here=here,
        turn=turn,
        ground=ground,
        opaque=tuple(int(kind in tiles and kind.opaque is not None) for kind in world.kind_list),
        off=OFF_THE_GRID,
        unseen=UNSEEN,
        tiles=writer.tile_slot if writer.facts.dynamic_tiles else None,
        fixed=() if writer.facts.dynamic_tiles else tuple(np.asarray(world.levels[0].tiles).tolist()),
        layer=writer.layer_slot(layers[0]) if layers else None,
        cells=writer.object_cell if layers else None,
        count=count,
        thing=thing,
        pixel=pixel,
        asks=asks.block,
        stops=stops,
        shown=shown.block,
        after=after.block,
    )


def _stops(ctx: Context, thing: ir.Local) -> ir.Expr:
    """Return whether a thing stops light."""
    code = ir.load(ctx.writer.object_kind, thing)
    kinds = [kind for kind in ctx.world.object_kinds() if kind.opaque is not None]
    return ir.either(
        *(ir.both(ir.eq(code, kind.code), guard(ctx, Ref(kind, thing), "opaque")) for kind in kinds)
    )
