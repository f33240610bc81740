"""Texts in the memory that Gymnasium's asynchronous batches share with their processes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, overload

import gymnasium as gym
from gymnasium.vector.utils import read_from_shared_memory


class SharedText(gym.spaces.Text):
    """Gymnasium's ``Text``, and all that is written to shared memory is read from it.

    ``AsyncVectorEnv`` looks at its memory once, when it is made, and gives views of it ever after. There is no view of
    a text, so the observations of a ``Text`` stay what they were before the first reset. Those of this one do not.
    Printed, as in the error of a framework that has no network for texts, it says how numbers are asked for.
    Stable-Baselines3's batches iterate over the shape of what is observed, and a text has none: they are told here.
    """

    @property
    def shape(self) -> Any:
        """None; raises `TypeError` where Stable-Baselines3 asks, which says how numbers are asked for."""
        if sys._getframe(1).f_globals.get("__name__") == "stable_baselines3.common.vec_env.util":
            raise TypeError(
                "Stable-Baselines3 has no policy for a text: make the environment with observation='network' for "
                "MultiInputPolicy, or with observation='flat' for MlpPolicy"
            )
        return None

    def __repr__(self) -> str:
        return f"Text(0, {self.max_length}; for numbers: observation='network')"


class SharedTexts(Sequence[str]):
    """The texts of a batch, read when they are looked at; a copy is a tuple of what they are then."""

    def __init__(self, space: SharedText, memory: Any, count: int) -> None:
        self._space, self._memory, self._count = space, memory, count

    def _read(self) -> tuple[str, ...]:
        read: Any = read_from_shared_memory.dispatch(gym.spaces.Text)
        return tuple(read(self._space, self._memory, self._count))

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._read()[index]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __eq__(self, other: object) -> bool:
        return self._read() == (other._read() if isinstance(other, SharedTexts) else other)

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return self._read()

    def __reduce__(self) -> tuple[type[tuple[str, ...]], tuple[tuple[str, ...]]]:
        return tuple, (self._read(),)


@read_from_shared_memory.register(SharedText)
def _read(space: SharedText, shared_memory: Any, n: int = 1) -> SharedTexts:
    return SharedTexts(space, shared_memory, n)
