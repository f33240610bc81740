"""What a batch does as one: loops go on until no game goes on.

`jax.vmap` lets the rounds of a finished game run on too, and after each round chooses all that they hand on between
what it was and what it is: whole slots are copied, however little was written to them. So what rounds do is masked
here, and whether there is another one is asked of all games at once; a loop in a branch that no game takes has none.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

from griddsl.backends.jax.arrays import Traced
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir

_any_game = Primitive("any_game")
_of_game = Primitive("of_game")


def any_game(holds: Traced) -> Traced:
    """Return whether something holds, bool: for a game, or under `jax.vmap` for any of a batch."""
    return _any_game.bind(jnp.asarray(holds, np.bool_))


def _of_batch(given: Any, axes: Any) -> Any:
    (holds,), (axis,) = given, axes
    return any_game(lax.reduce_or(holds, (axis,))), None  # the same for all games


_any_game.def_impl(lambda holds: holds)
_any_game.def_abstract_eval(lambda holds: holds)
batching.primitive_batchers[_any_game] = _of_batch
mlir.register_lowering(_any_game, lambda _, holds: [holds])


def of_each_game(tree: Any, flag: Traced) -> Any:
    """Return arrays as they are: under `jax.vmap` one for each game, where a flag is one of each game.

    What a loop begins with may be the same for all games, and what its rounds hand on is not. JAX finds that out by
    going through the rounds, and through all loops in them, again and again until it finds no more of it.
    """
    return jax.tree.map(lambda leaf: _of_game.bind(leaf, flag), tree)


def _in_batch(given: Any, axes: Any) -> Any:
    (value, flag), (axis, flags) = given, axes
    if axis is None and flags is not None:
        axis, value = 0, jnp.broadcast_to(value, (flag.shape[flags], *np.shape(value)))
    return _of_game.bind(value, flag), axis


_of_game.def_impl(lambda value, _: value)
_of_game.def_abstract_eval(lambda value, _: value)
batching.primitive_batchers[_of_game] = _in_batch
mlir.register_lowering(_of_game, lambda _, value, flag: [value])


def run_masked(walk: Walk, body: ir.Block, own: Locals, active: Traced) -> None:
    """Run a body where ``active`` holds; elsewhere locals, slots and the stream stay as they are."""
    before, singles = dict(own), walk.singles()
    walk.block(body, own, active)
    found, after = dict(own), walk.singles()
    own.clear()
    own.update(before)
    walk.merge(active, found, own)
    if walk.shape:
        walk.arrays.update(singles)
        return
    for name, old in singles.items():
        if after[name] is not old:
            walk.arrays[name] = jnp.where(active, after[name], old)
