"""Owners: of whom or what a value is remembered, where it is not one of the game: agents, things, or cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from griddsl.diagnostics import listing
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import name_over
from griddsl.lowering.clauses.whereabouts import bind_cell, column, row
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.facts.made import may_bring
from griddsl.lowering.state.memories import Owner
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import CELL, NUMBER, Meaning, Ref, Value
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_KINDS_ALONE = frozenset({"kind", "over", "avoiding", "span"})  # fields that name no thing
_IN_PREV = "in `prev`: what it asks is kept as the step begins"


def owned(ctx: Context, node: n.Expression, is_lowest: bool) -> tuple[Owner | None, ir.Expr] | None:
    """Return of whom or what an expression is remembered, and of which of them here; None with a diagnostic."""
    subject = _subject(ctx, node)
    owners: dict[tuple[Kind | None, ir.Expr], Owner] = {}
    # In a rule about an object, `start` is where that object did.
    is_object = ctx.self_ref is not None and ctx.self_ref.category == "object"
    spoken_of = ("self" if name == "start" and is_object else name for name in _spoken_of(node))
    for name in () if is_lowest else dict.fromkeys(spoken_of):
        meaning = _meant(ctx, name)
        if meaning is None:
            continue
        if _is_refused(ctx, node.span, name, meaning):
            return None
        if isinstance(meaning, Value):
            key: tuple[Kind | None, ir.Expr] = (None, meaning.expr)
            owner = Owner((name,), None)
        else:
            key = (meaning.kind, meaning.index)
            others = meaning.others if meaning.any_of else ()
            owner = Owner((name,), meaning.kind, others, may_be_none=meaning.index.low < 0)
        names = owners[key].names if key in owners else ()
        owners[key] = replace(owner, names=(*names, name))
    if len(owners) + (subject is not None) > 1:
        whose = ["self"] if subject is not None else []
        several = listing([*(owner.names[0] for owner in owners.values()), *whose], "and")
        where = "in one `prev`: it keeps one value of each of a kind"
        help = "ask each in a `prev` of its own: `prev(self.x) - prev(car.x)`"
        ctx.error("wrong-place", node.span, what=several, where=where, help=help)
        return None
    if subject is not None:
        return Owner(("self",), subject.kind), subject.index
    return next(((owner, index) for (_, index), owner in owners.items()), (None, ir.const(0)))


def _meant(ctx: Context, name: str) -> Ref | Value | None:
    """Return what a name stands for around a clause; None where it means the same wherever it is asked."""
    writer = ctx.writer
    if name == "self":
        meaning: Meaning | None = ctx.self_ref
    elif name in {"x", "y"}:
        meaning = _cell_of_the_loop(ctx, name)
    else:
        meaning = ctx.scope.get(name)
    if isinstance(meaning, Value):
        return meaning
    if meaning is None or meaning.category == "agent" or meaning.several:
        return None
    if meaning == writer.named_things.get(name):
        return None
    return None if _is_made(ctx, meaning.kind) and not may_be_several(writer.facts, meaning.kind) else meaning


def _is_refused(ctx: Context, place: Span, name: str, meaning: Ref | Value) -> bool:
    """Report what a name stands for, where no memory can be of each such."""
    help: str | None = None
    if isinstance(meaning, Value):
        if meaning.type == CELL and meaning.asked is None and meaning.expr.low >= 0:
            return False
        where = f"{_IN_PREV}, before `{name}` is given"
        help = (
            f"ask what depends on `{name}` outside of it, of each thing or cell: `prev(box.weight) > {name}`"
        )
        if meaning.type == CELL:
            help = f"name what is there, and ask that: `let there = the box at {name}`, `prev(there.weight)`"
    elif any(_is_made(ctx, kind) for kind in (meaning.kind, *meaning.others)):
        where = f"{_IN_PREV}, and rules make a new `{meaning.kind.name}` in it"
        help = f"an attribute keeps what was: `was in 0..9`, set for each {meaning.kind.name} before the others change"
    if help is not None:
        ctx.error("wrong-place", place, what=f"`{name}`", where=where, help=help)
    return help is not None


def _is_made(ctx: Context, kind: Kind) -> bool:
    """Whether there can be things of a kind at the end of a step that were not there when it began."""
    return any(may_bring(ctx.world, effect, kind) for effect, _ in of_rules(ctx.world.spec))


def _cell_of_the_loop(ctx: Context, name: str) -> Value | None:
    """Return the cell of which `x` and `y` are the column and the row."""
    here = ctx.scope.get("here")
    if not isinstance(here, Value):
        return None
    part = column(ctx, here.expr) if name == "x" else row(ctx, here.expr)
    return here if ctx.scope.get(name) == Value(NUMBER, part) else None


def _spoken_of(part: object) -> Iterator[str]:
    """Yield the names by which an expression speaks of things and cells, but for those that it gives itself."""
    if isinstance(part, n.Name):
        yield part.name
    elif isinstance(part, tuple):
        for each in part:
            yield from _spoken_of(each)
    elif isinstance(part, n.Node):
        over = _goes_through(part)
        given = {"here", "x", "y"} if over == "cell" else {over}
        yield from _spoken_of(_reckoned_from(getattr(part, "over", None)))
        for each in fields(part):
            if each.name not in _KINDS_ALONE:
                yield from (name for name in _spoken_of(getattr(part, each.name)) if name not in given)


def _goes_through(node: n.Node) -> str | None:
    """Return what a node calls each of those that it asks, in its own conditions and values."""
    over: object = getattr(node, "over", None)
    if isinstance(node, n.Call):
        over = node.arguments[0] if node.name == "count" and node.arguments else node.each
    return name_over(over) if isinstance(over, n.KindName | n.OneOf) else getattr(over, "name", None)


def _reckoned_from(over: object) -> object:
    """Return what is said of those that a node goes through, outside of it: the ends of a range, a holder."""
    return over.domain if isinstance(over, n.Ranging) else over.holder if isinstance(over, n.Held) else None


def _subject(ctx: Context, node: n.Expression) -> Ref | None:
    """Return the agent, among several, that an expression speaks of as its subject: each remembers its own."""
    ref = ctx.self_ref
    if not ctx.world.several or ref is None or ref.category != "agent":
        return None
    names = {"self", "other", "agent", "start", ref.kind.name}
    speaks_of_it = any(
        (isinstance(part, n.KindName) and part.name in names)
        or (isinstance(part, n.Can) and part.left is None)
        or (isinstance(part, n.Relation) and part.name == "ahead")
        for part in walk(node)
    )
    return ref if speaks_of_it else None


def any_of(ctx: Context, owner: Owner | None) -> ir.Expr:
    """Return one of those of which something is remembered, whichever it is."""
    world = ctx.world
    if owner is None:
        return ir.const(0)
    if owner.kind is None or owner.kind.category == "tile":
        count = world.cells
    else:
        count = len(world.agents) if owner.kind.category == "agent" else ctx.writer.facts.capacity
    return ir.Local(ctx.names.fresh("i"), "int", -1 if owner.may_be_none else 0, count - 1)


def speaking(ctx: Context, owner: Owner | None, index: ir.Expr) -> Context:
    """Return a context in which an expression speaks of one of those of which it is remembered."""
    inner = ctx.inner(scope=dict(ctx.writer.named_things), self_ref=None)
    if owner is None:
        return inner
    if owner.kind is None:
        bind_cell(inner, index)
    for name in owner.names:
        if owner.kind is None:
            if name not in {"here", "x", "y"}:
                inner.bind(name, Value(CELL, index))
            continue
        ref = Ref(owner.kind, index, others=owner.others, any_of=bool(owner.others))
        if name == "self":
            inner = replace(inner, self_ref=ref)
        else:
            inner.bind(name, ref)
    return inner
