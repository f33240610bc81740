"""Loops made shorter: over the cells that a condition leaves, and without calls that would do the same again.

What a program does stays the same, draw by draw; only iterations that would do nothing are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from griddsl.program import ir

MOST_LISTED = 10_000  # cells
MOST_EXACT = 2**53
NewTable: TypeAlias = Callable[[str, Any], ir.Table]
Cells: TypeAlias = NDArray[np.int64]
EVERYTHING = "*"  # the slot that a call touches of which nothing is known
STREAM = "r"  # what a draw writes to


@dataclass(frozen=True, slots=True)
class Effects:
    """The slots that a block reads and writes, and the locals that it sets."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)

    def leaves(self, value: ir.Expr) -> bool:
        """Whether a value is the same before and after."""
        for part in ir.parts(value):
            if isinstance(part, ir.Local) and part.name in self.sets:
                return False
            if isinstance(part, ir.Load) and {part.slot.name, EVERYTHING} & self.writes:
                return False
            if isinstance(part, ir.Call | ir.Draw | ir.Ask):
                return False
        return True


def shorten(functions: Mapping[str, ir.Function], width: int, height: int, new_table: NewTable) -> None:
    """Shorten the loops of all functions of a program, in place; ``new_table`` makes a table of a stem and values."""
    effects: dict[str, Effects] = {}
    for name in functions:
        _effects_of(name, functions, effects)
    for function in functions.values():
        taken = {parameter.name for parameter in function.parameters} | {
            name for statement in ir.statements(function.body) for name in _sets(statement)
        }
        shortening = _Shortening(functions, effects, taken, width, height, new_table)
        function.body[:] = shortening.block(function.body)


# What statements do


def _sets(statement: ir.Stmt) -> tuple[str, ...]:
    match statement:
        case ir.Let(name) | ir.For(name) | ir.Keep(name):
            return (name,)
    return ()


def _effects_of(name: str, functions: Mapping[str, ir.Function], known: dict[str, Effects]) -> Effects:
    """Return what a function reads and writes, with all that it calls; a circle counts as touching everything."""
    if name not in known:
        known[name] = Effects({EVERYTHING}, {EVERYTHING})
        known[name] = _effects(functions[name].body, known, functions)
    return known[name]


def _effects(
    block: ir.Block, known: dict[str, Effects], functions: Mapping[str, ir.Function] | None = None
) -> Effects:
    found = Effects()
    for statement in ir.statements(block):
        found.sets.update(_sets(statement))
        match statement:
            case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot):
                found.writes.add(slot.name)
            case ir.Restart() | ir.Restore() | ir.Generate():
                found.writes.add(EVERYTHING)
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                if isinstance(part, ir.Load):
                    found.reads.add(part.slot.name)
                elif isinstance(part, (ir.Call, ir.Draw, ir.Ask)):
                    called = _called(part, known, functions)
                    found.reads.update(called.reads)
                    found.writes.update(called.writes)
    return found


def _called(part: ir.Expr, known: dict[str, Effects], functions: Mapping[str, ir.Function] | None) -> Effects:
    """Return what a part of an expression does beside being read."""
    match part:
        case ir.Call(name) if functions is not None and name in functions:
            return _effects_of(name, functions, known)
        case ir.Call(name):
            return known.get(name, Effects({EVERYTHING}, {EVERYTHING}))
        case ir.Draw():
            return Effects(set(), {STREAM})
        case ir.Ask():
            return Effects({EVERYTHING}, {EVERYTHING})
    return Effects()


# Making them shorter


@dataclass(slots=True)
class _Shortening:
    functions: Mapping[str, ir.Function]
    effects: dict[str, Effects]
    taken: set[str]
    width: int
    height: int
    new_table: NewTable

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block with its loops shortened, the outer ones first."""
        made: ir.Block = []
        for statement in block:
            match statement:
                case ir.For():
                    made.extend(self._loop(statement))
                case ir.While(test, body):
                    made.append(ir.While(test, self.block(body)))
                case ir.If(test, then, otherwise):
                    made.append(ir.If(test, self.block(then), self.block(otherwise)))
                case _:
                    made.append(statement)
        return made

    def _loop(self, loop: ir.For) -> ir.Block:
        before: ir.Block = []
        for call in _calls(loop.body):
            if self._does_the_same_again(call, loop):
                flag = self._fresh("known")
                before.append(ir.Let(flag, ir.FALSE))
                loop = replace(loop, body=_once(loop.body, call, flag))
        inner = replace(loop, body=self.block(loop.body))
        return [*before, self._narrowed(inner)]

    def _fresh(self, stem: str) -> str:
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name

    def _does_the_same_again(self, call: ir.Call, loop: ir.For) -> bool:
        """Whether a call, made each time round a loop, leaves the state as its first time did."""
        if call.function not in self.functions or not self.functions[call.function].repeatable:
            return False
        own = self.effects[call.function]
        around = _effects(_without(loop.body, call), self.effects)
        around.sets.add(loop.name)
        if EVERYTHING in around.writes | own.reads or around.writes & (own.reads | own.writes):
            return False
        return all(_is_steady(value, loop.body, around) for value in call.values)

    def _narrowed(self, loop: ir.For) -> ir.For:
        """Return a loop over all cells as one over the rows and columns that its conditions leave."""
        cells = self.width * self.height
        if loop.low != ir.const(0) or loop.high != ir.const(cells) or self.width < 2:
            return loop
        listed = self._listed(loop)
        if listed is not None:
            return listed
        around = _effects(loop.body, self.effects)
        around.sets.add(loop.name)
        box = _Box(ir.Local(loop.name), self.width)
        for test in self._conditions(loop.body):
            box.narrow(test, around)
        rows = _range(box.rows, self.height)
        columns = None if _breaks(loop.body) else _range(box.columns, self.width)
        width = ir.const(self.width)
        settled = [*box.rows.tests, *(box.columns.tests if columns is not None else [])]
        loop = replace(loop, body=_stripped(loop.body, settled))
        if columns is None:
            if rows is None:
                return loop
            return replace(loop, low=ir.mul(rows[0], width), high=ir.mul(rows[1], width))
        row = ir.Local(self._fresh(f"{loop.name}_row"), "int", 0, self.height - 1)
        first = ir.mul(row, width)
        inside = replace(loop, low=ir.add(first, columns[0]), high=ir.add(first, columns[1]))
        low, high = rows or (ir.const(0), ir.const(self.height))
        return ir.For(row.name, low, high, [inside])

    def _listed(self, loop: ir.For) -> ir.For | None:
        """Return a loop over a list of cells, where conditions that never change leave few of them."""
        cells = np.arange(self.width * self.height)
        if len(cells) > MOST_LISTED:
            return None
        settled, left = [], np.ones(len(cells), np.bool_)
        for test in self._conditions(loop.body):
            found = _of_cells(test, loop.name, cells)
            if found is not None:
                settled.append(test)
                left &= np.asarray(found, np.bool_)
        if not settled or 2 * np.count_nonzero(left) > len(cells) or not left.any():
            return None
        table = self.new_table("PLACES", cells[left])
        number = ir.Local(self._fresh("n"), "int", 0, len(table.values) - 1)
        body = [ir.Let(loop.name, ir.lookup(table, number)), *_stripped(loop.body, settled)]
        return ir.For(number.name, ir.const(0), ir.const(len(table.values)), body)

    def _conditions(self, block: ir.Block) -> Iterator[ir.Expr]:
        """Yield what must hold for a block to do anything but set locals, as far as nothing is drawn before."""
        *first, last = block or [ir.Break()]
        if not isinstance(last, ir.If) or last.otherwise:
            return
        if not all(
            isinstance(statement, ir.Let) and self._only_reads(statement.value) for statement in first
        ):
            return
        joined = isinstance(last.test, ir.Op) and last.test.operator == "and"
        for test in last.test.values if joined and isinstance(last.test, ir.Op) else (last.test,):
            if not self._only_reads(test):
                return
            yield test
        yield from self._conditions(last.then)

    def _only_reads(self, value: ir.Expr) -> bool:
        return not any(_called(part, self.effects, None).writes for part in ir.parts(value))


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


def _calls(block: ir.Block) -> list[ir.Call]:
    """Return the calls that are made for what they do, each once."""
    found: list[ir.Call] = []
    for statement in ir.statements(block):
        if isinstance(statement, ir.Do) and statement.call not in found:
            found.append(statement.call)
    return found


def _is_steady(value: ir.Expr, body: ir.Block, around: Effects) -> bool:
    """Whether a value is the same each time round a loop: as it is, or by the one line that sets it there."""
    if isinstance(value, ir.Local) and value.name in around.sets:
        lines = [line for line in ir.statements(body) if value.name in _sets(line)]
        return len(lines) == 1 and isinstance(lines[0], ir.Let) and around.leaves(lines[0].value)
    return around.leaves(value)


def _without(block: ir.Block, call: ir.Call) -> ir.Block:
    """Return a block as it is without a call."""
    return _rewritten(block, call, [])


def _once(block: ir.Block, call: ir.Call, flag: str) -> ir.Block:
    """Return a block that makes a call only as long as a flag does not say that it was made."""
    test = ir.invert(ir.Local(flag, "bool", 0, 1))
    return _rewritten(block, call, [ir.If(test, [ir.Do(call), ir.Let(flag, ir.TRUE)], [])])


def _rewritten(block: ir.Block, call: ir.Call, instead: ir.Block) -> ir.Block:
    made: ir.Block = []
    for statement in block:
        match statement:
            case ir.Do() if statement.call == call:
                made.extend(instead)
            case ir.If(test, then, otherwise):
                made.append(
                    ir.If(test, _rewritten(then, call, instead), _rewritten(otherwise, call, instead))
                )
            case ir.For(body=body) | ir.While(body=body):
                made.append(replace(statement, body=_rewritten(body, call, instead)))
            case _:
                made.append(statement)
    return made


def _breaks(block: ir.Block) -> bool:
    """Whether a block leaves the loop that it is the body of."""
    for statement in block:
        if isinstance(statement, ir.Break):
            return True
        if isinstance(statement, ir.If) and (_breaks(statement.then) or _breaks(statement.otherwise)):
            return True
    return False


def _stripped(block: ir.Block, settled: list[ir.Expr]) -> ir.Block:
    """Return the body of a loop without the tests that its range settles."""
    if not settled or not block or not isinstance(block[-1], ir.If):
        return block
    last = block[-1]
    joined = isinstance(last.test, ir.Op) and last.test.operator == "and"
    tests = last.test.values if joined and isinstance(last.test, ir.Op) else (last.test,)
    left = [test for test in tests if not any(test is known for known in settled)]
    return [*block[:-1], *ir.when(ir.both(*left), _stripped(last.then, settled), last.otherwise)]


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
