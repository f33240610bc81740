"""Loops in which few rounds do something: the next of them is searched among all at once, and only those are run.

A loop over the things of a game asks each of them whether it is meant, and most are not. What a round asks follows
from what is there when its turn comes; as rounds that are not meant change nothing, the next one that is can be found
before it is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import Mask, Traced, Value, is_known
from griddsl.backends.jax.loops.carrying import Carried
from griddsl.backends.jax.loops.few import FEW, by_need, goes_on, may_be_few
from griddsl.backends.jax.loops.folding import least_of
from griddsl.backends.jax.loops.lanes import any_game, run_masked
from griddsl.backends.jax.values import as_type, both
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir

LEAST, MOST = 32, 4_096  # rounds: of fewer, the search takes as long as they do


def may_search(loop: ir.For) -> bool:
    """Whether a loop does nothing but what stands under tests, which are simple."""
    return LEAST <= loop.high.high - loop.low.low <= MOST and bool(_tests(loop.body))


def _tests(block: Sequence[ir.Stmt]) -> list[tuple[list[ir.Let], ir.Expr]]:
    """Return tests, each with the locals that are found before it, under which all stands that a block does."""
    statements = [statement for statement in block if not isinstance(statement, ir.Note)]
    match statements:
        case [*lets, ir.If(test, then, [])] if all(
            isinstance(each, ir.Let) and _is_simple(each.value) for each in lets
        ) and _is_simple(test):
            return [([each for each in lets if isinstance(each, ir.Let)], test), *_tests(then)]
    return []


def _is_simple(value: ir.Expr) -> bool:
    return not any(isinstance(part, ir.Call | ir.Draw | ir.Ask) for part in ir.parts(value))


def run_search(walk: Walk, loop: ir.For, low: Value, high: Value, given: Locals, mask: Mask) -> None:
    """Run such a loop from ``low`` to before ``high``, with one round for each number whose tests hold."""
    whole, tests = walk.whole, _tests(loop.body)
    first = int(low) if is_known(low) else int(loop.low.low)
    end = int(high) if is_known(high) else int(loop.high.high)
    numbers = np.arange(first, end).astype(whole)
    none = jnp.asarray(end, whole)
    carried = Carried(walk, loop.body, given)

    def next_in(own: Locals, start: Value, wanted: Any, count: int) -> Traced:
        """Return the first of so many numbers, from ``start`` on, that is meant; ``none`` if there is none."""
        row = numbers[:count]
        inside = both(
            True if is_known(low) else row >= low,
            True if is_known(high) else row < high,
        )
        meant = both(both(inside, True if start is None else row >= start), wanted)
        own = {**own, loop.name: row}
        walk.shape = row.shape
        for lets, test in tests:
            walk.block(lets, own, True)
            meant = both(meant, as_type(walk.value(test, own, True), "bool", whole))
        walk.shape = ()
        return least_of(jnp.where(jnp.broadcast_to(meant, row.shape), row, none))

    is_mostly_few = may_be_few(walk, loop, low, high)

    def next_of(own: Locals, start: Value, wanted: Any) -> Traced:
        """Return the first number from ``start`` on that is meant; ``none`` if there is none."""
        if not is_mostly_few:
            return next_in(own, start, wanted, len(numbers))
        return by_need(
            walk,
            loop,
            goes_on(low, high),
            wanted,
            lambda long: next_in(own, start, wanted, len(numbers) if long else FEW),
        )

    def is_left(state: Any) -> Traced:
        return any_game(state[0] < none)

    def once(state: Any) -> Any:
        number, kept = state
        own = carried.unpack(kept, given)
        own[loop.name] = number
        active = number < none
        run_masked(walk, loop.body, own, active)
        return next_of(own, number + jnp.asarray(1, whole), active), carried.pack(own)

    _, kept = axes.while_loop(is_left, once, (next_of(given, None, mask), carried.pack(given)))
    given.update(carried.unpack(kept, given))
