"""Loops whose rounds go one after the other: what may be found before is, short ones are written out, others loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import DType, Mask, Traced, Value, is_known, varies
from griddsl.backends.jax.loops.carrying import Carried, kind_of
from griddsl.backends.jax.loops.deferring import Deferring, waits
from griddsl.backends.jax.loops.drawing import Drawing, bits_of, drawing_of
from griddsl.backends.jax.loops.early import parted, size
from griddsl.backends.jax.loops.few import FEW, LEAST_LONG, by_need
from griddsl.backends.jax.loops.flags import LEAST, flags_of, run_raising
from griddsl.backends.jax.loops.folding import greatest_of
from griddsl.backends.jax.loops.lanes import any_game, run_masked
from griddsl.backends.jax.loops.least import first_by_number, run_least
from griddsl.backends.jax.loops.owing import counted_down, owed_by
from griddsl.backends.jax.loops.searching import may_search, run_search
from griddsl.backends.jax.values import as_type, both, either, inverted, traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads
from griddsl.program.passes.normal import of_parts

MOST_WRITTEN_OUT = 40  # statements that a loop may become
MOST_COUNTED = 2_000  # numbers that are all looked at, to find how far a loop counts down
MOST_REMAINING = 200  # simple ones, where all else is found for all rounds at once


def run_for(walk: Walk, loop: ir.For, low: Value, high: Value, given: Locals, mask: Mask) -> None:
    """Run a loop over numbers, each round after the one before."""
    with Deferring(walk, loop, given, mask, found_below):
        _run_rounds(walk, loop, low, high, given, mask)


def _run_rounds(walk: Walk, loop: ir.For, low: Value, high: Value, given: Locals, mask: Mask) -> None:
    asks = first_by_number(loop, given) if not walk.shape else None
    if asks is not None:
        run_least(walk, loop, asks, low, high, given, mask)
        return
    if varies(low) or varies(high):
        _counted(walk, loop, low, high, given, mask)
        return
    count = int(high) - int(low)
    flags = flags_of(loop, given, walk.known) if count >= LEAST and walk.drawing is None else None
    if flags is not None:
        run_raising(walk, loop, flags, np.arange(int(low), int(high)), given, mask)
        return
    # XLA looks at what is called as often as it is called: what stands once in a program is called in one place.
    may_write_out = count == 1 or not walk.shared.is_called_in(loop.body)
    if count == 1 or (may_write_out and count * walk.shared.size_of(loop.body) <= MOST_WRITTEN_OUT):
        for number in range(int(low), int(high)):
            given[loop.name] = number
            walk.block(loop.body, given, mask)
        return
    numbers = np.arange(int(low), int(high))
    bits = bits_of(walk, loop)
    if bits is not None:
        _collect_bits(walk, loop, bits, numbers, given, mask)
        return
    found = parted(loop, given, walk.known)
    early: Locals = {}
    if found is not None:
        early, loop = _at_once(walk, found.early, loop, numbers, given), found.loop
        early = {name: value for name, value in early.items() if name in found.names}
    drawing = None
    if not walk.shape and walk.drawing is None:
        fixed = {name: value for name, value in early.items() if is_known(value)}
        drawing = drawing_of(walk, loop, numbers, fixed)
    drawn = drawing.loop if drawing is not None else None
    is_short = may_write_out and count * size(loop.body, walk.known, drawn) <= MOST_REMAINING
    rounds = _written_out if is_short else _scanned
    noted = rounds(walk, loop, drawing, numbers, early, given, mask)
    if drawing is not None:
        shown, handed = noted
        walk.shape = (count,)
        own = {**given, **early, **drawing.fixed, **dict(zip(drawing.handed, handed, strict=True))}
        walk.statement(drawing.loop, own, shown)
        walk.shape = ()


def _at_once(
    walk: Walk, block: Sequence[ir.Stmt], loop: ir.For, numbers: Value, given: Locals
) -> dict[str, Any]:
    """Run statements of all rounds at once; return the locals, with an entry for each round in front."""
    around = walk.shape
    walk.settle_locals(block, given)
    walk.shape = (len(numbers), *around)
    own = {**given, loop.name: numbers.reshape((len(numbers),) + (1,) * len(around))}
    walk.block(block, own, True)
    walk.shape = around
    return own


def _entry(value: Value, place: int, around: int) -> Any:
    """Return what a local that was found for all rounds is in one of them."""
    if np.ndim(value) <= around:
        return value  # the same in all
    found = value[place if np.shape(value)[0] > 1 else 0]
    return found.item() if is_known(found) and np.ndim(found) == 0 else found


def _written_out(
    walk: Walk,
    loop: ir.For,
    drawing: Drawing | None,
    numbers: Value,
    early: Locals,
    given: Locals,
    mask: Mask,
) -> Any:
    """Walk the rounds one after the other; return what is handed to what is drawn, a row for each local."""
    shown: list[Any] = []
    handed: dict[str, list[Any]] = {name: [] for name in drawing.handed} if drawing is not None else {}
    before = given.keys()
    for place, number in enumerate(numbers.tolist()):
        own = {**given, **{name: _entry(value, place, len(walk.shape)) for name, value in early.items()}}
        own[loop.name] = number
        with _Noting(walk, drawing) as noted:
            walk.block(loop.body, own, mask)
        given.update({name: own[name] for name in before})
        if drawing is not None:
            seen, there = noted[0] if noted else (False, dict.fromkeys(drawing.handed, 0))
            shown.append(seen)
            for name in drawing.handed:
                handed[name].append(there[name])
    if drawing is None:
        return None
    kinds = {name: kind_of(name, loop.body, None) for name in drawing.handed}
    rows = [
        jnp.stack([traced(each, kinds[name], walk.whole) for each in handed[name]]) for name in drawing.handed
    ]
    return jnp.stack([jnp.asarray(each, np.bool_) for each in shown]), rows


def _scanned(
    walk: Walk,
    loop: ir.For,
    drawing: Drawing | None,
    numbers: Value,
    early: Locals,
    given: Locals,
    mask: Mask,
) -> Any:
    """Let the rounds be a loop of what is compiled; return what `_written_out` does."""
    carried = Carried(walk, loop.body, given)
    handed = drawing.handed if drawing is not None else ()
    kinds = {name: kind_of(name, loop.body, None) for name in handed}
    around, count = len(walk.shape), len(numbers)
    wanted = unset_reads(loop.body, ())
    rows = {
        name: jnp.broadcast_to(jnp.asarray(_narrow(value, walk.whole)), (count, *np.shape(value)[1:]))
        for name, value in early.items()
        if name in wanted and np.ndim(value) > around
    }

    def once(kept: Any, row: Any) -> Any:
        number, there = row
        own = {**carried.unpack(kept, given), **early, **there}
        own[loop.name] = number
        with _Noting(walk, drawing) as noted:
            walk.block(loop.body, own, mask)
        shown, seen = noted[0] if noted else (False, dict.fromkeys(handed, 0))
        found = [traced(seen[name], kinds[name], walk.whole) for name in handed]
        return carried.pack(own), (jnp.asarray(shown, np.bool_), found)

    start, given_rounds = carried.pack(given), (numbers.astype(walk.whole), rows)

    def all_rounds() -> Any:
        return axes.scan(once, start, given_rounds)

    if is_known(mask) or walk.shape or drawing is not None:
        kept, found = all_rounds()
    else:
        # Where no game of a batch is meant there are no rounds.
        none: Any = (start, (np.zeros(count, np.bool_), []))
        kept, found = axes.cond(any_game(mask), all_rounds, lambda: none)
    given.update(carried.unpack(kept, given))
    return found


def _narrow(value: Value, whole: DType) -> Any:
    """Return a value as JAX holds it: whole numbers that are known have 64 bits while a program is traced."""
    if is_known(value) and np.asarray(value).dtype == np.int64:
        return np.asarray(value).astype(whole)
    return value


class _Noting:
    """While it is entered, what is to be drawn later is noted and not run."""

    def __init__(self, walk: Walk, drawing: Drawing | None) -> None:
        self.walk, self.drawing = walk, drawing
        self.noted: list[Any] = []

    def __enter__(self) -> list[Any]:
        if self.drawing is not None:
            self.walk.drawing = (self.drawing.loop, self.noted)
        return self.noted

    def __exit__(self, *_: object) -> None:
        if self.drawing is not None:
            self.walk.drawing = None


def _counted(walk: Walk, loop: ir.For, low: Value, high: Value, given: Locals, mask: Mask) -> None:
    """Run a loop whose ends are known when it runs."""
    whole = walk.whole
    if not walk.shape and may_search(loop):
        run_search(walk, loop, low, high, given, mask)
        return
    start = traced(low, "int", whole)
    if start.ndim:
        raise AssertionError("the rounds of a loop begin at different numbers")
    carried = Carried(walk, loop.body, given)
    gate = _gate(loop)

    def left(number: Value, own: Locals) -> Traced:
        """Return which rounds around have another one of this loop, of those that a round changes anything for."""
        inside = both(mask, number < high)
        if gate is not None:
            inside = both(inside, as_type(walk.value(gate, own, mask), "bool", whole))
        return jnp.broadcast_to(jnp.asarray(inside, np.bool_), walk.shape)

    def goes_on(state: Any) -> Traced:
        return any_game(state[1].any() if walk.shape else state[1])

    def once(state: Any) -> Any:
        number, active, kept = state
        own = carried.unpack(kept, given)
        own[loop.name] = number
        run_masked(walk, loop.body, own, active)
        number += jnp.asarray(1, whole)
        return number, left(number, own), carried.pack(own)

    active, begun = carried.begun(left(start, given), given)
    _, _, kept = axes.while_loop(goes_on, once, (start, active, begun))
    given.update(carried.unpack(kept, given))


def _gate(loop: ir.For) -> ir.Expr | None:
    """Return what has to hold for a round to do anything; when it does not, no later round does anything either."""
    match [statement for statement in loop.body if not isinstance(statement, ir.Note)]:
        case [ir.If(test, _, [])] if not any(
            isinstance(part, ir.Call) or (isinstance(part, ir.Local) and part.name == loop.name)
            for part in ir.parts(test)
        ):
            return test
    return None


def _collect_bits(walk: Walk, loop: ir.For, name: str, numbers: Value, given: Locals, mask: Mask) -> None:
    """Run the rounds of a loop at once, and put together the bits that each of them adds."""
    around, whole = walk.shape, walk.whole
    rounds = numbers.reshape((len(numbers),) + (1,) * len(around))
    walk.settle_locals(loop.body, given)
    walk.shape = (len(numbers), *around)
    own = {**given, loop.name: rounds, name: 0}
    walk.block(loop.body, own, mask)
    found = jnp.broadcast_to(traced(own[name], "int", whole), walk.shape)
    walk.shape = around
    added = lax.reduce(found, np.zeros((), whole), lax.bitwise_or, (0,))
    given[name] = added | traced(given[name], "int", whole)


def run_while(walk: Walk, loop: ir.While, given: Locals, mask: Mask) -> None:
    """Run a loop that goes on while something holds."""
    counter = counted_down(loop)
    if counter is not None and counter.high <= MOST_COUNTED and not walk.shape:
        if waits(walk, counter, mask):
            return
        owed = owed_by(loop, mask)
        if owed is None:
            found_below(walk, loop, counter, given, mask)
            return
        before = walk.owed.get(counter.name)
        walk.owed[counter.name] = owed if before is None else replace(owed, flag=either(before.flag, mask))
        return
    carried = Carried(walk, loop.body, given)
    shape = walk.shape

    def tested(own: Locals) -> Traced:
        found = both(as_type(walk.value(loop.test, own, mask), "bool", walk.whole), inverted(walk.failed))
        return jnp.broadcast_to(jnp.asarray(found, np.bool_), shape)

    def goes_on(state: Any) -> Traced:
        return any_game(state[0].any() if shape else state[0])

    def once(state: Any) -> Any:
        active, kept = state
        own = carried.unpack(kept, given)
        run_masked(walk, loop.body, own, active)
        return jnp.logical_and(active, tested(own)), carried.pack(own)

    start = both(tested(given), jnp.broadcast_to(jnp.asarray(mask, np.bool_), shape))
    _, kept = axes.while_loop(goes_on, once, carried.begun(start, given))
    given.update(carried.unpack(kept, given))


def found_below(walk: Walk, loop: ir.While, slot: ir.Slot, given: Locals, mask: Mask) -> None:
    """Count a slot down to the greatest number, not above it, at which the loop does not go on."""
    start = walk.whole_array(slot.name)
    number = ir.Local(slot.name, "int", 0, slot.high)  # as no local is called

    def found(long: bool) -> Traced:
        numbers = np.arange(1, slot.high + 1 if long else FEW + 1)  # none of which is 0
        around, walk.shape = walk.shape, numbers.shape
        goes_on = walk.value(_asked_of(loop.test, slot, number), {**given, number.name: numbers}, mask)
        walk.shape = around
        numbers = numbers.astype(start.dtype)
        stops = inverted(as_type(goes_on, "bool", walk.whole)) & (numbers <= start)
        return greatest_of(jnp.where(stops, numbers, jnp.zeros((), start.dtype)))

    after = by_need(walk, loop, start > FEW, mask, found) if slot.high > LEAST_LONG else found(True)
    walk.arrays[slot.name] = after if mask is True else jnp.where(mask, after, start)


def _asked_of(value: ir.Expr, slot: ir.Slot, number: ir.Local) -> ir.Expr:
    """Return a value that asks for a number instead of a slot."""
    if isinstance(value, ir.Load) and value.slot is slot:
        return number
    inner = ir.inner(value)
    return of_parts(value, tuple(_asked_of(part, slot, number) for part in inner)) if inner else value
