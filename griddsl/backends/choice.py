"""Which backend runs a program: the fastest that is installed and can, or the one that is asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from griddsl.backends.batch import Batch
from griddsl.backends.interface import leaf_port
from griddsl.backends.native.emit import refusal
from griddsl.backends.native.library import Unproved, is_installed
from griddsl.backends.python.batch import PythonBatch
from griddsl.diagnostics import Refused
from griddsl.program.program import Program

if TYPE_CHECKING:
    from griddsl.backends.native.batch import NativeBatch
    from griddsl.backends.single import Single
    from griddsl.backends.table.enumeration import Table

_LOG = logging.getLogger("griddsl")
_Made = TypeVar("_Made")
BACKENDS = ("auto", "python", "native", "table")


def check_backend(backend: str) -> None:
    """Raise `ValueError` for a backend that does not exist."""
    if backend not in BACKENDS:
        raise Refused(f"there is no backend {backend!r}; choose one of {', '.join(BACKENDS)}")


def refused(program: Program, backend: str, reason: str) -> ValueError:
    """Return the error for a backend that cannot run a program."""
    return Refused(f"the {backend} backend cannot run {program.id}: {reason}")


def _tabled(program: Program, backend: str, bound: int) -> Table | str:
    """Return the table of a program, or why there is none: ``auto`` gives up after the time of ``bound`` runs."""
    from griddsl.backends.table import enumeration as table
    from griddsl.backends.table.suitable import refusal as no_table

    most = table.affordable(program, bound if backend == "auto" else 10 * table.BOUND)
    return no_table(program) or table.tabled(program, min(most, table.BOUND))


def choose_batch(program: Program, count: int, backend: str, threads: int) -> tuple[Batch, str]:
    """Return a batch and the name of its backend."""
    check_backend(backend)
    # Joint steps on tables are numpy's, one agent's are machine code where numba is installed.
    is_native_faster = len(program.players) > 1 and backend == "auto" and refusal(program) is None
    if backend in {"auto", "table"} and not is_native_faster:
        from griddsl.backends.table import enumeration as table
        from griddsl.backends.table.batch import TableBatch
        from griddsl.backends.table.joint import JointTableBatch

        found = _tabled(program, backend, table.AUTO_BOUND)
        if isinstance(found, table.Table):
            made = JointTableBatch if found.is_joint else TableBatch
            return made(program, found, count), "table"
        if backend == "table":
            raise refused(program, backend, found)
    if backend in {"auto", "native"}:
        reason = refusal(program)
        if reason is None:
            from griddsl.backends.native.batch import NativeBatch

            batch = _if_proved(program, backend, lambda: NativeBatch(program, count, threads))
            if batch is not None:
                return batch, "native"
        elif backend == "native":
            raise refused(program, backend, reason)
    return PythonBatch(program, count), "python"


def _if_proved(program: Program, backend: str, make: Callable[[], _Made]) -> _Made | None:
    """Return what runs machine code; None, with a warning, where that is not to be trusted and Python runs it too."""
    try:
        return make()
    except Unproved as doubt:
        if backend == "native":
            raise refused(program, backend, str(doubt)) from None
        _LOG.warning("%s: Python runs it, and no machine code: %s", program.id, doubt)
        return None


HEAVY = 64


def is_heavy(program: Program) -> bool:
    """Whether one environment gains from native code: it observes, or keeps, more than a few numbers."""
    leaves = [leaf for player in program.players for leaf in player.observation.leaves]
    leaves += program.goal.values()
    ports = [leaf_port(leaf) for leaf in leaves if leaf.function]
    observed = sum(port.size for port in ports if not port.is_value)
    return observed + program.layout.saved >= HEAVY


def choose_single(program: Program, backend: str) -> tuple[Single | None, str]:
    """Return what steps one environment, None for the reference backend, and the name of its backend."""
    check_backend(backend)
    if backend in {"auto", "table"}:
        from griddsl.backends.table import enumeration as table
        from griddsl.backends.table.single import TableSingle

        found = _tabled(program, backend, table.SINGLE_BOUND)
        if isinstance(found, table.Table):
            return TableSingle(found), "table"
        if backend == "table":
            raise refused(program, backend, found)
    if backend == "native" or (backend == "auto" and is_heavy(program)):
        reason = refusal(program)
        if reason is None:
            from griddsl.backends.native.single import NativeSingle

            single = _if_proved(program, backend, lambda: NativeSingle(program))
            if single is not None:
                return single, "native"
        elif backend == "native":
            raise refused(program, backend, reason)
    return None, "python"


def choose_game(program: Program, backend: str) -> tuple[NativeBatch | None, str]:
    """Return what steps one game of several, None for the reference backend, and the name of its backend."""
    check_backend(backend)
    if backend == "table":
        instead = "tables step batches of them: griddsl.make_parallel_vec(source, n, backend='table')"
        raise refused(program, backend, instead)
    reason = refusal(program) if backend != "python" else ""
    if backend == "native" and reason is not None:
        raise refused(program, backend, reason)
    if reason is not None or (backend == "auto" and not is_heavy(program)):
        return None, "python"
    from griddsl.backends.native.batch import NativeBatch

    game = _if_proved(program, backend, lambda: NativeBatch(program, 1))
    return (None, "python") if game is None else (game, "native")


def faster(program: Program, backend: str) -> str:
    """Return what would be faster, as the end of a sentence."""
    if backend == "python" and is_heavy(program) and not is_installed():
        return " (pip install 'griddsl[fast]' makes it faster)"
    return ""
