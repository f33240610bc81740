"""Sending: ``go to`` and ``move``, which ask for a thing to be elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.compass import DIRECTION_OF, MEANT_BY
from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import start_cell
from griddsl.lowering.clauses.meaning import (
    evaluate_as,
)
from griddsl.lowering.clauses.physics import blocks, free_for_object, one_way_allows
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.whereabouts import cell_of
from griddsl.lowering.conditions.cells import destination
from griddsl.lowering.effects.relocation import mark_destination, request_agent, request_thing
from griddsl.lowering.facts.facts import is_start
from griddsl.lowering.rules.performing import by_sort, performs, subject_of, when_there
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.values import DIRECTION, Ref
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@performs(n.Go, Traits(sends=True))
def _go(ctx: Context, effect: n.Go) -> None:
    subject = subject_of(ctx, effect.span, "move ", f" to {to_text(effect.destination)}")
    _when_present(ctx, subject, lambda inner, there: _relocate(inner, there, effect.destination, effect.span))


@performs(n.Move, Traits(sends=True))
def _move(ctx: Context, effect: n.Move) -> None:
    ref = resolve_thing(ctx, effect.subject)
    if ref is not None:
        _when_present(ctx, ref, lambda inner, there: _move_thing(inner, there, effect))


def _when_present(ctx: Context, ref: Ref, do: Callable[[Context, Ref], None]) -> None:
    """Emit what sends a thing on, and draws where to, under the condition that it is still in the world."""

    def unless_gone(outside: Context, there: Ref) -> None:
        if there.category != "object" or not ctx.after_changes:
            by_sort(outside, there, do)
            return
        inner = outside.inner(scope=outside.scope)
        by_sort(inner, there, do)
        is_there = ir.ge(ir.load(ctx.writer.object_kind, there.index), 0)
        outside.block.extend(ir.when(is_there, inner.block))

    when_there(ctx, ref, unless_gone)


def _move_thing(ctx: Context, ref: Ref, effect: n.Move) -> None:
    if ref.category == "tile":
        ctx.error(
            "type",
            effect.subject.span,
            found=f"the tile `{ref.kind.name}`",
            expected="an object or an agent",
            help=f"declare `object {ref.kind.name}:` to let it move",
        )
        return
    if effect.destination is not None:
        _relocate(ctx, ref, effect.destination, effect.span)
        return
    assert effect.direction is not None
    way = effect.direction
    if isinstance(way, n.Call) and way.name == "by" and len(way.arguments) == 2:
        _report_offset(ctx, effect, way)
        return
    direction = _direction(ctx, effect.direction, ref)
    if direction is None:
        return
    here = ctx.let("here", cell_of(ctx, ref))
    if here.low < 0:
        # What is carried is on no cell, and goes nowhere.
        outside, ctx = ctx, ctx.inner()
        outside.block.append(ir.If(ir.ge(here, 0), ctx.block, []))
        here = ir.within(here, 0, here.high)
    target = ctx.let("target", ctx.writer.next_cell(here, direction, ref.kind.edge))
    free = (
        ir.invert(blocks(ctx, target, "solid"))
        if ref.category == "agent"
        else free_for_object(ctx, target, ref.kind.layer)
    )
    free = ir.both(free, one_way_allows(ctx, target, direction))
    inner = ctx.inner()
    _request(inner, ref, target)
    ctx.block.extend(ir.when(ir.both(ir.ge(target, 0), free), inner.block))


def _direction(ctx: Context, node: n.Expression, ref: Ref) -> ir.Expr | None:
    if isinstance(node, n.Name) and node.name in {"forward", "backward"} and ref.category == "agent":
        facing = ir.load(ctx.writer.facing, ref.index)
        turn = 0 if node.name == "forward" else 2
        return facing if turn == 0 else ctx.writer.turned(facing, ir.const(2))
    return evaluate_as(ctx, node, DIRECTION)


def _report_offset(ctx: Context, effect: n.Move, by: n.Call) -> None:
    """Report `move bird by (1, 0)`: a way is a word, and what is farther off is a place."""
    who = to_text(effect.subject)
    across, down = (to_text(argument).removeprefix("+") for argument in by.arguments)
    ways = {tuple(map(str, step)): word for step, word in DIRECTION_OF.items()}
    there = f"({_moved_by(f'{who}.x', across)}, {_moved_by(f'{who}.y', down)})"
    help = write(f"move {who} to {there}", place=effect.span)
    if (across, down) in ways:
        help = write(f"move {who} {ways[across, down]}", ": a way is a word", effect.span)
    expected = "a direction, or `to` and a place"
    ctx.error("syntax", by.span, found=f"`{by.span.text}`", expected=expected, help=help)


def _moved_by(where: str, by: str) -> str:
    """Return a column or a row and how far from it, as a sum."""
    if by == "0":
        return where
    return f"{where} - {by[1:]}" if by.startswith("-") else f"{where} + {by}"


def _names_a_way(ctx: Context, ref: Ref, node: n.Destination, span: Span) -> bool:
    """Report `go to north`, `move bird to left`: a way is no place, and stands behind who moves."""
    if not isinstance(node, n.Name) or node.name in ctx.scope:
        return False
    way, world = MEANT_BY.get(node.name), ctx.world
    if way is None or node.name in {*world.kinds, *world.regions, *world.variables, *world.params}:
        return False
    moved = re.match(r"move\s+(\(.*\)|\w+)\s+to\b", span.text)
    who = moved[1] if moved is not None else "self" if ctx.world.several else ref.kind.name
    help = write(f"move {who} {way}", ": a way is no place, and stands without `to`", span)
    ctx.error("type", node.span, found=f"the way `{node.name}`", expected="a place", help=help)
    return True


def where_to(ctx: Context, ref: Ref, node: n.Destination) -> ir.Expr | None:
    """Return the cell that somebody is sent to, its own start for `start`; -1 where nothing qualifies."""
    if is_start(node) and ctx.stage != "setup":
        return start_cell(ctx, ref)
    return destination(ctx, node, ref.kind, f"`{ref.kind.name}`")


def _relocate(ctx: Context, ref: Ref, node: n.Destination, span: Span) -> None:
    if _names_a_way(ctx, ref, node, span):
        return
    cell = where_to(ctx, ref, node)
    if cell is None:
        return
    cell = ctx.let("target", cell)
    inner = ctx.inner()
    _request(inner, ref, cell)
    _mark_destination(inner, ref, cell)
    test = ir.ge(cell, 0) if cell.low < 0 else ir.TRUE
    ctx.block.extend(ir.when(test, inner.block))


def _mark_destination(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    """Count the rule as run where it sends its subject, by whatever name: in a loop it is one of those gone through."""
    subject = ctx.self_ref
    if subject is None or subject.category != ref.category:
        return
    marked = ctx.inner()
    mark_destination(marked, subject, cell)
    test = ir.TRUE if ref.index == subject.index else ir.eq(ref.index, subject.index)
    ctx.block.extend(ir.when(test, marked.block) if marked.block else [])


def _request(ctx: Context, ref: Ref, cell: ir.Expr) -> None:
    if ref.category == "agent":
        request_agent(ctx, ref.index, cell)
    else:
        request_thing(ctx, ref, cell)
