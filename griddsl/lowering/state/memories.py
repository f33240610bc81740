"""Memories: what the state keeps of values as they were, and of whom or what."""

from __future__ import annotations

from dataclasses import dataclass, field

from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import ValueType
from griddsl.program import ir
from griddsl.syntax import nodes as n


@dataclass(frozen=True, slots=True)
class Owner:
    """Of what an expression is remembered: of each agent, each thing of some kinds, or each cell (without ``kind``).

    ``names`` are those by which the expression speaks of it.
    """

    names: tuple[str, ...]
    kind: Kind | None
    others: tuple[Kind, ...] = ()
    may_be_none: bool = False  # whether it is asked of a thing that may not be there

    @property
    def is_of_things(self) -> bool:
        """Whether it is of objects or tiles, of which there may be fewer than there is room for."""
        return self.kind is not None and self.kind.category != "agent"


@dataclass(slots=True)
class Memory:
    """An expression that is remembered, and the slot that holds its value, or one of each owner."""

    node: n.Expression
    slot: ir.Slot
    type: ValueType
    is_lowest: bool
    owner: Owner | None
    range: tuple[int, int]  # of its values
    kept: ir.Block = field(default_factory=list)  # what writes the slot at the start of a step
