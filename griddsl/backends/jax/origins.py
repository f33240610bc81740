"""Where values come from: a row that is looked up at places that are known, as lines and neighbours of all cells are.

What lies at such a place may be a thing, of which more is asked. Asked for each place, every answer would be fetched
from memory by itself, as often as places overlap. So the answer is found once for each entry of the row, and what the
places need is cut out of these answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.extend.core import get_opaque_trace_state

from griddsl.backends.jax.arrays import Known, Traced, gathered, is_known
from griddsl.backends.jax.settling import settled

MOST_ANSWERS = 2  # for each place: a row of more is not asked about as a whole


class Origins:
    """Of values, which row and which places they were read from; of rows, what was found for all entries of another."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[Traced, Traced, Known]] = {}
        self._found: dict[tuple[int, int], tuple[Any, Traced, Traced, Traced]] = {}

    def note(self, value: Traced, row: Traced, places: Any) -> None:
        """Note that a value is what a row holds at places; outside of it the value may be anything."""
        if is_known(places) and np.ndim(places):
            self._of[id(value)] = (value, row, np.asarray(places))

    def note_where(self, value: Traced, test: Any, then: Any, otherwise: Any) -> None:
        """Note a value that is ``then`` where a known test holds, and no index elsewhere."""
        origin = self._of.get(id(then))
        if origin is not None and isinstance(test, np.ndarray) and is_known(otherwise):
            _, row, places = origin
            if np.ndim(otherwise) == 0 and otherwise < 0:
                self.note(value, row, np.where(test, places, -1))

    def of(self, index: Any) -> tuple[Traced, Known] | None:
        """Return the row and the places that an index was read from, where it pays to ask about the whole row."""
        origin = self._of.get(id(index))
        if origin is None or origin[1].shape[0] > MOST_ANSWERS * origin[2].size:
            return None
        return origin[1], origin[2]

    def through(self, array: Traced, row: Traced) -> Traced:
        """Return the entries of an array at all indices that a row holds; they are found once."""
        # What was found in a loop that is compiled is known in this loop alone.
        state = get_opaque_trace_state(convention="flax")
        known = self._found.get((id(array), id(row)))
        if known is None or known[0] != state:
            known = (state, settled(gathered(array, row)), array, row)
            self._found[id(array), id(row)] = known
        return known[1]
