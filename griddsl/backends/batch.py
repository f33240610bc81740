"""Batches: games of one program that step together; an environment of one agent is a game of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from griddsl.backends.interface import Array, Interface
from griddsl.diagnostics import Refused
from griddsl.program.program import Program

Vectors: TypeAlias = tuple[list[int], list[float], int]
# What a step does with a game that is over, or what is done instead of a step.
NEXT_STEP, SAME_STEP, DISABLED, RESET, SHOW = range(5)


class Batch(ABC):
    """Games of one program that step together.

    ``told`` holds an array for each of the interface's ``told`` after the last step or reset, ``final_leaves`` and
    ``final_told`` what was seen and told last of the episodes that ended in it (SAME_STEP). ``outcome`` is 0 where no
    game ended, 1 where no rule said how, else one more than the number of its outcome. ``alive`` ``(games, players)``
    says who takes part after the step, where several play; ``done`` which games the next step starts anew. All these
    arrays stay where they are, so that what reads them can keep a view.

    ``leaves`` are arrays for the interface's ``observed``, as their `made` gives them.
    """

    def __init__(self, program: Program, count: int) -> None:
        self.program, self.count = program, count
        self.interface = Interface(program)
        self.told = [writer.made(count) for writer in self.interface.told]
        self.final_told = [writer.made(count) for writer in self.interface.told]
        self.final_leaves = self.made_leaves()
        self.outcome: Array = np.zeros(count, np.int16)
        self.alive: Array = np.ones((count, len(program.players)), np.bool_)
        self.done: Array = np.zeros(count, np.bool_)
        self.stream: Array = np.zeros(count, np.uint64)
        sizes = [len(group.actions) for group in program.groups]
        self._counts = np.tile(np.array(sizes, np.uint64), count)

    def made_leaves(self) -> list[Array]:
        """Return arrays for what is observed."""
        return [writer.made(self.count) for writer in self.interface.observed]

    @abstractmethod
    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all; return how many episodes, or agents' parts in them, ended in it.

        ``actions`` int64 are in rows, a number for each place of each player's action, -1 for nothing; ``reward``
        float64 and the flags ``ended`` and ``cut`` bool have an entry for each player. Several play in the modes
        NEXT_STEP and DISABLED. Raises `ValueError` for what is no action of one agent, before anything is done.
        """

    @abstractmethod
    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` (bool) anew, on a level; write what is seen and told.

        -1 is one of the spec's, the program's ``next_level`` another episode of what was drawn once.
        """

    @abstractmethod
    def show(self, which: Array, leaves: list[Array]) -> None:
        """Write what is seen and told of the games ``which`` (bool) as they stand."""

    @abstractmethod
    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one game."""

    def read(self, places: Sequence[int]) -> Array:
        """Return the numbers at some places of the saved state of every game, (games, places)."""
        states = (self.vectors(index)[0] for index in range(self.count))
        return np.array([[state[place] for place in places] for state in states], np.int64)

    @abstractmethod
    def put(self, index: int, state: Vectors) -> None:
        """Put one game into a state, in which all take part."""

    @abstractmethod
    def state_bytes(self) -> int:
        """Return the bytes that the states take."""

    def check_actions(self, actions: Array) -> None:
        """Raise `ValueError` where an action of one agent's, of ``actions`` (count * groups,) int64, is none."""
        wrong = (
            actions.view(np.uint64) >= self._counts
        )  # without their sign, negative numbers are too large as well
        if not np.count_nonzero(wrong):
            return
        groups = self.program.groups
        names = ", ".join(f"{number} {action.name}" for number, action in enumerate(groups[0].actions[:20]))
        index = int(wrong.argmax()) // len(groups)
        found = actions.reshape(-1, len(groups))[index].tolist()
        raise Refused(
            f"the action {found[0] if len(groups) == 1 else found} of environment {index} is none; actions: {names}"
        )
