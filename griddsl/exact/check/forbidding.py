"""Forbidding: states in which `allow` forbids an agent every action of a group while the episode goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from griddsl.program import keys
from griddsl.program.program import Program

Group: TypeAlias = tuple[int, int]  # the place of a player among all, and of a group among its own


def forbidding_groups(program: Program) -> set[Group]:
    """Return the groups of actions of which every one has an `allow`, so that none may be left."""
    return {
        (place, number)
        for place, player in enumerate(program.players)
        for number, group in enumerate(player.groups)
        if all(action.allow in program.functions for action in group.actions)
    }


@dataclass(slots=True)
class Forbidding:
    """What was seen of some groups: the states, by number, in which nothing is allowed, and which lead to which.

    States below ``starts`` are those of resets.
    """

    program: Program
    groups: set[Group]
    starts: int = 0
    found: dict[Group, set[int]] = field(default_factory=dict)
    following: dict[int, set[int]] = field(default_factory=dict)

    def functions(self) -> list[str]:
        """Return the functions that say what is allowed."""
        players = self.program.players
        return [
            action.allow for place, number in self.groups for action in players[place].groups[number].actions
        ]

    def look(self, number: int, state: tuple[Any, Any], functions: Mapping[str, Callable[..., Any]]) -> None:
        """Note the groups of which a state allows nothing to an agent that takes part, and whose turn it is."""
        s, f = state
        offsets = self.program.layout.offsets
        out, turn = offsets.get(keys.OUT), offsets.get(keys.TURN)
        for place, group in self.groups:
            player = self.program.players[place]
            is_out = out is not None and s[out + player.agent]
            waits = self.program.turns == "alternate" and turn is not None and s[turn] != player.agent
            if is_out or waits:
                continue
            actions = player.groups[group].actions
            if not any(functions[action.allow](s, f, [0], player.agent, *action.given) for action in actions):
                self.found.setdefault((place, group), set()).add(number)

    def lead(self, state: int, after: int) -> None:
        """Note that an action can lead from a state to another."""
        self.following.setdefault(state, set()).add(after)

    def steps(self, limit: int | None) -> dict[Group, int]:
        """Return after how many steps play can come to such a state, by group; not where the limit comes first."""
        steps, here = 0, set(range(self.starts))
        seen, first = set(here), dict[Group, int]()
        while here and (limit is None or steps < limit):
            for group, states in self.found.items():
                if group not in first and states & here:
                    first[group] = steps
            here = {after for state in here for after in self.following.get(state, ())} - seen
            seen |= here
            steps += 1
        return first


def first_of(groups: Iterable[Group], program: Program) -> dict[tuple[str, ...], Group]:
    """Return the first group of each list of actions: agents of one kind have the same."""
    found: dict[tuple[str, ...], Group] = {}
    for place, number in sorted(groups):
        names = tuple(action.allow for action in program.players[place].groups[number].actions)
        found.setdefault(names, (place, number))
    return found
