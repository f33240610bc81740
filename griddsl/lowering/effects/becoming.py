"""Becoming: ``becomes``, by which a thing gets another value of its own, or turns into another kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.attributes import forgotten_attributes
from griddsl.lowering.clauses.carrying import (
    contents_slot,
    empty_hands,
    forgotten,
    released,
    spill,
)
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    converted,
    evaluate,
    names_of,
)
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.effects.assigning import assign_attribute, assign_variable, set_if_still, variable_of
from griddsl.lowering.effects.given import asked_before
from griddsl.lowering.effects.making import are_kinds, creatures_come, put_object, set_attributes, waits_slot
from griddsl.lowering.effects.relocation import remove_thing
from griddsl.lowering.rules.performing import by_sort, performs, when_there
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.values import CELL, Ref, Value, Words
from griddsl.lowering.world.world import domain_type
from griddsl.program import ir
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def _changes_ground(effect: n.Becomes, spec: GridSpec, kinds: Mapping[str, Kind]) -> bool:
    """Whether the tile of a cell may be another afterwards: a tile becomes another, or an object makes way for one."""
    if isinstance(effect.target, n.Attribute):
        return False
    named = kinds_named(spec, kinds, effect.target)
    if named is None:
        return bool(_names_meant(spec, effect.value) & set(kinds))
    return any(_may_cover(spec, kinds, effect.value, kinds[name]) for name in named)


def _may_cover(spec: GridSpec, kinds: Mapping[str, Kind], value: n.Expression, kind: Kind) -> bool:
    if kind.category == "agent":
        return False
    if kind.category == "tile":
        return not _is_word_of(value, kind)
    return _gives_a_tile(spec, kinds, value, kind)


def _gives_a_tile(spec: GridSpec, kinds: Mapping[str, Kind], value: n.Expression, kind: Kind) -> bool:
    """Whether what an object becomes can be a tile: one that is named, or one that is chosen."""
    words = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    named = _names_meant(spec, value, words)
    return any(name in kinds and kinds[name].category == "tile" for name in named)


def _names_meant(spec: GridSpec, value: n.Expression, words: Collection[str] = ()) -> set[str]:
    """Return the names that a value is given by: its own, and those that can be chosen for them."""
    named = {node.name for node in walk(value) if isinstance(node, n.KindName)} - set(words)
    for node in walk(spec.blocks):
        if isinstance(node, n.Choose) and named & set(node.names):
            named |= {part.name for part in walk(node.domain) if isinstance(part, n.Name)}
        elif isinstance(node, n.Let) and node.name in named:
            named |= {part.name for part in walk(node.value) if isinstance(part, n.Name)}
    for declared in (*spec.variables, *spec.params):
        if declared.name in named:
            named |= {part.name for part in walk(declared.domain) if isinstance(part, n.Name)}
    return named


def _is_word_of(node: n.Expression, kind: Kind) -> bool:
    words = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    return isinstance(node, n.Name) and node.name in words


BECOMES: Traits[n.Becomes] = Traits(
    changes=True,
    makes=lambda effect: effect.value,
    sets=lambda effect: effect.target,
    gives=lambda effect: effect.value,
    loses=lambda effect: not isinstance(effect.target, n.Attribute),
    grounds=_changes_ground,
)


@performs(n.Becomes, BECOMES)
def _becomes(ctx: Context, effect: n.Becomes) -> None:
    variable = variable_of(ctx, effect.target)
    if variable is not None:
        if variable.type == CELL and (there := _of_what_is_there(ctx, effect)) is not None:
            ctx.error("type", effect.target.span, found="a cell", expected="a thing", help=there)
            return
        assign_variable(ctx, variable, "=", effect.value, effect.span)
        return
    if isinstance(effect.target, n.Attribute):
        assign_attribute(ctx, effect.target, "=", effect.value, effect.span)
        return
    ref = resolve_thing(ctx, effect.target)
    if ref is not None:
        when_there(ctx, ref, lambda inner, there: _thing_becomes(inner, there, effect))


def _of_what_is_there(ctx: Context, effect: n.Becomes) -> Help | None:
    """Return what a cell is mistaken for that takes a word: a tile of setup, whose word what lies there takes."""
    target, word = effect.target, effect.value
    if not isinstance(target, n.Name) or not isinstance(word, n.Name):
        return None
    if word.name in {*ctx.scope, *ctx.writer.variables}:
        return None
    for kind in ctx.world.kinds.values():
        states = {name for name, each in kind.attributes.items() if each.domain.form == "bool"}
        if kind.category == "tile" and (_is_word_of(word, kind) or word.name in states):
            loop = f"each {kind.name} where {kind.name} at {target.name}: {kind.name} becomes {word.name}"
            return write(loop, f": `{target.name}` is a cell", place=effect.span)
    return None


def _thing_becomes(ctx: Context, ref: Ref, effect: n.Becomes) -> None:
    value = effect.value
    kind = ref.kind
    if isinstance(value, n.Name) and value.name not in ctx.scope:
        holders = [name for name, a in kind.attributes.items() if value.name in a.domain.words]
        if len(holders) > 1:
            help = "say which: " + " or ".join(
                f"`{kind.name}.{name} becomes {value.name}`" for name in holders
            )
            ctx.error("ambiguous", value.span, name=value.name, count=len(holders), help=help)
            return
        if holders:
            words = kind.attributes[holders[0]].domain.words
            set_if_still(ctx, ref, holders[0], ir.const(words.index(value.name)))
            return
        if value.name in kind.attributes and kind.attributes[value.name].domain.form == "bool":
            set_if_still(ctx, ref, value.name, ir.const(1))
            return
    if isinstance(value, n.KindName) and value.name in ctx.world.kinds:
        _change_kind(ctx, ref, ctx.world.kinds[value.name], value)
        return
    if isinstance(value, n.Not) and isinstance(value.value, n.Name):
        undone = kind.attributes.get(value.value.name)
        if undone is not None and undone.domain.form == "bool":
            help = write(f"{kind.name}.{value.value.name} = false", place=effect.span)
            ctx.error(
                "type", value.span, found="`not`", expected=f"a word of `{kind.name}`, or a kind", help=help
            )
            return
    if isinstance(value, n.Name) and is_unknown(ctx, value.name):
        meant: str | None = _near_by(kind, value.name) or _lacking(ctx, kind, value.name)
        if meant is not None:
            ctx.error("unknown-name", value.span, where=ctx.where, name=value.name, help=meant)
            return
    given = evaluate(ctx, value)
    if given is None:
        return
    if isinstance(given.type, Words):
        for name, attribute in kind.attributes.items():
            if set(given.type.words) <= set(attribute.domain.words):
                code = converted(ctx, given, domain_type(attribute.domain), value.span)
                if code is not None:
                    set_if_still(ctx, ref, name, code)
                return
    if are_kinds(ctx.world, given):
        _become_one_of(ctx, ref, given)
        return
    ctx.error(
        "type",
        value.span,
        found=str(given.type),
        expected=f"a word of `{kind.name}`, or a kind",
        help=_word_meant(ctx, kind, effect),
    )


def _word_meant(ctx: Context, kind: Kind, effect: n.Becomes) -> str | None:
    """Return what takes a word that a kind has not: the only variable that has it; else the kind's own words."""
    word = effect.value.name if isinstance(effect.value, n.Name) else None
    stored = ctx.writer.variables.values()
    holders = [each.name for each in stored if each.domain is not None and word in each.domain.words]
    if len(holders) == 1:
        return write(f"{holders[0]} becomes {word}", place=effect.span)
    own_words = [each for has in kind.attributes.values() for each in has.domain.words]
    return f"its words: {', '.join(own_words)}" if own_words else None


def _near_by(kind: Kind, name: str) -> Help | None:
    """Return which word of a kind, or attribute of true and false, is near a name that means nothing."""
    states = [each for each, has in kind.attributes.items() if has.domain.form == "bool"]
    return did_you_mean(
        name, [*states, *(word for has in kind.attributes.values() for word in has.domain.words)]
    )


def _lacking(ctx: Context, kind: Kind, name: str) -> str | None:
    """Return how a kind would come to have a word, where no other kind is near it."""
    if did_you_mean(name, [*ctx.world.kinds, *ctx.writer.variables]) is not None:
        return None
    declared = kind.category if kind.name == kind.category else f"{kind.category} {kind.name}"
    words = [each for has in kind.attributes.values() for each in has.domain.words]
    if words:
        return f"its words: {listing(words, 'and', 12)}"
    return f"what it can become, it declares: `{declared}: state in {name} | other`; or it is another kind"


def _become_one_of(ctx: Context, ref: Ref, given: Value) -> None:
    for index, name in enumerate(names_of(given.type)):
        inner = ctx.inner()
        _change_kind(inner, ref, ctx.world.kinds[name], n.Name(name, ctx.world.kinds[name].span))
        ctx.block.extend(ir.when(ir.eq(given.expr, index), inner.block))


def _change_kind(ctx: Context, ref: Ref, kind: Kind, node: n.Expression) -> None:
    """Let a tile become another tile, an object another object (or, if a tile's name, make way for it)."""
    world, writer = ctx.world, ctx.writer
    if ref.category == "agent" or kind.category == "agent":
        help = (
            "an agent stays what it is: an attribute of it can say what changes"
            if ref.category == "agent"
            else None
        )
        ctx.error(
            "type", node.span, found=f"`{kind.name}`", expected=f"another kind of {ref.category}", help=help
        )
        return
    node = asked_before(ctx, kind, node)
    if ref.category == "tile":
        if kind.category != "tile":
            cell = ctx.let("cell", ref.index)
            ctx.emit(ir.Store(writer.tile_slot, cell, ir.const(world.kinds["floor"].code)))
            ctx.emit(*forgotten_attributes(writer, "tile", cell))
            put_object(ctx, kind, cell, dict(node.arguments) if isinstance(node, n.Pattern) else {})
            return
        ctx.emit(ir.Store(writer.tile_slot, ref.index, ir.const(kind.code)))
        set_attributes(ctx, Ref(kind, ref.index), node)
        return
    by_sort(ctx, ref, lambda inner, there: _object_becomes(inner, there, kind, node))


def _object_becomes(ctx: Context, ref: Ref, kind: Kind, node: n.Expression) -> None:
    writer = ctx.writer
    if kind.category == "tile":
        cell = ctx.let("cell", cell_of(ctx, ref))
        remove_thing(ctx, ref)
        if kind.name != "floor":
            inner = ctx.inner()
            inner.emit(ir.Store(writer.tile_slot, cell, ir.const(kind.code)))
            set_attributes(inner, Ref(kind, cell), node)
            ctx.block.extend(ir.when(ir.ge(cell, 0), inner.block))
        return
    inner = ctx.inner()
    _become_object(inner, ref, kind, node)
    # What is gone becomes nothing: it would be back, to be sent to a cell.
    left = ir.ge(ir.load(writer.object_kind, ref.index), 0) if ctx.after_changes else ir.TRUE
    ctx.block.extend(ir.when(ir.both(ir.ge(ref.index, 0), left), inner.block))


def _become_object(ctx: Context, ref: Ref, kind: Kind, node: n.Expression) -> None:
    """Let an object become one of another kind, on that one's layer, where that is free."""
    world, writer = ctx.world, ctx.writer
    if ctx.kept and isinstance(node, n.Pattern) and "carries" in dict(node.arguments):
        # What it carries comes to be meanwhile, after which the name that it has is looked at anew.
        whole = ctx.variable("whole", ref.index, 0, ref.index.high)
        ref = replace(ref, index=whole)
    cell = ctx.let("cell", cell_of(ctx, ref))
    changed = ctx.inner()
    if kind.layer != ref.kind.layer:
        moved: ir.Block = [
            ir.Store(writer.layer_slot(ref.kind.layer), cell, ir.const(-1)),
            ir.Store(writer.layer_slot(kind.layer), cell, ref.index),
        ]
        changed.emit(ir.If(ir.ge(cell, 0), moved, []))
    changed.emit(ir.Store(writer.object_kind, ref.index, ir.const(kind.code)))
    if kind.moves is not None and ref.kind.moves is None and creatures_come(world):
        changed.emit(ir.Store(waits_slot(writer), ref.index, ir.const(1)))
    if kind.carries and not ref.kind.carries:
        empty_hands(changed, Ref(kind, ref.index))
    changed.emit(*forgotten_attributes(writer, "object", ref.index, kind.attributes))
    set_attributes(changed, Ref(kind, ref.index), node)
    if ref.kind.carries and not kind.carries:
        _make_way(changed, Ref(kind, ref.index), ref)
    free: ir.Expr = ir.TRUE
    if kind.layer != ref.kind.layer:
        free = ir.either(ir.lt(cell, 0), ir.lt(ir.load(writer.layer_slot(kind.layer), cell), 0))
    ctx.block.extend(ir.when(free, changed.block))


def _make_way(ctx: Context, ref: Ref, holder: Ref) -> None:
    """Let what a holder carried take the place of what it became; that stays where both find room."""
    writer = ctx.writer
    slot, most = contents_slot(writer)
    first = holder.index if most == 1 else ir.mul(holder.index, ir.const(most))
    cell = ctx.let("cell", cell_of(ctx, ref))
    layer = writer.layer_slot(ref.kind.layer)
    full = ctx.inner()
    hand = full.variable("hand", ir.const(-1), -1, ir.UNBOUNDED)
    on_map: ir.Block = [ir.Store(layer, cell, ir.const(-1))]
    full.emit(ir.If(ir.ge(cell, 0), on_map, [ir.Let(hand.name, released(writer, ref.index))]))
    spill(full, holder, cell, hand)
    stays: ir.Block = [ir.Store(layer, cell, ref.index)]
    gone: ir.Block = [
        ir.Store(writer.object_cell, ref.index, ir.const(-1)),
        *forgotten(writer, ref.index),
    ]
    room = ir.both(ir.ge(cell, 0), ir.lt(ir.load(layer, cell), 0))
    full.block.extend(ir.when(room, stays, gone))
    ctx.block.extend(ir.when(ir.ge(ir.load(slot, first), 0), full.block))
