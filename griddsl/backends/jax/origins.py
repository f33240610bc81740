"""Where values come from: a row that is looked up at places that are known, as lines and neighbours of all cells are.

What lies at such a place may be a thing, of which more is asked. Asked for each place, every answer would be fetched
from memory by itself, as often as places overlap. So the answer is found once for each entry of the row, and what the
places need is cut out of these answers. The same holds of what is reckoned with such values: where one entry is asked
from several places (is there a stone of mine so far in this direction?), the operators work on the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from griddsl.backends.jax.arrays import DType, Known, Traced, Value, entries, gathered, is_known
from griddsl.backends.jax.known.again import Again
from griddsl.backends.jax.settling import settled
from griddsl.backends.jax.values import as_type, chosen, looked_up, operated
from griddsl.program import ir

MOST_ANSWERS = 2  # for each place: a row of more is not asked about as a whole
MOST_WAYS = 4  # rows, each of which is looked at
UNKNOWN = None  # what a value is outside of its row, where nobody may ask


@dataclass(frozen=True, slots=True)
class Origin:
    """What a value is: the entries of a row at known places, and ``rest`` at those below 0, a single value."""

    value: Traced  # kept, because values are known by their identity
    row: Traced
    places: Known
    rest: Value = UNKNOWN


@dataclass(frozen=True, slots=True)
class Ways:
    """What a value is: one of a few known rows, and which of them says a number."""

    value: Traced  # kept, because values are known by their identity
    number: Traced
    rows: Mapping[int, Known]

    def each(self, find: Callable[[Known], Traced]) -> Traced:
        """Return what ``find`` makes of the row that is meant."""
        (_, first), *others = self.rows.items()
        found = find(first)
        for number, row in others:
            found = jnp.where(self.number == number, find(row), found)
        return found


class Origins:
    """Of values, which row and which places they were read from; of rows, what was found for all entries of another."""

    def __init__(self) -> None:
        self._of: dict[int, Origin] = {}
        self._ways: dict[int, Ways] = {}
        self.again = Again()

    def note(self, value: Traced, row: Traced, places: Any, rest: Value = UNKNOWN) -> None:
        """Note that a value is what a row holds at places; outside of it the value is the rest."""
        if is_known(places) and np.ndim(places):
            self._of[id(value)] = Origin(value, row, np.asarray(places), rest)

    def note_where(self, value: Traced, test: Value, then: Value, otherwise: Value) -> None:
        """Note a value that is ``then`` where a known test holds, and a known one elsewhere."""
        origin = self._of.get(id(then))
        if origin is None or not isinstance(test, np.ndarray):
            return
        alike = origin.rest is UNKNOWN or (is_known(origin.rest) and origin.rest == otherwise)
        if alike and is_known(otherwise) and np.ndim(otherwise) == 0:
            inside = np.broadcast_to(test, np.broadcast_shapes(test.shape, origin.places.shape))
            self.note(value, origin.row, np.where(inside, origin.places, -1), otherwise)

    def note_same(self, value: Traced, other: Traced) -> None:
        """Note that a value comes from where another one comes from, which it is in other words."""
        origin = self._of.get(id(other))
        if origin is not None:
            self.note(value, origin.row, origin.places, origin.rest)

    def settle(self, names: Iterable[str], given: dict[str, Any]) -> None:
        """Let locals be found before what is made of them."""
        wanted = [name for name in names if not is_known(given[name]) and not isinstance(given[name], dict)]
        values = self.again.each("settled", [given[name] for name in wanted], settled)
        for name, value in zip(wanted, values, strict=True):
            self.note_same(value, given[name])
            given[name] = value

    def of(self, index: Value) -> tuple[Traced, Known] | None:
        """Return the row and the places that an index was read from, where it pays to ask about the whole row."""
        origin = self._of.get(id(index))
        if origin is None or origin.row.shape[0] > MOST_ANSWERS * origin.places.size:
            return None
        if origin.rest is not UNKNOWN and not (is_known(origin.rest) and origin.rest < 0):
            return None  # outside of the row there is an index too
        return origin.row, origin.places

    def looked_up(self, value: ir.Lookup, find: Callable[[ir.Expr], Any], whole: DType) -> Any:
        """Return entries of a table, at the places that ``find`` finds."""
        found = self.row_of_rows(value, find, whole)
        if found is not None:
            return found
        table, place, wraps = value.table, find(value.index), value.index.low < 0
        how = "entries", id(table), value.type, wraps
        return self.again.found(how, [place], lambda: looked_up(table, place, value.type, wraps, whole))

    def row_of_rows(self, value: ir.Lookup, find: Callable[[ir.Expr], Any], whole: DType) -> Traced | None:
        """Return a row of a table of rows, of which a number says which one it is; None of any other look-up.

        Where the neighbours of all cells are asked for in a direction that is that of all, they are known but for the
        direction. Then nothing has to be fetched for each cell: the row of each direction is cut out as a whole.
        """
        match value.index:
            case ir.Op("+", (ir.Op("*", (number, ir.Const(factor))), place)):
                pass
            case _:
                return None
        numbers, row = _range_of(number), find(place)
        if value.type != "int" or len(numbers) > MOST_WAYS or not is_known(row) or np.ndim(row) != 1:
            return None
        which = find(number)
        if is_known(which) or which.ndim:
            return None
        values = np.asarray(value.table.values)
        rows = {each: values[np.clip(each * int(factor) + row, -1, len(values) - 1)] for each in numbers}
        made = Ways(which, which, rows).each(lambda row: jnp.asarray(row, whole))
        self._ways[id(made)] = Ways(made, which, rows)
        return made

    def ways_of(self, index: Value) -> Ways | None:
        """Return which known rows an index is one of."""
        return self._ways.get(id(index))

    def loaded(self, held: Traced, place: Value, kind: str, find: Callable[[Traced, Any], Traced]) -> Traced:
        """Return what ``find`` finds in a row at places, of a type, asked for as few of them as can be."""
        return self.again.found(("loaded", kind), [held, place], lambda: self._loaded(held, place, find))

    def _loaded(self, held: Traced, place: Value, find: Callable[[Traced, Any], Traced]) -> Traced:
        ways = self.ways_of(place)
        if ways is not None:
            return ways.each(lambda row: find(held, row))
        origin = self.of(place)
        if origin is not None:
            row, place = origin
            held = self.through(held, row)
        found = find(held, place)
        self.note(found, held, place)
        return found

    def through(self, array: Traced, row: Traced) -> Traced:
        """Return the entries of an array at all indices that a row holds; they are found once."""
        return self.again.found("through", [array, row], lambda: settled(gathered(array, row)))

    def chosen(self, test: Value, then: Value, otherwise: Value, kind: str, whole: DType) -> Any:
        """Return one value where a test holds and another where it does not."""
        parts = (test, then, otherwise)

        def make(parts: Sequence[Value]) -> Any:
            return chosen(parts[0], parts[1], parts[2], kind, whole)

        def found() -> Any:
            if not is_known(test) and then is not otherwise:
                once = self._reckoned(parts, make, _picked)
                if once is not None:
                    return once
            value = make(parts)
            self.note_where(value, test, then, otherwise)
            return value

        return self.again.found(("chosen", kind), parts, found)

    def operated(
        self,
        sign: str,
        values: Sequence[Value],
        kinds: Sequence[str],
        ranges: Sequence[float],
        kind: str,
        whole: DType,
    ) -> Any:
        """Return what an operator makes of values, as a value of a type; `values.operated` says the rest."""

        def make(parts: Sequence[Value]) -> Any:
            return as_type(operated(sign, parts, kinds, ranges, whole), kind, whole)

        def found() -> Any:
            once = self._reckoned(values, make, _decided(sign))
            return make(values) if once is None else once

        return self.again.found((sign, *kinds, *ranges, kind), values, found)

    def _reckoned(
        self,
        values: Sequence[Value],
        make: Callable[[Sequence[Any]], Any],
        outside: Callable[[Sequence[Any]], Any],
    ) -> Traced | None:
        """Return what ``make`` makes of values that were all read at the same places, found once for each entry.

        None where they were not, or no entry stands at several places. ``outside`` says what it is where there is no
        entry: one of the values may decide that, whatever the others are.
        """
        origins = [self._of.get(id(value)) for value in values]
        first = next((origin for origin in origins if origin is not None), None)
        if first is None or first.row.shape[0] >= first.places.size:
            return None
        for value, origin in zip(values, origins, strict=True):
            if origin is None and np.ndim(value):
                return None
            if origin is not None and not _are_alike(origin, first):
                return None
        rests = [
            value if origin is None else origin.rest for value, origin in zip(values, origins, strict=True)
        ]
        rest = outside(rests)
        if rest is UNKNOWN and not any(each is UNKNOWN for each in rests):
            rest = make(rests)
        row = make(
            [value if origin is None else origin.row for value, origin in zip(values, origins, strict=True)]
        )
        if is_known(row) or np.ndim(row) != 1:
            return None
        places = first.places
        # What the places need is copied from what is there, and not found again for each of them.
        found = entries(settled(row), places, row.shape[0], row.dtype)
        if rest is not UNKNOWN and places.min() < 0:
            found = jnp.where(places >= 0, found, jnp.asarray(rest, found.dtype))
        found = settled(found)
        self.note(found, row, places, rest)
        return found


def _range_of(number: ir.Expr) -> list[int]:
    """Return the numbers that one may be, in order; of very many more than `MOST_WAYS`."""
    if isinstance(number, ir.Lookup) and len(number.table.values) <= MOST_WAYS:
        return sorted({int(value) for value in number.table.values})
    return list(range(int(number.low), int(min(number.high, number.low + MOST_WAYS)) + 1))


def _decided(sign: str) -> Callable[[Sequence[Any]], Any]:
    """Return what finds the value of an operator of which not all values are known: False of an `and`."""

    def outside(rests: Sequence[Any]) -> Any:
        least = {"and": False, "or": True}.get(sign)
        if least is not None and any(is_known(each) and bool(each) is least for each in rests):
            return least
        return UNKNOWN

    return outside


def _picked(rests: Sequence[Any]) -> Any:
    """Return which of two values a test picks, where the test is known."""
    test, then, otherwise = rests
    if not is_known(test):
        return UNKNOWN
    return then if test else otherwise


def _are_alike(origin: Origin, other: Origin) -> bool:
    """Whether two values were read at the same places of rows of one length."""
    if origin.row.shape != other.row.shape:
        return False
    return origin.places is other.places or np.array_equal(origin.places, other.places)
