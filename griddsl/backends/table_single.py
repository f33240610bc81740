"""One environment of the table backend: a step is a few list look-ups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from griddsl.backends.table import Table
from griddsl.program.runtime import draw
from griddsl.program.stream import Stream


class TableSingle:
    """One environment that walks a table: the number of its state, the count of its steps, its stream."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.at, self.steps = 0, 0
        self.stream = Stream()
        self._at_step = table.program.layout.offsets.get("STEP", -1)
        self.limit = table.program.limit if table.program.limit is not None else 2**62

    def reset(self, level: int) -> None:
        """Start an episode."""
        tree = self.table.reset_tree(level)
        while tree.__class__ is list:
            tree = tree[draw(self.stream, len(tree))]
        assert isinstance(tree, tuple)
        self.at, self.steps = tree[0], 0

    def knows(self, integers: Sequence[int], reals: Sequence[float]) -> bool:
        """Whether the table has a state."""
        return self.table.key(integers, reals) in self.table.numbers

    def put(self, integers: list[int], reals: list[float]) -> None:
        """Go to a state."""
        self.at = self.table.number(integers, reals)
        self.steps = integers[self._at_step] if self._at_step >= 0 else 0

    def take(self) -> tuple[list[int], tuple[float, ...]]:
        """Return the saved state."""
        integers, reals = self.table.states[self.at]
        kept = list(integers)
        if self._at_step >= 0:
            kept[self._at_step] = self.steps
        return kept, reals

    def expanded(self, action: int) -> Any:
        """Return the entry of an action that was not known yet."""
        self.table.expand(self.at)
        return self.table.trees[self.at * len(self.table.actions) + action]
