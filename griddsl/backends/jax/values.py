"""Operators on values: what is known while a program is traced is reckoned with at once, the rest when it runs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import DType, Traced, Value, entries, is_known, packed_entries
from griddsl.program import ir
from griddsl.program.exponential import BITS_IN_ONE, HIGH, LOW, MOST, SERIES, exponential


def as_type(value: Value, kind: str, whole: DType) -> Value:
    """Return a value as ``int``, ``bool`` or ``real``; ``whole`` is the dtype of whole numbers."""
    if is_known(value):
        if isinstance(value, np.ndarray):
            return value.astype({"int": np.int64, "bool": np.bool_, "real": np.float64}[kind])
        return {"int": int, "bool": bool, "real": float}[kind](value)
    return lax.convert_element_type(value, {"int": whole, "bool": np.bool_, "real": np.float64}[kind])


def traced(value: Value, kind: str, whole: DType) -> Traced:
    """Return a value as an array of JAX."""
    value = as_type(value, kind, whole)
    dtype = {"int": whole, "bool": np.bool_, "real": np.float64}[kind]
    return jnp.asarray(value, dtype) if is_known(value) else value


def kind_of_both(left: Value, right: Value) -> str:
    """Return the type of a value that is one of two."""
    dtypes = [np.asarray(value).dtype if is_known(value) else value.dtype for value in (left, right)]
    if np.float64 in dtypes:
        return "real"
    return "bool" if dtypes == [np.bool_, np.bool_] else "int"


def looked_up(table: ir.Table, index: Value, kind: str, wraps: bool, whole: DType) -> Value:
    """Return entries of a table; ``wraps`` says that an index may be -1, which is the last one."""
    values = np.asarray(table.values)
    if is_known(index):
        places = np.clip(np.asarray(index), -1, len(values) - 1)
        found = values[places]
        return as_type(found if places.ndim else found.item(), kind, whole)
    if values.min() == values.max():
        return as_type(values[0].item(), kind, whole)
    dtype = {"int": whole, "bool": np.bool_, "real": np.float64}[kind]
    if wraps:
        # The entry -1 is the last one: what stands for an action that is not carried out.
        values, index = np.append(values[-1:], values), index + jnp.asarray(1, index.dtype)
    packed = packed_entries(values, index)
    if packed is not None:
        return as_type(packed, kind, whole)
    return entries(jnp.asarray(values.astype(dtype)), index, len(values), dtype)


def row_of(table: ir.Table, start: Value, length: int) -> Traced:
    """Return so many entries of a table from one on."""
    values = np.asarray(table.values)
    if is_known(start):
        return jnp.asarray(values[start : start + length])
    return lax.dynamic_slice(jnp.asarray(values), (start,), (length,))


def chosen(test: Value, then: Value, otherwise: Value, kind: str, whole: DType) -> Value:
    """Return one value where a test holds and another where it does not."""
    if is_known(test):
        if not isinstance(test, np.ndarray):
            return then if test else otherwise
        if is_known(then) and is_known(otherwise):
            return np.where(test, then, otherwise)
    if then is otherwise or (
        is_known(then)
        and is_known(otherwise)
        and np.ndim(then) == np.ndim(otherwise) == 0
        and then == otherwise
    ):
        return then
    if kind == "bool":
        if then is True and otherwise is False:
            return test
        if then is False and otherwise is True:
            return inverted(test)
        # A choice of bits that is said in words of bits takes a compiler less to write out.
        if otherwise is False or then is True:
            return both(test, then) if otherwise is False else either(test, otherwise)
    return jnp.where(test, traced(then, kind, whole), traced(otherwise, kind, whole))


def both(left: Value, right: Value) -> Value:
    """Return ``left and right``."""
    if left is True:
        return right
    if right is True:
        return left
    if left is False or right is False:
        return False
    if is_known(left) and is_known(right):
        return np.logical_and(left, right)
    return jnp.logical_and(left, right)


def either(left: Value, right: Value) -> Value:
    """Return ``left or right``."""
    if left is False:
        return right
    if right is False:
        return left
    if left is True or right is True:
        return True
    if is_known(left) and is_known(right):
        return np.logical_or(left, right)
    return jnp.logical_or(left, right)


def inverted(value: Value) -> Value:
    """Return ``not value``."""
    if isinstance(value, bool):
        return not value
    return np.logical_not(value) if is_known(value) else jnp.logical_not(value)


def operated(
    sign: str, values: Sequence[Value], kinds: Sequence[str], ranges: Sequence[float], whole: DType
) -> Value:
    """Return what an operator makes of values of these types; ``ranges`` are their least values, for divisions."""
    if sign == "not":
        return inverted(as_type(values[0], "bool", whole))
    if sign in {"and", "or"}:
        return reduce(both if sign == "and" else either, [as_type(value, "bool", whole) for value in values])
    is_real = "real" in kinds or sign in {"/", "exp", "sqrt"}
    kind = "real" if is_real else "int"
    if sign in {"==", "!="} and set(kinds) == {"bool"}:
        kind = "bool"
    values = [as_type(value, kind, whole) for value in values]
    if all(map(is_known, values)):
        return _known(sign, values, is_real)
    if sign in {"//", "%"}:
        return _divided(sign, values, is_real, ranges, whole)
    simple = _simplified(sign, values)
    if simple is not None:
        return simple
    given = [traced(value, kind, whole) for value in values]
    if sign == "/":
        return quotient(*given)
    if sign in _UNARY:
        found = _UNARY[sign](given[0])
        return rounded(found) if sign == "sqrt" else found
    if is_real and sign in {"+", "-", "*"}:
        return reduce(lambda left, right: rounded(_BINARY[sign](left, right)), given)
    return reduce(_BINARY[sign], given)


def rounded(value: Traced) -> Traced:
    """Return a result of reals rounded by itself: a compiler that works on several at once keeps what is asked of it.

    XLA makes ``x + (a + b)`` of ``x + a + b`` where it knows ``a`` and ``b``, as it does with products, ``x / (y * z)``
    of ``x / y / z``, and one rounding of a product and a sum, all of which may differ in the last bit.
    """
    return jnp.where(jnp.isnan(value), jnp.asarray(np.nan, value.dtype), value)


def quotient(left: Traced, right: Traced) -> Traced:
    """Return a quotient rounded once: of a divisor that it knows, XLA would take the reciprocal, rounded as well."""
    return rounded(left / jnp.where(jnp.isnan(left), jnp.asarray(1.0, right.dtype), right))


def _exponential(value: Traced) -> Traced:
    """Return what `exponential` does, bit for bit."""
    value = jnp.clip(value, -MOST, MOST)
    power = jnp.floor(rounded(value * BITS_IN_ONE) + 0.5)
    rest = value - rounded(power * HIGH) - rounded(power * LOW)
    curve = jnp.zeros_like(value)
    for term in SERIES:
        curve = rounded(curve * rest) + term
    power_of_two = lax.bitcast_convert_type((power.astype(np.int64) + 1023) << 52, np.float64)
    return (1.0 + (rest + rounded(rounded(rest * rest) * curve))) * power_of_two


def _simplified(sign: str, values: Sequence[Value]) -> Value:
    """Return what needs no reckoning: nothing is added, or multiplied with 0 or 1."""
    if len(values) != 2:
        return None
    left, right = values
    known = [value if is_known(value) and np.ndim(value) == 0 else None for value in values]
    if sign in {"+", "|"} and 0 in known:
        return right if known[0] == 0 else left
    if sign in {"-", "<<", ">>"} and known[1] == 0:
        return left
    if sign == "*" and isinstance(known[0] if known[0] is not None else known[1], int):
        if 1 in known:
            return right if known[0] == 1 else left
        if 0 in known:
            return 0
    return None


def _known(sign: str, values: Sequence[Value], is_real: bool) -> Value:
    with np.errstate(all="ignore"):
        if sign == "/":
            return _quotient_known(*values)
        if sign in {"//", "%"} and any(np.any(np.asarray(value) == 0) for value in values[1:]):
            return values[0]  # a part that nobody needs
        if all(not isinstance(value, np.ndarray) for value in values):
            return _PLAIN[sign](*values) if sign in _PLAIN else reduce(_ON_NUMPY[sign], values)
        if sign in _UNARY_NUMPY:
            return _UNARY_NUMPY[sign](values[0])
        return reduce(_ON_NUMPY[sign], values)


def _quotient_known(left: Value, right: Value) -> Value:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.true_divide(left, right)
    return left / right if right else 0.0


def _divided(
    sign: str, values: Sequence[Value], is_real: bool, ranges: Sequence[float], whole: DType
) -> Value:
    """Return a quotient or a rest, rounded downwards."""
    left, right = values
    if is_real:
        return _divided_reals(sign, traced(left, "real", whole), traced(right, "real", whole))
    if is_known(right) and np.ndim(right) == 0 and right == 1:
        return left if sign == "//" else 0
    a, b = traced(left, "int", whole), traced(right, "int", whole)
    if ranges[0] >= 0 and is_known(right) and np.ndim(right) == 0 and right > 0:
        if right & (right - 1) == 0:
            power = jnp.asarray(right.bit_length() - 1, whole)
            return a >> power if sign == "//" else a & jnp.asarray(right - 1, whole)
        b = jnp.broadcast_to(b, a.shape)
        return lax.div(a, b) if sign == "//" else lax.rem(a, b)
    return jnp.floor_divide(a, b) if sign == "//" else jnp.remainder(a, b)


def _divided_reals(sign: str, a: Traced, b: Traced) -> Traced:
    """Return what Python gives for reals: the rest first, of which the quotient follows."""
    a, b = jnp.broadcast_arrays(a, b)
    rest = lax.rem(a, b)
    turned = (rest != 0) & ((b < 0) != (rest < 0))
    found = rounded(quotient(rounded(a - rest), b) - jnp.where(turned, 1.0, 0.0))
    if sign == "%":
        return jnp.where(rest == 0, jnp.copysign(0.0, b), jnp.where(turned, rounded(rest + b), rest))
    below = jnp.floor(found)
    return jnp.where(found - below > 0.5, below + 1.0, below)


_UNARY: dict[str, Callable[[Value], Value]] = {
    "neg": lambda value: -value,
    "abs": jnp.abs,
    "sqrt": jnp.sqrt,
    "exp": lambda value: _exponential(value),
}
_UNARY_NUMPY: dict[str, Callable[[Value], Value]] = {
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.vectorize(exponential, otypes=[np.float64]),
}
_PLAIN: dict[str, Callable[..., Value]] = {
    "neg": operator.neg,
    "abs": abs,
    "sqrt": lambda value: math.sqrt(max(value, 0.0)),
    "exp": exponential,
    "min": min,
    "max": max,
}
_BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "|": operator.or_,
    "&": operator.and_,
    "<<": operator.lshift,
    ">>": operator.rshift,
    **ir.COMPARED,
    "min": jnp.minimum,
    "max": jnp.maximum,
}
_ON_NUMPY: dict[str, Callable[[Value, Value], Value]] = {
    **_BINARY,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": np.minimum,
    "max": np.maximum,
}
