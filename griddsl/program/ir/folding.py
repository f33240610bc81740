"""What makes expressions: it folds what is constant and decides what ranges decide."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from griddsl.program.ir.expressions import (
    COMPARED,
    FALSE,
    TRUE,
    Ask,
    Call,
    Claim,
    Const,
    Draw,
    Expr,
    Load,
    Local,
    Lookup,
    Op,
    Select,
    parts,
)
from griddsl.program.ir.slots import UNBOUNDED, Constant, Slot, Table, Type
from griddsl.program.ir.statements import Block, If


def const(value: Constant) -> Const:
    """Return a constant of the type of its value; a whole fraction is an integer."""
    if isinstance(value, bool):
        return Const(value, "bool")
    if isinstance(value, int):
        return Const(value, "int")
    if isinstance(value, Fraction) and value.denominator == 1:
        return Const(int(value), "int")
    return Const(value, "real")


def load(slot: Slot, index: Expr | int = 0) -> Load:
    """Return ``slot[index]``."""
    place = const(index) if isinstance(index, int) else index
    return Load(slot, place, slot.type, slot.low, slot.high)


def lookup(source: Table, index: Expr | int) -> Expr:
    """Return ``table[index]``, folded where both are known and where all values are one."""
    place = const(index) if isinstance(index, int) else index
    if isinstance(place, Const):
        return _typed(source.values[int(place.value)], source.type)
    if source.low == source.high and source.type != "real":
        return _typed(source.low, source.type)
    return Lookup(source, place, source.type, source.low, source.high)


def _typed(value: float, type: Type) -> Const:
    if type == "bool":
        return Const(bool(value), "bool")
    return Const(int(value), "int") if type == "int" else Const(value, "real")


def add(left: Expr, right: Expr) -> Expr:
    """Return ``left + right``."""
    if _is_nothing_to(left, 0, right):
        return right
    if _is_nothing_to(right, 0, left):
        return left
    if isinstance(right, Const) and right.value < 0 and not isinstance(left, Const):
        return sub(left, neg(right))
    return _arithmetic("+", left, right, left.low + right.low, left.high + right.high)


def sub(left: Expr, right: Expr) -> Expr:
    """Return ``left - right``."""
    if _is_nothing_to(right, 0, left):
        return left
    return _arithmetic("-", left, right, left.low - right.high, left.high - right.low)


def mul(left: Expr, right: Expr) -> Expr:
    """Return ``left * right``."""
    if _is_nothing_to(left, 1, right):
        return right
    if _is_nothing_to(right, 1, left):
        return left
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _arithmetic("*", left, right, min(corners), max(corners))


def quotient(left: Expr, right: Expr) -> Expr:
    """Return the real quotient of two values; the right one is never zero."""
    corners = [a / b for a in (left.low, left.high) for b in (right.low, right.high) if b]
    if isinstance(left, Const) and isinstance(right, Const):
        one, other = _counted(left, right)
        return const(one / other)
    return Op("/", (left, right), "real", min(corners, default=-math.inf), max(corners, default=math.inf))


def div(left: Expr, right: Expr) -> Expr:
    """Return the whole quotient, rounded down."""
    corners = [a // b for a in (left.low, left.high) for b in (right.low, right.high) if b]
    return _arithmetic("//", left, right, min(corners, default=-UNBOUNDED), max(corners, default=UNBOUNDED))


def mod(left: Expr, right: Expr) -> Expr:
    """Return the remainder of whole division; it has the sign of the right value."""
    low, high = (0, right.high - 1) if right.low > 0 else (min(0, right.low + 1), max(0, right.high - 1))
    if left.low >= 0 and right.low > 0:
        high = min(high, left.high)
        if left.high < right.low:
            return left
    return _arithmetic("%", left, right, low, high)


def neg(value: Expr) -> Expr:
    """Return ``-value``."""
    if isinstance(value, Const):
        return const(-_counted(value)[0])
    return Op("neg", (value,), value.type, -value.high, -value.low)


def least(values: Sequence[Expr]) -> Expr:
    """Return the smallest of the values."""
    if all(isinstance(value, Const) for value in values):
        return const(min(_counted(*values)))
    type: Type = "real" if any(value.type == "real" for value in values) else "int"
    return Op("min", tuple(values), type, min(v.low for v in values), min(v.high for v in values))


def greatest(values: Sequence[Expr]) -> Expr:
    """Return the largest of the values."""
    if all(isinstance(value, Const) for value in values):
        return const(max(_counted(*values)))
    type: Type = "real" if any(value.type == "real" for value in values) else "int"
    return Op("max", tuple(values), type, max(v.low for v in values), max(v.high for v in values))


def absolute(value: Expr) -> Expr:
    """Return the absolute value."""
    if isinstance(value, Const):
        return neg(value) if value.value < 0 else value
    low = 0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))
    return Op("abs", (value,), value.type, low, max(abs(value.low), abs(value.high)))


def clamp(value: Expr, low: int, high: int) -> Expr:
    """Return the value, or the end of the range that it lies beyond."""
    if value.low < low:
        value = greatest((value, const(low)))
    if value.high > high:
        value = least((value, const(high)))
    return value


def within(value: Expr, low: float, high: float) -> Expr:
    """Return a value that a test has found to lie in low..high: a local with that range, a constant as it is."""
    return Local(value.name, value.type, low, high) if isinstance(value, Local) else value


def claim(value: Expr, low: float, high: float, because: str) -> Expr:
    """Return a value that lies in low..high for a reason that no ranges tell; checked programs ask whether it does."""
    if isinstance(value, Const) or (low <= value.low and value.high <= high):
        return value
    return Claim(value, value.type, max(low, value.low), min(high, value.high), because)


def bare(value: Expr) -> Expr:
    """Return a value without what is claimed of it."""
    return value.value if isinstance(value, Claim) else value


def bits(operator: str, left: Expr, right: Expr, high: int) -> Expr:
    """Return ``left | right``, ``left & right``, ``left << right`` or ``left >> right`` of bits, up to ``high``."""
    return Op(operator, (left, right), "int", 0, high)


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """Return a comparison, decided where the ranges decide it."""
    if isinstance(left, Const) and isinstance(right, Const):
        return const(bool(COMPARED[operator](*_counted(left, right))))
    if operator in {"==", "!="}:
        if left.high < right.low or right.high < left.low:
            return const(operator == "!=")
        if left is right or (left == right and not _draws(left)):
            return const(operator == "==")
        if isinstance(left, Select) and {type(each) for each in (left.then, left.otherwise, right)} == {
            Const
        }:
            return _of_ways(operator, left, right)
    elif _decided(operator, left, right) is not None:
        return const(bool(_decided(operator, left, right)))
    return Op(operator, (left, right), "bool", 0, 1)


def _of_ways(operator: str, left: Select, right: Expr) -> Expr:
    """Return what a choice of two numbers says, beside a third: which way is taken."""
    then, otherwise = (compare(operator, way, right) for way in (left.then, left.otherwise))
    if then == otherwise:
        return then
    return left.test if then == TRUE else invert(left.test)


def eq(left: Expr, right: Expr | int) -> Expr:
    """Return ``left == right``."""
    return compare("==", left, const(right) if isinstance(right, int) else right)


def ne(left: Expr, right: Expr | int) -> Expr:
    """Return ``left != right``."""
    return compare("!=", left, const(right) if isinstance(right, int) else right)


def ge(left: Expr, right: Expr | int) -> Expr:
    """Return ``left >= right``."""
    return compare(">=", left, const(right) if isinstance(right, int) else right)


def lt(left: Expr, right: Expr | int) -> Expr:
    """Return ``left < right``."""
    return compare("<", left, const(right) if isinstance(right, int) else right)


def both(*values: Expr) -> Expr:
    """Return whether all conditions hold; the empty conjunction holds."""
    return _joined("and", values, nothing=TRUE, decided=FALSE)


def either(*values: Expr) -> Expr:
    """Return whether one condition holds; the empty disjunction does not."""
    return _joined("or", values, nothing=FALSE, decided=TRUE)


def _joined(operator: str, values: Iterable[Expr], nothing: Expr, decided: Expr) -> Expr:
    left: list[Expr] = []
    for value in values:
        if value == decided:
            return decided
        if isinstance(value, Op) and value.operator == operator:
            left.extend(value.values)
        elif value != nothing:
            left.append(value)
    if not left:
        return nothing
    return left[0] if len(left) == 1 else Op(operator, tuple(left), "bool", 0, 1)


def invert(value: Expr) -> Expr:
    """Return whether the condition does not hold."""
    if isinstance(value, Const):
        return const(not value.value)
    if isinstance(value, Op) and value.operator == "not":
        return value.values[0]
    if isinstance(value, Op) and value.operator in _INVERSE:
        return Op(_INVERSE[value.operator], value.values, "bool", 0, 1)
    return Op("not", (value,), "bool", 0, 1)


def select(test: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Return one of two values by a condition."""
    if isinstance(test, Const):
        return then if test.value else otherwise
    if then == otherwise:
        return then
    type: Type = then.type if then.type == otherwise.type else "real"
    return Select(test, then, otherwise, type, min(then.low, otherwise.low), max(then.high, otherwise.high))


def call(
    function: str,
    *values: Expr,
    type: Type = "int",
    low: float = -UNBOUNDED,
    high: float = UNBOUNDED,
) -> Call:
    """Return a call of a function of the program."""
    return Call(function, values, type, low, high)


def drawn(count: Expr, high: float) -> Draw:
    """Return a whole number below ``count`` from the random stream; it is ``high`` at the most."""
    return Draw("draw", (count,), "int", 0, high)


def real(value: Expr) -> Expr:
    """Return the value as a real one."""
    return Const(Fraction(value.value), "real") if isinstance(value, Const) and value.type == "int" else value


def as_float(value: Expr) -> Expr:
    """Return the value as one that is a float when it runs, not only when it is typed."""
    if isinstance(value, Const):
        return real(value)
    return (
        value
        if isinstance(value, Load) and value.type == "real"
        else Op("+", (value, Const(0.0, "real")), "real", value.low, value.high)
    )


def as_number(value: Expr) -> Expr:
    """Return 1 or 0 for a condition, and a number as it is."""
    return select(value, const(1), const(0)) if value.type == "bool" else value


def rounded(value: Expr) -> Expr:
    """Return a number, where it is known, as the float that a game counts with."""
    return Const(float(value.value), "real") if isinstance(value, Const) else value


def _counted(*values: Expr) -> list[Fraction] | list[float]:
    """Return constants as they are counted with: exactly, or as floats where one of them is a float."""
    known = [value.value for value in values if isinstance(value, Const)]
    if any(isinstance(value, float) for value in known):
        return [float(value) for value in known]
    return [Fraction(value) for value in known]


def _is_nothing_to(value: Expr, number: int, other: Expr) -> bool:
    """Whether a value is the 0 of a sum or the 1 of a product, that leaves the other as it is: its type as well."""
    if not isinstance(value, Const) or value.type == "bool" or value.value != number:
        return False
    return value.type != "real" or other.type == "real" or not isinstance(value.value, float)


def _arithmetic(operator: str, left: Expr, right: Expr, low: float, high: float) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        return const(_ARITHMETIC[operator](*_counted(left, right)))
    type: Type = "real" if "real" in (left.type, right.type) else "int"
    return Op(operator, (left, right), type, low, high)


def _decided(operator: str, left: Expr, right: Expr) -> bool | None:
    low, high = left.low - right.high, left.high - right.low
    if operator == "<":
        return True if high < 0 else False if low >= 0 else None
    if operator == "<=":
        return True if high <= 0 else False if low > 0 else None
    if operator == ">":
        return True if low > 0 else False if high <= 0 else None
    return True if low >= 0 else False if high < 0 else None


def _draws(value: Expr) -> bool:
    return any(isinstance(part, Call | Draw | Ask) for part in parts(value))


def when(test: Expr, then: Block, otherwise: Block | None = None) -> Block:
    """Return the statements of a conditional, without the branches that are never taken."""
    otherwise = otherwise or []
    if isinstance(test, Const):
        return then if test.value else otherwise
    if not then and not otherwise:
        return []
    if not then:
        return [If(invert(test), otherwise, [])]
    return [If(test, then, otherwise)]


_ARITHMETIC: dict[str, Callable[[Fraction | float, Fraction | float], Fraction | float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
_INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
