"""Loops over all cells made loops over a list of them, where conditions that never change leave few."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.program import ir
from griddsl.program.passes.conditions import conditions, stripped
from griddsl.program.passes.effects import Known

MOST_LISTED = 10_000  # cells
MOST_EXACT = 2**53
NewTable: TypeAlias = Callable[[str, Any], ir.Table]
Cells: TypeAlias = NDArray[np.int64]
AnyLoop: TypeAlias = ir.For | ir.ForEach | ir.Reduce


def list_places(functions: Mapping[str, ir.Function], known: Known, cells: int, new_table: NewTable) -> None:
    """List the cells of the loops of all functions, in place; ``new_table`` makes a table of a stem and values."""
    if cells > MOST_LISTED:
        return
    for function in functions.values():
        names = ir.names_in(function)
        function.body[:] = _Listing(known, names, cells, new_table).block(function.body)


@dataclass(frozen=True, slots=True)
class _Listing:
    known: Known
    names: ir.Names
    cells: int
    new_table: NewTable

    def block(self, block: ir.Block) -> ir.Block:
        inside = (ir.with_blocks(statement, self.block) for statement in block)
        return [
            self._loop(statement) if isinstance(statement, AnyLoop) else statement for statement in inside
        ]

    def _loop(self, loop: AnyLoop) -> AnyLoop:
        if loop.low != ir.const(0) or loop.high != ir.const(self.cells):
            return loop
        cells = np.arange(self.cells)
        settled, left = [], np.ones(len(cells), np.bool_)
        for test in conditions(loop.body, self.known):
            found = _of_cells(test, loop.name, cells)
            if found is not None:
                settled.append(test)
                left &= np.asarray(found, np.bool_)
        if not settled or 2 * np.count_nonzero(left) > len(cells) or not left.any():
            return loop
        table = self.new_table("PLACES", cells[left])
        number = ir.Local(self.names.fresh("n"), "int", 0, len(table.values) - 1)
        body = [ir.Let(loop.name, ir.lookup(table, number)), *stripped(loop.body, settled)]
        return replace(loop, name=number.name, high=ir.const(len(table.values)), body=body)


def _of_cells(value: ir.Expr, name: str, cells: Cells) -> Any:
    """Return the values of an expression for the cells of a loop; None where it needs more than the cell.

    Reals are left to the backends, which round them, and so are numbers that 64 bits may not hold.
    """
    if value.type == "real" or max(abs(value.low), abs(value.high)) > MOST_EXACT:
        return None
    match value:
        case ir.Const():
            return value.value
        case ir.Local():
            return cells if value.name == name else None
        case ir.Lookup(table, index):
            places = _of_cells(index, name, cells)
            fits = places is not None and np.min(places) >= 0 and np.max(places) < len(table.values)
            return np.asarray(table.values)[places] if fits else None
        case ir.Op(operator, values) if operator in _ARITHMETIC:
            found = [_of_cells(part, name, cells) for part in values]
            if any(part is None for part in found):
                return None
            return reduce(_ARITHMETIC[operator], found)
    return None


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "//": np.floor_divide,
    "%": np.mod,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "and": np.logical_and,
    "or": np.logical_or,
}
