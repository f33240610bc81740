"""Many rounds become one value: any of them, how many, the least, the greatest.

XLA cuts what is reduced on a processor into parts of 32 entries. Where there are more, it writes them out, with what is
missing of the last part, and then reduces each part by an operation for windows that takes as long as all else. Cut
into parts that come out even, rounds are reduced while they are found.
"""

from __future__ import annotations

from collections.abc import Callable

import jax.numpy as jnp

from griddsl.backends.jax.arrays import DType, Traced
from griddsl.backends.jax.settling import kept_apart

PART = 32  # entries that XLA reduces at once
LEAST_PART = 8


def any_of(hits: Traced) -> Traced:
    """Return whether any round hits."""
    return _folded(hits, lambda part, axis: part.any(axis))


def total_of(values: Traced, whole: DType) -> Traced:
    """Return the sum of whole numbers, or how many rounds hit."""
    return _folded(values, lambda part, axis: part.sum(axis, dtype=whole))


def least_of(values: Traced) -> Traced:
    """Return the least of the numbers of all rounds."""
    return _folded(values, lambda part, axis: part.min(axis))


def greatest_of(values: Traced) -> Traced:
    """Return the greatest of the numbers of all rounds."""
    return _folded(values, lambda part, axis: part.max(axis))


def _folded(values: Traced, fold: Callable[[Traced, int], Traced]) -> Traced:
    """Return what a fold makes of the rounds, which are the first axis."""
    values = jnp.asarray(values)
    count = values.shape[0]
    while count > PART:
        part = next((size for size in range(PART, LEAST_PART - 1, -1) if count % size == 0), None)
        if part is None:
            break
        count //= part
        # What is between the two keeps XLA from making one of them again.
        values = kept_apart(fold(values.reshape(count, part, *values.shape[1:]), 1))
    return fold(values, 0)
