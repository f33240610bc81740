"""Glances: what a view shows, as data beside the statements that write it cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

from griddsl.program.ir.expressions import Expr, Local
from griddsl.program.ir.slots import Slot
from griddsl.program.ir.statements import Block


@dataclass(frozen=True, slots=True)
class Glance:
    """What a function that writes a view shows, for who looks at many cells at once; its statements do the same.

    In ``rows`` x ``columns`` places the agent, which is in the cell ``here``, stands at ``agent_row`` and
    ``agent_column``, and ``turn`` is up. A place has as many numbers as ``off``, which is what lies off the grid, and
    places go row by row, or ``by_columns``. ``ground`` has the numbers of each kind of tile by its code, and ``opaque``
    1 where it stops light; the codes are in the slot ``tiles``, or are always the ``fixed`` ones. What is not lit,
    where the view is ``occluded``, or not in the ``cone``, is ``unseen``.

    A cell shows the thing that the slot ``layer`` has for it, over the ground; the slot ``cells`` says where each of
    the first ``count`` things is. ``stops`` is whether a ``thing`` stops light, after the statements of ``asks``, and
    ``shown`` writes it at its ``pixel``. ``before`` is what the expressions need, ``after`` what is written at last.
    """

    rows: int
    columns: int
    agent_row: int
    agent_column: int
    cone: int
    occluded: bool
    by_columns: bool
    before: Block
    here: Expr
    turn: Expr
    ground: tuple[tuple[int, ...], ...]
    opaque: tuple[int, ...]
    off: tuple[int, ...]
    unseen: int
    tiles: Slot | None
    fixed: tuple[int, ...]
    layer: Slot | None
    cells: Slot | None
    count: Expr
    thing: Local
    pixel: Local
    asks: Block
    stops: Expr
    shown: Block
    after: Block
