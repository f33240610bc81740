"""``as minigrid``: each cell as MiniGrid encodes it, (object, colour, state), columns first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from griddsl.lowering.clauses.attributes import attribute_expr
from griddsl.lowering.clauses.carrying import carried_kinds, first_carried
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.whereabouts import agent_ref, cell_of, column, row
from griddsl.lowering.sight.cells.sights import Place, Sight, for_each_seen
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir, keys
from griddsl.program.program import Program

# The codes of minigrid.core.constants, so that models trained there read the same picture here.
OBJECTS = {"floor": 1, "wall": 2, "door": 4, "key": 5, "ball": 6, "box": 7, "goal": 8, "lava": 9, "agent": 10}
COLORS = ("red", "green", "blue", "purple", "yellow", "grey")
STATES = ("open", "closed", "locked")
FIXED_COLORS = {"wall": "grey", "goal": "green", "lava": "red", "floor": "red"}
UNSEEN = 0
OFF_THE_GRID = (OBJECTS["wall"], COLORS.index("grey"), 0)
FIRST_OTHER = 11


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

    def write(inner: Context, place: Place) -> None:
        _write_cell(inner, place.cell, pixel_of(inner, sight, place.column, place.row))

    for_each_seen(ctx, sight, write, 3 * sight.rows * sight.columns, UNSEEN)
    if sight.is_view:
        write_hand(ctx, pixel_of(ctx, sight, ir.const(sight.agent_column), ir.const(sight.agent_row)))
    elif not ctx.world.several:
        _write_agent(ctx, sight)


def pixel_of(ctx: Context, sight: Sight, column: ir.Expr, row: ir.Expr) -> ir.Expr:
    """Return where the codes of a place start: column by column."""
    return ctx.let("pixel", ir.add(ir.mul(column, ir.const(3 * sight.rows)), ir.mul(row, ir.const(3))))


def _out(ctx: Context, pixel: ir.Expr, kind: ir.Expr, color: ir.Expr, state: ir.Expr) -> None:
    for channel, value in enumerate((kind, color, state)):
        ctx.emit(ir.Out(ir.add(pixel, ir.const(channel)), value))


def _write_cell(ctx: Context, cell: ir.Expr, pixel: ir.Expr) -> None:
    """Emit the three codes of a cell: those of its topmost thing, or of its tile; a wall's off the grid.

    The agent of a spec with one is written once, after all cells.
    """
    world, writer = ctx.world, ctx.writer
    known = ir.Local(cell.name, "int", 0, world.cells - 1) if isinstance(cell, ir.Local) else cell
    inside = ctx.inner()
    here = inside
    for layer in reversed(world.layers if world.object_kinds() else []):
        thing = here.let("thing", ir.load(writer.layer_slot(layer), known))
        there, below = here.inner(), here.inner()
        held = (
            ir.Local(thing.name, "int", 0, writer.facts.capacity - 1)
            if isinstance(thing, ir.Local)
            else thing
        )
        write_object(there, held, pixel)
        here.block.append(ir.If(ir.ge(thing, 0), there.block, below.block))
        here = below
    _write_tile(here, known, pixel)
    if world.several:
        _write_agents(inside, known, pixel)
    outside = ctx.inner()
    _out(outside, pixel, *map(ir.const, OFF_THE_GRID))
    ctx.block.extend(ir.when(ir.ge(cell, 0), inside.block, outside.block))


def _write_tile(ctx: Context, cell: ir.Expr, pixel: ir.Expr) -> None:
    world, writer = ctx.world, ctx.writer
    tiles = world.tile_kinds()
    tile = ctx.let("tile", writer.tile_at(cell))
    fixed = ir.lookup(writer.kind_table("MINIGRID_COLOR", {kind: _fixed_color(kind) for kind in tiles}), tile)
    color = _attribute(ctx, tiles, tile, lambda kind: Ref(kind, cell), "color", COLORS, fixed)
    state = _attribute(ctx, tiles, tile, lambda kind: Ref(kind, cell), "state", STATES, ir.const(0))
    _out(ctx, pixel, _object(writer, tile), color, state)


def write_object(ctx: Context, thing: ir.Expr, pixel: ir.Expr) -> None:
    """Emit the three codes of an object at a pixel."""
    world, writer = ctx.world, ctx.writer
    kinds = world.object_kinds()
    code = ctx.let("code", ir.load(writer.object_kind, thing))
    color = _attribute(ctx, kinds, code, lambda kind: Ref(kind, thing), "color", COLORS, ir.const(0))
    state = _attribute(ctx, kinds, code, lambda kind: Ref(kind, thing), "state", STATES, ir.const(0))
    _out(ctx, pixel, _object(writer, code), color, state)


def write_hand(ctx: Context, pixel: ir.Expr) -> None:
    """In a view the agent's place shows what it carries, or bare floor."""
    world, writer = ctx.world, ctx.writer
    empty = ctx.inner()
    _out(empty, pixel, ir.const(OBJECTS["floor"]), ir.const(0), ir.const(0))
    if not carried_kinds(world):
        ctx.block.extend(empty.block)
        return
    assert ctx.self_ref is not None
    thing = first_carried(ctx, ctx.self_ref.index)
    held = ctx.inner()
    write_object(held, ir.within(thing, 0, writer.facts.capacity - 1), pixel)
    ctx.emit(ir.If(ir.ge(thing, 0), held.block, empty.block))


def _write_agents(ctx: Context, cell: ir.Expr, pixel: ir.Expr) -> None:
    """Of several agents each that takes part is shown over what is in its cell."""
    world, writer = ctx.world, ctx.writer
    if world.nowhere:
        return
    agent = ir.Local(ctx.names.fresh("agent"), "int", 0, len(world.agents) - 1)
    here = ir.both(ir.eq(ir.load(writer.agent_cell, agent), cell), writer.is_in(agent))
    shown = ctx.inner()
    facing = ir.load(writer.facing, agent) if writer.facts.has_facing else ir.const(0)
    _out(shown, pixel, ir.const(OBJECTS["agent"]), ir.const(0), facing)
    ctx.emit(ir.For(agent.name, ir.const(0), ir.const(len(world.agents)), ir.when(here, shown.block)))


def _write_agent(ctx: Context, sight: Sight) -> None:
    """On the grid the agent's place shows the agent and its direction."""
    writer = ctx.writer
    if ctx.world.nowhere:
        return
    agent = agent_ref(ctx, ir.const(0))
    here = ctx.let("here", cell_of(ctx, agent))
    facing = ir.load(writer.facing, agent.index) if writer.facts.has_facing else ir.const(0)
    _out(
        ctx,
        pixel_of(ctx, sight, column(ctx, here), row(ctx, here)),
        ir.const(OBJECTS["agent"]),
        ir.const(0),
        facing,
    )


def _object(writer: Writer, code: ir.Expr) -> ir.Expr:
    world = writer.world
    return ir.lookup(
        writer.kind_table("MINIGRID_OBJECT", {kind: object_code(world, kind) for kind in world.kind_list}),
        code,
    )


def ground_codes(world: World) -> tuple[tuple[int, ...], ...] | None:
    """Return the three codes of each kind by its own, as ground has them; None where attributes decide."""
    tiles = world.tile_kinds()
    if any({"color", "state"} & kind.attributes.keys() for kind in tiles):
        return None
    return tuple(
        (object_code(world, kind), _fixed_color(kind) if kind in tiles else 0, 0) for kind in world.kind_list
    )


def _fixed_color(kind: Kind) -> int:
    return COLORS.index(FIXED_COLORS.get(kind.name, "red"))


def _attribute(
    ctx: Context,
    kinds: list[Kind],
    code: ir.Expr,
    ref_of: Callable[[Kind], Ref],
    attribute: str,
    words: tuple[str, ...],
    otherwise: ir.Expr,
) -> ir.Expr:
    """Return MiniGrid's code of an attribute of the thing there; ``otherwise`` for kinds that have none."""
    writer = ctx.writer
    by_domain: dict[tuple[str, ...], list[Kind]] = {}
    for kind in kinds:
        if attribute in kind.attributes and kind.attributes[attribute].domain.form == "words":
            by_domain.setdefault(kind.attributes[attribute].domain.words, []).append(kind)
    result = otherwise
    for domain, members in by_domain.items():
        codes = [words.index(word) if word in words else len(words) + i for i, word in enumerate(domain)]
        value = attribute_expr(ctx, ref_of(members[0]), attribute)
        if codes != list(range(len(codes))):
            value = ir.lookup(writer.table(("MINIGRID", *codes), codes), value)
        if members == kinds:
            return value
        flags = writer.kind_table(("HAS", attribute, members[0].category, *domain), dict.fromkeys(members, 1))
        result = ir.select(ir.eq(ir.lookup(flags, code), 1), value, result)
    return result


def encoded(program: Program, state: Sequence[int]) -> NDArray[np.uint8]:
    """Return the grid of a state without agents in MiniGrid's form, ``(width, height, 3)`` uint8."""
    kinds = {kind.code: kind for kind in program.kinds}
    unknown = [k.code for k in program.kinds if k.name not in OBJECTS and k.category != "agent"]
    offsets = program.layout.offsets
    picture = np.zeros((program.width, program.height, 3), dtype=np.uint8)
    layers = [offsets[layer] for layer in program.layers]
    for cell in range(program.cells):
        code = state[offsets[keys.TILE] + cell] if keys.TILE in offsets else program.ground[0][cell]
        at = cell
        for layer in layers:
            if state[layer + cell] >= 0:
                at = state[layer + cell]
                code = state[offsets[keys.OBJECT_KIND] + at]
        kind = kinds[code]
        number = OBJECTS.get(kind.name) or FIRST_OTHER + sorted(unknown).index(code)
        shown = {"color": COLORS.index(FIXED_COLORS.get(kind.name, "red")), "state": 0}
        for attribute in kind.attributes:
            words = {"color": COLORS, "state": STATES}.get(attribute.name)
            if words is not None and attribute.is_slot:
                word = attribute.words[state[offsets[attribute.holder] + at]]
                shown[attribute.name] = words.index(word) if word in words else len(words)
        picture[cell % program.width, cell // program.width] = number, shown["color"], shown["state"]
    return picture
