"""Making: new objects, the attributes that they are given, what they carry, and what they are put into."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.attributes import forgotten_attributes, give_attribute, set_attribute
from griddsl.lowering.clauses.carrying import empty_hands, put_into
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate, names_of
from griddsl.lowering.clauses.physics import free_for_object
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.unknown.names import no_kind, report_unknown
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.effects.given import asked_before
from griddsl.lowering.rules.keeping import note_birth, note_newcomer
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Kinds, Ref, Value, Words
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import AT_MOVES
from griddsl.syntax.printer import to_text


def put_object(ctx: Context, kind: Kind, cell: ir.Expr, given: dict[str, n.Expression]) -> ir.Expr:
    """Make an object in a cell if it is free on its layer; return its index, -1 where it was not."""
    made, _, loop = _new_object(ctx, kind, cell, given)
    ctx.block.extend(ir.when(free_for_object(ctx, cell, kind.layer), loop()))
    return made


def put_in(ctx: Context, holder: Ref, node: n.Expression) -> None:
    """Emit that a holder gets a new object, of a kind with attributes; of a kind that was chosen, of that one."""
    if not isinstance(node, n.KindName):
        no_kind(ctx, node, "a kind to carry")
        return
    chosen = chosen_kind(ctx, node)
    if chosen is not None:
        for index, name in enumerate(names_of(chosen.type)):
            inner = ctx.inner(scope=ctx.scope)
            put_new_in(inner, holder, ctx.world.kinds[name], node)
            ctx.block.extend(ir.when(ir.eq(chosen.expr, index), inner.block))
        return
    kind = ctx.world.kinds.get(node.name)
    if kind is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return
    put_new_in(ctx, holder, kind, node)


def put_new_in(ctx: Context, holder: Ref, kind: Kind, node: n.Expression) -> ir.Expr:
    """Emit that a new object of a kind is put into a holder; return its index, -1 where none could be made."""
    if kind.category != "object" or not holder.kind.takes("carries"):
        if kind.category != "object":
            found = f"`{kind.name}`, no object,"
            ctx.error("type", node.span, found=found, expected=f"an object for `{holder.kind.name}` to carry")
        return ir.const(-1)
    node = asked_before(ctx, kind, node)
    given = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    made, body, loop = _new_object(ctx, kind, None, given)
    put_into(body, made, holder)
    test = ir.ge(holder.index, 0)
    ctx.block.extend(ir.when(test, loop()))
    return made


def _new_object(
    ctx: Context, kind: Kind, cell: ir.Expr | None, given: dict[str, n.Expression]
) -> tuple[ir.Expr, Context, Callable[[], ir.Block]]:
    """Return a new object's index, what is done to it (a context to add to), and the block that makes it."""
    world, writer = ctx.world, ctx.writer
    index = ctx.names.fresh("i")
    made = ctx.variable(f"new_{kind.name}", ir.const(-1), -1, writer.facts.capacity - 1)
    slot = ir.Local(index, "int", 0, writer.facts.capacity - 1)
    body = ctx.inner()
    body.emit(
        ir.Store(writer.object_kind, slot, ir.const(kind.code)),
        ir.Store(writer.object_cell, slot, ir.const(-1) if cell is None else cell),
        ir.Let(made.name, slot),
    )
    if writer.facts.objects_vary:
        end = ir.greatest((ir.load(writer.objects), ir.add(slot, ir.const(1))))
        body.emit(ir.Store(writer.objects, ir.const(0), end))
    if cell is not None:
        body.emit(ir.Store(writer.layer_slot(kind.layer), cell, slot))
    if creatures_come(world):
        body.emit(ir.Store(waits_slot(writer), slot, ir.const(1)))
    if ctx.stage != "setup" and any(tile.carry is not None for tile in world.tile_kinds()):
        body.emit(ir.Store(thing_rode(writer), slot, ir.const(1)))
    note_newcomer(body, slot)
    note_birth(body, slot)
    if writer.facts.objects_return:
        body.emit(ir.Store(writer.object_start, slot, ir.const(-1) if cell is None else cell))
    if kind.carries:
        empty_hands(body, Ref(kind, slot))
    set_attributes(body, Ref(kind, slot), n.Pattern(kind.name, tuple(given.items()), kind.span))

    def loop() -> ir.Block:
        empty = ir.lt(ir.load(writer.object_kind, slot), 0)
        return [
            ir.For(
                index, ir.const(0), ir.const(writer.facts.capacity), ir.when(empty, [*body.block, ir.Break()])
            )
        ]

    return ir.Local(made.name, "int", -1, writer.facts.capacity - 1), body, loop


def creatures_come(world: World) -> bool:
    """Whether what happens while creatures move can make more of them."""
    moving = {kind.name for kind in world.object_kinds() if kind.moves is not None}
    for rule in world.spec.rules if moving else ():
        if rule.trigger.event not in AT_MOVES:
            continue
        for effect, can in effects_in(rule.effects):
            name = "" if can.makes is None else getattr(can.makes(effect), "name", "")
            if can.makes is not None and (name in moving or name not in world.kinds):
                return True
    return False


def waits_slot(writer: Writer) -> ir.Slot:
    """Return the slot of which objects came to be, or to move, since the creatures began to move: they wait."""
    return writer.scratch("WAITS", writer.facts.capacity, 0, 1)


def thing_rode(writer: Writer) -> ir.Slot:
    """Return the slot of which objects a belt has carried in this step, or came to be since: these ride in the next."""
    return writer.scratch("THING_RODE", writer.facts.capacity, 0, 1)


def set_attributes(ctx: Context, ref: Ref, node: n.Expression) -> None:
    """Give the attributes that a pattern names; the others start at their defaults."""
    given = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    if "carries" in given:
        put_in(ctx, ref, given["carries"])
    if ref.category == "tile":  # where an object comes to be, none has left any
        ctx.emit(*forgotten_attributes(ctx.writer, "tile", ref.index, ref.kind.attributes))
    for name, attribute in ref.kind.attributes.items():
        if name in given:
            value = value_in(ctx, given[name], attribute.domain)
            if value is not None:
                give_attribute(ctx, ref, name, value, given[name])
        else:
            set_attribute(ctx, ref, name, ir.const(int(attribute.default)))


def chosen_kind(ctx: Context, node: n.Expression) -> Value | None:
    """Return the kind that a name stands for: one that was chosen, a variable's or a parameter's."""
    if not isinstance(node, n.KindName):
        return None
    world, name = ctx.world, node.name
    is_value = name in ctx.writer.variables or (name in world.params and name not in world.kinds)
    if name not in ctx.scope and not is_value:
        return None
    value = evaluate(ctx, n.Name(name, node.span))
    return value if value is not None and are_kinds(world, value) else None


def are_kinds(world: World, value: Value) -> bool:
    """Whether a value is a kind: one that was chosen, or a word of which all that it can be are kinds."""
    names = names_of(value.type) if isinstance(value.type, Words) else ()
    return isinstance(value.type, Kinds) or (bool(names) and world.kinds.keys() >= set(names))


def fills_cells(ctx: Context, effect: n.Place) -> bool:
    """Report a number, or a name for one, of what is put into every cell of an area or of a kind."""
    if effect.count is not None:
        some = f"place {to_text(effect.count)} {to_text(effect.kind)} at random"
        where = f"free in {to_text(effect.area)}" if effect.area is not None else ""
        if isinstance(effect.at, n.EveryCell):
            where = to_text(effect.at.kind)
        help = f"one goes into each of the cells; into some of them go so many by `{some} {where}`"
        ctx.error(
            "wrong-place", effect.span, what="a number", where="before what goes into every cell", help=help
        )
        return False
    if effect.alias is not None:
        ctx.error(
            "wrong-place", effect.span, what="`as`", where="where several are placed: it names one thing"
        )
        return False
    return True


def thing_named(ctx: Context, effect: n.Place) -> n.Name | None:
    """Return what `in` names where that is no region: what is placed is put into it."""
    area = effect.area
    if area is None or area.form != "region" or not isinstance(area.value, n.Name):
        return None
    name = area.value.name
    if name in ctx.world.regions:
        return None
    is_known = name in ctx.world.kinds or name == "self" or isinstance(ctx.scope.get(name), Ref)
    return area.value if is_known else None


def holder_named(ctx: Context, named: n.Name) -> Ref | None:
    """Return the thing that things are put into; None where it is reported that there is not the one."""
    holder = resolve_thing(ctx, named)
    if holder is not None and not holder.kind.takes("carries"):
        help = f"say it: `{holder.category} {holder.kind.name}: carries 1`"
        if holder.category == "tile":
            name = holder.kind.name
            help = f"a tile carries nothing: `at {name}` puts it there, and `object {name}: carries 1` is one that does"
        ctx.error("carries-nothing", named.span, kind=holder.kind.name, help=help)
    return holder
