"""The runtime: the few functions that programs call.

Whole numbers below ``n`` are drawn from the upper 32 bits of a word of the stream by Lemire's multiplication with
rejection (2019, "Fast random integer generation in an interval"), so they have exactly equal chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from griddsl.program.stream import Stream

LOW = 0xFFFFFFFF
INFINITY = float("inf")


class SetupFailure(Exception):
    """A setup that found no place or no layout; the adapter turns it into a `SpecError`.

    ``state`` holds the integers of the state at that moment, put there by the backend that ran it.
    """

    def __init__(self, code: str, start: int, end: int, message: str) -> None:
        super().__init__(code, start, end, message)
        self.code, self.start, self.end, self.message = code, start, end, message
        self.state: Sequence[int] = ()


def next64(r: Stream) -> int:
    """Return the next 64 bits of the stream."""
    try:
        return next(r.words)
    except StopIteration:
        return r.refill()


def draw(r: Stream, n: int) -> int:
    """Return a whole number from 0 to ``n - 1``, each with the same chance; 0 < n <= 2**31."""
    try:  # `next64`, written out: a call would take as long as all the rest
        m = (next(r.words) >> 32) * n
    except StopIteration:
        m = (r.refill() >> 32) * n
    return m >> 32 if m & LOW >= n else accepted(r, m, n)


def accepted(r: Stream, m: int, n: int) -> int:
    """Return what is drawn below ``n`` where the first product is ``m``: it is drawn again while it is too low."""
    threshold = (LOW + 1 - n) % n
    while m & LOW < threshold:
        m = (next64(r) >> 32) * n
    return m >> 32


def odds(r: Stream, wins: int, of: int) -> bool:
    """Return True with the chance ``wins / of``, exactly."""
    try:  # `draw`, written out as well: most of what is drawn in a step is one of these
        m = (next(r.words) >> 32) * of
    except StopIteration:
        m = (r.refill() >> 32) * of
    return (m >> 32 if m & LOW >= of else accepted(r, m, of)) < wins


def chance(r: Stream, p: float) -> bool:
    """Return True with the chance ``p``, to 53 bits."""
    return (next64(r) >> 11) * 1.1102230246251565e-16 < p


def weighted(r: Stream, totals: Sequence[int]) -> int:
    """Return an index with the chance of its weight; ``totals`` are the running sums of whole weights."""
    drawn = draw(r, totals[len(totals) - 1])
    index = 0
    while drawn >= totals[index]:
        index += 1
    return index


def claimed(value: float, low: float, high: float, because: str) -> float:
    """Return a value that is claimed to lie in a range; raise AssertionError where it does not."""
    assert low <= value <= high, f"{value} is not from {low} to {high}, though {because}"
    return value


def snapshot(s: list[Any]) -> list[Any]:
    """Return a copy of the state."""
    return s.copy()


def restore(s: list[Any], kept: list[Any]) -> None:
    """Put a copy back."""
    s[:] = kept


def blank(out: Any, count: int, value: int) -> None:
    """Let an observation of ``count`` entries show one value, from 0 to 255, everywhere."""
    out[:] = bytes((value,)) * count
