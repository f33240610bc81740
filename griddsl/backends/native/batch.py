"""A batch as machine code: a step of all in one call, or one for each thread."""

from __future__ import annotations

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
from griddsl.backends.native.emit import (
    at_work,
    initial,
    loaded,
    made_work_reals,
    padded,
    saved_type,
    shares,
    source,
    stored,
    work_size,
    work_type,
)
from griddsl.backends.native.library import library
from griddsl.backends.native.module import Kernel
from griddsl.backends.workers import Workers
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure

_RESET = 3  # the mode in which a batch's kernel resets
_KEPT = 8  # the addresses that come before those of extras


def _batch_text(program: Program) -> list[str]:
    """Return the kernel of a batch: a step, or with the mode ``RESET`` a reset of those that ``which`` names.

    It calls each function of the program once, because all are inlined and what is called twice compiles twice as
    long: where an episode ends and is reset in the same step, the loop goes round again to show the new one.
    What stays from step to step comes as addresses in one array.
    """
    layout, ports = program.layout, [port for _, port in leaf_ports(program)]
    leaves = [f"o{k}" for k in range(len(ports))]
    names = _extras_names(program)
    finals = _KEPT + 2 * len(names)
    arguments = [
        "p",
        "n",
        "mode",
        "level",
        "lo",
        "hi",
        "worker",
        "given",
        "reward",
        "ended",
        "cut",
        *leaves,
        "out",
    ]
    acts = ", ".join(f"actions[i * {len(program.groups)} + {g}]" for g in range(len(program.groups)))
    outcome = f"s[{layout.offsets['OUTCOME']}]" if "OUTCOME" in layout.offsets else "0"
    return [
        f"def run_batch({', '.join(arguments)}):",
        f"    P = view_of(p, {finals + len(ports)}, np.int64)",
        "    R = view_of(P[2], n, np.uint64)",
        "    done = view_of(P[3], n, np.bool_)",
        *at_work(program, "P[4]", "P[5]"),
        "    which = view_of(P[6], n, np.bool_)",
        "    outcome = view_of(P[7], n, np.int16)",
        f"    actions = view_of(given, n * {len(program.groups)}, np.int64)",
        "    rewards = view_of(reward, n, np.float64)",
        "    ends = view_of(ended, n, np.bool_)",
        "    cuts = view_of(cut, n, np.bool_)",
        "    over = 0",
        "    for i in range(lo, hi):",
        *loaded(program),
        "        r = R[i : i + 1]",
        "        begins = which[i] if mode == 3 else mode == 0 and done[i]",
        "        is_final = False",
        "        if mode == 3:",
        "            done[i] = done[i] and not begins",
        f"            for k in range({layout.saved}, {layout.size}):",
        f"                s[k] = {initial(program)}[k]",
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
        "    view_of(out, 1, np.int64)[0] = over",
    ]


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
        address = f"P[{finals + k}] if is_final else o{k}"
        lines.append(f"q{k} = view_of({address}, n * {port.size}, np.{port.dtype})")
        if port.is_value:
            lines.append(f"q{k}[i] = {port.function}(s, f, r)")
        else:
            lines.append(f"{port.function}(s, f, r, q{k}[i * {port.size} : (i + 1) * {port.size}])")
    if program.has_mask:
        lines.append(f"mask(s, f, r, masks[i * {size['masks']} : (i + 1) * {size['masks']}])")
    if "HIDDEN_REWARD" in program.layout.offsets:
        lines.append(f"hidden[i] = f[{program.layout.offsets['HIDDEN_REWARD']}]")
    for k, entry in enumerate(program.info):
        if entry.function:
            lines.append(f"info{k}[i] = {entry.function}(s, f, r)")
        else:
            offsets, vector = program.layout.offsets, "f" if entry.form == "real" else "s"
            lines.append(f"set{k}[i] = s[{offsets[entry.flag]}] != 0")
            lines.append(f"info{k}[i] = {vector}[{offsets[entry.slot]}]")
    return [" " * 12 + line for line in lines]


class NativeBatch:
    """A batch as machine code: states as rows of one compact array, a step one call, or one for each thread."""

    def __init__(self, program: Program, count: int, threads: int = 1) -> None:
        layout = program.layout
        self.program, self.count = program, count
        kernel = Kernel("run_batch", "aiiiiii" + "a" * (4 + len(leaf_ports(program))), "i")
        found = library(source(program, _batch_text(program)), (kernel,))
        self._kernel = found.kernels["run_batch"]
        self.integers: Array = np.zeros((count, layout.saved), saved_type(program))
        self.integers[:] = program.initial()[0][: layout.saved]
        self.reals: Array = np.zeros((count, layout.saved_reals), np.float64)
        self.stream: Array = np.zeros(count, np.uint64)
        self.done: Array = np.zeros(count, np.bool_)
        self._which: Array = np.zeros(count, np.bool_)
        self.now, self.final = Extras(program, count), Extras(program, count)
        self.final_leaves = make_leaves(program, count)
        threads = max(1, min(threads, count))
        self._kind = np.dtype(work_type(program))
        self._work: Array = np.zeros((threads, padded(8 * work_size(program))), np.uint8)
        self._work_reals = made_work_reals(program, threads, found)
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
        self._pool = Workers(threads) if threads > 1 else None
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
        parts = [
            (worker, self._addresses, count, mode, -1, lo, hi, worker, *given)
            for lo, hi, worker in self._parts
        ]
        return sum(self._pool.run(self._run, parts))

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
        size, kind = self.program.layout.size, self._kind
        numbers: list[int] = self._work[worker, : size * kind.itemsize].view(kind).tolist()
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
