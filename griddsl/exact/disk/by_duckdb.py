"""One machine: DuckDB carries the dataflow out, and puts on the disk what does not fit into its memory."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

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
        self._spills = False
        self._worker = ThreadPoolExecutor(1)
        self.db.execute("SET preserve_insertion_order = false")

    def _ask(self, query: str, given: Sequence[Any] = ()) -> tuple[Any, ...]:
        """Return the first row of a query; Ctrl+C breaks it off, which DuckDB heeds only if it is told."""
        asked = self._worker.submit(lambda: self.db.execute(query, given).fetchone())
        try:
            row: tuple[Any, ...] = asked.result()
        except KeyboardInterrupt:
            self.db.interrupt()
            wait([asked])
            raise
        return row

    def _run(self, query: str, to: Path, given: Sequence[Any] = ()) -> int:
        """Write what a query gives as Parquet; return how many rows it has."""
        if not self._spills:  # once: DuckDB keeps to the folder that it has used
            self.db.execute("SET temp_directory = ?", [str(to.parent.absolute() / ".spilled")])
            self._spills = True
        target = str(to / "part.parquet").replace("'", "''")
        return int(self._ask(f"COPY ({query}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)", given)[0])

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
        """Write the transitions of all successors, ordered by source and action."""
        given = [folder for folder in successors if any(folder.glob("*.parquet"))]
        if given:
            self._run(
                "SELECT source, action, id AS target, chance, reward, slope "
                "FROM read_parquet($1) AS s JOIN read_parquet($2) AS t ON s.key = t.key "
                "ORDER BY source, action, target",
                to,
                [[_files(folder) for folder in given], [_files(folder) for folder in states]],
            )

    def rows(self, folder: Path) -> int:
        """Return how many rows a table has."""
        return int(self._ask("SELECT count(*) FROM read_parquet($1)", [_files(folder)])[0])


def _files(folder: Path) -> str:
    return str(Path(glob.escape(str(folder))) / "*.parquet")
