"""``griddsl solve --on-disk``: more states than memory takes, in a folder of Parquet files."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from griddsl.cli.failures import ERRORS, INTERRUPTED, Refusal, harmless, note
from griddsl.cli.progress import SECONDS_BETWEEN


def solve_on_disk(
    path: Path, folder: Path, params: Mapping[str, Any], given: Mapping[str, Any], discount: float, steps: Any
) -> None:
    """Enumerate and solve, and print what came out; what is there already is not done again."""
    from griddsl.compiler import compiled
    from griddsl.exact.disk import enumerate_on_disk

    told = _Told()
    settings = {name: value for name, value in given.items() if value is not None}
    started = time.perf_counter()
    try:
        process = enumerate_on_disk(compiled(path, **params), folder, progress=told, **settings)
        middle = time.perf_counter()
        if steps is None and process.program.limit is not None and discount == 1:
            told.clear()
            print("note: on disk, values without a discount are those of the limit", file=sys.stderr)
            steps = "limit"
        found = process.solve(discount=discount, horizon=steps, progress=told)
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    except KeyboardInterrupt:
        told.clear()
        note(f"stopped; the same command goes on from what is in {folder}")
        raise SystemExit(INTERRUPTED) from None
    finally:
        told.clear()
    last = time.perf_counter()
    title = "optimal return"
    title += f", discounted by {discount:g}" if discount < 1 else ""
    title += f", in at most {found.horizon:,} steps" if found.horizon is not None else ""
    rows = [
        ("spec", process.program.id),
        ("states", f"{process.n_states:,}, found in {process.levels:,} levels"),
        ("transitions", f"{process.n_transitions:,}, in {middle - started:.3g} s"),
        (title, f"{found.optimal_return:.10g}"),
        ("solved by", f"value iteration, {found.sweeps:,} sweeps, {last - middle:.3g} s"),
        (
            "error at most",
            f"{found.error_bound:.1e} in every state" if found.error_bound else "that of rounding",
        ),
        ("values", harmless(str(found.values))),
    ]
    wide = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:<{wide}}  {text}" for name, text in rows))


class _Told:
    """A line on the terminal: levels and states, or sweeps."""

    def __init__(self) -> None:
        self._is_shown, self._last = sys.stderr.isatty(), 0.0

    def __call__(self, what: str, done: int, count: int) -> None:
        now = time.monotonic()
        if not self._is_shown or now - self._last < SECONDS_BETWEEN:
            return
        self._last = now
        text = (
            f"level {done:,}, {count:,} states"
            if what == "states"
            else f"sweep {done:,}" + (f" of {count:,}" if count else "")
        )
        print(f"\r{text}", end="\x1b[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown and self._last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
