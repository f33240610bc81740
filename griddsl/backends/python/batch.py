"""The batch of the reference backend, a game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from griddsl.backends.batch import DISABLED, SAME_STEP, Batch, Vectors
from griddsl.backends.interface import Array, Writer
from griddsl.backends.python.emit import build
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.stream import Stream


class PythonBatch(Batch):
    """The batch of the reference backend: one list of integers, of reals and of the stream a game."""

    def __init__(self, program: Program, count: int) -> None:
        super().__init__(program, count)
        self._functions = build(program).functions
        self._initial, _ = program.initial()
        self._states = [(list(s), list(f), Stream()) for s, f in [program.initial()] * count]
        self._numbers = {player.agent for player in program.players}
        self._drawn = any(writer.draws for writer in self.interface.observed)

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes, or agents' parts in them, ended in it."""
        if not self.interface.is_joint:
            self.check_actions(actions)
        ends = 0
        flags = [array.reshape(self.count, -1) for array in (reward, ended, cut)]
        for i, row in enumerate(actions.reshape(self.count, -1).tolist()):
            _, _, r = self._states[i]
            r[0] = int(self.stream[i])
            begins = mode != DISABLED and bool(self.done[i])
            if begins:
                self._start(i, self.program.next_level)
            ends += self._play(i, None if begins else row, *(array[i] for array in flags))
            if mode == SAME_STEP and self.done[i]:
                self._write(i, self.final_leaves, self.final_told, *(array[i] for array in flags[1:]))
                self._start(i, self.program.next_level)
                self.done[i] = False
            self._write(i, leaves, self.told, *(array[i] for array in flags[1:]))
            self.stream[i] = r[0]
        return ends

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew, on a level or one of the spec's; write what is seen and told of them."""
        players = len(self.program.players)
        for i in np.flatnonzero(which).tolist():
            _, _, r = self._states[i]
            r[0] = int(self.stream[i])
            self._start(i, level)
            flags = np.zeros((2, players), np.bool_)
            self._play(i, None, np.zeros(players), *flags)
            self._write(i, leaves, self.told, *flags)
            self.stream[i] = r[0]

    def show(self, which: Array, leaves: list[Array]) -> None:
        """Write what is seen and told of the games ``which`` as they stand."""
        nobody = np.zeros(len(self.program.players), np.bool_)
        for i in np.flatnonzero(which).tolist():
            _, _, r = self._states[i]
            r[0] = int(self.stream[i])
            self._write(i, leaves, self.told, nobody, nobody)
            self.stream[i] = r[0]

    def _start(self, i: int, level: int) -> None:
        """Start an episode of one game."""
        s, f, r = self._states[i]
        try:
            self._functions["reset"](s, f, r, level)
        except SetupFailure as failure:
            failure.state = s
            raise
        self.alive[i] = True

    def _play(self, i: int, row: list[int] | None, reward: Array, ended: Array, cut: Array) -> int:
        """Let a game take a step, None for none, and then whoever plays by itself before the others."""
        s, f, r = self._states[i]
        offsets, step = self.program.layout.offsets, self._functions["step"]
        reward[:], ended[:], cut[:] = 0.0, False, False
        ends, is_over = 0, False
        if self.interface.is_joint:
            waits = self.program.turns == "alternate"
            while row is not None or (waits and not is_over and s[offsets[keys.TURN]] not in self._numbers):
                width = self.interface.width
                places = range(0, len(self.program.players) * width, width)
                self.interface.choose(s, [row and row[at : at + width] for at in places])
                row = None
                step(s, f, r)
                ends += self._account(i, s, f, reward, ended, cut)
                is_over = not self.alive[i].any()
        elif row is not None:
            reward[0], ended[0], cut[0] = step(s, f, r, *row)
            ends = is_over = bool(ended[0] or cut[0])
        self.done[i] = is_over
        self.outcome[i] = 1 + (s[offsets[keys.OUTCOME]] if keys.OUTCOME in offsets else 0) if is_over else 0
        return ends

    def _account(self, i: int, s: list[int], f: list[float], reward: Array, ended: Array, cut: Array) -> int:
        """Add what a step gave to each agent that takes part; return the parts that ended."""
        offsets, ends = self.program.layout.offsets, 0
        for k, player in enumerate(self.program.players):
            if self.alive[i, k]:
                reward[k] += f[offsets[keys.REWARD] + player.agent]
                ended[k] = s[offsets[keys.TERMINATED] + player.agent] == 1
                cut[k] = s[offsets[keys.CUT_SHORT] + player.agent] == 1
                self.alive[i, k] = not (ended[k] or cut[k])
                ends += not self.alive[i, k]
        return ends

    def _write(self, i: int, leaves: list[Array], told: list[Array], ended: Array, cut: Array) -> None:
        """Write what is seen and told of a game; noise is drawn for one agent after another, as each would look."""
        pairs = list(zip(self.interface.writers, [*leaves, *told], strict=True))
        drawn = [(writer, array) for writer, array in pairs if writer.draws]
        for k, player in enumerate(self.program.players if drawn else ()):
            if self.alive[i, k] or ended[k] or cut[k]:
                for writer, array in drawn:
                    if player.agent in writer.rows:
                        self._write_one(i, writer, array, writer.rows.index(player.agent))
        for writer, array in pairs:
            if not writer.draws:
                for m in range(len(writer.rows)):
                    self._write_one(i, writer, array, m)

    def _write_one(self, i: int, writer: Writer, array: Array, m: int) -> None:
        """Write something for one agent of a game, to its row ``m``."""
        s, f, r = self._states[i]
        given = writer.rows[m : m + 1] if self.interface.is_joint else ()
        row = array.reshape(self.count, len(writer.rows), -1)[i, m]
        if writer.form == "array":
            out: list[float] = [0] * writer.size
            self._functions[writer.source](s, f, r, *given, out)
            row[:] = out
        elif writer.form == "value":
            row[0] = self._functions[writer.source](s, f, r, *given)
        else:
            vector: list[Any] = f if writer.form == "real slot" else s
            row[0] = vector[
                self.program.layout.offsets[writer.slot] + writer.rows[m] * self.interface.is_joint
            ]

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one game."""
        s, f, _ = self._states[index]
        layout = self.program.layout
        return s[: layout.saved], f[: layout.saved_reals], int(self.stream[index])

    def read(self, places: Sequence[int]) -> Array:
        """Return the numbers at some places of the saved state of every game, (games, places)."""
        return np.array([[s[place] for place in places] for s, _, _ in self._states], np.int64)

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state, in which all take part."""
        s, f, _ = self._states[index]
        layout = self.program.layout
        s[: layout.saved], f[: layout.saved_reals] = state[0], state[1]
        s[layout.saved :] = self._initial[layout.saved :]
        self.stream[index] = state[2]
        self.done[index], self.alive[index] = False, True

    def state_bytes(self) -> int:
        """Return the bytes that the states take, as lists of numbers."""
        layout = self.program.layout
        return self.count * 8 * (layout.size + layout.reals + 1)
