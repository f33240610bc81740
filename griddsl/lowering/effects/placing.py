"""Placing: ``place`` puts tiles, objects and agents, and ``retry`` draws a layout again until it fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from griddsl.diagnostics import did_you_mean, write
from griddsl.lowering.clauses.attributes import give_attribute
from griddsl.lowering.clauses.carrying import has_room
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.meaning import condition, evaluate_as, evaluate_number, names_of
from griddsl.lowering.clauses.physics import agent_at, blocks
from griddsl.lowering.clauses.things import only_one
from griddsl.lowering.clauses.unknown.counts import no_count
from griddsl.lowering.clauses.unknown.names import report_unknown
from griddsl.lowering.clauses.whereabouts import bind_cell
from griddsl.lowering.conditions.cells import every_cell, in_area, random_cell
from griddsl.lowering.effects.drawn.choosing import keep
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.effects.given import given_before
from griddsl.lowering.effects.making import (
    chosen_kind,
    fills_cells,
    holder_named,
    put_in,
    put_new_in,
    put_object,
    set_attributes,
    thing_named,
)
from griddsl.lowering.effects.relocation import request_agent
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.values import CELL, DIRECTION, Ref, Value
from griddsl.program import ir, keys
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

MOST_ROUNDS = 1_000_000


def _places_ground(effect: n.Place, spec: GridSpec, kinds: Mapping[str, Kind]) -> bool:
    kind = kinds.get(effect.kind.name) if isinstance(effect.kind, n.KindName) else None
    return isinstance(effect.kind, n.KindName) and (kind is None or kind.category == "tile")


PLACE: Traits[n.Place] = Traits(
    puts=True,
    changes=True,
    makes=lambda effect: effect.kind,
    loses=lambda effect: True,
    grounds=_places_ground,
)


@performs(n.Place, PLACE)
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
        report_unknown(ctx, name, effect.kind.span, is_kind=True)
        return
    _place_kind(ctx, effect, kind)


def _place_kind(ctx: Context, effect: n.Place, kind: Kind) -> None:
    named = thing_named(ctx, effect)
    in_each = (named is None and effect.area is not None) or isinstance(effect.at, n.EveryCell)
    if in_each and not fills_cells(ctx, effect):
        return
    if named is None and effect.area is not None:
        _place_in_area(ctx, effect, kind)
        return
    holder = None if named is None else holder_named(ctx, named)
    if named is not None and holder is None:
        return
    if isinstance(effect.count, n.Name) and (meant := no_count(ctx, effect.count.name)) is not None:
        found, help = meant
        ctx.error("type", effect.count.span, found=found, expected="the number of things", help=help)
        return
    count = ir.const(1) if effect.count is None else evaluate_number(ctx, effect.count)
    if count is None:
        return
    if effect.alias is not None and count != ir.const(1):
        ctx.error(
            "wrong-place", effect.span, what="`as`", where="where several are placed: it names one thing"
        )
    if effect.alias is not None and effect.if_free:
        where = "beside `if free`: where there is no room the name would mean nothing"
        ctx.error("wrong-place", effect.span, what="`as`", where=where)
        return
    if count == ir.const(1):
        _place_one(ctx, effect, kind, holder)
        return
    inner = ctx.inner()
    _place_one(inner, effect, kind, holder)
    if count.type == "real":
        ctx.error("fraction", effect.span, name="the number to place")
        return
    ctx.emit(ir.For(ctx.names.fresh("n"), ir.const(0), count, inner.block))


def _place_one(ctx: Context, effect: n.Place, kind: Kind, holder: Ref | None) -> None:
    if holder is not None:
        _place_in_holder(ctx, effect, kind, holder)
        return
    agent = _which_agent(ctx, effect, kind) if kind.category == "agent" else None
    if agent is not None and ctx.stage == "setup":
        with _lifted(ctx, effect, agent):
            _place_at(ctx, effect, kind, agent)
        return
    _place_at(ctx, effect, kind, agent)


def _place_in_holder(ctx: Context, effect: n.Place, kind: Kind, holder: Ref) -> None:
    assert effect.area is not None
    if _must_succeed(ctx, effect) and kind.category == "object" and holder.kind.takes("carries"):
        full = ir.invert(ir.both(ir.ge(holder.index, 0), has_room(ctx, holder)))
        place = to_text(effect.area)
        _fail(ctx, effect, kind, full, f"`{place}` is full, or not there", f"in {place}")
    made = put_new_in(ctx, holder, kind, effect.kind)
    if effect.alias is not None:
        _name_placed(ctx, effect, Ref(kind, made))


@contextmanager
def _lifted(ctx: Context, effect: n.Place, agent: Ref) -> Iterator[None]:
    """Take an agent from the map while a place for it is sought; with ``if free`` it goes back where there is none."""
    cell = ctx.writer.agent_cell
    before = ctx.let("before", ir.load(cell, agent.index)) if effect.if_free else None
    lift_agent(ctx, agent.index)
    yield
    if before is not None:
        back: ir.Block = [ir.Store(cell, agent.index, before)]
        ctx.emit(ir.If(ir.lt(ir.load(cell, agent.index), 0), back, []))


def _place_at(ctx: Context, effect: n.Place, kind: Kind, agent: Ref | None) -> None:
    if isinstance(effect.at, n.EveryCell):
        inner, cell, test = every_cell(ctx, effect.at, kind)
        body = inner.inner()
        _put(body, effect, kind, cell, agent)
        inner.block.extend(ir.when(test, body.block))
        ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), inner.block))
        return
    there: ir.Expr = ir.TRUE
    if isinstance(effect.at, n.RandomCell):
        cell_ = random_cell(ctx, effect.at, kind, f"`{kind.name}`", must_be=_must_succeed(ctx, effect))
    else:
        there = _is_on_the_map(ctx, effect.at)
        found = None if effect.at is None else place_of(ctx, effect.at)
        if found is None:
            return
        cell_ = found
    inner = ctx.inner(scope=ctx.scope)
    _put(inner, effect, kind, cell_, agent)
    test = ir.both(there, ir.ge(cell_, 0) if cell_.low < 0 else ir.TRUE)
    if test != ir.TRUE:
        _name_nothing(ctx, effect, inner.block)
    if not isinstance(effect.at, n.RandomCell) and _must_succeed(ctx, effect):
        place = to_text(effect.at)
        _fail(ctx, effect, kind, ir.invert(test), f"{place} is not on the map", f"at {place}")
    ctx.block.extend(ir.when(test, inner.block))


def _name_nothing(ctx: Context, effect: n.Place, block: ir.Block) -> None:
    """Emit that the name of what a block places is that of nothing, where the block is not run."""
    named = ctx.scope.get(effect.alias) if effect.alias is not None else None
    if not isinstance(named, Ref) or not isinstance(named.index, ir.Local):
        return
    name = named.index.name
    if any(isinstance(statement, ir.Let) and statement.name == name for statement in ir.statements(block)):
        ctx.emit(ir.Let(name, ir.const(-1)))
        ctx.bind(effect.alias or "", replace(named, index=ir.Local(name, "int", -1, named.index.high)))


def _is_on_the_map(ctx: Context, node: n.Expression | None) -> ir.Expr:
    """Return whether both numbers of a ``(x, y)``, or of the pair that a name stands for, lie on the grid.

    What names a cell in another way does.
    """
    if not isinstance(node, n.Position):
        named = ctx.scope.get(node.name) if isinstance(node, n.Name) else None
        asked = named.asked if isinstance(named, Value) else None
        return ir.ge(asked, 0) if asked is not None and asked.low < 0 else ir.TRUE
    tests: list[ir.Expr] = []
    for part, size in ((node.x, ctx.world.width), (node.y, ctx.world.height)):
        value = evaluate_number(ctx, part)
        if value is None or value.type == "real":
            return ir.TRUE  # It is reported where the cell is read.
        value = ctx.let("at", value)
        tests += [ir.ge(value, 0)] if value.low < 0 else []
        tests += [ir.lt(value, size)] if value.high >= size else []
    return ir.both(*tests) if tests else ir.TRUE


def _must_succeed(ctx: Context, effect: n.Place) -> bool:
    """Whether a reset fails where this finds no room; what a rule places, and what says so, is left out there."""
    return ctx.stage == "setup" and not effect.if_free


def _fail(ctx: Context, effect: n.Place, kind: Kind, test: ir.Expr, why: str, place: str) -> None:
    """Emit that a reset fails under a condition, with what would let it go on."""
    spot = effect.at or effect.area
    drawn = effect.at
    ground = drawn.kind if isinstance(drawn, n.RandomCell) else None
    if isinstance(drawn, n.RandomCell) and isinstance(ground, n.KindName) and ground.name != "free":
        why = f"the cell that `{to_text(drawn)}` drew is not free"
        help = "something `solid` stands there, in another layer: " + (
            f"`{to_text(replace(drawn, kind=n.Name('free', ground.span)))}` leaves such cells out"
            if ground.name == "floor"
            else "a condition behind `where` leaves such cells out"
        )
    else:
        help = f"`place {to_text(effect.kind)} {place} if free` leaves it out where there is no room"
    said = ctx.report.as_written(f"`{kind.name}`\x00{why}\x00{help}")
    failure = ir.Fail("no-place", effect.span if spot is None else spot.span, said)
    ctx.block.extend(ir.when(test, [failure]))


def _place_text(effect: n.Place) -> str:
    if effect.area is not None:
        return f"in {to_text(effect.area)}" + (f" where {to_text(effect.where)}" if effect.where else "")
    return f"at {to_text(effect.at)}"


def lift_agent(ctx: Context, agent: ir.Expr) -> None:
    """Take an agent from the map until a place for it is drawn, so that it stands in no cell's way."""
    slot = ctx.writer.agent_cell
    ctx.writer.revise(slot, low=-1)
    ctx.emit(ir.Store(slot, agent, ir.const(-1)))


def _which_agent(ctx: Context, effect: n.Place, kind: Kind) -> Ref | None:
    """Return the agent that is placed: the only one of its kind, or in setup the first that is not yet on the map."""
    world, writer = ctx.world, ctx.writer
    members = [i for i, each in enumerate(world.agents) if kind.name == "agent" or each is kind]
    if not members:  # It is reported that nobody is of this kind.
        return None
    if len(members) == 1:
        return Ref(world.agents[members[0]], ir.const(members[0]))
    if ctx.stage != "setup":
        named = n.Name(kind.name, effect.kind.span)  # What it is given is no pattern that asks for one.
        bound = ctx.scope.get(kind.name)
        if isinstance(bound, Ref) and bound != ctx.self_ref and effect.at is not None:
            given = [
                f"{kind.name}.{each} = {to_text(value)}" for each, value in values_given(effect.kind).items()
            ]
            help = write(", ".join([f"move {kind.name} to {to_text(effect.at)}", *given]), place=effect.span)
            ctx.error("ambiguous", named.span, name=kind.name, count=len(members), help=help)
            return None
        return only_one(ctx, kind, named)
    writer.revise(writer.agent_cell, low=-1)
    found = ctx.variable(f"next_{kind.name}", ir.const(members[0]), members[0], members[-1])
    body = ctx.inner()
    index = ir.Local(ctx.names.fresh("i"), "int", members[0], members[-1])
    waits = ir.lt(ir.load(writer.agent_cell, index), 0)
    if kind.name != "agent":
        waits = ir.both(ir.eq(writer.agent_code(index), kind.code), waits)
    body.block.extend(ir.when(waits, [ir.Hit(index)]))
    ctx.emit(ir.first_of(found)(index.name, ir.const(members[0]), ir.const(members[-1] + 1), body.block))
    return Ref(kind, found)


def _put(ctx: Context, effect: n.Place, kind: Kind, cell: ir.Expr, agent: Ref | None = None) -> None:
    writer = ctx.writer
    given = dict(effect.kind.arguments) if isinstance(effect.kind, n.Pattern) else {}
    for name in given:
        if not kind.takes(name):
            help: str | None = did_you_mean(name, kind.attributes)
            if name == "carries":
                help = f"say it: `{kind.category} {kind.name}: carries 1`"
            if name == "facing" and kind.category == "object":
                help = f"say that it has one: `object {kind.name}: facing`"
            ctx.error("unknown-attribute", effect.kind.span, kind=kind.name, name=name, help=help)
            return
    cell = ctx.let("cell", cell)
    pattern = given_before(ctx, kind, n.Pattern(kind.name, tuple(given.items()), effect.kind.span))
    given = dict(pattern.arguments)
    if kind.category == "tile":
        ctx.emit(ir.Store(writer.tile_slot, cell, ir.const(kind.code)))
        set_attributes(ctx, Ref(kind, cell), pattern)
        ref = Ref(kind, cell)
    elif kind.category == "agent":
        if agent is None:
            return
        ref = agent
        taken = _is_taken(ctx, cell)
        if _must_succeed(ctx, effect):
            _fail(ctx, effect, kind, taken, f"{_no_room(effect)} is not free", _place_text(effect))
        elif taken != ir.FALSE:
            inner = ctx.inner(scope=ctx.scope)
            _put_agent(inner, kind, ref, cell, given)
            ctx.block.extend(ir.when(ir.invert(taken), inner.block))
            return
        _put_agent(ctx, kind, ref, cell, given)
    else:
        made = put_object(ctx, kind, cell, given)
        if _must_succeed(ctx, effect):
            _fail(ctx, effect, kind, ir.lt(made, 0), f"{_no_room(effect)} is not free", _place_text(effect))
        ref = Ref(kind, made)
    if effect.alias is not None:
        _name_placed(ctx, effect, ref)


def _no_room(effect: n.Place) -> str:
    """Return what is said not to be free: a cell, or one of several."""
    return f"a cell {_place_text(effect)}" if effect.area is not None else to_text(effect.at)


def _is_taken(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return whether an agent cannot be put into a cell: it is solid, or another agent's where they share none."""
    taken = blocks(ctx, cell, "solid")
    if ctx.stage == "setup" and ctx.world.agents_block:
        return ir.either(taken, agent_at(ctx, cell))
    return taken


def _put_agent(ctx: Context, kind: Kind, ref: Ref, cell: ir.Expr, given: dict[str, n.Expression]) -> None:
    """Emit that an agent gets into a cell, with the attributes that a pattern gives it."""
    writer = ctx.writer
    request_agent(ctx, ref.index, cell)
    for name, node in given.items():
        value = evaluate_as(ctx, node, DIRECTION) if name == "facing" else None
        if name == "facing" and value is not None:
            ctx.emit(ir.Store(writer.facing, ref.index, value))
        elif name == "carries":
            put_in(ctx, ref, node)
        elif name != "facing":
            value = value_in(ctx, node, kind.attributes[name].domain)
            if value is not None:
                give_attribute(ctx, ref, name, value, node)


def _name_placed(ctx: Context, effect: n.Place, ref: Ref) -> None:
    assert effect.alias is not None
    if ref.category == "tile" or ctx.stage != "setup":
        if ref.category == "tile":
            keep(ctx, effect.alias, Value(CELL, ref.index), effect)
        else:
            ctx.bind(effect.alias, ref)
        return
    slot = ctx.writer.slot(
        (keys.CHOSEN, effect.alias), 1, -1, max(ctx.writer.facts.capacity, 1) - 1, initial=(-1,)
    )
    ctx.emit(ir.Store(slot, ir.const(0), ref.index))
    before = ctx.writer.named_things.get(effect.alias)
    others = () if before is None else tuple({before.kind, *before.others} - {ref.kind})
    named = Ref(ref.kind, ir.load(slot), others=others)
    ctx.writer.named_things[effect.alias] = named
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
