"""What an observation is written into: a row, or the columns of a table where entries are written by columns.

A picture has three numbers a cell, each written by a statement of its own: as columns they are whole arrays, which
are put side by side once, at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from griddsl.backends.jax.arrays import Known, Mask, Traced, Value, in_dtype, is_known, progression, written
from griddsl.backends.jax.settling import settled
from griddsl.program import ir

MOST_COLUMNS = 32
FEWEST_TURNED = 4  # columns: fewer are put side by side entry by entry


@dataclass(frozen=True)
class Turn:
    """How rounds of a shape are turned so that they write in order: ``axes`` exchanged, some of them ``turned``."""

    shape: tuple[int, ...]
    axes: tuple[int, ...]
    turned: tuple[int, ...]

    @property
    def is_none(self) -> bool:
        """Whether rounds write in their own order."""
        return not self.turned and self.axes == tuple(range(len(self.shape)))

    def applied(self, rounds: Value) -> Any:
        """Return rounds in a row, in the order in which they write."""
        if isinstance(rounds, np.ndarray):
            return np.flip(rounds.reshape(self.shape).transpose(self.axes), self.turned).ravel()
        return lax.rev(jnp.transpose(rounds.reshape(self.shape), self.axes), self.turned).reshape(-1)

    def undone(self, row: Traced) -> Traced:
        """Return the rounds, one behind the other, that have been put in a row."""
        turned = lax.rev(row.reshape([self.shape[axis] for axis in self.axes]), self.turned)
        return jnp.transpose(turned, np.argsort(self.axes).tolist()).reshape(-1)


@dataclass(frozen=True)
class Columns:
    """A row whose entries ``k``, ``k + n``, ``k + 2 n`` ... lie in the column ``k`` of ``n``.

    While all that is written is turned in one way, columns lie as the rounds do, and are turned once, at the end:
    operations on entries in another order than that of memory take several times as long.
    """

    columns: tuple[Traced, ...]
    turn: Turn | None = None

    def lying(self, turn: Turn | None) -> Columns:
        """Return the columns as they lie before rounds are turned so; without a turn, in order."""
        if turn == self.turn:
            return self
        columns = self.columns if self.turn is None else tuple(map(self.turn.applied, self.columns))
        return Columns(columns if turn is None else tuple(map(turn.undone, columns)), turn)

    @property
    def row(self) -> Traced:
        """The entries in order."""
        columns = settled(self.columns)
        if self.turn is not None:
            # Each by itself, and before they are put side by side, which asks of every entry where it comes from.
            columns = settled(Columns(columns, self.turn).lying(None).columns)
        if len(columns) < FEWEST_TURNED:
            return jnp.stack(columns, -1).reshape(-1)
        # Put one behind the other they are copied as wholes, and turned all at once; an entry that is asked for by
        # itself would be looked for among the columns.
        return settled(settled(jnp.stack(columns)).T).reshape(-1)


def as_row(out: Traced) -> Traced:
    """Return what was written as a row."""
    return out.row if isinstance(out, Columns) else out


def in_planes(index: ir.Expr) -> tuple[ir.Expr, int, int]:
    """Return what an index is made of: ``place * planes + plane``."""
    plane = 0
    match index:
        case ir.Op("+", (first, ir.Const(value=added))):
            index, plane = first, int(added)
    match index:
        case ir.Op("*", (place, ir.Const(value=planes))):
            return place, int(planes), plane
    return index, 1, plane


def put(out: Traced, index: Value, value: Traced, mask: Mask, planes: int = 1) -> Any:
    """Return what was written with ``value`` at ``index``, in one of so many planes, where ``mask`` holds."""
    if not is_known(index):
        return written(as_row(out), index, value, mask)
    shape = np.broadcast_shapes(np.shape(index), np.shape(value), np.shape(mask))
    places = np.broadcast_to(np.asarray(index), shape)
    if not shape:
        if not isinstance(out, Columns):
            return written(out, index, value, mask)
        at, column = divmod(int(places), len(out.columns))
        if out.turn is not None:
            at = int(out.turn.applied(np.arange(len(out.columns[column])))[at])
        return _with(out, column, written(out.columns[column], at, value, mask))
    order = _order(places)
    if order is None:
        return written(as_row(out), index, value, mask)
    turn, first, step = order
    value = jnp.broadcast_to(in_dtype(value, _dtype(out)), shape)
    spread = mask if mask is True else jnp.broadcast_to(mask, shape)
    is_all = first < step and step * places.size == length_of(out)
    if not 1 < step <= MOST_COLUMNS or not (is_all or (step == planes and length_of(out) % step == 0)):
        spread = spread if spread is True else turn.applied(spread)
        return written(as_row(out), turn.applied(places), turn.applied(value), spread)
    at, plane = divmod(first, step)
    if is_all and not turn.is_none:
        out = _parted(out, step).lying(turn)
        value = value.reshape(-1)
        value = value if spread is True else jnp.where(spread.reshape(-1), value, out.columns[plane])
        return _with(out, plane, value)
    spread = spread if spread is True else turn.applied(spread)
    out = _parted(out, step).lying(None)
    rows = np.arange(at, at + places.size)
    return _with(out, plane, written(out.columns[plane], rows, turn.applied(value), spread))


def mark(out: Traced, marks: Traced, value: Traced, planes: int, plane: int) -> Any:
    """Return what was written with ``value`` where there are marks, in one of so many planes side by side."""
    value = in_dtype(value, _dtype(out))
    if planes == 1:
        return jnp.where(marks, value, as_row(out))
    out = _parted(out, planes).lying(None)
    return _with(out, plane, jnp.where(marks, value, out.columns[plane]))


def _parted(out: Traced, planes: int) -> Columns:
    """Return what was written as so many columns."""
    if isinstance(out, Columns) and len(out.columns) == planes:
        return out
    table = as_row(out).reshape(-1, planes)
    return Columns(tuple(table[:, column] for column in range(planes)))


def _with(out: Columns, place: int, column: Traced) -> Columns:
    return Columns(tuple(column if k == place else old for k, old in enumerate(out.columns)), out.turn)


def _dtype(out: Traced) -> Any:
    return out.columns[0].dtype if isinstance(out, Columns) else out.dtype


def length_of(out: Traced) -> int:
    """Return how many entries there are."""
    return len(out.columns) * len(out.columns[0]) if isinstance(out, Columns) else len(out)


def _order(places: Known) -> tuple[Turn, int, int] | None:
    """Return how to turn places so that they grow by one step, the first and the step; None where no turn does it."""
    for axes in permutations(range(places.ndim)):
        for flips in product((False, True), repeat=places.ndim):
            turn = Turn(places.shape, axes, tuple(axis for axis, flip in enumerate(flips) if flip))
            row = progression(turn.applied(places))
            if row is not None:
                return turn, *row
    return None


def blank(out: Traced, count: Value, value: Traced, mask: Mask) -> Any:
    """Return what was written with the first ``count`` entries of one value, where ``mask`` holds."""
    row = as_row(out)
    if mask is True and is_known(count) and int(count) == len(row):
        return jnp.broadcast_to(value, row.shape)
    covers = jnp.arange(len(row), dtype=np.int32) < count
    return jnp.where(covers if mask is True else covers & mask, value, row)
