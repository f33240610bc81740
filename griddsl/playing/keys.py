"""Keys: which play the actions of a spec, and which, among those left, are commands of the player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from griddsl.playing.traced import Seat, seats_of
from griddsl.program.program import ActionInfo, Program

# Each command with its meaning and its keys, best first. The last is one that specs hardly ever take.
COMMANDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("undo", "undo", ("u", "backspace", "f4")),
    ("restart", "restart", ("r", "f5")),
    ("new_seed", "another seed", ("e", "f6")),
    ("auto", "let it play at random", ("space", "f7")),
    ("next", "one random move", ("n", "f8")),
    ("faster", "faster", ("+", "=", "f10")),
    ("slower", "slower", ("-", "f9")),
    ("quit", "quit", ("q", "escape")),
)
ALWAYS = {"ctrl+c": "quit", "ctrl+q": "quit", "ctrl+z": "undo", "quit": "quit"}
SHOWN_APART = frozenset({"faster", "slower"})
MOST_LISTED = 2
UNTYPED = ("left shift", "right shift", "left ctrl", "right ctrl", "left alt", "right alt")


@dataclass(frozen=True, slots=True)
class Keys:
    """``actions`` maps a key to a seat and an action's number, ``commands`` a key to a command."""

    actions: Mapping[str, tuple[int, int]]
    commands: Mapping[str, str]

    def captions(self, program: Program, typed: bool = False) -> list[tuple[str, str]]:
        """Return keys with what they do; ``typed`` leaves out those that a terminal cannot read."""
        found = []
        seats = seats_of(program)
        for seat, number in playable(seats):
            name = _said(seats[seat].group.actions[number])
            if len(program.players) > 1:
                name = f"{seats[seat].agent} {name}"
            found.append((self._listed((seat, number), typed), name))
        speed = []
        for command, meaning, _ in COMMANDS:
            keys = [key for key, value in self.commands.items() if value == command and key not in ALWAYS]
            if command in SHOWN_APART:
                speed.append(keys[0])
            elif keys:
                found.append((keys[0] if command != "quit" else ", ".join(keys), meaning))
        found.insert(-1, (", ".join(speed), "faster, slower"))
        return [(keys, meaning) for keys, meaning in found if keys]

    def _listed(self, action: tuple[int, int], typed: bool) -> str:
        keys = [
            key for key, value in self.actions.items() if value == action and not (typed and key in UNTYPED)
        ]
        shortest = sorted(keys, key=len)[:MOST_LISTED]
        return ", ".join(key for key in keys if key in shortest)


def keys_of(program: Program) -> Keys:
    """Return the keys of a program's actions, and the commands on keys that are left."""
    actions: dict[str, tuple[int, int]] = {}
    seats = seats_of(program)
    if len(program.players) > 1:
        _share_keys(seats, actions)
    for seat, number in playable(seats):
        for key in seats[seat].group.actions[number].keys:
            if len(program.players) == 1 or (seat, number) not in actions.values():
                actions.setdefault(key, (seat, number))
    _give_digits(seats, actions)
    commands = dict(ALWAYS)
    for command, _, keys in COMMANDS:
        commands.update({key: command for key in keys if key not in actions})
    return Keys(actions, commands)


def _share_keys(seats: list[Seat], actions: dict[str, tuple[int, int]]) -> None:
    """Give each of several players keys of their own: the first those named first (arrows), the next the others."""
    order = {agent: index for index, agent in enumerate(dict.fromkeys(seat.agent for seat in seats))}
    for seat, number in playable(seats):
        keys = seats[seat].group.actions[number].keys
        mine = keys[order[seats[seat].agent] :]
        key = next((key for key in mine if key not in actions), None)
        if key is not None:
            actions[key] = (seat, number)


def playable(seats: list[Seat]) -> list[tuple[int, int]]:
    """Return what keys play: of the numbers of an action with arguments the first, for which the others are asked."""
    found: list[tuple[int, int]] = []
    for number, seat in enumerate(seats):
        verbs: set[str] = set()
        for place, action in enumerate(seat.group.actions):
            if not seat.group.axis and (not action.verb or action.verb not in verbs):
                verbs.add(action.verb)
                found.append((number, place))
    return found


def _said(action: ActionInfo) -> str:
    return f"{action.verb or action.name}({', '.join(action.takes)})" if action.takes else action.name


def _give_digits(seats: list[Seat], actions: dict[str, tuple[int, int]]) -> None:
    """Give the digits, in order, to actions that no key plays."""
    played = set(actions.values())
    free = [digit for digit in "1234567890" if digit not in actions]
    for action in playable(seats):
        if action not in played and free:
            actions[free.pop(0)] = action
