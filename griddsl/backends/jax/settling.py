"""Values that are found once: a compiler that joins expressions may find them again for every entry that needs them.

An observation has many entries, and each of them depends on what the step has left behind. XLA joins what it can, and
on a processor it would carry out the step again for each entry. It looks into no function that is called, so values
that go through one are there before anything is made of them.
"""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax.experimental.xla_metadata import set_xla_metadata

_handed_on = jax.jit(lax.optimization_barrier)


def settled(values: Any) -> Any:
    """Return a tree of arrays as it is, found before what is made of it."""
    with set_xla_metadata(inlineable="false"):
        return _handed_on(values)
