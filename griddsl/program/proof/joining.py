"""What holds where two ways meet, whichever of them was taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from griddsl.program.proof.known import NOTHING, Conditions, Facts, Known, Places, but, reads_of
from griddsl.program.proof.ranges import Range, hull


def joined(first: Known, second: Known, places: Places) -> Known:
    """Return what holds whichever of two ways was taken."""
    if first.is_dead:
        return second
    if second.is_dead:
        return first
    ranges = first.ranges
    if second.ranges is not first.ranges:
        ranges = {
            name: found if found == (other := second.ranges[name]) else hull(found, other)
            for name, found in first.ranges.items()
            if name in second.ranges
        }
    whole = Known(
        first.types if first.types is second.types else {name: first.types[name] for name in ranges},
        ranges,
        first.meant
        if first.meant is second.meant
        else {
            name: meant
            for name, meant in first.meant.items()
            if name in second.meant and second.meant[name][1] is meant[1]
        },
        Conditions(),
        _joined_facts(first.facts, second.facts),
    )
    whole.unless_zero = _joined_conditions(first, second, whole, places)
    return whole


def _joined_conditions(first: Known, second: Known, whole: Known, places: Places) -> Conditions:
    """Return what follows where locals are not zero, whichever of two ways was taken."""
    if first.ranges is second.ranges and first.unless_zero is second.unless_zero:
        return first.unless_zero  # no local tells which way it was
    sides = (_Side(first, whole, places), _Side(second, whole, places))
    asked = {*first.unless_zero, *second.unless_zero}
    for known in (first, second):
        asked.update([name for name, found in known.ranges.items() if found == (0, 0)])
    follows: dict[str, Facts] = {}
    new: list[Facts] = []
    for name in [name for name in whole.ranges if name in asked]:
        one, other = first.unless_zero.get(name), second.unless_zero.get(name)
        ranges = (first.ranges[name], second.ranges[name])
        if one is not None and one is other and _tells_nothing(ranges[0]) and _tells_nothing(ranges[1]):
            follows[name] = one  # as it was where the ways parted
            continue
        ways = [side for side, found in zip(sides, ranges, strict=True) if found != (0, 0)]
        if ways:
            found = reduce(_joined_facts, [way.where_holds(name, len(ways) == 1) for way in ways])
            own = places.local(name)
            follows[name] = found if own not in found else Facts(but(found, (own,)))
            new.append(follows[name])
    return Conditions(follows, *reads_of(first.unless_zero, second.unless_zero, *new))


def _tells_nothing(found: Range) -> bool:
    """Whether a range leaves open if a local is zero."""
    return found[0] <= 0 <= found[1] and found[0] < found[1]


@dataclass(slots=True)
class _Side:
    """One of two ways that meet."""

    known: Known
    whole: Known
    places: Places
    _more: Facts | None = None

    def where_holds(self, name: str, alone: bool) -> Facts:
        """Return what is known on this way, and not of both, where a local is not zero.

        Where it is never zero here, or ``alone`` can be other than zero, that tells which way was taken.
        """
        low, high = self.known.ranges[name]
        follows = self.known.unless_zero.get(name, NOTHING)
        if low <= 0 <= high and not alone:
            return follows
        if self._more is None:
            self._more = self.known.beyond(self.whole, self.places)
        return Facts({**follows, **self._more}) if follows else self._more


def _joined_facts(first: Facts, second: Facts) -> Facts:
    if first is second:
        return first
    return Facts(
        {
            place: found if found == (other := second[place]) else hull(found, other)
            for place, found in first.items()
            if place in second
        }
    )
