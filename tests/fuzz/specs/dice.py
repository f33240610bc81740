"""What a random spec is decided by: a seed, asked one question after the other."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A seeded source of decisions: the same seed gives the same answers to the same questions."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def between(self, low: int, high: int) -> int:
        """Return a number from low to high, both included."""
        return self._random.randint(low, high)

    def chance(self, percent: float) -> bool:
        """Return true in so many of a hundred cases."""
        return self._random.random() * 100 < percent

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return self._random.choice(options)

    def weighted(self, options: Mapping[T, float]) -> T:
        """Return one of the options, each as often as its weight says."""
        return self._random.choices(list(options), list(options.values()))[0]

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Return several different options, in a random order; all of them where there are too few."""
        count = min(len(options), self.between(least, most))
        return self._random.sample(list(options), count)

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return the options in a random order."""
        return self._random.sample(list(options), len(options))
