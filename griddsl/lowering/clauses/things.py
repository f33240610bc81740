"""Things: which instance a name stands for, where it is, and its attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import numpy as np

from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.carrying import can_be_carried
from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.clauses.unknown.nothing import every_other, no_thing
from griddsl.lowering.clauses.unknown.several import report_several
from griddsl.lowering.clauses.whereabouts import is_agent, over_cells, the_agent
from griddsl.lowering.facts.abundance import abundance, others, stays
from griddsl.lowering.facts.presence import always_there
from griddsl.lowering.state.nearby import around, over_near
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.mentions import is_any_cell
from griddsl.lowering.world.naming import named_twice, which_agent, which_other
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_IS_DRAWN = "the map draws those of its kind there alone"
_Node = TypeVar("_Node", bound=n.Node)
Finder: TypeAlias = Callable[[Context, _Node], Ref | None]
_Body: TypeAlias = Callable[[Context, Ref], None]
_FINDERS: dict[type, Finder[Any]] = {}  # by the type of the nodes that each is of


def finds(type: type[_Node]) -> Callable[[Finder[_Node]], Finder[_Node]]:
    """Let a function find the things that nodes of a type mean."""

    def register(finder: Finder[_Node]) -> Finder[_Node]:
        _FINDERS[type] = finder
        return finder

    return register


def is_cells(ctx: Context, node: n.Expression) -> bool:
    """Whether ``cell`` stands where a kind could, and none is called so."""
    if not isinstance(node, n.Name) or node.name != "cell" or "cell" in ctx.scope:
        return False
    kind = ctx.world.kinds.get("cell")
    return kind is None or is_any_cell(kind)


def is_superlative(ctx: Context, node: n.Expression) -> bool:
    """Whether an expression is ``the K with least E`` of things, and not of cells, or ``the K at CELL``."""
    return isinstance(node, n.There) or (isinstance(node, n.Superlative) and not is_cells(ctx, node.over))


def is_other(ctx: Context, node: n.Expression) -> bool:
    """Whether a name is ``other`` alone, the only other agent, and nothing that the spec calls so."""
    world, writer = ctx.world, ctx.writer
    known = {*world.kinds, *writer.variables, *world.params, *ctx.scope}
    return isinstance(node, n.Name) and node.name == "other" and "other" not in known


def resolve_thing(ctx: Context, node: n.Expression) -> Ref | None:
    """Return the thing that a name stands for: a bound one, the subject, or the only one of its kind."""
    if type(node) in _FINDERS:
        return _FINDERS[type(node)](ctx, node)
    if isinstance(node, n.Other):
        return _resolve_other(ctx, node)
    if not isinstance(node, n.KindName):
        no_thing(ctx, node)
        return None
    if node.name == "self":
        return _as_named(ctx, ctx.self_ref or the_agent(ctx, node.span))
    if is_other(ctx, node):
        return _resolve_other_agent(ctx, ctx.world.kinds["agent"], node)
    bound = ctx.scope.get(node.name)
    if isinstance(bound, Ref) and not asks_for_any(ctx, node):
        if bound.several:
            twice = named_twice(node.name, node.span) if bound.named_twice else None
            report_several(ctx, bound.kind, bound.several, node.span, twice)
            return None
        return _as_named(ctx, bound, node.name)
    kind = kind_called(ctx, node)
    return None if kind is None else only_one(ctx, kind, node)


def asks_for_any(ctx: Context, node: n.Expression) -> bool:
    """Whether a node is a kind with attributes: one that fits, whatever the bare name of the kind means there."""
    return isinstance(node, n.Pattern) and node.name in ctx.world.kinds


def _as_named(ctx: Context, ref: Ref, name: str = "self") -> Ref:
    """Return what a name was given to; it may be gone where effects ran since, and where setup named it."""
    is_old = ctx.after_changes or name in ctx.writer.named_things
    return replace(ref, may_be_gone=True) if is_old and ref.category != "agent" else ref


def only_one(ctx: Context, kind: Kind, node: n.Expression) -> Ref | None:
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
                help=which_agent(kind.name, node.span, ctx.self_ref is not None),
            )
            return None
        return Ref(kind, ir.const(matching[0] if matching else 0), by_its_kind=True)
    asked = node.span if ctx.stage == "setup" else None
    if kind.category == "object":
        drawn = abundance(ctx.writer.facts, kind, asked)
        if drawn > 1 and not attributes:
            report_several(ctx, kind, drawn, node.span)
            return None
        return Ref(kind, _first_found(ctx, kind, attributes))
    count = abundance(ctx.writer.facts, kind, asked) if stays(ctx.writer.facts, kind) else 0
    if count > 1 and not attributes:
        report_several(ctx, kind, count, node.span)
        return None
    if not ctx.writer.facts.dynamic_tiles and count == 1 and not attributes:
        return Ref(kind, ir.const(int(np.flatnonzero(ctx.world.levels[0].tiles == kind.code)[0])))
    return Ref(kind, _first_found(ctx, kind, attributes))


def _first_found(ctx: Context, kind: Kind, attributes: dict[str, n.Expression]) -> ir.Expr:
    """Look for the first thing of a kind; who asks again before something changes is told of the same one."""
    found = ctx.let(kind.name, call_find(ctx.writer, kind, attributes, ctx))
    if isinstance(found, ir.Local) and not attributes:
        ctx.places.let_stand_for(found.name, kind.name)
    return found


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
    kind = kind_called(ctx, node.kind)
    if kind is None:
        return None
    if kind.category == "agent":
        looked_at = ctx.scope.get(f"other {kind.name}")
        return looked_at if isinstance(looked_at, Ref) else _resolve_other_agent(ctx, kind, node)
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


def _check_others(
    ctx: Context, node: n.Other, kind: Kind, attributes: dict[str, n.Expression], is_bound: bool
) -> None:
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
        help = which_other(kind.name, node.span) if count > 1 else every_other(node.span)
        ctx.error(code, node.span, name=f"other {kind.name}", count=count, help=help)
        return None
    if isinstance(self_ref.index, ir.Const) or len(members) == 1:
        (index,) = [i for i in members if ir.const(i) != self_ref.index]
        return Ref(world.agents[index], ir.const(index))
    first, second = members
    found = ir.select(ir.eq(self_ref.index, first), ir.const(second), ir.const(first))
    return Ref(kind, ctx.let("other", found))


def kinds_over(ctx: Context, node: n.Expression) -> list[Kind]:
    """Return the kinds of the things that a clause goes through; none, with a diagnostic, where it names no kind."""
    if isinstance(node, n.OneOf):
        return [ctx.world.kinds[kind.name] for kind in node.kinds]
    kind = kind_called(ctx, node)
    return [] if kind is None else [kind]


def alone(node: n.Expression) -> tuple[n.Expression, str | None]:
    """Return the kind of which a condition looks for things, and what it calls one of them where not as its kind."""
    if isinstance(node, n.OneOf):
        (kind,) = node.kinds
        return kind, node.called
    return node, None


def name_over(node: n.KindName | n.OneOf) -> str:
    """Return the name by which a clause speaks of the thing that it looks at."""
    return node.called if isinstance(node, n.OneOf) else node.name


def fits(ctx: Context, ref: Ref, node: n.Expression) -> ir.Expr:
    """Return whether a thing has the attributes that the kinds which are gone through ask for."""
    if not isinstance(node, n.OneOf):
        return matches(ctx, ref, dict(node.arguments) if isinstance(node, n.Pattern) else {})
    if not any(isinstance(kind, n.Pattern) for kind in node.kinds):
        return ir.TRUE
    fitting = ctx.variable("fits", ir.FALSE, 0, 1)
    code = ir.load(ctx.writer.object_kind, ref.index)
    for each in node.kinds:
        kind, inner = ctx.world.kinds[each.name], ctx.inner()
        asked = dict(each.arguments) if isinstance(each, n.Pattern) else {}
        test = matches(inner, replace(ref, kind=kind, others=()), asked)
        inner.block.extend(ir.when(test, [ir.Let(fitting.name, ir.TRUE)]))
        ctx.block.extend(ir.when(ir.eq(code, kind.code), inner.block))
    return ir.Local(fitting.name, "bool", 0, 1)


def for_each(
    ctx: Context,
    kind: Kind,
    body: _Body,
    on_map: bool = True,
    acts: bool = False,
    loop: ir.Loop = ir.For,
    others: tuple[Kind, ...] = (),
) -> None:
    """Emit a loop over the things of a kind, and of other kinds of objects; ``body(context, ref)`` fills it.

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
        _for_each_tile(ctx, kind, body, loop)
        return
    else:
        local = ir.Local(index, "int", 0, writer.facts.capacity - 1)
        ref, high = (
            Ref(kind, local, on_map=on_map and not acts, others=others, any_of=bool(others)),
            objects_end(ctx),
        )
        code = ir.load(writer.object_kind, local)
        test = ir.either(*(ir.eq(code, each.code) for each in (kind, *others)))
        if on_map:
            test = ir.both(test, ir.ge(ir.load(writer.object_cell, local), 0))
    body(inner, ref)
    ctx.emit(loop(index, ir.const(0), high, ir.when(test, inner.block)))


def objects_end(ctx: Context) -> ir.Expr:
    """Return where a loop over all objects ends, as it is when the loop begins."""
    writer = ctx.writer
    if not writer.facts.objects_vary:
        return ir.const(writer.facts.capacity)
    return ctx.let("objects", ir.load(writer.objects))


def _for_each_tile(ctx: Context, kind: Kind, body: _Body, loop: ir.Loop) -> None:
    inner, index = ctx.inner(), ctx.names.fresh("i")
    every = ir.Local(index, "int", 0, ctx.world.cells - 1)
    is_one = ir.eq(ctx.writer.tile_at(every), kind.code)
    if ctx.writer.facts.dynamic_tiles:
        body(inner, Ref(kind, every))
        over_cells(ctx, loop, every, ir.when(is_one, inner.block))
        return
    cells = np.flatnonzero(ctx.world.levels[0].tiles == kind.code).tolist()
    if not cells:
        return
    drawn = ir.Local(ctx.names.fresh("cell"), "int", min(cells), max(cells))
    body(inner, Ref(kind, drawn))
    near = around(ctx.places, loop, drawn, inner.block, len(cells))
    if near is None:
        listed = ctx.writer.table(("CELLS_OF", kind.name), cells)
        place = ir.Let(drawn.name, ir.lookup(listed, ir.Local(index, "int", 0, len(cells) - 1)))
        ctx.emit(loop(index, ir.const(0), ir.const(len(cells)), [place, *inner.block]))
    else:
        block = ir.when(
            is_one, [ir.Let(drawn.name, ir.claim(every, drawn.low, drawn.high, _IS_DRAWN)), *inner.block]
        )
        ctx.emit(*over_near(ctx.writer, ctx.names, loop, every, block, near))
