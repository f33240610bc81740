"""Noisy: an entry of which another is seen with a chance; the two are of one form, and one space holds both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from griddsl.lowering.clauses.constants import is_exact
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import drawn, evaluate, evaluate_chance, names_of
from griddsl.lowering.sight.entries import Entry, joint_space
from griddsl.lowering.sight.shown import is_bare_word
from griddsl.lowering.sight.values import is_word
from griddsl.lowering.world.values import DIRECTION, NUMBER, Kinds, Texts, ValueType, Words
from griddsl.program import ir
from griddsl.program.spaces import Box, Discrete
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

Made: TypeAlias = Callable[[n.ObserveItem], Entry | None]


def shown_beside(ctx: Context, item: n.ObserveItem, other: n.ObserveItem, made: Made) -> Entry | None:
    """Return the entry of an item; a word by itself is one of those that the ``other`` shows."""
    if item.what != "value" or item.value is None or item.form is not None:
        return made(item)
    if not is_bare_word(ctx, item.value):
        return made(item)
    sort = _sort(ctx, other)
    if not isinstance(sort, Words):
        return made(item)
    value = evaluate(ctx.inner(scope=ctx.scope), item.value, sort)
    if value is None or not isinstance(value.expr, ir.Const):
        return None
    return _always(value.expr)


def noisy(ctx: Context, item: n.ObserveItem, entry: Entry, made: Made) -> Entry | None:
    """Join an entry and its noise: one draw decides which is seen."""
    assert item.noise is not None and item.chance is not None
    noise = shown_beside(ctx, item.noise, item, made)
    chance = evaluate_chance(ctx, item.chance)
    if noise is None or chance is None:
        return None
    shown = f"`{to_text(item).split(' with ')[0].removeprefix(f'{item.name} = ')}`"
    if (expected := _other_sort(ctx, item, item.noise)) is not None:
        expected = f"{expected}, such as {shown},"
        ctx.error("type", item.noise.span, found=f"`{to_text(item.noise)}`", expected=expected)
        return None
    entry, noise = _counted_beside(ctx, item, entry, noise), _counted_beside(ctx, item.noise, noise, entry)
    entry, noise = _of_one_domain(ctx, item, item.noise, entry, noise)
    space = joint_space(entry, noise)
    if space is None:
        found, expected = f"`{to_text(item.noise)}`", f"an entry of the same shape as {shown}"
        help = (
            "a whole number alone may stand beside what is counted" if _is_uncounted(entry, noise) else None
        )
        ctx.error("type", item.noise.span, found=found, expected=expected, help=help)
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


def _of_one_domain(
    ctx: Context, item: n.ObserveItem, other: n.ObserveItem, entry: Entry, noise: Entry
) -> tuple[Entry, Entry]:
    """Return two entries of words as of one domain, which has those of the first, then what else the second has."""
    first, second = _sort(ctx, item), _sort(ctx, other)
    names, others = (() if each is None else names_of(each) for each in (first, second))
    if not names or not others or names == others:
        return entry, noise
    if entry.value is None or noise.value is None:
        return entry, replace(noise, space=Discrete(0))  # a row of other words is of no one space with it
    joint = tuple(dict.fromkeys((*names, *others)))
    codes = [joint.index(each) for each in others]
    table, worth = ctx.writer.table(("RECODE", *codes), codes), noise.value
    recoded = Entry(Discrete(len(joint)), noise.form, lambda inner: ir.lookup(table, worth(inner)))
    return replace(entry, space=Discrete(len(joint))), recoded


def _other_sort(ctx: Context, item: n.ObserveItem, noise: n.ObserveItem) -> str | None:
    """Return what the noise of an item were to be, where one of the two is a word and the other is none."""
    first, second = _sort(ctx, item), _sort(ctx, noise)
    if first is None or second is None:
        return None
    named = [isinstance(each, Words | Kinds | Texts) for each in (first, second)]
    if named[0] == named[1]:
        return None
    return "a word" if named[0] else "a number" if first == NUMBER else "a condition"


def _sort(ctx: Context, item: n.ObserveItem) -> ValueType | None:
    """Return the type of what an item shows; None where it shows no single value, or a word by itself."""
    node = item.value
    if item.what != "value" or node is None or is_bare_word(ctx, node):
        return None
    if is_word(node, ctx):
        return DIRECTION if node.name == "facing" else None
    if isinstance(node, n.Call) and node.name in {"index", "flags"}:
        return NUMBER if node.name == "index" else None
    value = evaluate(ctx.inner(scope=ctx.scope), node)
    return None if value is None else value.type


def _counted_beside(ctx: Context, item: n.ObserveItem, entry: Entry, other: Entry) -> Entry:
    """Return a whole number that stands beside what is counted as one of its values."""
    is_number = isinstance(entry.space, Box) and entry.space.shape == (1,) and item.what == "value"
    if not is_number or not isinstance(other.space, Discrete) or item.value is None:
        return entry
    if not is_exact(ctx, item.value):
        return entry
    value = evaluate(ctx.inner(scope=ctx.scope), item.value)
    if value is None or not isinstance(value.expr, ir.Const) or value.expr.type != "int":
        return entry
    return _always(value.expr)


def _is_uncounted(entry: Entry, noise: Entry) -> bool:
    """Whether one of two is counted, and the other a number that is not."""
    spaces = (entry.space, noise.space)
    return any(isinstance(each, Discrete) for each in spaces) and any(
        isinstance(each, Box) and each.shape == (1,) for each in spaces
    )


def _always(value: ir.Const) -> Entry:
    """Return the entry of a constant that is counted."""
    return Entry(Discrete(1, int(value.value)), "value", lambda _: value)
