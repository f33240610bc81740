"""The draft of a program: its slots, tables and functions so far, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from griddsl.program import ir


class Changes(TypedDict, total=False):
    """What may be said otherwise of a slot while its program is a draft."""

    length: int
    low: int
    high: int
    saved: bool
    initial: tuple[float, ...]


class Draft:
    """The slots, tables and functions of a program under construction, by their keys."""

    def __init__(self) -> None:
        self.slots: dict[ir.Key, ir.Slot] = {}
        self.tables: dict[ir.Key, ir.Table] = {}
        self.functions: dict[str, ir.Function] = {}
        self._kept: set[ir.Key] = set()
        self._texts = ir.Texts()
        self._function_names: dict[ir.Key, str] = {}

    def slot(
        self,
        key: ir.Key,
        length: int = 1,
        low: int = 0,
        high: int = ir.UNBOUNDED,
        *,
        type: ir.Type = "int",
        saved: bool = True,
        initial: tuple[float, ...] | None = None,
        unset: bool = False,
    ) -> ir.Slot:
        """Return the slot of this key, made with this length and range if it is new.

        Asked for again it has to be of the same sort, else two things have been given one key; scratch that was kept
        stays so.
        """
        known = self.slots.get(key)
        if known is None:
            if initial is None and not low <= 0 <= high:  # it starts as something that it can be
                initial = (low if low > 0 else high,) * length
            text = self._texts.fresh(key)
            known = ir.Slot(key, length, low, high, type, saved, initial, text, unset)
            self.slots[key] = known
        assert known.type == type and (known.saved == saved or key in self._kept), (
            f"two slots have the key {key!r}"
        )
        return known

    def keep(self, slot: ir.Slot) -> None:
        """Let a slot be part of the state that was scratch when it was made."""
        self._kept.add(slot.key)
        self.revise(slot, saved=True)

    @staticmethod
    def revise(slot: ir.Slot, **changes: Unpack[Changes]) -> None:
        """Change what is said of a slot: what was emitted speaks of this very one, and no other can take its place.

        Only while the program is a draft; what is handed out stays as it is.
        """
        for field, value in changes.items():
            object.__setattr__(slot, field, value)

    def widen(self, slot: ir.Slot, expr: ir.Expr) -> None:
        """Let a slot's range cover an expression, as far as numbers go."""
        low, high = min(slot.low, expr.low), max(slot.high, expr.high)
        self.revise(slot, low=int(max(-ir.UNBOUNDED, low)), high=int(min(ir.UNBOUNDED, high)))

    def scratch(self, key: ir.Key, length: int = 1, low: int = 0, high: int = 1) -> ir.Slot:
        """Return a slot that means nothing between two steps."""
        return self.slot(key, length, low, high, saved=False)

    def table(self, key: ir.Key, values: Sequence[int] | NDArray[np.integer]) -> ir.Table:
        """Return the table of this key, made of the values if it is new; else the values have to be the same."""
        known = self.tables.get(key)
        if known is None:
            known = self.tables[key] = ir.table(key, values, self._texts.fresh(key))
        same = known.values is values or np.array_equal(known.values, values)
        assert same, f"two tables have the key {key!r}"
        return known

    def new_table(self, stem: str, values: Sequence[int] | NDArray[np.integer]) -> ir.Table:
        """Return a table of its own for these values."""
        count = 1
        while (stem, count) in self.tables:
            count += 1
        return self.table((stem, count), values)

    def function_name(self, key: ir.Key) -> str:
        """Return the name of the function of this key, which is no other's."""
        if key not in self._function_names:
            name = self._texts.fresh(key)
            assert name == key or not isinstance(key, str), f"two functions have the name {key!r}"
            self._function_names[key] = name
        return self._function_names[key]
