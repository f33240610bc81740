"""``as minigrid``: each cell as MiniGrid encodes it, (object, colour, state), columns first."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.carrying import carried_slot
from griddsl.lowering.context import Context
from griddsl.lowering.kinds import Kind
from griddsl.lowering.seeing import Sight, for_each_seen
from griddsl.lowering.things import attribute_expr
from griddsl.lowering.values import Ref
from griddsl.lowering.world import World
from griddsl.program import ir

# The codes of minigrid.core.constants, so that models trained there read the same picture here.
OBJECTS = {"floor": 1, "wall": 2, "door": 4, "key": 5, "ball": 6, "box": 7, "goal": 8, "lava": 9, "agent": 10}
COLORS = ("red", "green", "blue", "purple", "yellow", "grey")
STATES = ("open", "closed", "locked")
FIXED_COLORS = {"wall": "grey", "goal": "green", "lava": "red", "floor": "red"}
UNSEEN = (0, 0, 0)
FIRST_OTHER = 11
LARGEST_CODE = 255


def object_code(world: World, kind: Kind) -> int:
    """Return MiniGrid's number of a kind; kinds that MiniGrid does not know are counted on from 11."""
    if kind.name in OBJECTS:
        return OBJECTS[kind.name]
    if kind.category == "agent":
        return OBJECTS["agent"]
    others = [other for other in world.kind_list if other.name not in OBJECTS and other.category != "agent"]
    return FIRST_OTHER + others.index(kind)


def write_minigrid(ctx: Context, sight: Sight) -> None:
    """Emit the loops that write a sight in MiniGrid's form; the agent sees what it carries in its own place."""

    def write(inner: Context, at: ir.Expr, cell: ir.Expr) -> None:
        _write_cell(inner, sight, at, cell)

    def unseen(inner: Context, at: ir.Expr) -> None:
        _out(inner, sight, at, *(ir.const(value) for value in UNSEEN))

    for_each_seen(ctx, sight, write, unseen)


def _out(ctx: Context, sight: Sight, at: ir.Expr, kind: ir.Expr, color: ir.Expr, state: ir.Expr) -> None:
    column, row = ir.mod(at, ir.const(sight.columns)), ir.div(at, ir.const(sight.columns))
    place = ctx.let("pixel", ir.mul(ir.add(ir.mul(column, ir.const(sight.rows)), row), ir.const(3)))
    for channel, value in enumerate((kind, color, state)):
        ctx.emit(ir.Out(ir.add(place, ir.const(channel)), value))


def _write_cell(ctx: Context, sight: Sight, at: ir.Expr, cell: ir.Expr) -> None:
    """Emit the three codes of a cell: those of its object, of the carried one in the agent's place, or of its tile."""
    world = ctx.world
    kind = ctx.variable("kind", ir.const(OBJECTS["wall"]), 0, LARGEST_CODE)
    color = ctx.variable("color", ir.const(COLORS.index("grey")), 0, LARGEST_CODE)
    state = ctx.variable("state", ir.const(0), 0, LARGEST_CODE)
    inner = ctx.inner()
    known = ir.Local(cell.name, "int", 0, world.cells - 1) if isinstance(cell, ir.Local) else cell
    tile = inner.let("tile", world.tile_at(known))
    names = (kind.name, color.name, state.name)
    _from_tile(inner, known, tile, names)
    for layer in world.layers if world.object_kinds() else []:
        thing = inner.let("thing", ir.load(world.layer_slot(layer), known))
        there = inner.inner()
        _from_object(there, thing, names)
        inner.block.extend(ir.when(ir.ge(thing, 0), there.block))
    _from_agent(inner, sight, at, known, names)
    ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block))
    _out(ctx, sight, at, kind, color, state)


def _from_tile(ctx: Context, cell: ir.Expr, tile: ir.Expr, names: tuple[str, str, str]) -> None:
    world = ctx.world
    tiles = world.tile_kinds()
    ctx.emit(
        ir.Let(names[0], ir.lookup(world.kind_table("MINIGRID_OBJECT", _codes(world)), tile)),
        ir.Let(
            names[1], ir.lookup(world.kind_table("MINIGRID_COLOR", {k: _fixed_color(k) for k in tiles}), tile)
        ),
    )
    _attributes(ctx, tiles, tile, lambda kind: Ref(kind, cell), names)


def _codes(world: World) -> dict[Kind, int]:
    return {kind: object_code(world, kind) for kind in world.kind_list}


def _fixed_color(kind: Kind) -> int:
    return COLORS.index(FIXED_COLORS.get(kind.name, "red"))


def _from_object(ctx: Context, thing: ir.Expr, names: tuple[str, str, str]) -> None:
    world = ctx.world
    code = ctx.let("code", ir.load(world.object_slot("KIND"), thing))
    ctx.emit(
        ir.Let(names[0], ir.lookup(world.kind_table("MINIGRID_OBJECT", _codes(world)), code)),
        ir.Let(names[1], ir.const(0)),
        ir.Let(names[2], ir.const(0)),
    )
    _attributes(ctx, world.object_kinds(), code, lambda kind: Ref(kind, thing), names)


def _attributes(
    ctx: Context, kinds: list[Kind], code: ir.Expr, ref_of: Callable[[Kind], Ref], names: tuple[str, str, str]
) -> None:
    """Emit the colour and the state of the kinds that have them as attributes; one test for all that agree."""
    world = ctx.world
    for attribute, words, name in (("color", COLORS, names[1]), ("state", STATES, names[2])):
        holders = [
            k for k in kinds if attribute in k.attributes and k.attributes[attribute].domain.form == "words"
        ]
        by_domain: dict[tuple[str, ...], list[Kind]] = {}
        for kind in holders:
            by_domain.setdefault(kind.attributes[attribute].domain.words, []).append(kind)
        for domain, members in by_domain.items():
            codes = [words.index(word) if word in words else len(words) + i for i, word in enumerate(domain)]
            value = attribute_expr(ctx, ref_of(members[0]), attribute)
            if codes != list(range(len(codes))):
                value = ir.lookup(world.table(f"MINIGRID_{'_'.join(map(str, codes))}", codes), value)
            flags = world.kind_table(
                f"HAS_{attribute.upper()}_{len(domain)}_{members[0].category.upper()}",
                dict.fromkeys(members, 1),
            )
            ctx.block.extend(ir.when(ir.eq(ir.lookup(flags, code), 1), [ir.Let(name, value)]))


def _from_agent(ctx: Context, sight: Sight, at: ir.Expr, cell: ir.Expr, names: tuple[str, str, str]) -> None:
    """In a view the agent's place shows what it carries; on the grid it shows the agent and its direction."""
    world = ctx.world
    here = ctx.inner()
    if sight.is_view:
        here.emit(*(ir.Let(name, ir.const(value)) for name, value in zip(names, (1, 0, 0), strict=True)))
        if world.object_kinds() and any(kind.portable for kind in world.object_kinds()):
            slot, _ = carried_slot(here)
            thing = here.let("carried", ir.load(slot, 0))
            held = here.inner()
            _from_object(held, thing, names)
            here.block.extend(ir.when(ir.ge(thing, 0), held.block))
        test = ir.eq(at, sight.agent_row * sight.columns + sight.agent_column)
    else:
        facing = ir.load(world.facing, 0) if world.has_facing else ir.const(0)
        here.emit(*(ir.Let(n, v) for n, v in zip(names, (ir.const(10), ir.const(0), facing), strict=True)))
        test = ir.eq(ir.load(world.agent_cell, 0), cell)
    ctx.block.extend(ir.when(test, here.block))
