"""Showing: what of the cells is written into a grid or a view, as kinds, codes or planes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.sight.cells.disguises import appearing, appears, is_there, write_topmost
from griddsl.lowering.sight.cells.minigrid import write_minigrid
from griddsl.lowering.sight.cells.painting import Mark, Spots, is_worth_painting, paint
from griddsl.lowering.sight.cells.planes import Plane, plane_entries, plane_value
from griddsl.lowering.sight.cells.seeing import Code, codes_of
from griddsl.lowering.sight.cells.sights import Sight, WriteCell, for_each_seen, write_ground
from griddsl.lowering.sight.cells.spots import each_spot
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n


def write_sight(ctx: Context, sight: Sight, form: n.Form | None, seen: list[n.SeenAs]) -> None:
    """Emit the loops that write a sight into ``out``."""
    name = form.name if form else "kinds"
    if name == "minigrid":
        write_minigrid(ctx, sight)
        return
    paints = {"codes": _paint_codes, "planes": _paint_planes}
    if not seen and name in paints and paints[name](ctx, sight, form):
        return
    writers: dict[str, WriteCell] = {
        "kinds": lambda inner, place: _write_kind(inner, place.index, place.cell, sight, seen),
        "codes": lambda inner, place: _write_code(inner, place.index, place.cell, codes, seen),
        "planes": lambda inner, place: _write_planes(inner, place.index, place.cell, planes, seen),
    }
    codes = _sorted_codes(ctx, form) if name == "codes" else []
    planes = _planes(ctx, form) if name == "planes" else []
    depth = len(planes) if name == "planes" else 1
    unseen = len(ctx.world.kinds) if name == "kinds" else 0
    for_each_seen(ctx, sight, writers[name], sight.rows * sight.columns * depth, unseen)


def _paint_codes(ctx: Context, sight: Sight, form: n.Form | None) -> bool:
    """Write the codes of the ground, and over them those of things one by one; return whether that is worth it."""
    world, writer = ctx.world, ctx.writer
    codes = _sorted_codes(ctx, form)
    tiles = [entry for entry in codes if entry[0].category == "tile"]
    things = [Mark(kind, attributes, code) for kind, attributes, code in codes if kind.category != "tile"]
    if not is_worth_painting(writer, sight, [mark.kind for mark in things]) or _hide_each_other(world, codes):
        return False
    if writer.facts.dynamic_tiles or any(attributes for _, attributes, _ in tiles):
        size = sight.rows * sight.columns
        for_each_seen(
            ctx, sight, lambda inner, place: _write_code(inner, place.index, place.cell, tiles, []), size, 0
        )
    else:
        code_of = {kind.code: code for kind, _, code in tiles}
        ground = [code_of.get(tile, 0) for tile in np.asarray(world.levels[0].tiles).tolist()]
        write_ground(ctx, sight, ground, code_of.get(world.kinds["wall"].code, 0))
    paint(ctx, sight, things)
    return True


def _paint_planes(ctx: Context, sight: Sight, form: n.Form | None) -> bool:
    """Write planes of kinds as `_paint_codes` does codes."""
    world, planes = ctx.world, _planes(ctx, form)
    marks: list[Mark | Spots] = []
    others: list[Plane] = []
    for plane in planes:
        word, node, index, _ = plane
        if isinstance(node, n.CellsFor):
            marks.append(Spots(node, index))
        elif word == "kind" and isinstance(node, n.KindName) and world.kinds[node.name].category != "tile":
            marks.append(Mark(world.kinds[node.name], values_given(node), 1, index))
        else:
            others.append(plane)
    if not marks or not is_worth_painting(
        ctx.writer, sight, [mark.kind for mark in marks if isinstance(mark, Mark)]
    ):
        return False
    size = sight.rows * sight.columns * len(planes)
    ctx.emit(ir.Blank(ir.const(size), ir.const(0)))
    for plane in others:
        # One by one: the loop of a condition that few cells can fulfil goes through these alone.
        for_each_seen(ctx, sight, _writer_of(plane), size, 0)
    paint(ctx, sight, marks, len(planes))
    return True


def _writer_of(plane: Plane) -> WriteCell:
    return lambda inner, place: _write_planes(inner, place.index, place.cell, [plane], [], True)


def _write_kind(ctx: Context, at: ir.Expr, cell: ir.Expr, sight: Sight, seen: list[n.SeenAs]) -> None:
    wall = ir.const(ctx.world.kinds["wall"].code)
    if cell.low >= 0:
        ctx.emit(ir.Out(at, topmost(ctx, cell, seen)))
        return
    inner = ctx.inner()
    inner.emit(ir.Out(at, topmost(inner, _on_grid(cell, ctx.world), seen)))
    ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block, [ir.Out(at, wall)]))


def _on_grid(cell: ir.Expr, world: World) -> ir.Expr:
    assert isinstance(cell, ir.Local)
    return ir.Local(cell.name, "int", 0, world.cells - 1)


def topmost(ctx: Context, cell: ir.Expr, seen: list[n.SeenAs]) -> ir.Expr:
    """Return the code of the topmost kind in a cell, as it appears: an agent, an object, or the tile."""
    world, writer = ctx.world, ctx.writer
    shown = ctx.variable("shown", writer.tile_at(cell), 0, len(world.kinds) - 1)
    for layer in world.layers if world.object_kinds() else []:
        thing = ctx.let("thing", ir.load(writer.layer_slot(layer), cell))
        code = ir.load(writer.object_kind, ir.within(thing, 0, writer.facts.capacity - 1))
        kind = ir.claim(code, 0, len(world.kinds) - 1, "what stands in a cell has a kind")
        ctx.block.extend(ir.when(ir.ge(thing, 0), [ir.Let(shown.name, kind)]))
    top: ir.Local | None = None
    if world.nowhere:
        pass
    elif world.several:
        last = len(world.agents) - 1
        agent = ir.Local(ctx.names.fresh("agent"), "int", 0, last)
        here = ir.both(ir.eq(ir.load(writer.agent_cell, agent), cell), writer.is_in(agent))
        top = ctx.variable("top", ir.const(-1), -1, last) if seen else None
        found = shown if top is None else top
        body = ir.when(here, [ir.Hit(writer.agent_code(agent) if top is None else agent)])
        ctx.emit(ir.last_of(found)(agent.name, ir.const(0), ir.const(len(world.agents)), body))
        if top is not None:
            on_top = writer.agent_code(ir.within(top, 0, last))
            ctx.block.extend(ir.when(ir.ge(top, 0), [ir.Let(shown.name, on_top)]))
    else:
        here = ir.eq(ir.load(writer.agent_cell), cell)
        ctx.block.extend(ir.when(here, [ir.Let(shown.name, ir.const(world.agents[0].code))]))
    return appearing(ctx, shown, top, cell, seen)


def _sorted_codes(ctx: Context, form: n.Form | None) -> list[Code]:
    """Return the codes that are listed, those of what stands below first: a later one hides an earlier."""
    layers = ctx.world.layers

    def height(entry: Code) -> tuple[int, int]:
        kind = entry[0]
        return _CATEGORIES.index(kind.category), layers.index(kind.layer) if kind.layer in layers else -1

    return sorted(codes_of(ctx, form) or [], key=height)


def _write_code(
    ctx: Context, at: ir.Expr, cell: ir.Expr, codes: Sequence[Code], seen: list[n.SeenAs]
) -> None:
    """Write the chosen code of the topmost kind that is listed; 0 where nothing listed is there."""
    shown = ctx.variable("code", ir.const(0), 0, 255)
    here = ctx.inner()
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    if seen:
        write_topmost(here, known, codes, seen, shown)
    else:
        _write_listed(here, known, codes, shown)
    off = [ir.Let(shown.name, ir.const(code)) for kind, _, code in codes if kind.name == "wall"][:1]
    ctx.block.extend(ir.when(ir.ge(cell, 0), here.block, list(off)) if cell.low < 0 else here.block)
    ctx.emit(ir.Out(at, shown))


def _write_listed(ctx: Context, cell: ir.Expr, codes: Sequence[Code], shown: ir.Local) -> None:
    """Write the code of the topmost thing of a cell that is listed: the later over the earlier."""
    together = _hide_each_other(ctx.world, codes)
    for kind, attributes, code in codes:
        if together and kind.category == "agent":
            continue
        inner = ctx.inner()
        test = is_there(inner, cell, kind, attributes)
        ctx.block.extend(inner.block)
        ctx.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(code))]))
    if together:
        _write_agents(ctx, cell, [entry for entry in codes if entry[0].category == "agent"], shown)


def _hide_each_other(world: World, codes: Sequence[Code]) -> bool:
    """Whether agents of several codes can share a cell: the one that is declared last is on top."""
    sent = world.passes_through or any(can.moves for _, can in of_rules(world.spec))
    alone = world.agents_block and not sent
    return not alone and sum(kind.category == "agent" for kind, _, _ in codes) > 1


def _write_agents(ctx: Context, cell: ir.Expr, codes: Sequence[Code], shown: ir.Local) -> None:
    """Write the code of the topmost agent in a cell; of several entries that fit it, the last."""

    def body(inner: Context, ref: Ref) -> None:
        here = inner.inner()
        for kind, attributes, code in codes:
            of_kind = (
                ir.TRUE if kind.name == "agent" else ir.eq(inner.writer.agent_code(ref.index), kind.code)
            )
            one = here.inner()
            fits = matches(one, Ref(kind, ref.index), attributes)
            one.block.extend(ir.when(fits, [ir.Let(shown.name, ir.const(code))]))
            here.block.extend(ir.when(of_kind, one.block))
        inner.block.extend(ir.when(ir.eq(cell_of(inner, ref), cell), here.block))

    for_each(ctx, ctx.world.kinds["agent"], body)


def _planes(ctx: Context, form: n.Form | None) -> list[Plane]:
    """Return the planes, each with its number and how many there are."""
    entries = plane_entries(ctx, form)
    return [(word, node, index, len(entries)) for index, (word, node) in enumerate(entries)]


def _write_planes(
    ctx: Context,
    at: ir.Expr,
    cell: ir.Expr,
    planes: Sequence[Plane],
    seen: list[n.SeenAs],
    is_blank: bool = False,
) -> None:
    """Write the planes of a cell; where all of them are blank already, what does not hold is not written."""
    known = _on_grid(cell, ctx.world) if cell.low < 0 else cell
    for word, node, index, count in planes:
        inner = ctx.inner()
        test: ir.Expr | None
        value: ir.Expr
        is_wall = False
        if word == "kind" and isinstance(node, n.KindName):
            there = appears(inner, known, ctx.world.kinds[node.name], values_given(node), seen)
            value, test = ir.as_number(there), there
            is_wall = node.name == "wall"
        elif isinstance(node, n.CellsFor):
            test = _is_spot(inner, node, known)
            value = ir.as_number(test)
        else:
            value, is_truth = plane_value(inner, node, known)
            test = ir.eq(value, 1) if is_truth else None
        place = ir.add(ir.mul(at, ir.const(count)), ir.const(index)) if count > 1 else at
        if is_blank and test is not None:
            inner.block.extend(ir.when(test, [ir.Out(place, ir.const(1))]))
        else:
            inner.emit(ir.Out(place, value))
        off = ir.const(int(is_wall))
        if cell.low < 0:
            ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block, [ir.Out(place, off)]))
        else:
            ctx.block.extend(inner.block)


def _is_spot(ctx: Context, node: n.CellsFor, cell: ir.Expr) -> ir.Expr:
    """Return whether a thing speaks of this cell."""
    found = ctx.variable("is_spot", ir.FALSE, 0, 1)

    def use(inner: Context, spot: ir.Expr) -> None:
        inner.block.extend(ir.when(ir.eq(spot, cell), [ir.Hit()]))

    each_spot(ctx, node, use, ir.any_of(found))
    return ir.Local(found.name, "bool", 0, 1)


_CATEGORIES = ("tile", "object", "agent")
