"""What is drawn from a stream, found ahead: numbers below the sizes that were asked for, for a block of words."""

from __future__ import annotations

import numpy as np

from griddsl.program.runtime import LOW, draw
from griddsl.program.stream import FEW, GAMMA, LARGEST_BLOCK, MASK, Stream, Words, hashed, next_words

NO_WORDS = np.empty(0, np.uint64)


class Drawn:
    """A block of words of a stream, and what is drawn with each.

    ``below[n][place]`` is what `draw` gives below ``n`` with the word at a place of the block, or None where it would
    draw again; ``place`` is that of the next word. A step looks there itself, and calls `draw` where it finds nothing.
    """

    __slots__ = ("_counter", "_size", "_words", "below", "place")

    def __init__(self) -> None:
        self.below: dict[int, list[int | None]] = {}
        self.place = 0
        self._counter = 0  # before the first word of the block
        self._words = NO_WORDS  # their upper halves, with which numbers are drawn
        self._size = 1

    @property
    def counter(self) -> int:
        """The counter of the stream, 64 bits: where it stands after what was drawn."""
        return (self._counter + GAMMA * self.place) & MASK

    def go_on_from(self, counter: int) -> None:
        """Go on from a counter; what was found ahead is kept where the stream goes on from there."""
        if counter != (self._counter + GAMMA * self.place) & MASK:
            self._begin(counter, 1)

    def draw(self, size: int) -> int:
        """Return a whole number from 0 to ``size - 1``, as `griddsl.program.runtime.draw` does; 0 < size <= 2**31."""
        if self.place >= len(self._words):
            self._begin(self.counter, min(4 * self._size, LARGEST_BLOCK))
            self._make_words()
        if size not in self.below:
            self.below[size] = below(self._words, size)
        found = self.below[size][self.place]
        if found is not None:
            self.place += 1
            return found
        stream = Stream(self.counter)
        found = draw(stream, size)  # with as many words as it takes
        self._begin(stream[0], 1)
        return found

    def _begin(self, counter: int, size: int) -> None:
        self._counter, self._size, self.place = counter, size, 0
        self._words = NO_WORDS
        self.below.clear()

    def _make_words(self) -> None:
        if self._size < FEW:
            halves = [hashed(self._counter + GAMMA * place) >> 32 for place in range(1, self._size + 1)]
            self._words = np.array(halves, np.uint64)
        else:
            counters = np.arange(self._size, dtype=np.uint64) * np.uint64(GAMMA) + np.uint64(self._counter)
            self._words = next_words(counters) >> np.uint64(32)


def below(words: Words, size: int) -> list[int | None]:
    """Return what is drawn below a size with the upper half of each word; None where it is drawn again."""
    products = words * np.uint64(size)
    found: list[int | None] = (products >> np.uint64(32)).tolist()
    again = (products & np.uint64(LOW)) < np.uint64((LOW + 1 - size) % size)
    for place in np.flatnonzero(again).tolist():
        found[place] = None
    return found
