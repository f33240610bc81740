"""The batch of the reference backend, an environment at a time."""

from __future__ import annotations

import numpy as np

from griddsl.backends.batch import (
    NEXT_STEP,
    SAME_STEP,
    Array,
    Extras,
    Vectors,
    action_counts,
    check_actions,
    leaf_ports,
    make_leaves,
)
from griddsl.backends.python.emit import Machine, build
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure


class PythonBatch:
    """The batch of the reference backend: one list of integers, of reals and of the stream an environment."""

    def __init__(self, program: Program, count: int, machine: Machine | None = None) -> None:
        self.program, self.count = program, count
        self._machine = machine or build(program)
        self._ports = [port for _, port in leaf_ports(program)]
        self._states = [self._machine.new_state() for _ in range(count)]
        self._rows: list[list[float]] = [[0] * port.size for port in self._ports]
        self._mask = [0] * sum(len(group.actions) for group in program.groups)
        self._counts = action_counts(program, count)
        self.now, self.final = Extras(program, count), Extras(program, count)
        self.final_leaves = make_leaves(program, count)
        self.done: Array = np.zeros(count, np.bool_)
        self.stream: Array = np.zeros(count, np.uint64)

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which``; write the observations and extras of all."""
        for i in range(self.count):
            _, _, r = self._states[i]
            r[0] = int(self.stream[i])
            if which[i]:
                self._start(i, level)
                self.done[i] = False
            self._write(i, leaves, self.now)
            self.stream[i] = r[0]

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes ended."""
        check_actions(self.program, self._counts, actions)
        functions, count = self._machine.functions, 0
        step = functions["step"]
        at_outcome = self.program.layout.offsets.get("OUTCOME", -1)
        for i, row in enumerate(actions.reshape(self.count, -1).tolist()):
            s, f, r = self._states[i]
            r[0] = int(self.stream[i])
            self.now.outcome[i] = 0
            if mode == NEXT_STEP and self.done[i]:
                self._start(i, -1)
                reward[i], ended[i], cut[i], self.done[i] = 0.0, False, False, False
            else:
                reward[i], ended[i], cut[i] = step(s, f, r, *row)
                over = bool(ended[i] or cut[i])
                self.done[i] = over and mode != SAME_STEP
                if over:
                    count += 1
                    self.now.outcome[i] = 1 + (s[at_outcome] if at_outcome >= 0 else 0)
                    if mode == SAME_STEP:
                        self._write(i, self.final_leaves, self.final)
                        self._start(i, -1)
            self._write(i, leaves, self.now)
            self.stream[i] = r[0]
        return count

    def _start(self, i: int, level: int) -> None:
        """Start an episode of one environment."""
        s, f, r = self._states[i]
        try:
            self._machine.functions["reset"](s, f, r, level)
        except SetupFailure as failure:
            failure.state = s
            raise

    def _write(self, i: int, leaves: list[Array], extras: Extras) -> None:
        """Write what one environment shows."""
        s, f, r = self._states[i]
        functions, offsets = self._machine.functions, self.program.layout.offsets
        for leaf, port, out in zip(leaves, self._ports, self._rows, strict=True):
            if port.is_value:
                leaf[i] = functions[port.function](s, f, r)
            else:
                functions[port.function](s, f, r, out)
                leaf[i] = out
        if self.program.has_mask:
            functions["mask"](s, f, r, self._mask)
            extras.mask[i] = self._mask
        if "HIDDEN_REWARD" in offsets:
            extras.hidden[i] = f[offsets["HIDDEN_REWARD"]]
        for entry, values, is_set in zip(self.program.info, extras.values, extras.is_set, strict=True):
            if entry.function:
                values[i] = functions[entry.function](s, f, r)
            else:
                is_set[i] = s[offsets[entry.flag]] != 0
                values[i] = (f if entry.form == "real" else s)[offsets[entry.slot]]

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one environment."""
        s, f, _ = self._states[index]
        layout = self.program.layout
        return s[: layout.saved], f[: layout.saved_reals], int(self.stream[index])

    def put(self, index: int, state: Vectors) -> None:
        """Put one environment into a state."""
        s, f, _ = self._states[index]
        layout = self.program.layout
        s[: layout.saved], f[: layout.saved_reals] = state[0], state[1]
        s[layout.saved :] = self._machine.initial[layout.saved :]
        self.stream[index] = state[2]
        self.done[index] = False

    def state_bytes(self) -> int:
        """Return the bytes that the states take, as lists of numbers."""
        layout = self.program.layout
        return self.count * 8 * (layout.size + layout.reals + 1)
