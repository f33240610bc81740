"""Paths: ``path_distance`` and ``reachable from``, by breadth-first search over what is not solid."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.functions import computes, wrong_arguments
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.clauses.physics import blocks_of_many
from griddsl.lowering.conditions.finding import found_in_cell, pattern_kind
from griddsl.lowering.world.values import NUMBER, Ref, Value
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def _search(ctx: Context, avoiding: n.Expression | None, aimed: bool) -> str:
    """Define the search, and return its name: it writes each cell's distance from a start.

    It writes ``width * height`` where there is no way. One that is ``aimed`` at a cell ends when it has come there,
    whatever stands in it.
    """
    writer = ctx.writer
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
    _flood(inner, lambda body, cell: _stops(body, cell, avoiding), aimed)
    return name


def _stops(ctx: Context, cell: ir.Expr, avoiding: n.Expression | None) -> ir.Expr:
    """Return whether no way leads into a cell: something in it is solid, or is to be avoided."""
    solid = blocks_of_many(ctx, cell, "solid")
    return solid if avoiding is None else ir.either(solid, is_avoided(ctx, cell, avoiding))


def is_avoided(ctx: Context, cell: ir.Expr, avoiding: n.Expression) -> ir.Expr:
    """Return whether a thing of a kind to be avoided, or of one of several, is in a cell."""
    match avoiding:
        case n.Logic("or", kinds):
            return ir.either(*(is_avoided(ctx, cell, each) for each in kinds))
        case n.Logic("and", (guard, kind)):
            return ir.both(condition(ctx, guard), is_avoided(ctx, cell, kind))
    found, attributes = pattern_kind(ctx, avoiding)
    return ir.FALSE if found is None else found_in_cell(ctx, cell, found, attributes, None)


def _unvisited(
    ctx: Context, stops: Callable[[Context, ir.Expr], ir.Expr], far: ir.Slot
) -> tuple[Callable[[ir.Expr], ir.Expr], ir.Slot | None]:
    """Return what tells whether a way leads into a cell that was not visited, and where visits are noted, if anywhere.

    What never changes is looked up, and what was visited has its distance; else what is passable is noted for all cells
    before, and no longer once it is visited.
    """
    cell = ir.Local(ctx.names.fresh("cell"), "int", 0, ctx.world.cells - 1)
    body = ctx.inner()
    stopped = stops(body, cell)
    if not body.block and not any(isinstance(part, ir.Call) for part in ir.parts(stopped)):

        def looked_up(there: ir.Expr) -> ir.Expr:
            return ir.both(ir.invert(stops(ctx.inner(), there)), ir.eq(ir.load(far, there), ctx.world.cells))

        return looked_up, None
    noted = ctx.writer.scratch("PASSABLE", ctx.world.cells)
    body.emit(ir.Store(noted, cell, ir.as_number(ir.invert(stopped))))
    ctx.emit(ir.For(cell.name, ir.const(0), ir.const(ctx.world.cells), body.block))
    return lambda there: ir.eq(ir.load(noted, there), 1), noted


def _flood(ctx: Context, stops: Callable[[Context, ir.Expr], ir.Expr], aimed: bool) -> None:
    world, writer = ctx.world, ctx.writer
    far = writer.scratch("PATH_DISTANCE", world.cells, 0, world.cells)
    unvisited, noted = _unvisited(ctx, stops, far)
    queue = writer.scratch("QUEUE", world.cells, 0, world.cells - 1)
    start = ir.Local("start", "int", 0, world.cells - 1)
    head, tail = ctx.names.fresh("head"), ctx.names.fresh("tail")
    first, last = ir.Local(head, "int", 0, world.cells), ir.Local(tail, "int", 0, world.cells)

    def visit(cell: ir.Expr) -> ir.Block:
        return [] if noted is None else [ir.Store(noted, cell, ir.const(0))]

    ctx.emit(
        ir.Fill(far, ir.const(world.cells)),
        ir.Store(far, start, ir.const(0)),
        ir.Store(queue, ir.const(0), start),
        *visit(start),
        ir.Let(head, ir.const(0)),
        ir.Let(tail, ir.const(1)),
    )
    outer = ctx.inner()
    here = outer.let("here", ir.load(queue, first))
    outer.emit(ir.Let(head, ir.add(first, ir.const(1))))
    direction = ir.Local(outer.names.fresh("d"), "int", 0, 3)
    body = outer.inner()
    there = body.let("there", writer.next_cell(here, direction))
    enters = unvisited(there)
    aim = ir.Local("aim", "int", 0, world.cells - 1)
    is_to_come = ir.eq(ir.load(far, aim), world.cells)
    if aimed:
        enters = ir.either(enters, ir.both(ir.eq(there, aim), is_to_come))
    fresh = ir.both(ir.ge(there, 0), enters)
    once = "each cell is queued once"
    farther = ir.claim(ir.add(ir.load(far, here), ir.const(1)), 0, world.cells, once)
    found: ir.Block = [
        *visit(there),
        ir.Store(far, there, farther),
        ir.Store(queue, ir.claim(last, 0, world.cells - 1, once), there),
        ir.Let(tail, ir.claim(ir.add(last, ir.const(1)), 0, world.cells, once)),
    ]
    body.block.extend(ir.when(fresh, found))
    outer.emit(ir.For(direction.name, ir.const(0), ir.const(4), body.block))
    going: ir.Expr = ir.Op("<", (first, last), "bool", 0, 1)
    if aimed:
        going = ir.both(going, is_to_come)
    ctx.emit(ir.While(going, outer.block))


@computes("path_distance")
def _path_distance(ctx: Context, node: n.Call) -> Value | None:
    if len(node.arguments) != 2:
        return wrong_arguments(ctx, node)
    first, second = place_of(ctx, node.arguments[0]), place_of(ctx, node.arguments[1])
    if first is None or second is None:
        return None
    world, writer = ctx.world, ctx.writer
    far = writer.scratch("PATH_DISTANCE", world.cells, 0, world.cells)
    target = ctx.let("target", first)
    source = ctx.let("source", second)
    result = ctx.variable("path", ir.const(world.cells), 0, world.cells)
    known = ctx.inner()
    if _changes_first(ctx, *node.arguments):
        _path_back(known, node.avoiding, target, source, result)
    else:
        aimed = not _is_each(ctx, node.arguments[0])
        given = (source, target) if aimed else (source,)
        known.emit(ir.Do(ir.call(_search(ctx, node.avoiding, aimed), *given)))
        known.emit(ir.Let(result.name, ir.load(far, target)))
        if not aimed:
            there = ctx.inner()
            there.emit(ir.Let(result.name, path_to(there, target, source)))
            known.block.extend(ir.when(ir.eq(result, world.cells), there.block))
    ctx.block.extend(ir.when(ir.both(ir.ge(target, 0), ir.ge(source, 0)), known.block))
    return Value(NUMBER, result)


def _path_back(
    ctx: Context, avoiding: n.Expression | None, target: ir.Expr, source: ir.Expr, result: ir.Local
) -> None:
    """Emit a distance by a search from its target: the way there is as long as the way back."""
    search_from(ctx, target, avoiding)
    ctx.emit(ir.Let(result.name, path_to(ctx, source, target)))


def _is_each(ctx: Context, node: n.Expression) -> bool:
    """Whether a distance is asked of one place after another: then one search from the other place does for all."""
    return _rank(ctx, node) > 0


def _changes_first(ctx: Context, target: n.Expression, source: n.Expression) -> bool:
    """Whether the source is another one each time, and the target the same for longer."""
    bound = ctx.scope.get(getattr(source, "name", ""))
    return isinstance(bound, Ref) and bound.category == "object" and _rank(ctx, source) > _rank(ctx, target)


def _rank(ctx: Context, node: n.Expression) -> int:
    """Return how deep inside of others the loop is that goes through the places of a name; 0 where none does."""
    if not isinstance(node, n.Name):
        return 0
    bound = ctx.scope.get(node.name)
    if node.name == "here":
        return len(ctx.scope) + 1
    if not isinstance(bound, Ref):
        return 0
    is_own = ctx.self_ref is not None and bound.index == ctx.self_ref.index
    goes_through = bound.category == "tile" or (bound.on_map and not is_own)
    return 1 + list(ctx.scope).index(node.name) if goes_through else 0


def search_from(ctx: Context, start: ir.Expr, avoiding: n.Expression | None) -> None:
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


def flood(ctx: Context, node: n.Expression) -> None:
    """Emit the search that `reachable` reads."""
    start = place_of(ctx, node)
    if start is None:
        return
    start = ctx.let("source", start)
    name = _search(ctx, None, aimed=False)
    ctx.block.extend(ir.when(ir.ge(start, 0), [ir.Do(ir.call(name, start))]))


def reachable(ctx: Context, node: n.Expression, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell can be walked to from a place, after `flood` of it."""
    far = ctx.writer.scratch("PATH_DISTANCE", ctx.world.cells, 0, ctx.world.cells)
    return ir.lt(ir.load(far, cell), ctx.world.cells)
