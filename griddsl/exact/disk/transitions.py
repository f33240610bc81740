"""Transitions on disk: a Parquet file whose row groups hold whole states, and the backup of the values of one of them.

Rows are ordered by source and action. So the value of a target is looked up by its number, what an action is worth is a
sum over rows that stand side by side, and the best of a state a maximum over such sums: nothing is joined or sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS = 1 << 20  # of a row group, at least
_FILE = "part.parquet"


@dataclass(frozen=True)
class Block:
    """The transitions of some states: one row each, ordered by source and action.

    ``states`` are the sources, each once, ascending; ``first`` is where the rows of each action of a state begin,
    ``begins`` which of these actions is the first of its state, and ``action`` what it is called.
    """

    states: NDArray[np.int64]
    target: NDArray[np.int64]
    chance: NDArray[np.float64] | None  # None where all are 1
    reward: NDArray[np.float64]
    slope: NDArray[np.float64]
    first: NDArray[np.int64]
    begins: NDArray[np.int64]
    action: NDArray[np.int32]

    def worth(
        self, values: NDArray[np.float64], discount: float, step: int | None = None
    ) -> NDArray[np.float64]:
        """Return what each action of each state is worth, given the values of all states."""
        found = values[self.target]
        found *= discount
        found += self.reward
        if step is not None:
            found += step * self.slope
        if self.chance is None:
            return found
        found *= self.chance
        return np.add.reduceat(found, self.first)

    def best(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each state is worth by its best action."""
        return np.maximum.reduceat(worth, self.begins)

    def choices(self, worth: NDArray[np.float64], best: NDArray[np.float64]) -> NDArray[np.int32]:
        """Return the best action of each state, the first of those that are as good."""
        lengths = np.diff(self.begins, append=len(worth))
        able = np.flatnonzero(worth == np.repeat(best, lengths))
        _, at = np.unique(np.repeat(np.arange(len(best)), lengths)[able], return_index=True)
        return self.action[able[at]]


class Transitions:
    """A folder with transitions, of which a block is read at a time."""

    def __init__(self, folder: Path) -> None:
        import pyarrow.parquet as pq

        self.file: Any = pq.ParquetFile(folder / _FILE)
        self.blocks: int = self.file.num_row_groups
        self.rows: int = self.file.metadata.num_rows

    def read(self, number: int) -> Block:
        """Return one block."""
        rows = self.file.read_row_group(number)
        source, action = (rows.column(name).to_numpy() for name in ("source", "action"))
        chance = rows.column("chance").to_numpy()
        is_new_state = np.diff(source, prepend=-1) != 0
        first = np.flatnonzero(is_new_state | (np.diff(action, prepend=-1) != 0))
        is_certain = bool((chance == 1.0).all()) and len(first) == len(source)
        return Block(
            source[is_new_state],
            rows.column("target").to_numpy(),
            None if is_certain else chance,
            rows.column("reward").to_numpy(),
            rows.column("slope").to_numpy(),
            first,
            np.flatnonzero(is_new_state[first]),
            action[first],
        )

    def __iter__(self) -> Iterator[Block]:
        return (self.read(number) for number in range(self.blocks))


def write_transitions(tables: Iterable[Any], to: Path, rows: int = ROWS) -> None:
    """Write tables of Arrow, ordered by source and action, so that the rows of no state are parted.

    Columns are source, action, target, chance, reward and slope.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [
            ("source", pa.int64()),
            ("action", pa.int32()),
            ("target", pa.int64()),
            ("chance", pa.float64()),
            ("reward", pa.float64()),
            ("slope", pa.float64()),
        ]
    )
    with pq.ParquetWriter(to / _FILE, schema, compression="zstd") as writer:
        waiting: list[Any] = []
        for table in tables:
            waiting.append(table.cast(schema))
            if sum(len(each) for each in waiting) < rows:
                continue
            whole = pa.concat_tables(waiting)
            source = whole.column("source").to_numpy()
            assert (np.diff(source) >= 0).all(), "transitions are out of order"
            end = int(np.searchsorted(source, source[-1]))  # the last state may go on in the next table
            if end:
                writer.write_table(whole.slice(0, end), row_group_size=end)
            waiting = [whole.slice(end)]
        if waiting and any(len(each) for each in waiting):
            whole = pa.concat_tables(waiting)
            writer.write_table(whole, row_group_size=len(whole))
