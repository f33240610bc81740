"""States as they are given from outside: looked at before anything is done with them, for they go into arrays."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused
from griddsl.program.program import Program

State: TypeAlias = tuple[tuple[int, ...], tuple[float, ...], int]
MOST_SHOWN = 60


class Over(tuple[tuple[int, ...], tuple[float, ...], int]):
    """The state of an episode that is over, as a batch gives it: equal to the state of the same numbers.

    That it is over is not among its numbers: a single environment would go on from it, and a batch is to start anew.
    """

    __slots__ = ()


def checked(program: Program, state: Any) -> State:
    """Return a state as `get_state` gives it: whole numbers within the ranges of their slots, reals, the stream.

    Raises `TypeError` for what is no state, and `ValueError` for one of another spec or with impossible values.
    """
    integers, reals, stream = _three(state)
    layout, (low, high) = program.layout, program.bounds
    values = np.array(integers) if integers.__class__ is tuple else None
    if values is None or values.dtype != np.int64 or values.shape != low.shape:
        integers = _integers(integers)
        values = _array(integers)
    reals = () if reals.__class__ is tuple and not reals else _reals(reals)
    if len(integers) != layout.saved or len(reals) != layout.saved_reals:
        raise Refused(
            f"this state is not one of {program.id} as it is compiled here: it has {len(integers)} whole numbers "
            f"and {len(reals)} reals, not {layout.saved} and {layout.saved_reals}"
        )
    if (values < low).any() or (values > high).any():
        raise _impossible(program, integers, int(((values < low) | (values > high)).argmax()))
    if program.grounds.stop and not program.is_ground[values[program.grounds]].all():
        raise _no_ground(program, integers)
    if not all(map(math.isfinite, reals)):
        raise Refused("a state holds no infinite numbers, and none that is no number")
    return integers, reals, checked_stream(stream)


def _impossible(program: Program, integers: tuple[int, ...], at: int) -> ValueError:
    offsets, (low, high) = program.layout.offsets, program.bounds
    slots = [slot for slot in program.slots if slot.saved and slot.type != "real"]
    slot = next(slot for slot in reversed(slots) if offsets[slot.key] <= at)
    from griddsl.exact.states.words import slot_words

    what = slot_words(program).get(slot.key, slot.name.lower())
    where = f", entry {at - offsets[slot.key]}," if slot.length > 1 else ""
    return ValueError(
        f"this state is not one of {program.id}: {what}{where} is {_shown(integers[at])}, which is not in "
        f"{low[at]}..{high[at]}"
    )


def _no_ground(program: Program, integers: tuple[int, ...]) -> ValueError:
    cell, code = next(
        (cell, code) for cell, code in enumerate(integers[program.grounds]) if not program.is_ground[code]
    )
    return ValueError(
        f"this state is not one of {program.id}: tile[{cell}] is {code}, and `{program.kinds[code].name}` is no ground"
    )


def unpickled(kept: Any, maker: type, *names: str) -> dict[str, Any]:
    """Return what was pickled of an object; raise `ValueError` where it is not what this griddsl pickles of it."""
    if not isinstance(kept, dict) or not {"compiled", *names} <= kept.keys():
        raise Refused(f"this is no pickle of a {maker.__name__} as this griddsl makes it")
    if not isinstance(kept["compiled"], Compiled):
        raise Refused(
            f"the pickle of a {maker.__name__} holds a compiled spec, not {_shown(kept['compiled'])}"
        )
    return kept


def _three(state: Any) -> Sequence[Any]:
    if state.__class__ is tuple and len(state) == 3:
        return state
    if not isinstance(state, Sequence) or isinstance(state, str | bytes | bytearray) or len(state) != 3:
        raise TypeError(
            f"a state is what `get_state` gives, (whole numbers, reals, random stream), not {_shown(state)}"
        )
    return state


def _integers(given: Any) -> tuple[int, ...]:
    try:
        values = _listed(given)
    except TypeError:
        raise TypeError(f"a state begins with whole numbers, not {_shown(given)}") from None
    try:
        return tuple(map(operator.index, values))
    except TypeError:
        wrong = next(value for value in values if not hasattr(value, "__index__"))
        raise TypeError(f"a state begins with whole numbers, and {_shown(wrong)} is none") from None


def _reals(given: Any) -> tuple[float, ...]:
    try:
        return tuple(float(_no_text(value)) for value in _listed(given))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"the second part of a state are real numbers, not {_shown(given)}") from None


def _listed(given: Any) -> Iterable[Any]:
    if isinstance(given, np.ndarray):
        listed: Any = given.tolist()
        return _listed(listed)
    if isinstance(given, str | bytes | bytearray) or not isinstance(given, Sequence):
        raise TypeError
    return given


def _no_text(value: Any) -> Any:
    if isinstance(value, str | bytes | bytearray):
        raise TypeError
    return value


def checked_stream(bits: Any) -> int:
    """Return the random stream of a state; raise where it is none."""
    try:
        number = operator.index(bits)
    except TypeError:
        raise TypeError(f"the random stream of a state is a whole number, not {_shown(bits)}") from None
    if not 0 <= number < 2**64:
        raise Refused(f"the random stream of a state has 64 bits, and {_shown(bits)} has not")
    return number


def _array(integers: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return whole numbers as an array; those that 64 bits do not hold as the largest that they do."""
    return np.array([min(max(value, -(2**63)), 2**63 - 1) for value in integers], np.int64)


def _shown(value: Any) -> str:
    shown = repr(value) if isinstance(value, int | float | str | None) else type(value).__name__
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}..."
