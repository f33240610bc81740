"""Of which dtype slots are, and whole numbers on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.program import ir
from griddsl.program.program import Program

WIDEST = 2**31


def dtype_of(slot: ir.Slot, whole: Any) -> Any:
    """Return the narrowest dtype that holds what a slot holds."""
    if slot.type == "real":
        return np.float64
    if slot.type == "bool":
        return np.bool_
    low, high = min(slot.low, -1 if slot.unset else 0), slot.high
    for kind in (np.int8, np.int16, np.int32):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    return np.int32 if slot.saved else whole


def whole_of(program: Program) -> Any:
    """Return the dtype that whole numbers are reckoned in: 64 bits only where a range goes beyond 32."""
    for function in program.functions.values():
        for statement in ir.statements(function.body):
            for value in ir.values_of(statement):
                for part in ir.parts(value):
                    if part.type == "int" and _is_wide(part):
                        return np.int64
    return np.int32


def _is_wide(part: ir.Expr) -> bool:
    """Whether a value is known to lie in a range, and that is wider than 32 bits: nothing unbounded comes so far."""
    ends = [end for end in (part.low, part.high) if abs(end) < ir.UNBOUNDED]
    return any(not -WIDEST <= end < WIDEST for end in ends)
