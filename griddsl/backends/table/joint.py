"""A batch of games of several whose states are numbers: joint steps are gathers, then the turns that nobody takes."""

from __future__ import annotations

import numpy as np

from griddsl.backends.batch import DISABLED, Vectors
from griddsl.backends.interface import Array
from griddsl.backends.table.enumeration import Table
from griddsl.backends.table.states import TableStates
from griddsl.program.program import Program


class JointTableBatch(TableStates):
    """A batch of games of several on a table, by numpy."""

    def __init__(self, program: Program, table: Table, count: int) -> None:
        super().__init__(program, table, count, np.intp)
        sizes = [[len(group.actions) for group in player.groups] for player in program.players]
        self._sizes = [(k, m, size) for k, groups in enumerate(sizes) for m, size in enumerate(groups)]
        self._was_put = False  # so that a game may stand where no episode went on
        self._point()

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew, up to a player's turn; write what is seen and told of all."""
        flags = np.zeros((self.count, len(self.program.players)), np.bool_)
        if which.any():
            rows = np.flatnonzero(which)
            self._start(rows, level)
            self._take_turns(rows, np.zeros(flags.shape), flags, flags.copy())
            self._close(rows)
        self._write(leaves, self.at, self.told)

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one joint step of all; return how many agents' parts ended in it."""
        given = [array.reshape(self.count, -1) for array in (reward, ended, cut)]
        for array in given:
            array.fill(0)
        begins = self.done.copy() if mode != DISABLED else np.zeros(self.count, np.bool_)
        if mode == DISABLED or self._was_put:
            self._expand_ends()
        self._follow()
        took_part = np.count_nonzero(self.alive[~begins])
        rows = np.flatnonzero(begins)
        if len(rows):
            self._start(rows, self.program.next_level)
            took_part += len(rows) * self.alive.shape[1]
        self._advance(np.flatnonzero(~begins), self._joint(actions), *given)
        everyone = np.arange(self.count)
        self._take_turns(everyone, *given)
        self._close(everyone)
        self._write(leaves, self.at, self.told)
        return int(took_part - np.count_nonzero(self.alive))

    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state, in which all take part."""
        super().put(index, state)
        self.alive[index] = True
        self._was_put = True

    def _expand_ends(self) -> None:
        """Expand the states that games stand in and no episode went on from."""
        for number in np.unique(self.at).tolist():
            if self.table.is_end[number]:
                self.table.expand(number)

    def _joint(self, actions: Array) -> Array:
        """Return the number of each game's joint action; what is none, of who takes no part, counts as the first."""
        rows = actions.reshape(self.count, len(self.program.players), -1)
        found = np.zeros(self.count, np.int64)
        for player, place, size in self._sizes:
            number = rows[:, player, place]
            found *= size
            found += np.where((number >= 0) & (number < size), number, 0)
        return found

    def _start(self, rows: Array, level: int) -> None:
        """Start episodes of some games, in which all take part."""
        super()._start(rows, level)
        self.alive[rows] = True

    def _take_turns(self, rows: Array, reward: Array, ended: Array, cut: Array) -> None:
        """Let those that play by themselves take their turns, in games that go on."""
        while self._flat.waits.any():
            rows = rows[self._flat.waits[self.at[rows]] & self.alive[rows].any(axis=1)]
            if not len(rows):
                return
            self._advance(rows, np.zeros(self.count, np.int64), reward, ended, cut)

    def _advance(self, rows: Array, chosen: Array, reward: Array, ended: Array, cut: Array) -> None:
        """Carry out one step of some games, and add what it gives to the agents that take part."""
        if not len(rows):
            return
        flat = self._flat
        nodes = self._walked(self.at[rows] * self._actions + chosen[rows], rows)
        self.at[rows] = flat.next[nodes]
        self.steps[rows] += 1
        alive = self.alive[rows]
        late = self.steps[rows] >= self._limit if self._counts_steps else np.zeros(len(rows), np.bool_)
        reward[rows] += np.where(alive, flat.gain[nodes], 0.0)
        ended[rows] = np.where(alive, flat.ended[nodes], ended[rows])
        cut[rows] = np.where(alive, flat.cut[nodes] | late[:, None], cut[rows])
        self.alive[rows] = alive & ~(ended[rows] | cut[rows])
        self.outcome[rows] = flat.outcome[nodes]

    def _close(self, rows: Array) -> None:
        """Note which games are over, and with what outcome."""
        self.done[rows] = ~self.alive[rows].any(axis=1)
        self.outcome[rows] = np.where(self.done[rows], self.outcome[rows], 0)
