"""Values that are found once: a compiler that joins expressions may find them again for every entry that needs them.

An observation has many entries, and each of them depends on what the step has left behind. XLA joins what it can, and
on a processor it would carry out the step again for each entry. It looks into no function that is called, so values
that go through one are there before anything is made of them.

That is so on a processor. A device of many cores does the same for all games at once and has time for it, but each
array that has to be there takes a start of its own, and where it has to be asked what comes next it waits. So other
ways are short there; which one is taken never changes what comes of it.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import jax
import numpy as np
from jax import lax
from jax.experimental.xla_metadata import set_xla_metadata

Tree = TypeVar("Tree")
_handed_on = jax.jit(lax.optimization_barrier)


def has_many_cores() -> bool:
    """Whether arrays are by default on a GPU or a TPU."""
    device: Any = jax.config.jax_default_device
    name: str = jax.default_backend() if device is None else getattr(device, "platform", device)
    return name != "cpu"


def settled(values: Tree) -> Tree:
    """Return a tree of arrays as it is, on a processor found before what is made of it."""
    if has_many_cores():
        return values
    with set_xla_metadata(inlineable="false"):
        handed_on: Tree = _handed_on(values)
    return handed_on


def kept_apart(values: Tree) -> Tree:
    """Return a tree of arrays as it is; what is made of it on a processor is not mixed with how it is found."""
    # On a GPU, XLA fails where it finds that what is kept apart is the same for all games, as of JAX 0.11.
    return values if has_many_cores() else lax.optimization_barrier(values)


class Drawing(Protocol):
    """What is known of where a value is asked for: the loops around, and what is drawn into, if anything is."""

    shape: tuple[int, ...]
    out: Any
    marks: list[tuple[Any, Any, Any]] | None  # what is marked is asked once, whatever is found before


def before_rounds(place: Drawing, value: Any) -> Any:
    """Return a value; a test that is the same in all rounds that draw is found before what they make of it.

    What is drawn are bytes. LLVM writes out all rounds for many games at once where a byte depends on a test that it
    has to find by itself: one comparison may take it seconds, and hardly anything where the test is there.
    """
    draws = place.shape and place.out is not None and place.marks is None
    if not draws or not isinstance(value, jax.Array):
        return value
    return settled(value) if value.dtype == np.bool_ and value.ndim == 0 else value
