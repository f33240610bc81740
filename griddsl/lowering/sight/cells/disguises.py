"""Disguises: what is in a cell as it appears, where ``K seen as K2`` says that it is something else to the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from griddsl.lowering.clauses.attributes import matches
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.clauses.physics import agent_at
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.unknown.names import kind_called
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.sight.cells.planes import agent_meant, ref_in_cell
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import values_given
from griddsl.lowering.world.values import Ref
from griddsl.program import ir
from griddsl.syntax import nodes as n


@dataclass(frozen=True, slots=True)
class _Disguise:
    """One ``K seen as K2 if C``; ``called`` are the names by which its condition speaks of the thing."""

    hidden: Kind
    asked: dict[str, n.Expression]
    shown: Kind
    given: dict[str, n.Expression]
    condition: n.Expression | None
    called: tuple[str, ...]

    def shows(self, kind: Kind, attributes: dict[str, n.Expression]) -> bool:
        """Whether what is disguised is one of a kind, with these attributes, to the eye."""
        is_agent = kind.name == "agent" and self.shown.category == "agent"
        return (self.shown is kind or is_agent) and attributes.items() <= self.given.items()

    def holds(self, ctx: Context, ref: Ref) -> ir.Expr:
        """Return whether a thing of the hidden kind is disguised."""
        inner = ctx.inner()
        for name in self.called:
            inner.bind(name, Ref(self.hidden, ref.index))
        test = matches(inner, Ref(self.hidden, ref.index), self.asked)
        if self.condition is not None:
            test = ir.both(test, condition(inner, self.condition))
        ctx.block.extend(inner.block)
        return test


def _disguises(ctx: Context, seen: Sequence[n.SeenAs]) -> Iterator[_Disguise]:
    for item in seen:
        hidden = agent_meant(ctx, item.kind)
        kinds = [kind_called(ctx, node) for node in (hidden, item.appearance)]
        if None in kinds:
            continue
        kind, other = kinds
        assert kind is not None and other is not None
        called = [kind.name]
        if isinstance(item.kind, n.Other) or getattr(item.kind, "name", "") == "other":
            called.append("other" if isinstance(item.kind, n.Name) else f"other {kind.name}")
        given = values_given(item.appearance)
        asked = values_given(hidden)
        yield _Disguise(kind, asked, other, given, item.condition, tuple(called))


def appearing(
    ctx: Context, own: ir.Expr, agent: ir.Expr | None, cell: ir.Expr, seen: Sequence[n.SeenAs]
) -> ir.Expr:
    """Return the code of the kind as which the topmost thing of a cell appears: by the first disguise that holds.

    ``agent`` is the number of the agent on top, below 0 where none is.
    """
    disguises = list(_disguises(ctx, seen))
    if not disguises:
        return own
    last = len(ctx.world.kinds) - 1
    shown = ctx.variable("seems", own, 0, last)
    is_open = ctx.variable("is_open", ir.TRUE, 0, 1) if len(disguises) > 1 else None
    for each in disguises:
        inner = ctx.inner()
        if each.hidden.category == "agent":
            top = ir.const(0) if agent is None else ir.within(agent, 0, len(ctx.world.agents) - 1)
            ref = Ref(each.hidden, top)
            is_it = ir.TRUE if agent is None else ir.ge(agent, 0)
            if each.hidden.name != "agent" or agent is None:
                is_it = ir.both(is_it, ir.eq(own, each.hidden.code))
        else:
            ref = ref_in_cell(inner, each.hidden, cell)
            is_it = ir.eq(own, each.hidden.code)
        take: ir.Block = [ir.Let(shown.name, ir.const(each.shown.code))]
        if is_open is not None:
            is_it = ir.both(is_it, ir.Local(is_open.name, "bool", 0, 1))
            take.append(ir.Let(is_open.name, ir.FALSE))
        inner.block.extend(ir.when(each.holds(inner, ref), take))
        ctx.block.extend(ir.when(is_it, inner.block))
    return shown


def appears(
    ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, n.Expression], seen: Sequence[n.SeenAs]
) -> ir.Expr:
    """Return whether a kind is in a cell as it is seen: there and not seen as another, or another is seen as it."""
    disguises = list(_disguises(ctx, seen))
    there = _at_rest(ctx, cell, (kind, attributes), disguises, lambda each: each.category != "agent")
    if kind.category != "agent" and not any(_of_agents(each, kind, attributes) for each in disguises):
        return there
    found = ctx.variable("seems", ir.FALSE, 0, 1)

    def body(inner: Context, ref: Ref) -> None:
        here = inner.inner()
        (seems,) = _agent_seems(here, ref, [(kind, attributes)], disguises)
        here.block.extend(ir.when(seems, [ir.Hit()]))
        inner.block.extend(ir.when(ir.eq(cell_of(inner, ref), cell), here.block))

    for_each(ctx, ctx.world.kinds["agent"], body, loop=ir.any_of(found))
    return ir.either(there, ir.Local(found.name, "bool", 0, 1))


def write_topmost(
    ctx: Context,
    cell: ir.Expr,
    entries: Sequence[tuple[Kind, dict[str, n.Expression], int]],
    seen: Sequence[n.SeenAs],
    shown: ir.Local,
) -> None:
    """Write the code of the topmost thing of a cell that appears as an entry; of several that fit, the last."""
    disguises = list(_disguises(ctx, seen))
    world = ctx.world
    layers = [f"object {layer}" for layer in world.layers] if world.object_kinds() else []

    def stands_on(level: str, kind: Kind) -> bool:
        return level == (f"object {kind.layer}" if kind.category == "object" else kind.category)

    for name in ("tile", *layers):
        for kind, attributes, code in entries:
            inner = ctx.inner()
            asked = (kind, attributes)
            test = _at_rest(inner, cell, asked, disguises, partial(stands_on, name))
            inner.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(code))]))
            ctx.block.extend(inner.block)

    def body(inner: Context, ref: Ref) -> None:
        here = inner.inner()
        tests = _agent_seems(here, ref, [(kind, attributes) for kind, attributes, _ in entries], disguises)
        for test, (_, _, code) in zip(tests, entries, strict=True):
            here.block.extend(ir.when(test, [ir.Let(shown.name, ir.const(code))]))
        inner.block.extend(ir.when(ir.eq(cell_of(inner, ref), cell), here.block))

    for_each(ctx, world.kinds["agent"], body)


def _of_agents(disguise: _Disguise, kind: Kind, attributes: dict[str, n.Expression]) -> bool:
    return disguise.hidden.category == "agent" and disguise.shows(kind, attributes)


def _at_rest(
    ctx: Context,
    cell: ir.Expr,
    asked: tuple[Kind, dict[str, n.Expression]],
    disguises: Sequence[_Disguise],
    counts: Callable[[Kind], bool],
) -> ir.Expr:
    """Return whether something of the kinds that count, which is no agent, appears in a cell as what is asked for."""
    kind, attributes = asked
    there = is_there(ctx, cell, kind, attributes) if counts(kind) and kind.category != "agent" else ir.FALSE
    shown = [each.hidden for each in disguises if each.shows(kind, attributes)]
    before: dict[str, ir.Expr] = {}  # of one kind the first disguise that holds counts
    for each in disguises:
        hidden = each.hidden
        if hidden.category == "agent" or not counts(hidden) or hidden not in (kind, *shown):
            continue
        inner = ctx.inner()
        inner.bind(hidden.name, ref_in_cell(inner, hidden, cell))
        disguised = is_there(inner, cell, hidden, each.asked)
        if each.condition is not None:
            disguised = ir.both(disguised, condition(inner, each.condition))
        ctx.block.extend(inner.block)
        earlier = before.get(hidden.name)
        if earlier is not None:
            disguised = ctx.let("disguised", ir.both(disguised, ir.invert(earlier)))
        before[hidden.name] = disguised if earlier is None else ir.either(earlier, disguised)
        if hidden is kind:
            there = ir.both(there, ir.invert(disguised))
        if each.shows(kind, attributes):
            there = ir.either(there, disguised)
    return there


def _agent_seems(
    ctx: Context,
    ref: Ref,
    entries: Sequence[tuple[Kind, dict[str, n.Expression]]],
    disguises: Sequence[_Disguise],
) -> list[ir.Expr]:
    """Return of each entry whether an agent appears as it: what it is, or what the first disguise that holds shows."""
    seems: list[ir.Expr] = [ir.FALSE] * len(entries)
    is_open: ir.Expr = ir.TRUE
    for each in disguises:
        if each.hidden.category != "agent":
            continue
        holds = ir.both(_is_of(ctx, ref, each.hidden), each.holds(ctx, ref), is_open)
        holds = ctx.let("disguised", holds)
        is_open = ir.both(is_open, ir.invert(holds))
        for number, entry in enumerate(entries):
            if each.shows(*entry):
                seems[number] = ir.either(seems[number], holds)
    for number, (kind, attributes) in enumerate(entries):
        if kind.category == "agent":
            own = ir.both(_is_of(ctx, ref, kind), matches(ctx, Ref(kind, ref.index), attributes))
            seems[number] = ir.either(seems[number], ir.both(own, is_open))
    return seems


def _is_of(ctx: Context, ref: Ref, kind: Kind) -> ir.Expr:
    if kind.name == "agent":
        return ir.TRUE
    return ir.eq(ctx.writer.agent_code(ref.index), kind.code)


def is_there(ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, n.Expression]) -> ir.Expr:
    """Return whether a thing of a kind, with these attributes, is in a cell."""
    if kind.category == "agent" and not attributes:
        return _agent_at_kind(ctx, cell, kind)
    if kind.category == "agent":
        stands = ctx.variable("stands", ir.FALSE, 0, 1)

        def body(inner: Context, ref: Ref) -> None:
            test = ir.both(ir.eq(cell_of(inner, ref), cell), matches(inner, ref, attributes))
            inner.block.extend(ir.when(test, [ir.Hit()]))

        for_each(ctx, kind, body, loop=ir.any_of(stands))
        return ir.Local(stands.name, "bool", 0, 1)
    return found_in_cell(ctx, cell, kind, attributes, None)


def _agent_at_kind(ctx: Context, cell: ir.Expr, kind: Kind) -> ir.Expr:
    """Return whether an agent of a kind stands in a cell."""
    world, writer = ctx.world, ctx.writer
    if kind.name == "agent" and not world.nowhere:
        return agent_at(ctx, cell)
    return ir.either(
        *(
            ir.both(ir.eq(ir.load(writer.agent_cell, i), cell), writer.is_in(ir.const(i)))
            for i, k in enumerate(world.agents)
            if k is kind
        )
    )
