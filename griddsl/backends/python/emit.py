"""The Python backend: the generated source, run as it stands. The reference for all others."""

from __future__ import annotations

import linecache
import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from griddsl.backends.python.gathering import Columns, gathered_lines, held, matching
from griddsl.backends.python.glances import Glances
from griddsl.backends.python.plug_ins import loaded
from griddsl.backends.python.remembering import Remembered
from griddsl.program import drawing, ir, runtime
from griddsl.program.exponential import exponential
from griddsl.program.ir import Table
from griddsl.program.observing import reached
from griddsl.program.passes.effects import Known
from griddsl.program.printer import Dialect
from griddsl.program.program import Program
from griddsl.program.stream import Stream

LONG_TABLE = 65_536
RUNTIME: dict[str, Any] = {
    **{
        name: getattr(runtime, name)
        for name in (
            "draw", "odds", "chance", "weighted", "snapshot", "restore", "blank", "SetupFailure", "INFINITY",
        )
    },
    **drawing.LOOPS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Machine:
    """A program made ready to run: its functions, and the sizes of the vectors they work on.

    A state is a list ``s`` of integers, a list ``f`` of reals, and ``r``, the stream.
    """

    functions: Mapping[str, Callable[..., Any]]
    initial: list[int]
    initial_reals: list[float]
    fired: list[int]

    def new_state(self) -> tuple[list[int], list[float], Stream]:
        """Return vectors for one environment."""
        return self.initial.copy(), self.initial_reals.copy(), Stream()


def build(
    program: Program,
    traced: bool = False,
    only: Iterable[str] | None = None,
    wraps: Mapping[str, Callable[[Callable[..., Any]], Callable[..., Any]]] | None = None,
    **overrides: Callable[..., Any],
) -> Machine:
    """Return the functions of a program, or ``only`` some with all that they call.

    ``overrides`` replace runtime functions, as enumeration does with draws. ``wraps`` gives functions of the program
    another form where others of them call them; who asks the machine for one gets it as it is.
    """
    functions = program.functions if only is None else [each.name for each in reached(program, only)]
    glances, known, dialect = Glances.of(program), Known(program.plain.functions), Dialect(traced=traced)
    columns: Columns = {}

    def written(function: ir.Function, taken: Set[str]) -> list[str]:
        return glances.lines(function, taken) or gathered_lines(function, taken, dialect, known, columns)

    text = program.source(dialect, functions, written)
    name = f"<griddsl {program.id}>"
    initial, initial_reals = program.initial()
    fired: list[int] = []
    names: dict[str, Any] = {
        **RUNTIME,
        **{table.name: _values(table) for table in program.tables},
        **glances.names(),
        **columns,
        **{function: loaded(program, plug_in) for function, plug_in in program.plug_ins.items()},
        "exp": exponential,
        "held": held,
        "matching": matching,
        "Remembered": Remembered,
        "sqrt": math.sqrt,
        "INITIAL": initial,
        "INITIAL_REALS": initial_reals,
        "fired": fired,
        **overrides,
    }
    exec(compile(text, name, "exec"), names)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    machine = Machine({name: names[name] for name in functions}, initial, initial_reals, fired)
    names.update({name: wrap(names[name]) for name, wrap in (wraps or {}).items() if name in names})
    return machine


def _values(table: Table) -> Sequence[float]:
    """Return a table's values: a list, or for a long one an array, which is smaller."""
    if len(table.values) > LONG_TABLE and table.type == "int":
        return array("q", np.asarray(table.values, dtype=np.int64).tobytes())
    return np.asarray(table.values).tolist() if isinstance(table.values, np.ndarray) else list(table.values)
