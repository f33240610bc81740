"""Paths: ``path_distance`` and ``reachable from``, by breadth-first search over what is not solid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.physics import blocks
from griddsl.lowering.clauses.unknown import report_unknown
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.world.values import NUMBER, Ref, Value
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def _search(ctx: Context, avoiding: Any, aimed: bool) -> str:
    """Define the search, and return its name: it writes each cell's distance from a start.

    It writes ``width * height`` where there is no way. One that is ``aimed`` at a cell ends when it has come there.
    """
    world, writer = ctx.world, ctx.writer
    avoided = to_text(avoiding) if avoiding is not None else ""
    known = writer.searches.get((avoided, aimed))
    if known is not None:
        return known
    name = "search" if not writer.searches else f"search_{len(writer.searches) + 1}"
    writer.searches[avoided, aimed] = name
    parameters = ("start", "aim") if aimed else ("start",)
    inner = new_function(writer, "rule", ctx.where, *parameters)
    doc = (
        "The path distance from a start to where it aims."
        if aimed
        else "The path distance of every cell from a start."
    )
    writer.functions[name] = ir.function(name, parameters, inner.block, doc, repeatable=True)
    kind = None
    if avoiding is not None:
        kind = world.kinds.get(getattr(avoiding, "name", ""))
        if kind is None:
            report_unknown(ctx, getattr(avoiding, "name", "this"), avoiding.span, is_kind=True)
            return name

    def stops(body: Context, cell: ir.Expr) -> ir.Expr:
        solid = blocks(body, cell, "solid")
        if kind is None:
            return solid
        given = dict(getattr(avoiding, "arguments", ()))
        return ir.either(solid, found_in_cell(body, cell, kind, given, None))

    _flood(inner, _passable(inner, stops), aimed)
    return name


def _passable(ctx: Context, stops: Callable[[Context, ir.Expr], ir.Expr]) -> Callable[[ir.Expr], ir.Expr]:
    """Return what tells whether a cell is passable: looked up if it never changes, else noted for all cells before."""
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    body = ctx.inner()
    stopped = stops(body, cell)
    if not body.block and not any(isinstance(part, ir.Call) for part in ir.parts(stopped)):
        return lambda there: ir.invert(stops(ctx.inner(), there))
    noted = ctx.writer.scratch("PASSABLE", ctx.world.cells)
    body.emit(ir.Store(noted, cell, ir.as_number(ir.invert(stopped))))
    ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), body.block))
    return lambda there: ir.eq(ir.load(noted, there), 1)


def _flood(ctx: Context, passable: Callable[[ir.Expr], ir.Expr], aimed: bool) -> None:
    world, writer = ctx.world, ctx.writer
    far = writer.scratch("PATH_DISTANCE", world.cells, 0, world.cells)
    queue = writer.scratch("QUEUE", world.cells, 0, world.cells - 1)
    start = ir.Local("start", "int", 0, world.cells - 1)
    head, tail = ctx.names.fresh("head"), ctx.names.fresh("tail")
    first, last = ir.Local(head, "int", 0, world.cells), ir.Local(tail, "int", 0, world.cells)
    ctx.emit(
        ir.Fill(far, ir.const(world.cells)),
        ir.Store(far, start, ir.const(0)),
        ir.Store(queue, ir.const(0), start),
        ir.Let(head, ir.const(0)),
        ir.Let(tail, ir.const(1)),
    )
    outer = ctx.inner()
    here = outer.let("here", ir.load(queue, first))
    outer.emit(ir.Let(head, ir.add(first, ir.const(1))))
    direction = ir.Local(outer.names.fresh("d"), "int", 0, 3)
    body = outer.inner()
    there = body.let("there", writer.next_cell(here, direction))
    fresh = ir.both(
        ir.ge(there, 0),
        passable(there),
        ir.eq(ir.load(far, there), world.cells),
        ir.ne(there, start),
    )
    once = "each cell is queued once"
    farther = ir.claim(ir.add(ir.load(far, here), ir.const(1)), 0, world.cells, once)
    found: ir.Block = [
        ir.Store(far, there, farther),
        ir.Store(queue, ir.claim(last, 0, world.cells - 1, once), there),
        ir.Let(tail, ir.claim(ir.add(last, ir.const(1)), 0, world.cells, once)),
    ]
    body.block.extend(ir.when(fresh, found))
    outer.emit(ir.For(direction.name, ir.const(0), ir.const(4), body.block))
    going: ir.Expr = ir.Op("<", (first, last), "bool", 0, 1)
    if aimed:
        going = ir.both(going, ir.eq(ir.load(far, ir.Local("aim", "int", 0, world.cells - 1)), world.cells))
    ctx.emit(ir.While(going, outer.block))


@computes("path_distance")
def _path_distance(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 2:
        return wrong_arguments(ctx, node)
    first, second = place_of(ctx, node.arguments[0]), place_of(ctx, node.arguments[1])
    if first is None or second is None:
        return None
    world, writer = ctx.world, ctx.writer
    aimed = not _is_each_cell(ctx, node.arguments[0])
    name = _search(ctx, node.avoiding, aimed)
    far = writer.scratch("PATH_DISTANCE", world.cells, 0, world.cells)
    target = ctx.let("target", first)
    source = ctx.let("source", second)
    result = ctx.variable("path", ir.const(world.cells), 0, world.cells)
    given = (source, target) if aimed else (source,)
    inner: ir.Block = [ir.Do(ir.call(name, *given)), ir.Let(result.name, ir.load(far, target))]
    ctx.block.extend(ir.when(ir.both(ir.ge(target, 0), ir.ge(source, 0)), inner))
    return Value(NUMBER, result)


def _is_each_cell(ctx: Context, node: Any) -> bool:
    """Whether a distance is asked of one cell after another: then one search from the other place does for all."""
    if not isinstance(node, n.Name):
        return False
    bound = ctx.scope.get(node.name)
    return node.name == "here" or (isinstance(bound, Ref) and bound.category == "tile")


def search_from(ctx: Context, start: ir.Expr, avoiding: Any) -> None:
    """Emit the search that `path_to` reads, from a cell."""
    ctx.emit(ir.Do(ir.call(_search(ctx, avoiding, aimed=False), start)))


def path_to(ctx: Context, cell: ir.Expr, start: ir.Expr) -> ir.Expr:
    """Return how many steps it is from a start to a cell, whatever stands at either end, after `search_from`.

    What is solid is on the way of others, and is itself one step behind the nearest cell beside it.
    """
    world, writer = ctx.world, ctx.writer
    far = writer.scratch("PATH_DISTANCE", world.cells, 0, world.cells)
    least = ctx.variable("path", ir.const(world.cells), 0, world.cells)
    direction = ir.Local(ctx.names.fresh("d"), "int", 0, 3)
    body = ctx.inner()
    beside = body.let("beside", writer.next_cell(ir.within(cell, 0, world.cells - 1), direction))
    known = ir.within(beside, 0, world.cells - 1)
    inner = body.inner()
    there = inner.let("there", ir.least((ir.add(ir.load(far, known), ir.const(1)), ir.const(world.cells))))
    inner.block.extend(ir.when(ir.Op("<", (there, least), "bool", 0, 1), [ir.Let(least.name, there)]))
    body.block.extend(ir.when(ir.ge(beside, 0), inner.block))
    loop = ir.For(direction.name, ir.const(0), ir.const(4), body.block)
    at_start = ir.eq(cell, start)
    ctx.emit(ir.If(at_start, [ir.Let(least.name, ir.const(0))], ir.when(ir.ge(cell, 0), [loop])))
    return least


def flood(ctx: Context, node: Any) -> None:
    """Emit the search that `reachable` reads."""
    start = place_of(ctx, node)
    if start is None:
        return
    start = ctx.let("source", start)
    name = _search(ctx, None, aimed=False)
    ctx.block.extend(ir.when(ir.ge(start, 0), [ir.Do(ir.call(name, start))]))


def reachable(ctx: Context, node: Any, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell can be walked to from a place, after `flood` of it."""
    far = ctx.writer.scratch("PATH_DISTANCE", ctx.world.cells, 0, ctx.world.cells)
    return ir.lt(ir.load(far, cell), ctx.world.cells)
