"""One machine: DuckDB carries the dataflow out, and puts on the disk what does not fit into its memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.disk.engine import AT_ONCE
from griddsl.exact.disk.expansion import Expansion
from griddsl.exact.disk.tables import batches_of, successors_in
from griddsl.exact.draws import ExactError


class DuckEngine:
    """DuckDB with so much memory, such as ``2GB``."""

    def __init__(self, memory: str) -> None:
        try:
            import duckdb
            import pyarrow as pyarrow
        except ImportError:
            raise ImportError("DuckDB is not installed: pip install 'griddsl[disk]'") from None
        self.db: Any = duckdb.connect()
        try:
            self.db.execute("SET memory_limit = ?", [memory])
        except duckdb.Error:
            raise ExactError(f"`{memory}` is no amount of memory", "such as `2GB`") from None
        self._certain: dict[Path, bool] = {}
        self._spills = False
        self.db.execute("SET preserve_insertion_order = false")

    def _run(self, query: str, to: Path, given: Sequence[Any] = ()) -> int:
        """Write what a query gives as Parquet; return how many rows it has."""
        if not self._spills:  # once: DuckDB keeps to the folder that it has used
            self.db.execute("SET temp_directory = ?", [str(to.parent.absolute() / ".spilled")])
            self._spills = True
        target = str(to / "part.parquet").replace("'", "''")
        found = self.db.execute(f"COPY ({query}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)", given)
        return int(found.fetchone()[0])

    def expand(self, states: Path, to: Path, expansion: Expansion) -> None:
        """Write the successors of those states in which episodes go on."""
        import pyarrow.parquet as pq

        writer = None
        for batch in batches_of(states, AT_ONCE):
            table = successors_in(batch, expansion)
            if writer is None:
                writer = pq.ParquetWriter(to / "part.parquet", table.schema, compression="zstd")
            writer.write_table(table)
        if writer is not None:
            writer.close()

    def fresh(self, successors: Path, before: Sequence[Path], to: Path, first: int) -> int:
        """Write the states among the successors that are none of those before, numbered from ``first``; count them."""
        if not any(successors.glob("*.parquet")):
            return 0
        return self._run(
            'SELECT $3::BIGINT - 1 + row_number() OVER (ORDER BY key) AS id, key, "end" FROM '
            '(SELECT key, min("end") AS "end" FROM read_parquet($1) GROUP BY key) AS found '
            "WHERE NOT EXISTS (SELECT 1 FROM read_parquet($2) AS known WHERE known.key = found.key)",
            to,
            [_files(successors), [_files(folder) for folder in before], first],
        )

    def join(self, successors: Sequence[Path], states: Sequence[Path], to: Path) -> None:
        """Write the transitions of all successors."""
        given = [folder for folder in successors if any(folder.glob("*.parquet"))]
        if not given:
            self._run(_NO_TRANSITIONS, to)
            return
        self._run(
            'SELECT source, action, id AS target, s."end" AS "end", chance, reward, slope '
            "FROM read_parquet($1) AS s JOIN read_parquet($2) AS t ON s.key = t.key",
            to,
            [[_files(folder) for folder in given], [_files(folder) for folder in states]],
        )

    def sweep(
        self, transitions: Path, values: Path | None, to: Path, discount: float, step: int | None
    ) -> float:
        """Write the values after one more backup, of 0 at first; return the largest change of one."""
        reward = "reward" if step is None else f"(reward + {step} * slope)"
        value, join, given = "0.0", "", [_files(transitions)]
        if values is not None:
            value, join = "coalesce(v.value, 0.0)", "LEFT JOIN read_parquet($2) AS v ON v.id = t.target"
            given.append(_files(values))
        before = "LEFT JOIN read_parquet($2) AS v ON v.id = b.id" if values is not None else ""
        worth = f"{reward} + {discount!r} * {value}"
        choices = f"SELECT source, t.action, {worth} AS q FROM read_parquet($1) AS t {join}"
        if not self._is_certain(transitions):
            choices = (
                f"SELECT source, t.action, sum(chance * ({worth})) AS q FROM read_parquet($1) AS t {join} "
                "GROUP BY source, t.action"
            )
        self._run(
            f"SELECT b.id, b.value, b.action, abs(b.value - {value}) AS change FROM (SELECT source AS id, "
            f"max(q) AS value, arg_max(action, q) AS action FROM ({choices}) GROUP BY source) AS b {before}",
            to,
            given,
        )
        (change,) = self.db.execute("SELECT max(change) FROM read_parquet($1)", [_files(to)]).fetchone()
        return float(change or 0.0)

    def _is_certain(self, transitions: Path) -> bool:
        """Whether every action leads to one state, so that there is nothing to sum."""
        if transitions not in self._certain:
            query = "SELECT bool_and(chance = 1.0) FROM read_parquet($1)"
            (found,) = self.db.execute(query, [_files(transitions)]).fetchone()
            self._certain[transitions] = bool(found)
        return self._certain[transitions]

    def rows(self, folder: Path) -> int:
        """Return how many rows a table has."""
        (count,) = self.db.execute("SELECT count(*) FROM read_parquet($1)", [_files(folder)]).fetchone()
        return int(count)

    def values_of(self, values: Path, count: int) -> NDArray[np.float64]:
        """Return the values of the first so many states, 0 of those at an end."""
        found = np.zeros(count)
        rows = self.db.execute(
            "SELECT id, value FROM read_parquet($1) WHERE id < $2", [_files(values), count]
        )
        columns = rows.fetchnumpy()
        found[columns["id"]] = columns["value"]
        return found


_NO_TRANSITIONS = (
    'SELECT 0::BIGINT AS source, 0 AS action, 0::BIGINT AS target, 0::BIGINT AS "end", '
    "1.0::DOUBLE AS chance, 0.0::DOUBLE AS reward, 0.0::DOUBLE AS slope WHERE false"
)


def _files(folder: Path) -> str:
    return str(folder / "*.parquet")
