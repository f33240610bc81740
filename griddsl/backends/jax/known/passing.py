"""Slots that pass: they are filled by a collection, and asked for only behind it. Nobody needs them in between.

Where candidates are collected one of them is drawn, and then they are forgotten. Such a slot is never handed on by a
loop, kept for another try, or left as it was where its collection is not carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from griddsl.backends.jax.known.nests import nest_of
from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known, of_block


def passing(functions: Mapping[str, ir.Function], slots: Iterable[ir.Slot], known: Known) -> frozenset[str]:
    """Return the names of the slots that pass."""
    found = {slot.name for slot in slots if not slot.saved and slot.length > 1 and slot.initial is None}
    for function in functions.values():
        _Following(known, found).block(function.body, frozenset())
    return frozenset(found)


class _Following:
    """Takes away the slots that are asked for where their collection does not stand before, in a block around."""

    def __init__(self, known: Known, found: set[str]) -> None:
        self.known, self.found = known, found

    def block(self, block: ir.Block, filled: frozenset[str]) -> frozenset[str]:
        """Return which slots are filled behind a block, if ``filled`` are before it."""
        zero: set[str] = set()  # locals that count from 0
        for statement in block:
            filled = self._statement(statement, filled, zero)
            zero -= of_block([statement], self.known).sets
            match statement:
                case ir.Let(name, ir.Const(0)):
                    zero.add(name)
        return filled

    def _statement(self, statement: ir.Stmt, filled: frozenset[str], zero: set[str]) -> frozenset[str]:
        for value in ir.values_of(statement):
            read = {part.slot.name for part in ir.parts(value) if isinstance(part, ir.Load)}
            self.found -= read - filled
        writes = of_block([statement], self.known).writes
        left = frozenset[str]() if EVERYTHING in writes else filled - writes
        match statement:
            case ir.If(_, then, otherwise):
                self.block(then, filled)
                self.block(otherwise, filled)
                return left
            case ir.Reduce(how="collect", slot=ir.Slot(name=name), result=result):
                self.block(statement.body, left)
                return left | {name} if result.name in zero else self._lost(name, left)
            case ir.For() if (nest := nest_of(statement)) is not None and nest.reduce.slot is not None:
                self.block(nest.reduce.body, left)
                name = nest.reduce.slot.name
                return left | {name} if nest.reduce.result.name in zero else self._lost(name, left)
            case ir.For() | ir.ForEach() | ir.Reduce() | ir.While():
                self.block(statement.body, left)
                return left
            case ir.Store(ir.Slot(name=name)) | ir.Fill(ir.Slot(name=name)) | ir.Copy(ir.Slot(name=name)):
                return self._lost(name, left)
            case ir.Generate(_, ir.Slot(name=name)):
                return self._lost(name, left)
        return left

    def _lost(self, name: str, left: frozenset[str]) -> frozenset[str]:
        """Take away a slot that is filled otherwise."""
        self.found.discard(name)
        return left
