"""What values lie in: types, keys, the slots of the state and constant tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

Type: TypeAlias = Literal["int", "bool", "real"]
Constant: TypeAlias = int | bool | Fraction | float
Key: TypeAlias = str | tuple[str | int, ...]
UNBOUNDED = 2**62


def text_of(key: Key) -> str:
    """Return the text that a key is printed as where that is free.

    A word of the compiler stays as it is and holds no two underscores in a row, which join it to names that the spec
    gives: so no such name is ever printed as a word of the compiler.
    """
    return key if isinstance(key, str) else "__".join(map(str, key))


@dataclass(slots=True)
class Texts:
    """The texts that keys are printed as: what is told apart by its key has a text of its own."""

    taken: set[str] = field(default_factory=set)

    def fresh(self, key: Key) -> str:
        """Return a text that was not given before."""
        stem = text = text_of(key)
        count = 1
        while text in self.taken:
            count += 1
            text = f"{stem}_{count}"
        self.taken.add(text)
        return text


@dataclass(frozen=True, eq=False)
class Slot:
    """A part of the state: ``length`` values from ``low`` to ``high``, side by side.

    ``key`` says what it is for: a word of the compiler, or such a word and names of the spec; ``name`` is only what it
    is printed as. ``saved`` slots are the state; the others are scratch, meaningless between two steps. Real slots
    lie in a vector of their own. What an ``unset`` slot holds may be -1 while an episode is set up: no value as yet.
    """

    key: Key
    length: int = 1
    low: int = 0
    high: int = UNBOUNDED
    type: Type = "int"
    saved: bool = True
    initial: tuple[float, ...] | None = None
    name: str = ""
    unset: bool = False

    def __post_init__(self) -> None:
        """Print as the key where no other text is given."""
        object.__setattr__(self, "name", self.name or text_of(self.key))


@dataclass(frozen=True, eq=False)
class Table:
    """A constant sequence that the program looks up; ``values`` may be long. ``key`` and ``name`` as for slots."""

    key: Key
    values: Sequence[float] | np.ndarray[Any, Any]
    type: Type = "int"
    low: int = 0
    high: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        """Print as the key where no other text is given."""
        object.__setattr__(self, "name", self.name or text_of(self.key))


def table(key: Key, values: Sequence[int] | np.ndarray[Any, Any], name: str = "") -> Table:
    """Return a table of integers with its range."""
    if isinstance(values, np.ndarray):
        return Table(key, values, "int", int(values.min()), int(values.max()), name)
    return Table(key, values, "int", int(min(values, default=0)), int(max(values, default=0)), name)
