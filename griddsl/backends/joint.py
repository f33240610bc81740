"""Batches of games of several: joint steps of many at once, and the batch of the reference backend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from griddsl.backends.batch import info_dtype, leaf_port
from griddsl.program.ir import Key
from griddsl.program.observing import draws
from griddsl.program.program import Player, Program

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Writer:
    """What is written for each of some agents after a step: a function's value or array, or an entry of a slot.

    ``source`` names the function, or ``slot`` is the key of the slot. ``rows`` are the numbers of the agents among
    all; the array has the shape ``(games, agents, *shape)``.
    """

    name: str
    form: str  # "value" or "array" of a function; "slot", "real slot" or "flag" of the state
    source: str
    slot: Key
    shape: tuple[int, ...]
    dtype: str
    rows: tuple[int, ...]
    party: int
    draws: bool = False  # then it is written for agents that take part, and what others saw last stays

    @property
    def size(self) -> int:
        """The entries for one agent."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Party:
    """Players that observe and act alike: theirs are rows of the same arrays."""

    players: tuple[Player, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of the agents."""
        return tuple(player.agent for player in self.players)


class JointProgram:
    """A program of several players with what a batch needs to know: its parties, and what is written for each."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.players = program.players
        parties: dict[tuple[Any, ...], list[Player]] = {}
        for player in program.players:
            leaves = tuple(leaf.function for leaf in player.observation.leaves)
            parties.setdefault((leaves, player.groups, player.mask), []).append(player)
        self.parties = [Party(tuple(members)) for members in parties.values()]
        self.writers = [writer for index in range(len(self.parties)) for writer in self._writers(index)]
        lengths = {slot.key: slot.length for slot in program.slots}
        self.width = lengths["CHOICE"] // len(program.agents)

    def _writers(self, index: int) -> list[Writer]:
        party = self.parties[index]
        first, rows = party.players[0], party.rows
        found: list[Writer] = []
        for leaf in first.observation.leaves:
            if not leaf.function:
                continue
            port = leaf_port(leaf)
            form = "value" if port.is_value else "array"
            is_drawn = draws(self.program, leaf.function)
            found.append(
                Writer(leaf.name, form, leaf.function, "", port.shape, port.dtype, rows, index, is_drawn)
            )
        if "HIDDEN_REWARD" in self.program.layout.offsets:
            hidden = Writer(
                "info:hidden_reward", "real slot", "", "HIDDEN_REWARD", (), "float64", rows, index
            )
            found.append(hidden)
        if first.mask:
            size = sum(len(group.actions) for group in first.groups)
            found.append(Writer("action_mask", "array", first.mask, "", (size,), "int8", rows, index))
        for entry in first.info:
            dtype = info_dtype(entry.form)
            if entry.function:
                found.append(
                    Writer(f"info:{entry.name}", "value", entry.function, "", (), dtype, rows, index)
                )
            else:
                form = "real slot" if entry.form == "real" else "slot"
                found.append(Writer(f"info:{entry.name}", form, "", entry.slot, (), dtype, rows, index))
                found.append(Writer(f"set:{entry.name}", "flag", "", entry.flag, (), "bool_", rows, index))
        return found

    @cached_property
    def counts(self) -> Array:
        """How many actions there are for each player and place, ``(players, width)``; 0 where there is none."""
        counts = np.zeros((len(self.players), self.width), np.int64)
        for row, player in enumerate(self.players):
            counts[row, : len(player.groups)] = [len(group.actions) for group in player.groups]
        return counts

    def refusal(self) -> str | None:
        """Return why a batch cannot observe what the spec says; None where it can."""
        for party in self.parties:
            for leaf in party.players[0].observation.leaves:
                if not leaf.function:
                    return f"`{leaf.name}` is made of pictures or words, one game at a time"
        return None


class JointBatch:
    """Games of one program that step together.

    ``actions`` are what the next step carries out, ``(games, players, width)`` int64, -1 for nothing. ``written``
    holds an array for every writer; ``rewards``, ``ended`` and ``cut`` are ``(games, players)``, and so is ``alive``:
    who takes part after the step. ``done`` says which games the next step starts anew. All arrays stay where they
    are, so that what reads them can keep a view.
    """

    def __init__(self, joint: JointProgram, count: int) -> None:
        self.joint, self.count = joint, count
        shape = (count, len(joint.players))
        self.actions: Array = np.full((*shape, joint.width), -1, np.int64)
        self.written: list[Array] = [np.zeros((count, len(w.rows), *w.shape), w.dtype) for w in joint.writers]
        self.rewards: Array = np.zeros(shape, np.float64)
        self.ended: Array = np.zeros(shape, np.bool_)
        self.cut: Array = np.zeros(shape, np.bool_)
        self.alive: Array = np.ones(shape, np.bool_)
        self.outcome: Array = np.zeros(count, np.int16)
        self.done: Array = np.ones(count, np.bool_)
        self.stream: Array = np.zeros(count, np.uint64)

    def step(self) -> None:
        """Carry out one step of all games, in which those that are done start anew."""
        raise NotImplementedError

    def begin(self, which: Array, level: int = -1) -> None:
        """Start the games that are marked anew, on a level or on one of the spec's; the others stay as they are."""
        raise NotImplementedError

    def kept(self) -> dict[str, Any]:
        """Return all that the next step goes on from, as copies."""
        drawn = [array.copy() for _, array in self._drawn()]
        return {"drawn": drawn, **{name: getattr(self, name).copy() for name in ("stream", "done", "alive")}}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what `kept` gave; raise `ValueError` where it is not of a batch of this program and size."""
        self._check_rows(kept.get("integers", ()))
        for name, content in kept.items():
            array = self.__dict__.get(name)
            if name in {"drawn", "states"}:
                continue
            if not isinstance(array, np.ndarray) or np.shape(content) != array.shape:
                raise self._unfit(name)
            array[:] = content
        for (_, array), seen in zip(self._drawn(), kept["drawn"], strict=True):
            array[:] = seen

    def _check_rows(self, rows: Iterable[Any]) -> None:
        """Raise `ValueError` where the saved integers of a game are none of this program."""
        low, high = self.joint.program.bounds
        for row in rows:
            if len(row) != len(low) or (low > row).any() or (high < row).any():
                raise self._unfit("a state")

    def _unfit(self, what: str) -> ValueError:
        return ValueError(f"this is no pickle of a batch of {self.joint.program.id}: {what} does not fit")

    def _drawn(self) -> list[tuple[Writer, Array]]:
        """Return what is written with noise, and the arrays it is written to."""
        pairs = zip(self.joint.writers, self.written, strict=True)
        return [(writer, array) for writer, array in pairs if writer.draws]
