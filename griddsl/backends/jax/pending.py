"""Writes that wait: entries that are written one by one are put into their row together, when the row is asked for.

What happens to a thing is written entry by entry: its cell, its kind, and soon its cell again. Each write of an array
is a pass over the arrays of all games, and where what was there before is asked for later, a copy of them. So a write
is kept as what it is, a place and a value, and who asks for an entry is told what it holds by now. That is reckoned
with single numbers; a place that is written again takes no second write. In short rows a write is a comparison of all
places with one, which is joined with what is around it: there nothing waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import MOST_COMPARED, Mask, Traced, Value, entries, is_known, written
from griddsl.backends.jax.settling import settled

MOST_WRITES = 8  # that wait: whoever asks for another entry compares its place with those of all


@dataclass(frozen=True, slots=True)
class Write:
    """An entry that is written where a mask holds."""

    index: Value
    value: Value
    mask: Mask

    def is_at(self, index: Value) -> bool:
        """Whether it is known while the program is traced that this is the place of another index."""
        return self.index is index or (is_known(index) and is_known(self.index) and index == self.index)

    def over(self, index: Value, found: Traced) -> Traced:
        """Return what an index holds, of which ``found`` is what it holds without this write."""
        if self.is_at(index):
            return self.value if self.mask is True else jnp.where(self.mask, self.value, found)
        if is_known(index) and is_known(self.index):
            return found
        here = self.index == index
        return jnp.where(here if self.mask is True else here & self.mask, self.value, found)


@dataclass(frozen=True, slots=True)
class Pending:
    """A slot as a row, and what has been written since, in order, each place once."""

    row: Traced
    writes: tuple[Write, ...] = ()

    def pick(self, index: Value, length: int, kind: Any) -> Traced:
        """Return the entry at an index, a single number."""
        found, left = None, self.writes
        for place, write in enumerate(self.writes):
            if write.is_at(index) and write.mask is True:
                found, left = write.value, self.writes[place + 1 :]
        if found is None:
            found = entries(self.row, index, length, kind)
        for write in left:
            found = write.over(index, found)
        return found

    def with_write(self, index: Value, value: Value, mask: Mask) -> Pending:
        """Return this with an entry written."""
        value = lax.convert_element_type(jnp.asarray(value), self.row.dtype)
        writes = self.writes
        before = next((write for write in writes if write.is_at(index)), None)
        if before is not None:
            if mask is not True:
                # It is what it was where nothing is written now.
                value = jnp.where(mask, value, self.pick(index, self.row.shape[0], self.row.dtype))
                mask = True if before.mask is True else jnp.logical_or(mask, before.mask)
            writes = tuple(write for write in writes if write is not before)
        elif len(writes) == MOST_WRITES:
            return Pending(self.whole(), (Write(index, value, mask),))
        return Pending(self.row, (*writes, Write(index, value, mask)))

    def whole(self, *_: Any) -> Traced:
        """Return the slot as an array."""
        writes = [(_meant(write), write.value) for write in self.writes]
        if not writes:
            return self.row
        # All is found before anything is written: nobody asks for what the row was, and it is written where it is.
        places, values = zip(*(settled(writes) if len(writes) > 1 else writes), strict=True)
        if len(writes) == 1:
            return written(self.row, places[0], values[0], True)
        # One operation for all, in which each place stands once: of several writes to it the last one counts.
        meant = []
        for number, place in enumerate(places):
            is_over = reduce(jnp.logical_or, [place == later for later in places[number + 1 :]], False)
            meant.append(jnp.where(is_over, np.int32(-1), place))
        return written(self.row, jnp.stack(meant), jnp.stack(values), True)


def _meant(write: Write) -> Traced:
    """Return where a write is, below 0 where nothing is written."""
    index = jnp.asarray(write.index, np.int32)
    return index if write.mask is True else jnp.where(write.mask, index, np.int32(-1))


def may_wait(length: int, *parts: Any) -> bool:
    """Whether a write is of a single entry, in a row that is too long for it to be compared with all places."""
    return length > MOST_COMPARED and not any(map(np.ndim, parts))


def noted(held: Traced | Pending, index: Value, value: Value, mask: Mask) -> Pending:
    """Return a slot with an entry written, later."""
    return (held if isinstance(held, Pending) else Pending(held)).with_write(index, value, mask)
