"""The random stream in JAX: SplitMix64 and Lemire's draw, with the words of `griddsl.program.stream`.

A counter is one uint64 while a function runs; between two calls it is a pair of uint32, upper half first, so that
states are the same whether JAX keeps 64 bits or not. What calls this is traced with 64 bits allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax import axes
from griddsl.backends.jax.values import traced
from griddsl.program import ir
from griddsl.program.stream import GAMMA

Traced: TypeAlias = Any

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


def draw(counter: Traced, n: Any, wanted: Any = True) -> tuple[Traced, Traced]:
    """Return a whole number below ``n`` (uint64), and the counter after it.

    Where it is not ``wanted`` the number is not looked at, and not drawn again if it is rejected.
    """
    if isinstance(n, int):
        threshold: Any = np.uint64((2**32 - n) % n if n > 0 else 0)
        bound: Any = np.uint64(max(n, 1))
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

    product, counter = axes.while_loop(rejected, again, (product, counter))
    return product >> _32, counter


def chance(counter: Traced, p: Any) -> tuple[Traced, Traced]:
    """Return whether something with the chance ``p`` happens, to 53 bits, and the counter after it."""
    bits, counter = word(counter)
    share = lax.convert_element_type(bits >> np.uint64(11), np.float64) * np.float64(2.0**-53)
    return share < p, counter


def drawn(
    counter: Traced, how: str, values: Sequence[Any], totals: ir.Table | None, wanted: Any, whole: Any
) -> tuple[Any, Traced]:
    """Return what a `Draw` of a program gives for its values, and the counter after it."""
    if how == "chance":
        return chance(counter, traced(values[0], "real", whole))
    if totals is not None:
        sums = np.asarray(totals.values)
        number, counter = draw(counter, int(sums[-1]), wanted)
        passed = lax.convert_element_type(number, np.int64) >= sums
        return passed.sum(dtype=whole), counter
    number, counter = draw(counter, values[-1], wanted)
    number = lax.convert_element_type(number, whole)
    return (number < traced(values[0], "int", whole) if how == "odds" else number), counter
