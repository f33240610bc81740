"""A process on disk: a folder of Parquet files, written by a dataflow that goes on where it was stopped.

    states/00007        id, key, end: those first found after seven steps
    successors/00007    where every action leads from them, by key
    transitions         the same of all states, by the numbers of states, in their order
    values-...          what each state is worth, and before that an array of values after some sweeps

A part is written beside its place and is put there when it is whole; what is there is whole.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import did_you_mean
from griddsl.exact.disk.engine import AT_ONCE, Engine
from griddsl.exact.disk.expansion import Expansion
from griddsl.exact.disk.sweeps import Sweeps
from griddsl.exact.disk.tables import as_binary, batches_of, values_of
from griddsl.exact.disk.transitions import Transitions, write_transitions
from griddsl.exact.draws import ExactError, TooManyStatesError
from griddsl.exact.enumerate import find_starts
from griddsl.exact.solve.horizon import steps_of
from griddsl.exact.states.step_need import step_need_of
from griddsl.files.writing import write
from griddsl.loading import resolve
from griddsl.program.identity import digest_of
from griddsl.program.program import Program
from griddsl.refused import whole_number

FORM = 2  # of the folder
ENGINES = ("duckdb", "ray")
MOST_STATES = 1_000_000_000
MOST_SWEEPS = 100_000
MOST = 1e300  # a residual of which nothing is known

# Told: what is done (states, steps of values), how many levels or sweeps, and how many states or rows.
Told = Callable[[str, int, int], None]


def enumerate_on_disk(
    source: AnySpec,
    folder: str | os.PathLike[str],
    *,
    engine: str = "duckdb",
    address: str | None = None,
    memory: str = "2GB",
    max_states: int = MOST_STATES,
    backend: str = "auto",
    progress: Told | None = None,
    **params: Any,
) -> DiskProcess:
    """Return a spec for one agent as a Markov decision process whose states and transitions are Parquet files.

    What was begun in ``folder`` is gone on with; a folder of another game is refused. ``engine`` is ``duckdb``, one
    machine, which keeps to ``memory`` and puts the rest on the disk, or ``ray``: the game itself runs on Ray Data,
    started here, or joined at ``address``; then the folder lies where all its machines reach it. ``backend`` is as
    `griddsl.to_mdp` has it.
    Raises `TooManyStatesError` beyond ``max_states``, `ExactError` for a game or a folder that does not fit, and
    `ImportError` where the engine is not installed.
    """
    max_states = whole_number("the most states (`max_states`)", max_states, 1)
    program = compiled(resolve(source), **params).program
    need = step_need_of(program)
    process = DiskProcess(
        program, Path(folder), _engine(engine, address, memory), Expansion(program, need, backend)
    )
    process.find(max_states, progress)
    return process


def _engine(name: str, address: str | None, memory: str) -> Engine:
    if name not in ENGINES:
        raise ExactError(
            f"there is no engine `{name}`", did_you_mean(name, ENGINES) or f"engines: {', '.join(ENGINES)}"
        )
    if name == "ray":
        from griddsl.exact.disk.by_ray import RayEngine

        return RayEngine(memory, address)
    if address is not None:
        raise ExactError("an address is that of a Ray cluster", '`engine="ray"` joins it')
    from griddsl.exact.disk.by_duckdb import DuckEngine

    return DuckEngine(memory)


@dataclass(frozen=True)
class DiskSolution:
    """What the best play is worth; ``values`` is a folder of Parquet files (id, value, action).

    ``error_bound`` holds in every state: how far a value can be from the optimum, but for the rounding of sums.
    """

    optimal_return: float
    discount: float
    horizon: int | None
    sweeps: int
    residual: float
    error_bound: float
    values: Path


class DiskProcess:
    """A Markov decision process in a folder; `solve` gives the best values."""

    def __init__(self, program: Program, folder: Path, engine: Engine, expansion: Expansion) -> None:
        self.program, self.folder, self.engine, self.expansion = program, folder, engine, expansion
        folder.mkdir(parents=True, exist_ok=True)
        about = {
            "form": FORM,
            "spec": program.id,
            "program": digest_of(program),
            "width": expansion.packing.width,
        }
        kept = folder / "process.json"
        if not kept.exists():
            if any(folder.iterdir()):
                raise ExactError(
                    f"`{folder}` holds something else", "give a folder that is empty, or not there"
                )
            write(kept, json.dumps(about, indent=1))
        elif _read(kept).get("form") != FORM:
            raise ExactError(
                f"`{folder}` was written by another version of griddsl",
                "take the folder away, and begin again",
            )
        elif _read(kept) != about:
            raise ExactError(
                f"`{folder}` holds the states of another game: {_read(kept).get('spec')}",
                "give another folder, or take that one away",
            )

    # Finding states

    def find(self, max_states: int, progress: Told | None = None) -> None:
        """Find all states and transitions that are not there yet."""
        level, known = 0, self._sizes()
        if not known:
            known = [self._begin()]
        while known[-1]:
            if sum(known) > max_states:
                raise TooManyStatesError(
                    f"there are more than {max_states:,} states", "raise the bound (`max_states`)"
                )
            level = len(known) - 1
            with _Part(self._successors(level)) as part:
                if part is not None:
                    self.engine.expand(self._states(level), part, self.expansion)
            with _Part(self._states(level + 1)) as part:
                assert part is not None
                before = [self._states(k) for k in range(level + 1)]
                count = self.engine.fresh(self._successors(level), before, part, sum(known))
                write(part / "_size.json", json.dumps(count))
            known.append(count)
            if progress is not None:
                progress("states", level + 1, sum(known))
        with _Part(self.folder / "transitions") as part:
            if part is not None:
                self._join(part, len(known) - 1)
        self.n_states, self.levels, self.sizes = sum(known), len(known) - 1, known[:-1]
        self.transitions = Transitions(self.folder / "transitions")
        self.n_transitions = self.transitions.rows

    def _join(self, to: Path, levels: int) -> None:
        """Write the transitions: first joined and in their order, then so that no state's are parted."""
        joined = self.folder / "joined"
        with _Part(joined) as part:
            if part is not None:
                self.engine.join(
                    [self._successors(k) for k in range(levels)],
                    [self._states(k) for k in range(levels)],
                    part,
                )
        write_transitions(batches_of(joined, AT_ONCE), to)
        shutil.rmtree(joined)

    def _begin(self) -> int:
        """Write the states to start in; return how many there are."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        starts = find_starts(self.program, self.expansion.step_need, self.expansion.backend)
        chances = [float(starts.initial[number]) for number in range(len(starts.states))]
        keys = self.expansion.packing.pack(starts.states, starts.outcome)
        with _Part(self._states(0)) as part:
            assert part is not None
            rows = {
                "id": np.arange(len(keys)),
                "key": as_binary(keys),
                "end": np.array(starts.outcome, np.int64),
            }
            pq.write_table(pa.table(rows), part / "starts.parquet")
            write(part / "_starts.json", json.dumps(chances))
            write(part / "_size.json", json.dumps(len(keys)))
        return len(keys)

    def _sizes(self) -> list[int]:
        sizes: list[int] = []
        while self._states(len(sizes)).is_dir():
            sizes.append(int(_read(self._states(len(sizes)) / "_size.json")))
        return sizes

    def _states(self, level: int) -> Path:
        return self.folder / "states" / f"{level:05}"

    def _successors(self, level: int) -> Path:
        return self.folder / "successors" / f"{level:05}"

    # Solving

    def solve(
        self,
        *,
        discount: float = 1.0,
        horizon: int | str | None = None,
        tolerance: float = 1e-10,
        progress: Told | None = None,
    ) -> DiskSolution:
        """Return what the best play is worth, by value iteration.

        With a ``horizon``, a number of steps or ``"limit"``, exactly that is solved, backwards; else a ``discount``
        below 1 is needed, and values are found to within ``tolerance``. A solution that was begun is gone on with.
        """
        if not 0 <= discount <= 1:
            raise ExactError(f"a discount is from 0 to 1, not {discount:g}")
        steps = steps_of(self.program, horizon)
        if steps is None and discount == 1:
            raise ExactError(
                "values without a discount and without a horizon are proved in memory only",
                'give a discount below 1, or a horizon (`horizon="limit"`)',
            )
        if steps is None and self.expansion.step_need.kind == "reward":
            raise ExactError("rewards depend on `step`", 'ask for a horizon (`horizon="limit"`)')
        whole = self.folder / f"values-{discount:g}-{steps or f'{tolerance:g}'}"
        if not whole.is_dir():
            self._sweep(whole, steps, discount, tolerance, progress)
        done, residual = _read(whole / "_residual.json")
        bound = 0.0 if steps is not None else residual * discount / (1 - discount)
        starts = _read(self._states(0) / "_starts.json")
        best = float(np.dot(starts, values_of(whole, len(starts))))
        return DiskSolution(best, discount, steps, done, float(residual), float(bound), whole)

    def _sweep(
        self, whole: Path, steps: int | None, discount: float, tolerance: float, progress: Told | None
    ) -> None:
        """Write the values; an array of values is kept after each sweep, and the one before is taken away."""
        sweeps = Sweeps(self.transitions, self.n_states)
        slopes = self.expansion.step_need.kind == "reward"
        found = sorted(self.folder.glob(f"{whole.name}.after-*"))
        if not found:
            found = [self.folder / f"{whole.name}.after-{0:06}"]
            with _Part(found[0]) as part:
                assert part is not None
                sweeps.opened(part, "w+").flush()
                write(part / "_residual.json", json.dumps([0, MOST]))
        for path in found[:-1]:  # left where the run was stopped as it took them away
            shutil.rmtree(path)
        kept = found[-1]
        done, residual = _read(kept / "_residual.json")
        while not self._is_settled(done, residual, steps, discount, tolerance):
            after = self.folder / f"{whole.name}.after-{done + 1:06}"
            with _Part(after) as part:
                assert part is not None
                shutil.copyfile(kept / "values.npy", part / "values.npy")
                values = sweeps.opened(part, "r+")
                if steps is None:
                    residual = sweeps.in_place(values, discount)
                    # Below that, what changes is how sums are rounded.
                    if residual <= 4 * np.finfo(np.float64).eps * max(values.max(), -values.min()):
                        residual = 0.0
                else:
                    step = steps - done if slopes else None
                    residual = sweeps.backwards(sweeps.opened(kept, "r"), values, discount, step)
                values.flush()
                write(part / "_residual.json", json.dumps([done + 1, residual]))
            shutil.rmtree(kept)
            done, kept = done + 1, after
            if progress is not None:
                progress("sweeps", done, steps or 0)
        with _Part(whole) as part:
            assert part is not None
            step = steps - done if slopes and steps is not None else None
            residual = sweeps.write_best(sweeps.opened(kept, "r"), part, discount, step)
            write(part / "_residual.json", json.dumps([done + 1, residual]))
        shutil.rmtree(kept)
        if progress is not None:
            progress("sweeps", done + 1, steps or 0)

    def _is_settled(
        self, done: int, residual: float, steps: int | None, discount: float, tolerance: float
    ) -> bool:
        """Return whether one more backup, the one that is written with its actions, is enough."""
        if steps is None:
            return residual * discount <= tolerance * (1 - discount) or done >= MOST_SWEEPS
        # What a sweep leaves as it was, all later ones leave so, where rewards are the same.
        return done == steps - 1 or (residual == 0 and self.expansion.step_need.kind != "reward")


class _Part:
    """A folder that is written beside its place; inside the context it is None where it is there already."""

    def __init__(self, place: Path) -> None:
        self.place, self.draft = place, place.with_name(f".{place.name}.draft")

    def __enter__(self) -> Path | None:
        if self.place.is_dir():
            return None
        shutil.rmtree(self.draft, ignore_errors=True)
        self.draft.mkdir(parents=True)
        return self.draft

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is None and self.draft.is_dir():
            self.draft.replace(self.place)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        raise ExactError(f"`{path}` is broken", "take the folder away, and begin again") from None
