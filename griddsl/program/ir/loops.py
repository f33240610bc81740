"""Loops that search, count, sum and collect: what makes a `Reduce` of rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from griddsl.program.ir.expressions import (
    Expr,
    Local,
)
from griddsl.program.ir.slots import Slot
from griddsl.program.ir.statements import Block, Reduce, Stmt

Loop: TypeAlias = Callable[[str, Expr, Expr, Block], Stmt]


def any_of(result: Local) -> Loop:
    """Return what makes a loop that sets a local to true where a round hits."""
    return lambda name, low, high, body: Reduce("any", result, name, low, high, body)


def all_of(result: Local) -> Loop:
    """Return what makes a loop that sets a local to false where a round hits: it found what speaks against it."""
    return lambda name, low, high, body: Reduce("all", result, name, low, high, body)


def first_of(result: Local) -> Loop:
    """Return what makes a loop that sets a local to the value of the first hit."""
    return lambda name, low, high, body: Reduce("first", result, name, low, high, body)


def last_of(result: Local) -> Loop:
    """Return what makes a loop that sets a local to the value of the last hit."""
    return lambda name, low, high, body: Reduce("last", result, name, low, high, body)


def count_of(result: Local) -> Loop:
    """Return what makes a loop that adds one to a local for each hit."""
    return lambda name, low, high, body: Reduce("count", result, name, low, high, body)


def sum_of(result: Local) -> Loop:
    """Return what makes a loop that adds the values of hits to a local."""
    return lambda name, low, high, body: Reduce("sum", result, name, low, high, body)


def collected(slot: Slot, count: Local) -> Loop:
    """Return what makes a loop that puts the values of hits into a slot, from the place that a local holds on."""
    return lambda name, low, high, body: Reduce("collect", count, name, low, high, body, slot)
