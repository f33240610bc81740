"""Loops over as many things as there are: places for hundreds are kept, and mostly few of them are taken.

At once means for all places. Where no game of a batch has more than the first few taken, the others are not looked at:
there are two of such a loop, a short one and a long one, and it is asked which is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from griddsl.backends.jax.arrays import Mask, Traced, Value, is_known
from griddsl.backends.jax.axes import cond, while_loop
from griddsl.backends.jax.loops.lanes import any_game
from griddsl.backends.jax.values import both, inverted, traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, of_block

FEW, LEAST_LONG = 32, 64  # rounds of a short loop, and above how many there is one


def may_be_few(walk: Walk, loop: ir.For | ir.ForEach | ir.Reduce, low: Value, high: Value) -> bool:
    """Whether a loop has many rounds at most, and how many is found out when it is run."""
    if walk.shape or walk.drawing is not None or walk.marks is not None:
        return False
    starts = is_known(low) and not np.ndim(low)
    return (
        starts
        and not is_known(high)
        and isinstance(loop.high, ir.Local)
        and loop.high.high - int(low) > LEAST_LONG
    )


def shortened(loop: Any, low: Value) -> Any:
    """Return a loop with the first few of its rounds."""
    return replace(loop, high=ir.within(loop.high, min(loop.high.low, int(low) + FEW), int(low) + FEW))


def by_need(walk: Walk, loop: ir.Stmt, is_long: Any, mask: Mask, run: Callable[[bool], Any]) -> Any:
    """Return what ``run`` gives of a loop, with True where the long way is needed by any game.

    It leaves no slot behind; what it reads is in its row before, and not put there again by each way.
    """
    walk.put_in(of_block([loop], walk.known).reads)
    before = dict(walk.arrays)

    def branch(long: bool) -> Callable[[], Any]:
        def found() -> Any:
            walk.arrays.clear()
            walk.arrays.update(before)
            return run(long)

        return found

    needed = any_game(both(mask, is_long))
    result = cond(needed, branch(True), branch(False))
    walk.arrays.clear()
    walk.arrays.update(before)
    return result


def reduced_by_need(
    walk: Walk, loop: ir.Reduce, low: Value, high: Value, given: Locals, mask: Mask, run: Callable[..., None]
) -> None:
    """Run a reduction, over all places where any game has more than the first few."""
    name, kind = loop.result.name, "bool" if loop.how in {"any", "all"} else loop.result.type

    def one(long: bool) -> Any:
        own = dict(given)
        run(walk, loop if long else shortened(loop, low), low, high, own, mask)
        return traced(own[name], kind, walk.whole)

    given[name] = by_need(walk, loop, goes_on(low, high), mask, one)


def may_store_few(walk: Walk, loop: ir.ForEach) -> bool:
    """Whether all that a loop does is to write to slots of many entries."""
    writes = walk.written.by(loop.body)
    may_be_kept = walk.slots.keys() - walk.passing
    return writes <= may_be_kept and all(walk.slots[name].length > 1 for name in writes)


def stored_by_need(
    walk: Walk, loop: ir.ForEach, low: Value, high: Value, given: Locals, mask: Mask, run: Callable[..., None]
) -> None:
    """Run a loop that writes, over all places where any game has more than the first few."""
    names = sorted(walk.written.by(loop.body))
    run(walk, shortened(loop, low), low, high, dict(given), mask)
    walk.count({EVERYTHING})
    end = ir.const(int(low) + FEW)
    others = replace(loop, low=end)
    before = dict(walk.arrays)
    start = [walk.whole_array(name) for name in names]

    def once(kept: Any) -> Any:
        walk.arrays.clear()
        walk.arrays.update(before)
        walk.arrays.update(zip(names, kept[1], strict=True))
        run(walk, others, end.value, high, dict(given), mask)
        return np.False_, [walk.whole_array(name) for name in names]

    # A loop of one round or none: where there is none, what is handed on stays where it is.
    needed = any_game(both(mask, goes_on(low, high)))
    _, found = while_loop(lambda kept: kept[0], once, (needed, start))
    walk.arrays.clear()
    walk.arrays.update(before)
    walk.arrays.update(zip(names, found, strict=True))


def goes_on(low: Value, high: Value) -> Traced:
    """Return whether a loop has more than the first few rounds."""
    return high > int(low) + FEW


def may_be_found_soon(walk: Walk, loop: ir.Reduce, low: Value, high: Value) -> bool:
    """Whether a loop looks for the first of many places, all of which there are."""
    if walk.shape or walk.drawing is not None or walk.marks is not None or loop.how != "first":
        return False
    return is_known(low) and is_known(high) and int(high) - int(low) > LEAST_LONG


def found_soon(
    walk: Walk, loop: ir.Reduce, low: Value, high: Value, given: Locals, mask: Mask, run: Callable[..., None]
) -> None:
    """Run a search of the first: among all places where any game does not find it among the first few."""
    name, kind = loop.result.name, loop.result.type
    end, hit = int(low) + FEW, ir.Local(f"{loop.result.name} is found", "bool", 0, 1)  # as no local is called
    short = replace(loop, high=ir.const(end))
    soon = {**given, hit.name: False}
    run(walk, replace(short, how="any", result=hit), low, end, soon, mask)
    run(walk, short, low, end, soon, mask)

    def one(long: bool) -> Any:
        own = dict(given) if long else soon
        if long:
            run(walk, loop, low, high, own, mask)
        return traced(own[name], kind, walk.whole)

    given[name] = by_need(walk, loop, inverted(soon[hit.name]), mask, one)
