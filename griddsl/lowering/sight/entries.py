"""Entries: what an observation shows in one place, before it is a function of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from griddsl.lowering.clauses.context import Context
from griddsl.program import ir
from griddsl.program.spaces import (
    Space,
    ViewInfo,
)

Worth: TypeAlias = Callable[[Context], ir.Expr]  # what emits a value, once, where it is asked for


@dataclass(slots=True)
class Entry:
    """An observation entry before it is a function: its space and how it is computed.

    ``value`` gives a scalar; ``write`` writes an array; neither for what the adapter makes.
    """

    space: Space
    form: str
    value: Worth | None = None
    write: Callable[[Context], None] | None = None
    cell_pixels: int = 0
    view: ViewInfo | None = None
