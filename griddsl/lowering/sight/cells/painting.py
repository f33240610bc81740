"""Painting: codes and planes thing by thing, where that is less than to ask in each cell for each thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.compass import STEPS
from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.whereabouts import cell_of, column, row
from griddsl.lowering.sight.cells.sights import Sight, quarter_turn
from griddsl.lowering.sight.cells.spots import each_spot
from griddsl.lowering.state.pairs import are_tabled, looked_up
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n

_Put: TypeAlias = Callable[[Context, ir.Expr, ir.Expr], None]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is written where a thing stands: a value, in one of the planes."""

    kind: Kind
    attributes: dict[str, n.Expression]
    value: int
    plane: int = 0


@dataclass(frozen=True, slots=True)
class Spots:
    """The cells that things speak of, 1 in one of the planes."""

    node: n.CellsFor
    plane: int


def is_worth_painting(writer: Writer, sight: Sight, things: Sequence[Kind]) -> bool:
    """Whether all things together are fewer than the cells that are seen; not where some of these hide."""
    many = 0 if writer.facts.objects_vary else writer.facts.capacity
    count = sum(many if kind.category == "object" else len(writer.world.agents) for kind in things)
    return not sight.hides and count <= sight.rows * sight.columns


def paint(ctx: Context, sight: Sight, marks: Sequence[Mark | Spots], planes: int = 1) -> None:
    """Emit what writes the marks over the ground, the later over the earlier."""
    frame = _Frame.of(ctx, sight)
    for mark in marks:

        def put(inner: Context, cell: ir.Expr, also: ir.Expr = ir.TRUE, mark: Mark | Spots = mark) -> None:
            index, inside = frame.index(inner, cell)
            place = ir.add(ir.mul(index, ir.const(planes)), ir.const(mark.plane))
            value = 1 if isinstance(mark, Spots) else mark.value
            inner.block.extend(ir.when(ir.both(inside, also), [ir.Out(place, ir.const(value))]))

        if isinstance(mark, Spots):
            each_spot(ctx, mark.node, put)
            continue

        def stamp(inner: Context, thing: Ref, mark: Mark = mark, put: _Put = put) -> None:
            is_agent = thing.category == "agent"
            where = ir.load(inner.writer.agent_cell, thing.index) if is_agent else cell_of(inner, thing)
            put(inner, inner.let("cell", where), matches(inner, thing, mark.attributes))

        for_each(ctx, mark.kind, stamp)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Finds the place of a cell in a sight: where the agent stands, and which way is up where it can turn."""

    sight: Sight
    here: ir.Expr
    x: ir.Expr
    y: ir.Expr
    up: tuple[ir.Expr, ir.Expr] | None

    @staticmethod
    def of(ctx: Context, sight: Sight) -> _Frame:
        """Emit what is the same for all things."""
        agent, writer = ctx.self_ref, ctx.writer
        if not sight.is_view or agent is None:
            return _Frame(sight, ir.const(0), ir.const(0), ir.const(0), None)
        here = ctx.let("mine", cell_of(ctx, agent))
        if not sight.turns and are_tabled(ctx.world):
            return _Frame(sight, here, ir.const(0), ir.const(0), None)
        x, y = ctx.let("x", column(ctx, here)), ctx.let("y", row(ctx, here))
        if not sight.turns:
            return _Frame(sight, here, x, y, None)
        quarter = quarter_turn(ctx, agent)
        up_x, up_y = (
            ctx.let(
                f"up_{axis}",
                ir.lookup(writer.table(f"UP_{axis.upper()}", [step[k] for step in STEPS[:4]]), quarter),
            )
            for k, axis in enumerate("xy")
        )
        return _Frame(sight, here, x, y, (up_x, up_y))

    def index(self, ctx: Context, cell: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Return the number of the place that shows a cell, and whether there is one."""
        sight = self.sight
        if not sight.is_view:
            return cell, ir.TRUE
        if self.up is None and are_tabled(ctx.world):
            key = ("PLACE", sight.rows, sight.columns, sight.agent_row, sight.agent_column)
            place = ctx.let("place", looked_up(ctx.writer, key, self.here, cell, self._place))
            return ir.within(place, 0, sight.rows * sight.columns - 1), ir.ge(place, 0)
        right = ctx.let("right", ir.sub(column(ctx, cell), self.x))
        down = ctx.let("down", ir.sub(row(ctx, cell), self.y))
        if self.up is not None:
            across, up_x, up_y = right, *self.up
            right = ir.sub(ir.mul(down, up_x), ir.mul(across, up_y))
            down = ir.neg(ir.add(ir.mul(across, up_x), ir.mul(down, up_y)))
        at_row = ctx.let("at_row", ir.add(down, ir.const(sight.agent_row)))
        at_column = ctx.let("at_column", ir.add(right, ir.const(sight.agent_column)))
        rows, columns = (
            ir.both(ir.ge(at, 0), ir.lt(at, size))
            for at, size in ((at_row, sight.rows), (at_column, sight.columns))
        )
        return ir.add(ir.mul(at_row, ir.const(sight.columns)), at_column), ir.both(rows, columns)

    def _place(self, right: NDArray[np.int64], down: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of the place that shows what lies so far right and down of the agent; -1 for none."""
        sight = self.sight
        row, column = down + sight.agent_row, right + sight.agent_column
        inside = (row >= 0) & (row < sight.rows) & (column >= 0) & (column < sight.columns)
        return np.where(inside, row * sight.columns + column, -1)
