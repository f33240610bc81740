"""Values and positions: the entries of an observation that are numbers, words, flags and cells."""

from __future__ import annotations

import string
from collections.abc import Collection
from typing import TypeGuard

from griddsl.diagnostics import add, did_you_mean, listing
from griddsl.lowering.clauses.carrying import carried_kinds, first_carried
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.unknown.sights import sight_meant
from griddsl.lowering.clauses.whereabouts import cell_of, column, row, the_agent
from griddsl.lowering.rules.legality import write_mask
from griddsl.lowering.sight.entries import Entry, Worth, form_meant, onehot
from griddsl.lowering.sight.shown import is_cell, shows_nothing
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.missions import longest, names_in
from griddsl.lowering.world.values import CELL, NUMBER, Texts, Value, size_of
from griddsl.lowering.world.world import World, domain_range
from griddsl.program import ir
from griddsl.program.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space, Text
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import POSITION_FORMS
from griddsl.syntax.nodes import walk

BARE_WORDS = ("cell", "facing", "carrying", "text", "mission", "mask")
COUNTED_WORDS = ("cell", "facing", "carrying")
CHARACTERS = "".join(c for c in string.printable if c not in "\t\r\x0b\x0c")
LONGEST_TEXT = 512
LONGEST_WORD = 64
_LARGEST = 3.4e38  # a float32

# Positions


def position_entry(ctx: Context, item: n.ObserveItem) -> Entry | None:
    """Return the entry that shows where a thing is; None, with a diagnostic, for a form that there is not."""
    ref = None if item.value is None else resolve_thing(ctx, item.value)
    if ref is None:
        return None
    world = ctx.world
    form = item.form.name if item.form else "xy"
    cell = cell_of(ctx, ref)
    absent = cell.low < 0
    low = -1 if absent else 0
    width, height, cells = world.width, world.height, world.cells

    def pair(inner: Context) -> tuple[ir.Expr, ir.Expr]:
        here = inner.let("cell", cell)
        return column(inner, here), row(inner, here)

    def write_pair(inner: Context) -> None:
        for index, value in enumerate(pair(inner)):
            inner.emit(ir.Out(ir.const(index), value))

    def write_shifted(inner: Context) -> None:
        for index, (value, size) in enumerate(zip(pair(inner), (width, height), strict=True)):
            inner.emit(ir.Out(ir.const(index), ir.select(ir.lt(value, 0), ir.const(size), value)))

    def write_unit(inner: Context) -> None:
        for index, (value, size) in enumerate(zip(pair(inner), (width, height), strict=True)):
            share = ir.quotient(ir.real(value), ir.const(max(1, size - 1)))
            here = ir.select(ir.lt(value, 0), ir.Const(-1.0, "real"), share) if absent else share
            inner.emit(ir.Out(ir.const(index), here))

    def write_onehot(inner: Context) -> None:
        here = inner.let("cell", cell)
        k = ir.Local("k", "int", 0, cells - 1)
        inner.emit(ir.For("k", ir.const(0), ir.const(cells), [ir.Out(k, ir.Const(0.0, "real"))]))
        inner.block.extend(ir.when(ir.ge(here, 0), [ir.Out(here, ir.Const(1.0, "real"))]))

    match form:
        case "xy":
            return Entry(Box((low, low), (width - 1, height - 1), (2,), "int64"), "array", None, write_pair)
        case "multidiscrete":
            extra = 1 if absent else 0
            space = MultiDiscrete((width + extra, height + extra))
            return Entry(space, "array", None, write_shifted if absent else write_pair)
        case "cell":
            value = ir.select(ir.lt(cell, 0), ir.const(cells), cell) if absent else cell
            return Entry(Discrete(cells + (1 if absent else 0)), "value", lambda _: value)
        case "onehot":
            return Entry(Box(0.0, 1.0, (cells,), "float32"), "array", None, write_onehot)
        case "unit":
            unit_low = 0.0 if not absent else -1.0
            return Entry(Box(unit_low, 1.0, (2,), "float32"), "array", None, write_unit)
    assert item.form is not None
    help = did_you_mean(form, POSITION_FORMS) or f"forms: {listing(POSITION_FORMS, 'and')}"
    ctx.error("unknown-word", item.form.span.word(form), word=form, of="the forms of a position", help=help)
    return None


# Values


def value_entry(ctx: Context, item: n.ObserveItem) -> Entry | None:
    """Return the entry that shows a value, or one of the words of observations; None after a diagnostic."""
    node = item.value
    if is_word(node, ctx):
        return _formed_value(ctx, item) if item.form is not None else _bare_word(ctx, node)
    if shows_nothing(ctx, item, node):
        return None
    if item.form is not None:
        return _formed_value(ctx, item)
    if isinstance(node, n.Name) and (help := sight_meant(ctx, node.name)) is not None:
        ctx.error("unknown-name", node.span, where=ctx.where, name=node.name, help=help)
        return None
    if isinstance(node, n.Call) and node.name == "index":
        return _index(ctx, node)
    if isinstance(node, n.Call) and node.name == "flags":
        return _flags(ctx, node)
    found = None if node is None else scalar(ctx, node)
    if found is None:
        return None
    value, space = found
    if isinstance(space, Box):

        def write(inner: Context) -> None:
            inner.emit(ir.Out(ir.const(0), value(inner)))

        return Entry(space, "array", None, write)
    return Entry(space, "value", value)


def scalar(ctx: Context, node: n.Expression) -> tuple[Worth, Space] | None:
    """Return a value with its space: ``Discrete`` for what is counted, a ``Box`` for any other number."""
    inner = ctx.inner(scope=ctx.scope)
    if isinstance(node, n.Position) and not is_cell(inner, node):
        return None
    value = evaluate(inner, node)
    space = None if value is None else _space_of(inner, node, value)
    return None if value is None or space is None else (_later(inner, value.expr), space)


def _later(asked: Context, expr: ir.Expr) -> Worth:
    """Return what emits, where it is asked for, the statements that an expression needs, and returns it."""

    def worth(inner: Context) -> ir.Expr:
        inner.block.extend(asked.block)
        return expr

    return worth


def _space_of(ctx: Context, node: n.Expression, value: Value) -> Space | None:
    """Return the space of a value; a text has none, which is reported."""
    if isinstance(value.type, Texts) or value.type == CELL:
        if value.type == CELL:
            return Discrete(ctx.world.cells)
        ctx.error("type", node.span, found="a text", expected="a number, a word or a condition")
        return None
    if value.type != NUMBER:
        return Discrete(max(1, size_of(node, value)))
    if _is_counted(ctx, node) and value.expr.type == "int":
        first, last = _declared_range(ctx, node) or (int(value.expr.low), int(value.expr.high))
        if last < 2**31:
            return Discrete(last + 1) if first >= 0 else Discrete(last - first + 1, first)
    low, high = value.expr.low, value.expr.high
    far = ir.UNBOUNDED / 2
    least = float("-inf") if low <= -far else min(float(low), _LARGEST)
    most = float("inf") if high >= far else max(float(high), -_LARGEST)
    return Box(least, most, (1,), "float32")


def _declared_range(ctx: Context, node: n.Expression) -> tuple[int, int] | None:
    """Return the range of an attribute of a tile as it is declared: that of all values, not of those on the map."""
    if not isinstance(node, n.Attribute):
        return None
    ref = resolve_thing(ctx.inner(), node.owner)
    if ref is None or ref.category != "tile" or node.name not in ref.kind.attributes:
        return None
    return domain_range(ref.kind.attributes[node.name].domain)


def _is_counted(ctx: Context, node: n.Expression) -> bool:
    if isinstance(node, n.Name):
        return node.name in ctx.writer.variables or node.name in ctx.scope
    return isinstance(node, n.Attribute) and node.name not in {"x", "y"}


def _formed_value(ctx: Context, item: n.ObserveItem) -> Entry | None:
    assert item.form is not None
    form, node = item.form.name, item.value
    if form == "tokens" and isinstance(node, n.Name) and node.name == "mission":
        return _tokens(ctx, node.span)
    if form == "onehot" and _is_own_entry(node, ctx):
        entry = _bare_word(ctx, node) if isinstance(node, n.Name) else _index(ctx, node)
        if entry is not None and entry.value is not None and isinstance(entry.space, Discrete):
            return onehot(entry.space, entry.value)
        if entry is None:
            return None
    elif not _is_own_entry(node, ctx):
        found = None if node is None else scalar(ctx, node)
        if found is None:
            return None
        value, space = found
        if form == "onehot" and isinstance(space, Discrete):
            return onehot(space, value)
    ctx.error(
        "unknown-word",
        item.form.span,
        word=form,
        of="the forms of a value",
        help=form_meant(form, node.name if isinstance(node, n.Name) else ""),
    )
    return None


def _is_own_entry(node: n.Expression | None, ctx: Context) -> TypeGuard[n.Name | n.Call]:
    """Whether an item is one that no expression gives: a bare word such as ``facing``, or ``index``."""
    if isinstance(node, n.Call):
        return node.name == "index"
    return is_word(node, ctx)


def is_word(
    node: n.Expression | None, ctx: Context, words: Collection[str] = BARE_WORDS
) -> TypeGuard[n.Name]:
    """Whether a name is a word of observations: none that the spec itself gives to something."""
    world, writer = ctx.world, ctx.writer
    return (
        isinstance(node, n.Name)
        and node.name in words
        and not (node.name in writer.variables or node.name in world.params or node.name in ctx.scope)
    )


def _bare_word(ctx: Context, node: n.Name) -> Entry | None:
    world, writer = ctx.world, ctx.writer
    agent = the_agent(ctx, node.span)
    match node.name:
        case "cell":
            return Entry(Discrete(world.cells), "value", lambda _: cell_of(ctx, agent))
        case "facing":
            if not writer.facts.has_facing:
                ctx.error(
                    "no-facing",
                    node.span,
                    help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
                )
                return None
            return Entry(
                Discrete(8 if writer.facts.faces_diagonally else 4),
                "value",
                lambda _: ir.load(writer.facing, agent.index),
            )
        case "carrying":
            return _carrying(ctx, node)
        case "text":
            length = (2 * world.width + 2) * (2 * world.height + 1)
            return Entry(Text(length, CHARACTERS + _extra_glyphs(world)), "text")
        case "mission":
            return _mission(ctx, node)
        case "mask":
            role = next(
                each
                for each in world.roles
                if agent.kind in (each.kind, *(world.agents[i] for i in each.members))
            )
            space = Box(0, 1, (sum(group.size for group in role.groups),), "int8")
            return Entry(space, "array", None, lambda inner: write_mask(inner, role, agent))
    raise LookupError(f"the observation `{node.name}` has no entry")


def _extra_glyphs(world: World) -> str:
    glyphs = {item.glyph for item in world.spec.legend} | {"▲", "▶", "▼", "◀", "?"}
    return "".join(sorted(glyph for glyph in glyphs if glyph not in CHARACTERS))


def _has_mission(ctx: Context, span: Span) -> bool:
    """Whether there is a mission to show; that there is none is reported."""
    if ctx.world.spec.mission is not None:
        return True
    help = add('mission: "reach the goal"', ctx.world.spec.source)
    ctx.error("missing-statement", span, keyword="mission", help=help)
    return False


def _mission(ctx: Context, node: n.Name) -> Entry | None:
    if not _has_mission(ctx, node.span):
        return None
    return Entry(_mission_space(ctx.writer), "mission")


def _mission_space(writer: Writer) -> Text:
    """Return the space of all that the mission can read: its own characters, and those of what is chosen for it."""
    world, mission = writer.world, writer.mission or ""
    chosen = [node.value for node in walk(world.spec.preparing) if isinstance(node, n.Text)]
    texts = {name: each.type.texts for name, each in writer.variables.items() if isinstance(each.type, Texts)}
    chosen += [text for name in names_in(mission) for text in texts.get(name, ())]
    others = set(mission).union(*chosen) - set(CHARACTERS)
    most = longest(mission, texts, LONGEST_WORD)
    return Text(max(LONGEST_TEXT, most), CHARACTERS + "".join(sorted(others)))


def _tokens(ctx: Context, span: Span) -> Entry | None:
    if not _has_mission(ctx, span):
        return None
    return Entry(Box(0, 255, (LONGEST_TEXT,), "uint8"), "mission")


def _carrying(ctx: Context, node: n.Name) -> Entry | None:
    world, writer = ctx.world, ctx.writer
    kinds = carried_kinds(world)
    if not kinds:
        ctx.error(
            "unused-name", node.span, what="the observation", name="carrying", help="no object is portable"
        )
        return Entry(Discrete(1), "value", lambda _: ir.const(0))
    agent = the_agent(ctx, node.span)
    codes = writer.kind_table("CARRIED_CODE", {kind: index + 1 for index, kind in enumerate(kinds)})

    def value(inner: Context) -> ir.Expr:
        thing = first_carried(inner, agent.index)
        kind = ir.lookup(codes, ir.load(writer.object_kind, thing))
        return ir.select(ir.ge(thing, 0), kind, ir.const(0))

    return Entry(Discrete(len(kinds) + 1), "value", value)


def _index(ctx: Context, node: n.Call) -> Entry | None:
    parts: list[tuple[Worth, int]] = []
    for argument in node.arguments:
        found = _counted(ctx, argument)
        if found is None:
            return None
        parts.append(found)
    if not parts:
        ctx.error("wrong-arguments", node.span, name="index", expected="one value or more")
        return None
    total = 1
    for _, size in parts:
        total *= size
    if total > 2**31:
        ctx.error(
            "bad-value",
            node.span,
            reason=f"this index counts {total:,} values; at most 2,147,483,648 are allowed",
        )
        return None

    def value(inner: Context) -> ir.Expr:
        result: ir.Expr = ir.const(0)
        for digit_of, size in parts:
            digit = digit_of(inner)
            result = digit if result == ir.const(0) else ir.add(ir.mul(result, ir.const(size)), digit)
        return result

    return Entry(Discrete(total), "value", value)


def _counted(ctx: Context, node: n.Expression) -> tuple[Worth, int] | None:
    """Return what an entry of ``index`` counts from 0, and how many values it has."""
    inner = ctx.inner(scope=ctx.scope)
    if is_word(node, ctx, COUNTED_WORDS):
        entry = _bare_word(inner, node)
        if entry is None or entry.value is None or not isinstance(entry.space, Discrete):
            return None
        return entry.value, entry.space.size
    value = None if shows_nothing(ctx, None, node) else evaluate(inner, node)
    if value is None:
        return None
    first, last = 0, ctx.world.cells - 1
    if value.type == NUMBER:
        if value.expr.type == "real" or value.expr.high - value.expr.low > 2**31:
            ctx.error(
                "type",
                node.span,
                found="a number without a range",
                expected="a whole number of a small range, a word or a condition",
            )
            return None
        first, last = _declared_range(ctx, node) or (int(value.expr.low), int(value.expr.high))
        first = min(first, 0)
    elif value.type != CELL:
        last = size_of(node, value) - 1
    digit = ir.sub(ir.as_number(value.expr), ir.const(first))
    return _later(inner, digit), last - first + 1


def _flags(ctx: Context, node: n.Call) -> Entry | None:
    if not node.arguments:
        ctx.error("wrong-arguments", node.span, name="flags", expected="one condition or more")
        return None

    def write(inner: Context) -> None:
        for index, argument in enumerate(node.arguments):
            inner.emit(ir.Out(ir.const(index), ir.as_number(condition(inner, argument))))

    return Entry(MultiBinary(len(node.arguments)), "array", None, write)
