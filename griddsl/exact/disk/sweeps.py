"""Sweeps of values over transitions on disk: a block is read and backed up, if anything that it leads to has changed.

Values are an array in a file, one number a state, at 0 where an episode is over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.disk.transitions import Block, Transitions

ROUNDS = 16  # of a block that is read: to pass on within it what changes costs less than to read it again
_SHARE = 1 << 16  # states of which it is known together whether one of them changed


class Sweeps:
    """What is known of blocks between two sweeps: which states they lead to, and whether one of these has changed."""

    def __init__(self, transitions: Transitions, n_states: int) -> None:
        self.transitions, self.n_states = transitions, n_states
        parts = -(-n_states // _SHARE)
        # Of a block whose targets are not known yet, every change matters.
        self._leads = np.ones((transitions.blocks, parts), np.bool_)
        self._is_known = np.zeros(transitions.blocks, np.bool_)
        self._is_due = np.ones(transitions.blocks, np.bool_)

    def opened(self, folder: Path, how: str) -> np.memmap[Any, np.dtype[np.float64]]:
        """Return the values in a folder: ``r`` to read, ``r+`` to change them, ``w+`` for new ones, all 0."""
        shape = (self.n_states,) if how == "w+" else None
        dtype = np.float64 if how == "w+" else None
        return np.lib.format.open_memmap(folder / "values.npy", how, dtype, shape)

    def in_place(self, values: NDArray[np.float64], discount: float) -> float:
        """Back up all states whose targets have changed, those that were found last first; return the residual.

        Later backups of a sweep take what the earlier ones found (Gauss-Seidel). The residual bounds how much one more
        backup would change any value.
        """
        largest = 0.0
        for number in reversed(range(self.transitions.blocks)):
            if not self._is_due[number]:
                continue
            block = self._read(number)
            self._is_due[number] = False
            moved, changed, is_settled = 0.0, np.zeros(len(block.states), np.bool_), False
            for _ in range(ROUNDS):
                best = block.best(block.worth(values, discount))
                change = np.abs(best - values[block.states])
                values[block.states] = best
                moved += float(change.max())
                changed |= change > 0
                is_settled = not change.any()
                if is_settled:
                    break
            self._told(block.states[changed])
            self._is_due[number] &= not is_settled
            largest = max(largest, moved)
        return largest * discount

    def backwards(
        self, before: NDArray[np.float64], after: NDArray[np.float64], discount: float, step: int | None
    ) -> float:
        """Write the values with one more step to go; return the largest change of one.

        ``after`` holds what ``before`` does. ``step`` times its slope is added to the reward of a transition, where it
        is not None, and then every block is backed up.
        """
        largest, due = 0.0, np.flatnonzero(self._is_due | (step is not None))
        self._is_due[due] = False
        for number in due.tolist():
            block = self._read(number)
            best = block.best(block.worth(before, discount, step))
            change = np.abs(best - before[block.states])
            after[block.states] = best
            self._told(block.states[change > 0])
            largest = max(largest, float(change.max()))
        return largest

    def write_best(self, values: NDArray[np.float64], to: Path, discount: float, step: int | None) -> float:
        """Write what each state is worth by one more backup, and the action, as Parquet; return the largest change."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        largest = 0.0
        schema = pa.schema([("id", pa.int64()), ("value", pa.float64()), ("action", pa.int32())])
        with pq.ParquetWriter(to / "part.parquet", schema, compression="zstd") as writer:
            for block in self.transitions:
                worth = block.worth(values, discount, step)
                best = block.best(worth)
                columns: list[Any] = [block.states, best, block.choices(worth, best)]
                writer.write_table(pa.table(columns, schema=schema))
                largest = max(largest, float(np.abs(best - values[block.states]).max()))
        return largest

    def _read(self, number: int) -> Block:
        block = self.transitions.read(number)
        if not self._is_known[number]:
            self._leads[number] = False
            self._leads[number, block.target // _SHARE] = True
            self._is_known[number] = True
        return block

    def _told(self, states: NDArray[np.int64]) -> None:
        """Take note of states whose values have changed: all blocks that lead to one like them are due."""
        if len(states):
            parts = np.zeros(self._leads.shape[1], np.bool_)
            parts[states // _SHARE] = True
            self._is_due |= self._leads[:, parts].any(1)
