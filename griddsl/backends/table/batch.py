"""A batch whose states are numbers: a step is a few gathers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.backends.batch import DISABLED, NEXT_STEP, SAME_STEP, Vectors
from griddsl.backends.interface import Array
from griddsl.backends.table.enumeration import Table
from griddsl.backends.table.states import TableStates
from griddsl.program.program import Program


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """Return the kernel of a step under numba; None where numba is not installed."""
    from griddsl.backends.native.library import is_installed, library
    from griddsl.backends.native.module import Kernel, Text

    if not is_installed():
        return None
    text = Path(__file__).with_name("kernel.py").read_text(encoding="utf-8")
    return library(Text("the step on tables", text), (Kernel("step", "aiaiaaaa", "i"),)).kernels["step"]


class TableBatch(TableStates):
    """A batch whose states are numbers: a step is a few gathers, by numba where it is installed, else by numpy."""

    def __init__(self, program: Program, table: Table, count: int, with_numba: bool = True) -> None:
        self._kernel: Any = _kernel() if with_numba else None
        # Numpy gathers by words of the machine and would convert anything else first.
        super().__init__(program, table, count, np.intp if self._kernel is None else np.int32)
        self._final_at = np.zeros_like(self.at)
        self._nodes: Array = np.zeros(count, np.int64)
        self._met: Array = np.zeros(count, np.int64)
        self._over: Array = np.zeros(count, np.bool_)
        self._radix = [len(group.actions) for group in program.groups]
        self._before_limit = 0  # for so many steps no environment comes to its limit
        # A single number that is observed, the usual case, is written by the kernel itself.
        writers = self.interface.writers
        self._is_number = bool(writers) and writers[0].form == "value" and writers[0].role == "observed"
        is_alone = len(writers) == 1
        self._is_written = self._kernel is not None and self._is_number and is_alone
        self._point()

    def _point(self) -> None:
        """Let the kernel know where the arrays lie."""
        super()._point()
        flat = self._flat
        kept = [flat.words, flat.gain, flat.branches, flat.shown[0] if self._is_number else self.at]
        kept += [self.at, self.steps, self.stream, self.done, self.outcome, self._final_at]
        self._kept = kept
        numbers = [array.ctypes.data for array in kept]
        numbers += [flat.resets.get(-1, 0), self._limit, self._actions, len(flat.words)]
        numbers += [len(self.table.states), int(self._is_number), len(flat.branches)]
        numbers += [self._nodes.ctypes.data, self._met.ctypes.data, flat.draws]
        self._addresses: Array = np.array(numbers, np.int64)

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew, on a level or one of the spec's; write what is seen and told of all."""
        if which.any():
            rows = np.flatnonzero(which)
            self._start(rows, level)
            self.done[rows] = False
        self._write(leaves, self.at, self.told)

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
        self._follow()
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

    def _start(self, rows: Array, level: int) -> None:
        """Start episodes of some games; the kernel knows the streams by their counters alone."""
        super()._start(rows, level)
        if self._kernel is not None:
            self._streams.settle()

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

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state, from which it may be close to its limit."""
        super().put(index, state)
        self._before_limit = 0
