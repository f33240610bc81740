"""Calls in loops that would leave the state as their first time did: searches, which are made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Effects, Known, of_block


def search_once(functions: Mapping[str, ir.Function], known: Known) -> None:
    """Let loops make each search once that would find the same in every round, in place."""
    for function in functions.values():
        function.body[:] = _Searching(functions, known, ir.names_in(function)).block(function.body)


@dataclass(frozen=True, slots=True)
class _Searching:
    functions: Mapping[str, ir.Function]
    known: Known
    names: ir.Names

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block with its loops shortened, the outer ones first."""
        made: ir.Block = []
        for statement in block:
            if isinstance(statement, ir.For | ir.Reduce):
                made.extend(self._loop(statement))
            else:
                made.append(ir.with_blocks(statement, self.block))
        return made

    def _loop(self, loop: ir.For | ir.Reduce) -> ir.Block:
        before: ir.Block = []
        for call in _calls(loop.body):
            if self._does_the_same_again(call, loop):
                flag = self.names.fresh("known")
                before.append(ir.Let(flag, ir.FALSE))
                loop = replace(loop, body=_once(loop.body, call, flag))
        return [*before, replace(loop, body=self.block(loop.body))]

    def _does_the_same_again(self, call: ir.Call, loop: ir.For | ir.Reduce) -> bool:
        """Whether a call, made each time round a loop, leaves the state as its first time did."""
        if call.function not in self.functions or not self.functions[call.function].repeatable:
            return False
        own = self.known.of(call.function)
        around = of_block(_without(loop.body, call), self.known)
        around.sets.add(loop.name)
        if EVERYTHING in around.writes | own.reads or around.writes & (own.reads | own.writes):
            return False
        return all(_is_steady(value, loop.body, around) for value in call.values)


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
        lines = [line for line in ir.statements(body) if value.name in ir.sets(line)]
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
        if isinstance(statement, ir.Do) and statement.call == call:
            made.extend(instead)
        else:
            made.append(ir.with_blocks(statement, lambda inner: _rewritten(inner, call, instead)))
    return made
