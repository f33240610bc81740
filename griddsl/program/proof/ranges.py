"""Ranges of numbers: how they join and meet, and what operators and tables make of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np

from griddsl.program import ir

Range: TypeAlias = tuple[float, float]
EVERYTHING: Range = (-math.inf, math.inf)


def hull(first: Range, second: Range) -> Range:
    """Return the smallest range that holds two."""
    return (
        first[0] if first[0] <= second[0] else second[0],
        first[1] if first[1] >= second[1] else second[1],
    )


def met(first: Range, second: Range) -> Range | None:
    """Return what two ranges have in common; None for nothing."""
    low = first[0] if first[0] >= second[0] else second[0]
    high = first[1] if first[1] <= second[1] else second[1]
    return (low, high) if low <= high else None


def widened(entry: Range, found: Range, bounds: Range) -> Range:
    """Return a range that goes to its bounds where it has grown, and is without end where it is beyond them."""
    low, high = found
    if low < entry[0]:
        low = bounds[0] if bounds[0] <= low else -math.inf
    if high > entry[1]:
        high = bounds[1] if bounds[1] >= high else math.inf
    return low, high


def lies_in(found: Range, wanted: Range) -> bool:
    """Whether a range lies in another one; what is as large as a number can be has no end."""
    return (wanted[0] <= found[0] or wanted[0] <= -ir.UNBOUNDED) and (
        found[1] <= wanted[1] or wanted[1] >= ir.UNBOUNDED
    )


def of_entries(table: ir.Table, places: Range) -> Range:
    """Return the range of the entries of a table at some places, as far as they are there; -1 is the last one."""
    size = len(table.values)
    first, last = max(0, int(max(places[0], 0))), int(min(places[1], size - 1))
    if table.type == "real" or first > last or not size:
        return table.low, table.high
    if first == 0 and last == size - 1:
        return table.low, table.high
    values = np.asarray(table.values[first : last + 1])
    found = int(values.min()), int(values.max())
    return hull(found, (int(table.values[-1]),) * 2) if places[0] < 0 else found


def places_of(table: ir.Table, places: Range, entries: Range) -> Range | None:
    """Return where, among some places of a table, its entries lie in a range; None where they nowhere do."""
    first, last = places
    if table.type != "int" or not 0 <= first <= last < len(table.values):
        return places
    values = np.asarray(table.values[int(first) : int(last) + 1])
    found = np.flatnonzero((values >= entries[0]) & (values <= entries[1]))
    return (int(first) + int(found[0]), int(first) + int(found[-1])) if found.size else None


def of_operator(value: ir.Op, ranges: Sequence[Range]) -> Range | None:
    """Return the range of an operation, from those of what it works on; None where it may divide by zero."""
    first, second = ranges[0], ranges[-1]
    match value.operator:
        case "+":
            return first[0] + second[0], first[1] + second[1]
        case "-":
            return first[0] - second[1], first[1] - second[0]
        case "*":
            return _corners(first, second, lambda a, b: 0 if a == 0 or b == 0 else a * b)
        case "neg":
            return -first[1], -first[0]
        case "abs":
            low = 0 if first[0] <= 0 <= first[1] else min(map(abs, first))
            return low, max(map(abs, first))
        case "min":
            return min(r[0] for r in ranges), min(r[1] for r in ranges)
        case "max":
            return max(r[0] for r in ranges), max(r[1] for r in ranges)
        case "//" | "%" | "/":
            return _divided(value, first, second)
        case "|" | "&" | "<<" | ">>":
            return _of_bits(value.operator, ranges) or (value.low, value.high)
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "not":
            return 0, 1
    return value.low, value.high


def _divided(value: ir.Op, first: Range, second: Range) -> Range | None:
    if second[0] <= 0 <= second[1]:
        return (value.low, value.high) if value.operator == "%" and value.type == "real" else None
    if value.operator == "/":
        return _corners(first, second, _quotient)
    if value.operator == "//":
        return _corners(first, second, _whole_quotient)
    if first[0] >= 0 and second[0] > 0:
        if first[1] < second[0]:
            return first
        return 0, min(first[1], second[1] - (value.type != "real"))
    return (
        (0, second[1] - (value.type != "real")) if second[0] > 0 else (second[0] + (value.type != "real"), 0)
    )


def _quotient(first: float, second: float) -> float:
    if math.isinf(second):
        return 0 if math.isfinite(first) else first * (1 if second > 0 else -1)
    return first / second


def _whole_quotient(first: float, second: float) -> float:
    return first // second if math.isfinite(first) else first * (1 if second > 0 else -1)


def _of_bits(operator: str, ranges: Sequence[Range]) -> Range | None:
    first, second = ranges[0], ranges[-1]
    if operator == "&":
        most = [high for low, high in ranges if low >= 0]
        return (0, min(most)) if most else None
    if first[0] < 0 or second[0] < 0 or math.isinf(first[1]):
        return None
    if operator == "|":
        return None if math.isinf(second[1]) else (0, 2 ** int(max(first[1], second[1])).bit_length() - 1)
    if operator == ">>":
        return 0, int(first[1]) >> int(min(second[0], 200))
    if second[1] < 128:
        return int(first[0]) << int(second[0]), int(first[1]) << int(second[1])
    return None


def _corners(first: Range, second: Range, of: Callable[[float, float], float]) -> Range:
    found = [of(a, b) for a in first for b in second]
    return min(found), max(found)


def of_difference(first: ir.Expr, second: ir.Expr, of: Callable[[ir.Expr], Range]) -> Range:
    """Return the range of a difference, without what both values have in common."""
    more, less = list(_terms(first)), list(_terms(second))
    for term in list(less):
        if term in more:
            more.remove(term)
            less.remove(term)
    low: float = 0
    high: float = 0
    for term in more:
        found = of(term)
        low, high = low + found[0], high + found[1]
    for term in less:
        found = of(term)
        low, high = low - found[1], high - found[0]
    return low, high


def _terms(value: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(value, ir.Op) and value.operator == "+":
        for part in value.values:
            yield from _terms(part)
    else:
        yield value


def rest_of_sum(whole: Range, part: Range) -> Range:
    """Return the range of what is left of a sum without one of its parts."""
    low = whole[0] - part[1] if math.isfinite(whole[0]) and math.isfinite(part[1]) else -math.inf
    high = whole[1] - part[0] if math.isfinite(whole[1]) and math.isfinite(part[0]) else math.inf
    return low, high


def rounded_down(found: Range, number: int) -> Range:
    """Return the range of the multiples of a number at or below what lies in a range."""
    low, high = (end - end % number if math.isfinite(end) else end for end in found)
    return low, high


def hull_of(ranges: list[Range]) -> Range | None:
    """Return the smallest range that holds all; None for none."""
    return reduce(hull, ranges) if ranges else None


def after_rounds(entry: Range, added: Range, times: float) -> Range:
    """Return what a local may hold before the last of some rounds, each of which adds to it at most something."""
    rounds = max(0, times)
    return entry[0] + scaled(min(0, added[0]), rounds), entry[1] + scaled(max(0, added[1]), rounds)


def scaled(value: float, times: float) -> float:
    """Return a product in which nothing, however often, is nothing."""
    return value * times if value else 0
