"""The random stream in JAX: SplitMix64 and Lemire's draw, with the words of `griddsl.program.stream`.

A counter is one uint64 while a function runs; between two calls it is a pair of uint32, upper half first, so that
states are the same whether JAX keeps 64 bits or not. What calls this is traced with 64 bits allowed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import DType, Mask, Traced, Value
from griddsl.backends.jax.loops.lanes import any_game
from griddsl.backends.jax.settling import has_many_cores
from griddsl.backends.jax.values import traced
from griddsl.program import ir
from griddsl.program.stream import GAMMA

CERTAIN = 96  # bits: what has a chance of one in 2 ** 96 never happens
MOST_TRIES = 8

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_GAMMA = np.uint64(GAMMA)
_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)


def joined(pair: Traced) -> Traced:
    """Return the counter of a pair of uint32, ``(2,)``, upper half first."""
    wide = lax.convert_element_type(pair, np.uint64)
    return (wide[0] << _32) | wide[1]


def parted(counter: Traced) -> Traced:
    """Return a counter as a pair of uint32, upper half first."""
    halves = jnp.stack([counter >> _32, counter & _LOW])
    return lax.convert_element_type(halves, np.uint32)


def word(counter: Traced) -> tuple[Traced, Traced]:
    """Return the next 64 bits, and the counter after them."""
    counter = counter + _GAMMA
    z = counter
    for shift, factor in _STEPS:
        z = (z ^ (z >> shift)) * factor
    return z ^ (z >> np.uint64(31)), counter


def draw(counter: Traced, n: Value, wanted: Mask = True, most: float = math.inf) -> tuple[Traced, Traced]:
    """Return a whole number below ``n`` (uint64), which is ``most`` at most, and the counter after it.

    Where it is not ``wanted`` the number is not looked at, and not drawn again if it is rejected.
    """
    if isinstance(n, int):
        threshold: Value = np.uint64((2**32 - n) % n if n > 0 else 0)
        bound: Value = np.uint64(max(n, 1))
        most = max(n, 1)
    else:
        bound = lax.convert_element_type(n, np.uint64)
        threshold = (np.uint64(2**32) - bound) % jnp.maximum(bound, np.uint64(1))
    bits, counter = word(counter)
    product = (bits >> _32) * bound
    if isinstance(n, int) and threshold == 0:
        return product >> _32, counter

    def rejected(found: tuple[Traced, Traced]) -> Traced:
        return jnp.logical_and(wanted, (found[0] & _LOW) < threshold)

    def again(found: tuple[Traced, Traced]) -> tuple[Traced, Traced]:
        bits, counter = word(found[1])
        return (bits >> _32) * bound, counter

    found, tries = (product, counter), _tries(most)
    if tries > MOST_TRIES:
        product, counter = axes.while_loop(rejected, again, found)
        return product >> _32, counter

    def tried() -> tuple[Traced, Traced]:
        last = found
        for _ in range(tries - 1):
            is_rejected, more = rejected(last), again(last)
            last = jnp.where(is_rejected, more[0], last[0]), jnp.where(is_rejected, more[1], last[1])
        return last

    # To ask whether any word is rejected takes a processor less than to draw others, and a device of many cores more.
    product, counter = (
        tried() if has_many_cores() else axes.cond(any_game(rejected(found)), tried, lambda: found)
    )
    return product >> _32, counter


def _tries(most: float) -> int:
    """Return after how many words one is taken for certain: all of them are rejected with a chance below 2 ** -96.

    A word is rejected with a chance below ``most / 2 ** 32``. So few tries need no loop, which a compiler of arrays
    takes long to look through, and which stops a device that many games share.
    """
    bits = 32 - math.log2(max(most, 1))
    return math.ceil(CERTAIN / bits) if bits > 0 else MOST_TRIES + 1


def chance(counter: Traced, p: Value) -> tuple[Traced, Traced]:
    """Return whether something with the chance ``p`` happens, to 53 bits, and the counter after it."""
    bits, counter = word(counter)
    share = lax.convert_element_type(bits >> np.uint64(11), np.float64) * np.float64(2.0**-53)
    return share < p, counter


def drawn(
    counter: Traced, source: ir.Draw, values: Sequence[Value], wanted: Mask, whole: DType
) -> tuple[Any, Traced]:
    """Return what a `Draw` of a program gives for its values, and the counter after it."""
    if source.how == "chance":
        return chance(counter, traced(values[0], "real", whole))
    if source.totals is not None:
        sums = np.asarray(source.totals.values)
        number, counter = draw(counter, int(sums[-1]), wanted)
        passed = lax.convert_element_type(number, np.int64) >= sums
        return passed.sum(dtype=whole), counter
    number, counter = draw(counter, values[-1], wanted, source.values[-1].high)
    number = lax.convert_element_type(number, whole)
    return (number < traced(values[0], "int", whole) if source.how == "odds" else number), counter
