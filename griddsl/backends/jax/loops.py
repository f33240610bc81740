"""Loops as arrays: independent rounds and reductions are done at once, short loops are written out, others loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import Collected, Traced, gathered, is_known
from griddsl.backends.jax.drawing import Drawing, bits_of, drawing_of
from griddsl.backends.jax.output import as_row
from griddsl.backends.jax.values import as_type, both, chosen, either, inverted, traced
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, NOTES, OUT, STREAM, Known, of_block

Locals: TypeAlias = dict[str, Any]
MOST_WRITTEN_OUT = 40  # statements that a loop may become
MOST_AT_ONCE = 2**20  # rounds of all loops around


class Walk(Protocol):
    """What a loop needs of the walk that it is a part of."""

    whole: Any
    known: Known
    slots: Mapping[str, ir.Slot]
    arrays: dict[str, Any]
    counter: Traced
    failed: Any
    out: Traced
    shape: tuple[int, ...]
    drawing: tuple[ir.ForEach, list[Any]] | None

    def value(self, value: ir.Expr, given: Locals, mask: Any) -> Any:
        """Return the value of an expression."""

    def block(self, block: Sequence[ir.Stmt], given: Locals, mask: Any) -> tuple[Any, ...] | None:
        """Run statements."""

    def statement(self, statement: ir.Stmt, given: Locals, mask: Any) -> None:
        """Run a statement."""

    def merge(self, test: Any, first: Locals, given: Locals) -> None:
        """Let each local be that of ``first`` where a test holds."""

    def singles(self) -> dict[str, Any]:
        """Return the slots of one entry as they are now."""

    def whole_array(self, name: str) -> Traced:
        """Return a slot as an array."""


def run(walk: Walk, loop: ir.For | ir.ForEach | ir.Reduce | ir.While, given: Locals, mask: Any) -> None:
    """Run a loop."""
    if isinstance(loop, ir.While):
        _while(walk, loop, given, mask)
        return
    if walk.drawing is not None and walk.drawing[0] is loop:
        walk.drawing[1].append((mask, dict(given)))
        return
    low, high = walk.value(loop.low, given, mask), walk.value(loop.high, given, mask)
    if is_known(low) and is_known(high) and low >= high:
        return
    if isinstance(loop, ir.For):
        _for(walk, loop, low, high, given, mask)
        return
    first, last = _ends(loop, low, high)
    count = last - first
    if count <= 0:
        return
    rounds = np.arange(first, last).reshape((count,) + (1,) * len(walk.shape))
    inside: Any = True
    if not is_known(low):
        inside = both(inside, rounds >= low)
    if not is_known(high):
        inside = both(inside, rounds < high)
    around = walk.shape
    walk.shape = (count, *around)
    if isinstance(loop, ir.ForEach):
        own = {**given, loop.name: rounds}
        walk.block(loop.body, own, both(mask, inside))
        walk.shape = around
        return
    hits, value = _Rounds(walk).hit(loop, {**given, loop.name: rounds}, inside)
    walk.shape = around
    kind = "bool" if loop.how in {"any", "all"} else loop.result.type
    hits = jnp.broadcast_to(jnp.asarray(hits), (count, *around))
    given[loop.result.name] = _reduced(walk, loop, given[loop.result.name], hits, value, kind, mask)


def _ends(loop: ir.ForEach | ir.Reduce, low: Any, high: Any) -> tuple[int, int]:
    """Return the least and the greatest number of a round that there can be."""
    first = int(low) if is_known(low) else max(int(loop.low.low), -MOST_AT_ONCE)
    last = int(high) if is_known(high) else int(loop.high.high)
    if last - first > MOST_AT_ONCE:
        raise AssertionError(f"a loop has {last - first} rounds")
    return first, last


# Reductions


class _Rounds:
    """All rounds of a `Reduce` at once: which come to a hit, and with which value."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.hits: Any = False
        self.found: Any = None
        self.kind = "int"

    def hit(self, loop: ir.Reduce, own: Locals, inside: Any) -> tuple[Any, Any]:
        """Return which rounds hit, and their values."""
        self._block(loop.body, own, inside)
        return self.hits, self.found

    def _block(self, block: Sequence[ir.Stmt], own: Locals, mask: Any) -> None:
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


def _reduced(walk: Walk, loop: ir.Reduce, before: Any, hits: Traced, value: Any, kind: str, mask: Any) -> Any:
    """Return the result of a reduction: what it was before, and what its hits make of it."""
    whole, count = walk.whole, hits.shape[0]
    match loop.how:
        case "any":
            return either(as_type(before, "bool", whole), hits.any(0))
        case "all":
            return both(as_type(before, "bool", whole), jnp.logical_not(hits.any(0)))
        case "count":
            return traced(before, "int", whole) + hits.sum(0, dtype=whole)
        case "first" | "last":
            places = np.arange(count).reshape((count,) + (1,) * (hits.ndim - 1))
            if loop.how == "first":
                place = jnp.where(hits, places, count).min(0).astype(np.int32)
            else:
                place = jnp.where(hits, places, -1).max(0).astype(np.int32)
            found = _picked(walk, value, place, hits.shape, kind)
            return chosen(hits.any(0), found, before, kind, whole)
        case "sum" if kind == "real":
            values = jnp.broadcast_to(traced(value, kind, whole), hits.shape)
            total = jnp.broadcast_to(traced(before, kind, whole), hits.shape[1:])

            def add(place: Any, total: Traced) -> Traced:
                return jnp.where(hits[place], total + values[place], total)

            return lax.fori_loop(np.int32(0), np.int32(count), add, total)
        case "sum":
            values = jnp.where(hits, traced(value, kind, whole), 0)
            return traced(before, kind, whole) + values.sum(0, dtype=whole)
    assert loop.slot is not None
    if hits.ndim > 1:
        raise AssertionError("a loop collects in a loop whose rounds run at once")
    hits = hits if mask is True else hits & mask
    found = hits.sum(dtype=np.int32)
    name = loop.slot.name
    base = walk.arrays.get(name)
    if base is None or (is_known(before) and before == 0 and not loop.slot.saved and mask is True):
        base = None
    walk.arrays[name] = Collected(
        hits, jnp.broadcast_to(traced(value, loop.slot.type, whole), hits.shape), before, found, base
    )
    return traced(before, "int", whole) + found.astype(whole)


def _picked(walk: Walk, value: Any, place: Traced, shape: tuple[int, ...], kind: str) -> Any:
    """Return the value of the round at a place."""
    if np.ndim(value) == 0:
        return value
    if len(shape) == 1:
        return gathered(traced(value, kind, walk.whole), place)
    values = jnp.broadcast_to(traced(value, kind, walk.whole), shape)
    place = jnp.clip(place, 0, shape[0] - 1)
    return jnp.take_along_axis(values, place[None], 0)[0]


# Rounds one after the other


def _for(walk: Walk, loop: ir.For, low: Any, high: Any, given: Locals, mask: Any) -> None:
    if is_known(low) and is_known(high):
        size = sum(1 for _ in ir.statements(loop.body))
        if high - low == 1 or (high - low) * size <= MOST_WRITTEN_OUT:
            for number in range(int(low), int(high)):
                given[loop.name] = number
                walk.block(loop.body, given, mask)
            return
    whole = walk.whole
    bits = bits_of(walk, loop) if is_known(low) and is_known(high) else None
    if bits is not None:
        _collect_bits(walk, loop, bits, np.arange(int(low), int(high)), given, mask)
        return
    start = traced(low, "int", whole)
    if start.ndim:
        raise AssertionError("the rounds of a loop begin at different numbers")
    if is_known(low) and is_known(high) and not walk.shape and walk.drawing is None:
        drawing = drawing_of(walk, loop, int(low), int(high), given)
        if drawing is not None:
            _drawn_after(walk, loop, drawing, np.arange(int(low), int(high)), given, mask)
            return
    last = high if is_known(high) else traced(high, "int", whole)
    if not is_known(last) and last.ndim:
        last = last.max()
    carried = _Carried(walk, loop.body, given)

    def goes_on(state: Any) -> Traced:
        return state[0] < last

    def once(state: Any) -> Any:
        number, kept = state
        own = carried.unpack(kept, given)
        own[loop.name] = number
        inner = both(mask, number < high) if walk.shape and not is_known(high) else mask
        walk.block(loop.body, own, inner)
        return number + jnp.asarray(1, whole), carried.pack(own)

    _, kept = lax.while_loop(goes_on, once, (start, carried.pack(given)))
    given.update({name: value for name, value in carried.unpack(kept, given).items() if name in given})


def _collect_bits(walk: Walk, loop: ir.For, name: str, numbers: Any, given: Locals, mask: Any) -> None:
    """Run the rounds of a loop at once, and put together the bits that each of them adds."""
    around, whole = walk.shape, walk.whole
    rounds = numbers.reshape((len(numbers),) + (1,) * len(around))
    walk.shape = (len(numbers), *around)
    own = {**given, loop.name: rounds, name: 0}
    walk.block(loop.body, own, mask)
    found = jnp.broadcast_to(traced(own[name], "int", whole), walk.shape)
    walk.shape = around
    added = lax.reduce(found, np.zeros((), whole), lax.bitwise_or, (0,))
    given[name] = added | traced(given[name], "int", whole)


def _drawn_after(walk: Walk, loop: ir.For, drawing: Drawing, numbers: Any, given: Locals, mask: Any) -> None:
    """Run a loop without what it draws, and draw it for all rounds at once."""
    carried = _Carried(walk, loop.body, given)
    drawn = drawing.loop
    kinds = {name: _kind(name, loop.body, None) for name in drawing.handed}

    def once(kept: Any, number: Traced) -> Any:
        own = carried.unpack(kept, given)
        own[loop.name] = number
        walk.drawing = (drawn, [])
        walk.block(loop.body, own, mask)
        _, noted = walk.drawing
        walk.drawing = None
        shown, there = noted[0] if noted else (False, dict.fromkeys(drawing.handed, 0))
        handed = [traced(there[name], kinds[name], walk.whole) for name in drawing.handed]
        return carried.pack(own), (jnp.asarray(shown, np.bool_), handed)

    kept, (shown, handed) = lax.scan(once, carried.pack(given), numbers.astype(walk.whole))
    given.update({name: value for name, value in carried.unpack(kept, given).items() if name in given})
    walk.shape = (len(numbers),)
    own = {**given, **drawing.fixed, **dict(zip(drawing.handed, handed, strict=True))}
    run(walk, drawn, own, shown)
    walk.shape = ()


def _while(walk: Walk, loop: ir.While, given: Locals, mask: Any) -> None:
    carried = _Carried(walk, loop.body, given)
    shape = walk.shape

    def tested(own: Locals) -> Traced:
        found = both(as_type(walk.value(loop.test, own, mask), "bool", walk.whole), inverted(walk.failed))
        return jnp.broadcast_to(jnp.asarray(found, np.bool_), shape)

    def goes_on(state: Any) -> Traced:
        return state[0].any() if shape else state[0]

    def once(state: Any) -> Any:
        active, kept = state
        own = carried.unpack(kept, given)
        before, singles = dict(own), walk.singles()
        # Where no loop is around, the body is run only where the loop goes on.
        walk.block(loop.body, own, active if shape else True)
        if shape:
            found = dict(own)
            own.clear()
            own.update(before)
            walk.merge(active, found, own)
            walk.arrays.update(singles)
        return jnp.logical_and(active, tested(own)), carried.pack(own)

    start = both(tested(given), jnp.broadcast_to(jnp.asarray(mask, np.bool_), shape))
    _, kept = lax.while_loop(goes_on, once, (start, carried.pack(given)))
    given.update({name: value for name, value in carried.unpack(kept, given).items() if name in given})


class _Carried:
    """What the rounds of a loop hand on: the locals and slots that they set, and what else they touch."""

    def __init__(self, walk: Walk, body: Sequence[ir.Stmt], given: Locals) -> None:
        self.walk = walk
        effects = of_block(list(body), walk.known)
        self.names = sorted(
            name for name in effects.sets if name in given and not isinstance(given[name], dict)
        )
        self.kinds = {name: _kind(name, body, given[name]) for name in self.names}
        writes = effects.writes
        slots: Iterable[str] = walk.slots if EVERYTHING in writes else sorted(writes & walk.slots.keys())
        self.slots = list(slots)
        self.draws = bool({STREAM, EVERYTHING} & writes)
        self.fails = bool({NOTES, EVERYTHING} & writes)
        self.writes_out = OUT in writes

    def pack(self, own: Locals) -> Any:
        """Return the present values, of dtypes and shapes that stay."""
        walk = self.walk
        values = [
            jnp.broadcast_to(traced(own[name], self.kinds[name], walk.whole), walk.shape)
            for name in self.names
        ]
        arrays = [walk.whole_array(name) for name in self.slots]
        rest = [
            *([walk.counter] if self.draws else []),
            *([jnp.asarray(walk.failed, np.bool_)] if self.fails else []),
            *([as_row(walk.out)] if self.writes_out else []),
        ]
        return values, arrays, rest

    def unpack(self, kept: Any, given: Locals) -> Locals:
        """Put values into the walk; return the locals."""
        values, arrays, rest = kept
        walk, left = self.walk, list(rest)
        walk.arrays.update(zip(self.slots, arrays, strict=True))
        if self.draws:
            walk.counter = left.pop(0)
        if self.fails:
            walk.failed = left.pop(0)
        if self.writes_out:
            walk.out = left.pop(0)
        return {**given, **dict(zip(self.names, values, strict=True))}


def _kind(name: str, body: Sequence[ir.Stmt], value: Any) -> str:
    """Return the type of a local."""
    for statement in ir.statements(list(body)):
        match statement:
            case ir.Let(set, found) if set == name:
                return found.type
            case ir.Bind(set, source) if set == name:
                return source.type
            case ir.Reduce(result=result) if result.name == name:
                return result.type
            case ir.For(set) if set == name:
                return "int"
    return "bool" if isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_ else "int"
