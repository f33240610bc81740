"""Keeping: a name goes on meaning the thing that it was given to, also where another takes its place in the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.facts.made import takes_a_place
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

_COUNTED = 2**16  # things that come to be in one place of the tables, until the count begins again
MOST_ACTS = 2**31 - 2  # acts, until their count begins again at 1: so wide as whole numbers are at work


def things_are_replaced(world: World) -> bool:
    """Whether an object that comes to be can take the place of one that was removed in the same step, or in setup."""
    spec = world.spec
    clauses: tuple[object, ...] = (spec.preparing, [rule.effects for rule in spec.rules])
    return any(_makes_objects(world, each) and changes_kinds(each) for each in clauses)


def may_replace(world: World, clauses: object) -> bool:
    """Whether effects can bring an object into the world that takes the place of one which was removed."""
    return _makes_objects(world, clauses) and things_are_replaced(world)


def _makes_objects(world: World, clauses: object) -> bool:
    """Whether effects can bring an object into the world, by themselves."""
    return any(takes_a_place(world, effect) for effect, _ in effects_in(clauses))


def changes_kinds(clauses: object) -> bool:
    """Whether effects may remove a thing, or turn it into another kind."""
    return any(can.loses(effect) for effect, can in effects_in(clauses))


def note_birth(ctx: Context, index: ir.Expr) -> None:
    """Emit that an object came to be in a place of the tables: it is none that a name meant before.

    Names mean nothing any more before the new one is given its attributes, which may ask for what was there.
    """
    if things_are_replaced(ctx.world):
        born = _born(ctx.writer)
        count = ir.mod(ir.add(ir.load(born, index), ir.const(1)), ir.const(_COUNTED))
        ctx.emit(ir.Store(born, index, count))
        refresh(ctx)


def _born(writer: Writer) -> ir.Slot:
    return writer.scratch("BORN", max(1, writer.facts.capacity), 0, _COUNTED - 1)


def _births(ctx: Context, index: ir.Expr) -> ir.Expr:
    """Return how many objects came to be in a place of the tables; 0 where it is none."""
    known = ir.within(index, 0, max(1, ctx.writer.facts.capacity) - 1)
    count = ir.load(_born(ctx.writer), known)
    return count if index.low >= 0 else ir.select(ir.ge(index, 0), count, ir.const(0))


def unreplaced(ctx: Context, index: ir.Expr) -> Callable[[], ir.Expr]:
    """Return what asks, after events, whether no other object has taken the place of one since."""
    if not things_are_replaced(ctx.world):
        return lambda: ir.TRUE
    since = ctx.let("births", _births(ctx, index))
    return lambda: ir.eq(_births(ctx, index), since)


def things_come(world: World) -> bool:
    """Whether rules can bring objects into the world."""
    return any(_makes_objects(world, rule.effects) for rule in world.spec.rules)


def note_newcomer(ctx: Context, index: ir.Expr) -> None:
    """Emit in which act an object came to be."""
    if things_come(ctx.world):
        ctx.emit(ir.Store(_born_in(ctx.writer), index, ir.load(act_slot(ctx.writer))))


def act_slot(writer: Writer) -> ir.Slot:
    """Return the slot of the number of the act that runs."""
    return writer.scratch("ACT", 1, 0, MOST_ACTS)


def _born_in(writer: Writer) -> ir.Slot:
    return writer.scratch("BORN_IN", max(1, writer.facts.capacity), 0, MOST_ACTS)


def which_of(ctx: Context, ref: Ref, newcomer: int) -> ir.Expr:
    """Return the number by which a subject of rules is told from others in an act; ``newcomer`` for what came in it.

    What comes to be in an act counts as one, however many they are: so an act in which one lets the next come ends.
    """
    if ref.category != "object" or not things_come(ctx.world):
        return ref.index
    is_new = ir.eq(ir.load(_born_in(ctx.writer), ref.index), ir.load(act_slot(ctx.writer)))
    return ir.select(is_new, ir.const(newcomer), ref.index)


def noted_births(ctx: Context, row: str, most: int, place: ir.Expr, index: ir.Expr) -> ir.Block:
    """Return what notes which object is at a place of a row that is kept over events."""
    if not things_are_replaced(ctx.world):
        return []
    return [ir.Store(ctx.writer.scratch(row, most, 0, _COUNTED - 1), place, _births(ctx, index))]


def is_of_births(ctx: Context, row: str, most: int, place: ir.Expr, index: ir.Expr) -> ir.Expr:
    """Return whether at a place of a row is still the object that was noted there."""
    if not things_are_replaced(ctx.world):
        return ir.TRUE
    noted = ctx.writer.scratch(row, most, 0, _COUNTED - 1)
    return ir.eq(_births(ctx, index), ir.load(noted, place))


def most_turns(world: World) -> int:
    """Return the largest of the numbers that say whose turn is to come."""
    return _COUNTED if things_are_replaced(world) else 1


def turn_of(ctx: Context, ref: Ref) -> ir.Expr:
    """Return the number that says that a thing's turn is to come: what takes its place meanwhile has another."""
    if ref.category != "object" or not things_are_replaced(ctx.world):
        return ir.const(1)
    return ir.add(_births(ctx, ref.index), ir.const(1))


def with_names_kept(ctx: Context, effects: object, test: ir.Expr = ir.TRUE) -> Context:
    """Return a context in which the names that effects speak of are kept: `refresh` lets them mean nothing in time.

    ``test`` says whether the names mean something at all.
    """
    kept = ctx.inner(block=ctx.block)
    given = ctx.inner()
    for name, meaning in list(kept.scope.items()):
        is_old = (
            name in ctx.writer.named_things
        )  # removing what setup named lets the name mean nothing by itself
        if not is_old and _speak_of(effects, name) and isinstance(meaning, Ref):
            kept.bind(name, _kept(kept, given, meaning))
    if kept.self_ref is not None:
        kept.self_ref = _kept(kept, given, kept.self_ref)
    ctx.block.extend(ir.when(test, given.block))
    return kept


def _speak_of(effects: object, name: str) -> bool:
    """Whether effects speak of what has a name: what is placed is only of that kind."""
    placed = {id(node.kind) for node in walk(effects) if isinstance(node, n.Place)}
    return any(
        isinstance(node, n.KindName) and node.name == name and id(node) not in placed
        for node in walk(effects)
    )


def _kept(ctx: Context, given: Context, ref: Ref) -> Ref:
    """Return a thing by a local of its own, -1 once another has taken its place; ``given`` is where it is set."""
    if ref.category != "object" or any(ref.index == local for local, _ in ctx.kept.values()):
        return ref
    if ref.index not in ctx.kept:
        last = max(1, ctx.writer.facts.capacity) - 1
        local = ctx.variable(f"the_{ref.kind.name}", ir.const(-1), -1, last)
        births = ctx.variable("births", ir.const(0), 0, _COUNTED - 1)
        given.emit(ir.Let(local.name, ref.index), ir.Let(births.name, _births(given, ref.index)))
        ctx.kept[ref.index] = local, births
    return replace(ref, index=ctx.kept[ref.index][0], on_map=False)


def refresh(ctx: Context, outside: Context | None = None) -> None:
    """Emit that names whose thing has made way for another mean nothing any more."""
    for local, since in ctx.kept.values():
        gone = ir.both(ir.ge(local, 0), ir.ne(_births(ctx, local), since))
        (outside or ctx).block.extend(ir.when(gone, [ir.Let(local.name, ir.const(-1))]))
