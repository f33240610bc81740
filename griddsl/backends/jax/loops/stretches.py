"""Loops that go as far as a loop around them says: what the nearest rounds come to is part of what further ones do.

Whether all stones up to a distance are the other's is asked for each distance. A loop that is run at once for each of
them would find again what it asks of a stone for each distance beyond it. Here each stone is asked once; which of the
answers count for which distance is known before.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.arrays import Known, Traced, Value, is_known
from griddsl.backends.jax.settling import settled
from griddsl.backends.jax.values import either
from griddsl.program import ir

MOST = 32  # rounds, each of which is written out


@dataclass(frozen=True)
class Stretch:
    """How many rounds there are at most, and how many of them each round of a loop around asks for."""

    lengths: Known  # has the shape of the loops around, and has different ones along one axis
    axis: int  # of the shape of the loops around, counted from its end: below 0

    def fits(self, hits: Value, shape: tuple[int, ...]) -> bool:
        """Whether rounds come to the same in all rounds of the loop around: only how many count is different."""
        return np.ndim(hits) == len(shape) and hits.shape[0] == shape[0] and hits.shape[self.axis] == 1

    def any_of(self, hits: Value) -> Traced:
        """Return whether any of the rounds that count hits, for each round of the loops around."""
        rows = jnp.asarray(hits) if is_known(hits) else settled(hits)
        found: Value = False
        for number in range(rows.shape[0]):
            found = either(found, jnp.logical_and(rows[number], number < self.lengths))
        return found


def stretch_of(loop: ir.ForEach | ir.Reduce, low: Value, high: Value) -> Stretch | None:
    """Return how far the rounds of an `any` or `all` go, where that is known and one loop around says it."""
    if not isinstance(loop, ir.Reduce) or loop.how not in {"any", "all"}:
        return None
    if not is_known(low) or np.ndim(low) or not isinstance(high, np.ndarray):
        return None
    lengths = np.maximum(high - int(low), 0)
    longer = [axis - high.ndim for axis, length in enumerate(high.shape) if length > 1]
    if len(longer) != 1 or lengths.max() > MOST:
        return None
    return Stretch(lengths, longer[0])
