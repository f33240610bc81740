"""Motion: one cell after another, over ground that slides and drifts, up to what stands in the way."""

from __future__ import annotations

from griddsl.compass import STEPS
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import drawn, evaluate_chance, evaluate_number
from griddsl.lowering.clauses.physics import (
    agent_at,
    blocks,
    drift_amount,
    kept_out,
    may_be_kept_out,
    one_way_allows,
)
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.clauses.whereabouts import cell_of, column, row
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.moving.arriving import arrive, call_land, happen, moving_slot, stands
from griddsl.lowering.moving.pushing import could_push, push, push_layers, pushables
from griddsl.lowering.moving.ways import counts_cells, drifts, goes_on, most_cells, most_direction
from griddsl.lowering.rules.hearing import event
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir


def could_move(ctx: Context, action: Action, agent: Ref) -> ir.Expr:
    """Return whether a move would go at least one cell, pushing what is in its way, without any luck."""
    world, writer = ctx.world, ctx.writer
    direction: ir.Expr
    if action.direction is not None:
        direction = ir.const(action.direction)
    else:
        direction = writer.turned(ir.load(writer.facing, agent.index), ir.const(action.relative or 0))
    goes: ir.Expr = ir.TRUE
    if action.reach is not None and (cells := evaluate_number(ctx, action.reach)) is not None:
        cells = ctx.let("cells", cells)
        opposite = ir.lookup(writer.table("OPPOSITE", [2, 3, 0, 1, 6, 7, 4, 5]), direction)
        direction, goes = ctx.let("way", ir.select(ir.lt(cells, 0), opposite, direction)), ir.ne(cells, 0)
    target = ctx.let("target", writer.next_cell(cell_of(ctx, agent), direction))
    known = ir.within(target, 0, world.cells - 1)
    inner = ctx.inner()
    blocked = ir.either(blocks(inner, known, "solid"), ir.invert(one_way_allows(inner, known, direction)))
    gives_way = [could_push(inner, agent, layer, known, direction) for layer in push_layers(world)]
    if any(kind.pushable and kind.solid is not None for kind in world.object_kinds()):
        pushed = ir.either(*(ir.eq(each, 1) for each in gives_way))
        stays: ir.Expr = ir.invert(pushed)
        if may_be_kept_out(writer):
            stays = ir.either(stays, kept_out(inner, known, direction))
        blocked = ir.both(blocked, stays)
    if world.agents_block:
        blocked = ir.either(blocked, agent_at(inner, known))
    blocked = _passing_surely(inner, action, known, blocked)
    test = ir.both(*(ir.ge(each, 0) for each in gives_way), ir.invert(blocked))
    free = ctx.variable("free", ir.FALSE, 0, 1)
    inner.emit(ir.Let(free.name, test))
    ctx.block.extend(ir.when(ir.both(goes, ir.ge(target, 0)), inner.block))
    return ir.Local(free.name, "bool", 0, 1)


def _passing_surely(ctx: Context, action: Action, cell: ir.Expr, blocked: ir.Expr) -> ir.Expr:
    """Return whether a move is stopped, where it goes ``through`` K: it surely passes only where it needs no luck."""
    kind = ctx.world.kinds.get(getattr(action.through, "name", ""))
    if kind is None:
        return blocked
    there = found_in_cell(ctx, cell, kind, values_given(action.through), None)
    chance = evaluate_chance(ctx, action.chance) if action.chance is not None else ir.const(1)
    sure = ir.TRUE if chance is None else ir.compare(">=", chance, ir.const(1))
    return ir.select(there, ir.invert(sure), blocked)


def call_move(ctx: Context, agent: Ref, direction: ir.Expr, cells: ir.Expr) -> None:
    """Emit a whole move: its cells, drift and slide."""
    world, writer = ctx.world, ctx.writer
    if not goes_on(world) and not drifts(world):
        ctx.emit(ir.Do(_advance_call(writer, direction, agent)))
        return
    if "move" not in writer.functions:
        _define_move(writer)
    ctx.emit(ir.Do(ir.call("move", agent.index, direction, *([cells] if counts_cells(world) else []))))


def _stop(world: World) -> ir.Return:
    """The end of an ``advance`` that was stopped."""
    return ir.Return((ir.const(0),) if goes_on(world) else ())


def _define_move(writer: Writer) -> None:
    """Define ``move``: the cells of the move (drift joined to them), then sliding."""
    world = writer.world
    several = counts_cells(world)
    parameters = ("agent", "direction", *(("cells",) if several else ()))
    ctx = new_function(writer, "rule", "move", *parameters)
    writer.functions["move"] = ir.function(
        "move", parameters, ctx.block, "Move an agent: its cells, then sliding."
    )
    ref = writer.acting
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    cells: ir.Expr = ir.Local("cells", "int", 0, most_cells(world)) if several else ir.const(1)
    slides = any(kind.slide for kind in world.tile_kinds())
    going = ctx.variable("going", ir.const(0), 0, 1) if goes_on(world) else None
    plain = ctx.inner()
    _walk(plain, ref, direction, cells, several, going)
    if drifts(world):
        drift = ctx.inner()
        _drift(drift, ref, direction, cells, going)
        here = ctx.let("tile", writer.tile_at(stands(ctx.writer, ref)))
        blown = ir.either(*(ir.eq(here, kind.code) for kind in drifts(world)))
        ctx.block.extend(ir.when(blown, drift.block, plain.block))
    else:
        ctx.block.extend(plain.block)
    if slides and going is not None:
        _slide(ctx, ref, direction, going)


def _walk(
    ctx: Context, ref: Ref, direction: ir.Expr, cells: ir.Expr, several: bool, going: ir.Local | None
) -> None:
    """Emit the cells of a plain move; ``going`` is 1 where nothing stopped it."""
    advance = _advance_call(ctx.writer, direction, ref)
    if going is None:
        ctx.emit(ir.Do(advance))
    elif not several:
        ctx.emit(ir.Let(going.name, advance))
    else:
        body: ir.Block = [ir.Let(going.name, advance), ir.If(ir.eq(going, 0), [ir.Break()], [])]
        ctx.emit(ir.For(ctx.names.fresh("i"), ir.const(0), cells, body))


def _advance_call(writer: Writer, direction: ir.Expr, ref: Ref) -> ir.Call:
    if "advance" not in writer.functions:
        _define_advance(writer)
    return ir.call("advance", ref.index, direction, low=0, high=1)


_ADVANCE_DOC = {
    False: "Move an agent one cell.",
    True: "Move an agent one cell; 1 if the move can go on from there.",
}


def _define_advance(writer: Writer) -> None:
    """Define ``advance``: one cell in a direction, with its events."""
    world = writer.world
    ctx = new_function(writer, "rule", "advance", "agent", "direction")
    writer.functions["advance"] = ir.function(
        "advance", ("agent", "direction"), ctx.block, _ADVANCE_DOC[goes_on(world)]
    )
    ref = writer.acting
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    here = ctx.let("cell", stands(ctx.writer, ref))
    target = ctx.let("target", writer.next_cell(here, direction))
    if target.low < 0:
        off = ctx.inner()
        thin_walls = any(level.barriers for level in world.levels)
        happen(off, "bump", ref, target if thin_walls else ir.const(-1))
        off.emit(_stop(world))
        ctx.block.extend(ir.when(ir.lt(target, 0), off.block))
    if world.spec.edge == "clip" and most_direction(writer) == 7 and event(world, "bump") is not None:
        _clipped_bump(ctx, ref, here, target, direction)
    known = ir.within(target, 0, world.cells - 1)
    if pushables(world) and may_be_kept_out(writer):
        pushing = ctx.inner()
        push(pushing, ref, known, direction, [_stop(world)])
        stays_out = ir.both(kept_out(ctx, known, direction), ir.invert(_goes_through(ctx, ref, known)))
        ctx.block.extend(ir.when(ir.invert(stays_out), pushing.block))
    elif pushables(world):
        push(ctx, ref, known, direction, [_stop(world)])
    blocked = ir.either(blocks(ctx, known, "solid"), ir.invert(one_way_allows(ctx, known, direction)))
    if world.agents_block:
        blocked = ir.either(blocked, agent_at(ctx, known))
    bump = ctx.inner()
    happen(bump, "bump", ref, known)
    bump.emit(_stop(world))
    ctx.block.extend(ir.when(passing(ctx, ref, known, blocked), bump.block))
    arrive(ctx, ref, here, known)


def _clipped_bump(ctx: Context, ref: Ref, here: ir.Expr, target: ir.Expr, direction: ir.Expr) -> None:
    """A diagonal move that was clipped at one border goes on along it, and bumps."""
    straight = ir.either(
        ir.eq(column(ctx, here), column(ctx, target)), ir.eq(row(ctx, here), row(ctx, target))
    )
    inner = ctx.inner()
    _bump_into_border(inner, ref, here, _stop(ctx.world))
    ctx.block.extend(ir.when(ir.both(ir.compare(">", direction, ir.const(3)), straight), inner.block))


def _bump_into_border(ctx: Context, ref: Ref, here: ir.Expr, stop: ir.Stmt) -> None:
    """Emit a bump at which a move goes on along the border: not one that is sent away, or at an end that it brings."""
    writer = ctx.writer
    going = ctx.let("going", writer.goes_on())
    happen(ctx, "bump", ref, ir.const(-1))
    stays = ir.eq(ir.load(writer.agent_cell, ref.index), here)
    may_go = ir.either(ir.invert(going), writer.goes_on())
    ctx.block.extend(ir.when(ir.invert(ir.both(stays, writer.is_in(ref.index), may_go)), [stop]))


def passing(ctx: Context, ref: Ref, target: ir.Expr, blocked: ir.Expr) -> ir.Expr:
    """Let a move ``through K`` pass what it names, with its chance."""
    world, writer = ctx.world, ctx.writer
    passing = [action for action in world.actions if action.through is not None]
    if not passing:
        return blocked
    result = ctx.variable("blocked", blocked, 0, 1)
    doing = ir.load(moving_slot(writer), ref.index)
    for action in passing:
        node = action.through
        kind = None if node is None else kind_called(ctx, node)
        if kind is None:
            continue
        attributes = values_given(node)
        inner = ctx.inner()
        there = found_in_cell(inner, target, kind, attributes, None)
        chance = evaluate_chance(inner, action.chance) if action.chance is not None else ir.const(1)
        missed = ir.invert(drawn(inner, chance)) if chance is not None else ir.FALSE
        inner.block.extend(ir.when(there, [ir.Let(result.name, missed)]))
        by_this = ir.eq(doing, world.actions.index(action) + 1)
        ctx.block.extend(ir.when(by_this, inner.block))
    return ir.Local(result.name, "bool", 0, 1)


def _goes_through(ctx: Context, ref: Ref, target: ir.Expr) -> ir.Expr:
    """Return whether a move goes ``through`` something that is in a cell, with whatever chance."""
    world, through = ctx.world, []
    for number, action in enumerate(world.actions, start=1):
        kind = None if action.through is None else kind_called(ctx, action.through)
        if kind is not None:
            attributes = values_given(action.through)
            there = found_in_cell(ctx, target, kind, attributes, None)
            doing = ir.load(moving_slot(ctx.writer), ref.index)
            through.append(ir.both(ir.eq(doing, number), there))
    return ir.either(*through)


# Drift and slide


def _drift(ctx: Context, ref: Ref, direction: ir.Expr, cells: ir.Expr, going: ir.Local | None) -> None:
    """A move from drifting ground: the displacements add up, and only the last cell is entered."""
    world, writer = ctx.world, ctx.writer
    here = ctx.let("cell", stands(ctx.writer, ref))
    steps_x = writer.table("STEP_X", [step[0] for step in STEPS] + [0])
    steps_y = writer.table("STEP_Y", [step[1] for step in STEPS] + [0])
    size = max(world.width, world.height) + 2000  # a move and what drifts are 1000 each at the most
    x = ctx.variable(
        "x", ir.add(column(ctx, here), ir.mul(ir.lookup(steps_x, direction), cells)), -size, size
    )
    y = ctx.variable("y", ir.add(row(ctx, here), ir.mul(ir.lookup(steps_y, direction), cells)), -size, size)
    tile = ctx.let("tile", writer.tile_at(here))
    for kind in drifts(world):
        assert kind.drift is not None
        inner = ctx.inner(scope={**ctx.scope, kind.name: Ref(kind, here)}, self_ref=ref)
        amount = inner.let("amount", drift_amount(world, kind, inner))
        dx, dy = STEPS[kind.drift[0]]
        if dx:
            inner.emit(ir.Let(x.name, ir.Op("+", (x, ir.mul(amount, ir.const(dx))), "int", -size, size)))
        if dy:
            inner.emit(ir.Let(y.name, ir.Op("+", (y, ir.mul(amount, ir.const(dy))), "int", -size, size)))
        ctx.block.extend(ir.when(ir.eq(tile, kind.code), inner.block))
    one_way = any(kind.one_way is not None for kind in world.tile_kinds())
    dx_made = ctx.let("dx", ir.sub(x, column(ctx, here))) if one_way else ir.const(0)
    dy_made = ctx.let("dy", ir.sub(y, row(ctx, here))) if one_way else ir.const(0)
    inside = ir.both(ir.ge(x, 0), ir.lt(x, world.width), ir.ge(y, 0), ir.lt(y, world.height))
    outside = ctx.inner()
    if world.spec.edge == "wrap":
        outside.emit(
            ir.Let(x.name, ir.mod(x, ir.const(world.width))),
            ir.Let(y.name, ir.mod(y, ir.const(world.height))),
        )
    else:
        if world.spec.edge == "clip":
            if event(world, "bump") is not None:
                _bump_into_border(outside, ref, here, ir.Return(()))
            outside.emit(
                ir.Let(x.name, ir.clamp(x, 0, world.width - 1)),
                ir.Let(y.name, ir.clamp(y, 0, world.height - 1)),
            )
        else:
            happen(outside, "bump", ref, ir.const(-1))
            outside.emit(ir.Return(()))
    ctx.block.extend(ir.when(ir.invert(inside), outside.block))
    target_value = ir.Op("+", (ir.mul(y, ir.const(world.width)), x), "int", 0, world.cells - 1)
    target = ctx.let("target", target_value)
    inner = ctx.inner()
    solid = ir.either(blocks(inner, target, "solid"), ir.invert(_way_allows(inner, dx_made, dy_made, target)))
    bump = inner.inner()
    happen(bump, "bump", ref, target)
    landing = call_land(writer, ref.index, here, target)
    land: ir.Block = [ir.Do(landing) if going is None else ir.Let(going.name, landing)]
    inner.block.extend(ir.when(solid, bump.block, land))
    ctx.block.extend(ir.when(ir.ne(target, here), inner.block))


def _way_allows(ctx: Context, dx: ir.Expr, dy: ir.Expr, target: ir.Expr) -> ir.Expr:
    """Return whether the ground of a drifting move's last cell may be entered the way the whole move leads."""
    world, writer = ctx.world, ctx.writer
    ways = {kind: kind.one_way for kind in world.tile_kinds() if kind.one_way is not None}
    if not ways:
        return ir.TRUE
    way = ctx.let("one_way", ir.lookup(writer.kind_table("ONE_WAY", ways, -1), writer.tile_at(target)))
    length = ctx.let("length", ir.greatest((ir.absolute(dx), ir.absolute(dy))))
    steps_x = writer.table("STEP_X", [step[0] for step in STEPS] + [0])
    steps_y = writer.table("STEP_Y", [step[1] for step in STEPS] + [0])
    straight = ir.both(
        ir.eq(dx, ir.mul(ir.lookup(steps_x, way), length)), ir.eq(dy, ir.mul(ir.lookup(steps_y, way), length))
    )
    return ir.either(ir.lt(way, 0), straight)


def _slide(ctx: Context, ref: Ref, direction: ir.Expr, going: ir.Local) -> None:
    """Keep going while on sliding ground; each cell is entered. A loop of ice ends after four times its cells."""
    world, writer = ctx.world, ctx.writer
    slides = writer.kind_table("SLIDE", {kind: int(kind.slide) for kind in world.tile_kinds()})
    on_ice = ir.eq(ir.lookup(slides, writer.tile_at(stands(ctx.writer, ref))), 1)
    left = ctx.variable("left", ir.const(world.cells * 4), 0, world.cells * 4)
    body: ir.Block = [
        ir.Let(going.name, _advance_call(writer, direction, ref)),
        ir.Let(left.name, ir.Op("-", (left, ir.const(1)), "int", 0, world.cells * 4)),
    ]
    ctx.emit(ir.While(ir.both(ir.eq(going, 1), on_ice, ir.compare(">", left, ir.const(0))), body))
