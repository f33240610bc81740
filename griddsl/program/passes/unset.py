"""Slots that are never set: what a game could ask of them, and never does, is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from griddsl.program import ir, keys
from griddsl.program.passes.normal import of_parts

FROM_OUTSIDE = frozenset({keys.CHOICE})  # what others than the program set


def drop_unset(functions: Mapping[str, ir.Function], slots: Iterable[ir.Slot]) -> None:
    """Take scratch slots for 0 that nothing but 0 is ever written to, in place."""
    set_, zeroed = set[str](), set[str]()
    for function in functions.values():
        for statement in ir.statements(function.body):
            match statement:
                case ir.Store(slot, value=ir.Const(0)):
                    zeroed.add(slot.name)
                case ir.Store(slot) | ir.Fill(slot) | ir.Copy(slot) | ir.Reduce(slot=ir.Slot() as slot):
                    set_.add(slot.name)
                case ir.Generate(slot=slot):
                    set_.add(slot.name)
    unset = {slot.name for slot in slots if not slot.saved and slot.initial is None and slot.type == "int"}
    unset &= zeroed - set_ - FROM_OUTSIDE
    for function in functions.values() if unset else ():
        function.body[:] = _Dropping(frozenset(unset)).block(function.body)


@dataclass(frozen=True, slots=True)
class _Dropping:
    unset: frozenset[str]

    def block(self, block: ir.Block) -> ir.Block:
        made: ir.Block = []
        for statement in block:
            match statement:
                case ir.Store(slot) if slot.name in self.unset:
                    pass
                case ir.If(test, then, otherwise):
                    made.extend(ir.when(self._value(test), self.block(then), self.block(otherwise)))
                case ir.While(test, body):
                    test = self._value(test)
                    if test != ir.FALSE:
                        made.append(ir.While(test, self.block(body)))
                case ir.For() | ir.ForEach() | ir.Reduce():
                    low, high = self._value(statement.low), self._value(statement.high)
                    made.append(replace(statement, low=low, high=high, body=self.block(statement.body)))
                case ir.Let() | ir.Store() | ir.Out() | ir.Fill() | ir.Hit():
                    made.append(replace(statement, value=self._value(statement.value)))
                case _:
                    made.append(statement)
        return made

    def _value(self, value: ir.Expr) -> ir.Expr:
        """Return a value with 0 for each load of such a slot."""
        match value:
            case ir.Load(slot) if slot.name in self.unset:
                return ir.const(0)
            case _ if not any(
                isinstance(part, ir.Load) and part.slot.name in self.unset for part in ir.parts(value)
            ):
                return value
        values = tuple(map(self._value, ir.inner(value)))
        match value:
            case ir.Op("and"):
                return ir.both(*values)
            case ir.Op("or"):
                return ir.either(*values)
            case ir.Op("not"):
                return ir.invert(*values)
            case ir.Op("==" | "!=" | "<" | "<=" | ">" | ">=" as sign):
                return ir.compare(sign, *values)
        return of_parts(value, values)
