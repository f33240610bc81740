"""Numbers: constants are exact fractions; what depends on the game is an integer or a float (section 10)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CALCULATE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "div": operator.floordiv,
    "mod": operator.mod,
}


def plain(value: Any) -> Any:
    """Return a constant as the number that the game counts with: an integer where it is whole, else a float."""
    if value.__class__ is not Fraction:
        return value
    return int(value) if value.denominator == 1 else float(value)


def is_exact(value: Any) -> bool:
    """Whether a value is a constant, with which the language counts exactly."""
    return value.__class__ is Fraction


def calculate(sign: str, left: Any, right: Any) -> Any:
    """Return ``left sign right``: of two constants exactly, else as the machine does."""
    if is_exact(left) and is_exact(right):
        return Fraction(CALCULATE[sign](left, right))
    return CALCULATE[sign](plain(left), plain(right))


def compare(sign: str, left: Any, right: Any) -> bool:
    """Return whether a comparison holds."""
    if not (is_exact(left) and is_exact(right)):
        left, right = plain(left), plain(right)
    return bool(COMPARE[sign](left, right))


def simplest(value: Any) -> Any:
    """Return the fraction that a parameter's float was written for: 1/3 for ``1 / 3``."""
    if isinstance(value, float):
        near = Fraction(value).limit_denominator(1_000_000)
        return near if float(near) == value else Fraction(value)
    return Fraction(value)


def power_of_e(a: float) -> float:
    """Return ``exp(a)`` as the page reckons it."""
    a = -700.0 if a < -700 else 700.0 if a > 700 else a
    k = math.floor(a * 1.4426950408889634 + 0.5)
    r = a - k * 0.6931471803691238 - k * 1.9082149292705877e-10
    q = 1 / math.factorial(13)
    for n in range(12, 1, -1):
        q = 1 / math.factorial(n) + r * q
    return (1 + (r + r * r * q)) * 2.0**k


def noise(x: int, y: int, scale: int, seed: int) -> float:
    """Return smooth noise in 0..1: the mean of the heights of the four corners around, by how near they are."""
    prime, parts = 46337, 128

    def cube(value: int) -> int:
        return int(pow(value, 3, prime))

    def height(column: int, row: int) -> int:
        return cube(3 * cube(cube(cube(seed + 7) + column) + row + 1009) + 271)

    def weight(part: int) -> int:
        return int(part * part * (3 * scale - 2 * part) * parts // scale**3)

    def mean(first: int, second: int, share: int) -> int:
        return first * (parts - share) + second * share

    column, row = x // scale, y // scale
    across, down = weight(x % scale), weight(y % scale)
    sides = [mean(height(column, row + below), height(column + 1, row + below), across) for below in (0, 1)]
    return mean(sides[0], sides[1], down) / ((prime - 1) * parts * parts)
