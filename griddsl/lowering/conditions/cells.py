"""Cells: areas, and places drawn at random among the cells that qualify."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from griddsl.diagnostics import did_you_mean, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.meaning import condition, drawn, evaluate_chance, evaluate_whole, reads
from griddsl.lowering.clauses.physics import agent_at, blocks
from griddsl.lowering.clauses.unknown.names import report_unknown
from griddsl.lowering.clauses.whereabouts import bind_cell, column, row
from griddsl.lowering.conditions.finding import found_in_cell, in_region
from griddsl.lowering.conditions.paths import flood, reachable
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import CELL, Value, ValueType
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@reads(n.RandomCell)
def _random_cell(ctx: Context, node: n.RandomCell, _: ValueType | None) -> Value:
    return Value(CELL, random_cell(ctx, node, None, "a cell"))


def in_area(ctx: Context, area: n.Area, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell lies in an area."""
    world, writer = ctx.world, ctx.writer
    match area.form:
        case "column" | "row":
            wanted = evaluate_whole(ctx, area.value)
            if wanted is None:
                return ir.FALSE
            size = world.width if area.form == "column" else world.height
            if wanted.high < 0 or wanted.low >= size:
                ctx.error(
                    "bad-offset",
                    area.span,
                    reason=f"there is no such {area.form} on the {world.width} x {world.height} grid",
                    help=f"{area.form}s go from 0 to {size - 1}",
                )
            return ir.eq(column(ctx, cell) if area.form == "column" else row(ctx, cell), wanted)
        case "border":
            x, y = np.arange(world.cells) % world.width, np.arange(world.cells) // world.width
            on = (x == 0) | (x == world.width - 1) | (y == 0) | (y == world.height - 1)
            return ir.eq(ir.lookup(writer.table("BORDER", on.astype(int).tolist()), cell), 1)
        case "rectangle":
            return _in_rectangle(ctx, area.value, cell)
    assert isinstance(area.value, n.Name)
    if area.value.name not in world.regions:
        if area.value.name in ctx.writer.variables or area.value.name in ctx.scope:
            _report_no_region(ctx, area.value)
            return ir.FALSE
        known = [*world.regions, "border"]
        ctx.error(
            "unknown-name",
            area.span,
            where=ctx.where,
            name=area.value.name,
            help=did_you_mean(area.value.name, known)
            or f"declare it: `region {area.value.name}: (0..3, 0..3)`",
        )
        return ir.FALSE
    return in_region(ctx, area.value.name, cell)


def _report_no_region(ctx: Context, name: n.Name) -> None:
    """Report a value in the place of a region: a cell that is chosen stands behind `at`."""
    stored, span = ctx.writer.variables.get(name.name), name.span
    help: str | None = None
    if stored is not None and stored.type == CELL:
        help = f"it is one cell: `at {name.name}`"
        placed = re.search(r"\bplace\s+[^\s,:]+\s+(in\s+)\Z", span.source.text[: span.start])
        if placed is not None:
            place = Span(span.source, placed.start(1), span.end)
            help = write(f"at {name.name}", ": it is one cell", place=place)
    ctx.error("type", span, found=f"the name `{name.name}`", expected="a region", help=help)


def _in_rectangle(ctx: Context, node: n.Rectangle, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell lies in a rectangle whose ends may be chosen; both are included."""
    tests: list[ir.Expr] = []
    ways = (
        (column(ctx, cell), node.left, node.right, ctx.world.width, "column"),
        (row(ctx, cell), node.top, node.bottom, ctx.world.height, "row"),
    )
    for place, first, last, size, name in ways:
        low, high = evaluate_whole(ctx, first), evaluate_whole(ctx, last)
        if low is None or high is None:
            return ir.FALSE
        if high.low >= size or low.high < 0 or low.low > high.high:
            ctx.error(
                "bad-offset",
                node.span,
                reason=f"its {name}s are not those of the {ctx.world.width} x {ctx.world.height} grid",
                help=f"{name}s go from 0 to {size - 1}; a range grows",
            )
        tests += [ir.ge(place, low), ir.compare("<=", place, high)]
    return ir.both(*tests)


def is_candidate(ctx: Context, cell: ir.Expr, node: n.Expression, placed: Kind | None) -> ir.Expr:
    """Return whether a cell is of the kind asked for, and free for what is to be placed there."""
    world, writer = ctx.world, ctx.writer
    assert isinstance(node, n.KindName)
    if node.name == "free":
        test: ir.Expr = ir.invert(blocks(ctx, cell, "solid"))
        needs_empty = True
    else:
        kind = ctx.world.kinds.get(node.name)
        if kind is None:
            report_unknown(ctx, node.name, node.span, is_kind=True)
            return ir.FALSE
        attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}
        test = found_in_cell(ctx, cell, kind, attributes, None)
        needs_empty = kind.category == "tile"
    if not needs_empty:
        return test
    for layer in world.layers if world.object_kinds() else []:
        if placed is None or placed.category != "object" or placed.layer == layer:
            test = ir.both(test, ir.lt(ir.load(writer.layer_slot(layer), cell), 0))
    if placed is None or placed.category != "agent" or world.several:
        test = ir.both(test, ir.invert(agent_at(ctx, cell)))
    return test


def qualifies(ctx: Context, node: n.CellChoice, cell: ir.Expr, placed: Kind | None) -> ir.Expr:
    """Return whether a cell fits a ``random`` or ``every``: its kind, area and condition."""
    bind_cell(ctx, cell)
    tests = [is_candidate(ctx, cell, node.kind, placed)]
    if isinstance(node, n.RandomCell):
        if node.area is not None:
            tests.append(in_area(ctx, node.area, cell))
        if node.reachable_from is not None:
            tests.append(reachable(ctx, node.reachable_from, cell))
    if node.where is not None:
        inner = ctx.inner(scope=ctx.scope)
        test = condition(inner, node.where)
        ctx.block.extend(inner.block)
        tests.append(test)
    return ir.both(*tests)


def random_cell(
    ctx: Context,
    node: n.RandomCell,
    placed: Kind | None,
    what: str,
    must_be: bool | None = None,
    called: str | None = None,
    but: Sequence[ir.Expr] = (),
) -> ir.Expr:
    """Return a cell drawn uniformly among those that qualify; where none does, -1, or a failure where one must be.

    In setup one must be, where nothing else is said. ``called`` is the name under which its condition knows the cell,
    and ``but`` are cells that it is not.
    """
    world, writer = ctx.world, ctx.writer
    if node.reachable_from is not None:
        flood(ctx, node.reachable_from)
    cell_name = ctx.names.fresh("cell")
    cell = ir.Local(cell_name, "int", 0, world.cells - 1)
    count = ctx.variable("candidates", ir.const(0), 0, world.cells)
    candidates = writer.scratch("CANDIDATE", world.cells, 0, world.cells - 1)
    inner = ctx.inner()
    if called is not None:
        inner.bind(called, Value(CELL, cell))
    test = ir.both(qualifies(inner, node, cell, placed), *(ir.ne(cell, other) for other in but))
    inner.block.extend(ir.when(test, [ir.Hit(cell)]))
    ctx.emit(ir.collected(candidates, count)(cell_name, ir.const(0), ir.const(world.cells), inner.block))
    if ctx.stage == "setup" if must_be is None else must_be:
        said = ctx.report.as_written(f"{what}\x00{to_text(node)}{_nowhere(world, node, placed)}")
        failure = ir.Fail("no-place", node.span, said)
        ctx.emit(ir.If(ir.eq(count, 0), [failure], []))
        pick = ir.drawn(count, world.cells - 1)
        return ctx.let("spot", ir.load(candidates, pick))
    spot = ctx.variable("spot", ir.const(-1), -1, world.cells - 1)
    pick = ir.drawn(count, world.cells - 1)
    ctx.emit(ir.If(ir.compare(">", count, ir.const(0)), [ir.Let(spot.name, ir.load(candidates, pick))], []))
    return spot


def _nowhere(world: World, node: n.RandomCell, placed: Kind | None) -> str:
    """Return the help, behind its sign: what is placed can be left out, where the ground is of a map at all."""
    kind = world.kinds.get(getattr(node.kind, "name", ""))
    if kind is None or kind.category != "tile" or any(kind.code in level.tiles for level in world.levels):
        return "" if placed is None else "\x00`if free` behind it leaves it out where there is no such cell"
    return f"\x00no cell is `{kind.name}` then; `random free` draws any cell that has room"


def every_cell(ctx: Context, node: n.EveryCell, placed: Kind | None) -> tuple[Context, ir.Local, ir.Expr]:
    """Return a loop over the cells that qualify: its body's context, the cell, and the test to place the body under."""
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    inner = ctx.inner()
    test = qualifies(inner, node, cell, placed)
    if node.chance is not None:
        chance = evaluate_chance(inner, node.chance)
        if chance is not None:
            test = ir.both(test, drawn(inner, chance))
    return inner, cell, test


def destination(ctx: Context, node: n.Destination, placed: Kind | None, what: str) -> ir.Expr | None:
    """Return the cell that ``to`` or ``at`` speaks of; -1 where nothing qualifies."""
    if isinstance(node, n.RandomCell):
        return random_cell(ctx, node, placed, what)
    return place_of(ctx, node)
