"""Whether a program is whole: as many values as a node asks for, constants of their type, functions that are named."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from griddsl.program import ir
from griddsl.program.drawing import LOOPS
from griddsl.program.program import Program

_ALONE = frozenset({"not", "neg", "abs", "sqrt", "exp"})
_SEVERAL = frozenset({"and", "or", "min", "max"})
_PAIRS = frozenset({"+", "-", "*", "/", "//", "%", "|", "&", "<<", ">>", "==", "!=", "<", "<=", ">", ">="})
_BITS = frozenset({"|", "&", "<<", ">>"})
_LOGIC = frozenset({"and", "or", "not"})
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_OF_REALS = frozenset({"/", "sqrt", "exp"})
_LEAST = {"draw_maze": 3, "draw_rooms": 7, "draw_caves": 5}
_DRAWN = {"draw": 1, "odds": 2, "chance": 1, "weighted": 0}
Found = tuple[str, str, str]


def unwhole(program: Program) -> Iterator[Found]:
    """Yield what is missing, or of another type than it says: the function, the kind of fault, and what it is."""
    yield from _state(program)
    for name, function in program.functions.items():
        if name != function.name:
            yield name, "name", f"the function is called {function.name!r}"
        if len({each.name for each in function.parameters}) < len(function.parameters):
            yield name, "name", "two parameters have one name"
        for statement in ir.statements(function.body):
            if isinstance(statement, ir.Generate) and not _can_be_drawn(statement, program):
                yield (
                    name,
                    "arguments",
                    f"`{statement.generator}` cannot draw that into {statement.slot.name}",
                )
            for value in ir.values_of(statement):
                for part in ir.parts(value):
                    yield from ((name, *found) for found in _of_value(part))
    yield from _called(program)
    yield from _circles(program.functions)


def _state(program: Program) -> Iterator[Found]:
    things: list[ir.Slot | ir.Table] = [*program.slots, *program.tables]
    for thing in things:
        what = "slots" if isinstance(thing, ir.Slot) else "tables"
        if not _is_range(thing.type, thing.low, thing.high):
            yield what, "fit", f"{thing.name} has the range {thing.low} to {thing.high}"
    for table in program.tables:
        if not all(_is(value, table.type) for value in _plain(table.values)):
            yield "tables", "type", f"{table.name} has values that are not of type {table.type}"
    for slot in program.slots:
        if slot.length < 1:
            yield "slots", "fit", f"{slot.name} has {slot.length} values"
        for value in {0} if slot.initial is None else dict.fromkeys(slot.initial):
            if slot.type == "real" or (value == -1 and slot.unset):
                continue
            if not _is(value, slot.type) or not slot.low <= value <= slot.high:
                yield "slots", "fit", f"{slot.name} starts as {value}, not {slot.low} to {slot.high}"
                break


def _plain(values: Any) -> Any:
    return values.tolist() if hasattr(values, "tolist") else values


def _of_value(value: ir.Expr) -> Iterator[tuple[str, str]]:
    match value:
        case ir.Const(constant, of_type):
            if not _is(constant, of_type):
                yield "type", f"the constant {constant!r} is no {of_type}"
            elif of_type == "int" and not _is_range(of_type, int(constant), int(constant)):
                yield "range", f"no backend holds {constant}"
        case ir.Op(operator, values):
            known = operator in _ALONE or operator in _PAIRS or operator in _SEVERAL
            least = 1 if operator in _ALONE else 2
            if not known or len(values) < least or (len(values) > least and operator not in _SEVERAL):
                yield "arguments", f"there is no `{operator}` of {len(values)} values"
            elif not _is_of(operator, [each.type for each in values], value.type):
                yield "type", f"there is no `{operator}` of these types that is a {value.type}"
        case ir.Draw(how, values, totals=totals):
            if len(values) != _DRAWN[how] or (totals is None) == (how == "weighted"):
                yield "arguments", f"`{how}` gets {len(values)} values"
            elif totals is not None and not _are_sums(_plain(totals.values)):
                yield "arguments", f"the values of {totals.name} are no running sums"
    if not value.low <= value.high:
        yield "range", f"{value.low} to {value.high} is no range"


def _is_of(operator: str, types: Sequence[ir.Type], type: ir.Type) -> bool:
    """Whether an operator on values of these types is one of the type that it says."""
    if operator in _BITS:
        return "real" not in types and type == "int"
    if operator in _LOGIC:
        return type == "bool" and set(types) == {"bool"}
    if operator in _COMPARING:
        return type == "bool"
    if operator in _OF_REALS:
        return type == "real"
    return type == "real" or (type == "int" and "real" not in types)


def _can_be_drawn(statement: ir.Generate, program: Program) -> bool:
    """Whether a map of these sizes fills the slot, and its tiles fit; one of our own is as large as that draws."""
    slot, values = statement.slot, statement.values
    if len(values) != 4 or statement.generator not in (LOOPS.keys() | program.plug_ins.keys()):
        return False
    sizes = [int(each.value) for each in values[:2] if isinstance(each, ir.Const)]
    if statement.generator in _LEAST and (
        len(sizes) != 2
        or min(sizes) < _LEAST[statement.generator]
        or (statement.generator == "draw_rooms" and any(size % 6 != 1 for size in sizes))
    ):
        return False
    is_full = all(each.low >= 1 for each in values[:2]) and values[0].high * values[1].high <= slot.length
    return is_full and all(slot.low <= each.low and each.high <= slot.high for each in values[2:])


def _is_range(of_type: str, low: float, high: float) -> bool:
    """Whether there are numbers from one to the other; whole ones have an end that every backend can hold."""
    return low <= high and (of_type == "real" or -ir.UNBOUNDED <= low <= high <= ir.UNBOUNDED)


def _are_sums(values: Any) -> bool:
    return len(values) > 0 and values[0] >= 0 and values[-1] > 0 and all(a <= b for a, b in pairwise(values))


def _is(value: Any, of_type: str) -> bool:
    """Whether a constant is one of its type; a real may be whole."""
    if of_type == "real":
        return isinstance(value, int | float | Fraction) and not math.isnan(value)
    whole = isinstance(value, int) and (of_type == "int" or value in {0, 1})
    return whole and (of_type == "bool" or not isinstance(value, bool))


def _called(program: Program) -> Iterator[Found]:
    """Yield functions that are called from outside and are not there, or take or give something else."""
    functions = program.functions
    if not {"reset", "step"} <= functions.keys():
        yield "functions", "name", "there is no `reset` or no `step`"
        return
    groups = program.players[0].groups if len(program.players) == 1 else ()
    yield from _given(functions["reset"], [(-2 if program.keeps_draw else -1, len(program.levels) - 1)])
    yield from _given(functions["step"], [(0, len(group.actions) - 1) for group in groups])
    types = [result.type for result in functions["step"].results]
    if types != (["real", "bool", "bool"] if len(program.players) == 1 else []):
        yield "step", "return", f"it gives {types}"
    for player in program.players:
        leaves = {leaf.function: leaf.form == "value" for leaf in player.observation.leaves}
        told = {entry.function: True for entry in player.info}
        for name, is_value in {**leaves, **told, player.mask: False}.items():
            function = functions.get(name)
            if name and function is None:
                yield player.name, "name", f"there is no function {name!r}"
            elif function is not None:
                yield from _given(function, [(each, each) for each in player.arguments])
                if len(function.results) != int(is_value):
                    yield name, "return", f"it gives {len(function.results)} values"


def _given(function: ir.Function, ranges: list[tuple[int, int]]) -> Iterator[Found]:
    """Yield where a function is given more or less than it has parameters, or what they do not take."""
    takes = [(each.low, each.high) for each in function.parameters]
    fit = [low <= given[0] and given[1] <= high for (low, high), given in zip(takes, ranges, strict=False)]
    if len(takes) != len(ranges) or not all(fit):
        yield function.name, "arguments", f"it is given numbers in {ranges}, and takes {takes}"


def _circles(functions: Mapping[str, ir.Function]) -> Iterator[Found]:
    """Yield functions that call themselves, each of them or through others."""
    calls = {
        name: {
            part.function
            for statement in ir.statements(function.body)
            for value in ir.values_of(statement)
            for part in ir.parts(value)
            if isinstance(part, ir.Call)
        }
        for name, function in functions.items()
    }
    left = {name: called & functions.keys() for name, called in calls.items()}
    while done := [name for name, called in left.items() if not called]:
        left = {name: called - {*done} for name, called in left.items() if called}
    for name in left:
        yield name, "circle", f"it calls itself, or one that does: {', '.join(sorted(left[name]))}"
