"""A batch whose states are numbers: a step is a few gathers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.backends.batch import DISABLED, NEXT_STEP, SAME_STEP, Batch, Vectors
from griddsl.backends.interface import Array
from griddsl.backends.table.enumeration import Table
from griddsl.backends.table.flat import SIZE, flattened
from griddsl.backends.table.streams import Streams
from griddsl.program.program import Program

FEW = 16  # environments for which numpy's calls take longer than a loop


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """Return the kernel of a step under numba; None where numba is not installed."""
    from griddsl.backends.native.library import is_installed, library
    from griddsl.backends.native.module import Kernel, Text

    if not is_installed():
        return None
    text = Path(__file__).with_name("kernel.py").read_text(encoding="utf-8")
    return library(Text("the step on tables", text), (Kernel("step", "aiaiaaaa", "i"),)).kernels["step"]


class TableBatch(Batch):
    """A batch whose states are numbers: a step is a few gathers, by numba where it is installed, else by numpy."""

    def __init__(self, program: Program, table: Table, count: int, with_numba: bool = True) -> None:
        self._streams = Streams(count)
        super().__init__(program, count)
        self.table = table
        self._kernel: Any = _kernel() if with_numba else None
        # Numpy gathers by words of the machine and would convert anything else first.
        self.at: Array = np.zeros(count, np.intp if self._kernel is None else np.int32)
        self.steps: Array = np.zeros(count, np.int64)
        self._final_at = np.zeros_like(self.at)
        self._nodes: Array = np.zeros(count, np.int64)
        self._met: Array = np.zeros(count, np.int64)
        self._over: Array = np.zeros(count, np.bool_)
        self._radix = [len(group.actions) for group in program.groups]
        self._actions = len(table.actions)
        self._limit = program.limit if program.limit is not None else 2**62
        self._before_limit = 0  # for so many steps no environment comes to its limit
        self._counts_steps = "STEP" in program.layout.offsets
        # A single number that is observed, the usual case, is written by the kernel itself.
        writers = self.interface.writers
        self._is_number = bool(writers) and writers[0].form == "value" and writers[0].role == "observed"
        is_alone = len(writers) == 1
        self._is_written = self._kernel is not None and self._is_number and is_alone
        self._point()

    def _point(self) -> None:
        """Let the kernel know where the arrays lie."""
        flat = self._flat = flattened(self.table)
        self._version = self.table.version
        self._streams.alike = flat.alike
        kept = [flat.words, flat.gain, flat.branches, flat.shown[0] if self._is_number else self.at]
        kept += [self.at, self.steps, self.stream, self.done, self.outcome, self._final_at]
        self._kept = kept
        numbers = [array.ctypes.data for array in kept]
        numbers += [flat.resets.get(-1, 0), self._limit, self._actions, len(flat.words)]
        numbers += [len(self.table.states), int(self._is_number), len(flat.branches)]
        numbers += [self._nodes.ctypes.data, self._met.ctypes.data, int(flat.is_sure)]
        self._addresses: Array = np.array(numbers, np.int64)

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew, on a level or one of the spec's; write what is seen and told of all."""
        if which.any():
            self.table.reset_tree(level)
            if self._version != self.table.version:
                self._point()
            rows = np.flatnonzero(which)
            nodes = np.full(len(rows), self._flat.resets[level], np.intp)
            self.at[rows] = self._flat.next[self._walked(nodes, rows)]
            self.steps[rows] = 0
            self.done[rows] = False
        self._write(leaves, self.at, self.told)

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

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes ended."""
        if len(self._radix) > 1:
            self.check_actions(actions)
            rows = actions.reshape(self.count, -1)
            chosen = np.ascontiguousarray(np.ravel_multi_index(tuple(rows.T), tuple(self._radix)))
        else:
            chosen = actions
        if mode == DISABLED:
            self._expand_ends()
        if self._version != self.table.version:
            self._point()
        if self._kernel is not None:
            first = leaves[0] if self._is_number else chosen
            over: int = self._kernel(self._addresses, self.count, chosen, mode, first, reward, ended, cut)
            if over < 0:
                self.check_actions(actions)
        else:
            if np.maximum.reduce(chosen.view(np.uint64)) >= self._actions:
                self.check_actions(actions)
            over = self._gathered(chosen, mode, reward, ended, cut)
        if over and mode == SAME_STEP:
            self._write(self.final_leaves, self._final_at, self.final_told)
        if not self._is_written:
            self._write(leaves, self.at, self.told)
        return over

    def _expand_ends(self) -> None:
        """Expand the states that episodes ended in and that are stepped from all the same."""
        if self.done.any():
            for number in np.unique(self.at[self.done]).tolist():
                self.table.expand(number)

    def _gathered(self, chosen: Array, mode: int, reward: Array, ended: Array, cut: Array) -> int:
        """Carry out one step by numpy: as few gathers as there are things to know."""
        flat, at, nodes = self._flat, self.at, self._nodes
        np.multiply(at, self._actions, out=nodes)
        nodes += chosen
        resets: Any = self.done.nonzero()[0] if mode == NEXT_STEP and np.count_nonzero(self.done) else ()
        if len(resets):
            nodes[resets] = flat.resets[-1]
        if not flat.is_sure:
            nodes = self._walked(nodes)
        elif len(resets) and flat.words[flat.resets[-1]] < 0:
            nodes[resets] = self._walked(nodes[resets], resets)
        flat.next.take(nodes, out=at, mode="clip")
        flat.gain.take(nodes, out=reward, mode="clip")
        flat.ended.take(nodes, out=ended, mode="clip")
        if flat.cuts:
            flat.cut.take(nodes, out=cut, mode="clip")
        else:
            cut.fill(False)
        if self._counts_steps:
            self._count(resets, cut)
        over = np.logical_or(ended, cut, out=self._over if mode == SAME_STEP else self.done)
        count = int(np.count_nonzero(over))
        self.outcome.fill(0)
        if count:
            rows = over.nonzero()[0]
            self.outcome[rows] = flat.outcome[nodes[rows]]
            if mode == SAME_STEP:
                self._final_at[rows] = at[rows]
                starts = np.full(len(rows), flat.resets[-1], np.intp)
                at[rows] = flat.next[self._walked(starts, rows)]
                self.steps[rows] = 0
        return count

    def _count(self, resets: Any, cut: Array) -> None:
        """Count the steps; cut the episodes that come to their limit."""
        self.steps += 1
        if len(resets):
            self.steps[resets] = 0
        if self._before_limit:
            self._before_limit -= 1
        else:
            cut |= self.steps >= self._limit
            self._before_limit = max(0, self._limit - int(self.steps.max()) - 1)

    def _write(self, leaves: list[Array], at: Array, told: list[Array]) -> None:
        """Write what is seen and told in the states of these numbers."""
        for out, values in zip([*leaves, *told], self._flat.shown, strict=True):
            values.take(at, axis=0, out=out, mode="clip")

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one game."""
        integers, reals = self.table.states[self.at[index]]
        kept = list(integers)
        if self._counts_steps:
            kept[self.program.layout.offsets["STEP"]] = int(self.steps[index])
        return kept, list(reals), int(self.stream[index])

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state."""
        integers, reals, self.stream[index] = state
        self.at[index] = self.table.number(integers, reals)
        if self._counts_steps:
            self.steps[index] = integers[self.program.layout.offsets["STEP"]]
        self.done[index] = False
        self._before_limit = 0
        if self._version != self.table.version:
            self._point()

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""
        return self.at.nbytes + self.steps.nbytes + self.stream.nbytes
