"""The batch of the reference backend for games of several, a game at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from griddsl.backends.joint import Array, JointBatch, JointProgram, Writer
from griddsl.backends.python.emit import build
from griddsl.program.ir import Key
from griddsl.program.runtime import SetupFailure
from griddsl.program.stream import Stream


class PythonJointBatch(JointBatch):
    """The batch of the reference backend, a game at a time."""

    def __init__(self, joint: JointProgram, count: int) -> None:
        super().__init__(joint, count)
        self._machine = build(joint.program)
        self.states = [self._machine.new_state() for _ in range(count)]
        self._numbers = {player.agent for player in joint.players}

    def kept(self) -> dict[str, Any]:
        """Return all that the next step goes on from, as copies."""
        return {**super().kept(), "states": [tuple(part.copy() for part in state) for state in self.states]}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what `kept` gave; raise `ValueError` where it is not of a batch of this program and size."""
        layout, states = self.joint.program.layout, kept["states"]
        if [len(state[0]) for state in states] != [layout.size] * self.count:
            raise self._unfit("the number of states")
        self._check_rows(state[0][: layout.saved] for state in states)
        super().restore(kept)
        self.states[:] = states

    def step(self) -> None:
        """Carry out one step of all games, in which those that are done start anew."""
        for i, rows in enumerate(self.actions.tolist()):
            self._play(i, rows)

    def begin(self, which: Array, level: int = -1) -> None:
        """Start the games that are marked anew, on a level or on one of the spec's; the others stay as they are."""
        self.done[which] = True
        for i in np.flatnonzero(which).tolist():
            self._play(i, [], level)

    def _play(self, i: int, rows: list[list[int]], level: int = -1) -> None:
        """Let a game take a step, or start anew where it is done; then whoever plays by itself before the others."""
        joint, functions = self.joint, self._machine.functions
        offsets, width = joint.program.layout.offsets, joint.width
        choice, step = offsets["CHOICE"], functions["step"]
        nothing = [-1] * (len(joint.program.agents) * width)
        s, f, r = self.states[i]
        r[0] = int(self.stream[i])
        self.rewards[i] = 0.0
        self.ended[i], self.cut[i], self.outcome[i] = False, False, 0
        over = False
        if self.done[i]:
            try:
                functions["reset"](s, f, r, level)
            except SetupFailure as failure:
                failure.state = s
                raise
            self.alive[i], self.done[i] = True, False
        else:
            s[choice : choice + len(nothing)] = nothing
            for player, row in zip(joint.players, rows, strict=True):
                at = choice + player.agent * width
                s[at : at + width] = row
            step(s, f, r)
            over = self._account(i, s, f, offsets)
        waits = joint.program.turns == "alternate"
        while waits and not over and s[offsets["TURN"]] not in self._numbers:
            s[choice : choice + len(nothing)] = nothing
            step(s, f, r)
            over = self._account(i, s, f, offsets)
        self.done[i] = over
        if over and "OUTCOME" in offsets:
            self.outcome[i] = s[offsets["OUTCOME"]]
        self._write(i, s, f, r)
        self.stream[i] = r[0]

    def _account(self, i: int, s: list[int], f: list[float], offsets: dict[Key, int]) -> bool:
        for k, player in enumerate(self.joint.players):
            if not self.alive[i, k]:
                continue
            self.rewards[i, k] += f[offsets["REWARD"] + player.agent]
            self.ended[i, k] = s[offsets["TERMINATED"] + player.agent] == 1
            self.cut[i, k] = s[offsets["CUT_SHORT"] + player.agent] == 1
            self.alive[i, k] = not (self.ended[i, k] or self.cut[i, k])
        return not bool(self.alive[i].any())

    def _write(self, i: int, s: list[int], f: list[float], r: Stream) -> None:
        for k, player in enumerate(
            self.joint.players
        ):  # as each of them would observe: noise is drawn in turn
            if self.alive[i, k] or self.ended[i, k] or self.cut[i, k]:
                for writer, array in self._drawn():
                    if player.agent in writer.rows:
                        self._write_one(writer, array[i], writer.rows.index(player.agent), s, f, r)
        for writer, array in zip(self.joint.writers, self.written, strict=True):
            if not writer.draws:
                for m in range(len(writer.rows)):
                    self._write_one(writer, array[i], m, s, f, r)

    def _write_one(
        self, writer: Writer, array: Array, m: int, s: list[int], f: list[float], r: Stream
    ) -> None:
        """Write something for one agent of a game, to the row ``m`` of an array."""
        agent, function = writer.rows[m], self._machine.functions.get(writer.source)
        if function is None:
            at = self.joint.program.layout.offsets[writer.slot] + agent
            array[m] = (f if writer.form == "real slot" else s)[at]
        elif writer.form == "value":
            array[m] = function(s, f, r, agent)
        else:
            out: list[float] = [0] * writer.size
            function(s, f, r, agent, out)
            array[m] = np.array(out).reshape(writer.shape)
