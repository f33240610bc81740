"""Loops and branches under `jax.shard_map`: what they hand on varies over the mesh, also where it starts as a constant.

In a shard JAX keeps account of which values may differ between devices, and a loop may not turn one that is the same
everywhere into one that is not. An episode begins with constants and goes on with what was drawn, so whatever a loop
hands on, or a branch gives, is said to vary from the beginning. Elsewhere these are the functions of `jax.lax`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import jax
from jax import lax

Tree = TypeVar("Tree")
Row = TypeVar("Row")
Found = TypeVar("Found")


def varying(tree: Tree) -> Tree:
    """Return arrays that count as different on all devices between which the function around is divided."""
    axes = jax.sharding.get_abstract_mesh().manual_axes
    if not axes:
        return tree
    found: Tree = jax.tree.map(lambda leaf: _varying(leaf, axes), tree)
    return found


def _varying(leaf: Any, axes: tuple[Any, ...]) -> Any:
    found = jax.typeof(leaf)
    known = found.vma if hasattr(found, "vma") else found.mat.varying  # its name before JAX 0.10.2, and since
    missing = tuple(axis for axis in axes if axis not in known)
    return lax.pcast(leaf, missing, to="varying") if missing else leaf


def while_loop(goes_on: Callable[[Tree], Any], once: Callable[[Tree], Tree], start: Tree) -> Tree:
    """Return what `jax.lax.while_loop` does."""
    found: Tree = lax.while_loop(goes_on, lambda state: varying(once(state)), varying(start))
    return found


def fori_loop(low: Any, high: Any, once: Callable[[Any, Tree], Tree], start: Tree) -> Tree:
    """Return what `jax.lax.fori_loop` does."""
    found: Tree = lax.fori_loop(low, high, lambda number, state: varying(once(number, state)), varying(start))
    return found


def scan(once: Callable[[Tree, Row], tuple[Tree, Found]], start: Tree, rows: Row) -> tuple[Tree, Found]:
    """Return what `jax.lax.scan` does."""
    found: tuple[Tree, Found] = lax.scan(lambda state, row: varying(once(state, row)), varying(start), rows)
    return found


def cond(test: Any, then: Callable[[], Tree], otherwise: Callable[[], Tree]) -> Tree:
    """Return what `jax.lax.cond` does with two functions of nothing."""
    found: Tree = lax.cond(test, lambda: varying(then()), lambda: varying(otherwise()))
    return found
