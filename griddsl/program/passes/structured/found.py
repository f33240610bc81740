"""Loops that do nothing until they are left: the round is looked for, and what it does is done once.

A thing that is made takes the first free place, and no round before leaves anything behind: so all rounds may be looked
at at once. A machine that does much at a time would otherwise go through the loop round by round, or write out what is
done for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads


def found_first(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, in which such loops are searches."""
    return {
        name: replace(
            function, body=_Finding(ir.names_in(function), ir.times_read(function.body)).block(function.body)
        )
        for name, function in functions.items()
    }


@dataclass(frozen=True, slots=True)
class _Finding:
    """Writes statements anew; ``reads`` says how often a function reads each of its locals."""

    names: ir.Names
    reads: Mapping[str, int]

    def block(self, block: Sequence[ir.Stmt]) -> ir.Block:
        """Return what a block does."""
        made: ir.Block = []
        for statement in block:
            if isinstance(statement, ir.For):
                made.extend(self._loop(statement))
            else:
                made.append(ir.with_blocks(statement, self.block))
        return made

    def _loop(self, loop: ir.For) -> ir.Block:
        low, high = int(loop.low.low), int(loop.high.high) - 1
        number = ir.Local(loop.name, "int", low, max(low, high))
        parts = _parted(loop.body, number)
        if parts is None or not isinstance(loop.low, ir.Const) or high >= ir.UNBOUNDED - 1:
            return [replace(loop, body=self.block(loop.body))]
        own = {loop.name, *(name for each in parts.before for name in ir.sets(each))}
        inside = ir.times_read(loop.body)
        handed_on = unset_reads(loop.body, {loop.name}) & own
        if handed_on or any(self.reads[name] > inside[name] for name in own):
            return [replace(loop, body=self.block(loop.body))]
        found = ir.Local(self.names.fresh("found"), "int", low - 1, number.high)
        there = ir.claim(found, number.low, number.high, "a round was found")
        done: ir.Block = [ir.Let(loop.name, there), *parts.before, *self.block(parts.done)]
        return [
            ir.Let(found.name, ir.const(low - 1)),
            ir.Reduce("first", found, loop.name, loop.low, loop.high, parts.search),
            ir.If(ir.ge(found, low), done, []),
        ]


@dataclass(frozen=True, slots=True)
class _Parts:
    """A body in parts: what finds the round, the locals that it finds before, and what is done in the round."""

    search: ir.Block
    before: ir.Block
    done: ir.Block


def _parted(block: Sequence[ir.Stmt], number: ir.Local) -> _Parts | None:
    """Return the parts of a body that does something only where it leaves the loop; None of any other."""
    if not block:
        return None
    *before, last = block
    if not isinstance(last, ir.If) or last.otherwise or not last.then:
        return None
    if not all(isinstance(each, ir.Let | ir.Note) for each in before):
        return None
    lets: ir.Block = [each for each in before if isinstance(each, ir.Let)]
    if isinstance(last.then[-1], ir.Break | ir.Return):
        if any(isinstance(each, ir.Break) for each in _in_this_loop(last.then[:-1])):
            return None
        done = last.then[:-1] if isinstance(last.then[-1], ir.Break) else last.then
        return _Parts([*lets, ir.If(last.test, [ir.Hit(number)], [])], lets, list(done))
    inner = _parted(last.then, number)
    if inner is None:
        return None
    search: ir.Block = [*lets, ir.If(last.test, inner.search, [])]
    return _Parts(search, [*lets, *inner.before], inner.done)


def _in_this_loop(block: Iterable[ir.Stmt]) -> Iterable[ir.Stmt]:
    """Yield the statements of a block and of its branches, without those of loops in it."""
    for statement in block:
        yield statement
        if isinstance(statement, ir.If):
            yield from _in_this_loop(statement.then)
            yield from _in_this_loop(statement.otherwise)
