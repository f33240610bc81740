"""Randomness: the stream of an environment, and all forms of a draw (section "Randomness" of the reference)."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import gymnasium as gym
import numpy as np

BITS = 2**64
HALF = 2**32
LARGEST_TOTAL = 2**31


class Stream:
    """SplitMix64: a counter of 64 bits, of which each draw takes a hash."""

    def __init__(self, state: int = 0) -> None:
        self.state = state

    def bits(self) -> int:
        """Return the next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % BITS
        mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % BITS
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % BITS
        return mixed ^ (mixed >> 31)

    def below(self, count: int) -> int:
        """Return a whole number below ``count``; all have exactly the same chance (Lemire 2019)."""
        while True:
            product = (self.bits() >> 32) * count
            if product % HALF >= HALF % count:
                return product >> 32

    def happens(self, chance: Fraction | float) -> bool:
        """Return whether something with a chance happens: drawn exactly where the chance is a constant."""
        if isinstance(chance, Fraction):
            if chance <= 0 or chance >= 1:
                return chance >= 1
            chance = chance.limit_denominator(LARGEST_TOTAL - 1)
            return self.below(chance.denominator) < chance.numerator
        return (self.bits() >> 11) / 2**53 < chance

    def by_weight(self, weights: list[Fraction]) -> int:
        """Return an index, drawn by weights that add up to 1; what has one value is not drawn."""
        if len(weights) == 1:
            return 0
        if len(set(weights)) == 1:
            return self.below(len(weights))
        scale = lcm(*(weight.denominator for weight in weights))
        if scale > LARGEST_TOTAL:
            return self._one_after_another(weights)
        drawn = self.below(scale)
        for index, weight in enumerate(weights):
            drawn -= int(weight * scale)
            if drawn < 0:
                return index
        raise AssertionError("the weights add up to 1")

    def _one_after_another(self, weights: list[Fraction]) -> int:
        for index in range(len(weights) - 1):
            if self.happens(float(weights[index] / sum(weights[index:]))):
                return index
        return len(weights) - 1


def generator_of(seed: int | None) -> np.random.Generator:
    """Return the generator that Gymnasium makes of a seed: it gives streams their first state."""
    return gym.utils.seeding.np_random(seed)[0]


def first_state(generator: np.random.Generator) -> int:
    """Return the 64 bits that a stream starts with."""
    return int(generator.integers(0, 2**64, dtype=np.uint64))
