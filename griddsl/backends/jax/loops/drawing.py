"""What a loop draws and its rounds do not hand on: found round by round, drawn for all rounds at once afterwards.

A view is found row by row, because light goes from one to the next, and what is seen of a row is written into the
observation. Where each entry is written by one round only, all rows may as well be written when light has reached them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from griddsl.backends.jax.arrays import Mask, Value, is_known
from griddsl.program import ir
from griddsl.program.passes.effects import OUT, Known, of_block
from griddsl.program.passes.independent import unset_reads


class Values(Protocol):
    """What finds values: the walk."""

    known: Known

    def value(self, value: ir.Expr, given: dict[str, Any], mask: Mask) -> Any:
        """Return the value of an expression."""


@dataclass(frozen=True)
class Drawing:
    """A loop in a loop that only draws: ``fixed`` are locals that are known for all rounds, ``handed`` are not."""

    loop: ir.ForEach
    fixed: Mapping[str, Any]
    handed: tuple[str, ...]


def drawing_of(walk: Values, loop: ir.For, numbers: Value, early: Mapping[str, Any]) -> Drawing | None:
    """Return what may be drawn after a loop over numbers; None where nothing may.

    ``early`` are locals that are known for all rounds already.
    """
    inner = [statement for statement in _outside_loops(loop.body) if isinstance(statement, ir.ForEach)]
    if len(inner) != 1:
        return None
    (drawn,) = inner
    all_of_it, own = of_block(loop.body, walk.known), of_block([drawn], walk.known)
    others = [s for s in ir.statements(loop.body) if isinstance(s, ir.Out | ir.Blank)]
    drawn_here = [s for s in ir.statements(drawn.body) if isinstance(s, ir.Out | ir.Blank)]
    if own.writes != {OUT} or len(others) != len(drawn_here) or own.reads & (all_of_it.writes - {OUT}):
        return None
    fixed = _fixed(walk, loop, {**early, loop.name: numbers})
    if not _alone(walk, drawn, loop.name, fixed):
        return None
    wanted = unset_reads([drawn], ()) - fixed.keys()
    return Drawing(drawn, fixed, tuple(sorted(wanted & all_of_it.sets)))


def _outside_loops(block: Sequence[ir.Stmt]) -> Iterator[ir.Stmt]:
    """Yield the statements of a block and of its branches, but not of its loops."""
    for statement in block:
        yield statement
        if isinstance(statement, ir.If):
            yield from _outside_loops(statement.then)
            yield from _outside_loops(statement.otherwise)


def _fixed(walk: Values, loop: ir.For, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the locals that follow from what is known of each round, a value for each."""
    fixed = dict(known)
    sets = [name for statement in ir.statements(loop.body) for name in ir.sets(statement)]
    for statement in _outside_loops(loop.body):
        if isinstance(statement, ir.Let) and sets.count(statement.name) == 1:
            found = _known(walk, statement.value, fixed)
            if found is not None:
                fixed[statement.name] = found
    return fixed


def _known(walk: Values, value: ir.Expr, fixed: Mapping[str, Any]) -> Any:
    """Return a value that is known now; None where it is not."""
    for part in ir.parts(value):
        if isinstance(part, ir.Load | ir.Call | ir.Draw | ir.Ask):
            return None
        if isinstance(part, ir.Local) and part.name not in fixed:
            return None
    found = walk.value(value, dict(fixed), True)
    return found if is_known(found) else None


def _alone(walk: Values, drawn: ir.ForEach, number: str, fixed: Mapping[str, Any]) -> bool:
    """Whether it is known where each round writes, and no other writes there."""
    low, high = _known(walk, drawn.low, fixed), _known(walk, drawn.high, fixed)
    if not isinstance(low, int) or not isinstance(high, int):
        return False
    if any(
        not isinstance(statement, ir.Let | ir.Out | ir.If | ir.Note)
        for statement in ir.statements(drawn.body)
    ):
        return False
    own = {**fixed, drawn.name: np.arange(low, high).reshape(-1, 1)}
    numbers = fixed[number]
    shape = (high - low, len(numbers))
    rounds = np.arange(len(numbers)) + np.zeros(shape, np.int64)
    owners: dict[int, int] = {}
    for statement in ir.statements(drawn.body):
        if isinstance(statement, ir.Let):
            found = _known(walk, statement.value, own)
            if found is not None:
                own[statement.name] = found
        elif isinstance(statement, ir.Out):
            index = _known(walk, statement.index, own)
            if index is None:
                return False
            places = np.broadcast_to(np.asarray(index), shape).ravel().tolist()
            if any(
                owners.setdefault(place, number) != number
                for place, number in zip(places, rounds.ravel().tolist(), strict=True)
            ):
                return False
    return True


def bits_of(walk: Values, loop: ir.For) -> str | None:
    """Return the local to which all rounds of a loop add bits, where they hand on nothing else and write nothing."""
    effects = of_block(loop.body, walk.known)
    handed = unset_reads(loop.body, {loop.name}) & effects.sets
    if effects.writes or len(handed) != 1:
        return None
    (name,) = handed
    for statement in ir.statements(loop.body):
        if not isinstance(statement, ir.Let | ir.If | ir.Note):
            return None
        found: tuple[ir.Expr, ...] = ir.values_of(statement)
        if isinstance(statement, ir.Let) and statement.name == name:
            match statement.value:
                case ir.Op("|", (ir.Local(first), added), type="int") if first == name:
                    found = (added,)
                case _:
                    return None
        if any(
            isinstance(part, ir.Local) and part.name == name for value in found for part in ir.parts(value)
        ):
            return None
    return name
