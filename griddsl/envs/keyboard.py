"""Keys as Gymnasium's ``play`` takes them: characters, and the codes of the keys that have none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np

from griddsl.envs.spaces import snapped
from griddsl.program.program import ActionGroup

Key: TypeAlias = "str | int"
MOST_COMBINED = 10_000
# The characters that keys with names of their own type.
_TYPED = {"space": " ", "return": "\r", "tab": "\t", "backspace": "\b", "escape": "\x1b", "delete": "\x7f"}
# SDL's codes: 2 ** 30 and the number of the key on a USB keyboard.
_SCANNED = {
    **{f"f{number}": 57 + number for number in range(1, 13)},
    **dict(zip(("insert", "home", "page up"), range(73, 76), strict=True)),
    **dict(zip(("end", "page down", "right", "left", "down", "up"), range(77, 83), strict=True)),
    **dict(zip(("left ctrl", "left shift", "left alt"), range(224, 227), strict=True)),
    **dict(zip(("right ctrl", "right shift", "right alt"), range(228, 231), strict=True)),
}


def key_of(name: str) -> Key | None:
    """Return a key by its name: a character, or a code; None for a name that no keyboard has."""
    if len(name) == 1:
        return name
    return _TYPED.get(name) or (2**30 + _SCANNED[name] if name in _SCANNED else None)


def keys_to_action(groups: Sequence[ActionGroup]) -> dict[tuple[Key, ...], Any]:
    """Return which keys, pressed together, play which action: one of each group that they play, else the first."""
    played = [_keys_of(group) for group in groups]
    if len(groups) == 1:
        if groups[0].joystick:
            sticks = _sticks(groups[0])
            return {(key,): sticks[number] for key, number in played[0].items()}
        return {(key,): number for key, number in played[0].items()}
    choices: list[list[tuple[Key | None, int]]] = [[(None, 0), *keys.items()] for keys in played]
    combined: Iterable[Sequence[tuple[Key | None, int]]] = product(*choices)
    if prod(map(len, choices)) > MOST_COMBINED:
        combined = (
            [pair if index == place else (None, 0) for index in range(len(groups))]
            for place, keys in enumerate(choices)
            for pair in keys
        )
    found: dict[tuple[Key, ...], Any] = {}
    for pairs in combined:
        keys = tuple(key for key, _ in pairs if key is not None)
        if keys and len(set(keys)) == len(keys):
            found.setdefault(keys, np.array([number for _, number in pairs], np.int64))
    return found


def _keys_of(group: ActionGroup) -> Mapping[Key, int]:
    """Return the keys of a group's actions; an action without any gets a digit that is free."""
    found: dict[Key, int] = {}
    for number, action in enumerate(group.actions):
        for key in map(key_of, action.keys):
            if key is not None:
                found.setdefault(key, number)
    free = [digit for digit in "1234567890" if digit not in found]
    for number in range(len(group.actions)):
        if number not in found.values() and free:
            found[free.pop(0)] = number
    return found


def _sticks(group: ActionGroup) -> dict[int, Any]:
    """Return a position of the stick for each of its actions."""
    found: dict[int, Any] = {group.joystick: np.zeros(2, np.float32)}
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)):
        found.setdefault(snapped(group, (x, y)), np.array([x, y], np.float32))
    return found
