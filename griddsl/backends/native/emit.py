"""The text of native modules: a program's functions and tables, and how its kernels find the state of each game."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np

from griddsl.backends.interface import Array
from griddsl.backends.native.library import Library, is_installed, is_switched_off
from griddsl.backends.native.module import Text
from griddsl.program import ir, keys
from griddsl.program.ir import Slot, Table
from griddsl.program.printer import Dialect, print_function
from griddsl.program.program import Program

INLINE_TABLE = 64
LONGEST_CONSTANT = 10**6 // 8  # entries, of up to eight bytes
_HEAD = '''"""{id}, made native by griddsl."""

import numpy as np

from griddsl.backends.native.kernels import table_at, u, view_of
from griddsl.backends.native.runtime import *
'''


def refusal(program: Program) -> str | None:
    """Return why the native backend cannot run a program; None where it can."""
    if program.plug_ins:
        return f"{next(iter(program.plug_ins.values()))}, as Python"
    if is_switched_off():
        return "numba is switched off: NUMBA_DISABLE_JIT is set"
    if not is_installed():
        return "numba is not installed: pip install 'griddsl[fast]'"
    return None


def source(program: Program, kernels: list[str], by_address: bool = True, apart: bool = False) -> Text:
    """Return the text of a program's module and its large tables; the largest ``by_address``, see `addressed`.

    ``apart`` says whether its functions take what is kept of a state and what is not as vectors of their own.
    """
    large: list[tuple[str, bytes, str]] = []
    constants: list[str] = []
    names = addressed(program) if by_address else ()
    dialect = Dialect(
        unsigned=True,
        decorator="@native",
        size=program.layout.size,
        apart=program.layout.saved if apart else None,
        tables={table.name: _table_at(program, table) for table in _tables(program) if table.name in names},
    )
    for table in _tables(program):
        name, values = table.name, _numbers(table)
        if len(values) <= INLINE_TABLE and np.isfinite(values).all():
            constants.append(f"{name} = np.array({values.tolist()}, dtype=np.{values.dtype})")
            continue
        large.append((name, values.tobytes(), str(values.dtype)))
        constants.append(f'{name} = TABLES["{name}"]')
    parts = [_HEAD.format(id=program.id), *constants, "", _functions(program, dialect), "", *kernels]
    return Text(program.id, "\n".join(parts) + "\n", tuple(large), program)


def _functions(program: Program, dialect: Dialect) -> str:
    """Return the text of a program's functions, of which none is long."""
    apart = replace(dialect, decorator="@part")

    def written(function: ir.Function, taken: Set[str]) -> list[str] | None:
        return None if function.name in program.functions else print_function(function, taken, apart)

    return program.outlined.source(dialect, written=written)


def initial(program: Program) -> str:
    """Return what finds the values that the whole numbers of a state start from."""
    table = _tables(program)[-2]
    return _table_at(program, table) if table.name in addressed(program) else table.name


def _table_at(program: Program, table: Table) -> str:
    """Return what finds a table by its address."""
    values = _numbers(table)
    place = program.layout.reals + addressed(program).index(table.name)
    return f"table_at(f, {place}, {len(values)}, np.{values.dtype})"


def _numbers(table: Table) -> Array:
    """Return the values of a table, as narrow as they can be."""
    if table.type == "real":
        return np.asarray([float(value) for value in table.values], dtype=np.float64)
    values = np.asarray(table.values, dtype=np.int64)
    return values.astype(_narrowest(int(values.min()), int(values.max()))) if len(values) else values


def _narrowest(low: int, high: int) -> str:
    """Return the narrowest dtype for a range: the narrower a table, the more of it the processor's cache holds."""
    ends = {"int8": 2**7, "int16": 2**15, "int32": 2**31, "int64": 2**63}
    return next(kind for kind, end in ends.items() if -end <= low and high < end)


def _tables(program: Program) -> list[Table]:
    integers, reals = program.initial()
    own = [Table("INITIAL", integers), Table("INITIAL_REALS", reals, "real")]
    return [*program.tables, *own]


def addressed(program: Program) -> tuple[str, ...]:
    """Return the tables that native code finds by their addresses, which stand behind the reals of a state.

    numba takes long to compile code that holds a large table, and keeps none that holds more than a million bytes.
    """
    layout = program.layout
    sizes = {table.name: len(table.values) for table in program.tables}
    sizes |= {"INITIAL": layout.size, "INITIAL_REALS": layout.reals}
    return tuple(name for name, size in sizes.items() if size > LONGEST_CONSTANT)


def work_size(program: Program) -> int:
    """Return how long the integers of a state are at work: with a copy for each place that tries again."""
    tries = sum(
        isinstance(statement, ir.Keep)
        for function in program.functions.values()
        for statement in ir.statements(function.body)
    )
    return program.layout.size * (1 + tries)


def work_reals(program: Program) -> int:
    """Return how long the reals of a state are at work: with the addresses of large tables."""
    return program.layout.reals + len(addressed(program))


def know_tables(program: Program, library: Library, reals: Array) -> None:
    """Write the addresses of large tables behind the reals of states, (states, `work_reals`) float64."""
    found = [library.tables[name].ctypes.data for name in addressed(program)]
    if found:
        reals[:, -len(found) :] = np.array(found, np.int64).view(np.float64)


# States


def shares(count: int, workers: int) -> list[tuple[int, int, int]]:
    """Return what each worker steps of so many: the first, the one after the last, and the worker's number."""
    edges = [count * k // workers for k in range(workers + 1)]
    return [(edges[k], edges[k + 1], k) for k in range(workers)]


def made_work_reals(program: Program, workers: int, library: Library) -> Array:
    """Return the reals that each worker has at work, ``(workers, bytes)`` uint8: in lines of the cache of its own."""
    made: Array = np.zeros((workers, padded(8 * work_reals(program))), np.uint8)
    know_tables(program, library, made.view(np.float64)[:, : work_reals(program)])
    return made


def work_type(program: Program) -> str:
    """Return the narrowest integer that all slots fit in."""
    return _narrowest_of(program, [slot for slot in program.slots if slot.type != "real"], "int32")


def saved_type(program: Program) -> str:
    """Return the narrowest integer for what is kept of a state between two steps."""
    return _narrowest_of(
        program, [slot for slot in program.slots if slot.type != "real" and slot.saved], "int16"
    )


def _ends(slot: Slot) -> tuple[int, int]:
    return int(max(slot.low, -(2**62))), int(min(slot.high, 2**62))


def _narrowest_of(program: Program, slots: Sequence[Slot], least: str) -> str:
    """Return the narrowest integer, of ``least`` or more, that slots fit in.

    The count of steps is taken to fit in 32 bits. In 16 it fits where all games of several end in time; one
    environment may be stepped on after its end.
    """
    ends = len(program.players) > 1 and program.limit is not None and program.limit < 2**15
    counted, least = ("int16", "int16") if ends else ("int32", least)
    kinds = [counted if slot.key == keys.STEP else _narrowest(*_ends(slot)) for slot in slots]
    return max([*kinds, least], key=lambda kind: np.dtype(kind).itemsize)


def is_stepped_in_place(program: Program) -> bool:
    """Whether a state of many is stepped where it is kept: nothing takes copies of it, or draws a whole map.

    A step of a game that keeps much, of which it touches little, would else copy most of the time.
    """
    copies = (ir.Keep, ir.Generate)
    made = (each for function in program.functions.values() for each in ir.statements(function.body))
    return len(program.players) == 1 and not any(isinstance(each, copies) for each in made)


def at_work(program: Program, integers: str, reals: str, in_place: bool) -> list[str]:
    """Return what finds the state that a worker steps: ``s`` and ``f``, from the addresses of those of all.

    What is stepped in place takes ``scratch`` from there.
    """
    size = program.layout.size - program.layout.saved if in_place else work_size(program)
    start = f"{integers} + worker * {padded(8 * work_size(program))}"
    return [
        f"    {'scratch' if in_place else 's'} = view_of({start}, {size}, np.{work_type(program)})",
        f"    f = view_of({reals} + worker * {padded(8 * work_reals(program))}, {work_reals(program)}, np.float64)",
    ]


def loaded(program: Program, in_place: bool) -> list[str]:
    """Return what finds the state ``i`` of many, kept from ``P[0]`` and ``P[1]`` on, as ``s`` or to copy it there.

    A row is a view of its own: numba copies it in one go where it knows that no index is negative.
    """
    layout, saved = program.layout, saved_type(program)
    width = np.dtype(saved).itemsize * layout.saved
    return [
        f"        {'s' if in_place else 'row'} = view_of(P[0] + i * {width}, {layout.saved}, np.{saved})",
        *([] if in_place else _loop(layout.saved, "s[k] = row[k]")),
        f"        reals = view_of(P[1] + i * {8 * layout.saved_reals}, {layout.saved_reals}, np.float64)",
        *_loop(layout.saved_reals, "f[k] = reals[k]"),
    ]


def stored(program: Program, in_place: bool) -> list[str]:
    """Return what copies the state back."""
    layout = program.layout
    back = [] if in_place else _loop(layout.saved, "row[k] = s[k]")
    return [*back, *_loop(layout.saved_reals, "reals[k] = f[k]")]


def _loop(count: int, statement: str) -> list[str]:
    return [f"        for k in range({count}):", f"            {statement}"] if count else []


def padded(size: int) -> int:
    """Return a size rounded up, so that two threads never write to one line of the cache."""
    return (size + 127) // 64 * 64
