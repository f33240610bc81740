"""Tables: keys and successors as columns of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.disk.expansion import Expansion, Successors
from griddsl.exact.steps import RUNNING


def as_binary(keys: NDArray[np.uint8]) -> Any:
    """Return keys, ``(rows, width)``, as an Arrow array of bytes."""
    import pyarrow as pa

    count, width = keys.shape
    offsets = np.arange(0, (count + 1) * width, width, dtype=np.int64)
    values = np.ascontiguousarray(keys)
    return pa.LargeBinaryArray.from_buffers(
        pa.large_binary(), count, [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    ).cast(pa.binary())


def keys_of(column: Any, width: int) -> NDArray[np.uint8]:
    """Return the keys of an Arrow column, ``(rows, width)``."""
    return np.frombuffer(b"".join(column.to_pylist()), np.uint8).reshape(len(column), width)


def batches_of(folder: Path, count: int) -> Iterator[Any]:
    """Yield the rows of a folder, so many at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in sorted(folder.glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(count):
                yield pa.Table.from_batches([batch])


def successors_in(states: Any, expansion: Expansion) -> Any:
    """Return the successors of a table of states: of those in which episodes go on."""
    going = states.filter(np.asarray(states.column("end")) == RUNNING)
    keys = keys_of(going.column("key"), expansion.packing.width)
    ids = np.asarray(going.column("id"))
    return table_of(ids, expansion.expand(keys))


def table_of(ids: NDArray[np.int64], found: Successors) -> Any:
    """Return successors as an Arrow table; their sources are places in ``ids``."""
    import pyarrow as pa

    return pa.table(
        {
            "source": ids[found.source],
            "action": found.action,
            "key": as_binary(found.key),
            "end": found.end,
            "chance": found.chance,
            "reward": found.reward,
            "slope": found.slope,
        }
    )


def values_of(folder: Path, count: int) -> NDArray[np.float64]:
    """Return the values of the first so many states, 0 of those at an end."""
    import pyarrow.parquet as pq

    found = np.zeros(count)
    rows = pq.read_table(folder / "part.parquet", columns=["id", "value"], filters=[("id", "<", count)])
    found[rows.column("id").to_numpy()] = rows.column("value").to_numpy()
    return found
