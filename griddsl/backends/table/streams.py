"""The random streams of a batch without machine code: their next words are made ahead, many of all at once."""

from __future__ import annotations

import numpy as np

from griddsl.backends.interface import Array
from griddsl.program.runtime import LOW
from griddsl.program.stream import GAMMA, words_of

AT_ONCE = 2**14  # words of all streams together
_LOW, _ONE, _32 = np.uint64(LOW), np.uint64(1), np.uint64(32)


class Streams:
    """The counters of many streams, and what comes next of each.

    Where all draws are among equally many, ``alike`` numbers, that are the numbers themselves; else the upper 32 bits
    of words.
    """

    def __init__(self, count: int) -> None:
        self.alike = 0
        self._counters: Array = np.zeros(count, np.uint64)
        self._ahead = max(4, min(64, AT_ONCE // count))
        self._starts: Array = np.arange(count) * self._ahead
        self._places = self._starts.copy()  # of what comes next of each stream
        self._made: Array = np.zeros((count, self._ahead), np.uint64)
        self._are_numbers = False  # what was made
        self._spare = np.zeros_like(self._made)
        self._gaps = np.arange(1, self._ahead + 1, dtype=np.uint64) * np.uint64(GAMMA)
        self._left = -1  # for so many draws at least something was made of every stream; -1 where nothing was

    @property
    def counters(self) -> Array:
        """The counters, (count,) uint64, which may be written to: what was made ahead is made again."""
        self.settle()
        return self._counters

    def settle(self) -> None:
        """Let the counters stand where the draws have brought them, for who reads and moves them where they lie."""
        self._counters += (self._places - self._starts).astype(np.uint64) * np.uint64(GAMMA)
        self._places[:] = self._starts
        self._left = -1

    def draw(self, sizes: Array, rows: Array | None = None) -> Array:
        """Return whole numbers below ``sizes``, uint64; without a draw, any, where that is 0.

        ``rows`` are the streams that are drawn from, None for all.
        """
        m = self._next(sizes, rows)
        if self._are_numbers:
            return m
        m *= sizes
        # Few are that low, and the exact bound, a remainder, is the costliest operation of all.
        low = (m & _LOW) < sizes
        if np.count_nonzero(low):
            again = np.flatnonzero(low)
            while len(again := again[(m[again] & _LOW) < (_LOW + _ONE - sizes[again]) % sizes[again]]):
                self.alike, alike = 0, self.alike
                m[again] = self._next(sizes[again], again if rows is None else rows[again]) * sizes[again]
                self.alike = alike
        m >>= _32
        return m

    def _next(self, sizes: Array, rows: Array | None) -> Array:
        """Return what comes next of streams, which move on where the size is not 0."""
        if self._left <= 0:
            self._refill()
        self._left -= 1
        places = self._places if rows is None else self._places[rows]
        m: Array = self._made.take(places, mode="clip")
        moved = sizes != 0
        if rows is None:
            places += moved
        else:
            self._places[rows] = places + moved
        return m

    def draw_one(self, row: int, size: int) -> int:
        """Return a whole number below a size from one stream."""
        if self._left <= 0:
            self._refill()
        self._left -= 1
        place = self._places.item(row)
        self._places[row] = place + 1
        m: int = self._made.item(place)
        if self._are_numbers:
            return m
        m *= size
        return m >> 32 if m & LOW >= (LOW + 1 - size) % size else self.draw_one(row, size)

    def _refill(self) -> None:
        """See to it that something is made of every stream; it may be, where few were drawn from."""
        if not self._left:
            self._left = self._ahead - int((self._places - self._starts).max())
        if self._left <= 0:
            self._make()

    def _make(self) -> None:
        """Make what comes next; words, too, where a number that ought to be drawn again is among those drawn."""
        self._are_numbers = self.alike > 0
        while True:
            np.add(self.counters[:, None], self._gaps, out=self._made)
            words_of(self._made, self._spare)
            self._made >>= _32
            self._left = self._ahead
            if not self._are_numbers:
                return
            self._made *= np.uint64(self.alike)
            np.bitwise_and(self._made, _LOW, out=self._spare)
            if self._spare.min() >= self.alike:
                self._made >>= _32
                return
            self._are_numbers = False
