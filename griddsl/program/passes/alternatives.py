"""Alternatives that are alike become one: what is done for a name of several is done once, for the one that it is.

A name that is chosen among kinds, `place thing at ...`, is said of each of them, and differs by the number of the kind
alone. One of them is carried out; which number it has is looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from griddsl.program import ir
from griddsl.program.passes.alike import Alike, Own, is_alone
from griddsl.program.passes.effects import EVERYTHING, Known, of_block

LEAST = 5  # statements of an alternative: a shorter one is asked for sooner than looked up
MOST_NUMBERS = 64  # numbers that a slot may hold, each of which has a row in a table

NewTable = Callable[[str, Sequence[int]], ir.Table]


def join_alternatives(functions: Mapping[str, ir.Function], known: Known, table: NewTable) -> None:
    """Join the alternatives of a program that do the same, in place."""
    for function in functions.values():
        joining = _Joining(known, table, ir.names_in(function), ir.times_read(function.body))
        function.body[:] = joining.block(function.body)


@dataclass(frozen=True, slots=True)
class _Way:
    """What is done where a slot holds a number."""

    slot: ir.Slot
    number: int
    test: ir.Expr
    body: ir.Block


def _way(statement: ir.Stmt) -> _Way | None:
    match statement:
        case ir.If(ir.Op("==", (ir.Load(slot), ir.Const(int(number)))) as test, body, []):
            may = slot.length == 1 and not slot.unset and slot.high - slot.low < MOST_NUMBERS
            return _Way(slot, number, test, body) if may else None
    return None


@dataclass(frozen=True, slots=True)
class _Joining:
    """Writes the statements of one function; ``reads`` says how often it reads each of its locals."""

    known: Known
    table: NewTable
    names: ir.Names
    reads: Counter[str]

    def block(self, block: Sequence[ir.Stmt]) -> ir.Block:
        """Return a block whose alternatives are one where they are alike."""
        left = [ir.with_blocks(statement, self.block) for statement in block]
        made: ir.Block = []
        while left:
            ways, ends = _ways(left)
            while len(ways) > 1:
                joined = self._joined(ways)
                if joined is not None:
                    made.extend(joined)
                    break
                ways.pop()
                ends.pop()
            else:
                made.append(left[0])
                ends = [1]
            left = left[ends[-1] :]
        return made

    def _joined(self, ways: Sequence[_Way]) -> ir.Block | None:
        """Return what does what all of these ways do; None where they are not alike."""
        slot, bodies = ways[0].slot, [way.body for way in ways]
        alike = Alike(bodies)
        body = alike.merged(tuple(bodies))
        if body is None or alike.slots or not all(is_alone(each, self.reads) for each in bodies):
            return None
        if {slot.name, EVERYTHING} & set[str]().union(
            *(of_block(each, self.known).writes for each in bodies)
        ):
            return None  # what one does may decide for another one
        before: ir.Block = []
        numbers: list[ir.Local] = []
        for values in alike.numbers:
            by_number = dict(zip((way.number for way in ways), values, strict=True))
            rows = [by_number.get(number, values[0]) for number in range(slot.low, slot.high + 1)]
            found = ir.lookup(self.table("NUMBERS", rows), ir.sub(ir.load(slot), ir.const(slot.low)))
            numbers.append(ir.Local(self.names.fresh("number"), "int", found.low, found.high))
            before.append(ir.Let(numbers[-1].name, found))
        tests = [way.test for way in ways]
        done = [*before, *Own([], numbers, tests).of(body)]
        are_all = {way.number for way in ways} >= {*range(slot.low, slot.high + 1)}
        return done if are_all else [ir.If(ir.either(*tests), done, [])]


def _ways(block: Sequence[ir.Stmt]) -> tuple[list[_Way], list[int]]:
    """Return the ways at the beginning of a block that one slot decides between, and where each of them ends."""
    ways: list[_Way] = []
    ends: list[int] = []
    for place, statement in enumerate(block):
        if ways and isinstance(statement, ir.Note):
            continue
        way = _way(statement)
        if way is None or sum(1 for _ in ir.statements(way.body)) < LEAST:
            break
        if ways and (way.slot is not ways[0].slot or way.number in {each.number for each in ways}):
            break
        ways.append(way)
        ends.append(place + 1)
    return ways, ends
