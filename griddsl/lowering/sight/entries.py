"""Entries: what an observation shows in one place, before it is a function of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from griddsl.diagnostics import Help, did_you_mean
from griddsl.lowering.clauses.context import Context
from griddsl.program import ir
from griddsl.program.spaces import (
    Box,
    Discrete,
    Space,
    ViewInfo,
)

Worth: TypeAlias = Callable[[Context], ir.Expr]  # what emits a value, once, where it is asked for


@dataclass(slots=True)
class Entry:
    """An observation entry before it is a function: its space and how it is computed.

    ``value`` gives a scalar; ``write`` writes an array; neither for what the adapter makes. ``glance`` tells what
    ``write`` does, as data, where that can be told so.
    """

    space: Space
    form: str
    value: Worth | None = None
    write: Callable[[Context], None] | None = None
    cell_pixels: int = 0
    view: ViewInfo | None = None
    glance: Callable[[Context], ir.Glance | None] | None = None


def onehot(space: Discrete, value: Worth) -> Entry:
    """Return an entry that shows a counted value as a row of zeros with one 1."""

    def write(inner: Context) -> None:
        at = inner.let("value", ir.sub(ir.as_number(value(inner)), ir.const(space.start)))
        k = ir.Local("k", "int", 0, space.size - 1)
        inner.emit(ir.For("k", ir.const(0), ir.const(space.size), [ir.Out(k, ir.Const(0.0, "real"))]))
        inner.emit(ir.Out(at, ir.Const(1.0, "real")))

    return Entry(Box(0.0, 1.0, (space.size,), "float32"), "array", None, write)


def as_it_is(entry: Entry) -> Entry:
    """Return an entry unchanged, where no wrapper is wished."""
    return entry


def joint_space(entry: Entry, noise: Entry) -> Space | None:
    """Return the space in which both what is seen and its noise lie; None where they have different shapes."""
    if (noise.value is None) != (entry.value is None) or (noise.write is None) != (entry.write is None):
        return None
    match entry.space, noise.space:
        case Discrete(size, start), Discrete(other_size, other_start):
            first = min(start, other_start)
            return Discrete(max(start + size, other_start + other_size) - first, first)
        case Box(low, high, (1,), "float32"), Box(other_low, other_high, (1,), "float32"):
            ends = [end[0] if isinstance(end, tuple) else end for end in (low, other_low, high, other_high)]
            return Box(min(ends[:2]), max(ends[2:]), (1,), "float32")
    return entry.space if entry.space == noise.space else None


def form_meant(form: str, of: str = "") -> Help | str:
    """Say what is meant by a form that a value, or a word of observations, is not shown in."""
    if of == "mission":
        return Help("`mission` is a text, and `mission as tokens` its bytes", ("as tokens",))
    if form == "onehot":
        listed = "a variable, an attribute or a chosen name has a list of its values, and what is reckoned has none"
        return Help(f"{listed}: leave `as onehot` out", ("",))
    return did_you_mean(form, ("onehot",)) or "`as onehot`, for what is counted"
