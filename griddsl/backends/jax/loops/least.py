"""Loops that look for the one that comes first by a number, or for the least number: found among all rounds at once.

Written as a loop, each round asks whether its number is less than that of the best so far. Of equal ones the first is
kept: so it is the first round whose number is the least of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import Mask, Traced, Value, is_known
from griddsl.backends.jax.loops import folding
from griddsl.backends.jax.loops.few import FEW, by_need, goes_on, may_be_few
from griddsl.backends.jax.values import as_type, both, traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.effects import Known, of_block

MOST = 2**20  # rounds, all of which are looked at


@dataclass(frozen=True)
class Least:
    """What such a loop asks: which rounds are meant, and by what they are ordered; ``best`` holds the round found."""

    best: ir.Local
    meant: ir.Expr
    key: ir.Load
    descends: bool


def first_by_number(loop: ir.For, given: Locals) -> Least | None:
    """Return what a loop asks that does nothing else, and has found nothing before; None of any other."""
    match [statement for statement in loop.body if not isinstance(statement, ir.Note)]:
        case [
            ir.If(
                meant,
                [
                    ir.If(
                        ir.Op(
                            "or",
                            (
                                ir.Op("<", (ir.Local(asked), ir.Const(0))),
                                ir.Op(
                                    "<" | ">" as sign,
                                    (
                                        ir.Load(keys, ir.Local(number)) as key,
                                        ir.Load(others, ir.Op("max", (ir.Local(other), ir.Const(0)))),
                                    ),
                                ),
                            ),
                        ),
                        [ir.Let(best, ir.Local(found) as round_)],
                        [],
                    )
                ],
                [],
            )
        ] if {asked, other} == {best} and {number, found} == {loop.name} and keys is others:
            local = ir.Local(best, "int", -1, round_.high)
            simple = not any(
                isinstance(part, ir.Call | ir.Draw | ir.Ask)
                or (isinstance(part, ir.Local) and part.name == best)
                for part in ir.parts(meant)
            )
            begins = is_known(given[best]) and not np.ndim(given[best]) and given[best] == -1
            few = loop.high.high - loop.low.low <= MOST
            return Least(local, meant, key, sign == ">") if simple and begins and few else None
    return None


def _ranked(key: ir.Load | ir.Local, descends: bool, found: Traced, count: int) -> Traced | None:
    """Return numbers from 0 on, so many apart, in the order of keys; None where 32 bits do not hold them."""
    low, high = (-key.high, -key.low) if descends else (key.low, key.high)
    if key.type != "int" or (high - low + 1) * count >= np.iinfo(np.int32).max:
        return None
    return (lax.convert_element_type(found, np.int32) - np.int32(low)) * np.int32(count)


def run_least(
    walk: Walk, loop: ir.For, asks: Least, low: Value, high: Value, given: Locals, mask: Mask
) -> None:
    """Run such a loop from ``low`` to before ``high``."""
    whole = walk.whole
    first = int(low) if is_known(low) else int(loop.low.low)
    end = int(high) if is_known(high) else int(loop.high.high)

    def found(long: bool) -> Traced:
        rows = np.arange(first, end if long else min(end, first + FEW)).astype(whole)
        walk.shape = rows.shape
        own = {**given, loop.name: rows}
        meant = as_type(walk.value(asks.meant, own, mask), "bool", whole)
        key = traced(walk.value(asks.key, own, mask), asks.key.type, whole)
        walk.shape = ()
        for inside in (True if is_known(low) else rows >= low, True if is_known(high) else rows < high):
            meant = both(meant, inside)
        key = -key if asks.descends else key
        ranked = _ranked(asks.key, asks.descends, key, len(rows))
        if ranked is not None:
            # The number and the place in one: the least of both is found in one pass.
            none = np.int32(np.iinfo(np.int32).max)
            rank = folding.least_of(jnp.where(meant, ranked + np.arange(len(rows), dtype=np.int32), none))
            place = lax.rem(rank, np.int32(len(rows))) + np.int32(first)
            return jnp.where(rank < none, lax.convert_element_type(place, whole), jnp.asarray(-1, whole))
        most = np.inf if asks.key.type == "real" else np.iinfo(key.dtype).max
        first_key = folding.least_of(jnp.where(meant, key, jnp.asarray(most, key.dtype)))
        place = folding.least_of(jnp.where(both(meant, key == first_key), rows, jnp.asarray(end, whole)))
        return jnp.where(place < end, place, jnp.asarray(-1, whole))

    is_mostly_few = may_be_few(walk, loop, low, high)
    given[asks.best.name] = (
        by_need(walk, loop, goes_on(low, high), mask, found) if is_mostly_few else found(True)
    )


@dataclass(frozen=True)
class Best:
    """What a loop finds that keeps the least number so far, or the most: ``search`` hits where a number is asked for.

    ``found`` is then what ``index`` is in that round; it is -1 where nothing is found.
    """

    found: str
    index: ir.Local | ir.Const
    descends: bool
    search: ir.Reduce


def best_of(loop: ir.For, given: Locals, known: Known) -> Best | None:
    """Return what a loop finds that does nothing else, and has found nothing before; None of any other."""
    kept = list(_last_blocks(loop.body))
    if len(kept) != 1:
        return None
    match kept[0]:
        case ir.If(
            ir.Op(
                "or",
                (
                    ir.Op("<", (ir.Local(found), ir.Const(0))),
                    ir.Op("<" | ">" as sign, (value, ir.Local(best))),
                ),
            ),
            [ir.Let(set, ir.Local() | ir.Const() as index), ir.Let(kept_in, taken)],
            [],
        ) if (found, best, value) == (set, kept_in, taken):
            pass
        case _:
            return None
    begins = found in given and is_known(given[found]) and np.all(given[found] == -1)
    body = _with_hit(loop.body, kept[0], value)
    effects = of_block(body, known)
    asked = {
        part.name for each in _expressions(body) for part in ir.parts(each) if isinstance(part, ir.Local)
    }
    hands_on = effects.sets & given.keys() or {found, best} & (asked | effects.sets)
    is_known_before = isinstance(index, ir.Local) and index.name != loop.name
    if not begins or effects.writes or hands_on or is_known_before or value.type == "bool":
        return None
    result = ir.Local(best, value.type, value.low, value.high)
    search = ir.Reduce("last", result, loop.name, loop.low, loop.high, body)
    return Best(found, index, sign == ">", search)


def _last_blocks(block: ir.Block) -> Iterator[ir.If]:
    """Yield the conditions, in conditions that stand last, in whose blocks there are only locals that are kept."""
    match block:
        case [*_, ir.If(_, [ir.Let(), ir.Let()], []) as last]:
            yield last
        case [*_, ir.If(_, then, [])]:
            yield from _last_blocks(then)


def _with_hit(block: ir.Block, kept: ir.If, value: ir.Expr) -> ir.Block:
    """Return the body of a loop that hits where it would ask whether the number is the best so far."""
    if block[-1] is kept:
        return [*block[:-1], ir.Hit(value)]
    last = block[-1]
    assert isinstance(last, ir.If)
    return [*block[:-1], ir.If(last.test, _with_hit(last.then, kept, value), [])]


def _expressions(block: ir.Block) -> Iterator[ir.Expr]:
    for statement in ir.statements(block):
        yield from ir.values_of(statement)


def least_and_place(hits: Traced, numbers: Traced, range: ir.Local, descends: bool) -> tuple[Traced, Traced]:
    """Return the least number of the rounds that hit, or the most, and the first round that has it.

    Both are any where none hits.
    """
    count = hits.shape[0]
    places = np.arange(count, dtype=np.int32).reshape((count,) + (1,) * (hits.ndim - 1))
    ranked = _ranked(range, descends, -numbers if descends else numbers, count)
    if ranked is not None:
        none = np.int32(np.iinfo(np.int32).max)
        rank = folding.least_of(jnp.where(hits, ranked + places, none))
        number = lax.convert_element_type(lax.div(rank, np.int32(count)), numbers.dtype)
        return (range.high - number if descends else number + range.low), lax.rem(rank, np.int32(count))
    last: float = np.inf if range.type == "real" else np.iinfo(numbers.dtype).max
    last = (-np.inf if range.type == "real" else np.iinfo(numbers.dtype).min) if descends else last
    asked = jnp.where(hits, numbers, jnp.asarray(last, numbers.dtype))
    least = folding.greatest_of(asked) if descends else folding.least_of(asked)
    return least, folding.least_of(jnp.where(both(hits, numbers == least), places, np.int32(count)))
