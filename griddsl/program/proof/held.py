"""Held: the values that slots of the state can hold at all, by everything that functions ever put into them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np

from griddsl.program import ir

MOST_VALUES = 64  # of a slot, that are told apart
Found: TypeAlias = frozenset[float] | None


class Held:
    """The values that slots can hold; ``wanted`` says of which slots that is asked."""

    def __init__(self, functions: Mapping[str, ir.Function], wanted: Callable[[ir.Slot], bool]) -> None:
        self._functions, self._wanted = functions, wanted
        self._found: dict[int, Found] = {}

    @cached_property
    def _given(self) -> dict[int, list[ir.Expr | ir.Table | None]]:
        """What is put into each slot; None for what is not known."""
        given = defaultdict[int, list[ir.Expr | ir.Table | None]](list)
        for function in self._functions.values():
            for statement in ir.statements(function.body):
                match statement:
                    case ir.Store(slot, _, value) | ir.Fill(slot, value):
                        given[id(slot)].append(value)
                    case ir.Copy(slot, table):
                        given[id(slot)].append(table)
                    case ir.Generate(slot=slot) | ir.Reduce(slot=ir.Slot() as slot):
                        given[id(slot)].append(None)
        return given

    def values_of(self, value: ir.Expr) -> Found:
        """Return all that a value can be; None where that is not known."""
        match value:
            case ir.Const():
                return frozenset((value.low,))
            case ir.Claim(inner):
                return self.values_of(inner)
            case ir.Select(_, then, otherwise):
                return _together((self.values_of(then), self.values_of(otherwise)))
            case ir.Load(slot):
                return self.of(slot)
        return None

    def of(self, slot: ir.Slot) -> Found:
        """Return all that a slot can hold; None where that is not known."""
        if id(slot) not in self._found:
            self._found[id(slot)] = self._all(slot)
        return self._found[id(slot)]

    def _all(self, slot: ir.Slot) -> Found:
        """Gather what is put into a slot, and into those that it is given the values of."""
        seen, pending = {id(slot)}, [slot]
        values = set[float]()
        while pending:
            one = pending.pop()
            if not self._wanted(one):
                return None
            values.update(one.initial or (0,))
            given = list(self._given.get(id(one), ()))
            while given:
                match given.pop():
                    case ir.Const() as value:
                        values.add(value.low)
                    case ir.Claim(inner):
                        given.append(inner)
                    case ir.Select(_, then, otherwise):
                        given += [then, otherwise]
                    case ir.Load(source):
                        if id(source) not in seen:
                            seen.add(id(source))
                            pending.append(source)
                    case ir.Lookup(table) | (ir.Table() as table):
                        values.update(_in_table(table))
                    case ir.Op() | ir.Local() | ir.Draw() as value if value.type != "real":
                        if value.high - value.low >= MOST_VALUES:
                            return None
                        values.update(range(int(value.low), int(value.high) + 1))
                    case _:
                        return None
            if len(values) > MOST_VALUES:
                return None
        return frozenset(values)


def _in_table(table: ir.Table) -> Iterable[float]:
    if isinstance(table.values, np.ndarray):
        return [float(value) for value in np.unique(table.values)]
    return set(table.values)


def _together(found: Iterable[Found]) -> Found:
    known = list(found)
    return None if None in known else frozenset().union(*(each for each in known if each is not None))
