"""Many rounds become one value: any of them, how many, the least, the greatest, that of one place.

XLA cuts what is reduced on a processor into parts of 32 entries. Where there are more, it writes them out, with what is
missing of the last part, and then reduces each part by an operation for windows that takes as long as all else. Cut
into parts that come out even, rounds are reduced while they are found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.arrays import DType, Traced, Value, gathered, is_known, progression
from griddsl.backends.jax.settling import kept_apart
from griddsl.backends.jax.values import traced

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


def picked(whole: DType, value: Value, place: Traced, shape: tuple[int, ...], kind: str) -> Any:
    """Return the value of the round at a place."""
    if np.ndim(value) == 0:
        return value
    first = _numbered_from(value, shape)
    if kind == "int" and first is not None:
        return traced(first, kind, whole) + traced(place, kind, whole)
    if len(shape) == 1:
        return gathered(traced(value, kind, whole), place)
    values = jnp.broadcast_to(traced(value, kind, whole), shape)
    place = jnp.clip(place, 0, shape[0] - 1)
    return jnp.take_along_axis(values, place[None], 0, mode="promise_in_bounds")[0]


def _numbered_from(value: Value, shape: tuple[int, ...]) -> int | None:
    """Return the value of the first round where rounds have theirs by their numbers; None where they do not."""
    if not is_known(value) or np.shape(value)[0] != shape[0] or np.size(value) != shape[0]:
        return None
    row = progression(np.ravel(value))
    return row[0] if row is not None and row[1] == 1 else None
