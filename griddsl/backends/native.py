"""The native backend: the generated source under numba, for one environment and for batches.

The source, its tables and the few kernels that call it are written as a module into a folder of the user's, named
by a hash of all that it depends on; numba keeps the compiled code beside it. A folder is made whole under another
name and then renamed, so that processes that start together do not disturb each other.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from griddsl.backends.batch import (
    Array,
    Extras,
    Port,
    Vectors,
    action_counts,
    check_actions,
    info_dtype,
    leaf_ports,
    make_leaves,
)
from griddsl.cache import folder
from griddsl.program import drawing
from griddsl.program.ir import Slot, Table
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

_RESET = 3  # the mode in which a batch's kernel resets
_KEPT = 8  # the addresses that come before those of extras
INLINE_TABLE = 64
LONGEST_CONSTANT = 10**6 // 8  # entries, of up to eight bytes
_HEAD = '''"""{id}, made native by griddsl."""

from pathlib import Path

import numpy as np

from griddsl.backends.native_kernels import table_at, u, view_of
from griddsl.backends.native_runtime import *
from numba import njit

kernel = njit(cache=True, nogil=True, error_model="numpy")
'''


def is_installed() -> bool:
    """Return whether numba is there."""
    return importlib.util.find_spec("numba") is not None


def refusal(program: Program) -> str | None:
    """Return why the native backend cannot run a program; None where it can."""
    if program.plug_ins:
        return f"{next(iter(program.plug_ins.values()))}, as Python"
    if not is_installed():
        return "numba is not installed: pip install 'griddsl[fast]'"
    return None


# The module


@lru_cache(maxsize=64)
def module_of(text: str, tables: tuple[tuple[str, bytes, str], ...]) -> ModuleType:
    """Return the module of a text; ``tables`` are the large ones, which lie beside it."""
    import numba

    digest = hashlib.sha256()
    for part in (text, numba.__version__, np.__version__, sys.version):
        digest.update(part.encode())
    for name, content, dtype in tables:
        digest.update(f"{name}:{dtype}:".encode() + content)
    here = Path(__file__).parent
    for room in (here / "native_runtime.py", here / "native_kernels.py", Path(drawing.__file__)):
        digest.update(room.read_bytes())
    name = f"griddsl_native_{digest.hexdigest()[:24]}"
    if name in sys.modules:
        return sys.modules[name]
    path = _written(name, text, tables)
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # numba finds the globals of cached code by the module's name
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _written(name: str, text: str, tables: tuple[tuple[str, bytes, str], ...]) -> Path:
    home = folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=home))
    except OSError:
        home = Path(tempfile.mkdtemp(prefix="griddsl-"))
        draft = Path(tempfile.mkdtemp(dir=home))
    target = home / name
    if not (target / "program.py").is_file():
        (draft / "program.py").write_text(text, encoding="utf-8")
        for table, content, dtype in tables:
            np.save(draft / f"{table}.npy", np.frombuffer(content, dtype=dtype))
        try:
            draft.rename(target)
        except OSError:
            if not (target / "program.py").is_file():
                raise
    shutil.rmtree(draft, ignore_errors=True)
    return target / "program.py"


def _numbers(table: Table) -> Array:
    """Return the values of a table, as narrow as they can be."""
    if table.type == "real":
        return np.asarray([float(value) for value in table.values], dtype=np.float64)
    values = np.asarray(table.values, dtype=np.int64)
    return values.astype(_narrowest(int(values.min()), int(values.max()))) if len(values) else values


def _narrowest(low: int, high: int) -> str:
    """Return the narrowest dtype for a range: the narrower a table, the more of it the processor's cache holds."""
    ends = {kind: np.iinfo(kind) for kind in ("int8", "int16", "int32", "int64")}
    return next(kind for kind, end in ends.items() if end.min <= low and high <= end.max)


def _tables(program: Program) -> list[Table]:
    initial, initial_reals = program.initial()
    own = [Table("INITIAL", initial), Table("INITIAL_REALS", initial_reals, "real")]
    return [*program.tables, *own]


def addressed(program: Program) -> tuple[str, ...]:
    """Return the tables that native code finds by their addresses, which stand behind the reals of a state.

    numba keeps no compiled code that holds a table of more than a million bytes: every process would compile it again.
    """
    layout = program.layout
    sizes = {table.name: len(table.values) for table in program.tables}
    sizes |= {"INITIAL": layout.size, "INITIAL_REALS": layout.reals}
    return tuple(name for name, size in sizes.items() if size > LONGEST_CONSTANT)


def work_reals(program: Program) -> int:
    """Return how long the reals of a state are at work: with the addresses of large tables."""
    return program.layout.reals + len(addressed(program))


def know_tables(module: ModuleType, reals: Array) -> None:
    """Write the addresses of large tables behind the reals of states, (states, `work_reals`) float64."""
    found = [table.ctypes.data for table in module.ADDRESSED]
    if found:
        reals[:, -len(found) :] = np.array(found, np.int64).view(np.float64)


def shares(count: int, workers: int) -> list[tuple[int, int, int]]:
    """Return what each worker steps of so many: the first, the one after the last, and the worker's number."""
    edges = [count * k // workers for k in range(workers + 1)]
    return [(edges[k], edges[k + 1], k) for k in range(workers)]


def made_work_reals(program: Program, workers: int, module: ModuleType) -> Array:
    """Return the reals that each worker has at work, ``(workers, bytes)`` uint8: in lines of the cache of its own."""
    made: Array = np.zeros((workers, padded(8 * work_reals(program))), np.uint8)
    know_tables(module, made.view(np.float64)[:, : work_reals(program)])
    return made


def source(
    program: Program, kernels: list[str], by_address: bool = True
) -> tuple[str, tuple[tuple[str, bytes, str], ...]]:
    """Return the text of a program's module and its large tables; the largest ``by_address``, see `addressed`."""
    large: list[tuple[str, bytes, str]] = []
    constants: list[str] = []
    functions = program.source(unsigned=True).replace("\ndef ", "\n@native\ndef ")
    functions = functions.replace("s[:] = INITIAL\n", "restore(s, INITIAL)\n")
    functions = functions.replace("f[:] = INITIAL_REALS\n", "restore(f, INITIAL_REALS)\n")
    text = "\n".join([functions, "", *kernels])
    names = addressed(program) if by_address else ()
    for table in _tables(program):
        name, values = table.name, _numbers(table)
        if len(values) <= INLINE_TABLE and np.isfinite(values).all():
            constants.append(f"{name} = np.array({values.tolist()}, dtype=np.{values.dtype})")
            continue
        large.append((name, values.tobytes(), str(values.dtype)))
        constants.append(f'{name} = np.load(Path(__file__).parent / "{name}.npy")')
        if name in names:
            place = program.layout.reals + names.index(name)
            there = f"table_at(f, {place}, {len(values)}, np.{values.dtype})"
            text = re.sub(rf"\b{name}\b", there, text)
    constants.append(f"ADDRESSED = [{', '.join(names)}]")
    return "\n".join([_HEAD.format(id=program.id), *constants, "", text]) + "\n", tuple(large)


# One environment


def _single_kernels(program: Program) -> list[str]:
    layout = program.layout
    ports = [port for _, port in leaf_ports(program)]
    outs = [f"o{k}" for k, port in enumerate(ports) if not port.is_value]
    actions = ", ".join(f"a{k}" for k in range(len(program.groups)))
    lines = [
        "@native",
        "def parts(b):",
        f"    s, r = b[:{layout.size}], b[{layout.size} : {layout.size + 1}].view(np.uint64)",
        f"    return s, b[{layout.size + 1} :].view(np.float64), r",
        "",
        "@kernel",
        "def reset_one(b, level):",
        "    s, f, r = parts(b)",
        "    reset(s, f, r, level)",
        "",
    ]
    seen, results = [], []
    for k, port in enumerate(ports):
        if port.is_value:
            seen.append(f"    v{k} = {port.function}(s, f, r)")
            results.append(f"v{k}")
        else:
            seen.append(f"    {port.function}(s, f, r, o{k}.reshape(o{k}.size))")
    lines += [
        "@kernel",
        f"def step_one({', '.join(['b', actions, *outs])}):",
        "    s, f, r = parts(b)",
        "    reward, ended, cut = 0.0, False, False",
        "    if a0 >= 0:",
        f"        gain, ends, cuts = step(s, f, r, {actions})",
        "        reward, ended, cut = float(gain), bool(ends), bool(cuts)",
        *seen,
        f"    return {', '.join(['reward', 'ended', 'cut', *results])}",
    ]
    return lines


class NativeSingle:
    """One environment under numba: its state in one vector, a step and its observation in one call.

    ``step(vector, *actions, *arrays)`` observes only where the first action is negative: to compile that apart would
    take as long as to compile the rest.
    """

    def __init__(self, program: Program) -> None:
        self._layout = program.layout
        self._module = module_of(*source(program, _single_kernels(program)))
        initial, initial_reals = program.initial()
        self._size = len(initial)
        self._vector: Array = np.zeros(self._size + 1 + work_reals(program), np.int64)
        reals = self._vector[self._size + 1 :].view(np.float64)
        know_tables(self._module, reals.reshape(1, -1))
        self._reals = reals[: len(initial_reals)]
        self._stream = self._vector[self._size : self._size + 1].view(np.uint64)
        self.step = self._module.step_one
        self._nothing = [-1] * len(program.groups)
        self.vector = self._vector
        self.stream = [0]
        ports = [port for _, port in leaf_ports(program)]
        self.found: list[Any] = [None] * len(ports)
        self._arrays = [
            (k, port.shape, np.dtype(port.dtype)) for k, port in enumerate(ports) if not port.is_value
        ]
        self._values = [k for k, port in enumerate(ports) if port.is_value]

    def fresh(self) -> list[Array]:
        """Return new arrays for what is observed."""
        return [np.empty(shape, dtype) for _, shape, dtype in self._arrays]

    def spread(self, result: tuple[Any, ...], arrays: list[Array], found: list[Any]) -> None:
        """Put what a step returned and wrote into the order of the observation."""
        for k, value in zip(self._values, result[3:], strict=True):
            found[k] = value
        for (k, _, _), array in zip(self._arrays, arrays, strict=True):
            found[k] = array

    def observe(self) -> None:
        """Find what is observed in the state."""
        arrays = self.fresh()
        self.spread(self.step(self.vector, *self._nothing, *arrays), arrays, self.found)

    def reset(self, level: int) -> None:
        """Start an episode; the stream goes on, or begins at ``stream`` where that was changed."""
        self._stream[0] = self.stream[0]
        try:
            self._module.reset_one(self._vector, level)
        except SetupFailure as failure:
            failure.state = self._vector[: self._size].tolist()
            raise
        self.stream[0] = int(self._stream[0])

    def take(self, s: list[int], f: list[float], r: list[int]) -> None:
        """Write the state into lists."""
        s[:] = self._vector[: self._size].tolist()
        f[:] = self._reals.tolist()
        r[0] = int(self._stream[0])

    def put(self, s: list[int], f: list[float], r: list[int]) -> None:
        """Take the state from lists."""
        self._vector[: self._size] = s
        self._reals[:] = f
        self._stream[0] = r[0]


# Batches


def work_type(program: Program) -> str:
    """Return the narrowest integer that all slots fit in; the count of steps is taken to fit in 32 bits."""
    return "int32" if all(_fits(slot) for slot in program.slots if slot.type != "real") else "int64"


def _fits(slot: Slot) -> bool:
    return slot.name == "STEP" or (slot.low >= -(2**31) and slot.high < 2**31)


def saved_type(program: Program) -> str:
    """Return the narrowest integer for what is kept of a state between two steps."""
    kept = [slot for slot in program.slots if slot.type != "real" and slot.saved]
    if any(not _fits(slot) for slot in kept):
        return "int64"
    if any(slot.name == "STEP" or slot.low < -(2**15) or slot.high >= 2**15 for slot in kept):
        return "int32"
    return "int16"


def _batch_kernel(program: Program) -> list[str]:
    """Return the kernel of a batch: a step, or with the mode ``RESET`` a reset of those that ``which`` names.

    It calls each function of the program once, because all are inlined and what is called twice compiles twice as
    long: where an episode ends and is reset in the same step, the loop goes round again to show the new one.
    What stays from step to step comes as addresses in one array, because numba takes a tenth of a microsecond for
    each array that it is given; arrays made of addresses are not counted either.
    """
    layout, ports = program.layout, [port for _, port in leaf_ports(program)]
    leaves = [f"o{k}" for k in range(len(ports))]
    names = _extras_names(program)
    finals = _KEPT + 2 * len(names)
    arguments = ["P", "n", "mode", "level", "lo", "hi", "worker", "given", "reward", "ended", "cut", *leaves]
    acts = ", ".join(f"actions[i * {len(program.groups)} + {g}]" for g in range(len(program.groups)))
    outcome = "s[OUTCOME]" if "OUTCOME" in layout.offsets else "0"
    return [
        "@kernel",
        f"def run_batch({', '.join(arguments)}):",
        "    R = view_of(P[2], n, np.uint64)",
        "    done = view_of(P[3], n, np.bool_)",
        *at_work(program, "P[4]", "P[5]"),
        "    which = view_of(P[6], n, np.bool_)",
        "    outcome = view_of(P[7], n, np.int16)",
        f"    actions = view_of(given.ctypes.data, n * {len(program.groups)}, np.int64)",
        "    rewards = view_of(reward.ctypes.data, n, np.float64)",
        "    ends = view_of(ended.ctypes.data, n, np.bool_)",
        "    cuts = view_of(cut.ctypes.data, n, np.bool_)",
        "    over = 0",
        "    for i in range(lo, hi):",
        *loaded(program),
        "        r = R[i : i + 1]",
        "        begins = which[i] if mode == 3 else mode == 0 and done[i]",
        "        is_final = False",
        "        if mode == 3:",
        "            done[i] = done[i] and not begins",
        f"            for k in range({layout.saved}, {layout.size}):",
        "                s[k] = INITIAL[k]",
        "        else:",
        "            gain, ends_now, is_cut, finished = 0.0, False, False, False",
        "            if not begins:",
        f"                a, b, c = step(s, f, r, {acts})",
        "                gain, ends_now, is_cut = float(a), bool(b), bool(c)",
        "                finished = ends_now or is_cut",
        "            rewards[i] = gain",
        "            ends[i] = ends_now",
        "            cuts[i] = is_cut",
        "            is_final = finished and mode == 1",
        "            done[i] = finished and mode != 1",
        "            over += finished",
        f"            outcome[i] = {outcome} + 1 if finished else 0",
        "        while True:",
        "            if begins:",
        "                reset(s, f, r, level)",
        *_shown(program, ports, names, finals),
        "            if not is_final:",
        "                break",
        "            begins, is_final = True, False",
        *stored(program),
        "    return over",
    ]


def at_work(program: Program, integers: str, reals: str) -> list[str]:
    """Return what finds the state that a worker steps: ``s`` and ``f``, from the addresses of those of all."""
    layout = program.layout
    return [
        f"    s = view_of({integers} + worker * {padded(8 * layout.size)}, {layout.size}, np.{work_type(program)})",
        f"    f = view_of({reals} + worker * {padded(8 * work_reals(program))}, {layout.reals}, np.float64)",
    ]


def loaded(program: Program) -> list[str]:
    """Return what copies the state ``i`` of many, kept from ``P[0]`` and ``P[1]`` on, into ``s`` and ``f``.

    A row is a view of its own: numba copies it in one go where it knows that no index is negative.
    """
    layout, saved = program.layout, saved_type(program)
    width = np.dtype(saved).itemsize * layout.saved
    return [
        f"        row = view_of(P[0] + i * {width}, {layout.saved}, np.{saved})",
        *_loop(layout.saved, "s[k] = row[k]"),
        f"        reals = view_of(P[1] + i * {8 * layout.saved_reals}, {layout.saved_reals}, np.float64)",
        *_loop(layout.saved_reals, "f[k] = reals[k]"),
    ]


def stored(program: Program) -> list[str]:
    """Return what copies the state back."""
    layout = program.layout
    return [*_loop(layout.saved, "row[k] = s[k]"), *_loop(layout.saved_reals, "reals[k] = f[k]")]


def _loop(count: int, statement: str) -> list[str]:
    return [f"        for k in range({count}):", f"            {statement}"] if count else []


def padded(size: int) -> int:
    """Return a size rounded up, so that two threads never write to one line of the cache."""
    return (size + 127) // 64 * 64


def _extras_names(program: Program) -> list[tuple[str, int, str]]:
    """Return the arrays of `Extras` that are written, but for the outcome: name, entries of each, dtype."""
    names = [("hidden", 1, "float64")] if "HIDDEN_REWARD" in program.layout.offsets else []
    if program.has_mask:
        names.append(("masks", sum(len(group.actions) for group in program.groups), "int8"))
    for k, entry in enumerate(program.info):
        names += [(f"info{k}", 1, info_dtype(entry.form)), (f"set{k}", 1, "bool_")]
    return names


def _shown(program: Program, ports: list[Port], names: list[tuple[str, int, str]], finals: int) -> list[str]:
    """Return what writes an environment's observation and extras, to the final ones where ``is_final``."""
    size = {name: count for name, count, _ in names}
    lines = [f"shift = {len(names)} if is_final else 0"]
    lines += [
        f"{name} = view_of(P[{_KEPT + k} + shift], n * {count}, np.{dtype})"
        for k, (name, count, dtype) in enumerate(names)
    ]
    for k, port in enumerate(ports):
        address = f"P[{finals + k}] if is_final else np.int64(o{k}.ctypes.data)"
        lines.append(f"q{k} = view_of({address}, n * {port.size}, np.{port.dtype})")
        if port.is_value:
            lines.append(f"q{k}[i] = {port.function}(s, f, r)")
        else:
            lines.append(f"{port.function}(s, f, r, q{k}[i * {port.size} : (i + 1) * {port.size}])")
    if program.has_mask:
        lines.append(f"mask(s, f, r, masks[i * {size['masks']} : (i + 1) * {size['masks']}])")
    if "HIDDEN_REWARD" in program.layout.offsets:
        lines.append("hidden[i] = f[HIDDEN_REWARD]")
    for k, entry in enumerate(program.info):
        if entry.function:
            lines.append(f"info{k}[i] = {entry.function}(s, f, r)")
        else:
            lines.append(f"set{k}[i] = s[{entry.slot}_IS_SET] != 0")
            lines.append(f"info{k}[i] = {'f' if entry.form == 'real' else 's'}[{entry.slot}]")
    return [" " * 12 + line for line in lines]


class NativeBatch:
    """A batch under numba: states as rows of one compact array, a step one call, or one for each thread."""

    def __init__(self, program: Program, count: int, threads: int = 1) -> None:
        layout = program.layout
        self.program, self.count = program, count
        module = module_of(*source(program, _batch_kernel(program)))
        self._kernel = module.run_batch
        self.integers: Array = np.zeros((count, layout.saved), saved_type(program))
        self.integers[:] = program.initial()[0][: layout.saved]
        self.reals: Array = np.zeros((count, layout.saved_reals), np.float64)
        self.stream: Array = np.zeros(count, np.uint64)
        self.done: Array = np.zeros(count, np.bool_)
        self._which: Array = np.zeros(count, np.bool_)
        self.now, self.final = Extras(program, count), Extras(program, count)
        self.final_leaves = make_leaves(program, count)
        threads = max(1, min(threads, count))
        self._work: Array = np.zeros(threads * padded(8 * layout.size), np.uint8)
        self._work_reals = made_work_reals(program, threads, module)
        kept = [self.integers, self.reals, self.stream, self.done, self._work, self._work_reals]
        kept += [self._which, self.now.outcome]
        assert len(kept) == _KEPT
        for extras in (self.now, self.final):
            kept += [extras.hidden] if "HIDDEN_REWARD" in layout.offsets else []
            kept += [extras.mask] if program.has_mask else []
            for values, is_set in zip(extras.values, extras.is_set, strict=True):
                kept += [values, is_set]
        kept += self.final_leaves
        self._addresses: Array = np.array([array.ctypes.data for array in kept], np.int64)
        self._parts = shares(count, threads)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._counts = action_counts(program, count)
        self._no_actions: Array = np.zeros(count * len(program.groups), np.int64)

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which``; write the observations and extras of all."""
        self._which[:] = which
        spare = np.empty(self.count), np.empty(self.count, np.bool_)
        for lo, hi, worker in self._parts:
            given = (self._no_actions, *spare, spare[1], *leaves)
            self._run(worker, self._addresses, self.count, _RESET, level, lo, hi, worker, *given)

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes ended."""
        check_actions(self.program, self._counts, actions)
        kernel, count = self._kernel, self.count
        given = (actions, reward, ended, cut, *leaves)
        if self._pool is None:
            try:
                over: int = kernel(self._addresses, count, mode, -1, 0, count, 0, *given)
            except SetupFailure as failure:
                failure.state = self._at_work(0)
                raise
            return over
        jobs = [
            self._pool.submit(self._run, worker, self._addresses, count, mode, -1, lo, hi, worker, *given)
            for lo, hi, worker in self._parts
        ]
        return sum(job.result() for job in jobs)

    def _run(self, worker: int, *arguments: Any) -> int:
        """Run the kernel for one worker's part; a failure takes along the state that it left there."""
        try:
            over: int = self._kernel(*arguments)
        except SetupFailure as failure:
            failure.state = self._at_work(worker)
            raise
        return over

    def _at_work(self, worker: int) -> list[int]:
        """Return the whole state of the environment that a worker is at."""
        size = self.program.layout.size
        start, kind = worker * padded(8 * size), np.dtype(work_type(self.program))
        numbers: list[int] = self._work[start : start + size * kind.itemsize].view(kind).tolist()
        return numbers

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one environment."""
        return self.integers[index].tolist(), self.reals[index].tolist(), int(self.stream[index])

    def put(self, index: int, state: Vectors) -> None:
        """Put one environment into a state."""
        self.integers[index], self.reals[index], self.stream[index] = state
        self.done[index] = False

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""
        return self.integers.nbytes + self.reals.nbytes + self.stream.nbytes
