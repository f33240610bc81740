"""Loops that look for the one that comes first by a number: it is found among all rounds at once.

Written as a loop, each round asks whether its number is less than that of the best so far. Of equal ones the first is
kept: so it is the first round whose number is the least of all.
"""

from __future__ import annotations

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


def _ranked(key: ir.Load, descends: bool, found: Traced, count: int) -> Traced | None:
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
