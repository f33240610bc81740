"""Loops over all cells made loops over the rows and columns that their conditions leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from griddsl.program import ir
from griddsl.program.passes.conditions import conditions, stripped
from griddsl.program.passes.effects import Effects, Known, of_block


def narrowed(function: ir.Function, known: Known, width: int, height: int) -> ir.Block:
    """Return the body of a function whose loops over cells go over some rows and columns."""
    return _Narrowing(known, ir.names_in(function), width, height).block(function.body)


@dataclass(frozen=True, slots=True)
class _Narrowing:
    known: Known
    names: ir.Names
    width: int
    height: int

    def block(self, block: ir.Block) -> ir.Block:
        inside = (ir.with_blocks(statement, self.block) for statement in block)
        return [self._loop(statement) if isinstance(statement, ir.For) else statement for statement in inside]

    def _loop(self, loop: ir.For) -> ir.For:
        cells = self.width * self.height
        if loop.low != ir.const(0) or loop.high != ir.const(cells) or self.width < 2:
            return loop
        around = of_block(loop.body, self.known)
        around.sets.add(loop.name)
        box = _Box(ir.Local(loop.name), self.width)
        for test in conditions(loop.body, self.known):
            box.narrow(test, around)
        rows = _range(box.rows, self.height)
        columns = None if _breaks(loop.body) else _range(box.columns, self.width)
        width = ir.const(self.width)
        settled = [*box.rows.tests, *(box.columns.tests if columns is not None else [])]
        loop = replace(loop, body=stripped(loop.body, settled))
        if columns is None:
            if rows is None:
                return loop
            return replace(loop, low=ir.mul(rows[0], width), high=ir.mul(rows[1], width))
        row = ir.Local(self.names.fresh(f"{loop.name}_row"), "int", 0, self.height - 1)
        first = ir.mul(row, width)
        inside = replace(loop, low=ir.add(first, columns[0]), high=ir.add(first, columns[1]))
        low, high = rows or (ir.const(0), ir.const(self.height))
        return ir.For(row.name, low, high, [inside])


def _breaks(block: ir.Block) -> bool:
    """Whether a block leaves the loop that it is the body of."""
    for statement in block:
        if isinstance(statement, ir.Break):
            return True
        if isinstance(statement, ir.If) and (_breaks(statement.then) or _breaks(statement.otherwise)):
            return True
    return False


@dataclass(slots=True)
class _Bounds:
    """What conditions leave of the rows or columns: the first ones, those after the last, and the conditions."""

    lows: list[ir.Expr] = field(default_factory=list)
    highs: list[ir.Expr] = field(default_factory=list)
    tests: list[ir.Expr] = field(default_factory=list)


@dataclass(slots=True)
class _Box:
    """The rows and columns of a cell that the conditions of a loop leave."""

    cell: ir.Local
    width: int
    rows: _Bounds = field(default_factory=_Bounds)
    columns: _Bounds = field(default_factory=_Bounds)

    def narrow(self, test: ir.Expr, around: Effects) -> None:
        """Take in a condition of the form ``x < E``, where the loop does not change ``E``."""
        if not isinstance(test, ir.Op) or test.operator not in _MIRRORED:
            return
        left, right = test.values
        for axis, operator, bound in (
            (self._axis(left), test.operator, right),
            (self._axis(right), _MIRRORED[test.operator], left),
        ):
            if axis is None or bound.type != "int" or not around.leaves(bound) or _looks_up(bound):
                continue
            after = ir.add(bound, ir.const(1))
            if operator in {">=", "==", ">"}:
                axis.lows.append(after if operator == ">" else bound)
            if operator in {"<", "==", "<="}:
                axis.highs.append(bound if operator == "<" else after)
            axis.tests.append(test)

    def _axis(self, value: ir.Expr) -> _Bounds | None:
        if not isinstance(value, ir.Op) or value.operator not in {"//", "%"}:
            return None
        cell, width = value.values
        if not isinstance(cell, ir.Local) or cell.name != self.cell.name or width != ir.const(self.width):
            return None
        return self.rows if value.operator == "//" else self.columns


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def _looks_up(value: ir.Expr) -> bool:
    """Whether a value is safe only where a condition before it holds: an entry of a table that may not be there."""
    return any(isinstance(part, ir.Lookup) for part in ir.parts(value))


def _range(bounds: _Bounds, size: int) -> tuple[ir.Expr, ir.Expr] | None:
    """Return a range within 0 to ``size``; None where nothing bounds it."""
    if not bounds.tests:
        return None
    return _extreme(bounds.lows, 0, ir.greatest, max), _extreme(bounds.highs, size, ir.least, min)


def _extreme(
    values: list[ir.Expr],
    start: int,
    join: Callable[[Sequence[ir.Expr]], ir.Expr],
    pick: Callable[[Sequence[int]], int],
) -> ir.Expr:
    known = pick([start, *(int(value.value) for value in values if isinstance(value, ir.Const))])
    others = [value for value in dict.fromkeys(values) if not isinstance(value, ir.Const)]
    if not others:
        return ir.const(known)
    return join((*others, ir.const(known)))
