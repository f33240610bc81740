"""Expansion: the successors of a batch of states, by native code or by Python, with states as bytes.

A state is a key: its integers in the narrowest type that holds them, filled up to whole words, a word for how the
episode ended there, and its reals. Two states are the same where their keys are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.backends.native.emit import refusal
from griddsl.exact.draws import ExactError, Key, Script
from griddsl.exact.explorer import Explorer
from griddsl.exact.native.text import row_of, state_type
from griddsl.exact.states.step_need import Affine, StepNeed
from griddsl.exact.steps import Steps
from griddsl.program.program import Program


@dataclass(frozen=True)
class Successors:
    """Transitions, one a row: of which state of the batch, by which action, to which state, and what it brings.

    ``key`` is ``(transitions, bytes)`` uint8; ``end`` is `RUNNING`, or how the episode ends there.
    """

    source: NDArray[np.int64]
    action: NDArray[np.int32]
    key: NDArray[np.uint8]
    end: NDArray[np.int64]
    chance: NDArray[np.float64]
    reward: NDArray[np.float64]
    slope: NDArray[np.float64]


class Packing:
    """States as bytes, and back."""

    def __init__(self, program: Program, step_need: StepNeed) -> None:
        self.dtype, self.row = state_type(program, step_need), row_of(program, step_need)
        self.saved, self.reals = program.layout.saved, program.layout.saved_reals
        self.width = 8 * (self.row + self.reals)  # bytes of a key

    def pack(self, states: Sequence[Key], ends: Sequence[int]) -> NDArray[np.uint8]:
        """Return states as rows of bytes, ``(states, width)``."""
        words = np.zeros((len(states), self.row), np.uint64)
        given = np.array(states, np.float64 if self.reals else np.int64).reshape(len(states), -1)
        words.view(self.dtype)[:, : self.saved] = given[:, : self.saved]
        words[:, -1] = np.array(ends, np.int64).view(np.uint64)
        return self.joined(words, given[:, self.saved :].astype(np.float64) + 0.0)

    def joined(self, words: NDArray[np.uint64], reals: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return words and reals as rows of bytes."""
        if not self.reals:
            return np.ascontiguousarray(words).view(np.uint8).reshape(len(words), self.width)
        return np.hstack([words, reals.view(np.uint64)]).view(np.uint8)

    def parted(self, keys: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Return the words and the reals of rows of bytes."""
        whole = np.ascontiguousarray(keys).view(np.uint64).reshape(len(keys), -1)
        return whole[:, : self.row].copy(), whole[:, self.row :].copy().view(np.float64)

    def unpack(self, keys: NDArray[np.uint8]) -> list[Key]:
        """Return states as they stand in an enumeration."""
        words, reals = self.parted(keys)
        integers = words.view(self.dtype)[:, : self.saved].tolist()
        return [(*row, *more) for row, more in zip(integers, reals.tolist(), strict=True)]


class Expansion:
    """What every action leads to; it is sent to workers, and makes ready what runs the program where it is."""

    def __init__(self, program: Program, step_need: StepNeed, backend: str = "auto") -> None:
        if sys.byteorder != "little":
            raise ExactError("states are kept on disk by processors whose bytes begin with the lowest only")
        if len(program.players) > 1:
            raise ExactError(
                f"{program.id} is played by several agents, and states are kept on disk for one",
                "`to_mdp` takes games of several in memory",
            )
        reason = None if backend == "python" else refusal(program)
        if backend == "native" and reason is not None:
            raise ExactError(f"the native backend cannot enumerate {program.id}: {reason}")
        self.program, self.step_need = program, step_need
        self.backend = "python" if backend == "python" or reason is not None else "native"
        self.packing = Packing(program, step_need)
        self._native: Any = None
        self._steps: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_native": None, "_steps": None}

    def expand(self, keys: NDArray[np.uint8]) -> Successors:
        """Return where all actions lead from states in which the episode goes on, ``(states, width)`` bytes."""
        if not len(keys):
            none, numbers = np.zeros(0, np.int64), np.zeros(0)
            return Successors(none, none.astype(np.int32), keys, none, numbers, numbers, numbers)
        return self._natively(keys) if self.backend == "native" else self._in_python(keys)

    def _natively(self, keys: NDArray[np.uint8]) -> Successors:
        from griddsl.exact.native.batch import BatchSearch, Unsuitable

        try:
            if self._native is None:
                self._native = BatchSearch(self.program, self.step_need)
            return Successors(*self._native.expand(*self.packing.parted(keys), self.packing.joined))
        except Unsuitable:
            self.backend = "python"
            return self._in_python(keys)

    def _in_python(self, keys: NDArray[np.uint8]) -> Successors:
        if self._steps is None:
            self._steps = Steps(self.program, Script(), self.step_need)
        explorer = Explorer(self._steps, sys.maxsize)
        for state in self.packing.unpack(keys):
            explorer.number(state)
        rows = [
            (number, index, after, over / under, reward)
            for number in range(len(keys))
            for index, ways in explorer.successors(number)
            for after, reward, over, under in ways
        ]
        source, action, targets, chance, rewards = zip(*rows, strict=True)
        packed = self.packing.pack(explorer.states, explorer.outcome)
        ends = np.array(explorer.outcome, np.int64)
        target = np.array(targets, np.int64)
        bases = [each.base if isinstance(each, Affine) else each for each in rewards]
        slopes = [each.slope if isinstance(each, Affine) else 0.0 for each in rewards]
        return Successors(
            np.array(source, np.int64),
            np.array(action, np.int32),
            packed[target],
            ends[target],
            np.array(chance, np.float64),
            np.array(bases, np.float64),
            np.array(slopes, np.float64),
        )
