"""Slots as arrays: what is read from them and written to them, by whole arrays wherever the indices are known.

An index is a plain number, an array of numpy where it is known while the program is traced, or an array of JAX. The
shape of an index is that of the loops around it, the innermost first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from griddsl.backends.jax.axes import varying
from griddsl.backends.jax.settling import has_many_cores, kept_apart, settled

Traced: TypeAlias = Any  # an array of JAX
Known: TypeAlias = "np.ndarray[Any, Any]"
Value: TypeAlias = (
    Any  # what an expression is worth: traced, known, or a plain number; `shape` as the loops around say
)
Mask: TypeAlias = Any  # where a statement is carried out: traced, known, or True for everywhere
DType: TypeAlias = Any  # of numpy
BITS = 32  # of a word
MOST_CHOSEN = 4  # entries: in arrays no longer than that they are found by comparing
FEWEST_CUT = 4  # entries in a part of a row that is cut out of it
MOST_CUT = 32  # parts that are cut out one by one
MOST_STEPS = 4  # steps that are taken one by one
MOST_COMPARED = 128  # entries: in shorter arrays one is written by comparing all places with the index


def is_known(value: Value) -> bool:
    """Whether a value is known while the program is traced."""
    return isinstance(value, bool | int | float | np.ndarray | np.generic)


def in_dtype(value: Traced, dtype: DType) -> Traced:
    """Return a value in another dtype; a real of 64 bits that becomes one of 32 is rounded as it is.

    LLVM makes a division of 32 bits of one of 64 whose result is rounded to 32. That would be the same if it were not
    for GPUs, where XLA lets the last bit of a short division be wrong.
    """
    if value.dtype == np.float64 and dtype == np.float32 and has_many_cores():
        value = lax.reduce_precision(value, exponent_bits=8, mantissa_bits=23)
    return lax.convert_element_type(value, dtype)


def varies(end: Value) -> bool:
    """Whether an end of a loop is not known while the program is traced, or another one in each round around."""
    return not is_known(end) or np.ndim(end) > 0


@dataclass(frozen=True, slots=True)
class Collected:
    """A slot that a loop has collected values into, from ``start`` on; what it held before lies in ``base``.

    ``base`` is None where nobody can ask for it. An entry is picked when it is asked for: nothing is moved.
    """

    hits: Traced  # (rounds,) bool
    bits: Traced  # the same, packed; None where they are known
    values: Traced  # (rounds,)
    start: Value
    count: Value
    base: Value

    def pick(self, index: Value, length: int, kind: Any) -> Traced:
        """Return entries of the slot."""
        wanted = jnp.asarray(index, np.int32) - jnp.asarray(self.start, np.int32)
        if is_known(self.hits):
            before: Traced = jnp.asarray(np.append(np.flatnonzero(self.hits), 0).astype(np.int32))
            before = gathered(before, wanted)
        else:
            before = nth(self.bits, wanted)
        found = lax.convert_element_type(gathered(self.values, before), kind)
        if self.base is None:
            return found
        inside = (wanted >= 0) & (wanted < self.count)
        return jnp.where(inside, found, entries(self.base, index, length, kind))

    def whole(self, length: int, kind: Any) -> Traced:
        """Return the slot as an array."""
        base = self.base
        if base is None:
            base = jnp.zeros(length, kind)
        elif isinstance(base, Collected):
            base = base.whole(length, kind)
        ranks = jnp.cumsum(self.hits, dtype=np.int32) - 1 + jnp.asarray(self.start, np.int32)
        places = jnp.where(self.hits, ranks, np.int32(length))
        values = jnp.broadcast_to(lax.convert_element_type(self.values, kind), places.shape)
        return base.at[places].set(values, mode="drop")


def packed(hits: Traced) -> Traced:
    """Return hits as the bits of words, uint32: they are counted, and found, many at once.

    To count hits one by one takes longer than all else that is done with them.
    """
    words = -(-hits.shape[0] // BITS)
    rows = jnp.pad(hits, (0, words * BITS - hits.shape[0])).reshape(words, BITS)
    marks = jnp.where(rows, np.uint32(1) << np.arange(BITS, dtype=np.uint32), np.uint32(0))
    # An `or` of words is what XLA cannot put together from several devices.
    return marks.sum(1, dtype=np.uint32)


def nth(bits: Traced, number: Traced) -> Traced:
    """Return the places of the hits, packed, with these numbers, counted from 0; of one that there is not, anything."""
    if bits.shape[0] > 1:
        after = jnp.cumsum(lax.population_count(bits).astype(np.int32), dtype=np.int32)
        word = (after <= number[..., None]).sum(-1, dtype=np.int32)
        number = number - jnp.where(word > 0, gathered(after, word - 1), 0)
        bits, place = gathered(bits, word), word * BITS
    else:
        bits, place = jnp.broadcast_to(bits[0], number.shape), jnp.zeros(number.shape, np.int32)
    for half in (16, 8, 4, 2, 1):
        low = lax.population_count(bits & np.uint32((1 << half) - 1)).astype(np.int32)
        is_above = number >= low
        number = jnp.where(is_above, number - low, number)
        bits = jnp.where(is_above, bits >> np.uint32(half), bits)
        place = jnp.where(is_above, place + half, place)
    return place


def gathered(array: Traced, index: Traced) -> Traced:
    """Return the entries of a row at indices; those outside of it count as its ends."""
    index = jnp.asarray(index, np.int32)
    numbers = lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
    found = lax.gather(
        jnp.asarray(array), index[..., None], numbers, slice_sizes=(1,), mode=lax.GatherScatterMode.CLIP
    )
    # XLA gives these another shape, and moves the change of it behind one operation after the other, for each of which
    # it looks through all loops again.
    return kept_apart(found)


def one_of(array: Traced, index: Traced) -> Traced:
    """Return the entries of a short row at indices, by comparing: nothing is fetched from memory one by one."""
    found = lax.index_in_dim(array, 0, keepdims=False)
    for place in range(1, array.shape[0]):
        here = index >= jnp.asarray(place, index.dtype)
        found = jnp.where(here, lax.index_in_dim(array, place, keepdims=False), found)
    return found


_WORDS = 2  # of more a choice takes as long as to fetch an entry


def packed_entries(values: Known, index: Traced) -> Traced | None:
    """Return entries of a short table of small numbers, which a few words of 32 bits hold; None where they do not.

    They are found by shifting: that is done for many at once, where each entry of a table is fetched by itself.
    """
    if values.dtype.kind not in "bi" or len(values) > 32:
        return None
    low = int(values.min())
    shifted = values.astype(np.int64) - low
    bits = max(int(shifted.max()).bit_length(), 1)
    held = 32 // bits  # entries in a word
    if bits * len(values) > 32 * _WORDS or not held:
        return None
    words = [
        sum(
            int(value) << (place * bits) for place, value in enumerate(shifted[first : first + held].tolist())
        )
        for first in range(0, len(values), held)
    ]
    places = lax.convert_element_type(jnp.clip(index, 0, len(values) - 1), np.uint32)
    word, start = jnp.uint32(words[0]), jnp.uint32(0)
    for number in range(1, len(words)):
        first = jnp.uint32(number * held)
        word = jnp.where(places >= first, jnp.uint32(words[number]), word)
        start = jnp.where(places >= first, first, start)
    found = (word >> ((places - start) * jnp.uint32(bits))) & jnp.uint32((1 << bits) - 1)
    return lax.convert_element_type(found, np.int32) + np.int32(low) if low else found


def progression(places: Known) -> tuple[int, int] | None:
    """Return the first of growing places that are all as far from each other, and how far; else None."""
    if places.size == 1:
        return int(places[0]), 1
    steps = np.diff(places)
    step = int(steps[0])
    return (int(places[0]), step) if step > 0 and (steps == step).all() else None


def entries(array: Value, index: Value, length: int, kind: Any) -> Traced:
    """Return ``array[index]``, in the shape of the index; an index outside gives anything."""
    if isinstance(array, Collected):
        return array.pick(index, length, kind)
    if length == 1:
        return array[0] if jnp.ndim(array) else array
    if not is_known(index):
        return one_of(array, index) if length <= MOST_CHOSEN else gathered(array, index)
    places = np.clip(np.asarray(index), 0, length - 1)
    if places.ndim == 0:
        return lax.index_in_dim(array, int(places), keepdims=False)
    row = progression(places.T.ravel())
    if row is not None:
        first, step = row
        found = lax.slice(array, (first,), (first + step * (places.size - 1) + 1,), (step,))
        return found.reshape(places.shape[::-1]).T
    cut = _cut(array, np.asarray(index), length)
    if cut is None:
        cut = _shifted(array, np.asarray(index), length)
    return gathered(array, places.astype(np.int32)) if cut is None else cut


def _shifted(array: Traced, places: Known, length: int) -> Traced | None:
    """Return entries at places of which each is one of few steps away from its own number; None for other places.

    So is what lies beside each cell of a map whose borders lead to the other side. For each step the row is taken as a
    whole.
    """
    count = places.size
    if places.ndim != 1 or not FEWEST_CUT <= count <= length:
        return None
    steps = (places - np.arange(count)) % length  # what lies beyond an end begins at the other one
    found = np.unique(steps[(places >= 0) & (places < length)])
    if not 0 < len(found) <= MOST_STEPS:
        return None
    # Found before: a compiler that joins the two asks of every entry in which half it lies.
    twice = settled(jnp.concatenate((array, array)))
    parts = [lax.slice(twice, (step,), (step + count,)) for step in found.tolist()]
    result = parts[0]
    for step, part in zip(found[1:], parts[1:], strict=True):
        result = jnp.where(steps == step, part, result)
    return result


def _cut(array: Traced, places: Known, length: int) -> Traced | None:
    """Return entries at places that grow by the same step wherever they are inside; None where they do not.

    They are cut out of the row as a whole, as the neighbours of all cells to one side of them are.
    """
    rows = places.reshape(-1, places.shape[-1])
    if rows.shape[1] < FEWEST_CUT:
        return None
    found = [_progression_inside(row, length) for row in rows]
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    count = rows.shape[1]
    left = max(0, -min(first for first, _ in parts))
    right = max(0, max(first + step * (count - 1) for first, step in parts) - length + 1)
    if left + right > 2 * length:
        return None
    # Rows are put side by side by copying them; padding asks of every entry where it lies.
    sides = [jnp.zeros(width, array.dtype) for width in (left, right)]
    padded = jnp.concatenate((sides[0], array, sides[1])) if left + right else array
    if len(parts) > MOST_CUT:
        return None if any(step != 1 for _, step in parts) else _windows(padded, parts, left, places.shape)
    cuts = [
        lax.slice(padded, (left + first,), (left + first + step * (count - 1) + 1,), (step,))
        for first, step in parts
    ]
    return (cuts[0] if len(cuts) == 1 else jnp.stack(cuts)).reshape(places.shape)


def _windows(padded: Traced, parts: Sequence[tuple[int, int]], left: int, shape: tuple[int, ...]) -> Traced:
    """Return many parts of a row by one operation: each is a stretch of it."""
    starts = np.array([[left + first] for first, _ in parts], np.int32)
    numbers = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(0,))
    # Found before: a compiler that joins the two asks of every entry whether it lies in the row.
    found = lax.gather(
        settled(padded),
        starts,
        numbers,
        slice_sizes=(shape[-1],),
        mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS,
    )
    return found.reshape(shape)


def _progression_inside(places: Known, length: int) -> tuple[int, int] | None:
    """Return first and step of growing places, of which those outside of a row may be any."""
    (inside,) = np.nonzero((places >= 0) & (places < length))
    if not inside.size:
        return 0, 1
    step = 1
    if inside.size > 1:
        step, rest = divmod(int(places[inside[-1]] - places[inside[0]]), int(inside[-1] - inside[0]))
        if step < 1 or rest:
            return None
    first = int(places[inside[0]]) - step * int(inside[0])
    return (first, step) if (places[inside] == first + step * inside).all() else None


def written(array: Traced, index: Value, value: Value, mask: Mask) -> Traced:
    """Return a row with ``value`` at ``index`` where ``mask`` holds; no two indices of a mask are the same."""
    length = array.shape[0]
    shape = np.broadcast_shapes(np.shape(index), np.shape(value), np.shape(mask))
    value = in_dtype(jnp.asarray(value), array.dtype)
    if is_known(index):
        return _at_known(array, np.broadcast_to(np.asarray(index), shape), value, mask)
    if not shape and length <= MOST_COMPARED:
        here = jnp.arange(length, dtype=index.dtype) == index
        return jnp.where(here if mask is True else here & mask, value, array)
    index = lax.convert_element_type(index, np.int32)
    places = jnp.broadcast_to(index if mask is True else jnp.where(mask, index, np.int32(length)), shape)
    # An index below 0 would count from the end: it can only stand where nothing is meant.
    places = jnp.where(places < 0, np.int32(length), places)
    return array.at[places].set(jnp.broadcast_to(value, shape), mode="drop")


_laid = Primitive("laid")


def laid(array: Traced, part: Traced, start: int) -> Traced:
    """Return a row with a part of it replaced from ``start`` on.

    Under `jax.vmap` JAX would make a scatter of it, and XLA of that a pass over all entries; so it stays where it is.
    """
    found: Traced = _laid.bind(*varying((array, part)), start=start)
    return found


def _lay(array: Traced, part: Traced, *, start: int) -> Traced:
    return lax.dynamic_update_slice(array, part, (np.int32(0),) * (array.ndim - 1) + (np.int32(start),))


def _laid_in_batch(given: Any, axes: Any, *, start: int) -> Any:
    size = next(value.shape[axis] for value, axis in zip(given, axes, strict=True) if axis is not None)
    rows = [
        jnp.broadcast_to(value, (size, *value.shape)) if axis is None else jnp.moveaxis(value, axis, 0)
        for value, axis in zip(given, axes, strict=True)
    ]
    return _laid.bind(*rows, start=start), 0


_laid.def_impl(_lay)
_laid.def_abstract_eval(lambda array, part, *, start: array)
batching.primitive_batchers[_laid] = _laid_in_batch
mlir.register_lowering(_laid, mlir.lower_fun(_lay, multiple_results=False))


def _at_known(array: Traced, places: Known, value: Traced, mask: Mask) -> Traced:
    """Write to places that are known: each entry of the row takes the round that writes to it."""
    length, shape = array.shape[0], places.shape
    if places.ndim == 0:
        at = int(places)
        if not 0 <= at < length:
            return array
        here = np.arange(length) == at
        return jnp.where(here if mask is True else here & mask, value, array)
    flat = places.T.ravel()
    if not value.ndim and not np.ndim(mask):
        here = np.isin(np.arange(length), flat)
        return jnp.where(here if mask is True else here & mask, value, array)
    value = jnp.broadcast_to(value, shape).T.ravel()
    spread = None if mask is True else jnp.broadcast_to(mask, shape).T.ravel()
    row = progression(flat)
    if row is not None and row[1] == 1 and flat.size == length:
        return value if spread is None else jnp.where(spread, value, array)
    if row is not None and row[1] == 1 and row[0] >= 0 and row[0] + flat.size <= length:
        start = row[0]
        if spread is not None:
            value = jnp.where(spread, value, lax.slice(array, (start,), (start + flat.size,)))
        if length > MOST_COMPARED:
            array, value = settled((array, value))
            return laid(array, value, start)
        return lax.dynamic_update_slice(array, value, (np.int32(start),))
    rounds = np.zeros(length, np.int32)
    covered = np.zeros(length, np.bool_)
    inside = (flat >= 0) & (flat < length)
    rounds[flat[inside]] = np.flatnonzero(inside)
    covered[flat[inside]] = True
    if row is not None and length % row[1] == 0 and row[1] * flat.size == length:
        # Every so many entries: the row as a table, of which one column is written.
        value = jnp.repeat(value, row[1], total_repeat_length=length)
        spread = spread if spread is None else jnp.repeat(spread, row[1], total_repeat_length=length)
    else:
        # Each round is found once, not again for each entry that takes it or passes it by.
        if spread is not None:
            value, spread = kept_apart((value, spread))
            spread = gathered(spread, rounds)
        value = gathered(value, rounds)
    return jnp.where(covered if spread is None else covered & spread, value, array)
