"""Spaces in plain data: what an observation or an action lies in, without Gymnasium."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from griddsl.program.ir import Glance


@dataclass(frozen=True)
class Discrete:
    """A whole number from ``start`` to ``start + size - 1``."""

    size: int
    start: int = 0


@dataclass(frozen=True)
class Box:
    """An array of a shape and dtype; ``low`` and ``high`` are numbers, or one an entry."""

    low: float | tuple[float, ...]
    high: float | tuple[float, ...]
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class MultiDiscrete:
    """A row of whole numbers, each below its size."""

    sizes: tuple[int, ...]


@dataclass(frozen=True)
class MultiBinary:
    """A row of zeros and ones."""

    size: int


@dataclass(frozen=True)
class Text:
    """A text of at most ``length`` characters of a character set."""

    length: int
    characters: str


Space: TypeAlias = Discrete | Box | MultiDiscrete | MultiBinary | Text


@dataclass(frozen=True)
class ViewInfo:
    """What an entry looks at where it is a view: its rows and columns, where the agent stands, and its form.

    ``turns`` says that ahead is up; else north is. A ``cone`` is wider on each side by a column
    in each so many rows; 0 for none.
    """

    rows: int
    columns: int
    agent_row: int
    agent_column: int
    form: str
    turns: bool
    cone: int = 0


@dataclass(frozen=True)
class Leaf:
    """One entry of an observation.

    ``form`` says where its value comes from: ``value`` (a function returns it), ``array`` (a function writes it),
    ``pixels``, ``text`` or ``mission`` (the adapter makes it). ``cell_pixels`` belongs to ``pixels``.
    ``glance`` tells what the function writes, for who looks at many cells at once.
    """

    name: str
    space: Space
    form: str
    function: str = ""
    cell_pixels: int = 0
    view: ViewInfo | None = None
    glance: Glance | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Observation:
    """How leaves make an observation: ``bare``, ``dict``, ``tuple`` or ``flat``."""

    form: str
    leaves: tuple[Leaf, ...]
