"""Rounds of a loop: what holds before each of them, followed until no round finds that more may hold.

What a round adds to at most is counted; what grows in another way is taken to grow without end after some rounds, and
may still be held by a test.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from griddsl.program import ir
from griddsl.program.proof import ranges
from griddsl.program.proof.known import Known
from griddsl.program.proof.ranges import EVERYTHING, Range, hull, lies_in, widened
from griddsl.program.proof.written import claimed_range

ROUNDS = 3  # of a loop, before what still grows is taken to grow without end
MOST_ROUNDS = 12


class Round(NamedTuple):
    """What holds after a round, after the last one, and wherever the loop is left."""

    after: Known
    end: Known
    left: list[Known]


class Settled(NamedTuple):
    """What came to hold before any round of a loop: what was known at its entry, of its own locals, and what counts."""

    entry: dict[str, Range]
    own: dict[str, Range]
    counted: frozenset[str]


@dataclass(slots=True)
class Rounds:
    """The rounds of a loop: ``entry`` is what holds before the first, and ``start`` comes to be it for any of them.

    ``own`` are the locals that a round sets and that stand before it, ``counted`` those to which it may only add;
    ``trips`` is how many rounds there are at most. ``follow`` follows one of them, and ``added`` says what it adds.
    """

    body: ir.Block
    entry: Known
    start: Known
    own: list[str]
    counted: set[str]
    trips: float
    follow: Callable[[Known], Round]
    added: Callable[[str, Known], Range | None]

    def last(self) -> Round:
        """Follow rounds until one finds nothing new, and return that one."""
        for number in range(MOST_ROUNDS):
            self._count_on()
            found = self.follow(self.start)
            if found.after.is_dead or not self._grows(found.after, number):
                break
        else:
            for local in self.own:
                self.start.set_range(local, EVERYTHING)
            found = self.follow(self.start)
        endless = [local for local in self.own if math.inf in map(abs, self.start.ranges[local])]
        return self._held(endless, found) if endless and not found.after.is_dead else found

    def settled(self) -> Settled:
        """Return what holds before any round, for when the loop is entered again in the next round of another."""
        own = {local: self.start.ranges[local] for local in self.own}
        return Settled(dict(self.entry.ranges), own, frozenset(self.counted))

    def go_on_from(self, before: Settled) -> None:
        """Start with what came to hold when the loop was entered with as much, or less, that may be.

        One round shows then that it holds, where each of several loops in each other would need some.
        """
        if all(
            lies_in(before.entry.get(name, EVERYTHING), found) for name, found in self.entry.ranges.items()
        ):
            self.counted &= before.counted
            for local in self.own:
                found = hull(before.own.get(local, self.start.ranges[local]), self.start.ranges[local])
                self.start.set_range(local, found)

    def _count_on(self) -> None:
        """Let what is counted be as large as all rounds make it; what is more than added to is not counted."""
        for local in list(self.counted):
            added = self.added(local, self.start)
            if added is None:
                self.counted.discard(local)
            else:
                self.start.set_range(local, self._after_all(local, added))

    def _after_all(self, local: str, added: Range) -> Range:
        return ranges.after_rounds(self.entry.ranges[local], added, self.trips - 1)

    def _grows(self, after: Known, number: int) -> bool:
        """Whether a round found that more may hold before it, which ``start`` holds from then on."""
        start, grows = self.start, False
        for local in list(self.counted):
            added = self.added(local, start)
            if added is None or not lies_in(self._after_all(local, added), start.ranges[local]):
                grows = True
                if number >= ROUNDS:
                    self.counted.discard(local)
        for local in self.own:
            found = hull(start.ranges[local], after.ranges.get(local, start.ranges[local]))
            if local not in self.counted and found != start.ranges[local]:
                grows = True
                if number >= ROUNDS - 1:
                    bounds = claimed_range(local, self.body, self.entry.ranges[local])
                    found = widened(self.entry.ranges[local], found, bounds)
                start.set_range(local, found)
        return grows

    def _held(self, endless: list[str], found: Round) -> Round:
        """Let what grows without end be what it is after a round, if that holds: it may end at a test."""
        before = self.start.copy()
        for local in endless:
            after = found.after.ranges.get(local, EVERYTHING)
            self.start.set_range(local, hull(self.entry.ranges[local], after))
        tried = self.follow(self.start)
        if tried.after.is_dead or all(
            lies_in(tried.after.ranges.get(local, EVERYTHING), self.start.ranges[local]) for local in endless
        ):
            return tried
        self.start.become(before)
        return self.follow(self.start)
