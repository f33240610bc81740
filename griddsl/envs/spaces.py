"""Spaces of a program as Gymnasium's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.diagnostics import Refused
from griddsl.envs.shared_text import SharedText
from griddsl.program import spaces as plain
from griddsl.program.program import ActionGroup, Player, Program
from griddsl.program.spaces import Observation


def space_of(space: plain.Space) -> gym.Space[Any]:
    """Return a plain space as Gymnasium's."""
    match space:
        case plain.Discrete(size, start):
            return gym.spaces.Discrete(size, start=start)
        case plain.Box(low, high, shape, dtype):
            kind = np.dtype(dtype).type
            if isinstance(low, tuple):
                lows, highs = (np.array(ends, dtype).reshape(shape) for ends in (low, high))
                return gym.spaces.Box(lows, highs, shape, kind)
            return gym.spaces.Box(low, high, shape, kind)  # type: ignore[arg-type]
        case plain.MultiDiscrete(sizes):
            return gym.spaces.MultiDiscrete(list(sizes))
        case plain.MultiBinary(size):
            return gym.spaces.MultiBinary(size)
        case plain.Text(length, characters):
            return SharedText(min_length=0, max_length=length, charset=characters)
    raise AssertionError(space)


def observation_space(program: Program) -> gym.Space[Any]:
    """Return the space of the observations of a program's first player, and of its goal."""
    whole = player_observations(program.players[0])
    if not program.goal:
        return whole
    achieved, desired = (space_of(program.goal[name].space) for name in ("achieved", "desired"))
    return gym.spaces.Dict([("observation", whole), ("achieved_goal", achieved), ("desired_goal", desired)])


def player_observations(player: Player) -> gym.Space[Any]:
    """Return the space of what a player observes."""
    observation = player.observation
    if observation.form == "flat":
        whole: gym.Space[Any] = flat_space(observation)
    elif observation.form == "tuple":
        whole = gym.spaces.Tuple([space_of(leaf.space) for leaf in observation.leaves])
    elif observation.form == "dict":
        # Entries keep the order of the spec, which a plain dict would sort.
        whole = gym.spaces.Dict([(leaf.name, space_of(leaf.space)) for leaf in observation.leaves])
    else:
        whole = space_of(observation.leaves[0].space)
    return whole


def flat_space(observation: Observation) -> gym.spaces.Box:
    """Return one float32 ``Box`` for all entries, each entry's values in a row."""
    lows: list[float] = []
    highs: list[float] = []
    for leaf in observation.leaves:
        low, high = bounds_of(leaf.space)
        lows.extend(low)
        highs.extend(high)
    return gym.spaces.Box(np.array(lows, np.float32), np.array(highs, np.float32), dtype=np.float32)


def bounds_of(space: plain.Space) -> tuple[list[float], list[float]]:
    """Return the bounds of a space's values in a row."""
    match space:
        case plain.Discrete(size, start):
            return [start], [start + size - 1]
        case plain.Box(low, high, shape):
            count = int(np.prod(shape))
            lows = list(low) if isinstance(low, tuple) else [low] * count
            highs = list(high) if isinstance(high, tuple) else [high] * count
            return lows, highs
        case plain.MultiDiscrete(sizes):
            return [0.0] * len(sizes), [size - 1.0 for size in sizes]
        case plain.MultiBinary(size):
            return [0.0] * size, [1.0] * size
    raise AssertionError(space)


def action_space(program: Program) -> gym.Space[Any]:
    """Return the space of the actions of a program's first player."""
    return player_actions(program.players[0])


def player_actions(player: Player) -> gym.Space[Any]:
    """Return the space of a player's actions."""
    first = player.groups[0]
    if len(player.groups) > 1:
        return gym.spaces.MultiDiscrete([len(group.actions) for group in player.groups])
    if first.joystick:
        return gym.spaces.Box(-1.0, 1.0, (2,), np.float32)
    return gym.spaces.Discrete(len(first.actions))


DEAD_ZONE = 0.25
# Octants of the angle, counted clockwise from east (y grows downwards), as codes of the compass.
OCTANTS = (0, 4, 1, 5, 2, 6, 3, 7)
# The compass as (x, y), in the order of the codes of directions.
VECTORS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


def whole_numbers(actions: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return actions as int64; True and False are 1 and 0. Raises `Refused` for what is no whole number of 64 bits."""
    if actions.dtype.kind not in "biu":
        raise Refused(f"actions are whole numbers, not {actions.dtype}")
    if (
        actions.dtype == np.uint64 and int(actions.max(initial=0)) >= 2**63
    ):  # it would become a negative number
        raise Refused(f"there is no action {actions.max()}")
    return actions.astype(np.int64, copy=False)


def snapped(group: ActionGroup, stick: Any) -> int:
    """Return the action that a joystick's ``(x, y)`` is nearest to; the last one, staying, near its middle.

    What lies outside of the ``Box`` counts as its edge, as it does in the environments that come with Gymnasium.
    """
    x, y = (min(1.0, max(-1.0, float(value))) for value in stick)
    if x * x + y * y < DEAD_ZONE * DEAD_ZONE:
        return group.joystick
    angle = np.arctan2(y, x) / (2 * np.pi)
    if group.joystick == 4:
        return int(np.round(angle * 4)) % 4
    return OCTANTS[int(np.round(angle * 8)) % 8]


def action_of(groups: Sequence[ActionGroup], numbers: Sequence[int]) -> Any:
    """Return the numbers of a player's groups as the action space has them."""
    joystick = groups[0].joystick
    if len(numbers) > 1:
        return np.array(numbers)
    if joystick:
        return np.array(VECTORS[numbers[0]] if numbers[0] < joystick else (0, 0), dtype=np.float32)
    return numbers[0]
