"""A program in words: its spaces, as Gymnasium prints them; its parameters, as missions say them."""

from __future__ import annotations

from fractions import Fraction

from griddsl.program import spaces as plain
from griddsl.program.program import Player, Program


def parties_of(program: Program) -> list[tuple[str, Player]]:
    """Return the players that differ in what they do or observe, one of each sort, with the names of all of them."""
    parties: dict[tuple[object, ...], list[Player]] = {}
    for player in program.players:
        functions = tuple(leaf.function for leaf in player.observation.leaves)
        parties.setdefault((functions, player.groups), []).append(player)
    return [(", ".join(player.name for player in members), members[0]) for members in parties.values()]


def space_text(program: Program) -> str:
    """Return the observation space of a program in one line; with several players, each sort's."""
    parties = parties_of(program)
    if len(parties) > 1:
        return "; ".join(f"{names}: {_player_space(player)}" for names, player in parties)
    text = _player_space(program.players[0])
    if not program.goal:
        return text
    goals = ", ".join(
        f"{name}_goal: {one_space(program.goal[name].space)}" for name in ("achieved", "desired")
    )
    return f"Dict(observation: {text}, {goals})"


def _player_space(player: Player) -> str:
    observation = player.observation
    parts = [f"{leaf.name}: {one_space(leaf.space)}" for leaf in observation.leaves]
    match observation.form:
        case "bare":
            text = one_space(observation.leaves[0].space)
        case "dict":
            text = f"Dict({', '.join(parts)})"
        case "tuple":
            text = f"Tuple({', '.join(one_space(leaf.space) for leaf in observation.leaves)})"
        case _:
            text = f"Box float32, {', '.join(parts)} in a row"
    return text


def one_space(space: plain.Space) -> str:
    """Return a space in words: ``Discrete(48)``, ``Box uint8 (7, 7, 3)``."""
    match space:
        case plain.Discrete(size, start):
            return f"Discrete({size})" if start == 0 else f"Discrete({size}, start={start})"
        case plain.Box(low, high, shape, dtype):
            span = "" if isinstance(low, tuple) or isinstance(high, tuple) else f" in {low:g}..{high:g}"
            return f"Box {dtype} {shape}{span}"
        case plain.MultiDiscrete(sizes):
            return f"MultiDiscrete({', '.join(map(str, sizes))})"
        case plain.MultiBinary(size):
            return f"MultiBinary({size})"
        case plain.Text(length):
            return f"Text of at most {length} characters"
    raise AssertionError(space)


def action_text(player: Player) -> str:
    """Return the action space of a player in one line."""
    sizes = [len(group.actions) for group in player.groups]
    if len(sizes) > 1:
        return f"MultiDiscrete({', '.join(map(str, sizes))})"
    if player.groups[0].joystick:
        return f"Box float32 (2,) in -1..1, snapped to {player.groups[0].joystick} directions"
    return f"Discrete({sizes[0]})"


def params_told(program: Program) -> dict[str, str]:
    """Return what each parameter is as a mission says it."""
    params = program.metadata.get("params", {})
    assert isinstance(params, dict)
    return {name: in_words(value) for name, value in params.items()}


def in_words(value: object) -> str:
    """Return a value in words: a fraction as the decimal that it is, `2.5`, if it is one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction | float) and Fraction(repr(float(value))) == value:
        return f"{float(value):.15g}"
    return str(value)
