"""The exponential: e to the power of a number, the same to the last bit wherever a program runs.

Mathematical libraries differ in the last bit of it, and so would games that compare it, or pay it. This one is made of
sums, products and a power of two, all of which IEEE 754 rounds in one way. It is within one unit of the last place.
"""

from __future__ import annotations

import math

MOST = 700.0  # what is asked of more counts as this, and of less than its negative as that
BITS_IN_ONE = 1.4426950408889634  # 1 / ln 2
HIGH = 0.6931471803691238  # ln 2 in 32 bits, so that its product with a small whole number is exact ...
LOW = 1.9082149292705877e-10  # ... and what is left of it
SERIES = tuple(1.0 / math.factorial(n) for n in range(13, 1, -1))  # 1 / 13! ... 1 / 2!


def exponential(value: float) -> float:
    """Return e to the power of a number, which counts as one from -700 to 700; of what is no number it is none."""
    if value != value:
        return value
    value = min(max(value, -MOST), MOST)
    power = math.floor(value * BITS_IN_ONE + 0.5)
    rest = value - power * HIGH - power * LOW
    curve = 0.0
    for term in SERIES:
        curve = curve * rest + term
    number = 1.0 + (rest + rest * rest * curve)
    factor = 2.0 if power > 0 else 0.5  # `math.ldexp` would be a call of numba's own library in machine code
    power = abs(power)
    while power > 0:
        if power % 2 == 1:
            number *= factor
        factor *= factor
        power //= 2
    return number


def between(low: float, high: float) -> tuple[float, float]:
    """Return bounds of the exponential of what lies in a range: a little wider, for it may rise unevenly but at 0."""
    slack = 2.0**-50
    least, most = exponential(low), exponential(high)
    return least * (1 - slack) if low else least, most * (1 + slack) if high else most
