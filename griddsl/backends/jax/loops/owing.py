"""Counts that are owed: they are found when somebody asks for them, or something comes, and not before.

How many places are taken is counted down whenever something is removed. Where several things may be removed one after
the other, and nobody asks in between, one count behind them comes to the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from griddsl.backends.jax.arrays import Mask, Value, is_known
from griddsl.backends.jax.values import both, either, inverted
from griddsl.program import ir


def counted_down(loop: ir.While) -> ir.Slot | None:
    """Return the slot that a loop counts down to 0 at most, where it does nothing else."""
    match loop:
        case ir.While(
            ir.Op("and", (ir.Op(">", (ir.Load(asked), ir.Const(0))), *_)),
            [ir.Store(slot, _, ir.Op("-", (ir.Load(counted), ir.Const(1))))],
        ) if asked is slot and counted is slot and slot.length == 1:
            return slot
    return None


@dataclass(frozen=True)
class Owed:
    """A count that is put off until somebody asks for it, or something comes: ``flag`` says in which games."""

    loop: ir.While
    slot: ir.Slot
    things: ir.Slot
    least: Value  # of what is there
    flag: Mask

    def ends_with(self, name: str, value: Value) -> bool:
        """Whether the count has to be found before a value is written to a slot."""
        if name == self.things.name:
            return not (is_known(value) and np.ndim(value) == 0 and value < self.least)
        return name == self.slot.name


def owed_by(loop: ir.While, flag: Mask) -> Owed | None:
    """Return the count of a loop as one that is put off; None where it looks at anything but things."""
    slot = counted_down(loop)
    match loop.test:
        case ir.Op("and", (_, ir.Op("<", (ir.Load(things, index), ir.Const(value=least))))) if (
            slot is not None
        ):
            alone = all(
                part.slot is slot
                if isinstance(part, ir.Load)
                else isinstance(part, ir.Const | ir.Op | ir.Claim)
                for part in ir.parts(index)
            )
            return Owed(loop, slot, things, least, flag) if alone else None
    return None


def owed_of_either(test: Value, first: Mapping[str, Owed], second: Mapping[str, Owed]) -> dict[str, Owed]:
    """Return what is owed behind two branches: it may have been found in one of them."""
    found: dict[str, Owed] = {}
    for name in first.keys() | second.keys():
        one, other = first.get(name), second.get(name)
        owed = one or other
        assert owed is not None
        if one is not other:
            flags = [each.flag if each is not None else False for each in (one, other)]
            flag = either(both(test, flags[0]), both(inverted(test), flags[1]))
            owed = replace(owed, flag=flag)
        found[name] = owed
    return found
