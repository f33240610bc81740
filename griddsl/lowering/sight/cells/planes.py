"""Planes: the entries of ``as planes``, and what each shows in a cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import converted, evaluate
from griddsl.lowering.clauses.unknown.names import is_unknown, report_unknown
from griddsl.lowering.clauses.whereabouts import IS_SELF, bind_cell
from griddsl.lowering.conditions.finding import found_in_cell
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import NUMBER, Ref, Truths, Words
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def ref_in_cell(ctx: Context, kind: Kind, cell: ir.Expr) -> Ref:
    """Return the thing of a kind that stands in a cell, as far as one does."""
    if kind.category == "tile":
        return Ref(kind, cell)
    if kind.category == "agent":
        members = [i for i, each in enumerate(ctx.world.agents) if kind.name in {"agent", each.name}]
        return Ref(kind, ir.const(members[0] if members else 0))
    return Ref(kind, ctx.let("thing", ir.load(ctx.writer.layer_slot(kind.layer), cell)))


def asked_of_cell(node: n.Node, named: frozenset[str] = frozenset()) -> Iterator[n.Node]:
    """Yield the parts of a plane that speak of what is in the cell: not those about what a clause of it looks at."""
    named |= {_looked_at(node)}
    asks = node.owner if isinstance(node, n.Attribute) else node.left if isinstance(node, n.Is) else None
    if getattr(asks, "name", None) not in named:
        yield node
    for name in n.PARTS[type(node)]:
        part = getattr(node, name)
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, n.Node):
                yield from asked_of_cell(each, named)


def _looked_at(node: n.Node) -> str:
    """Return the name of the kind whose things a clause goes through: `any K where C`, `count(K where C)`."""
    over: n.Expression | n.Ranging | n.Held | None = None
    match node:
        case n.Some() | n.Superlative():
            over = node.over
        case n.Call("count", (over, *_)):
            pass
        case n.Call():
            over = node.each
        case n.Relation(left=n.Quantified() as side) | n.Is(left=n.Quantified() as side):
            over = side.kind
    if isinstance(over, n.OneOf):
        return over.called
    return "" if isinstance(over, n.Ranging) else getattr(over, "name", "")


# "kind", "cells" or "value", its node, its number, of how many.
Plane: TypeAlias = tuple[str, n.Expression | n.CellsFor, int, int]


def plane_entries(ctx: Context, form: n.Form | None) -> list[tuple[str, n.Expression | n.CellsFor]]:
    """Return the planes: ``kind`` with its node, ``cells`` that things speak of, or ``value`` with an expression."""
    if form is None or not form.entries:
        return [("kind", n.Name(kind.name, kind.span)) for kind in ctx.world.kind_list]
    found: list[tuple[str, n.Expression | n.CellsFor]] = []
    for entry in form.entries:
        if isinstance(entry, n.Code):
            _report_two(ctx, entry)
            continue
        if isinstance(entry, n.CellsFor):
            found.append(("cells", entry))
            continue
        entry = agent_meant(ctx, entry)
        is_kind = isinstance(entry, n.KindName) and entry.name in ctx.world.kinds
        found.append(("kind" if is_kind else "value", entry))
    return found


def _report_two(ctx: Context, entry: n.Code) -> None:
    """Report two things in one entry: `wall 0` as codes have it, `red key`, or `wall key` without its comma."""
    if isinstance(entry.number, n.Number):
        help: str = "planes have no numbers; `grid as codes (wall 0, floor 1)` has"
        ctx.error("syntax", entry.number.span, found="a number behind a kind", expected="`,`", help=help)
        return
    word, name = to_text(entry.kind), to_text(entry.number)
    kind = ctx.world.kinds.get(name)
    attributes = {} if kind is None else kind.attributes
    given = [each for each, has in attributes.items() if word in has.domain.words]
    help = write(f"{name}({given[0]}={word})" if given else f"{word}, {name}", place=entry.span)
    ctx.error("syntax", entry.number.span, found=f"`{name}`", expected="`,`", help=help)


def plane_value(ctx: Context, node: n.Expression, cell: ir.Expr) -> tuple[ir.Expr, bool]:
    """Return what an expression is for a cell, 0 where a thing that it names is not, and whether it is a condition."""
    world = ctx.world
    bind_cell(ctx, cell)
    if isinstance(node, n.Name) and is_unknown(ctx, node.name):
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return ir.const(0), True
    there: list[ir.Expr] = []
    _report_apart(ctx, node)
    for part in asked_of_cell(node):
        kind = _asked_for_an_attribute(part, world)
        if kind is not None:
            alone = kind.category == "agent" and not world.several
            if isinstance(ctx.scope.get(kind.name), Ref) or alone:
                continue
            if kind.category == "agent":
                # Of several it is the one in the cell; `self` is the one that looks.
                there.append(found_in_cell(ctx, cell, kind, {}, kind.name))
                continue
            ref = ref_in_cell(ctx, kind, cell)
            ctx.bind(kind.name, ref)
            there.append(found_in_cell(ctx, cell, kind, {}, None))
    inner = ctx.inner()
    worth = evaluate(inner, node, NUMBER)
    if worth is None:
        return ir.const(0), True
    is_truth = isinstance(worth.type, Truths)
    if isinstance(worth.type, Words) and isinstance(node, n.Name | n.Attribute):
        text = to_text(node)
        each = write(", ".join(f"{text} is {word}" for word in worth.type.words), ": a plane for each word")
        ctx.error("type", node.span, found=str(worth.type), expected="a number or a condition", help=each)
        return ir.const(0), True
    value = ir.as_number(worth.expr) if is_truth else converted(inner, worth, NUMBER, node.span)
    if value is None:
        return ir.const(0), True
    if is_truth and not there:
        ctx.block.extend(inner.block)
        return value, True
    zero = ir.const(0) if is_truth else ir.Const(0.0, "real")
    result = ctx.variable("value", zero, min(0.0, value.low), max(0.0, value.high))
    inner.emit(ir.Let(result.name, value))
    ctx.block.extend(ir.when(ir.both(*there), inner.block))
    return result, is_truth


def _report_apart(ctx: Context, node: n.Expression) -> None:
    """Warn of a plane that speaks of things of two kinds which no cell has both: it shows nothing anywhere."""
    first: dict[tuple[str, str | None], Kind] = {}
    for part in asked_of_cell(node):
        kind = _asked_for_an_attribute(part, ctx.world)
        if kind is None or kind.category == "agent" or isinstance(ctx.scope.get(kind.name), Ref):
            continue
        other = first.setdefault((kind.category, kind.layer if kind.category == "object" else None), kind)
        if other is not kind:
            sums = (
                f"sum({each}.{_attribute_of(node, each)} for {each} where {each} at here)"
                for each in (other.name, kind.name)
            )
            help = "write a plane for each"
            if isinstance(node, n.Arithmetic | n.IfElse):
                help += f"; or their sum, `{' + '.join(sums)}`, where what is not there counts as 0"
            ctx.writer.report.add("plane-of-two", node.span, name=other.name, other=kind.name, help=help)
            return


def _attribute_of(node: n.Expression, name: str) -> str:
    """Return the attribute that a plane asks a kind for."""
    for part in asked_of_cell(node):
        if isinstance(part, n.Attribute) and getattr(part.owner, "name", "") == name:
            return part.name
    return "attribute"


def _asked_for_an_attribute(node: n.Node, world: World) -> Kind | None:
    """Return the kind that a part of a plane asks for an attribute: `lamp.lit`, `lamp is lit`, `door is open`."""
    match node:
        case n.Attribute(owner=n.Name(name)):
            return world.kinds.get(name)
        case n.Is(left=n.Name(name), right=n.Name(word)) if (kind := world.kinds.get(name)) is not None:
            words = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
            return kind if word in words or word in kind.attributes else None
    return None


def agent_meant(ctx: Context, node: n.Expression) -> n.Expression:
    """Return the kind of agents that `self`, `other` and `other K` stand for: who looks, and all the others."""
    name = node.name if isinstance(node, n.Name) else ""
    if name in ctx.world.kinds or (name not in {"self", "other"} and not isinstance(node, n.Other)):
        return node
    kind = getattr(node.kind, "name", "") if isinstance(node, n.Other) else "agent"
    found = ctx.world.kinds.get(kind)
    if found is None or found.category != "agent":
        return node
    if name != "self" and not ctx.world.several:
        ctx.error("no-other", node.span, name=name or f"other {kind}", count=0, help=None)
    return n.Pattern(kind, ((IS_SELF, n.Truth(name == "self", node.span)),), node.span)
