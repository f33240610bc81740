"""Conditions that say the same of several kinds in a row, asked of all of them at once.

`no object where C` means no key, no ball and no box for which it holds. Each is a loop over all things that asks of
which kind a thing is; where they differ by nothing else, one loop asks for any of these kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeAlias, TypeVar, cast

from griddsl.program import ir
from griddsl.program.passes.alike import Alike, Number

_Part = TypeVar("_Part")
Part: TypeAlias = tuple[ir.Block, ir.Expr]  # the statements of a condition, and whether it holds after them


def of_kinds_at_once(parts: Sequence[Part], operator: str, kinds: ir.Slot | None) -> Iterator[Part]:
    """Yield conditions that an operator joins, of which those in a row are one that differ by the kind alone.

    ``kinds`` is the slot that says of which kind a thing is.
    """
    left = list(parts)
    while left:
        count = 1
        while count < len(left) and _result(left[count], operator) is not None:
            count += 1
        joined = None
        if count > 2 and _joined(left[:2], kinds) is None:
            count = 1  # then no more of them are alike either, and two are compared sooner
        while joined is None and count > 1 and _result(left[0], operator) is not None:
            joined = _joined(left[:count], kinds)
            count -= joined is None
        if joined is None:
            yield left.pop(0)
        else:
            yield joined
            del left[:count]


def _result(part: Part, operator: str) -> ir.Local | None:
    """Return whether a thing was found, where a condition asks that alone: `or` joins it, `and` its contrary."""
    block, test = part
    match [each for each in block if not isinstance(each, ir.Note)]:
        case [*before, ir.Reduce("any", result)] if all(isinstance(each, ir.Let) for each in before):
            return result if test == (result if operator == "or" else ir.invert(result)) else None
    return None


def _joined(parts: Sequence[Part], kinds: ir.Slot | None) -> Part | None:
    """Return conditions as one; None where they differ by more than the kind, or do what may be told apart."""
    if kinds is None:
        return None
    alike = Alike([block for block, _ in parts])
    merged = alike.merged(tuple(parts))
    if merged is None or alike.slots or len(alike.numbers) != 1 or len({*alike.numbers[0]}) < len(parts):
        return None
    if any(isinstance(each, _ACTING) for each in _within(parts[0][0])):
        return None  # and so do the others, which are alike
    block, test = _Kinds(kinds, alike.numbers[0]).asked(merged)
    return None if any(isinstance(each, Number) for each in _within((block, test))) else (block, test)


_ACTING = (ir.Draw, ir.Ask, ir.Bind, ir.Store, ir.Fail)


def _within(part: object) -> Iterator[object]:
    """Yield the statements and expressions in a part of a program, and what stands in their place."""
    if isinstance(part, list | tuple):
        for each in part:
            yield from _within(each)
    elif is_dataclass(part) and not isinstance(part, ir.Slot | ir.Table | type):
        yield part
        for each in fields(part):
            yield from _within(getattr(part, each.name))


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Asks for any of several kinds where each of several conditions asked for its own."""

    slot: ir.Slot
    codes: Sequence[int]

    def asked(self, part: _Part) -> _Part:
        """Return a condition, or a part of one, that asks for all kinds."""
        return cast(_Part, self._of(part))  # a comparison becomes another test, and all else what it is

    def _of(self, part: object) -> object:
        match part:
            case list() | tuple():
                return type(part)(map(self._of, part))
            case ir.Op("==", (ir.Load(slot) as kind, Number())) if slot is self.slot:
                return ir.either(*(ir.eq(self.asked(kind), code) for code in self.codes))
            case ir.Slot() | ir.Table():
                return part
        if not is_dataclass(part) or isinstance(part, type | Number):
            return part
        return replace(part, **{each.name: self._of(getattr(part, each.name)) for each in fields(part)})
