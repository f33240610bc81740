"""Gathering: loops over many cells in Python, which find those that they are about at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from griddsl.backends.python.forms import Down, asks_any, copies_most, fills, goes_down
from griddsl.backends.python.printing import TIGHT, Quick
from griddsl.backends.python.remembering import Shown, shown
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known, of_block
from griddsl.program.passes.independent import Reads, leaves, unset_reads
from griddsl.program.passes.painted import plane_of
from griddsl.program.printer import Dialect, Printer, locals_of, printed

LEAST = 32  # entries: of fewer, a loop has looked at all by the time that the others are found


def held(*asked: tuple[list[int], str, int]) -> bytearray:
    """Return 1 for each place where all rows of bytes compare as asked, such as ``(row, "==", 3)``, and else 0."""
    # Byte arrays, because Python makes them of lists, and puts them into others, some times as fast as bytes.
    (values, sign, number), *others = asked
    row = bytearray(values).translate(_holds(sign, number))
    for values, sign, number in others:
        also = bytearray(values).translate(_holds(sign, number))
        both = int.from_bytes(row, "big") & int.from_bytes(also, "big")
        row = bytearray(both.to_bytes(len(row), "big"))
    return row


def matching(*asked: tuple[list[int], str, int]) -> list[int]:
    """Return the places where all rows of bytes compare as asked, in order."""
    row = held(*asked)
    count = row.count(1)
    if 8 * count > len(row):
        return list(compress(range(len(row)), row))
    found, place = [], -1
    for _ in range(count):
        place = row.index(1, place + 1)
        found.append(place)
    return found


@cache
def _holds(sign: str, number: int) -> bytes:
    """Return 1 for each byte that compares so to a number."""
    return bytes(ir.COMPARED[sign](value, number) for value in range(256))


def gathered_lines(
    function: ir.Function, taken: Set[str], dialect: Dialect, known: Known, columns: Columns
) -> list[str]:
    """Return the lines of a function, with loops that go through what is `matching` instead of all entries.

    Tables that the lines look up by column are added to ``columns``.
    """
    names = ir.names_in(function)
    names.taken.update(taken)
    before: list[str] = []
    printer = _Gathering(
        locals=locals_of(function, taken),
        dialect=dialect,
        names=names,
        known=known,
        reads=Reads(function),
        columns=columns,
        function=function.name,
        before=before,
    )
    own = printed(function, printer)
    return [*before, *own]


Columns: TypeAlias = dict[str, Sequence[Any]]
SIGNS = {"==": "is", "!=": "is_not", "<": "below", "<=": "at_most", ">": "above", ">=": "at_least"}


@dataclass(frozen=True, slots=True)
class _Gathering(Quick):
    """Prints loops in which only those rounds do anything whose entry of a slot is a certain number."""

    known: Known
    reads: Reads
    columns: Columns
    function: str
    before: list[str]  # the lines above the function: what finds what it remembers

    def block(self, block: ir.Block, depth: int) -> Iterator[str]:
        """Yield the lines of statements, indented."""
        blank: _Blank | None = None
        for statement in block:
            found = _asked(statement) if isinstance(statement, ir.For) else None
            plane = None if found is None or blank is None else blank.plane(statement, found)
            blank = plane or _blank(statement)
            if isinstance(statement, ir.Blank) and blank is not None:
                yield f"{'    ' * depth}out[:] = {self._blank(blank.count)}"
            elif plane is not None and found is not None and isinstance(statement, ir.For):
                entries = f"{plane.planes[-1]}:{plane.count}:{plane.depth}"
                yield f"{'    ' * depth}out[{entries}] = {self._held(statement, found)}"
            elif isinstance(statement, ir.For) and found is not None and self._may_gather(statement, found):
                yield from self._gathered(statement, found, depth)
            elif isinstance(statement, ir.For) and (remembered := shown(statement, self)) is not None:
                yield from self._remembered(remembered, depth)
            elif isinstance(statement, ir.For) and (lines := self._quicker(statement, depth)) is not None:
                yield from lines
            else:
                yield from Printer.block(self, [statement], depth)

    def _may_gather(self, loop: ir.For, found: _Asked) -> bool:
        """Whether a round changes no later one's entry, and all that it does before it asks is for itself."""
        *first, _ = loop.body
        slots = {slot.name for slot, _, _ in found.asked}
        effects = of_block(_without_own(loop.body, slots, loop.name), self.known)
        if {*slots, EVERYTHING} & effects.writes or loop.name in effects.sets or leaves(loop.body):
            return False
        if not all(isinstance(statement, ir.Let | ir.If) for statement in ir.statements(first)):
            return False
        own = of_block(first, self.known)
        handed_on = self.reads.outside(loop) | unset_reads(loop.body, {loop.name})
        return not own.writes and own.sets.isdisjoint(handed_on)

    def _gathered(self, loop: ir.For, found: _Asked, depth: int) -> Iterator[str]:
        pad, name = "    " * depth, self._local(loop.name)
        first = loop.body[:-1]
        test = ir.both(*found.others)
        places = f"matching({self._rows(loop, found)})"
        collected = _collected(found.then, loop.name)
        if collected is not None and not first and not _reads(test, collected):
            listed, count = self.names.fresh("found"), self._local(collected.count.name)
            also = "" if test == ir.TRUE else f" if {self.expression(test)}"
            at = f"{collected.slot.name} + {count}"
            yield f"{pad}{listed} = " + (f"[{name} for {name} in {places}{also}]" if also else places)
            yield f"{pad}s[{at} : {at} + len({listed})] = {listed}"
            yield f"{pad}{count} = {count} + len({listed})"
            return
        yield f"{pad}for {name} in {places}:"
        yield from self._body([*first, *ir.when(test, found.then)], depth + 1)

    def _remembered(self, remembered: Shown, depth: int) -> Iterator[str]:
        """Print a loop that looks up where it writes to; how that is found stands above the function."""
        pad, number = "    " * depth, sum(line.startswith("def ") for line in self.before) + 1
        name = f"{self.function}_{number}"
        self.before.append(f"def shown__{name}({', '.join(remembered.parameters)}):")
        self.before.extend([*remembered.lines, "", ""])
        value = self.expression(remembered.value)
        if remembered.keys:
            several = len(remembered.keys) > 1
            made = f"Remembered(shown__{name}, {several})"
            keys = ", ".join(self.expression(key) for key in remembered.keys)
            places = f"SHOWN__{name}[{keys}]"
        else:
            made = f"tuple(shown__{name}())"
            places = f"SHOWN__{name}"
        self.before.extend([f"SHOWN__{name} = {made}", "", ""])
        place = self.names.fresh("place")
        yield f"{pad}for {place} in {places}:"
        yield f"{pad}    out[{place}] = {value}"

    def _high(self, loop: ir.For) -> str:
        """Return the text of where a loop ends, to be added to or multiplied."""
        return self.expression(loop.high, TIGHT)

    def _quicker(self, loop: ir.For, depth: int) -> Iterator[str] | None:
        """Return the lines of a loop in a form that is quicker in Python; None where it has none."""
        if not isinstance(ir.bare(loop.high), ir.Const | ir.Local):
            return None  # what is reckoned is not to be found twice, nor within the rounds of a list
        pad, name = "    " * depth, self._local(loop.name)
        if (asks := asks_any(loop)) is not None:
            slot, number, then = asks
            return iter([f"{pad}if {number} in {self._row(slot, loop)}:", *self._body([then], depth + 1)])
        if (store := fills(loop, self.known)) is not None:
            return iter([f"{pad}{self._row(store.slot, loop)} = {self._filled(store.value, loop)}"])
        if (copies := copies_most(loop, self.known)) is not None:
            rows = f'({self._row(copies.source, loop)}, "==", {copies.number})'
            place = self._place(copies.target, ir.Local(loop.name, "int", 0, copies.target.length - 1))
            return iter(
                [
                    f"{pad}{self._row(copies.target, loop)} = {self._row(copies.source, loop)}",
                    f"{pad}for {name} in matching({rows}):",
                    f"{pad}    {place} = {self.expression(ir.as_number(copies.value))}",
                ]
            )
        down = goes_down(loop)
        if down is None or down.local in self.reads.outside(loop):
            return None
        return self._columns(down, depth)

    def _filled(self, value: ir.Expr, loop: ir.For) -> str:
        """Return the text of a row of values, one for each round of a loop."""
        match value:
            case ir.Const():
                return f"[{self.expression(ir.as_number(value))}] * {self._high(loop)}"
            case ir.Load(ir.Slot(type="int") as slot, ir.Local(name)) if name == loop.name:
                return self._row(slot, loop)
        return f"[{self.expression(ir.as_number(value))} for {self._local(loop.name)} in range({self._high(loop)})]"

    def _row(self, slot: ir.Slot, loop: ir.For) -> str:
        """Return the text of the entries of a slot that a loop goes through."""
        return f"s[{slot.name} : {slot.name} + {self._high(loop)}]"

    def _blank(self, count: int) -> str:
        name = f"BLANK__{count}"
        self.columns[name] = bytearray(count)
        return name

    def _held(self, loop: ir.For, found: _Asked) -> str:
        """Return the text of the bytes that tell where all compares as asked."""
        if len(found.asked) > 1:
            return f"held({self._rows(loop, found)})"
        ((slot, sign, number),) = found.asked
        name = f"HOLDS__{SIGNS[sign]}_{number}"
        self.columns[name] = _holds(sign, number)
        return f"bytearray({self._row(slot, loop)}).translate({name})"

    def _rows(self, loop: ir.For, found: _Asked) -> str:
        """Return the text of the rows that a loop asks, and of how each is to compare."""
        return ", ".join(
            f'({self._row(slot, loop)}, "{sign}", {number})' for slot, sign, number in found.asked
        )

    def _columns(self, down: Down, depth: int) -> Iterator[str]:
        """Print a loop over what a table has for one column, without what is negative and does nothing."""
        name = f"{down.table.name}__{'known' if down.is_known else 'columns'}"
        if name not in self.columns:
            values = np.asarray(down.table.values).reshape(-1, down.width).T.tolist()
            least = 0 if down.is_known else down.table.low
            self.columns[name] = [tuple(value for value in column if value >= least) for column in values]
        yield f"{'    ' * depth}for {self._local(down.local)} in {name}[{self.expression(down.column)}]:"
        yield from self._body(down.body, depth + 1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a round asks of its entries of slots: how each compares to a number, what else, and what it does then."""

    asked: Sequence[tuple[ir.Slot, str, int]]
    others: Sequence[ir.Expr]
    then: ir.Block


@dataclass(frozen=True, slots=True)
class _Blank:
    """A picture of ``count`` entries, ``depth`` for each cell, that is blank but for some ``planes``."""

    count: int
    depth: int = 0
    planes: tuple[int, ...] = ()

    def plane(self, loop: ir.Stmt, found: _Asked) -> _Blank | None:
        """Return it with a plane more, where all that a loop does is to write 1 for the cells that are as asked."""
        match loop, found.then:
            case ir.For(name, _, ir.Const(cells), [ir.If()]), [ir.Out(index, ir.Const(1))] if (
                not found.others
            ):
                depth, plane = self.count // int(cells), plane_of(index, name)
                is_whole = depth * cells == self.count and self.depth in {0, depth}
                if plane is not None and is_whole and plane[0] == depth and plane[1] not in self.planes:
                    return _Blank(self.count, depth, (*self.planes, plane[1]))
        return None


def _blank(statement: ir.Stmt) -> _Blank | None:
    match statement:
        case ir.Blank(ir.Const(count), ir.Const(0)):
            return _Blank(int(count))
    return None


def _asked(loop: ir.For) -> _Asked | None:
    """Return what the rounds of a loop ask of their entries before they do anything; None where they do not."""
    if loop.low != ir.const(0) or not isinstance(loop.high, ir.Const) or loop.high.value < LEAST:
        return None
    last = loop.body[-1] if loop.body else None
    if not isinstance(last, ir.If) or last.otherwise:
        return None
    tests, then = [*ir.tests_of(last)], last.then
    while len(then) == 1 and isinstance(then[0], ir.If) and not then[0].otherwise:
        tests += ir.tests_of(then[0])
        then = then[0].then
    pairs = [(test, _compared(test, loop.name)) for test in tests]
    asked = [found for _, found in pairs if found is not None]
    return _Asked(asked, [test for test, found in pairs if found is None], then) if asked else None


def _compared(test: ir.Expr, name: str) -> tuple[ir.Slot, str, int] | None:
    """Return the slot, the sign and the number where a test compares the round's own entry of a slot of bytes."""
    match test:
        case ir.Op(sign, (ir.Load(slot, index), ir.Const(number, "int"))) if sign in ir.COMPARED:
            is_own = getattr(ir.bare(index), "name", "") == name
            is_byte = slot.type == "int" and not slot.unset and slot.low >= 0 and slot.high < 256
            return (slot, sign, int(number)) if is_own and is_byte else None
    return None


@dataclass(frozen=True, slots=True)
class _Collected:
    slot: ir.Slot
    count: ir.Local


def _collected(then: ir.Block, name: str) -> _Collected | None:
    """Return where a block appends the round's own number, and what counts how many there are."""
    match then:
        case [
            ir.Store(slot, ir.Local() as count, ir.Local(own)),
            ir.Let(counter, ir.Op("+", (ir.Local(old), ir.Const(1)))),
        ]:
            if own == name and counter == old == count.name and slot.type == "int":
                return _Collected(slot, count)
    return None


def _reads(test: ir.Expr, collected: _Collected) -> bool:
    """Whether a test asks for what is collected, or for how much."""
    return any(
        (isinstance(part, ir.Local) and part.name == collected.count.name)
        or (isinstance(part, ir.Load) and part.slot.name == collected.slot.name)
        or isinstance(part, ir.Call)
        for part in ir.parts(test)
    )


def _without_own(block: ir.Block, slots: Set[str], name: str) -> ir.Block:
    """Return a block without what it writes to the round's own entries of slots."""
    return [
        ir.with_blocks(statement, lambda inner: _without_own(inner, slots, name))
        for statement in block
        if not (
            isinstance(statement, ir.Store)
            and statement.slot.name in slots
            and getattr(ir.bare(statement.index), "name", "") == name
        )
    ]
