"""The random stream: SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").

It is a 64-bit counter that is hashed, so the words to come are known before they are asked for: a stream in Python
makes a block of them at once and hands them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

MASK = 0xFFFFFFFFFFFFFFFF
GAMMA = 0x9E3779B97F4A7C15
LARGEST_BLOCK = 256  # words: more would be thrown away by those who put states back
FEW = 16  # words that are hashed one by one sooner than by numpy
Words: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"

_GAMMA = np.uint64(GAMMA)
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


class Stream:
    """The random stream of one environment: ``stream[0]`` is its counter, 64 bits, which can be read and put.

    ``words`` are words that come next; where there is none, `refill` makes more and gives the first.
    """

    __slots__ = ("_end", "_size", "words")

    def __init__(self, counter: int = 0) -> None:
        self.words: Iterator[int] = iter(())
        self._end, self._size = counter, 1

    def __getitem__(self, place: int) -> int:
        """Return the counter."""
        left: int = self.words.__length_hint__()  # type: ignore[attr-defined]
        return (self._end - GAMMA * left) & MASK

    def __setitem__(self, place: int, counter: int) -> None:
        """Put the counter; what was made ahead is kept where it goes on from there."""
        if counter != self[0]:
            self.words = iter(())
            self._end, self._size = counter, 1

    def copy(self) -> Stream:
        """Return a stream that goes on from here by itself."""
        return Stream(self[0])

    def __reduce__(self) -> tuple[type[Stream], tuple[int]]:
        """Pickle the counter."""
        return Stream, (self[0],)

    def refill(self) -> int:
        """Return the next word, and make as many after it as the last ones that were asked for suggest."""
        size = self._size
        self._size = min(4 * size, LARGEST_BLOCK)
        if size < FEW:
            made = [hashed(self._end + GAMMA * place) for place in range(1, size + 1)]
        else:
            counters = np.full(size, self._end, np.uint64)
            counters += np.arange(size, dtype=np.uint64) * _GAMMA
            made = next_words(counters).tolist()
        self._end = (self._end + GAMMA * size) & MASK
        self.words = iter(made)
        return next(self.words)


def hashed(counter: int) -> int:
    """Return the word of a counter."""
    z = counter & MASK
    z = ((z ^ (z >> 30)) * _FIRST) & MASK
    z = ((z ^ (z >> 27)) * _SECOND) & MASK
    return z ^ (z >> 31)


def next_words(streams: Words) -> Words:
    """Return the next word of each of many streams, which move on."""
    streams += _GAMMA
    return words_of(streams.copy(), np.empty_like(streams))


def words_of(counters: Words, spare: Words) -> Words:
    """Put the words of counters in their place, and return them; ``spare`` is as large, and written to."""
    z = counters
    for shift, factor in ((_30, _FIRST), (_27, _SECOND)):
        np.right_shift(z, shift, out=spare)
        z ^= spare
        z *= np.uint64(factor)
    np.right_shift(z, _31, out=spare)
    z ^= spare
    return z
