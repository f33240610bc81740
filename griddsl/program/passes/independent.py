"""Loops whose rounds do not see each other become `ForEach`: they may run in any order, or at once."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from griddsl.program import ir
from griddsl.program.passes.effects import OUT, Effects, Known, of_block, of_value

# What a round may do without that another one could tell.
_ALONE = (
    *(ir.Let, ir.Store, ir.Out, ir.If, ir.Note),
    *(ir.For, ir.ForEach, ir.Reduce, ir.Hit, ir.While, ir.Break),
)


def mark_independent(functions: Mapping[str, ir.Function], known: Known) -> None:
    """Say of all loops of a program whose rounds are independent that they are, in place."""

    def marked(block: ir.Block, around: Reads) -> ir.Block:
        made: ir.Block = []
        for statement in block:
            match statement:
                case ir.For(name, low, high, body):
                    alone = not any(dependences(statement, around, known))
                    kind = ir.ForEach if alone else ir.For
                    made.append(kind(name, low, high, marked(body, around)))
                case _:
                    made.append(ir.with_blocks(statement, lambda inner: marked(inner, around)))
        return made

    for function in functions.values():
        function.body[:] = marked(function.body, Reads(function))


def dependences(loop: ir.For | ir.ForEach, reads: Reads, known: Known) -> Iterator[str]:
    """Yield why the rounds of a loop may not run at once, by the reads of its function; nothing where they may."""
    yield from between_rounds(loop, known)
    private = of_block(loop.body, known).sets - {loop.name}
    if elsewhere := sorted(private & reads.outside(loop)):
        yield f"{', '.join(elsewhere)} is read outside of the rounds"


def between_rounds(loop: ir.For | ir.ForEach, known: Known) -> Iterator[str]:
    """Yield what rounds of a loop see of each other, whatever is read after it."""
    body = loop.body
    effects = of_block(body, known)
    for statement in ir.statements(body):
        match statement:
            case ir.Reduce(slot=ir.Slot()):
                yield "a round collects"
            case _ if not isinstance(statement, _ALONE):
                yield f"a round has `{type(statement).__name__}`"
    if any(loop.name in ir.sets(statement) for statement in ir.statements(body)):
        yield f"a round sets {loop.name}"
    if leaves(body):
        yield "a round may leave the loop"
    private = effects.sets - {loop.name}
    carried = sorted(unset_reads(body, {loop.name}) & private)
    if carried:
        yield f"a round reads {', '.join(carried)}, which the last one has set"
        return
    yield from _shared(loop, effects, known)


def leaves(block: ir.Block) -> bool:
    """Whether a block leaves the loop that it is the body of, by a `Break`."""
    for statement in block:
        match statement:
            case ir.Break():
                return True
            case ir.If(_, then, otherwise) if leaves(then) or leaves(otherwise):
                return True
    return False


def unset_reads(block: ir.Block, given: Iterable[str]) -> set[str]:
    """Return the locals that a block may read before it sets them, where the given ones are set."""
    found: set[str] = set()
    _follow(block, frozenset(given), found)
    return found


def _follow(block: ir.Block, given: frozenset[str] | None, found: set[str]) -> frozenset[str] | None:
    """Return the locals that are set after a block; None where nothing goes on after it."""
    for statement in block:
        if given is None:
            return None
        for value in ir.values_of(statement):
            found |= {part.name for part in ir.parts(value) if isinstance(part, ir.Local)} - given
        match statement:
            case ir.Let(name) | ir.Bind(name) | ir.Keep(name):
                given |= {name}
            case ir.Restore(name):
                found |= {name} - given
            case ir.If(_, then, otherwise):
                first, second = _follow(then, given, found), _follow(otherwise, given, found)
                given = second if first is None else first if second is None else first & second
            case ir.Reduce(result=result, name=name, body=body):
                found |= {result.name} - given
                _follow(body, given | {name}, found)
            case ir.For(name=name, body=body) | ir.ForEach(name=name, body=body):
                _follow(body, given | {name}, found)
            case ir.While(body=body):
                _follow(body, given, found)
            case ir.Break() | ir.Return() | ir.Fail() | ir.Hit():
                given = None
    return given


class Reads:
    """How often a function reads each of its locals, in all and in each of its loops, but for a loop's own in it."""

    def __init__(self, function: ir.Function) -> None:
        self._body = function.body  # kept, because loops are known by their identity
        self._within: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._all = self._of(function.body, frozenset())

    def outside(self, loop: ir.For | ir.ForEach) -> set[str]:
        """Return the locals that the function reads outside of a loop."""
        within = self._within[id(loop)]
        return {name for name, times in self._all.items() if times > within[name]}

    def _of(self, block: ir.Block, own: frozenset[str]) -> Counter[str]:
        found = Counter[str]()
        for statement in block:
            its = Counter(
                part.name
                for value in ir.values_of(statement)
                for part in ir.parts(value)
                if isinstance(part, ir.Local) and part.name not in own
            )
            match statement:
                case ir.If(_, then, otherwise):
                    its.update(self._of(then, own))
                    its.update(self._of(otherwise, own))
                case ir.For(name=name) | ir.ForEach(name=name) | ir.Reduce(name=name):
                    its.update(self._of(statement.body, own | {name}))
                    self._within[id(statement)].update(its)
                case ir.While(_, body):
                    its.update(self._of(body, own))
                case ir.Restore(name):
                    its[name] += 1
            found.update(its)
        return found


# Which entries a round touches


@dataclass(frozen=True, slots=True)
class Line:
    """An index: ``step`` times a local that is another one in each round, what is the same in all, and other terms.

    Each of the terms is a factor and the range of what it multiplies.
    """

    base: str = ""
    step: int = 0
    same: frozenset[tuple[ir.Expr, int]] = frozenset()
    terms: tuple[tuple[int, float, float], ...] = ()
    offset: int = 0

    def times(self, factor: int) -> Line:
        """Return a multiple."""
        return Line(
            self.base,
            self.step * factor,
            frozenset((value, times * factor) for value, times in self.same),
            tuple((times * factor, low, high) for times, low, high in self.terms),
            self.offset * factor,
        )

    def plus(self, other: Line) -> Line | None:
        """Return a sum; None where two locals grow with the rounds."""
        if self.base and other.base and self.base != other.base:
            return None
        same = dict(self.same)
        for value, times in other.same:
            same[value] = same.get(value, 0) + times
        return Line(
            self.base or other.base,
            self.step + other.step,
            frozenset(same.items()),
            (*self.terms, *other.terms),
            self.offset + other.offset,
        )

    def rest(self) -> tuple[int, float, float]:
        """Return the greatest divisor of the factors beyond the step, and the range of all that is below."""
        beyond, low, high = 0, float(self.offset), float(self.offset)
        for times, first, last in self.terms:
            if abs(times) > abs(self.step):
                beyond = math.gcd(beyond, times)
            else:
                low, high = low + min(times * first, times * last), high + max(times * first, times * last)
        return beyond, low, high


def _shared(loop: ir.For | ir.ForEach, effects: Effects, known: Known) -> Iterator[str]:
    """Yield the slots that are written to, and touched at entries that another round may touch as well."""
    lines, writes = _Lines(loop, effects), effects.writes
    touched: dict[str, list[Line | None]] = {name: [] for name in writes}
    for statement in ir.statements(loop.body):
        match statement:
            case ir.Store(slot, index):
                touched[slot.name].append(lines.of(index))
            case ir.Out(index):
                touched[OUT].append(lines.of(index))
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                if isinstance(part, ir.Load) and part.slot.name in writes:
                    touched[part.slot.name].append(lines.of(part.index))
                elif isinstance(part, ir.Call) and of_value(part, known).reads & writes:
                    yield f"{part.function} reads what rounds write to"
    for name, found in touched.items():
        if not lines.are_apart(found):
            yield f"{name} is written to at entries that two rounds may touch"


class _Lines:
    """Finds how the indices of a loop grow with its rounds."""

    def __init__(self, loop: ir.For | ir.ForEach, effects: Effects) -> None:
        self.loop = loop
        self.around = replace(effects, sets=effects.sets | {loop.name})
        self.meant: dict[str, ir.Expr] = {}
        self.lengths = {"": 0.0, loop.name: loop.high.high - 1 - loop.low.low}
        again: set[str] = set()
        for statement in ir.statements(loop.body):
            if isinstance(statement, ir.Let) and statement.name not in self.meant:
                self.meant[statement.name] = statement.value
            else:
                again.update(ir.sets(statement))
        for name in again:
            self.meant.pop(name, None)

    def are_apart(self, found: list[Line | None]) -> bool:
        """Whether two rounds never touch the same entry: each touches a stretch shorter than its step."""
        lines = [line for line in found if line is not None]
        if not lines or len(lines) < len(found):
            return not found
        ways = {(line.base, line.step, line.same) for line in lines}
        base, step, _ = ways.pop()
        if ways:
            return False
        rests = [line.rest() for line in lines]
        beyond = math.gcd(*(rest[0] for rest in rests))
        stretch = max(rest[2] for rest in rests) - min(rest[1] for rest in rests)
        return stretch < abs(step) and (not beyond or abs(step) * self.lengths[base] + stretch < beyond)

    def of(self, index: ir.Expr) -> Line | None:
        """Return how an index grows; None where no line tells."""
        if isinstance(index, ir.Const):
            return Line(offset=int(index.value))
        if self.around.leaves(index):
            return Line(same=frozenset({(ir.bare(index), 1)}))
        match index:
            case ir.Local(name):
                return self._of_local(index, name)
            case ir.Claim(value):
                return self.of(value)
            case ir.Op("+" | "-" as operator, (left, right)):
                first, second = self.of(left), self.of(right)
                if first is None or second is None:
                    return None
                return first.plus(second.times(1 if operator == "+" else -1))
            case ir.Op("*", (left, ir.Const(value=factor))) | ir.Op("*", (ir.Const(value=factor), left)):
                line = self.of(left)
                return None if line is None else line.times(int(factor))
        return Line(terms=((1, index.low, index.high),))

    def _of_local(self, local: ir.Local, name: str) -> Line | None:
        if name == self.loop.name:
            return Line(name, 1)
        match self.meant.get(name):
            case ir.Lookup(table, ir.Local(place)) if place == self.loop.name and _all_different(table):
                self.lengths[name] = table.high - table.low
                return Line(name, 1)
            case ir.Local() | ir.Claim() | ir.Op("+" | "-" | "*") as value:
                return self.of(value)
        return Line(terms=((1, local.low, local.high),))


def _all_different(table: ir.Table) -> bool:
    return len(np.unique(np.asarray(table.values))) == len(table.values)
