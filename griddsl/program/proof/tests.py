"""Tests: what conditions say of pure values, and whether one can hold beside what others have said."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from griddsl.program import ir, keys
from griddsl.program.proof.held import Held
from griddsl.program.proof.known import Place, Places
from griddsl.program.proof.written import EVERY_SLOT, written

INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_UNKNOWN: Mapping[str, frozenset[int]] = {
    "": frozenset()
}  # what functions that are called may write to: any slot
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(slots=True)
class Asking(Places):
    """The places of a function that is being written; ``changes`` counts where what searches find may have changed.

    ``measured`` are values that are distances, each with the two cells between which it is.
    """

    changes: int = 0
    measured: dict[Place, tuple[ir.Expr, ir.Expr]] = field(default_factory=dict)

    def let_stand_for(self, name: str, what: str) -> None:
        """Let a local be what a search finds: the same one as long as no slot is written to."""
        key = ("found", self.changes, what)
        self.alike["local", name] = self._alike(key, None, frozenset({EVERY_SLOT}), frozenset())

    def let_measure(self, value: ir.Expr, first: ir.Expr, second: ir.Expr) -> None:
        """Note that a value is a distance of two cells: at least as many as the columns, or rows, between them."""
        place = self.of(value)
        if place is not None and not isinstance(value, ir.Const):
            self.measured[place] = (first, second)


@dataclass(frozen=True, slots=True)
class Said:
    """That a value compares so with a number, which a condition says where it ``holds``, or where it fails."""

    place: Place
    operator: str
    number: float
    by: Any
    holds: bool


def said(test: ir.Expr, holds: bool, by: Any, places: Places) -> Iterator[Said]:
    """Yield what a test says of values that stay what they are until something is set."""
    match test:
        case ir.Op("not", (inner,)):
            for each in said(inner, not holds, by, places):
                yield Said(each.place, each.operator, each.number, by, holds)
        case ir.Op("and" | "or" as joint, values):
            if holds == (joint == "and"):
                for value in values:
                    yield from said(value, holds, by, places)
        case ir.Op() | ir.Load() | ir.Local() | ir.Claim():
            compared, operator, number = _compared(test)
            place = None if compared is None or not _stays(compared) else places.of(compared)
            if place is not None:
                yield Said(place, operator if holds else INVERSE[operator], number, by, holds)


def left_after(known: tuple[Said, ...], block: ir.Block) -> tuple[Said, ...]:
    """Return what still holds after statements: nothing of what they set, and of no slot where they call."""
    if not known:
        return known
    slots = written(block, _UNKNOWN)
    names = {name for statement in ir.statements(block) for name in ir.sets(statement)}
    if slots:  # what searches find may be another thing
        slots = slots.union({EVERY_SLOT}, *(each.place.slots for each in known if EVERY_SLOT in slots))
    return tuple(
        each for each in known if names.isdisjoint(each.place.locals) and slots.isdisjoint(each.place.slots)
    )


@dataclass(slots=True)
class Deciding:
    """Whether tests can come out so: beside what is ``known``, and by all that slots ever hold.

    ``bounded`` says that the ranges of values count, ``held`` is None where what slots hold does not. ``by`` and
    ``slots`` become what spoke against it.
    """

    places: Places
    known: Sequence[Said]
    held: Held | None
    bounded: bool
    by: list[Said] = field(default_factory=list)
    slots: list[ir.Slot] = field(default_factory=list)

    def can_be(self, test: ir.Expr, wanted: bool) -> bool:
        """Return whether a test may be true, or false; true where that is not known."""
        match test:
            case ir.Const(truth):
                return bool(truth) == wanted
            case ir.Op("not", (inner,)):
                return self.can_be(inner, not wanted)
            case ir.Op("and" | "or" as joint, values):
                one_suffices = wanted == (joint == "or")
                return (any if one_suffices else all)(self.can_be(value, wanted) for value in values)
            case ir.Select(_, then, otherwise):
                return self.can_be(then, wanted) or self.can_be(otherwise, wanted)
        value, operator, number = _compared(test)
        place = None if value is None else self.places.of(value)
        if value is None or place is None:
            return True
        asked = (operator if wanted else INVERSE[operator], number)
        return self._is_possible(value, asked, [each for each in self.known if each.place is place])

    def _is_possible(self, value: ir.Expr, asked: tuple[str, float], known: list[Said]) -> bool:
        is_whole = value.type != "real"
        ends: list[tuple[str, float]] = []
        if self.bounded:
            ends = [
                (operator, end)
                for operator, end in ((">=", value.low), ("<=", value.high))
                if abs(end) < ir.UNBOUNDED
            ]
        facts = [(each.operator, each.number) for each in known]
        if known and not _possible([asked, *ends, *facts], is_whole):
            alone = (
                each
                for each in known
                if not _possible([asked, *ends, (each.operator, each.number)], is_whole)
            )
            single = next(alone, None)
            self.by += known if single is None else [single]
            return False
        among = None if self.held is None else self.held.values_of(value)
        if among is None or any(_all_hold([asked, *facts], each) for each in among):
            return True
        self.by += [] if not any(_all_hold([asked], each) for each in among) else known
        self.slots += [part.slot for part in ir.parts(value) if isinstance(part, ir.Load)]
        return False


def _compared(test: ir.Expr) -> tuple[ir.Expr | None, str, float]:
    """Return what a test compares with a number, how, and with which; a bare condition is compared with 1."""
    if isinstance(test, ir.Op):
        if test.operator not in ir.COMPARED:
            return None, "", 0
        left, right = test.values
        if isinstance(right, ir.Const) and not isinstance(left, ir.Const):
            return left, test.operator, _number(right)
        if isinstance(left, ir.Const):
            return right, TURNED[test.operator], _number(left)
        return None, "", 0
    return (test, "==", 1) if test.type == "bool" else (None, "", 0)


def _number(value: ir.Const) -> float:
    return int(value.value) if value.type != "real" else float(value.value)


def _stays(value: ir.Expr) -> bool:
    """Whether a value reads nothing that a later condition may use for something else."""
    return all(
        part.slot.saved or part.slot.key == keys.ACTION
        for part in ir.parts(value)
        if isinstance(part, ir.Load)
    )


def _possible(asked: Sequence[tuple[str, float]], is_whole: bool) -> bool:
    """Return whether some number compares so with all of these: what holds of any holds of one that is tried."""
    numbers = sorted({number for _, number in asked})
    tried = [numbers[0] - 1, *numbers, numbers[-1] + 1]
    if is_whole:
        tried = [math.floor(number) + more for number in numbers for more in (-1, 0, 1, 2)]
    else:
        tried += [(one + next_) / 2 for one, next_ in pairwise(numbers)]
    return any(_all_hold(asked, each) for each in tried)


def _all_hold(asked: Sequence[tuple[str, float]], number: float) -> bool:
    return all(ir.COMPARED[operator](number, other) for operator, other in asked)
