"""States and levels: pytrees of small arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import jax

from griddsl.program import keys


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Level:
    """An episode as it begins: what every slot of the state holds after setup.

    ``values`` has an array ``(length,)`` for each slot, of the narrowest dtype that holds it; `griddsl.jax.levels` has
    functions that change them. ``failed`` is that of the state: True where setup found no place for something.
    ``size`` is the width and height of the map; it is no array. None in one of the two says nothing.
    """

    values: dict[str, Any]
    failed: Any = None
    size: tuple[int, int] | None = field(default=None, metadata={"static": True})


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    """A state between two steps.

    ``values`` has an array ``(length,)`` for each slot; reals lie in it as the bits of doubles, ``(length, 2)`` uint32.
    ``stream`` is the random stream, ``(2,)`` uint32, upper half first. ``failed`` is True where the setup of this
    episode found no place for something, so that its world is not one of the spec. ``alive`` says of each player
    whether its part goes on, ``(players,)`` bool. ``size`` is that of a `Level`.
    """

    values: dict[str, Any]
    stream: jax.Array
    failed: jax.Array
    alive: jax.Array
    size: tuple[int, int] | None = field(default=None, metadata={"static": True})

    @property
    def time(self) -> jax.Array:
        """The steps of this episode so far, int32; 0 where the spec does not count them."""
        if keys.STEP in self.values:
            return self.values[keys.STEP][..., 0].astype("int32")
        return jax.numpy.zeros(jax.numpy.shape(self.failed), "int32")

    @property
    def level(self) -> Level:
        """The state as a level, from which an episode can begin."""
        return Level(self.values, self.failed, self.size)
