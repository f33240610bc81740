"""Rays: how far it is to what straight lines from the agent hit, and what that is."""

from __future__ import annotations

import math
from fractions import Fraction

from griddsl.compass import STEPS
from griddsl.diagnostics import Help, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.physics import blocks
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.clauses.whereabouts import cell_of, column, row
from griddsl.lowering.sight.cells.disguises import is_there
from griddsl.lowering.sight.cells.planes import agent_meant
from griddsl.lowering.sight.entries import Entry
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.spaces import Box
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

MOST_RAYS = 64
FARTHEST = 255
EIGHTHS = (2, 4, 6, 0, 3, 5, 7, 1)  # of a turn from the north, clockwise, for each direction
Hit = tuple[Kind, dict[str, n.Expression]]


def rays_entry(ctx: Context, node: n.Rays) -> Entry | None:
    """Return the entry of rays: a distance for each, and what was hit where kinds are listed."""
    world = ctx.world
    if isinstance(node.count, n.Call) and node.count.name == "of" and not node.hits:
        _uncounted(ctx, node)
        return None
    count = _whole(ctx, node.count, MOST_RAYS, "the number of rays")
    widest = max(world.width, world.height)
    reach = widest if node.reach is None else _whole(ctx, node.reach, FARTHEST, "how far rays go")
    hits = _hits(ctx, node)
    if count is None or reach is None or hits is None:
        return None
    farthest = min(reach + 1, widest)
    entries, most = len(hits) + 1, max(farthest, len(hits))

    def tell(inner: Context) -> None:
        _write(inner, count, min(reach, widest), farthest, hits)

    dtype = "uint8" if most <= 255 else "int64"
    if not hits:
        return Entry(Box(1, farthest, (count,), dtype), "array", None, tell)
    low, high = (1, 0) * count, (farthest, entries - 1) * count
    return Entry(Box(low, high, (count, 2), dtype), "array", None, tell)


def _uncounted(ctx: Context, node: n.Rays) -> None:
    """Report ``rays of (wall, coin)``, which reads like a function where the number is left out."""
    reach = "" if node.reach is None else f"within {node.reach.span.text} "
    help = write(f"rays 8 {reach}{node.count.span.text}", ": so many lines, from 1 to 64", place=node.span)
    start = node.count.span.start
    place = Span(node.span.source, start, start + len("of"))
    ctx.error("syntax", place, found="`of`", expected="the number of rays before it", help=help)


def bracketed_hits(world: World, items: list[n.ObserveItem]) -> Help | None:
    """Return what is meant by `rays 8 of wall, goal`: a list of kinds; None where no kind follows what rays hit."""
    for index, item in enumerate(items):
        if item.rays is None or not item.rays.hits:
            continue
        names = [
            each.value if each.name is None and each.form is None else None for each in items[index + 1 :]
        ]
        kinds = [isinstance(name, n.KindName) and name.name in world.kinds for name in names]
        count = [*kinds, False].index(False)
        if count:
            hits = (*item.rays.hits, *items[index + 1 : index + 1 + count])
            place = Span(item.span.source, item.rays.hits[0].span.start, hits[-1].span.end)
            return write(f"({', '.join(map(to_text, hits))})", place=place)
    return None


def _whole(ctx: Context, node: n.Expression, most: int, what: str) -> int | None:
    found = constant_number(node, ctx.world.params, ctx.report, what)
    if found is not None and (found.denominator != 1 or not 1 <= found <= most):
        ctx.error("bad-value", node.span, reason=f"{what} is a whole number from 1 to {most}")
        return None
    return None if found is None else int(found)


def _hits(ctx: Context, node: n.Rays) -> list[Hit] | None:
    found: list[Hit] = []
    for entry in node.hits:
        name = getattr(entry, "name", "")
        alone = name == "agent" and not ctx.world.several
        if (name == "self" or alone) and "self" not in ctx.world.kinds:
            where = "among what rays hit: they begin beyond who looks"
            ctx.error("wrong-place", entry.span, what=f"`{name}`", where=where)
            return None
        meant = agent_meant(ctx, entry)
        kind = kind_called(ctx, meant)
        if kind is None:
            return None
        found.append((kind, values_given(meant)))
    return found


def _write(ctx: Context, count: int, reach: int, farthest: int, hits: list[Hit]) -> None:
    """Emit a loop over the rays; a number tells how far a ray went and what it hit."""
    world, writer, agent = ctx.world, ctx.writer, ctx.self_ref
    assert agent is not None
    turns = 1
    if writer.facts.has_facing:
        turns = 8 if ir.load(writer.facing, agent.index).high > 3 else 4
    ways = math.lcm(count, turns)
    tables, length = _tables(ctx, ways, reach)
    here = ctx.let("here", cell_of(ctx, agent))
    x, y = ctx.let("here_x", column(ctx, here)), ctx.let("here_y", row(ctx, here))
    facing: ir.Expr = ir.const(0)
    if turns > 1:
        starts = [eighth * ways // 8 for eighth in EIGHTHS[: 4 if turns == 4 else 8]]
        facing = ctx.let(
            "facing",
            ir.lookup(writer.table(("RAY", ways, turns), starts), ir.load(writer.facing, agent.index)),
        )
    ray = ir.Local(ctx.names.fresh("ray"), "int", 0, count - 1)
    body, entries = ctx.inner(), len(hits) + 1
    way = ir.mod(ir.add(ir.mul(ray, ir.const(ways // count)), facing), ir.const(ways))
    first = body.let("first", ir.mul(way, ir.const(length)))
    told = body.variable("told", ir.const(farthest * entries), 0, farthest * entries + entries - 1)
    at = ir.Local(ctx.names.fresh("at"), "int", 0, length - 1)
    inner = body.inner()
    place = inner.let("place", ir.add(first, at))
    there_x = inner.let("x", ir.add(x, ir.lookup(tables[0], place)))
    there_y = inner.let("y", ir.add(y, ir.lookup(tables[1], place)))
    far = ir.mul(ir.lookup(tables[2], place), ir.const(entries))
    outside = [index for index, (kind, _) in enumerate(hits, 1) if kind.name == "wall"][:1]
    off: ir.Block = [ir.Hit(ir.add(far, ir.const(*outside or [0])))]
    on = inner.inner()
    known_x, known_y = ir.within(there_x, 0, world.width - 1), ir.within(there_y, 0, world.height - 1)
    cell = on.let("cell", ir.add(ir.mul(known_y, ir.const(world.width)), known_x))
    what = on.variable("what", ir.const(0), 0, len(hits))
    for index, (kind, attributes) in reversed(list(enumerate(hits, 1))):
        asked = on.inner()
        test = is_there(asked, cell, kind, attributes)
        on.block.extend(asked.block)
        on.block.extend(ir.when(test, [ir.Let(what.name, ir.const(index))]))
    stops = ir.either(ir.ge(what, 1), blocks(on, cell, "opaque")) if hits else blocks(on, cell, "opaque")
    on.block.extend(ir.when(stops, [ir.Hit(ir.add(far, what) if hits else far)]))
    sides = ((there_x, world.width), (there_y, world.height))
    inside = ir.both(*(test for value, size in sides for test in (ir.ge(value, 0), ir.lt(value, size))))
    inner.block.extend(ir.when(inside, on.block, off))
    body.emit(ir.first_of(told)(at.name, ir.const(0), ir.const(length), inner.block))
    if hits:
        pair = body.let("pair", ir.mul(ray, ir.const(2)))
        body.emit(ir.Out(pair, ir.div(told, ir.const(entries))))
        body.emit(ir.Out(ir.add(pair, ir.const(1)), ir.mod(told, ir.const(entries))))
    else:
        body.emit(ir.Out(ray, told))
    ctx.emit(ir.For(ray.name, ir.const(0), ir.const(count), body.block))


def _tables(ctx: Context, ways: int, reach: int) -> tuple[tuple[ir.Table, ir.Table, ir.Table], int]:
    """Return tables of columns, rows and distances of the cells of each ray, and how many it has in them."""
    rays = [_cells(way, ways, reach) for way in range(ways)]
    length = max(map(len, rays))
    cells = [cell for ray in rays for cell in (*ray, *[ray[-1]] * (length - len(ray)))]
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    far = [max(abs(x), abs(y)) for x, y in cells]
    table, key = ctx.writer.table, (ways, reach)
    return (
        table(("RAY_X", *key), columns),
        table(("RAY_Y", *key), rows),
        table(("RAY_FAR", *key), far),
    ), length


def _cells(way: int, ways: int, reach: int) -> list[tuple[int, int]]:
    """Return the cells that a ray passes through within a square, the nearest first, from the one that it starts in.

    It starts in the middle, and goes ``way / ways`` of a turn clockwise from the north. No slope but that of a
    diagonal goes through a corner of cells, as no other of the angles has a rational tangent.
    """
    turn = Fraction(8 * way, ways)
    if turn.denominator == 1:
        dx, dy = STEPS[EIGHTHS.index(int(turn))]
        return [(dx * far, dy * far) for far in range(1, reach + 1)]
    angle = 2 * math.pi * way / ways
    slopes = math.sin(angle), -math.cos(angle)
    crossed = sorted(
        ((k + 0.5) / abs(slope), axis) for axis, slope in enumerate(slopes) for k in range(reach + 1)
    )
    found, cell = list[tuple[int, int]](), [0, 0]
    for _, axis in crossed:
        cell[axis] += 1 if slopes[axis] > 0 else -1
        if max(map(abs, cell)) > reach:
            return found
        found.append((cell[0], cell[1]))
    return found
