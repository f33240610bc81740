"""The next episodes of a batch: begun for those that are over, and for no others.

Under `jax.vmap` both sides of a condition are computed for all. A setup that draws maps and places things may take
longer than a step, and few episodes of a batch end at once: so a batch takes out those that are over, a few at a
time, until there are none left. A device of many cores takes out more of them at a time, and only where that is much
work: to compute a setup without loops for all takes it less than to find out for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap
from jax.extend.core import ClosedJaxpr, Literal, jaxpr_as_fun, jaxprs_in_params

from griddsl.backends.jax import axes
from griddsl.backends.jax.arrays import nth, packed
from griddsl.backends.jax.settling import has_many_cores, settled

Begin: TypeAlias = Callable[[Any], Any]
LEAST_PARTED = 120  # operations: a setup of fewer is computed for all, which takes less than looking for some
CALLS = {"jit", "pjit"}  # operations that only call others
LOOPS = {"while", "scan"}
ONE_IN, FEWEST, MOST = 64, 8, 1024  # which share of a batch begins at once
ONE_IN_OF_MANY = 8  # the same of a device of many cores, whatever the batch
MOST_AT_ONCE = 2**25  # operations of all games that such a device rather computes than to look for some games


def begun(over: jax.Array, given: Any, kept: Any, begin: Begin) -> Any:
    """Return ``begin(given)`` where an episode is over, else ``kept``: trees of the same arrays.

    They are chosen between as rows, whatever their shapes: a processor goes through the last axis of an array at once,
    and that of a picture is short.
    """
    rows = _begun(over, given, jax.tree.map(jnp.ravel, kept), begin)
    return jax.tree.map(_shaped, rows, kept)


def _shaped(row: Any, array: Any) -> Any:
    """Return a row in the shape of an array; a picture is found before, or XLA would find it in its shape."""
    return jnp.reshape(settled(row) if jnp.ndim(array) > 1 else row, jnp.shape(array))


def _begun(over: jax.Array, given: Any, kept: Any, begin: Begin) -> Any:
    """Return what `begun` does, in rows."""

    def in_rows(given: Any) -> Any:
        return jax.tree.map(jnp.ravel, begin(given))

    setup = jax.make_jaxpr(in_rows)(given)
    count = operations(setup)
    if count < LEAST_PARTED:
        return _either(over, given, kept, in_rows)
    shape = jax.tree.structure(kept)

    def traced(given: Any) -> Any:
        # A batch asks within another context, in which JAX would trace the setup again, as long as all else takes.
        return jax.tree.unflatten(shape, jaxpr_as_fun(setup)(*jax.tree.leaves(given)))

    def alone(over: jax.Array, given: Any, kept: Any) -> Any:
        return _either(over, given, kept, traced)

    def of_batch(size: int, batched: Any, over: jax.Array, given: Any, kept: Any) -> Any:
        over, given, kept = jax.tree.map(
            lambda row, array: array if row else jnp.broadcast_to(array, (size, *jnp.shape(array))),
            tuple(batched),
            (over, given, kept),
        )
        if has_many_cores() and count * size < MOST_AT_ONCE and not has_loops(setup.jaxpr):
            result = jax.vmap(alone)(over, given, kept)
        else:
            result = _in_parts(size, over, given, kept, traced)
        return result, jax.tree.map(lambda _: True, result)

    found = custom_vmap(alone)
    found.def_vmap(of_batch)
    return found(over, given, kept)


def has_loops(jaxpr: Any) -> bool:
    """Whether operations are done again and again."""
    return any(
        eqn.primitive.name in LOOPS or any(map(has_loops, jaxprs_in_params(eqn.params))) for eqn in jaxpr.eqns
    )


def operations(setup: ClosedJaxpr) -> int:
    """Return of how many operations on what is given the setup of an episode consists.

    What is the same for all games is found once: a setup that draws nothing is a constant.
    """
    jaxpr = setup.jaxpr
    return _counted(jaxpr, [True] * len(jaxpr.invars))[0]


def _counted(jaxpr: Any, depends: Sequence[bool]) -> tuple[int, list[bool]]:
    """Return how many operations depend on what is given, and which results do."""
    given = {var for var, does in zip(jaxpr.invars, depends, strict=True) if does}
    count = 0
    for eqn in jaxpr.eqns:
        own = [not isinstance(var, Literal) and var in given for var in eqn.invars]
        if not any(own):
            continue
        inner = list(jaxprs_in_params(eqn.params))
        results = [True] * len(eqn.outvars)
        if eqn.primitive.name in CALLS and len(inner) == 1:
            more, results = _counted(inner[0], own)
            count += more
        else:
            count += 1 + sum(_counted(each, [True] * len(each.invars))[0] for each in inner)
        given |= {var for var, does in zip(eqn.outvars, results, strict=True) if does}
    return count, [not isinstance(var, Literal) and var in given for var in jaxpr.outvars]


def _either(over: jax.Array, given: Any, kept: Any, begin: Begin) -> Any:
    return axes.cond(over, lambda: begin(given), lambda: kept)


def _in_parts(size: int, over: jax.Array, given: Any, kept: Any, begin: Begin) -> Any:
    """Begin the episodes that are over, some of them at a time; ``size`` stands in for one that there is not."""
    count = size // ONE_IN_OF_MANY if has_many_cores() else min(MOST, size // ONE_IN)
    count = min(size, max(FEWEST, count))

    def some(state: Any) -> Any:
        left, kept = state
        numbers = np.arange(count, dtype=np.int32)
        places = jnp.where(numbers < left.sum(dtype=np.int32), nth(packed(left), numbers), np.int32(size))
        anew = jax.vmap(begin)(jax.tree.map(lambda row: row.at[places].get(mode="clip"), given))
        kept = jax.tree.map(lambda old, new: old.at[places].set(new, mode="drop"), kept, anew)
        return left.at[places].set(False, mode="drop"), kept

    return axes.while_loop(lambda state: state[0].any(), some, (over, kept))[1]
