"""Physics: what is solid, what is opaque, where a thing can stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from griddsl.diagnostics import Help, did_you_mean
from griddsl.lowering.clauses.attributes import attribute_expr
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import condition, evaluate_whole, odd
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import TRUTH, Ref, Value
from griddsl.lowering.world.world import World, domain_type
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

FEW_AGENTS = 4  # so many are asked one by one, where they stand


def guard(ctx: Context, ref: Ref, which: str) -> ir.Expr:
    """Return whether a thing is ``solid``, ``opaque`` or ``pushable`` now."""
    declared = ref.kind.condition_of(which)
    if declared is None:
        return ir.FALSE
    if declared.condition is None:
        return ir.TRUE
    where = f"`{which} {declared.word}` of `{ref.kind.name}`"
    inner = ctx.inner(scope={**ctx.scope, ref.kind.name: ref}, self_ref=ref, where=where)
    asked = {node.name for node in walk(declared.condition) if isinstance(node, n.Name)}
    for name, attribute in ref.kind.attributes.items():
        if name in asked and is_unknown(inner, name):
            inner.bind(name, Value(domain_type(attribute.domain), attribute_expr(inner, ref, name)))
    if (word := _undeclared(inner, ref, declared.condition)) is not None:
        _report_undeclared(inner, ref, declared, word)
        return ir.FALSE
    test = _guard_condition(inner, ref, declared.condition)
    ctx.block.extend(inner.block)
    return ir.invert(test) if declared.word == "unless" else test


def _undeclared(ctx: Context, ref: Ref, node: n.Expression) -> n.Name | None:
    """Return a word of a condition that stands alone, as what a thing is does, and that nothing declares."""
    if isinstance(node, n.Logic):
        return next((word for each in node.values if (word := _undeclared(ctx, ref, each)) is not None), None)
    if isinstance(node, n.Not):
        return _undeclared(ctx, ref, node.value)
    if not isinstance(node, n.Name) or node.name in ref.kind.attributes:
        return None
    return node if is_unknown(ctx, node.name) else None


def _report_undeclared(ctx: Context, ref: Ref, declared: n.Guarded, word: n.Name) -> None:
    """Report such a word: one of the kind's own that is misspelt, or an attribute that it does not have yet."""
    if word.name in ctx.writer.notes.reported:
        return
    ctx.writer.notes.reported.add(word.name)
    own = {each for attribute in ref.kind.attributes.values() for each in attribute.domain.words}
    own |= {name for name, attribute in ref.kind.attributes.items() if attribute.domain.form == "bool"}
    stored = {each.name for each in ctx.writer.variables.values() if each.type == TRUTH}
    attribute = f"{word.name} in false | true"
    end = replace(declared.span, start=declared.span.end)
    line = f"declare it as an attribute of `{ref.kind.name}`: add `{attribute}`"
    rewrites = () if declared.span.source.is_toml else (f", {attribute}",)
    help = did_you_mean(word.name, own | stored) or Help(line, rewrites, place=end)
    ctx.error("unknown-name", word.span, where=ctx.where, name=word.name, help=help)


def _guard_condition(ctx: Context, ref: Ref, node: n.Expression) -> ir.Expr:
    """A bare word of the kind's own attributes means that the thing is that."""
    if isinstance(node, n.Name):
        for name, attribute in ref.kind.attributes.items():
            if node.name in attribute.domain.words:
                return ir.eq(attribute_expr(ctx, ref, name), attribute.domain.words.index(node.name))
            if node.name == name and attribute.domain.form == "bool":
                return attribute_expr(ctx, ref, name)
    if isinstance(node, n.Logic):
        tests = [_guard_condition(ctx, ref, value) for value in node.values]
        return {"and": ir.both, "or": ir.either, "xor": odd}[node.operator](*tests)
    if isinstance(node, n.Not):
        return ir.invert(_guard_condition(ctx, ref, node.value))
    return condition(ctx, node)


def is_conditional(kind: Kind, which: str) -> bool:
    """Whether a kind is ``solid`` (or ``opaque``, ``pushable``) only under a condition."""
    declared = kind.condition_of(which)
    return declared is not None and declared.condition is not None


def blocks(ctx: Context, cell: ir.Expr, which: str) -> ir.Expr:
    """Return whether something in a cell is ``solid`` (or ``opaque``): its tile, or an object."""
    world, writer = ctx.world, ctx.writer
    conditional = any(is_conditional(kind, which) for kind in world.kinds.values())
    objects = [kind for kind in world.object_kinds() if getattr(kind, which) is not None]
    if not conditional and not objects:
        return tile_blocks(writer, cell, which)
    name = f"{which}_at"
    if name not in writer.functions:
        _define_blocks(writer, which, name)
    return ir.call(name, cell, type="bool", low=0, high=1)


def blocks_of_many(ctx: Context, cell: ir.Expr, which: str) -> ir.Expr:
    """Return what `blocks` does, for who asks it of cell after cell: most have no object, and want no call."""
    world, writer = ctx.world, ctx.writer
    found = blocks(ctx, cell, which)
    if not isinstance(found, ir.Call) or any(is_conditional(kind, which) for kind in world.tile_kinds()):
        return found
    layers = {kind.layer: None for kind in world.object_kinds() if getattr(kind, which) is not None}
    things = [ir.ge(ir.load(writer.layer_slot(layer), cell), 0) for layer in layers]
    return ir.either(tile_blocks(writer, cell, which), ir.both(ir.either(*things), found))


def may_be_kept_out(writer: Writer) -> bool:
    """Whether something that cannot be pushed may keep agents out of a cell in which something pushable lies."""
    world = writer.world
    tiles, objects = world.tile_kinds(), world.object_kinds()
    if writer.facts.dynamic_tiles or any(
        kind.one_way is not None or is_conditional(kind, "solid") for kind in tiles
    ):
        return True
    solid = {kind.code for kind in tiles if kind.solid is not None}
    drawn = any(level.tiles[thing.cell] in solid for level in world.levels for thing in level.objects)
    return drawn or any(_is_fixed(kind) for kind in objects)


def kept_out(ctx: Context, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
    """Return whether agents are kept out of a cell by what nobody pushes: ground, or an object that is solid."""
    writer, name = ctx.writer, "fixed_at"
    if name not in writer.functions:
        _define_blocks(writer, "solid", name, "Whether something solid is in a cell that cannot be pushed.")
    fixed = ir.call(name, cell, type="bool", low=0, high=1)
    return ir.either(fixed, ir.invert(one_way_allows(ctx, cell, direction)))


def _is_fixed(kind: Kind) -> bool:
    return kind.category == "object" and kind.solid is not None and not kind.pushable


def tile_blocks(writer: Writer, cell: ir.Expr, which: str) -> ir.Expr:
    """Return whether the tile of a cell is ``solid`` (or ``opaque``), where that does not hang on a condition."""
    world = writer.world
    kinds = {kind: int(getattr(kind, which) is not None) for kind in world.tile_kinds()}
    if writer.facts.dynamic_tiles:
        listed = writer.kind_table(which.upper(), kinds)
        return ir.eq(ir.lookup(listed, writer.tile_at(cell)), 1)
    codes = np.zeros(len(world.kinds), dtype=np.int64)
    for kind, value in kinds.items():
        codes[kind.code] = value
    flags = codes[world.levels[0].tiles]
    return ir.eq(ir.lookup(writer.table(f"{which.upper()}_CELL", flags), cell), 1)


def _define_blocks(writer: Writer, which: str, name: str, doc: str | None = None) -> None:
    """Define whether something in a cell is solid or opaque; what is pushable counts by the plain name alone."""
    world = writer.world
    ctx = new_function(writer, "rule", name, "cell")
    said = doc or f"Whether something in a cell is {which}."
    writer.functions[name] = ir.function(name, ("cell",), ctx.block, said)
    cell = ir.Local("cell", "int", 0, world.cells - 1)
    plain = [
        kind
        for kind in world.tile_kinds()
        if getattr(kind, which) is not None and not is_conditional(kind, which)
    ]
    flags = writer.kind_table(which.upper(), dict.fromkeys(plain, 1))
    tile = ctx.let("tile", writer.tile_at(cell))
    ctx.block.extend(ir.when(ir.eq(ir.lookup(flags, tile), 1), [ir.Return((ir.TRUE,))]))
    for kind in world.tile_kinds():
        if is_conditional(kind, which):
            inner = ctx.inner()
            test = guard(inner, Ref(kind, cell), which)
            inner.block.extend(ir.when(test, [ir.Return((ir.TRUE,))]))
            ctx.block.extend(ir.when(ir.eq(tile, kind.code), inner.block))
    for layer in world.layers:
        members = [
            kind for kind in world.object_kinds() if kind.layer == layer and getattr(kind, which) is not None
        ]
        if name == "fixed_at":
            members = [kind for kind in members if not kind.pushable]
        if not members:
            continue
        thing = ctx.let("thing", ir.load(writer.layer_slot(layer), cell))
        inner = ctx.inner()
        kind_code = inner.let("kind", ir.load(writer.object_kind, thing))
        for kind in members:
            deeper = inner.inner()
            test = guard(deeper, Ref(kind, thing), which)
            deeper.block.extend(ir.when(test, [ir.Return((ir.TRUE,))]))
            inner.block.extend(ir.when(ir.eq(kind_code, kind.code), deeper.block))
        ctx.block.extend(ir.when(ir.ge(thing, 0), inner.block))
    ctx.emit(ir.Return((ir.FALSE,)))


def one_way_allows(ctx: Context, cell: ir.Expr, direction: ir.Expr) -> ir.Expr:
    """Return whether the tile of a cell may be entered by moving in this direction."""
    world, writer = ctx.world, ctx.writer
    ways = {kind: kind.one_way for kind in world.tile_kinds() if kind.one_way is not None}
    if not ways:
        return ir.TRUE
    listed = writer.kind_table("ONE_WAY", ways, -1)
    way = ir.lookup(listed, writer.tile_at(cell))
    if cell.low < 0:
        way = ir.select(ir.ge(cell, 0), way, ir.const(-1))
    way = ctx.let("way", way)
    return ir.either(ir.lt(way, 0), ir.eq(way, direction))


def free_for_object(ctx: Context, cell: ir.Expr, layer: str) -> ir.Expr:
    """Return whether an object can be put into a cell: nothing solid there, its layer empty."""
    world, writer = ctx.world, ctx.writer
    empty = ir.lt(ir.load(writer.layer_slot(layer), cell), 0)
    others = [kind for kind in world.object_kinds() if kind.solid is not None and kind.layer != layer]
    if others or any(is_conditional(kind, "solid") for kind in world.tile_kinds()):
        return ir.both(empty, ir.invert(blocks(ctx, cell, "solid")))
    return ir.both(empty, ir.invert(tile_blocks(writer, cell, "solid")))


def agent_at(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return whether an agent stands in a cell."""
    world, writer = ctx.world, ctx.writer
    if world.nowhere:
        return ir.FALSE
    if len(world.agents) <= FEW_AGENTS:
        there = ctx.let("there", cell)
        numbers = [ir.const(number) for number in range(len(world.agents))]
        return ir.either(
            *(ir.both(ir.eq(ir.load(writer.agent_cell, k), there), writer.is_in(k)) for k in numbers)
        )
    if "agent_at" not in writer.functions:
        inner = new_function(writer, "rule", "agent_at", "cell")
        writer.functions["agent_at"] = ir.function(
            "agent_at", ("cell",), inner.block, "Whether an agent stands in a cell."
        )
        wanted = ir.Local("cell", "int", -1, world.cells - 1)
        index = ir.Local("i", "int", 0, len(world.agents) - 1)
        here = ir.both(ir.eq(ir.load(writer.agent_cell, index), wanted), writer.is_in(index))
        found = inner.variable("found", ir.FALSE, 0, 1)
        inner.emit(ir.any_of(found)("i", ir.const(0), ir.const(len(world.agents)), ir.when(here, [ir.Hit()])))
        inner.emit(ir.Return((found,)))
    return ir.call("agent_at", cell, type="bool", low=0, high=1)


def drift_amount(world: World, kind: Kind, ctx: Context) -> ir.Expr:
    """Return by how many cells a tile drifts a move that is made from it; equal chances where it has several."""
    assert kind.drift is not None
    amounts = [evaluate_whole(ctx, value) or ir.const(0) for value in kind.drift[1]]
    if len(amounts) == 1:
        return amounts[0]
    which = ctx.let("gust", ir.drawn(ir.const(len(amounts)), len(amounts) - 1))
    chosen = amounts[-1]
    for index in range(len(amounts) - 2, -1, -1):
        chosen = ir.select(ir.eq(which, index), amounts[index], chosen)
    return chosen
