"""What is alike: parts of programs that say the same, but for ranges and for names and numbers of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads
from griddsl.source import Span

_RANGE = {"low", "high"}
_OF_THE_FIRST = {"because", "place"}  # the reason of a `Claim`; which of the copies a `Keep` is


@dataclass(frozen=True, slots=True)
class Moved:
    """In the place of a slot: the slots with this number among those that differ."""

    number: int


@dataclass(frozen=True, slots=True)
class Number:
    """In the place of a whole number: those with this number among those that differ, and their range."""

    number: int
    type: ir.Type
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Failing:
    """In the place of a `Fail`: those that say something else each time."""

    ways: tuple[ir.Fail, ...]

    def told(self, tests: Sequence[ir.Expr]) -> ir.Stmt:
        """Return what fails with the words of the first whose test holds, of the last if none does."""
        made: ir.Stmt = self.ways[-1]
        for test, way in reversed([*zip(tests, self.ways[:-1], strict=False)]):
            made = ir.If(test, [way], [made])
        return made


def locals_of(block: ir.Block) -> set[str]:
    """Return the locals that a block sets, with those of its loops."""
    return {name for statement in ir.statements(block) for name in ir.sets(statement)}


def is_alone(block: ir.Block, reads: Mapping[str, int]) -> bool:
    """Whether what a block sets is asked for nowhere else, and not before it is set; it puts back its own alone.

    ``reads`` says how often each local is read in all.
    """
    own, within = locals_of(block), ir.times_read(block)
    if any(isinstance(each, ir.Restore) and each.name not in own for each in ir.statements(block)):
        return False
    return not own & unset_reads(block, ()) and all(reads[name] == within[name] for name in own)


def without_notes(block: Sequence[ir.Stmt]) -> ir.Block:
    """Return a block without its comments."""
    return [statement for statement in block if not isinstance(statement, ir.Note)]


class Alike:
    """Finds what all of several blocks say, called as in the first of them, with ranges that hold in all.

    ``slots`` are those of one entry that differ, each with as many as there are blocks, and ``numbers`` the whole
    numbers; ``fixed`` are the slots that are the same in all, and ``called`` the functions that are. Where setup gives
    up, the words may differ.
    """

    def __init__(self, blocks: Sequence[ir.Block]) -> None:
        self.own = [locals_of(block) for block in blocks]
        self.slots: list[tuple[ir.Slot, ...]] = []
        self.numbers: list[tuple[int, ...]] = []
        self.fixed: set[ir.Slot] = set()
        self.called: set[str] = set()
        self._fails_alike = True
        # What each local is called in the first block, and what a local of the first one is called in each.
        self._named: list[dict[str, str]] = [{} for _ in blocks]
        self._names: list[dict[str, str]] = [{} for _ in blocks]

    @property
    def is_same(self) -> bool:
        """Whether nothing differed but ranges and the names of locals."""
        return not self.slots and not self.numbers and self._fails_alike

    def merged(self, parts: tuple[Any, ...]) -> Any:
        """Return what a part of each block says; None where they say different things."""
        first = parts[0]
        if isinstance(first, list | tuple):
            return self._sequence(parts)
        if isinstance(first, ir.Slot):
            return self._slot(parts)
        if isinstance(first, ir.Table):
            return (
                first
                if all(isinstance(each, ir.Table) and _are_equal(first, each) for each in parts)
                else None
            )
        if isinstance(first, ir.Note | ir.Fail) and all(type(each) is type(first) for each in parts):
            return self._words(parts)
        if isinstance(first, Span) or not is_dataclass(first) or isinstance(first, type):
            return first if all(each == first for each in parts) else None
        if any(isinstance(each, ir.Op) for each in parts):
            parts = _with_remainders(parts)
            first = parts[0]
        if any(type(each) is not type(parts[0]) for each in parts):
            return None
        if isinstance(first, ir.Const) and any(each != first for each in parts):
            return self._number(parts)
        return self._of_fields(parts)

    def _sequence(self, parts: tuple[Any, ...]) -> Any:
        kind = type(parts[0])
        if any(type(each) is not kind for each in parts):
            return None
        if kind is list and len({tuple(map(type, each)) for each in parts}) > 1:
            parts = tuple(map(without_notes, parts))
        if any(len(each) != len(parts[0]) for each in parts):
            return None
        found = []
        for each in zip(*parts, strict=True):
            made = self.merged(each)
            if made is None:
                return None
            found.append(made)
        return kind(found)

    def _words(self, parts: tuple[Any, ...]) -> Any:
        """Return a comment, that of the first, or what gives up, in words that may differ."""
        if isinstance(parts[0], ir.Note) or all(each == parts[0] for each in parts):
            return parts[0]
        self._fails_alike = False
        return Failing(parts)

    def _of_fields(self, parts: tuple[Any, ...]) -> Any:
        first = parts[0]
        if isinstance(first, ir.Call):
            self.called.add(first.function)
        found: dict[str, Any] = {}
        for name in first.__dataclass_fields__:  # by far the most of what is asked here
            values = tuple(getattr(part, name) for part in parts)
            if name in _OF_THE_FIRST or all(value is None for value in values):
                continue
            if name == "name" and isinstance(first, ir.NAMED):
                made: Any = self._name(values)
            elif name in _RANGE and not is_dataclass(values[0]):
                made = min(values) if name == "low" else max(values)
            else:
                made = self.merged(values)
            if made is None:
                return None
            found[name] = made
        if isinstance(found.get("slot"), Moved) and not isinstance(first, ir.Load | ir.Store):
            return None
        # How many rounds there are is known for each, and would not be for all of them.
        if isinstance(first, ir.For | ir.ForEach | ir.Reduce) and any(
            isinstance(found[end], Number) for end in _RANGE
        ):
            return None
        return replace(first, **found)

    def _name(self, names: tuple[str, ...]) -> str | None:
        """Return what a local is called: as in the first block, where each block has one of its own."""
        first = names[0]
        own = [name in within for name, within in zip(names, self.own, strict=True)]
        if not any(own):
            return first if all(name == first for name in names) else None
        for name, named, called in zip(names, self._named, self._names, strict=True):
            if named.setdefault(name, first) != first or called.setdefault(first, name) != name:
                return None
        return first if all(own) else None

    def _slot(self, slots: tuple[Any, ...]) -> ir.Slot | Moved | None:
        first = slots[0]
        if isinstance(first, ir.Slot) and all(slot is first for slot in slots):
            self.fixed.add(first)
            return first
        if not all(isinstance(slot, ir.Slot) and _fits(slot, first) for slot in slots):
            return None
        if slots not in self.slots:
            self.slots.append(slots)
        return Moved(self.slots.index(slots))

    def _number(self, parts: tuple[ir.Const, ...]) -> Number | None:
        if any(part.type != "int" for part in parts):
            return None
        values = tuple(int(part.value) for part in parts)
        if values not in self.numbers:
            self.numbers.append(values)
        return Number(self.numbers.index(values), "int", min(values), max(values))


@dataclass(frozen=True, slots=True)
class Own:
    """What stands in the place of what differs: slots, numbers, and tests of which block is meant."""

    slots: Sequence[ir.Slot]
    numbers: Sequence[ir.Local]
    tests: Sequence[ir.Expr]

    def of(self, part: Any) -> Any:
        """Return a part of what `Alike` found."""
        match part:
            case list() | tuple():
                return type(part)(map(self.of, part))
            case Number(number):
                return self.numbers[number]
            case Moved(number):
                return self.slots[number]
            case Failing():
                return part.told(self.tests)
            case ir.Slot() | ir.Table() | Span():
                return part
        if not is_dataclass(part) or isinstance(part, type):
            return part
        return replace(part, **{each.name: self.of(getattr(part, each.name)) for each in fields(part)})


def _are_equal(one: ir.Table, other: ir.Table) -> bool:
    """Whether two tables hold the same."""
    ranges = (one.type, one.low, one.high) == (other.type, other.low, other.high)
    return one is other or (ranges and list(one.values) == list(other.values))


def _fits(one: ir.Slot, other: ir.Slot) -> bool:
    """Whether the values of two slots may lie side by side."""
    return one.length == 1 and (one.length, one.low, one.high, one.type) == (
        *(other.length, other.low, other.high, other.type),
    )


def _with_remainders(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values with the remainder that others of them take, where it is known to be the value itself.

    Of ``asked // 16 % 2`` the last task's is ``asked // 128``, where nothing is above 255.
    """
    limits = {part.values[1] for part in parts if isinstance(part, ir.Op) and part.operator == "%"}
    limit = limits.pop() if len(limits) == 1 else None
    if not isinstance(limit, ir.Const):
        return parts

    def taken(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Op) and part.operator == "%":
            return part
        is_itself = part.type == "int" and part.low >= 0 and part.high < limit.low
        return ir.Op("%", (part, limit), "int", part.low, part.high) if is_itself else part

    return tuple(map(taken, parts))
