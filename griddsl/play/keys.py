"""Keys: which play the actions of a spec, and which, among those left, are commands of the player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from griddsl.program.program import ActionGroup, Program

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
    """``actions`` maps a key to a group and an action's number, ``commands`` a key to a command."""

    actions: Mapping[str, tuple[int, int]]
    commands: Mapping[str, str]

    def captions(self, program: Program, typed: bool = False) -> list[tuple[str, str]]:
        """Return keys with what they do; ``typed`` leaves out those that a terminal cannot read."""
        found = []
        for group, number in _all_actions(program.groups):
            name = program.groups[group].actions[number].name
            found.append((self._listed((group, number), typed), name))
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
    for group, number in _all_actions(program.groups):
        for key in program.groups[group].actions[number].keys:
            actions.setdefault(key, (group, number))
    _give_digits(program.groups, actions)
    commands = dict(ALWAYS)
    for command, _, keys in COMMANDS:
        commands.update({key: command for key in keys if key not in actions})
    return Keys(actions, commands)


def _all_actions(groups: tuple[ActionGroup, ...]) -> list[tuple[int, int]]:
    return list(
        chain.from_iterable(((g, a) for a in range(len(group.actions))) for g, group in enumerate(groups))
    )


def _give_digits(groups: tuple[ActionGroup, ...], actions: dict[str, tuple[int, int]]) -> None:
    """Give the digits, in order, to actions that no key plays."""
    played = set(actions.values())
    free = [digit for digit in "1234567890" if digit not in actions]
    for action in _all_actions(groups):
        if action not in played and free:
            actions[free.pop(0)] = action
