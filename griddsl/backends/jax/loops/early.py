"""What the rounds of a loop find without each other: taken out of the loop, and found for all rounds at once.

A view goes row by row, because light goes from one row to the next. Which of its cells are clear is nobody's secret
before: only what depends on what rounds hand on has to wait for its round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Effects, Known, of_block, of_value
from griddsl.program.passes.independent import unset_reads

_PURE = (ir.Let, ir.If, ir.For, ir.ForEach, ir.Reduce, ir.Hit, ir.Note)
MANY = 20
Body: TypeAlias = Sequence[ir.Stmt]


@dataclass(frozen=True)
class Parted:
    """A loop in two parts: statements that all rounds may run at once, and the loop with the rest."""

    early: tuple[ir.Stmt, ...]
    names: frozenset[str]  # that they set
    loop: ir.For


def parted(loop: ir.For, given: Iterable[str], known: Known) -> Parted | None:
    """Return the two parts of a loop; None where all of it has to wait. The given locals are set before it."""
    search = _Search(loop, set(given), known)
    early = [statement for statement in search.all if id(statement) in search.early]
    if not early:
        return None
    names = frozenset(name for statement in early for name in search.sets[id(statement)])
    return Parted(tuple(early), names, replace(loop, body=_without(loop.body, search.early)))


def _without(block: Body, early: set[int]) -> ir.Block:
    """Return a block without some of its statements."""
    found: ir.Block = []
    for statement in block:
        if id(statement) in early:
            continue
        if isinstance(statement, ir.If):
            then, otherwise = _without(statement.then, early), _without(statement.otherwise, early)
            statement = ir.If(statement.test, then, otherwise)
        found.append(statement)
    return found


class _Search:
    """Which statements of a loop, outside of loops in it, need nothing that another round hands on.

    A local counts as found early where all that set it stand in one block and are early themselves, and nobody reads
    it before: then it holds the same wherever it is read, whether the way led there or not.
    """

    def __init__(self, loop: ir.For, given: set[str], known: Known) -> None:
        self.loop, self.known = loop, known
        self.effects = of_block(loop.body, known)
        self.all: list[ir.Stmt] = []
        self.places: dict[int, tuple[ir.Block | Body, int]] = {}  # a statement's block, and where in it
        self.sets: dict[int, set[str]] = {}
        self.block: dict[int, int] = {}  # which block a statement stands in
        self._collect(loop.body)
        # What was set before the loop may be read after it: then it is what the last round that ran has set.
        handed = unset_reads(loop.body, {loop.name}) & self.effects.sets | given
        names = {name for found in self.sets.values() for name in found} - handed
        blocks: dict[str, set[int]] = {}
        for statement in self.all:
            for name in self.sets[id(statement)]:
                blocks.setdefault(name, set()).add(self.block[id(statement)])
        self.names = {name for name in names if len(blocks[name]) == 1}
        self.ranges = self._ranges()
        self.early = {id(s) for s in self.all if self._may(s)}
        while self._narrowed():
            pass

    def _collect(self, block: Body) -> None:
        """Note the statements that may be early: an `If` is looked into."""
        for place, statement in enumerate(block):
            self.places[id(statement)] = (block, place)
            if isinstance(statement, ir.If):
                self._collect(statement.then)
                self._collect(statement.otherwise)
                continue
            own = {name for inner in ir.statements([statement]) for name in ir.sets(inner)}
            self.sets[id(statement)] = own
            self.block[id(statement)] = id(block)
            self.all.append(statement)

    def _ranges(self) -> dict[str, list[ir.Stmt]]:
        """Return the statements from the first to the last that sets a local, for those that several set."""
        found: dict[str, list[ir.Stmt]] = {}
        for name in self.names:
            setting = [s for s in self.all if name in self.sets[id(s)]]
            block, first = self.places[id(setting[0])]
            last = self.places[id(setting[-1])][1]
            if last > first:
                found[name] = list(block[first : last + 1])
        return found

    def _may(self, statement: ir.Stmt) -> bool:
        """Whether a statement only finds locals, from slots that no round writes to."""
        if not isinstance(statement, ir.Let | ir.For | ir.ForEach | ir.Reduce):
            return False
        inner = list(ir.statements([statement]))
        if not all(isinstance(each, _PURE) for each in inner):
            return False
        if any(isinstance(each, ir.Reduce) and each.how == "collect" for each in inner):
            return False
        if not all(_is_plain(each, self.known) for each in inner):
            return False
        effects = of_block([statement], self.known)
        return not effects.writes and not effects.reads & self.effects.writes and not self._unknown(effects)

    def _unknown(self, effects: Effects) -> bool:
        return EVERYTHING in effects.reads | self.effects.writes

    def _narrowed(self) -> bool:
        """Take out statements that need or set what is not early; return whether there were any."""
        late = {name for s in self.all if id(s) not in self.early for name in self.sets[id(s)]}
        late |= self.effects.sets - self.names - {self.loop.name}
        # A value that is read before the next one is set over it would be lost.
        late |= {name for name, block in self.ranges.items() if any(id(s) not in self.early for s in block)}
        gone = {id(s) for s in self.all if id(s) in self.early and (self.sets[id(s)] | self._reads(s)) & late}
        self.early -= gone
        return bool(gone)

    def _reads(self, statement: ir.Stmt) -> set[str]:
        return unset_reads([statement], ()) | {
            name
            for inner in ir.statements([statement])
            if isinstance(inner, ir.Reduce)
            for name in (inner.result.name,)
        }


def _is_plain(statement: ir.Stmt, known: Known) -> bool:
    """Whether a statement may be run for all rounds at once, as far as its loops and calls go."""
    if isinstance(statement, ir.For | ir.ForEach | ir.Reduce) and not (
        isinstance(statement.low, ir.Const) and isinstance(statement.high, ir.Const)
    ):
        return False
    return all(
        isinstance(inner, ir.Let | ir.If | ir.Return | ir.Note) and _is_plain(inner, known)
        for name in _called(statement)
        for inner in ir.statements(known.functions[name].body)
    )


def _called(statement: ir.Stmt) -> list[str]:
    """Return the functions that the values of a statement call."""
    return [
        part.function
        for value in ir.values_of(statement)
        for part in ir.parts(value)
        if isinstance(part, ir.Call)
    ]


def size(block: Body, known: Known, without: ir.Stmt | None = None) -> int:
    """Return how much a block is to write out: statements, of which one that touches slots counts as many.

    What is called and what stands in a loop counts as well: it is written out as often as what is around it.
    """
    found = 0
    for statement in block:
        if statement is without:
            continue
        for name in _called(statement):
            found += size(known.functions[name].body, known)
        match statement:
            case ir.If(_, then, otherwise):
                found += 1 + size(then, known, without) + size(otherwise, known, without)
            case ir.Let(_, value) if not of_value(value, known).reads:
                found += 1
            case ir.Note():
                pass
            case ir.For() | ir.ForEach() | ir.Reduce() | ir.While():
                found += MANY + size(statement.body, known, without)
            case _:
                found += MANY
    return found
