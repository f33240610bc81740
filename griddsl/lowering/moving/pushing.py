"""Pushing: a thing, or a row of things, goes on before whoever walks into it, if nothing stops it."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.physics import agent_at, blocks, guard, is_conditional, one_way_allows
from griddsl.lowering.moving.arriving import happen, thing_comes
from griddsl.lowering.moving.ways import most_direction
from griddsl.lowering.rules.hearing import event, settles_after
from griddsl.lowering.rules.keeping import is_of_births, noted_births
from griddsl.lowering.rules.meeting import can_meet
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir

ROW = "a row that was pushed lies on the map"


def pushables(world: World) -> bool:
    """Whether any object can be pushed."""
    return any(kind.pushable for kind in world.object_kinds())


def could_push(ctx: Context, agent: Ref, layer: str, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
    """Return whether what lies in a cell gives way to an agent: 1, 0 for nothing, -1 if it does not."""
    name = _define_could_push(ctx.writer, layer)
    return ir.call(name, cell, direction, *_who(ctx.world, agent), low=-1, high=1)


def _who(world: World, agent: Ref) -> tuple[ir.Expr, ...]:
    return (agent.index,) if _pusher(world) else ()


def _pusher(world: World) -> tuple[str, ...]:
    """Return the parameter of functions that are told who pushes, where what gives way may depend on it."""
    return ("agent",) if world.several and _conditional(world) else ()


def _conditional(world: World) -> bool:
    return any(is_conditional(kind, "pushable") for kind in world.object_kinds())


def _refuses(ctx: Context, thing: ir.Expr) -> ir.Expr:
    """Return whether an object that can be pushed does not give way now, by the condition of its kind."""
    writer, name = ctx.writer, "refuses"
    if not _conditional(writer.world):
        return ir.FALSE
    if name not in writer.functions:
        parameters = ("thing", *_pusher(writer.world))
        inner = new_function(writer, "rule", name, *parameters)
        doc = "Whether an object does not give way now."
        writer.functions[name] = ir.function(name, parameters, inner.block, doc)
        this = ir.Local("thing", "int", 0, writer.facts.capacity - 1)
        of_kind = inner.let("kind", ir.load(writer.object_kind, this))
        for kind in writer.world.object_kinds():
            if is_conditional(kind, "pushable"):
                asked = inner.inner()
                if _pusher(writer.world):
                    asked.scope["agent"] = writer.acting
                asked.emit(ir.Return((ir.invert(guard(asked, Ref(kind, this), "pushable")),)))
                inner.block.extend(ir.when(ir.eq(of_kind, kind.code), asked.block))
        inner.emit(ir.Return((ir.FALSE,)))
    return ir.call(name, thing, *_who(writer.world, writer.acting), type="bool", low=0, high=1)


def _define_could_push(writer: Writer, layer: str) -> str:
    world = writer.world
    name = writer.function_name(("could_push", layer))
    if name in writer.functions:
        return name
    parameters = ("cell", "direction", *_pusher(world))
    ctx = new_function(writer, "rule", name, *parameters)
    doc = "Whether a row of objects gives way: 1, 0 where nothing has to, -1 where it does not."
    writer.functions[name] = ir.function(name, parameters, ctx.block, doc)
    at, kinds = writer.layer_slot(layer), writer.object_kind
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    first = ir.Local("cell", "int", 0, world.cells - 1)
    most = _longest_row(world)
    nothing: ir.Block = [ir.Return((ir.const(0),))]
    stuck: ir.Block = [ir.Return((ir.const(-1),))]
    nearest = ctx.let("nearest", ir.load(at, first))
    ctx.block.extend(ir.when(ir.lt(nearest, 0), nothing))
    nearest = ir.claim(nearest, 0, writer.facts.capacity - 1, "something lies there")
    left = ctx.variable("left", ir.lookup(listed, ir.load(kinds, nearest)), -1, most)
    ctx.block.extend(ir.when(ir.eq(left, 0), nothing))
    end = ctx.variable("end", first, 0, world.cells - 1)
    body = ctx.inner()
    in_row = body.let(
        "in_row", ir.claim(ir.load(at, end), 0, writer.facts.capacity - 1, "something lies there")
    )
    is_fixed = ir.eq(ir.lookup(listed, ir.load(kinds, in_row)), 0)
    limit = ir.either(is_fixed, ir.eq(left, 0), _refuses(body, in_row))
    body.block.extend(ir.when(limit, stuck))
    body.emit(ir.Let(left.name, ir.claim(ir.sub(left, ir.const(1)), -1, most, "at 0 the row is too long")))
    beyond = body.let("beyond", writer.next_cell(end, direction))
    body.block.extend(ir.when(ir.lt(beyond, 0), stuck))
    body.emit(ir.Let(end.name, ir.claim(beyond, 0, world.cells - 1, "it is on the grid")))
    ctx.emit(ir.While(ir.ge(ir.load(at, end), 0), body.block))
    stopped = ir.either(
        blocks(ctx, end, "solid"), agent_at(ctx, end), ir.invert(one_way_allows(ctx, end, direction))
    )
    ctx.block.extend(ir.when(stopped, stuck))
    ctx.emit(ir.Return((ir.const(1),)))
    return name


def push(
    ctx: Context, ref: Ref, target: ir.Expr, direction: ir.Expr, stop: ir.Block, in_round: bool = False
) -> None:
    """Push what is pushable out of the way; where it does not give way, it blocks, and ``stop`` follows.

    ``in_round`` says that agents move at once: nothing is pushed into a cell that one of them gets.
    """
    world, writer = ctx.world, ctx.writer
    wishes = (ir.const(int(in_round)),) if _move_at_once(world) else ()
    who = _who(world, ref)
    if "push" not in writer.functions:
        _define_push(writer)
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    here = ctx.let("stood", ir.load(writer.agent_cell, ref.index))
    for layer in push_layers(world):
        thing = ctx.let("thing", ir.load(writer.layer_slot(layer), target))
        kind = ir.load(writer.object_kind, thing)
        inner = ctx.inner()
        stuck = inner.inner()
        happen(stuck, "bump", ref, target)
        stuck.emit(*stop)
        most = _longest_row(world)
        shifted = ir.call(_push_on(writer, layer), target, direction, *who, *wishes, low=0, high=most)
        pushed = inner.let("row", shifted)
        gave_way = inner.inner()
        row = _noted_row(gave_way, layer, target, direction, pushed)
        happen(gave_way, "push", ref, thing)
        _pushed_events(gave_way, layer, row, target, direction, pushed)
        if settles_after(world, ("push", "enter", "leave", "meet")) or writer.facts.can_leave:
            # Sent elsewhere by a rule, or out: its move ends there.
            went = ir.either(
                ir.ne(ir.load(writer.agent_cell, ref.index), here), ir.invert(writer.is_in(ref.index))
            )
            gave_way.block.extend(ir.when(went, list(stop)))
        if isinstance(stop[-1], ir.Return):
            inner.block.extend(ir.when(ir.eq(pushed, 0), stuck.block))
            inner.block.extend(gave_way.block)
        else:
            inner.block.extend(ir.when(ir.eq(pushed, 0), stuck.block, gave_way.block))
        pushable = ir.both(ir.ge(thing, 0), ir.compare(">", ir.lookup(listed, kind), ir.const(0)))
        ctx.block.extend(ir.when(pushable, inner.block))


def _push_on(writer: Writer, layer: str) -> str:
    """Return the name of the function that pushes what lies on a layer."""
    return writer.function_name("push" if layer == push_layers(writer.world)[0] else ("push", layer))


def push_layers(world: World) -> list[str]:
    """Return the layers on which something can be pushed."""
    return [
        layer for layer in world.layers if any(k.pushable for k in world.object_kinds() if k.layer == layer)
    ]


def _define_push(writer: Writer) -> None:
    for layer in push_layers(writer.world):
        _define_push_on(writer, layer)


def _define_push_on(writer: Writer, layer: str) -> None:
    """Define ``push``: shift a row of objects one cell; how many they were, 0 if it did not give way."""
    world = writer.world
    name = _push_on(writer, layer)
    parameters = ("cell", "direction", *_pusher(world), *(("in_round",) if _move_at_once(world) else ()))
    ctx = new_function(writer, "rule", name, *parameters)
    writer.functions[name] = ir.function(
        name, parameters, ctx.block, "Push a row of objects one cell; return how many gave way."
    )
    at = writer.layer_slot(layer)
    cells, kinds = writer.object_cell, writer.object_kind
    listed = writer.kind_table("PUSHABLE", {kind: kind.pushable for kind in world.object_kinds()})
    direction = ir.Local("direction", "int", 0, most_direction(writer))
    first = ir.Local("cell", "int", 0, world.cells - 1)
    end = ctx.variable("end", first, 0, world.cells - 1)
    most = _longest_row(world)
    nearest = ir.claim(ir.load(at, first), 0, writer.facts.capacity - 1, "what is pushed lies there")
    ctx.block.extend(ir.when(_refuses(ctx, nearest), [ir.Return((ir.const(0),))]))
    last = ctx.variable("last", nearest)
    left = ctx.variable("left", ir.lookup(listed, ir.load(kinds, last)), -1, most)
    member = world.first_of_layer(layer)

    def stuck(where: Context, against: ir.Expr) -> ir.Block:
        """The row does not give way: its last object bumps against what is there."""
        inner = where.inner()
        happen(inner, "bump", Ref(member, last), against)
        return [*inner.block, ir.Return((ir.const(0),))]

    body = ctx.inner()
    in_row = body.let("in_row", ir.load(at, end))
    is_fixed = ir.eq(ir.lookup(listed, ir.load(kinds, in_row)), 0)
    limit = ir.either(is_fixed, ir.eq(left, 0), _refuses(body, in_row))
    body.block.extend(ir.when(limit, stuck(body, end)))
    body.emit(ir.Let(last.name, in_row))
    fewer = ir.claim(ir.sub(left, ir.const(1)), -1, most, "at 0 the row is too long")
    body.emit(ir.Let(left.name, fewer))
    beyond = body.let("beyond", writer.next_cell(end, direction))
    body.block.extend(ir.when(ir.Op("<", (beyond, ir.const(0)), "bool", 0, 1), stuck(body, beyond)))
    body.emit(ir.Let(end.name, beyond))
    ctx.emit(ir.While(ir.ge(ir.load(at, end), 0), body.block))
    stopped = ir.either(
        blocks(ctx, end, "solid"), agent_at(ctx, end), ir.invert(one_way_allows(ctx, end, direction))
    )
    ctx.block.extend(ir.when(stopped, stuck(ctx, end)))
    _leave_to_agents(ctx, end, stuck(ctx, end))
    thing = ctx.variable("thing", ir.load(at, first), -1, writer.facts.capacity - 1)
    place = ctx.variable("place", first, 0, world.cells - 1)
    pushed = ctx.names.fresh("pushed")
    ctx.emit(ir.Store(at, first, ir.const(-1)))
    count = ctx.variable("count", ir.const(0), 0, most)
    moved = ir.Local(pushed, "int", 0, writer.facts.capacity - 1)
    shift: ir.Block = [
        ir.Let(count.name, ir.claim(ir.add(count, ir.const(1)), 0, most, "no row that gives way is longer")),
        ir.Let(
            place.name,
            ir.claim(writer.next_cell(place, direction), 0, world.cells - 1, "the row ends on the map"),
        ),
        ir.Let(pushed, thing),
        ir.Let(thing.name, ir.load(at, place)),
        ir.Store(at, place, moved),
        ir.Store(cells, moved, place),
    ]
    ctx.emit(ir.While(ir.ge(thing, 0), shift), ir.Return((count,)))


def _leave_to_agents(ctx: Context, cell: ir.Expr, stuck: ir.Block) -> None:
    """Emit that nothing is pushed into a cell that an agent gets in the same round, where all move at once."""
    world, writer = ctx.world, ctx.writer
    if not _move_at_once(world):
        return
    in_round = ir.Local("in_round", "int", 0, 1)
    wish = writer.scratch("WISH", len(world.agents), 0, world.cells - 1)
    index = ir.Local(ctx.names.fresh("i"), "int", 0, len(world.agents) - 1)
    wanted = ir.both(ir.eq(ir.load(wish, index), cell), writer.is_in(index))
    each = ir.For(index.name, ir.const(0), ir.const(len(world.agents)), ir.when(wanted, stuck))
    ctx.block.extend(ir.when(ir.eq(in_round, 1), [each]))


def _move_at_once(world: World) -> bool:
    return world.several and world.spec.turns == "simultaneous"


def _longest_row(world: World) -> int:
    """Return how many objects can be pushed at once."""
    return max(kind.pushable for kind in world.object_kinds())


def _noted_row(
    ctx: Context, layer: str, target: ir.Expr, direction: ir.Expr, count: ir.Expr
) -> ir.Slot | None:
    """Emit that the row which was pushed is kept, nearest first, before a rule changes it; None if nobody asks."""
    world, writer = ctx.world, ctx.writer
    if not can_meet(world) and all(event(world, name, True) is None for name in ("enter", "leave")):
        return None
    most = _longest_row(world)
    row = writer.scratch("ROW", most, 0, writer.facts.capacity - 1)
    place = ctx.variable("place", target, 0, world.cells - 1)
    number = ir.Local(ctx.names.fresh("i"), "int", 0, most - 1)
    moved = ir.claim(ir.load(writer.layer_slot(layer), place), 0, writer.facts.capacity - 1, ROW)
    body: ir.Block = [
        ir.Let(place.name, ir.claim(writer.next_cell(place, direction), 0, world.cells - 1, ROW)),
        ir.Store(row, number, moved),
        *noted_births(ctx, "ROW_BIRTHS", most, number, moved),
    ]
    ctx.emit(ir.For(number.name, ir.const(0), count, body))
    return row


def _pushed_events(
    ctx: Context, layer: str, row: ir.Slot | None, target: ir.Expr, direction: ir.Expr, count: ir.Expr
) -> None:
    """Emit leave, enter and meet of each object that was pushed, nearest first."""
    world, writer = ctx.world, ctx.writer
    if row is None:
        return
    member = world.first_of_layer(layer)
    new = ctx.variable("new", target, 0, world.cells - 1)
    number = ir.Local(ctx.names.fresh("i"), "int", 0, _longest_row(world) - 1)
    body = ctx.inner()
    old = body.variable("old", new, 0, world.cells - 1)
    body.emit(ir.Let(new.name, ir.claim(writer.next_cell(new, direction), 0, world.cells - 1, ROW)))
    moved = Ref(member, body.let("moved", ir.load(row, number)))
    comes = body.inner()
    thing_comes(comes, moved, old, new)
    same = is_of_births(body, "ROW_BIRTHS", _longest_row(world), number, moved.index)
    body.block.extend(ir.when(same, comes.block))
    ctx.emit(ir.For(number.name, ir.const(0), count, body.block))
