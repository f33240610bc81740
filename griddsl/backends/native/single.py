"""One environment as machine code: a step and its observation in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from griddsl.backends.interface import (
    Array,
    leaf_ports,
)
from griddsl.backends.native.emit import (
    know_tables,
    source,
    work_reals,
    work_size,
)
from griddsl.backends.native.library import library
from griddsl.backends.native.module import Kernel
from griddsl.backends.single import Adapter, Step, made, observation_text, told_text
from griddsl.program import keys
from griddsl.program.observing import tells_of_step
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.stream import Stream


def _single_text(program: Program) -> list[str]:
    size = work_size(program)
    parts = [
        f"    s = view_of(b, {size}, np.int64)",
        f"    r = view_of(b + {8 * size}, 1, np.uint64)",
        f"    f = view_of(b + {8 * size + 8}, {work_reals(program)}, np.float64)",
    ]
    ports = [port for _, port in leaf_ports(program)]
    arrays = [f"o{k}" for k, port in enumerate(ports) if not port.is_value]
    actions = ", ".join(f"a{k}" for k in range(len(program.groups)))
    values = [f"v{k}" for k, port in enumerate(ports) if port.is_value]
    lines = [
        "def reset_one(b, level, out):",
        *parts,
        "    reset(s, f, r, level)",
        "",
        f"def step_one({', '.join(['b', actions, *arrays, 'out'])}):",
        *parts,
        f"    results = view_of(out, {3 + len(values)}, np.int64)",
        "    rewards = view_of(out, 1, np.float64)",
        "    rewards[0], results[1], results[2] = 0.0, 0, 0",
        "    if a0 >= 0:",
        f"        gain, ends, cuts = step(s, f, r, {actions})",
        "        rewards[0], results[1], results[2] = float(gain), bool(ends), bool(cuts)",
    ]
    for k, port in enumerate(ports):
        if port.is_value:
            place = 3 + values.index(f"v{k}")
            lines.append(f"    results[{place}] = {port.function}(s, f, r)")
        else:
            lines.append(f"    {port.function}(s, f, r, view_of(o{k}, {port.size}, np.{port.dtype}))")
    return lines


def _single_kernels(program: Program) -> tuple[Kernel, ...]:
    ports = [port for _, port in leaf_ports(program)]
    values = sum(port.is_value for port in ports)
    takes = "a" + "i" * len(program.groups) + "a" * (len(ports) - values)
    return Kernel("reset_one", "ai", "", keeps_lock=True), Kernel(
        "step_one", takes, "fbb" + "i" * values, keeps_lock=True
    )


class NativeSingle:
    """One environment as machine code: its state in one vector, a step and its observation in one call.

    ``step(vector, *actions, *arrays)`` observes only where the first action is negative: to compile that apart would
    take as long as to compile the rest.
    """

    def __init__(self, program: Program) -> None:
        found = library(source(program, _single_text(program)), _single_kernels(program))
        initial, initial_reals = program.initial()
        self._size = len(initial)
        self._taken = self._size if tells_of_step(program) else program.layout.saved
        self._outcome = program.layout.offsets.get(
            keys.OUTCOME, 0
        )  # an info that says more than an end reads it
        size = work_size(program)
        self._vector: Array = np.zeros(size + 1 + work_reals(program), np.int64)
        reals = self._vector[size + 1 :].view(np.float64)
        know_tables(program, found, reals.reshape(1, -1))
        self._reals = reals[: len(initial_reals)]
        self._stream = self._vector[size : size + 1].view(np.uint64)
        self.step, self._reset = found.kernels["step_one"], found.kernels["reset_one"]
        self._nothing = [-1] * len(program.groups)
        self.vector = self._vector
        # Its numbers are Python's own when they are read, as those of lists are.
        self._standing = memoryview(self._vector.data)
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

    def reset(self, level: int, counter: int | None) -> None:
        """Start an episode; the stream goes on, or begins at a counter."""
        if counter is not None:
            self._stream[0] = counter
        try:
            self._reset(self._vector, level)
        except SetupFailure as failure:
            failure.state = self._vector[: self._size].tolist()
            raise

    def reader(self, place: int) -> Callable[[], Any]:
        """Return what reads an entry of the observation that a function computes, by its place among those."""
        found = self.found
        return lambda: found[place]

    def knows(self, integers: Sequence[int], reals: Sequence[float]) -> bool:
        """Whether it can go on from a state: from any."""
        return True

    def start_info(self, adapter: Adapter) -> dict[str, Any]:
        """Return the info of a reset."""
        return adapter.silence() if adapter.is_quiet else adapter.info(False)

    def written_step(self, program: Program, adapter: Adapter) -> Step:
        """Return the step, written for this program: one call, and what was observed put together."""
        ports = [port for _, port in leaf_ports(program)]
        shown = observation_text(program, [f"e{k}" for k in range(len(ports))])
        arrays = [k for k, port in enumerate(ports) if not port.is_value]
        values = [f"e{k}" for k, port in enumerate(ports) if port.is_value]
        result, given = (
            ", ".join(["reward, terminated, truncated", *values]),
            "".join(f", e{k}" for k in arrays),
        )
        lines = [f"e{k} = empty(shape{k}, dtype{k})" for k in arrays]
        lines += [
            f"if action.__class__ is int and 0 <= action < {adapter.known}:",
            f"    {result} = kernel(vector, action{given})",
            "else:",
            f"    {result} = kernel(vector, *numbers(action){given})",
        ]
        if "observe()" in shown:
            lines.append(f"found[:] = [{', '.join(f'e{k}' for k in range(len(ports)))}]")
        told = told_text(program, adapter, "vector")
        lines.append(f"return {shown}, reward, terminated, truncated, {told}")
        names: dict[str, Any] = {f"shape{k}": ports[k].shape for k in arrays}
        names |= {f"dtype{k}": np.dtype(ports[k].dtype) for k in arrays}
        names |= {"kernel": self.step, "vector": self.vector, "found": self.found, "empty": np.empty}
        names |= {"outcomes": ("truncated", *program.outcomes)}
        names |= adapter.names()
        return made(lines, **names)

    def standing(self) -> Sequence[int]:
        """Return the integers of the state, to read and not to keep."""
        return self._standing

    def take(self, s: list[int], f: list[float], r: Stream) -> None:
        """Write the state into lists, and what the step left that infos, masks and observations read."""
        s[: self._taken] = self._vector[: self._taken].tolist()
        s[self._outcome] = int(self._vector[self._outcome])
        f[:] = self._reals.tolist()
        r[0] = int(self._stream[0])

    def put(self, s: list[int], f: list[float], r: Stream) -> None:
        """Take the state from lists."""
        self._vector[: self._size] = s
        self._reals[:] = f
        self._stream[0] = r[0]
