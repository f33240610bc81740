"""What a user lays over a board, as numbers and directions: values and policies, looked at before they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.program.program import Program
from griddsl.refused import Refused

Array = np.ndarray[Any, Any]


def laid_values(program: Program, values: Any) -> Array | None:
    """Return the numbers of the cells, ``(height, width)``; NaN where there is none.

    ``values`` is one number a cell, ``(height, width)`` or flat. Raises `ValueError` for anything else.
    """
    if values is None:
        return None
    shape = (program.height, program.width)
    array = _numbers(
        "values", [np.nan if each is None else each for each in values] if _is_row(values) else values
    )
    if array.shape not in (shape, (program.cells,)):
        raise Refused(
            f"values has the shape {array.shape}; one number a cell is needed, {shape} or {(program.cells,)}"
        )
    return array.reshape(shape)


def laid_policy(program: Program, policy: Any) -> tuple[tuple[int, ...], ...] | None:
    """Return the directions to draw in each cell.

    ``policy`` is one action a cell, ``(H, W)`` or flat, None or NaN where there is none; or ``(H, W, actions)`` (or
    one row a cell) of true and false, or of probabilities, whose largest entries are the best actions; or a list with
    a list of actions for each cell. Raises `ValueError` for anything else, and for actions that there are not.
    """
    if policy is None:
        return None
    directions = _directions(program)
    cells = program.cells
    if _is_row(policy) and len(policy) == cells and not _are_rows(policy, len(directions)):
        return tuple(
            tuple(_direction(directions, each) for each in np.atleast_1d(np.asarray(entry, object)))
            if entry is not None
            else ()
            for entry in policy
        )
    array = _numbers("policy", policy)
    shape, count = (program.height, program.width), len(directions)
    if array.shape in (shape, (cells,)):
        return tuple(
            () if np.isnan(action) else (_direction(directions, action),) for action in array.reshape(-1)
        )
    if array.shape not in ((*shape, count), (cells, count)):
        raise Refused(
            f"policy has the shape {array.shape}; one action a cell is needed, {shape} or {(cells,)}, or one row of "
            f"{count} actions, {(*shape, count)} or {(cells, count)}"
        )
    if np.isinf(array).any():
        raise Refused("policy has rows of chances, and one of them is infinite")
    return tuple(tuple(directions[action] for action in _best(row)) for row in array.reshape(cells, -1))


def _best(row: Array) -> Array:
    """Return the largest entries of a row; none of a row of zeros, or without numbers."""
    if np.isnan(row).all() or not (np.nanmax(row) > np.nanmin(row) or np.nanmax(row) > 0):
        return np.zeros(0, np.int64)
    with np.errstate(over="ignore"):  # what differs by more than a float holds is not close
        return np.flatnonzero(np.isclose(row, np.nanmax(row)))


def _is_row(given: Any) -> bool:
    return isinstance(given, list | tuple)


def _are_rows(policy: Any, count: int) -> bool:
    """Whether a list holds rows of chances or of truth values, and no lists of actions."""
    rows = [np.asarray(entry) for entry in policy if entry is not None]
    return bool(rows) and all(row.shape == (count,) and row.dtype.kind in "bf" for row in rows)


def _directions(program: Program) -> tuple[int, ...]:
    """Return the direction of an arrow for each action, -1 for a dot."""
    found = program.metadata.get("directions")
    return found if isinstance(found, tuple) else (-1,) * len(program.groups[0].actions)


def _direction(directions: tuple[int, ...], action: Any) -> int:
    """Return the direction of an action; raise `Refused` where there is none of that number."""
    try:
        if action == int(action) and 0 <= action < len(directions):
            return directions[int(action)]
    except (TypeError, ValueError, OverflowError):
        pass
    last, shown = len(directions) - 1, f"{action:g}" if isinstance(action, float) else str(action)[:40]
    raise Refused(f"policy has {shown} in a cell, and actions are 0 to {last}; None or NaN draws no arrow")


def _numbers(what: str, given: Any) -> Array:
    """Return an array of numbers; raise `Refused` for texts, parts of other lengths, complex numbers."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise Refused(f"{what} has rows of several lengths") from None
    if array.dtype.kind not in "biuf":
        raise Refused(f"{what} holds numbers, not {array.dtype}")
    return array.astype(float)
