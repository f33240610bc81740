"""Loops in loops that collect: all their rounds are one row, so that they collect at once.

What is chosen among combinations of several things is collected by a loop for each of them, and the innermost one has a
round for each way to choose the last. One after the other, they would hand on the row that they fill.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from griddsl.program import ir

MOST = 2**16  # rounds


@dataclass(frozen=True)
class Nest:
    """Rounds of several loops in order: the numbers of each loop, and the collection with what stands around it."""

    numbers: Mapping[str, Any]
    reduce: ir.Reduce

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return int(self.numbers[self.reduce.name].size)


def nest_of(loop: ir.For) -> Nest | None:
    """Return the rounds of loops around a collection; None where they do anything else, or their ends may change."""
    found = _inner(loop)
    if found is None:
        return None
    ranges, reduce = found
    sizes = [max(high - low, 0) for _, low, high in ranges]
    count = int(np.prod(sizes, dtype=np.int64))
    if not 0 < count <= MOST:
        return None
    rows = np.indices(sizes).reshape(len(sizes), count)
    return Nest({name: row + low for (name, low, _), row in zip(ranges, rows, strict=True)}, reduce)


def _inner(loop: ir.For | ir.Reduce) -> tuple[list[tuple[str, int, int]], ir.Reduce] | None:
    """Return the ranges of loops, the outer ones first, and the collection in them with the bodies of all."""
    if not isinstance(loop.low, ir.Const) or not isinstance(loop.high, ir.Const):
        return None
    own = (loop.name, int(loop.low.value), int(loop.high.value))
    if isinstance(loop, ir.Reduce):
        if loop.how != "collect" or _asks_for_what_it_collects(loop):
            return None
        return [own], loop
    found = _in_block(loop.body)
    return None if found is None else ([own, *found[0]], found[1])


def _in_block(block: ir.Block) -> tuple[list[tuple[str, int, int]], ir.Reduce] | None:
    """Return what `_inner` does of the loop at the end of a block; what stands before is done in its rounds."""
    kept = [statement for statement in block if not isinstance(statement, ir.Note)]
    if not kept:
        return None
    *before, last = kept
    if not all(isinstance(statement, ir.Let) for statement in before):
        return None
    match last:
        case ir.For() | ir.Reduce():
            found = _inner(last)
        case ir.If(test, then, []):
            inner = _in_block(then)
            body: ir.Block = [] if inner is None else [ir.If(test, inner[1].body, [])]
            found = None if inner is None else (inner[0], replace(inner[1], body=body))
        case _:
            return None
    if found is None or any(name == found[1].result.name for let in before for name in ir.sets(let)):
        return None
    ranges, reduce = found
    made = replace(reduce, body=[*before, *reduce.body])
    return None if _asks_for_what_it_collects(made) else (ranges, made)


def _asks_for_what_it_collects(reduce: ir.Reduce) -> bool:
    """Whether a round looks at what others have collected, or how much."""
    return any(
        (isinstance(part, ir.Local) and part.name == reduce.result.name)
        or (isinstance(part, ir.Load) and part.slot is reduce.slot)
        or isinstance(part, ir.Call)
        for statement in ir.statements(reduce.body)
        for value in ir.values_of(statement)
        for part in ir.parts(value)
    )
