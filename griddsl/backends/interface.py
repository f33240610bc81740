"""What goes into a program and what comes out: choices in; rewards, ends, outcomes, observations, masks, infos out.

One agent is the case of one: what is written for it are rows of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from griddsl.program import keys, spaces
from griddsl.program.ir import Key
from griddsl.program.observing import draws
from griddsl.program.program import InfoEntry, Player, Program
from griddsl.program.spaces import Leaf

Array: TypeAlias = np.ndarray[Any, Any]


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


@dataclass(frozen=True, slots=True)
class Writer:
    """What is written for each of some agents after a step: a function's value or array, or an entry of a slot.

    ``source`` names the function, or ``slot`` is the key of the slot. ``rows`` are the numbers of the agents among
    all; the array has an entry of ``size`` numbers for each.
    """

    role: str  # "observed", "hidden_reward", "action_mask", "info", "turn" or, for an entry of info, "is_set"
    name: str
    form: str  # "value" or "array" of a function; "slot", "real slot" or "flag" of the state
    source: str
    slot: Key
    shape: tuple[int, ...]
    dtype: str
    rows: tuple[int, ...]
    party: int
    draws: bool = False  # then it is written for agents that take part, and what others saw last stays
    entry: InfoEntry | None = None

    @property
    def size(self) -> int:
        """The numbers for one agent."""
        return math.prod(self.shape)

    def made(self, count: int) -> Array:
        """Return an array for a batch: a row a game, and for one number of one agent a number a game."""
        width = len(self.rows) * self.size
        shape = (count, width) if self.form == "array" or len(self.rows) > 1 else (count,)
        return np.zeros(shape, self.dtype)


@dataclass(frozen=True, slots=True)
class Party:
    """Players that observe and act alike: theirs are rows of the same arrays."""

    players: tuple[Player, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of the agents."""
        return tuple(player.agent for player in self.players)


class Interface:
    """What a program takes and gives: its parties, and what is written for each of their agents.

    ``observed`` are the entries of observations that functions compute, and goals; ``told`` is the rest.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.players = program.players
        self.is_joint = len(program.players) > 1
        parties: dict[tuple[Any, ...], list[Player]] = {}
        for player in program.players:
            leaves = tuple(leaf.function for leaf in player.observation.leaves)
            parties.setdefault((leaves, player.groups, player.mask), []).append(player)
        self.parties = [Party(tuple(members)) for members in parties.values()]
        self.observed = [writer for index in range(len(self.parties)) for writer in self._observed(index)]
        self.told = [writer for index in range(len(self.parties)) for writer in self._told(index)]
        if self.is_joint and program.turns == "alternate":
            self.told.append(Writer("turn", "turn", "slot", "", keys.TURN, (), "int64", (0,), 0))
        self.writers = [*self.observed, *self.told]
        lengths = {slot.key: slot.length for slot in program.slots}
        # The places for the numbers of an agent's action.
        self.width = lengths[keys.CHOICE] // len(program.agents) if self.is_joint else len(program.groups)
        self._choice = program.layout.offsets.get(keys.CHOICE, -1)

    def _observed(self, index: int) -> list[Writer]:
        party = self.parties[index]
        leaves: Sequence[Leaf] = party.players[0].observation.leaves
        if not self.is_joint:
            leaves = [leaf for leaf, _ in leaf_ports(self.program)]
        found: list[Writer] = []
        for leaf in leaves:
            if leaf.function:
                port = leaf_port(leaf)
                form = "value" if port.is_value else "array"
                is_drawn = self.is_joint and draws(self.program, leaf.function)
                found.append(
                    Writer(
                        role="observed",
                        name=leaf.name,
                        form=form,
                        source=leaf.function,
                        slot="",
                        shape=port.shape,
                        dtype=port.dtype,
                        rows=party.rows,
                        party=index,
                        draws=is_drawn,
                    )
                )
        return found

    def _told(self, index: int) -> list[Writer]:
        party = self.parties[index]
        first, rows = party.players[0], party.rows
        found: list[Writer] = []

        def add(role: str, name: str, form: str, source: str = "", slot: Key = "", **more: Any) -> None:
            given: dict[str, Any] = {"shape": (), "dtype": "float64", "rows": rows, "party": index} | more
            found.append(Writer(role, name, form, source, slot, **given))

        if keys.HIDDEN_REWARD in self.program.layout.offsets:
            add("hidden_reward", "hidden_reward", "real slot", slot=keys.HIDDEN_REWARD)
        if first.mask:
            size = sum(len(group.actions) for group in first.groups)
            add("action_mask", "action_mask", "array", first.mask, shape=(size,), dtype="int8")
        for entry in first.info:
            dtype = info_dtype(entry.form)
            if entry.function:
                add("info", entry.name, "value", entry.function, dtype=dtype, entry=entry)
            else:
                form = "real slot" if entry.form == "real" else "slot"
                add("info", entry.name, form, slot=entry.slot, dtype=dtype, entry=entry)
                add("is_set", entry.name, "flag", slot=entry.flag, dtype="bool_", entry=entry)
        return found

    @cached_property
    def counts(self) -> Array:
        """How many actions there are for each player and place, ``(players, width)``; 0 where there is none."""
        counts = np.zeros((len(self.players), self.width), np.int64)
        for row, player in enumerate(self.players):
            counts[row, : len(player.groups)] = [len(group.actions) for group in player.groups]
        return counts

    def choose(self, s: list[int], row: Sequence[Any]) -> None:
        """Let the state of a game of several hold what each player does: its numbers, None for nothing."""
        first = self._choice
        s[first : first + len(self.program.agents) * self.width] = [-1] * (
            len(self.program.agents) * self.width
        )
        for player, numbers in zip(self.program.players, row, strict=True):
            if numbers is not None:
                at = first + player.agent * self.width
                s[at : at + len(numbers)] = numbers

    def refusal(self) -> str | None:
        """Return why a batch of games cannot observe what the spec says; None where it can."""
        for party in self.parties:
            observation = party.players[0].observation
            for leaf in observation.leaves:
                if not leaf.function:
                    name = leaf.form if observation.form == "bare" else leaf.name
                    return f"`{name}` is made of pictures or words, one game at a time"
        return None
