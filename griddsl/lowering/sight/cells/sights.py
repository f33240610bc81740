"""Sights: the loops over what is looked at, the whole grid or a view, and what the light reaches in a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import STEPS
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.physics import blocks, guard, is_conditional, tile_blocks
from griddsl.lowering.clauses.whereabouts import cell_of, column, row
from griddsl.lowering.world.values import Ref
from griddsl.program import ir

# The light in a row of a view is kept in the bits of one number, which has 64 on compiled backends.
WIDEST_OCCLUDED = 61
NORTH = 3
MOST_GROUND = 16_384  # numbers, of what is seen from each cell of a small map


@dataclass(frozen=True, slots=True)
class Sight:
    """What is looked at: ``rows`` x ``columns`` cells; for a view, where in them the agent stands.

    ``turns`` says whether a view turns with the agent's facing; else north is up. A ``cone`` is wider by a column on
    each side in each so many rows ahead; 0 for none.
    """

    rows: int
    columns: int
    is_view: bool = False
    agent_row: int = 0
    agent_column: int = 0
    occluded: bool = False
    cone: int = 0
    turns: bool = False

    @property
    def hides(self) -> bool:
        """Whether some of its places may be unseen."""
        return self.occluded or self.cone > 0


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a sight: its row and column, its number row by row, and the cell seen there (-1 off the grid)."""

    row: ir.Expr
    column: ir.Expr
    index: ir.Expr
    cell: ir.Expr


WriteCell: TypeAlias = Callable[[Context, Place], None]


def for_each_seen(ctx: Context, sight: Sight, write: WriteCell, size: int, unseen: int) -> None:
    """Emit a loop over the places of a sight that ``write`` fills; the hidden keeps ``unseen``, of ``size`` values."""
    if not sight.is_view:
        _for_each_cell(ctx, write)
        return
    cells = _Cells.of(ctx, sight)
    if sight.hides:
        ctx.emit(ir.Blank(ir.const(size), ir.const(unseen)))
    if sight.cone:
        write = _within_cone(sight, write)
    if sight.occluded:
        _for_each_lit(ctx, sight, cells, write)
        return
    _for_each_place(ctx, sight, cells, write)


def _within_cone(sight: Sight, write: WriteCell) -> WriteCell:
    """Return what writes the places of a cone alone."""
    rows, columns = np.indices((sight.rows, sight.columns))
    inside = abs(columns - sight.agent_column) * sight.cone <= sight.agent_row - rows

    def within(ctx: Context, place: Place) -> None:
        table = ctx.writer.table(
            ("CONE", *inside.shape, sight.agent_row, sight.cone), inside.ravel().astype(int)
        )
        seen = ctx.inner()
        write(seen, place)
        ctx.block.extend(ir.when(ir.eq(ir.lookup(table, place.index), 1), seen.block))

    return within


def write_ground(ctx: Context, sight: Sight, ground: Sequence[int], off: int) -> None:
    """Emit a loop that writes a number for each place, from one for each cell of the grid; ``off`` is off the grid."""
    if not sight.is_view:
        table = ctx.writer.new_table("GROUND", ground)
        _for_each_cell(
            ctx, lambda inner, place: inner.emit(ir.Out(place.index, ir.lookup(table, place.cell)))
        )
        return
    agent, size = ctx.self_ref, sight.rows * sight.columns
    if agent is not None and not sight.turns and ctx.world.cells * size <= MOST_GROUND:
        here = ctx.let("here", cell_of(ctx, agent))
        if here.low >= 0:
            table = ctx.writer.new_table("GROUND", _seen_from_each(ctx, sight, ground, off))
            at = ir.Local(ctx.names.fresh("k"), "int", 0, size - 1)
            seen = ir.lookup(table, ir.add(ctx.let("first", ir.mul(here, ir.const(size))), at))
            ctx.emit(ir.For(at.name, ir.const(0), ir.const(size), [ir.Out(at, seen)]))
            return
    _for_each_place(
        ctx,
        sight,
        _Cells.of(ctx, sight, ground, off),
        lambda inner, place: inner.emit(ir.Out(place.index, place.cell)),
    )


def _seen_from_each(ctx: Context, sight: Sight, ground: Sequence[int], off: int) -> NDArray[np.int64]:
    """Return what a view shows of the ground from each cell in turn, north up."""
    up, left = sight.agent_row, sight.agent_column
    margins = (up, sight.rows - 1 - up), (left, sight.columns - 1 - left)
    grid = np.asarray(ground, np.int64).reshape(ctx.world.height, ctx.world.width)
    padded = np.pad(grid, margins, constant_values=off)
    return np.lib.stride_tricks.sliding_window_view(padded, (sight.rows, sight.columns)).reshape(-1)


def _for_each_place(ctx: Context, sight: Sight, cells: _Cells, write: WriteCell) -> None:
    row_ = ir.Local(ctx.names.fresh("row"), "int", 0, sight.rows - 1)
    body = ctx.inner()
    first = cells.first(body, row_)
    _for_each_column(body, sight, lambda inner, at: write(inner, cells.place(inner, row_, first, at)))
    ctx.emit(ir.For(row_.name, ir.const(0), ir.const(sight.rows), body.block))


def quarter_turn(ctx: Context, agent: Ref) -> ir.Expr:
    """Return which of the four ways is up for an agent with a facing: a diagonal counts as a quarter before it."""
    facing = ir.load(ctx.writer.facing, agent.index)
    return ir.mod(facing, ir.const(4)) if facing.high > NORTH else facing


def _for_each_cell(ctx: Context, write: WriteCell) -> None:
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    inner = ctx.inner()
    write(inner, Place(row(ctx, cell), column(ctx, cell), cell, cell))
    ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), inner.block))


def _for_each_column(ctx: Context, sight: Sight, fill: Callable[[Context, ir.Local], None]) -> None:
    at = ir.Local(ctx.names.fresh("column"), "int", 0, sight.columns - 1)
    inner = ctx.inner()
    fill(inner, at)
    ctx.emit(ir.For(at.name, ir.const(0), ir.const(sight.columns), inner.block))


@dataclass(frozen=True, slots=True)
class _Cells:
    """Finds the cell of a place on the grid with a margin around it: from its corner, so far down and so far across."""

    sight: Sight
    grid: ir.Table
    corner: ir.Expr
    down: ir.Expr
    across: ir.Expr
    word: str

    @staticmethod
    def of(ctx: Context, sight: Sight, ground: Sequence[int] | None = None, off: int = -1) -> _Cells:
        """Emit what is the same for all places of a view, and return what finds their cells.

        With ``ground``, a number for each cell, it finds these numbers, and ``off`` where there is no cell.
        """
        world, writer = ctx.world, ctx.writer
        up, aside = max(sight.agent_row, sight.rows - 1 - sight.agent_row), sight.columns // 2
        margin = max(up, aside)
        stride = world.width + 2 * margin
        grid = np.arange(world.cells) if ground is None else np.asarray(ground)
        padded = np.pad(grid.reshape(world.height, world.width), margin, constant_values=off).ravel()
        agent = ctx.self_ref
        assert agent is not None
        here = ctx.let("here", cell_of(ctx, agent))
        middle = ir.add(ir.mul(ir.add(row(ctx, here), ir.const(margin)), ir.const(stride)), column(ctx, here))
        shape = (sight.rows, sight.columns, sight.agent_row)
        if ground is None:
            table, word = writer.table(("CELLS", *shape), padded), "cell"
        else:
            table, word = writer.new_table("GROUND", padded), "ground"
        # For each facing: a row down is a step back, a column across one to the right; ahead is up.
        down = [-(y * stride + x) for x, y in STEPS[:4]]
        across = [x * stride - y for x, y in STEPS[:4]]
        corner = [
            margin - sight.agent_row * d - sight.agent_column * a for d, a in zip(down, across, strict=True)
        ]
        if not sight.turns:
            start = ctx.let("corner", ir.add(middle, ir.const(corner[NORTH])))
            return _Cells(sight, table, start, ir.const(down[NORTH]), ir.const(across[NORTH]), word)
        turn = ctx.let("turn", quarter_turn(ctx, agent))
        steps = {"down": down, "across": across, "corner": corner}
        found = {
            step: ir.lookup(writer.table((step.upper(), *shape), values), turn)
            for step, values in steps.items()
        }
        start = ctx.let("corner", ir.add(middle, found["corner"]))
        return _Cells(
            sight, table, start, ctx.let("down", found["down"]), ctx.let("across", found["across"]), word
        )

    def first(self, ctx: Context, row_: ir.Expr) -> ir.Expr:
        """Return where a row begins on the grid."""
        first = ir.add(self.corner, ir.mul(row_, self.down))
        return ctx.let("first", self._inside(first))

    def cell(self, ctx: Context, first: ir.Expr, at: ir.Expr) -> ir.Expr:
        """Return the cell in a column of a row; -1 off the grid."""
        return ctx.let(self.word, ir.lookup(self.grid, self._inside(ir.add(first, ir.mul(at, self.across)))))

    def _inside(self, place: ir.Expr) -> ir.Expr:
        """Return a place on the grid with the range that the margin ensures."""
        last = len(self.grid.values) - 1
        return ir.claim(place, 0, last, "the margin of the grid is as wide as a view reaches")

    def place(self, ctx: Context, row_: ir.Expr, first: ir.Expr, at: ir.Expr) -> Place:
        """Return the place in a column of a row."""
        index = ir.add(ir.mul(row_, ir.const(self.sight.columns)), at)
        return Place(row_, at, index, self.cell(ctx, first, at))


# Light


def _for_each_lit(ctx: Context, sight: Sight, cells: _Cells, write: WriteCell) -> None:
    """Emit the rows from the agent's outwards, ahead and then behind, with the light that each lets through.

    The rule is MiniGrid's: from a lit cell that is not opaque, light spreads to its neighbours in the row and
    to the three cells next to it in the row beyond.
    """
    ways = [(sight.agent_row + 1, -1)]
    if sight.agent_row < sight.rows - 1:
        ways.append((sight.rows - sight.agent_row, 1))
    for count, way in ways:
        lit = ctx.variable("lit", ir.const(1 << sight.agent_column), 0, 2**sight.columns - 1)
        index = ir.Local(ctx.names.fresh("i"), "int", 0, count - 1)
        body = ctx.inner()
        body.emit(ir.If(ir.eq(lit, 0), [ir.Break()], []))
        here = ir.const(sight.agent_row)
        row_ = body.let("row", ir.sub(here, index) if way < 0 else ir.add(here, index))
        row_ = ir.Local(row_.name, "int", 0, sight.rows - 1) if isinstance(row_, ir.Local) else row_
        first = cells.first(body, row_)
        beyond = _light_row(body, sight, cells, first, lit)

        def fill(
            inner: Context, at: ir.Local, row_: ir.Expr = row_, first: ir.Expr = first, lit: ir.Local = lit
        ) -> None:
            seen = inner.inner()
            write(seen, cells.place(seen, row_, first, at))
            inner.block.extend(ir.when(_bit(lit, at), seen.block))

        _for_each_column(body, sight, fill)
        body.emit(ir.Let(lit.name, beyond))
        ctx.emit(ir.For(index.name, ir.const(0), ir.const(count), body.block))


def _bit(row_: ir.Local, at: ir.Local) -> ir.Expr:
    most = int(row_.high)
    return ir.eq(ir.bits("&", ir.bits(">>", row_, at, most), ir.const(1), 1), 1)


def _light_row(ctx: Context, sight: Sight, cells: _Cells, first: ir.Expr, lit: ir.Local) -> ir.Expr:
    """Emit how light spreads in a row, from the bits of ``lit`` that came into it; return what goes beyond."""
    full = 2**sight.columns - 1
    clear = ctx.variable("clear", ir.const(0), 0, full)

    def mark(inner: Context, at: ir.Local) -> None:
        cell = cells.cell(inner, first, at)
        known = ir.Local(cell.name, "int", 0, ctx.world.cells - 1) if isinstance(cell, ir.Local) else cell
        inside = inner.inner()
        one = ir.bits("<<", ir.const(1), at, full)
        _when_clear(inside, known, [ir.Let(clear.name, ir.bits("|", clear, one, full))])
        inner.block.extend(ir.when(ir.ge(cell, 0), inside.block))

    _for_each_column(ctx, sight, mark)
    bright = ctx.variable("bright", ir.bits("&", lit, clear, full), 0, full)
    # Towards higher columns a carry runs through clear cells as light does; back it goes in steps that double.
    carried = ir.bits("&", clear, ir.Op("+", (clear, bright), "int", 0, 2 * full), full)
    left = ir.claim(ir.sub(clear, carried), 0, full, "what is taken away are bits of it")
    ahead = ir.bits("|", left, bright, full)
    ctx.emit(ir.Let(bright.name, ahead))
    run = ctx.variable("run", clear, 0, full)
    shift = 1
    while shift < sight.columns:
        back = ir.bits("&", run, ir.bits(">>", bright, ir.const(shift), full), full)
        ctx.emit(ir.Let(bright.name, ir.bits("|", bright, back, full)))
        shift *= 2
        if shift < sight.columns:
            longer = ir.bits("&", run, ir.bits(">>", run, ir.const(shift // 2), full), full)
            ctx.emit(ir.Let(run.name, longer))
    beyond = ctx.let("beyond", ir.bits("&", _spread(bright, full), ir.const(full), full))
    ctx.emit(ir.Let(lit.name, ir.bits("|", lit, beyond, full)))
    return beyond


def _spread(row_: ir.Expr, full: int) -> ir.Expr:
    wide = 2 * full + 1
    sides = ir.bits("|", ir.bits("<<", row_, ir.const(1), wide), ir.bits(">>", row_, ir.const(1), full), wide)
    return ir.bits("|", row_, sides, wide)


def _when_clear(ctx: Context, cell: ir.Expr, then: ir.Block) -> None:
    """Emit statements that run where sight passes through a cell: neither its tile nor an object is opaque."""
    world, writer = ctx.world, ctx.writer
    objects = ctx.inner()
    passes: list[ir.Expr] = []
    for layer in world.layers if world.object_kinds() else []:
        members = [k for k in world.object_kinds() if k.layer == layer and k.opaque is not None]
        if not members:
            continue
        thing = objects.let("thing", ir.load(writer.layer_slot(layer), cell))
        known = (
            ir.Local(thing.name, "int", 0, writer.facts.capacity - 1)
            if isinstance(thing, ir.Local)
            else thing
        )
        code = ir.load(writer.object_kind, known)
        stops = [
            ir.both(ir.eq(code, kind.code), guard(objects, Ref(kind, known), "opaque")) for kind in members
        ]
        passes.append(ir.either(ir.lt(thing, 0), ir.invert(ir.either(*stops))))
    simple = all(
        isinstance(statement, ir.Let) and statement.name.startswith("thing") for statement in objects.block
    )
    if not simple or any(is_conditional(kind, "opaque") for kind in world.tile_kinds()):
        ctx.block.extend(ir.when(ir.invert(blocks(ctx, cell, "opaque")), then))
        return
    objects.block.extend(ir.when(ir.both(*passes), then))
    ctx.block.extend(ir.when(ir.invert(tile_blocks(writer, cell, "opaque")), objects.block))
