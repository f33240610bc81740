"""Batches of one program: what they write, and the batch of the reference backend, an environment at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from griddsl.backends.python import Machine, build
from griddsl.program import spaces
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf

Array: TypeAlias = np.ndarray[Any, Any]
Vectors: TypeAlias = tuple[list[int], list[float], int]
NEXT_STEP, SAME_STEP, DISABLED = range(3)


@dataclass(frozen=True, slots=True)
class Port:
    """A function that a backend writes to an array: an entry of the observation, of a goal, or of info."""

    function: str
    is_value: bool
    size: int
    dtype: str
    shape: tuple[int, ...] = ()


def leaf_ports(program: Program) -> list[tuple[Leaf, Port]]:
    """Return the entries that functions compute: those of the observation, then achieved and desired goal."""
    leaves = [*program.observation.leaves]
    if program.goal:
        leaves += [program.goal["achieved"], program.goal["desired"]]
    return [(leaf, leaf_port(leaf)) for leaf in leaves if leaf.function]


def leaf_port(leaf: Leaf) -> Port:
    """Return what a backend writes for an entry that a function computes."""
    if leaf.form == "value":
        return Port(leaf.function, True, 1, "int64")
    match leaf.space:
        case spaces.Box(_, _, shape, dtype):
            return Port(leaf.function, False, math.prod(shape), dtype, shape)
        case spaces.MultiDiscrete(sizes):
            return Port(leaf.function, False, len(sizes), "int64", (len(sizes),))
        case spaces.MultiBinary(size):
            return Port(leaf.function, False, size, "int8", (size,))
    raise AssertionError(leaf)


def info_dtype(form: str) -> str:
    """Return the dtype that an info entry is kept in."""
    return "float64" if form == "real" else "int64"


class Extras:
    """What a batch writes beside observations, rewards and flags; a row, or an entry, an environment.

    ``outcome`` is 0 where no episode ended, 1 where one was cut, else one more than the number of its outcome; it
    holds after steps in which episodes ended.
    """

    def __init__(self, program: Program, count: int) -> None:
        self.outcome: Array = np.zeros(count, np.int16)
        self.hidden: Array = np.zeros(count, np.float64)
        self.mask: Array = np.ones((count, sum(len(group.actions) for group in program.groups)), np.int8)
        self.values = [np.zeros(count, info_dtype(entry.form)) for entry in program.info]
        self.is_set = [np.ones(count, np.bool_) for _ in program.info]


def make_leaves(program: Program, count: int) -> list[Array]:
    """Return arrays for the computed entries of an observation, one after the other."""
    return [
        np.empty(count if port.is_value else (count, port.size), port.dtype)
        for _, port in leaf_ports(program)
    ]


class Batch(Protocol):
    """Environments of one program that step together.

    ``now`` holds the extras of the last step or reset, ``final`` and ``final_leaves`` those of the episodes that
    ended in it (SAME_STEP); ``done`` says which environments the next step resets (NEXT_STEP). A step returns the
    number of episodes that ended in it.
    """

    count: int
    now: Extras
    final: Extras
    final_leaves: list[Array]
    done: Array
    stream: Array

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which`` (bool); write the observations and extras of all."""

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all: flags bool, reward float64; ``actions`` (count * groups,) int64, in rows."""

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one environment."""

    def put(self, index: int, state: Vectors) -> None:
        """Put one environment into a state."""

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""


def action_counts(program: Program, count: int) -> Array:
    """Return how many actions there are for each entry of a batch's actions, (count * groups,) uint64."""
    return np.tile(np.array([len(group.actions) for group in program.groups], np.uint64), count)


def check_actions(program: Program, counts: Array, actions: Array) -> None:
    """Raise `ValueError` where an action, of ``actions`` (count * groups,) int64, is none."""
    wrong = actions.view(np.uint64) >= counts  # without their sign, negative numbers are too large as well
    if np.count_nonzero(wrong):
        groups = len(program.groups)
        raise bad_action(program, actions.reshape(-1, groups), int(wrong.argmax()) // groups)


def bad_action(program: Program, actions: Array, index: int) -> ValueError:
    """Return the error for an environment's action that is none."""
    groups = program.groups
    names = ", ".join(f"{number} {action.name}" for number, action in enumerate(groups[0].actions[:20]))
    found = actions[index].tolist()
    return ValueError(
        f"the action {found[0] if len(groups) == 1 else found} of environment {index} is none; actions: {names}"
    )


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
