"""Seeds: the streams that environments start from, as Gymnasium seeds them."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.diagnostics import Refused


def seeded(seed: int | None) -> np.random.Generator:
    """Return a generator of a seed, as Gymnasium makes it."""
    return gym.utils.seeding.np_random(seed)[0]


def new_stream(generator: np.random.Generator) -> int:
    """Return 64 bits for a random stream."""
    return int(generator.integers(0, 2**64, dtype=np.uint64))


def seeds_of(seed: Any, count: int, what: str) -> list[int | None]:
    """Return a seed for each of a batch: ``seed + i``, or those of a list or an array, where None may stand."""
    if seed is None:
        return [None] * count
    if isinstance(seed, str | bytes) or not np.iterable(seed):
        return [_seed(seed) + i for i in range(count)]
    seeds = [None if each is None else _seed(each) for each in seed]
    if len(seeds) != count:
        raise Refused(f"there are {len(seeds)} seeds for {count} {what}")
    return seeds


def _seed(given: Any) -> int:
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"a seed is an integer, or one for each in a list, not {given!r}") from None
