"""Several machines: Ray Data runs the game on all of them; a worker that dies is replaced, and its batch done again.

What is joined and made distinct stays with DuckDB, on the machine that asked: a shuffle of Ray Data costs seconds
however little there is to shuffle, and a process has hundreds of levels and sweeps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from griddsl.exact.disk.by_duckdb import DuckEngine
from griddsl.exact.disk.engine import AT_ONCE
from griddsl.exact.disk.expansion import Expansion
from griddsl.exact.disk.tables import successors_in

FEWEST = 4 * AT_ONCE  # rows of a level, of which it is worth sending some elsewhere
MOST_WORKERS = 1024


class RayEngine(DuckEngine):
    """Ray, started here, or joined at an address."""

    def __init__(self, memory: str, address: str | None, fewest: int = FEWEST) -> None:
        super().__init__(memory)
        try:
            import ray
            import ray.data
        except ImportError:
            raise ImportError("Ray is not installed: pip install 'griddsl[distributed]'") from None
        if not ray.is_initialized():
            ray.init(address=address or "local", include_dashboard=False, log_to_driver=False)
        self.workers = max(1, min(MOST_WORKERS, int(ray.cluster_resources().get("CPU", 1)) - 1))
        self.ray: Any = ray
        self.fewest = fewest

    def expand(self, states: Path, to: Path, expansion: Expansion) -> None:
        """Write the successors of those states in which episodes go on; of small levels here."""
        count = self.rows(states)
        if count < self.fewest:
            super().expand(states, to, expansion)
            return
        self.ray.data.DataContext.get_current().enable_progress_bars = False
        size = min(AT_ONCE, -(-count // self.workers))
        given = self.ray.data.read_parquet([str(path) for path in sorted(states.glob("*.parquet"))])
        given.map_batches(
            _Expander,
            fn_constructor_args=(expansion,),
            batch_size=size,
            batch_format="pyarrow",
            compute=self.ray.data.ActorPoolStrategy(min_size=1, max_size=self.workers),
        ).write_parquet(str(to))


class _Expander:
    """What a worker holds: the game, made ready once."""

    def __init__(self, expansion: Expansion) -> None:
        self.expansion = expansion

    def __call__(self, batch: Any) -> Any:
        return successors_in(batch, self.expansion)
