"""Values that were found before: what is made of the same values in the same way is the same, and is found once.

XLA joins what is found twice as well, but for what is made of values that are there before (`settling`), of which it
does not know that they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import jax
import numpy as np
from jax.extend.core import get_opaque_trace_state

from griddsl.backends.jax.arrays import Value

MOST_COMPARED = 64  # entries of a known array: a larger one is the same as itself alone
_T = TypeVar("_T")


class Again:
    """Values by what they were made of."""

    def __init__(self) -> None:
        # What values were made of is kept, because they are known by their identity.
        self._found: dict[Any, tuple[Any, Sequence[Any], Any]] = {}

    def found(self, how: Any, parts: Sequence[Value], make: Callable[[], _T]) -> _T:
        """Return what ``make`` makes of the parts, which it does in the way that ``how`` says.

        Where all parts are known, it is made: that costs nothing that is compiled.
        """
        if not any(isinstance(part, jax.Array) for part in parts):
            return make()
        # What was found in a loop that is compiled is known in this loop alone.
        state, key = get_opaque_trace_state(convention="flax"), (how, *map(_number, parts))
        known = self._found.get(key)
        if known is None or known[0] != state:
            known = self._found[key] = state, parts, make()
        made: _T = known[2]
        return made

    def each(
        self, how: str, values: Sequence[Value], make: Callable[[Sequence[Any]], Sequence[Any]]
    ) -> list[Any]:
        """Return what ``make`` makes of each of some values, all at once; of what it made, it makes the same."""
        state = get_opaque_trace_state(convention="flax")
        known = [self._found.get((how, id(value))) for value in values]
        fresh = [
            value for value, found in zip(values, known, strict=True) if found is None or found[0] != state
        ]
        for value, made in zip(fresh, make(fresh) if fresh else (), strict=True):
            self._found[how, id(value)] = state, (value,), made
            self._found[how, id(made)] = state, (made,), made
        return [self._found[how, id(value)][2] for value in values]


def _number(part: Any) -> Any:
    """Return what is equal for parts that are the same."""
    if isinstance(part, np.ndarray) and part.size <= MOST_COMPARED:
        return part.dtype, part.shape, part.tobytes()
    if isinstance(part, bool | int):
        return type(part), part
    if isinstance(part, float):
        return part.hex()  # 0.0 is equal to -0.0, and not the same
    return (part.dtype, part.tobytes()) if isinstance(part, np.generic) else id(part)
