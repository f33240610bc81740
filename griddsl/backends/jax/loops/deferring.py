"""Counts that wait: what each round of a loop counts down behind what it removes is counted down once, behind the loop.

How many places are taken is counted down to the last thing that there is whenever one is removed. No round asks for
that, and what has gone in one round stays away in all others: so the count after the loop follows from what is there
then. To find it all places are looked at, which would be the most that a round does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from griddsl.backends.jax.arrays import Mask, Value
from griddsl.backends.jax.loops.owing import counted_down, owed_by
from griddsl.backends.jax.values import both, either
from griddsl.backends.jax.walking import Locals, Walk
from griddsl.program import ir

_WHOLE = (ir.Restart, ir.Keep, ir.Restore, ir.Fill, ir.Copy, ir.Generate)  # what touches more than an entry


def waiting_in(body: ir.Block, functions: Mapping[str, ir.Function]) -> ir.While | None:
    """Return the count that may wait until the rounds with a body are over; None where there is none."""
    blocks = list(_reached(body, functions))
    counts = [
        statement
        for block in blocks
        for statement in ir.statements(block)
        if isinstance(statement, ir.While) and counted_down(statement) is not None
    ]
    if not counts or any(count != counts[0] for count in counts):
        return None
    count, owed = counts[0], owed_by(counts[0], True)
    if owed is None:
        return None
    search = _Search(count, {owed.slot, owed.things}, owed.least)
    return count if all(map(search.may_wait, blocks)) else None


def _reached(body: ir.Block, functions: Mapping[str, ir.Function]) -> Iterator[ir.Block]:
    """Yield a block, and those of the functions that are called from it."""
    left, seen = [body], set[str]()
    while left:
        block = left.pop()
        yield block
        for statement in ir.statements(block):
            for value in ir.values_of(statement):
                for part in ir.parts(value):
                    if isinstance(part, ir.Call) and part.function not in seen:
                        seen.add(part.function)
                        left.append(functions[part.function].body)


class _Search:
    """Whether nobody asks for a count, and things only go, each time with the count behind it."""

    def __init__(self, count: ir.While, slots: set[ir.Slot | None], least: Value) -> None:
        self.count, self.slots, self.least = count, slots, least

    def may_wait(self, block: ir.Block, at_once: bool = False) -> bool:
        """Whether all statements of a block, some of whose rounds may be run at once, let the count wait."""
        return all(
            self._counts(statement, at_once) or self._leaves(statement, block[place + 1 :], at_once)
            for place, statement in enumerate(block)
        )

    def _counts(self, statement: ir.Stmt, at_once: bool) -> bool:
        return statement == self.count and not at_once

    def _leaves(self, statement: ir.Stmt, rest: ir.Block, at_once: bool) -> bool:
        slot = counted_down(self.count)
        asked = [part for value in ir.values_of(statement) for part in ir.parts(value)]
        if isinstance(statement, _WHOLE) or any(
            isinstance(part, ir.Load) and part.slot is slot for part in asked
        ):
            return False
        match statement:
            case ir.Store(stored, _, value) if stored in self.slots:
                goes = stored is not slot and isinstance(value, ir.Const) and value.value < self.least
                return goes and self.count in rest
            case ir.If(_, then, otherwise):
                return self.may_wait(then, at_once) and self.may_wait(otherwise, at_once)
            case ir.For() | ir.While():
                return self.may_wait(statement.body, at_once)
            case ir.ForEach() | ir.Reduce():
                return self.may_wait(statement.body, True)
        return True


def waits(walk: Walk, slot: ir.Slot, mask: Mask) -> bool:
    """Whether the count of a slot is put off; then it is noted that it has to be found where the mask holds."""
    if slot.name not in walk.waiting:
        return False
    walk.waiting = {**walk.waiting, slot.name: either(walk.waiting[slot.name], mask)}
    return True


class Deferring:
    """While it is entered, the count in a loop is put off; it is found when it is left."""

    def __init__(self, walk: Walk, loop: ir.For, given: Locals, mask: Mask, count: Value) -> None:
        self.walk, self.given, self.mask, self.count = walk, given, mask, count
        may = not walk.waiting and not walk.shape
        self.loop = waiting_in(loop.body, walk.functions) if may else None

    def __enter__(self) -> None:
        if self.loop is not None:
            self.walk.waiting = {self._slot.name: False}

    def __exit__(self, *_: object) -> None:
        if self.loop is not None:
            (counts,) = self.walk.waiting.values()
            self.walk.waiting = {}
            if counts is not False:
                self.count(self.walk, self.loop, self._slot, self.given, both(self.mask, counts))

    @property
    def _slot(self) -> ir.Slot:
        slot = None if self.loop is None else counted_down(self.loop)
        assert slot is not None
        return slot
