"""Turns of those who do the same: one function for all of them, for whose turn it is.

Two players of a board game have a function each, and in each step one of the two is called. They may differ by nothing
but the number of the player. A machine that takes both branches would do all of it twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from griddsl.program import ir
from griddsl.program.passes.alike import Alike
from griddsl.program.passes.effects import EVERYTHING, Known


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
    alike = Alike([one.body, other.body])
    body = alike.merged((one.body, other.body))
    parameters = alike.merged((one.parameters, other.parameters))
    results = alike.merged((one.results, other.results))
    if body is None or parameters is None or results is None or not alike.is_same:
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
