"""Loops as arrays: independent rounds and reductions are done at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import (
    Collected,
    Mask,
    Traced,
    Value,
    is_known,
    packed,
    varies,
)
from griddsl.backends.jax.known.nests import Nest, nest_of
from griddsl.backends.jax.loops import serial
from griddsl.backends.jax.loops.few import (
    by_need,
    found_soon,
    goes_on,
    may_be_few,
    may_be_found_soon,
    may_store_few,
    reduced_by_need,
    shortened,
    stored_by_need,
)
from griddsl.backends.jax.loops.folding import any_of, greatest_of, least_of, picked, total_of
from griddsl.backends.jax.loops.least import Best, best_of, least_and_place
from griddsl.backends.jax.loops.marking import Marking, marked, marking_of
from griddsl.backends.jax.loops.stretches import stretch_of
from griddsl.backends.jax.output import length_of, mark
from griddsl.backends.jax.settling import settled
from griddsl.backends.jax.values import as_type, both, chosen, either, inverted, rounded, traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.effects import of_block

FEW = 4  # rounds: fewer may as well find again what all need
MOST_ASKED = 16  # rounds that are looked at one by one, because most of them may come to no hit
MOST_AT_ONCE = 2**20  # rounds of all loops around


def run(walk: Walk, loop: ir.For | ir.ForEach | ir.Reduce | ir.While, given: Locals, mask: Mask) -> None:
    """Run a loop."""
    if isinstance(loop, ir.While):
        serial.run_while(walk, loop, given, mask)
        return
    if walk.drawing is not None and walk.drawing[0] is loop:
        walk.drawing[1].append((mask, dict(given)))
        return
    low, high = walk.value(loop.low, given, mask), walk.value(loop.high, given, mask)
    if is_known(low) and is_known(high) and np.all(low >= high):
        return
    if isinstance(loop, ir.For):
        _run_for(walk, loop, low, high, given, mask)
    elif isinstance(loop, ir.Reduce) and loop.how != "collect" and may_be_few(walk, loop, low, high):
        reduced_by_need(walk, loop, low, high, given, mask, _run_at_once)
    elif isinstance(loop, ir.ForEach) and may_be_few(walk, loop, low, high) and may_store_few(walk, loop):
        stored_by_need(walk, loop, low, high, given, mask, _run_at_once)
    elif isinstance(loop, ir.Reduce) and may_be_found_soon(walk, loop, low, high):
        found_soon(walk, loop, low, high, given, mask, _run_at_once)
    else:
        _run_at_once(walk, loop, low, high, given, mask)


def _run_at_once(
    walk: Walk, loop: ir.ForEach | ir.Reduce, low: Value, high: Value, given: Locals, mask: Mask
) -> None:
    """Run all rounds of a loop at once."""
    first, last = _ends(loop, low, high)
    count = last - first
    if count <= 0:
        return
    if isinstance(loop, ir.Reduce) and is_known(low) and is_known(high) and count <= MOST_ASKED:
        few = _few_hits(walk, loop, range(first, last), given)
        if few is not None:
            given[loop.result.name] = _with_any(walk, loop, given[loop.result.name], few)
            return
    _begin(walk, loop, count, given)
    rounds, inside = _numbered(walk, range(first, last), low, high)
    around = walk.shape
    walk.shape = (count, *around)
    if isinstance(loop, ir.ForEach):
        own = {**given, loop.name: rounds}
        walk.block(loop.body, own, both(mask, inside))
        walk.shape = around
        if not around:
            _settle_slots(walk, loop.body)
        return
    stretch = stretch_of(loop, low, high)
    hits, value = _Rounds(walk).hit(loop, {**given, loop.name: rounds}, inside if stretch is None else True)
    walk.shape = around
    if stretch is not None:
        if stretch.fits(hits, (count, *around)):
            found = jnp.broadcast_to(stretch.any_of(hits), around)
            given[loop.result.name] = _with_any(walk, loop, given[loop.result.name], found)
            return
        hits = both(inside, hits)
    if value is None and loop.how in {"first", "last", "sum", "collect"}:
        return  # no test before a hit ever holds
    shape = (count, *around)
    hits = np.broadcast_to(hits, shape) if is_known(hits) else jnp.broadcast_to(hits, shape)
    before = given[loop.result.name]
    if loop.how == "collect":
        given[loop.result.name] = _collected(walk, loop, before, hits, value, mask)
        return
    kind = "bool" if loop.how in {"any", "all"} else loop.result.type
    given[loop.result.name] = _reduced(walk, loop, before, jnp.asarray(hits), value, kind)


def _settle_slots(walk: Walk, body: Sequence[ir.Stmt]) -> None:
    """Let the slots that rounds write be found there, and not again for each entry that is looked up in them."""
    names = sorted(walk.written.by(body) & walk.arrays.keys() - walk.passing)
    if names:
        rows = settled([walk.whole_array(name) for name in names])
        walk.arrays.update(zip(names, rows, strict=True))


def _begin(walk: Walk, loop: ir.ForEach | ir.Reduce, count: int, given: Locals) -> None:
    """Find before all rounds what is the same for all: a count that one asks for, locals that many do."""
    if not walk.shape and walk.owed:
        walk.count(of_block([loop], walk.known).reads)
    if count >= FEW:
        walk.settle_locals(loop.body, given)


def _numbered(walk: Walk, rounds: range, low: Value, high: Value) -> tuple[Any, Value]:
    """Return the numbers of all rounds that there can be, along an axis of their own, and which of them there are."""
    numbers = np.array(rounds).reshape((len(rounds),) + (1,) * len(walk.shape))
    inside: Value = True
    if varies(low):
        inside = both(inside, numbers.astype(walk.whole) >= low)
    if varies(high):
        inside = both(inside, numbers.astype(walk.whole) < high)
    return numbers, inside


def _run_for(walk: Walk, loop: ir.For, low: Value, high: Value, given: Locals, mask: Mask) -> None:
    """Run a loop whose rounds may see each other: at once where it does not matter, else in order."""
    nest = nest_of(loop) if not walk.shape else None
    if nest is not None:
        _collect_nest(walk, nest, given, mask)
        return
    may_mark = walk.out is not None and not walk.shape and walk.drawing is None
    few = may_be_few(walk, loop, low, high)
    marking = marking_of(loop, length_of(walk.out), walk.known, few) if may_mark else None
    if marking is not None:
        _mark(walk, loop, marking, low, high, given, mask)
        return
    best = best_of(loop, given, walk.known)
    if best is not None:
        _find_best(walk, best, range(*_ends(loop, low, high)), low, high, given)
        return
    serial.run_for(walk, loop, low, high, given, mask)


def _find_best(walk: Walk, best: Best, rounds: range, low: Value, high: Value, given: Locals) -> None:
    """Find the round whose number is the least, or the most, among all at once."""
    search, kind = best.search, best.search.result.type
    _begin(walk, search, len(rounds), given)
    numbers, inside = _numbered(walk, rounds, low, high)
    around = walk.shape
    walk.shape = shape = (len(rounds), *around)
    own = {**given, search.name: numbers}
    hits, value = _Rounds(walk).hit(search, own, inside)
    found = walk.value(best.index, own, True)
    walk.shape = around
    if value is None:
        return  # no test before a number ever holds
    hits = np.broadcast_to(hits, shape) if is_known(hits) else jnp.broadcast_to(hits, shape)
    value = jnp.broadcast_to(traced(value, kind, walk.whole), shape)
    number, place = least_and_place(hits, value, search.result, best.descends)
    if kind == "real":  # 0 and -0 are equal: it is that of the first
        number = picked(walk.whole, value, place, shape, kind)
    there = picked(walk.whole, found, place, shape, "int")
    for name, new, type in ((best.found, there, "int"), (search.result.name, number, kind)):
        given[name] = chosen(any_of(hits), new, given[name], type, walk.whole)


def _mark(
    walk: Walk, loop: ir.For, marking: Marking, low: Value, high: Value, given: Locals, mask: Mask
) -> None:
    """Let all rounds of a loop mark at once."""

    def marks(long: bool) -> dict[int, Traced]:
        return _marks(walk, loop if long else shortened(loop, low), marking, low, high, given, mask)

    is_mostly_few = may_be_few(walk, loop, low, high)
    found = by_need(walk, loop, goes_on(low, high), mask, marks) if is_mostly_few else marks(True)
    value = traced(walk.value(marking.value, given, mask), marking.value.type, walk.whole)
    for plane, marks_there in found.items():
        walk.out = mark(walk.out, marks_there, value, marking.planes, plane)


def _marks(
    walk: Walk, loop: ir.For, marking: Marking, low: Value, high: Value, given: Locals, mask: Mask
) -> dict[int, Traced]:
    """Return which places the rounds of a loop mark, by the plane; of one that it marks nowhere, nothing."""
    first, last = _ends(loop, low, high)
    rounds = np.arange(first, last)
    inside, numbers = mask, rounds.astype(walk.whole)
    if not is_known(low):
        inside = both(inside, numbers >= low)
    if not is_known(high):
        inside = both(inside, numbers < high)
    walk.shape, walk.marks = rounds.shape, []
    walk.block(marking.body, {**given, loop.name: rounds}, inside)
    made = walk.marks
    walk.shape, walk.marks = (), None
    found: dict[int, Traced] = {}
    for plane, places, there in made:
        marks = marked(places, there, len(rounds), marking.places)
        found[plane] = found[plane] | marks if plane in found else marks
    return found


def _collect_nest(walk: Walk, nest: Nest, given: Locals, mask: Mask) -> None:
    """Let all rounds of loops around a collection collect at once."""
    loop, count = nest.reduce, nest.count
    walk.settle_locals(loop.body, given)
    walk.shape = (count,)
    hits, value = _Rounds(walk).hit(loop, {**given, **nest.numbers}, True)
    walk.shape = ()
    hits = np.broadcast_to(hits, count) if is_known(hits) else jnp.broadcast_to(hits, count)
    given[loop.result.name] = _collected(walk, loop, given[loop.result.name], hits, value, mask)


def _ends(loop: ir.For | ir.ForEach | ir.Reduce, low: Value, high: Value) -> tuple[int, int]:
    """Return the least and the greatest number of a round that there can be."""
    first = int(np.min(low)) if is_known(low) else max(int(loop.low.low), -MOST_AT_ONCE)
    last = int(np.max(high)) if is_known(high) else int(loop.high.high)
    if last - first > MOST_AT_ONCE:
        raise AssertionError(f"a loop has {last - first} rounds")
    return first, last


# Reductions


def _few_hits(walk: Walk, loop: ir.Reduce, rounds: range, given: Locals) -> Any:
    """Return whether any round hits, where what is known says of half of the rounds that they do not; else None.

    A line of three on a small board begins in few of its cells. As arrays all cells would be looked at, and a processor
    goes through the rounds of a reduction one by one.
    """
    if loop.how not in {"any", "all"} or walk.shape or not _is_plain(loop.body):
        return None
    walk.joins = True
    hits = [_Rounds(walk).hit(loop, {**given, loop.name: number}, True)[0] for number in rounds]
    walk.joins = False
    left = [hit for hit in hits if hit is not False]
    return reduce(either, left, False) if 2 * len(left) <= len(rounds) else None


def _is_plain(block: Sequence[ir.Stmt]) -> bool:
    """Whether a block only finds locals and hits, by what is found without a function."""
    return all(
        isinstance(statement, ir.Let | ir.If | ir.Hit | ir.Note)
        and not any(
            isinstance(part, ir.Call) for value in ir.values_of(statement) for part in ir.parts(value)
        )
        for statement in ir.statements(list(block))
    )


class _Rounds:
    """All rounds of a `Reduce` at once: which come to a hit, and with which value."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.hits: Value = False
        self.found: Value = None
        self.kind = "int"

    def hit(self, loop: ir.Reduce, own: Locals, inside: Value) -> tuple[Any, Any]:
        """Return which rounds hit, and their values."""
        self._block(loop.body, own, inside)
        return self.hits, self.found

    def _block(self, block: Sequence[ir.Stmt], own: Locals, mask: Mask) -> None:
        walk = self.walk
        for statement in block:
            match statement:
                case ir.Hit(value):
                    found = walk.value(value, own, mask)
                    new = both(mask, inverted(self.hits))
                    self.kind = value.type
                    self.found = (
                        found
                        if self.found is None
                        else chosen(new, found, self.found, value.type, walk.whole)
                    )
                    self.hits = either(self.hits, mask)
                case ir.If(test, then, otherwise) if _has_hit(then) or _has_hit(otherwise):
                    tested = as_type(walk.value(test, own, mask), "bool", walk.whole)
                    first, second = dict(own), dict(own)
                    self._block(then, first, both(mask, tested))
                    self._block(otherwise, second, both(mask, inverted(tested)))
                    own.clear()
                    own.update(second)
                    walk.merge(tested, first, own)
                case _:
                    walk.statement(statement, own, mask)


def _has_hit(block: Sequence[ir.Stmt]) -> bool:
    return any(
        isinstance(statement, ir.Hit)
        or (isinstance(statement, ir.If) and (_has_hit(statement.then) or _has_hit(statement.otherwise)))
        for statement in block
    )


def _reduced(walk: Walk, loop: ir.Reduce, before: Value, hits: Traced, value: Value, kind: str) -> Any:
    """Return the result of a reduction: what it was before, and what its hits make of it."""
    whole, count = walk.whole, hits.shape[0]
    match loop.how:
        case "any" | "all":
            found = any_of(hits)
            if hits.ndim > 1 and count >= FEW:
                # A reduction of a reduction is slow where a compiler joins the two: it goes entry by entry.
                found = settled(found)
            return _with_any(walk, loop, before, found)
        case "count":
            return traced(before, "int", whole) + total_of(hits, whole)
        case "first" | "last":
            places = np.arange(count, dtype=np.int32).reshape((count,) + (1,) * (hits.ndim - 1))
            if loop.how == "first":
                place = least_of(jnp.where(hits, places, np.int32(count)))
            else:
                place = greatest_of(jnp.where(hits, places, np.int32(-1)))
            found = picked(walk.whole, value, place, hits.shape, kind)
            return chosen(any_of(hits), found, before, kind, whole)
        case "sum" if kind == "real":
            values = jnp.broadcast_to(traced(value, kind, whole), hits.shape)
            total = jnp.broadcast_to(traced(before, kind, whole), hits.shape[1:])

            def add(place: Value, total: Traced) -> Traced:
                return jnp.where(hits[place], rounded(total + values[place]), total)

            return axes.fori_loop(np.int32(0), np.int32(count), add, total)
        case "sum":
            values = jnp.where(hits, traced(value, kind, whole), 0)
            return traced(before, kind, whole) + total_of(values, whole)
    raise AssertionError(loop.how)


def _with_any(walk: Walk, loop: ir.Reduce, before: Value, found: Value) -> Any:
    """Return the result of an `any` or an `all`, if ``found`` says whether any round hits."""
    before = as_type(before, "bool", walk.whole)
    return either(before, found) if loop.how == "any" else both(before, inverted(found))


def _collected(walk: Walk, loop: ir.Reduce, before: Value, hits: Value, value: Value, mask: Mask) -> Any:
    """Put the values of hits into a slot, from the place on that ``before`` is; return the place after them."""
    assert loop.slot is not None
    if hits.ndim > 1:
        raise AssertionError("a loop collects in a loop whose rounds run at once")
    whole, name = walk.whole, loop.slot.name
    starts = is_known(before) and before == 0
    walk.put_in({name})
    base = None if name in walk.passing else walk.arrays.get(name)
    if starts and not loop.slot.saved and mask is True:
        base = None
    if name not in walk.passing and mask is not True:
        hits = hits & mask
    bits = None if is_known(hits) else packed(hits)
    found: Value = int(hits.sum()) if bits is None else lax.population_count(bits).sum(dtype=np.int32)
    values = jnp.broadcast_to(traced(value, loop.slot.type, whole), hits.shape)
    walk.arrays[name] = Collected(hits, bits, values, before, found, base)
    if is_known(found) and is_known(before):
        return before + found
    return traced(before, "int", whole) + traced(found, "int", whole)
