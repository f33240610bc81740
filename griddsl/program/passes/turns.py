"""Turns of those who do the same: one function for all of them, for whose turn it is.

Two players of a board game have a function each, and in each step one of the two is called. They may differ by nothing
but the number of the player. A machine that takes both branches would do all of it twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from griddsl.program import ir
from griddsl.program.passes.effects import EVERYTHING, Known

_RANGE = {"low", "high"}


def take_turns(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, in which such calls are one call."""
    made = dict(functions)
    known = Known(functions)
    for name in functions:
        made[name] = replace(made[name], body=_block(made[name].body, made, known))
    return made


@dataclass(frozen=True)
class _Turn:
    """What is done where a slot holds a number: a function is called."""

    slot: ir.Slot
    numbers: tuple[int, ...]
    tests: tuple[ir.Expr, ...]
    call: ir.Call


def _block(block: ir.Block, functions: dict[str, ir.Function], known: Known) -> ir.Block:
    made: ir.Block = []
    last: _Turn | None = None
    for statement in block:
        if isinstance(statement, ir.Note):
            made.append(statement)
            continue
        turn = _turn(statement)
        joined = _joined(last, turn, functions, known) if last is not None and turn is not None else None
        if joined is not None:
            while isinstance(made[-1], ir.Note):
                made.pop()
            all_of_them = {*range(joined.slot.low, joined.slot.high + 1)} <= {*joined.numbers}
            done = ir.Do(joined.call)
            made[-1] = done if all_of_them else ir.If(ir.either(*joined.tests), [done], [])
        else:
            made.append(statement)
        last = joined or turn
    return made


def _turn(statement: ir.Stmt) -> _Turn | None:
    match statement:
        case ir.If(
            ir.Op("==", (ir.Load(slot), ir.Const(int(number)))) as test, [ir.Do(ir.Call() as call)], []
        ) if slot.length == 1:
            return _Turn(slot, (number,), (test,), call)
    return None


def _joined(first: _Turn, second: _Turn, functions: dict[str, ir.Function], known: Known) -> _Turn | None:
    """Return two turns as one; None where they do different things, or the first passes the turn on."""
    one, other = functions.get(first.call.function), functions.get(second.call.function)
    if one is None or other is None or first.slot != second.slot:
        return None
    if {first.slot.name, EVERYTHING} & known.of(one.name).writes:
        return None
    body, parameters = _hull(one.body, other.body), _hull(one.parameters, other.parameters)
    results = _hull(one.results, other.results)
    if body is None or parameters is None or results is None:
        return None
    turn = ir.load(first.slot)
    before = [*map(ir.const, first.numbers), turn]
    values: list[ir.Expr] = []
    for given, next in zip(first.call.values, second.call.values, strict=True):
        if given == next and given != turn:
            values.append(given)
        elif next == ir.const(second.numbers[0]) and given in before:
            values.append(turn)
        else:
            return None
    functions[one.name] = replace(one, body=body, parameters=parameters, results=results)
    call = replace(first.call, values=tuple(values))
    return _Turn(first.slot, (*first.numbers, *second.numbers), (*first.tests, *second.tests), call)


def _hull(one: Any, other: Any) -> Any:
    """Return what two parts of programs say, with ranges that hold in both; None where they say different things."""
    if isinstance(one, list | tuple):
        if type(one) is not type(other) or len(one) != len(other):
            return None
        parts = [_hull(a, b) for a, b in zip(one, other, strict=True)]
        if any(part is None for part in parts):
            return None
        return one if all(a is b for a, b in zip(one, parts, strict=True)) else type(one)(parts)
    if isinstance(one, ir.Slot | ir.Table) or not is_dataclass(one) or isinstance(one, type):
        return one if one == other else None
    if type(one) is not type(other):
        return None
    found: dict[str, Any] = {}
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name in _RANGE and not is_dataclass(a):
            found[field.name] = min(a, b) if field.name == "low" else max(a, b)
        elif a is None and b is None:
            continue
        else:
            part = _hull(a, b)
            if part is None:
                return None
            found[field.name] = part
    # What differs in its ranges alone is equal, and another all the same.
    changed = {name: value for name, value in found.items() if getattr(one, name) is not value}
    return replace(one, **changed) if changed else one
