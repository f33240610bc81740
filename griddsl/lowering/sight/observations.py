"""Observations: the spaces, and a function of the program for each entry."""

from __future__ import annotations

import string
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeGuard

from griddsl.diagnostics import Help, add, did_you_mean, listing
from griddsl.lowering.clauses.carrying import carried_kinds, carried_slot
from griddsl.lowering.clauses.context import Context, define, new_function
from griddsl.lowering.clauses.legality import write_mask
from griddsl.lowering.clauses.meaning import condition, drawn, evaluate, evaluate_chance
from griddsl.lowering.clauses.things import cell_of, column, resolve_thing, row, the_agent
from griddsl.lowering.clauses.unknown import sight_meant
from griddsl.lowering.sight.seeing import grid_sight, sight_space, view_sight, write_sight
from griddsl.lowering.sight.sights import Sight
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.domains import constant_number
from griddsl.lowering.world.values import CELL, NUMBER, Texts, Value, size_of
from griddsl.lowering.world.world import Role, World, domain_range
from griddsl.program import ir
from griddsl.program.spaces import (
    Box,
    Discrete,
    Leaf,
    MultiBinary,
    MultiDiscrete,
    Observation,
    Space,
    Text,
    ViewInfo,
)
from griddsl.source import Span
from griddsl.spec.models import Observe
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

BARE_WORDS = ("cell", "facing", "carrying", "text", "mission", "mask")
COUNTED_WORDS = ("cell", "facing", "carrying")
POSITION_FORMS = ("xy", "multidiscrete", "cell", "onehot", "unit")
CHARACTERS = "".join(c for c in string.printable if c not in "\t\r\x0b\x0c")
LONGEST_TEXT = 512
LONGEST_WORD = 64
MOST_PIXELS = 64_000_000


Worth: TypeAlias = Callable[[Context], ir.Expr]  # what emits a value, once, where it is asked for


@dataclass(slots=True)
class Entry:
    """An observation entry before it is a function: its space and how it is computed.

    ``value`` gives a scalar; ``write`` writes an array; neither for what the adapter makes.
    """

    space: Space
    form: str
    value: Worth | None = None
    write: Callable[[Context], None] | None = None
    cell_pixels: int = 0
    view: ViewInfo | None = None


def read_observations(writer: Writer, role: Role) -> tuple[Observation, dict[str, Leaf]] | None:
    """Return what the agents of a role observe, and the entries of the goal (``achieved``, ``desired``) if any."""
    world = writer.world
    statements = {observe.name: observe for observe in world.spec.observe}
    own = statements.get(role.kind.name) if world.several else None
    main = own or statements.get(None) or statements.get("flat") or statements.get("tuple")
    is_known = _check_statements(writer, statements)
    if main is None:
        if is_known:  # a misspelt agent is mistake enough
            help = "such as `observe: cell` or `observe: grid`"
            writer.report.add("missing-statement", world.spec.place("observe"), keyword="observe", help=help)
        return None
    observation = _statement(writer, role, main)
    goal: dict[str, Leaf] = {}
    if "goal" in statements:
        if len(world.learners) > 1:
            help = "a goal of its own for each agent is not in the language"
            writer.report.add(
                "wrong-place",
                statements["goal"].span,
                what="`observe goal`",
                where="with several agents that learn",
                help=help,
            )
        else:
            goal = _goal(writer, role, statements["goal"])
    return None if observation is None else (observation, goal)


def _check_statements(writer: Writer, statements: dict[str | None, Observe]) -> bool:
    """Report statements for nobody, and two where one is right; return whether all are for somebody."""
    world = writer.world
    agents = {kind.name for kind in world.agents} if world.several else {"agent"}
    known = ["flat", "tuple", "goal", *agents]
    unknown = {name: observe for name, observe in statements.items() if name not in {None, *known}}
    for name, observe in unknown.items():
        if name not in writer.notes.reported:
            writer.notes.reported.add(str(name))
            writer.report.add(
                "unknown-name",
                observe.span,
                where="`observe`",
                name=name,
                help=did_you_mean(str(name), known),
            )
    forms = [name for name in (None, "flat", "tuple") if name in statements]
    if len(forms) > 1:
        other = statements[forms[1]]
        writer.report.add(
            "duplicate-statement",
            other.span,
            what="observe",
            help="one of `observe`, `observe flat`, `observe tuple`",
        )
    return not unknown


def _shows_kinds(item: n.ObserveItem) -> bool:
    """Whether what `seen as` says can be seen in an item."""
    shows = item.what in {"grid", "view"} and (item.form is None or item.form.name != "minigrid")
    return shows or (item.noise is not None and _shows_kinds(item.noise))


def _statement(writer: Writer, role: Role, observe: Observe) -> Observation | None:
    items = [item for item in observe.items if isinstance(item, n.ObserveItem)]
    seen = [item for item in observe.items if isinstance(item, n.SeenAs)]
    leaves: list[Leaf] = []
    if seen and items and not any(_shows_kinds(item) for item in items):
        where = "here: no grid or view of this statement shows kinds, codes or planes"
        help = "`as minigrid`, `pixels` and `text` show what is there; `grid as kinds` and the like show what seems"
        writer.report.add("wrong-place", seen[0].span, what="`seen as`", where=where, help=help)
    for item in items:
        leaf = _leaf(writer, role, item, len(leaves), seen, "observe")
        if leaf is not None:
            leaves.append(leaf)
    if not items:
        writer.report.add("missing-items", observe.span, what="observe")
        return None
    if observe.name in {"flat", "tuple"}:
        if observe.name == "flat":
            for item, leaf in zip(items, leaves, strict=False):
                if isinstance(leaf.space, Text):
                    writer.report.add("wrong-place", item.span, what="a text", where="in `observe flat`")
        return Observation(observe.name, tuple(leaves))
    named = [item for item in items if item.name is not None]
    if not named and len(items) == 1:
        return Observation("bare", tuple(leaves))
    if len(named) < len(items):
        first = next(item for item in items if item.name is None)
        line = f"name it: `{_suggested_name(first)} = {to_text(first)}`, or write `observe tuple:`"
        help = Help(line, ("observe tuple",) if not named else (), place=observe.span)
        writer.report.add(
            "syntax",
            first.span,
            found="an entry without a name",
            expected="`name = item`, where there are several",
            help=help,
        )
        return None
    names = [str(item.name) for item in items]
    for index, name in enumerate(names):
        if name in names[:index]:
            writer.report.add("duplicate-name", items[index].span, name=name)
    return Observation("dict", tuple(leaves))


def _suggested_name(item: n.ObserveItem) -> str:
    return item.value.name if isinstance(item.value, n.Name) else item.what


def _goal(writer: Writer, role: Role, observe: Observe) -> dict[str, Leaf]:
    found: dict[str, Leaf] = {}
    for item in observe.items:
        name = item.name if isinstance(item, n.ObserveItem) else None
        if name is None or isinstance(item, n.SeenAs) or name not in {"achieved", "desired"}:
            writer.report.add(
                "syntax", item.span, found="this entry", expected="`achieved = ...` and `desired = ...`"
            )
            continue
        leaf = _leaf(writer, role, item, 0 if name == "achieved" else 1, [], "goal")
        if leaf is not None:
            found[name] = leaf
    if len(found) == 1:
        missing = "desired" if "achieved" in found else "achieved"
        writer.report.add(
            "missing-items", observe.span, what=f"observe goal: {missing}", help=f"add `{missing} = ...`"
        )
        return {}
    return found


def _leaf(
    writer: Writer, role: Role, item: n.ObserveItem, index: int, seen: list[n.SeenAs], stem: str
) -> Leaf | None:
    parameters = writer.observing(role)
    ctx = new_function(writer, "observe", "`observe`", *parameters)
    ctx.self_ref = writer.observer(role)
    entry = _entry(ctx, item, seen)
    if entry is None:
        return None
    name = item.name or item.what
    if entry.value is None and entry.write is None:
        if item.noise is not None:
            ctx.error(
                "wrong-place",
                item.noise.span,
                what="noise",
                where=f"behind `{to_text(item).split(' with ')[0]}`",
            )
        return Leaf(name, entry.space, entry.form, "", entry.cell_pixels)
    if item.noise is not None and item.chance is not None:
        entry = _noisy(ctx, item, entry, seen)
        if entry is None:
            return None
    key = (stem, role.name, index) if parameters else (stem, index)
    doc = f"Observe {to_text(item)}."
    if entry.value is not None:
        ctx.emit(ir.Return((ir.as_number(entry.value(ctx)),)))
        define(writer, ctx, key, parameters, doc)
    elif entry.write is not None:
        entry.write(ctx)
        define(writer, ctx, key, parameters, doc, out=True)
    return Leaf(name, entry.space, entry.form, writer.function_name(key), view=entry.view)


def _noisy(ctx: Context, item: n.ObserveItem, entry: Entry, seen: list[n.SeenAs]) -> Entry | None:
    """Join an entry and its noise: one draw decides which is seen."""
    assert item.noise is not None
    noise = _entry(ctx, item.noise, seen)
    chance = evaluate_chance(ctx, item.chance)
    if noise is None or chance is None:
        return None
    space = _joint_space(entry, noise)
    if space is None:
        found, expected = (
            f"`{to_text(item.noise)}`",
            f"an entry of the same shape as `{to_text(item).split(' with ')[0]}`",
        )
        ctx.error("type", item.noise.span, found=found, expected=expected)
        return None
    seen_well = ctx.let("seen_well", drawn(ctx, chance))
    if entry.value is not None and noise.value is not None:
        first, second = entry.value, noise.value
        return Entry(space, entry.form, lambda inner: ir.select(seen_well, first(inner), second(inner)))
    write, write_noise = entry.write, noise.write
    assert write is not None and write_noise is not None

    def both(inner: Context) -> None:
        well, badly = inner.inner(), inner.inner()
        write(well)
        write_noise(badly)
        inner.block.extend(ir.when(seen_well, well.block, badly.block))

    return Entry(space, entry.form, None, both)


def _joint_space(entry: Entry, noise: Entry) -> Space | None:
    """Return the space in which both what is seen and its noise lie; None where they have different shapes."""
    if (noise.value is None) != (entry.value is None) or (noise.write is None) != (entry.write is None):
        return None
    match entry.space, noise.space:
        case Discrete(size, start), Discrete(other_size, other_start):
            first = min(start, other_start)
            return Discrete(max(start + size, other_start + other_size) - first, first)
        case Box(low, high, (1,), "float32"), Box(other_low, other_high, (1,), "float32"):
            ends = [end[0] if isinstance(end, tuple) else end for end in (low, other_low, high, other_high)]
            return Box(min(ends[:2]), max(ends[2:]), (1,), "float32")
    return entry.space if entry.space == noise.space else None


def _entry(ctx: Context, item: n.ObserveItem, seen: list[n.SeenAs]) -> Entry | None:
    match item.what:
        case "grid":
            return _sight_entry(ctx, item, grid_sight(ctx), seen)
        case "view":
            assert item.view is not None
            sight = view_sight(ctx, item.view)
            return None if sight is None else _sight_entry(ctx, item, sight, seen)
        case "pixels":
            return _pixels(ctx, item)
        case "position":
            return _position(ctx, item)
    return _value(ctx, item)


def _sight_entry(ctx: Context, item: n.ObserveItem, sight: Sight, seen: list[n.SeenAs]) -> Entry | None:
    space = sight_space(ctx, sight, item.form, seen)
    if space is None:
        return None
    view = None
    if sight.is_view:
        form = item.form.name if item.form else "kinds"
        turns = ctx.writer.facts.has_facing
        view = ViewInfo(sight.rows, sight.columns, sight.agent_row, sight.agent_column, form, turns)
    return Entry(space, "array", None, lambda inner: write_sight(inner, sight, item.form, seen), view=view)


def _pixels(ctx: Context, item: n.ObserveItem) -> Entry | None:
    world = ctx.world
    given = (
        Fraction(8)
        if item.value is None
        else constant_number(item.value, world.params, ctx.report, "the size")
    )
    if given is None:
        return None
    size = int(given)
    if given != size or not 1 <= size <= 256 or world.cells * size * size > MOST_PIXELS:
        ctx.error(
            "bad-value",
            item.span,
            reason="a cell has 1 to 256 pixels a side, and a picture at most 64 million",
        )
        return None
    shape = (world.height * size, world.width * size, 3)
    return Entry(Box(0, 255, shape, "uint8"), "pixels", cell_pixels=size)


# Positions


def _position(ctx: Context, item: n.ObserveItem) -> Entry | None:
    ref = resolve_thing(ctx, item.value)
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


def _value(ctx: Context, item: n.ObserveItem) -> Entry | None:
    node = item.value
    if item.form is not None:
        return _formed_value(ctx, item)
    if _is_word(node, ctx, BARE_WORDS):
        return _bare_word(ctx, node)
    if isinstance(node, n.Name) and (help := sight_meant(ctx, node.name)) is not None:
        ctx.error("unknown-name", node.span, where=ctx.where, name=node.name, help=help)
        return None
    if isinstance(node, n.Call) and node.name == "index":
        return _index(ctx, node)
    if isinstance(node, n.Call) and node.name == "flags":
        return _flags(ctx, node)
    found = _scalar(ctx, node)
    if found is None:
        return None
    value, space = found
    if isinstance(space, Box):

        def write(inner: Context) -> None:
            inner.emit(ir.Out(ir.const(0), value(inner)))

        return Entry(space, "array", None, write)
    return Entry(space, "value", value)


def _scalar(ctx: Context, node: Any) -> tuple[Worth, Space] | None:
    """Return a value with its space: ``Discrete`` for what is counted, a ``Box`` for any other number."""
    inner = ctx.inner(scope=ctx.scope)
    value = evaluate(inner, node)
    space = None if value is None else _space_of(inner, node, value)
    return None if value is None or space is None else (_later(inner, value.expr), space)


def _later(asked: Context, expr: ir.Expr) -> Worth:
    """Return what emits, where it is asked for, the statements that an expression needs, and returns it."""

    def worth(inner: Context) -> ir.Expr:
        inner.block.extend(asked.block)
        return expr

    return worth


def _space_of(ctx: Context, node: Any, value: Value) -> Space | None:
    """Return the space of a value; a text has none, which is reported."""
    if isinstance(value.type, Texts) or value.type == CELL:
        if value.type == CELL:
            return Discrete(ctx.world.cells)
        ctx.error("type", node.span, found="a text", expected="a number, a word or a condition")
        return None
    if value.type != NUMBER:
        return Discrete(max(1, size_of(value.type, value.expr)))
    if _is_counted(ctx, node) and value.expr.type == "int":
        first, last = _declared_range(ctx, node) or (int(value.expr.low), int(value.expr.high))
        if last < 2**31:
            return Discrete(last + 1) if first >= 0 else Discrete(last - first + 1, first)
    low, high = (_bound(end) for end in (value.expr.low, value.expr.high))
    return Box(low, high, (1,), "float32")


def _declared_range(ctx: Context, node: Any) -> tuple[int, int] | None:
    """Return the range of an attribute of a tile as it is declared: that of all values, not of those on the map."""
    if not isinstance(node, n.Attribute):
        return None
    ref = resolve_thing(ctx.inner(), node.owner)
    if ref is None or ref.category != "tile" or node.name not in ref.kind.attributes:
        return None
    return domain_range(ref.kind.attributes[node.name].domain)


def _bound(value: float) -> float:
    if abs(value) >= ir.UNBOUNDED / 2:
        return float("-inf") if value < 0 else float("inf")
    return float(value)


def _is_counted(ctx: Context, node: Any) -> bool:
    if isinstance(node, n.Name):
        return node.name in ctx.writer.variables or node.name in ctx.scope
    return isinstance(node, n.Attribute) and node.name not in {"x", "y"}


def _formed_value(ctx: Context, item: n.ObserveItem) -> Entry | None:
    assert item.form is not None
    form, node = item.form.name, item.value
    if form == "tokens" and isinstance(node, n.Name) and node.name == "mission":
        return _tokens(ctx, node.span)
    if form == "onehot" and _is_own_entry(ctx, node):
        assert isinstance(node, n.Name | n.Call)
        entry = _bare_word(ctx, node) if isinstance(node, n.Name) else _index(ctx, node)
        if entry is not None and entry.value is not None and isinstance(entry.space, Discrete):
            return _onehot(entry.space, entry.value)
        if entry is None:
            return None
    else:
        found = _scalar(ctx, node)
        if found is None:
            return None
        value, space = found
        if form == "onehot" and isinstance(space, Discrete):
            return _onehot(space, value)
    ctx.error(
        "unknown-word",
        item.form.span,
        word=form,
        of="the forms of a value",
        help="`as onehot`, for what is counted",
    )
    return None


def _is_own_entry(ctx: Context, node: Any) -> bool:
    """Whether an item is one that no expression gives: a bare word such as ``facing``, or ``index``."""
    if isinstance(node, n.Call):
        return node.name == "index"
    return _is_word(node, ctx, BARE_WORDS)


def _is_word(node: Any, ctx: Context, words: Collection[str]) -> TypeGuard[n.Name]:
    """Whether a name is a word of observations: none that the spec itself gives to something."""
    world, writer = ctx.world, ctx.writer
    return (
        isinstance(node, n.Name)
        and node.name in words
        and not (node.name in writer.variables or node.name in world.params or node.name in ctx.scope)
    )


def _onehot(space: Discrete, value: Worth) -> Entry:
    """Return an entry that shows a counted value as a row of zeros with one 1."""

    def write(inner: Context) -> None:
        at = inner.let("value", ir.sub(ir.as_number(value(inner)), ir.const(space.start)))
        k = ir.Local("k", "int", 0, space.size - 1)
        inner.emit(ir.For("k", ir.const(0), ir.const(space.size), [ir.Out(k, ir.Const(0.0, "real"))]))
        inner.emit(ir.Out(at, ir.Const(1.0, "real")))

    return Entry(Box(0.0, 1.0, (space.size,), "float32"), "array", None, write)


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
    role = next(
        role for role in world.roles if agent.kind in (role.kind, *(world.agents[i] for i in role.members))
    )
    return Entry(
        Box(0, 1, (len(role.actions),), "int8"), "array", None, lambda inner: write_mask(inner, role, agent)
    )


def _extra_glyphs(world: World) -> str:
    glyphs = {item.glyph for item in world.spec.legend} | {"▲", "▶", "▼", "◀", "?"}
    return "".join(sorted(glyph for glyph in glyphs if glyph not in CHARACTERS))


def _mission(ctx: Context, node: n.Name) -> Entry | None:
    if ctx.world.spec.mission is None:
        ctx.error(
            "missing-statement",
            node.span,
            keyword="mission",
            help=add('mission: "reach the goal"', ctx.world.spec.source),
        )
        return None
    return Entry(_mission_space(ctx.world), "mission")


def _mission_space(world: World) -> Text:
    """Return the space of all that the mission can read: its own characters, and those of what is chosen for it."""
    mission = world.spec.mission or ""
    chosen = [node.value for node in walk(world.spec.setup) if isinstance(node, n.Text)]
    others = set(mission).union(*chosen) - set(CHARACTERS)
    longest = len(mission) + mission.count("{") * max((LONGEST_WORD, *map(len, chosen)))
    return Text(max(LONGEST_TEXT, longest), CHARACTERS + "".join(sorted(others)))


def _tokens(ctx: Context, span: Span) -> Entry | None:
    if ctx.world.spec.mission is None:
        ctx.error(
            "missing-statement",
            span,
            keyword="mission",
            help=add('mission: "reach the goal"', ctx.world.spec.source),
        )
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
    slot, most = carried_slot(ctx)
    agent = the_agent(ctx, node.span)
    codes = writer.kind_table("CARRIED_CODE", {kind: index + 1 for index, kind in enumerate(kinds)})

    def value(inner: Context) -> ir.Expr:
        thing = inner.let("thing", ir.load(slot, ir.mul(agent.index, ir.const(most))))
        kind = ir.lookup(codes, ir.load(writer.object_slot("KIND"), thing))
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


def _counted(ctx: Context, node: Any) -> tuple[Worth, int] | None:
    """Return what an entry of ``index`` counts from 0, and how many values it has."""
    inner = ctx.inner(scope=ctx.scope)
    if _is_word(node, ctx, COUNTED_WORDS):
        entry = _bare_word(inner, node)
        if entry is None or entry.value is None or not isinstance(entry.space, Discrete):
            return None
        return entry.value, entry.space.size
    value = evaluate(inner, node)
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
        last = size_of(value.type, value.expr) - 1
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
