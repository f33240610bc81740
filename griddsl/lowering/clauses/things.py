"""Things: which instance a name stands for, where it is, and its attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.lowering.clauses.carrying import can_be_carried
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import condition, evaluate_as
from griddsl.lowering.clauses.unknown import report_unknown
from griddsl.lowering.facts.abundance import abundance, others, stays
from griddsl.lowering.facts.presence import always_there
from griddsl.lowering.state.writer import OF_ITS_KIND, Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import CELL, DIRECTION, NUMBER, Ref, Value, Words
from griddsl.lowering.world.world import domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

Finder = Callable[[Context, Any], Ref | None]
_FINDERS: dict[type, Finder] = {}


def finds(*types: type) -> Callable[[Finder], Finder]:
    """Let a function find the things that nodes of these types mean."""

    def register(finder: Finder) -> Finder:
        _FINDERS.update(dict.fromkeys(types, finder))
        return finder

    return register


def is_cells(ctx: Context, node: Any) -> bool:
    """Whether ``cell`` stands where a kind could, and none is called so."""
    return isinstance(node, n.Name) and node.name == "cell" and "cell" not in {*ctx.world.kinds, *ctx.scope}


def is_superlative(ctx: Context, node: Any) -> bool:
    """Whether an expression is ``the K with least E`` of things, and not of cells."""
    return isinstance(node, n.Superlative) and not is_cells(ctx, node.over)


IS_SELF = (
    "is self"  # asked of agents where `self` and `other` stand for a kind; no attribute can be called so
)


def cell_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the cell of a thing; -1 where it is not on the map."""
    if ref.category == "tile":
        return ref.index
    if ref.category == "agent":
        here = ir.load(ctx.writer.agent_cell, ref.index)
        # An agent that is out is nowhere for the others; what it sees itself at last, it sees from where it stood.
        if not ctx.writer.facts.can_leave or ref == ctx.self_ref:
            return _if_there(ref, here, -1)
        is_seen: ir.Expr = ctx.writer.is_in(ref.index)
        if ref.by_its_kind and ctx.self_ref is not None and is_agent(ctx.self_ref):
            is_seen = ir.either(is_seen, ir.eq(ctx.self_ref.index, ref.index))
        return _if_there(ref, ir.select(is_seen, here, ir.const(-1)), -1)
    cell = ir.load(ctx.writer.object_slot("CELL"), ref.index)
    return _with_range(cell, 0, cell.high) if ref.on_map else _if_there(ref, cell, -1)


def _if_there(ref: Ref, value: ir.Expr, otherwise: int | ir.Expr) -> ir.Expr:
    """Return what is known of a thing, or a stand-in where the thing may be absent (its index -1)."""
    stand_in = ir.const(otherwise) if isinstance(otherwise, int) else otherwise
    return value if ref.index.low >= 0 else ir.select(ir.ge(ref.index, 0), value, stand_in)


def kind_code_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the code of the kind that a thing is now."""
    if ref.category == "tile":
        return _if_there(ref, ctx.writer.tile_at(ref.index), -1)
    if ref.category == "object":
        return _if_there(ref, ir.load(ctx.writer.object_slot("KIND"), ref.index), -1)
    if ctx.world.several and not isinstance(ref.index, ir.Const):
        return ctx.writer.agent_code(ref.index)
    return ir.const(ref.kind.code)


def column(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return the x of a cell; -1 for no cell."""
    x = ir.mod(cell, ir.const(ctx.world.width)) if cell.low >= 0 else _of_cell(ctx, cell, ir.mod)
    return _within(x, ctx.world.width - 1)


def row(ctx: Context, cell: ir.Expr) -> ir.Expr:
    """Return the y of a cell; -1 for no cell."""
    y = ir.div(cell, ir.const(ctx.world.width)) if cell.low >= 0 else _of_cell(ctx, cell, ir.div)
    return _within(y, ctx.world.height - 1)


def _of_cell(ctx: Context, cell: ir.Expr, part: Any) -> ir.Expr:
    known = _with_range(cell, 0, cell.high)
    return ir.select(ir.ge(cell, 0), part(known, ir.const(ctx.world.width)), ir.const(-1))


def _with_range(value: ir.Expr, low: float, high: float) -> ir.Expr:
    match value:
        case ir.Local(name, type):
            return ir.Local(name, type, low, high)
        case ir.Load():
            return ir.claim(value, low, high, "what is spoken of stands on the map")
    return value


def _within(value: ir.Expr, high: int) -> ir.Expr:
    match value:
        case ir.Op(operator, values, type, low, _):
            return ir.Op(operator, values, type, low, min(value.high, high))
    return value


# Which instance


def find_kind(ctx: Context, name: str) -> Kind | None:
    """Return a kind by name."""
    return ctx.world.kinds.get(name)


def is_other(ctx: Context, node: Any) -> bool:
    """Whether a name is ``other`` alone, the only other agent, and nothing that the spec calls so."""
    world, writer = ctx.world, ctx.writer
    known = {*world.kinds, *writer.variables, *world.params, *ctx.scope}
    return isinstance(node, n.Name) and node.name == "other" and "other" not in known


def is_agent(ref: Ref | None) -> bool:
    """Whether a reference is to an agent."""
    return ref is not None and ref.category == "agent"


def the_agent(ctx: Context, span: Span) -> Ref:
    """Return the agent that a clause speaks of without a name: its subject, or the only one there is."""
    if ctx.self_ref is not None and ctx.self_ref.category == "agent":
        return ctx.self_ref
    if ctx.world.several:
        help = "name the agent, or let the rule have one as its subject: `each agent:`, `on enter K:`"
        ctx.error("ambiguous", span, name="the agent", count=len(ctx.world.agents), help=help)
    return agent_ref(ctx, ir.const(0))


def resolve_thing(ctx: Context, node: Any) -> Ref | None:
    """Return the thing that a name stands for: a bound one, the subject, or the only one of its kind."""
    if type(node) in _FINDERS:
        return _FINDERS[type(node)](ctx, node)
    if isinstance(node, n.Other):
        return _resolve_other(ctx, node)
    if not isinstance(node, n.KindName):
        _no_thing(ctx, node)
        return None
    if node.name == "self":
        return _as_named(ctx, ctx.self_ref or the_agent(ctx, node.span))
    if is_other(ctx, node):
        return _resolve_other_agent(ctx, ctx.world.kinds["agent"], node)
    bound = ctx.scope.get(node.name)
    if isinstance(bound, Ref) and not asks_for_any(ctx, node):
        if bound.several:
            _report_several(ctx, bound.kind, bound.several, node.span)
            return None
        return _as_named(ctx, bound, node.name)
    kind = find_kind(ctx, node.name)
    if kind is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return None
    return only_one(ctx, kind, node)


def _no_thing(ctx: Context, node: Any) -> None:
    """Report what stands where a thing is needed: of `any coin` no number can be asked, but of each behind `where`."""
    help = None
    if (
        isinstance(node, n.Quantified)
        and isinstance(node.kind, n.KindName)
        and node.kind.name in ctx.world.kinds
    ):
        asked, name = f"{node.quantifier} {to_text(node.kind)}", node.kind.name
        help = f"a condition on several stands behind `where`, as in `{asked} where {name}.x > 2`"
        ctx.error("type", node.span, found=f"`{asked}`", expected="a thing", help=help)
        return
    ctx.error("type", node.span, found="this", expected="a thing", help=help)


def asks_for_any(ctx: Context, node: Any) -> bool:
    """Whether a node is a kind with attributes: one that fits, whatever the bare name of the kind means there."""
    return isinstance(node, n.Pattern) and node.name in ctx.world.kinds


def _as_named(ctx: Context, ref: Ref, name: str = "self") -> Ref:
    """Return what a name was given to; it may be gone where effects ran since, and where setup named it."""
    is_old = ctx.after_changes or name in ctx.writer.named_things
    return replace(ref, may_be_gone=True) if is_old and ref.category != "agent" else ref


def is_still(ctx: Context, ref: Ref, name: str | None = None) -> ir.Expr:
    """Return whether what a name was given to is still there, and of a kind that it was: one with an attribute."""
    kinds = [kind for kind in (ref.kind, *ref.others) if name is None or name in kind.attributes]
    writer = ctx.writer
    if not ref.may_be_gone or (ref.category == "tile" and not writer.facts.dynamic_tiles):
        return ir.TRUE
    if ref.category == "tile":
        return _if_there(ref, ir.eq(writer.tile_at(ref.index), ref.kind.code), ir.FALSE)
    is_one = [ir.eq(ir.load(writer.object_slot("KIND"), ref.index), kind.code) for kind in kinds]
    return _if_there(ref, ir.either(*is_one), ir.FALSE)


def agent_ref(ctx: Context, index: ir.Expr) -> Ref:
    """Return a reference to an agent by its number."""
    if isinstance(index, ir.Const):
        return Ref(ctx.world.agents[int(index.value)], index)
    return Ref(ctx.world.kinds["agent"], index)


def only_one(ctx: Context, kind: Kind, node: Any) -> Ref | None:
    """Return the only thing of a kind; an error where the spec shows several."""
    attributes = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    if kind.category == "agent":
        if attributes:
            fitting = ctx.variable(kind.name, ir.const(-1), -1, len(ctx.world.agents) - 1)
            for_each(
                ctx,
                kind,
                lambda inner, ref: _take_first(inner, ref, attributes),
                loop=ir.first_of(fitting),
            )
            return Ref(kind, fitting)
        if (
            ctx.self_ref is not None
            and is_agent(ctx.self_ref)
            and kind in (ctx.self_ref.kind, ctx.world.kinds["agent"])
        ):
            return ctx.self_ref
        matching = [i for i, agent in enumerate(ctx.world.agents) if agent is kind or kind.name == "agent"]
        if len(matching) > 1:
            ctx.error(
                "ambiguous",
                node.span,
                name=kind.name,
                count=len(matching),
                help=f"say `self`, `all {kind.name}`, `any {kind.name}` or `other {kind.name}`, or name one",
            )
            return None
        return Ref(kind, ir.const(matching[0] if matching else 0), by_its_kind=True)
    if kind.category == "object":
        drawn = abundance(ctx.writer.facts, kind)
        if drawn > 1 and not attributes:
            _report_several(ctx, kind, drawn, node.span)
            return None
        found = ctx.let(kind.name, call_find(ctx.writer, kind, attributes, ctx))
        return Ref(kind, found)
    count = abundance(ctx.writer.facts, kind) if stays(ctx.writer.facts, kind) else 0
    if count > 1 and not attributes:
        _report_several(ctx, kind, count, node.span)
        return None
    if not ctx.writer.facts.dynamic_tiles and count == 1:
        return Ref(kind, ir.const(int(np.flatnonzero(ctx.world.levels[0].tiles == kind.code)[0])))
    return Ref(kind, ctx.let(kind.name, call_find(ctx.writer, kind, attributes, ctx)))


def _report_several(ctx: Context, kind: Kind, count: int, span: Span) -> None:
    name = kind.name
    help = f"say `all {name}`, `any {name}` or `count({name})`, or name one by a condition: `agent on {name}`"
    ctx.error("ambiguous", span, name=name, count=count, help=help)


def call_find(writer: Writer, kind: Kind, attributes: dict[str, n.Expression], ctx: Context) -> ir.Expr:
    """Return the first thing of a kind (a cell or an object's index), or -1."""
    high = _most(writer, kind)
    if not attributes:
        name = writer.function_name(("find", kind.name))
        if name not in writer.functions:
            _define_find(writer, kind, name)
        called = ir.call(name, low=-1, high=high)
        if ctx.stage != "setup" and always_there(writer.world, kind):
            return ir.claim(called, 0, high, f"{kind.name} is always there")
        return called
    found = ctx.variable(kind.name, ir.const(-1), -1, high)
    first = ir.first_of(found)
    for_each(ctx, kind, lambda inner, ref: _take_first(inner, ref, attributes), loop=first)
    if _can_be_off_map(writer, kind):
        off = ctx.inner()
        for_each(off, kind, lambda inner, ref: _take_first(inner, ref, attributes), on_map=False, loop=first)
        ctx.block.extend(ir.when(ir.Op("<", (found, ir.const(0)), "bool", 0, 1), off.block))
    return found


def _can_be_off_map(writer: Writer, kind: Kind) -> bool:
    """Whether a thing can be in a hand or in a box: it is still the one of its kind."""
    return kind.category == "object" and can_be_carried(writer)


def _take_first(ctx: Context, ref: Ref, attributes: dict[str, n.Expression]) -> None:
    test = matches(ctx, ref, attributes)
    ctx.block.extend(ir.when(test, [ir.Hit(ref.index)]))


def _define_find(writer: Writer, kind: Kind, name: str) -> None:
    ctx = new_function(writer, "rule", name)
    writer.functions[name] = ir.function(name, (), ctx.block, f"The first {kind.name}, or -1.")
    found = ctx.variable("found", ir.const(-1), -1, _most(writer, kind))
    first = ir.first_of(found)
    for_each(ctx, kind, lambda inner, ref: inner.emit(ir.Hit(ref.index)), loop=first)
    if _can_be_off_map(writer, kind):
        off = ctx.inner()
        for_each(off, kind, lambda inner, ref: inner.emit(ir.Hit(ref.index)), on_map=False, loop=first)
        ctx.emit(ir.If(ir.lt(found, 0), off.block, []))
    ctx.emit(ir.Return((found,)))


def _most(writer: Writer, kind: Kind) -> int:
    """Return the last cell, or the last number of an object."""
    return (writer.world.cells if kind.category == "tile" else writer.facts.capacity) - 1


def _resolve_other(ctx: Context, node: n.Other) -> Ref | None:
    """Return the only other thing of a kind, than the one that is bound, with the attributes asked for."""
    if not isinstance(node.kind, n.KindName):
        return None
    kind = find_kind(ctx, node.kind.name)
    if kind is None:
        report_unknown(ctx, node.kind.name, node.kind.span, is_kind=True)
        return None
    if kind.category == "agent":
        return _resolve_other_agent(ctx, kind, node)
    bound = ctx.scope.get(kind.name)
    if not isinstance(bound, Ref) and ctx.self_ref is not None and ctx.self_ref.category == kind.category:
        bound = ctx.self_ref
    this = ctx.let("this", bound.index if isinstance(bound, Ref) else ir.const(-1))
    attributes = dict(node.kind.arguments) if isinstance(node.kind, n.Pattern) else {}
    _check_others(ctx, node, kind, attributes, isinstance(bound, Ref))
    found = ctx.variable(
        f"other_{kind.name}", ir.const(-1), -1, max(ctx.world.cells, ctx.writer.facts.capacity)
    )

    def consider(inner: Context, ref: Ref) -> None:
        test = ir.both(ir.ne(ref.index, this), matches(inner, ref, attributes))
        inner.block.extend(ir.when(test, [ir.Hit(ref.index)]))

    for_each(ctx, kind, consider, loop=ir.first_of(found))
    return Ref(kind, found)


def _check_others(ctx: Context, node: n.Other, kind: Kind, attributes: Any, is_bound: bool) -> None:
    """Report ``other K`` where the map and the setup surely show several others."""
    trigger = next((part for part in ctx.heard if getattr(part, "name", "") == kind.name), None)
    pattern = dict(trigger.arguments) if isinstance(trigger, n.Pattern) else {}
    count = others(ctx.writer.facts, kind, attributes, pattern if is_bound else None)
    if count > 1:
        help = f"draw one: `random {to_text(node.kind)} where distance(here, self) > 0`"
        if not attributes and kind.attributes:
            help = f"say which by an attribute, as in `other {kind.name}({next(iter(kind.attributes))}=...)`, or {help}"
        ctx.error("ambiguous", node.span, name=f"other {kind.name}", count=count, help=help)


def _resolve_other_agent(ctx: Context, kind: Kind, node: n.Other | n.KindName) -> Ref | None:
    """Return the only agent of a kind that the subject is not."""
    world = ctx.world
    self_ref = the_agent(ctx, node.span)
    members = [i for i, each in enumerate(world.agents) if kind.name == "agent" or each is kind]
    may_be_one = kind.name == "agent" or self_ref.kind is kind or self_ref.kind.name == "agent"
    if len(members) - (1 if may_be_one else 0) != 1:
        count = max(0, len(members) - may_be_one)
        code = "ambiguous" if count > 1 else "no-other"
        help = f"say `all {kind.name}`, `any {kind.name}` or `count({kind.name})`" if count > 1 else None
        ctx.error(code, node.span, name=f"other {kind.name}", count=count, help=help)
        return None
    if isinstance(self_ref.index, ir.Const) or len(members) == 1:
        (index,) = [i for i in members if ir.const(i) != self_ref.index]
        return Ref(world.agents[index], ir.const(index))
    first, second = members
    found = ir.select(ir.eq(self_ref.index, first), ir.const(second), ir.const(first))
    return Ref(kind, ctx.let("other", found))


def for_each(
    ctx: Context, kind: Kind, body: Any, on_map: bool = True, acts: bool = False, loop: ir.Loop = ir.For
) -> None:
    """Emit a loop over the things of a kind; ``body(context, ref)`` fills it.

    ``acts`` says that it changes things, so that what was on the map when its turn came may leave it.
    """
    world, writer = ctx.world, ctx.writer
    index = ctx.names.fresh("i")
    inner = ctx.inner()
    high: ir.Expr
    if kind.category == "agent":
        local = ir.Local(index, "int", 0, len(world.agents) - 1)
        test: ir.Expr = ir.TRUE
        if len(world.agents) == 1:
            ref = Ref(kind, ir.const(0))
            local = ir.Local(index, "int", 0, 0)
        else:
            ref = Ref(kind, local)
            test = writer.is_in(local)
            if kind.name != "agent":
                test = ir.both(test, ir.eq(writer.agent_code(local), kind.code))
        high = ir.const(len(world.agents))
    elif kind.category == "tile":
        if not writer.facts.dynamic_tiles:
            _for_each_static_tile(ctx, kind, index, inner, body, loop)
            return
        local = ir.Local(index, "int", 0, world.cells - 1)
        ref, high = Ref(kind, local), ir.const(world.cells)
        test = ir.eq(writer.tile_at(local), kind.code)
    else:
        local = ir.Local(index, "int", 0, writer.facts.capacity - 1)
        ref, high = Ref(kind, local, on_map=on_map and not acts), objects_end(ctx)
        test = ir.eq(ir.load(writer.object_slot("KIND"), local), kind.code)
        if on_map:
            test = ir.both(test, ir.ge(ir.load(writer.object_slot("CELL"), local), 0))
    body(inner, ref)
    ctx.emit(loop(index, ir.const(0), high, ir.when(test, inner.block)))


def objects_end(ctx: Context) -> ir.Expr:
    """Return where a loop over all objects ends, as it is when the loop begins."""
    writer = ctx.writer
    if not writer.facts.objects_vary:
        return ir.const(writer.facts.capacity)
    return ctx.let("objects", ir.load(writer.objects))


def _for_each_static_tile(
    ctx: Context, kind: Kind, index: str, inner: Context, body: Any, loop: ir.Loop
) -> None:
    cells = np.flatnonzero(ctx.world.levels[0].tiles == kind.code).tolist()
    if not cells:
        return
    listed = ctx.writer.table(("CELLS_OF", kind.name), cells)
    place = ctx.names.fresh("cell")
    inner.emit(ir.Let(place, ir.lookup(listed, ir.Local(index, "int", 0, len(cells) - 1))))
    body(inner, Ref(kind, ir.Local(place, "int", min(cells), max(cells))))
    ctx.emit(loop(index, ir.const(0), ir.const(len(cells)), inner.block))


# Attributes

HANDS = ("carrying", "carried", "inventory", "holding", "hands", "held", "item", "items")
PLACES = ("position", "pos", "location", "loc", "xy", "coordinates", "coords", "place", "tile")


def attribute(ctx: Context, ref: Ref, name: str, span: Span) -> Value | None:
    """Return ``thing.name``: a position, a facing, or a declared attribute."""
    if name in {"x", "y", "cell"}:
        cell = cell_of(ctx, ref)
        if name == "cell":
            return Value(CELL, cell)
        cell = ctx.let("cell", cell) if cell.low < 0 else cell
        return Value(NUMBER, column(ctx, cell) if name == "x" else row(ctx, cell))
    if ref.category == "agent" and name == "facing":
        if not ctx.writer.facts.has_facing:
            ctx.error(
                "no-facing",
                span,
                help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
            )
        return Value(DIRECTION, ir.load(ctx.writer.facing, ref.index))
    if name == "action" and ref.category == "agent":
        words = Words(tuple(ctx.world.action_names))
        return Value(words, ir.load(ctx.writer.action_slot, ref.index))
    found = ref.kind.attributes.get(name)
    if found is None:
        known = [*ref.kind.attributes, "x", "y", *(["facing"] if ref.category == "agent" else [])]
        meant = {"column": "x", "col": "x", "row": "y", "direction": "facing", "dir": "facing"}.get(name)
        declared = ref.category if ref.kind.name == ref.category else f"{ref.category} {ref.kind.name}"
        help: str | None = f"declare it, as in `{declared}: {name} in 0..9`"
        if meant in known:
            help = Help(f"did you mean `{meant}`?", (str(meant),), name)
        elif name in PLACES:
            help = f"`{ref.kind.name} at (1, 2)` asks where it is; `.x` and `.y` are its column and row"
            if ctx.stage == "observe" and span.text.endswith(name):
                help = write(f"position of {ref.kind.name}", place=span)
        elif name in ctx.writer.variables:
            help = write(name, ": it is a variable of the game", place=span)
        elif name in HANDS and ref.category == "agent":
            help = f"what it holds is asked by `{ref.kind.name} has key`, of any object"
        else:
            help = did_you_mean(name, known) or help
        ctx.error("unknown-attribute", span.word(name), kind=ref.kind.name, name=name, help=help)
        return None
    for kind in ref.others:
        other = kind.attributes.get(name)
        if other is not None and domain_type(other.domain) != domain_type(found.domain):
            found_here = f"`{name}`, of one domain in `{kind.name}` and another in `{ref.kind.name}`,"
            expected = "one domain for both"
            ctx.error(
                "type", span, found=found_here, expected=expected, help=f"declare `{name}` alike in both"
            )
            return None
    return Value(domain_type(found.domain), attribute_expr(ctx, ref, name))


def attribute_expr(ctx: Context, ref: Ref, name: str) -> ir.Expr:
    """Return the code or number of a declared attribute of a thing."""
    domain = ref.kind.attributes[name].domain
    if ref.category == "tile":
        loaded = ctx.writer.tile_attribute(name, ref.kind, ref.index)
        value: ir.Expr = _if_there(ref, loaded, domain_range(domain)[0])
    elif ref.category == "object":
        loaded = ir.load(ctx.writer.object_slot(name), ref.index)
        low, high = domain_range(domain)
        value = _if_there(ref, ir.claim(loaded, low, high, OF_ITS_KIND), low)
    else:
        loaded = ir.load(ctx.writer.agent_attribute_slot(name), ref.index)
        kinds = ctx.world.agents if ref.kind.name == "agent" else [ref.kind]
        ends = [domain_range(kind.attributes[name].domain) for kind in kinds if name in kind.attributes]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        value = ir.claim(loaded, low, high, OF_ITS_KIND) if name != "facing" else loaded
    if ref.may_be_gone:
        value = ir.select(is_still(ctx, ref, name), value, ir.const(domain_range(domain)[0]))
    return ir.eq(value, 1) if domain.form == "bool" else value


def set_attribute(ctx: Context, ref: Ref, name: str, value: ir.Expr) -> None:
    """Emit the assignment of an attribute."""
    writer = ctx.writer
    if ref.category == "tile":
        ctx.emit(ir.Store(writer.tile_attribute_slot(name), ref.index, value))
    elif ref.category == "object":
        ctx.emit(ir.Store(writer.object_slot(name), ref.index, value))
    else:
        ctx.emit(ir.Store(writer.agent_attribute_slot(name), ref.index, value))


def give_attribute(ctx: Context, ref: Ref, name: str, value: ir.Expr) -> None:
    """Emit the first value of an attribute, clamped into its range."""
    low, high = domain_range(ref.kind.attributes[name].domain)
    set_attribute(ctx, ref, name, ir.clamp(ir.as_number(value), low, high))


def matches(ctx: Context, ref: Ref, attributes: dict[str, n.Expression]) -> ir.Expr:
    """Return whether a thing has the attributes that a pattern asks for."""
    tests = []
    for name, node in attributes.items():
        if name == "carries":
            tests.append(_carries(ctx, ref, node))
            continue
        if name == IS_SELF:
            same = ir.eq(ref.index, the_agent(ctx, node.span).index)
            tests.append(same if node == n.Truth(True, node.span) else ir.invert(same))
            continue
        have = attribute(ctx, ref, name, node.span)
        if have is None:
            continue
        want = evaluate_as(ctx, node, have.type)
        if want is not None:
            tests.append(ir.eq(ir.as_number(have.expr), ir.as_number(want)))
    return ir.both(*tests)


def _carries(ctx: Context, ref: Ref, node: n.Expression) -> ir.Expr:
    """Return whether a thing carries one of the kind that a pattern asks for."""
    inner = ctx.inner(scope={**ctx.scope, ref.kind.name: ref})
    test = condition(inner, n.Relation("has", n.Name(ref.kind.name, node.span), node, None, node.span))
    ctx.block.extend(inner.block)
    return test
