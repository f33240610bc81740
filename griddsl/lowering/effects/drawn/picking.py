"""Picking: ``choose t in alien`` draws things of a kind that are on the map, and gives them names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from griddsl.diagnostics import did_you_mean, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition
from griddsl.lowering.clauses.things import fits, for_each, kinds_over, name_over
from griddsl.lowering.clauses.unknown.kinds import singular
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import drawn_kind
from griddsl.lowering.world.values import CELL, Meaning, Ref, Value
from griddsl.program import ir, keys
from griddsl.syntax import nodes as n

Keep = Callable[[Context, str, Value, n.Choose], None]
MOST_COMBINATIONS = 1_000_000


def is_no_domain(ctx: Context, effect: n.Choose) -> bool:
    """Report ``choose t in aliens``: a single word, which is nearly a kind's name."""
    domain = effect.domain
    if not isinstance(domain, n.ChoiceDomain) or len(domain.values) > 1:
        return False
    (value,) = domain.values
    help: str | None
    if isinstance(value, n.Position) and _is_pair_of_words(ctx, value):
        help = write(
            f"{value.x.span.text} | {value.y.span.text}", ": alternatives are joined by `|`", value.span
        )
        ctx.error("type", value.span, found="a cell", expected="a domain", help=help)
        return _reported(ctx, effect)
    ends = _off_the_grid(ctx, value)
    if ends is not None:
        help = write(f"{ends[0]}..{ends[1]}", ": a range of numbers", value.span)
        ctx.error("type", value.span, found="a cell off the grid", expected="a domain", help=help)
        return _reported(ctx, effect)
    if isinstance(value, n.Name) and value.name in {*ctx.world.regions} - {*ctx.scope, *ctx.writer.variables}:
        return _report_region(ctx, effect, value)
    if not isinstance(value, n.Name) or not is_unknown(ctx, value.name):
        return False
    kind = singular(ctx.world, value.name)
    help = did_you_mean(value.name, ctx.world.kinds) if kind is None else write(kind.name)
    if help is None:
        return False
    where = f"`choose {', '.join(effect.names)}`"
    ctx.error("unknown-name", value.span, where=where, name=value.name, help=help)
    return _reported(ctx, effect)


def _report_region(ctx: Context, effect: n.Choose, region: n.Name) -> bool:
    """Report `choose spot in board`: a cell of a region is drawn as a random one."""
    everywhere = region.name == "cells"
    drawn = "random free" if everywhere else f"random free in {region.name}"
    help = write(drawn, ": a cell is drawn" if everywhere else ": a cell of it is drawn")
    found = "`cells`" if everywhere else f"the region `{region.name}`"
    ctx.error("type", region.span, found=found, expected="a domain", help=help)
    return _reported(ctx, effect)


def _off_the_grid(ctx: Context, value: n.Expression) -> tuple[int, int] | None:
    """Return the ends of what is meant as a range, `choose n in (1, 6)`: as a cell it would lie off the grid."""
    if not isinstance(value, n.Position):
        return None
    first, last = (getattr(each, "value", None) for each in (value.x, value.y))
    if not (isinstance(first, int | Fraction) and isinstance(last, int | Fraction) and first < last):
        return None
    inside = first < ctx.world.width and last < ctx.world.height
    return None if inside or first % 1 or last % 1 else (int(first), int(last))


def _is_pair_of_words(ctx: Context, value: n.Position) -> bool:
    """Whether a pair, as in ``choose mood in (calm, wild)``, is of words that nothing is called by."""
    words = [each.name for each in (value.x, value.y) if isinstance(each, n.Name)]
    return len(words) == 2 and all(is_unknown(ctx, word) for word in words)


def _reported(ctx: Context, effect: n.Choose) -> bool:
    """Note that nothing more is said of the names that a ``choose`` would have given."""
    ctx.writer.notes.reported.update(effect.names)
    return True


def picked_kind(ctx: Context, effect: n.Choose) -> n.KindName | n.OneOf | None:
    """Return the kind whose things a ``choose`` draws from; None where it draws values.

    A kind stands for all of its things, also where its name means one of them: `choose t in shelf`.
    """
    named = {name for name, meaning in ctx.scope.items() if not _is_of_kind(name, meaning)}
    known = {*named, *ctx.writer.variables, *ctx.world.params}
    return drawn_kind(ctx.world.kinds, effect.domain, known)


def _is_of_kind(name: str, meaning: Meaning) -> bool:
    return isinstance(meaning, Ref) and meaning.kind.name == name


def pick(ctx: Context, effect: n.Choose, of: n.KindName | n.OneOf, keep: Keep) -> None:
    """Emit the draws of a ``choose`` among the things of a kind; ``keep`` keeps a value for the episode."""
    kinds = kinds_over(ctx, of)
    kind, others = kinds[0], tuple(kinds[1:])
    most = _most(ctx, kind)
    if most ** len(effect.names) > MOST_COMBINATIONS and effect.where is not None:
        reason = (
            f"{most ** len(effect.names):,} combinations are too many to look at; choose one after the other"
        )
        ctx.error("bad-domain", effect.span, reason=reason)
        return
    things, found = _listed(ctx, kinds, of, effect)
    if effect.where is None or len(effect.names) == 1:
        picked = _one_after_another(ctx, effect, things, found, most)
    else:
        picked = _together(
            ctx, effect, Ref(kind, ir.const(0), others=others, any_of=bool(others)), things, found, most
        )
    if ctx.stage == "setup":
        nothing = ir.either(*(ir.lt(each, 0) for each in picked))
        why = f"no {name_over(of)} qualifies" if len(picked) == 1 else f"not as many {name_over(of)} qualify"
        names = ctx.report.as_written(", ".join(effect.names))
        failure = ir.Fail("no-place", effect.span, f"`{names}`\x00{why}")
        ctx.emit(ir.If(nothing, [failure], []))
    for name, index in zip(effect.names, picked, strict=True):
        _name(ctx, name, Ref(kind, index, others=others, any_of=bool(others)), effect, keep)


def _most(ctx: Context, kind: Kind) -> int:
    sizes = {"tile": ctx.world.cells, "agent": len(ctx.world.agents)}
    return max(1, sizes.get(kind.category, ctx.writer.facts.capacity))


def _listed(
    ctx: Context, kinds: list[Kind], of: n.KindName | n.OneOf, effect: n.Choose
) -> tuple[ir.Slot, ir.Local]:
    """Emit the list of the things that may be drawn, in their order; a single name's condition is asked of each."""
    most = _most(ctx, kinds[0])
    writer = ctx.writer
    writer.loops += 1
    things = writer.scratch(("THINGS", writer.loops), most, 0, most - 1)
    found = ctx.variable("found", ir.const(0), 0, most)

    def body(inner: Context, ref: Ref) -> None:
        if name_over(of) not in ctx.scope:  # else it goes on meaning the thing that it was given to
            inner.bind(name_over(of), ref)
        test = fits(inner, ref, of)
        if effect.where is not None and len(effect.names) == 1:
            inner.bind(effect.names[0], ref)
            test = ir.both(test, condition(inner, effect.where, True))
        inner.block.extend(ir.when(test, [ir.Hit(ref.index)]))

    for_each(ctx, kinds[0], body, loop=ir.collected(things, found), others=tuple(kinds[1:]))
    return things, found


def _one_after_another(
    ctx: Context, effect: n.Choose, things: ir.Slot, found: ir.Local, most: int
) -> list[ir.Expr]:
    """Draw one thing after the other; distinct ones from those that are left, of which the first takes its place."""
    picked: list[ir.Expr] = []
    for number, name in enumerate(effect.names):
        first = number if effect.distinct else 0
        thing = ctx.variable(name, ir.const(-1), -1, most - 1)
        inner = ctx.inner()
        left = ir.claim(ir.sub(found, ir.const(first)), 1, most, "there are more than were drawn")
        place = inner.let("place", ir.add(ir.drawn(left, most - 1), ir.const(first)))
        place = ir.claim(place, 0, most - 1, "what is drawn is one of those left")
        inner.emit(ir.Let(thing.name, ir.load(things, place)))
        if effect.distinct and number + 1 < len(effect.names):
            inner.emit(ir.Store(things, place, ir.load(things, ir.const(min(first, most - 1)))))
        ctx.emit(ir.If(ir.compare(">", found, ir.const(first)), inner.block, []))
        picked.append(thing)
    return picked


def _together(
    ctx: Context, effect: n.Choose, of: Ref, things: ir.Slot, found: ir.Local, most: int
) -> list[ir.Expr]:
    """Draw one of the combinations of which the condition holds, the last name counting fastest."""
    writer, names = ctx.writer, effect.names
    size = most ** len(names)
    listed = writer.scratch(("COMBINATION", size), size, 0, size - 1)
    qualify = ctx.variable("qualify", ir.const(0), 0, size)
    places = [ir.Local(ctx.names.fresh("i"), "int", 0, most - 1) for _ in names]
    inner = ctx.inner()
    number: ir.Expr = ir.const(0)
    tests: list[ir.Expr] = []
    for index, (name, place) in enumerate(zip(names, places, strict=True)):
        inner.bind(name, replace(of, index=inner.let(name, ir.load(things, place))))
        number = ir.add(ir.mul(number, ir.const(most)), place)
        tests += [ir.ne(place, other) for other in places[:index]] if effect.distinct else []
    assert effect.where is not None
    tests.append(condition(inner, effect.where, True))
    body = [*inner.block, *ir.when(ir.both(*tests), [ir.Hit(number)])]
    loop: ir.Loop = ir.collected(listed, qualify)
    for place in reversed(places):
        body = [loop(place.name, ir.const(0), found, body)]
        loop = ir.For
    ctx.emit(*body)
    picked = [ctx.variable(name, ir.const(-1), -1, most - 1) for name in names]
    drawn = ctx.inner()
    which = ir.claim(qualify, 1, size, "one qualifies")
    combination = drawn.let("combination", ir.load(listed, drawn.let("drawn", ir.drawn(which, size - 1))))
    for index, thing in enumerate(picked):
        digit = ir.mod(ir.div(combination, ir.const(most ** (len(names) - 1 - index))), ir.const(most))
        drawn.emit(ir.Let(thing.name, ir.load(things, digit)))
    ctx.emit(ir.If(ir.compare(">", qualify, ir.const(0)), drawn.block, []))
    return list(picked)


def _name(ctx: Context, name: str, ref: Ref, effect: n.Choose, keep: Keep) -> None:
    """Let a name mean what was drawn: to the end of the block in a rule, for the episode in setup."""
    if ctx.stage != "setup":
        ctx.bind(name, ref)
        return
    if ref.category == "tile":
        keep(ctx, name, Value(CELL, ref.index), effect)
        return
    writer = ctx.writer
    before = writer.named_things.get(name)
    if before is not None and (before.kind, before.others) != (ref.kind, ref.others):
        help = f"here it means one {ref.kind.name}, and elsewhere one {before.kind.name}: give them two names"
        ctx.error("duplicate-name", effect.span.word(name), name=name, help=help)
        return
    slot = writer.slot((keys.CHOSEN, name), 1, -1, _most(ctx, ref.kind) - 1, initial=(-1,))
    ctx.emit(ir.Store(slot, ir.const(0), ref.index))
    named = replace(ref, index=ir.load(slot))
    writer.named_things[name] = named
    ctx.bind(name, named)
