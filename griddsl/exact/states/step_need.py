"""Whether ``step`` matters to what happens, and how little of it a state must keep.

``limit`` alone does not matter: truncation is no part of the decision process. `every N steps` needs the step only
modulo N. A reward that grows or shrinks evenly with the step needs it only in the reward. All else needs it whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from griddsl.program import ir, keys, observing
from griddsl.program.program import Program

Kind: TypeAlias = Literal["none", "phase", "reward", "whole"]
REWARDS = frozenset({keys.REWARD, keys.REWARD_SET, keys.HIDDEN_REWARD})


@dataclass(frozen=True, slots=True)
class StepNeed:
    """What a program needs of ``step``.

    ``none``: nothing. ``phase``: the step modulo ``period``. ``reward``: the reward of a transition is
    ``a + b * step``, nothing else reads it. ``whole``: the step is part of the state.
    """

    kind: Kind
    period: int = 1

    @property
    def of_states(self) -> StepNeed:
        """What is needed where nobody asks for rewards."""
        return StepNeed("none") if self.kind == "reward" else self


def step_need_of(program: Program) -> StepNeed:
    """Return what the dynamics of a program need of ``step``; observations and info are not asked."""
    reads = [read for function in reached(program) for read in _reads(function)]
    if not reads:
        return StepNeed("none")
    if all(isinstance(read, int) for read in reads):
        return StepNeed("phase", math.lcm(*(read for read in reads if isinstance(read, int))))
    return StepNeed("reward" if all(read == "reward" for read in reads) else "whole")


def reads_step(program: Program, names: list[str]) -> bool:
    """Return whether one of these functions, or one that it calls, reads ``step``."""
    return any(
        _loads(value)
        for function in reached(program, names)
        for statement in ir.statements(function.body)
        for value in ir.values_of(statement)
    )


@dataclass(frozen=True, slots=True)
class Affine:
    """``base + slope * step``: stands in the slot of ``step`` where only rewards read it."""

    base: float
    slope: float

    def __add__(self, other: Affine | float) -> Affine:
        if isinstance(other, Affine):
            return Affine(self.base + other.base, self.slope + other.slope)
        return Affine(self.base + other, self.slope)

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return Affine(-self.base, -self.slope)

    def __sub__(self, other: Affine | float) -> Affine:
        return self + -other

    def __rsub__(self, other: float) -> Affine:
        return -self + other

    def __mul__(self, factor: float) -> Affine:
        return Affine(self.base * factor, self.slope * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Affine:
        return Affine(self.base / divisor, self.slope / divisor)

    def __gt__(self, other: float) -> bool:
        return False  # so does what holds the count at its limit

    def __ge__(self, other: float) -> bool:
        # Only the test of `limit` compares it, and truncation is counted by whoever runs the horizon.
        return False


def reached(program: Program, names: list[str] | None = None) -> Iterator[ir.Function]:
    """Yield the functions that these, by default a step and the mask, can call."""
    masks = [player.mask for player in program.players if player.mask]
    return observing.reached(program, ["step", *masks] if names is None else names)


def begins_anew(program: Program) -> bool:
    """Whether a step may run setup, as it does in a trial, and whether that one can fail or try again."""
    functions = {function.name: function for function in reached(program, ["step"])}
    return "reset" in functions and any(
        isinstance(statement, ir.Fail | ir.Restore)
        for function in functions.values()
        for statement in ir.statements(function.body)
    )


def _reads(function: ir.Function) -> Iterator[int | str]:
    """Yield how a function reads ``step``: a period, ``reward`` or ``whole``."""
    for statement in ir.statements(function.body):
        for position, value in enumerate(ir.values_of(statement)):
            if not _loads(value) or _is_count(statement) or _is_limit(function, statement, position):
                continue
            if isinstance(statement, ir.Store) and statement.slot.key in REWARDS and _is_affine(value):
                yield "reward"
            else:
                yield from _uses(value)


def _is_count(statement: ir.Stmt) -> bool:
    """Whether a statement is the one that counts the steps."""
    return isinstance(statement, ir.Store) and statement.slot.key == keys.STEP


def _is_limit(function: ir.Function, statement: ir.Stmt, position: int) -> bool:
    """Whether a value says that the episode is truncated: the last one that ``step`` returns, or an agent's flag."""
    if isinstance(statement, ir.Store) and statement.slot.key == keys.CUT_SHORT:
        return True
    return function.name == "step" and isinstance(statement, ir.Return) and position == 2


def _uses(value: ir.Expr) -> Iterator[int | str]:
    if isinstance(value, ir.Op) and value.operator == "%" and len(value.values) == 2:
        number, period = value.values
        if is_step(number) and isinstance(period, ir.Const) and period.type == "int":
            yield int(period.value)
            return
    if is_step(value):
        yield "whole"
        return
    for part in ir.inner(value):
        yield from _uses(part)


def _is_affine(value: ir.Expr) -> bool:
    """Whether a value is ``a + b * step`` for any ``a`` and ``b`` that do not depend on the step."""
    if not _loads(value) or is_step(value):
        return True
    if isinstance(value, ir.Select):
        return not _loads(value.test) and _is_affine(value.then) and _is_affine(value.otherwise)
    if not isinstance(value, ir.Op):
        return False
    if value.operator in {"+", "-", "neg"}:
        return all(_is_affine(part) for part in value.values)
    if value.operator == "*":
        return sum(_loads(part) for part in value.values) == 1 and all(map(_is_affine, value.values))
    return value.operator == "/" and not _loads(value.values[1]) and _is_affine(value.values[0])


def is_step(value: ir.Expr) -> bool:
    """Whether a value is the count of steps."""
    return isinstance(value, ir.Load) and value.slot.key == keys.STEP


def _loads(value: ir.Expr) -> bool:
    return any(is_step(part) for part in ir.parts(value))
