"""Where the games of a batch stand: each in a state with a number, by whose trees its draws lead on."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from griddsl.backends.batch import Batch, Vectors
from griddsl.backends.interface import Array
from griddsl.backends.table.enumeration import Table
from griddsl.backends.table.flat import SIZE, flattened
from griddsl.backends.table.streams import Streams
from griddsl.program import keys
from griddsl.program.program import Program

FEW = 16  # environments for which numpy's calls take longer than a loop


class TableStates(Batch):
    """A batch whose states are numbers: where they stand, how they start, and what is seen in them."""

    def __init__(self, program: Program, table: Table, count: int, number: DTypeLike) -> None:
        self._streams = Streams(count)
        super().__init__(program, count)
        self.table = table
        self.at: Array = np.zeros(count, number)
        self.steps: Array = np.zeros(count, np.int64)
        self._actions = len(table.actions)
        self._limit = program.limit if program.limit is not None else 2**62
        self._counts_steps = keys.STEP in program.layout.offsets

    def _point(self) -> None:
        """Take the table as it is now."""
        self._flat = flattened(self.table)
        self._version = self.table.version
        self._streams.alike = self._flat.alike

    def _follow(self) -> None:
        """Take the table as it is now, where it has grown."""
        if self._version != self.table.version:
            self._point()

    def _start(self, rows: Array, level: int) -> None:
        """Start episodes of some games, on a level or one of the spec's."""
        self.table.reset_tree(level)
        self._follow()
        nodes = np.full(len(rows), self._flat.resets[level], np.intp)
        self.at[rows] = self._flat.next[self._walked(nodes, rows)]
        self.steps[rows] = 0

    def show(self, which: Array, leaves: list[Array]) -> None:
        """Write what is seen and told of all games as they stand."""
        self._write(leaves, self.at, self.told)

    @property
    def stream(self) -> Array:
        """The counters of all streams, (count,) uint64, which may be written to."""
        return self._streams.counters

    @stream.setter
    def stream(self, counters: Array) -> None:
        self._streams.counters[:] = counters

    def _walked(self, nodes: Array, rows: Array | None = None) -> Array:
        """Return the leaves that draws lead to from nodes; ``rows`` are the environments, None for all."""
        flat = self._flat
        if rows is not None and len(rows) < FEW:
            return np.array([self._leaf(*pair) for pair in zip(nodes.tolist(), rows.tolist(), strict=True)])
        ways = flat.ways.take(nodes, mode="clip")
        sizes = ways & SIZE
        ways >>= 13
        ways += self._streams.draw(sizes.view(np.uint64), rows).view(np.int64)
        nodes = flat.onward.take(ways, mode="clip")
        if flat.is_deep:
            inner = np.flatnonzero(flat.ways.take(nodes, mode="clip") & SIZE)
            if len(inner):
                nodes[inner] = self._walked(nodes[inner], inner if rows is None else rows[inner])
        return nodes

    def _leaf(self, node: int, row: int) -> int:
        """Return the leaf that the draws of one environment lead to."""
        flat = self._flat
        while (word := flat.words.item(node)) < 0:
            node = flat.branches.item((~word >> 13) + self._streams.draw_one(row, ~word & SIZE))
        return node

    def _write(self, leaves: list[Array], at: Array, told: list[Array]) -> None:
        """Write what is seen and told in the states of these numbers."""
        for out, values in zip([*leaves, *told], self._flat.shown, strict=True):
            values.take(at, axis=0, out=out, mode="clip")

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one game."""
        integers, reals = self.table.states[self.at[index]]
        kept = list(integers)
        if self._counts_steps:
            kept[self.program.layout.offsets[keys.STEP]] = int(self.steps[index])
        return kept, list(reals), int(self.stream[index])

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state."""
        integers, reals, self.stream[index] = state
        self.at[index] = self.table.number(integers, reals)
        if self._counts_steps:
            self.steps[index] = integers[self.program.layout.offsets[keys.STEP]]
        self.done[index] = False
        self._follow()

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""
        return self.at.nbytes + self.steps.nbytes + self.stream.nbytes
