"""Creatures: objects that move by themselves, in order of creation (step order, phase 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from griddsl.compass import CARDINALS, COMPASS
from griddsl.lowering.clauses.attributes import attribute_expr
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.things import objects_end
from griddsl.lowering.effects.making import creatures_come, waits_slot
from griddsl.lowering.effects.relocation import put_thing
from griddsl.lowering.moving.arriving import happen, thing_comes
from griddsl.lowering.moving.ways import reach
from griddsl.lowering.rules.acts import begin_act
from griddsl.lowering.rules.events import guarded_condition
from griddsl.lowering.rules.keeping import unreplaced
from griddsl.lowering.state.writer import ON_MAP, Writer
from griddsl.lowering.step.acting import Go
from griddsl.lowering.step.policies import Leap, choose_cell, here_of, is_open, movers
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n


def move_creatures(ctx: Context) -> None:
    """Emit phase 5: every object that moves, in order of creation."""
    world, writer = ctx.world, ctx.writer
    kinds = movers(world)
    if not kinds:
        return
    index = ctx.names.fresh("i")
    thing = ir.Local(index, "int", 0, writer.facts.capacity - 1)
    body = ctx.inner()
    code = body.let("kind", ir.load(writer.object_kind, thing))
    for kind in kinds:
        name = writer.function_name(("move", kind.name))
        _define_mover(writer, kind, name)
        inner = body.inner()
        begin_act(inner)
        inner.emit(ir.Do(ir.call(name, thing)))
        body.block.extend(ir.when(ir.eq(code, kind.code), inner.block))
    turn = ir.ge(ir.load(writer.object_cell, thing), 0)
    if creatures_come(world):
        ctx.emit(ir.Fill(waits_slot(writer), ir.const(0)))
        turn = ir.both(turn, ir.eq(ir.load(waits_slot(writer), thing), 0))
    ctx.emit(ir.For(index, ir.const(0), objects_end(ctx), ir.when(turn, body.block)))


def _define_mover(writer: Writer, kind: Kind, name: str) -> None:
    world = writer.world
    ctx = new_function(writer, "rule", f"`{kind.name}: moves`", "thing")
    writer.functions[name] = ir.function(name, ("thing",), ctx.block, f"Let a {kind.name} move.")
    ref = Ref(kind, ir.Local("thing", "int", 0, writer.facts.capacity - 1))
    assert kind.moves is not None
    target = ctx.variable("target", ir.const(-1), -1, world.cells - 1)
    leap = _leap_of(ctx, kind.moves)
    _stand_for(ctx, replace(ref, on_map=True))
    choose_cell(ctx, kind.moves, replace(ref, on_map=True), target, leap)
    _stand_for(ctx, ref)
    inner = ctx.inner()
    known = ir.Local(target.name, "int", 0, world.cells - 1)
    came = ir.claim(ir.load(writer.object_cell, ref.index), 0, world.cells - 1, ON_MAP)
    old = inner.let("old", came)
    put_thing(inner, ref, known)
    same = unreplaced(inner, ref.index) if leap is not None else None
    thing_comes(inner, ref, old, known)
    if leap is not None and same is not None:
        _go_on(inner, kind, ref, known, leap, same)
    ctx.block.extend(ir.when(ir.ge(target, 0), inner.block))


def _leap_of(ctx: Context, moves: n.Mover) -> Leap | None:
    found = [node for node in n.walk(moves) if isinstance(node, n.Mover) and node.cells is not None]
    movers = tuple(mover for mover in found if mover.policy in {"forward", "patrol"})
    if not movers:
        return None
    more = ctx.variable("more", ir.const(0), 0, ctx.world.cells)
    return Leap(movers, more, ctx.variable("which", ir.const(0), 0, len(movers) - 1))


def _go_on(
    ctx: Context, kind: Kind, ref: Ref, first: ir.Expr, leap: Leap, same: Callable[[], ir.Expr]
) -> None:
    """Emit the further cells of a step, each entered, until one is not free or a rule sends it elsewhere."""
    writer = ctx.writer
    last = ctx.variable("last", first, 0, ctx.world.cells - 1)
    body = ctx.inner()
    is_there = ir.both(
        ir.eq(ir.load(writer.object_cell, ref.index), last),
        ir.eq(ir.load(writer.object_kind, ref.index), kind.code),
        same(),
    )
    body.emit(ir.If(ir.invert(is_there), [ir.Break()], []))
    way = _faced(body, ref)
    if way is None:
        return
    cell = body.let("cell", writer.next_cell(last, way, ref.kind.edge))
    known = ir.within(cell, 0, ctx.world.cells - 1)

    def is_free(inner: Context) -> ir.Expr:
        tests = [is_open(inner, mover, ref, known, way) for mover in leap.movers]
        by = [ir.both(ir.eq(leap.which, number), test) for number, test in enumerate(tests)]
        return tests[0] if len({mover.avoiding for mover in leap.movers}) == 1 else ir.either(*by)

    free = guarded_condition(body, ir.ge(cell, 0), is_free)
    stopped, going = body.inner(), body.inner()
    happen(stopped, "bump", ref, cell)
    stopped.emit(ir.Break())
    put_thing(going, ref, known)
    came_from = going.variable("came_from", last, 0, ctx.world.cells - 1)
    going.emit(ir.Let(last.name, known))
    thing_comes(going, ref, came_from, known)
    body.block.extend(ir.when(free, going.block, stopped.block))
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), leap.more, body.block))


def _faced(ctx: Context, ref: Ref) -> ir.Expr | None:
    """Return the direction that a creature faces; None, with a message, where its facing is none of the four."""
    words = CARDINALS if ref.category == "agent" else ref.kind.attributes["facing"].domain.words
    codes = [COMPASS.index(word) for word in words if word in CARDINALS]
    if len(codes) < len(words) or len(codes) < 4:
        return None
    if ref.category == "agent":
        return ctx.let("way", ir.load(ctx.writer.facing, ref.index))
    facing = attribute_expr(ctx, ref, "facing")
    if codes != [0, 1, 2, 3]:
        facing = ir.lookup(ctx.writer.table(("FACES", *codes), codes), facing)
    return ctx.let("way", facing)


def _stand_for(ctx: Context, ref: Ref) -> None:
    """Let `self` and the name of the kind mean a creature."""
    ctx.self_ref = ref
    ctx.bind(ref.kind.name, ref)


def guide(ctx: Context, mover: n.Mover, ref: Ref, go: Go) -> None:
    """Emit which way an agent that plays by itself goes: ``go`` is given the direction, and how many cells."""
    world, writer = ctx.world, ctx.writer
    target = ctx.variable("target", ir.const(-1), -1, world.cells - 1)
    choose_cell(ctx, mover, ref, target)
    here = here_of(ctx, ref)
    way = ir.Local(ctx.names.fresh("way"), "int", 0, 7)
    count = reach(mover)
    body, inner = ctx.inner(), ctx.inner()
    if writer.facts.has_facing:
        inner.emit(ir.Store(writer.facing, ref.index, ir.Local(way.name, "int", 0, count - 1)))
    go(inner, ref, ir.Local(way.name, "int", 0, count - 1), ir.const(1))
    found = ir.eq(writer.next_cell(here, ir.Local(way.name, "int", 0, count - 1)), target)
    body.block.extend(ir.when(found, [*inner.block, ir.Break()]))
    loop = ir.For(way.name, ir.const(0), ir.const(count), body.block)
    ctx.block.extend(ir.when(ir.ge(target, 0), [loop]))
