"""Plays: games as seeds and actions, a line of JSON each; with the same spec they are the whole game."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from griddsl.compiler import compiled
from griddsl.files.places import check_regular
from griddsl.files.writing import write
from griddsl.loading import resolve
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash

ENDING = ".jsonl"
MOST_BYTES = 100_000_000  # of a play


@dataclass(frozen=True)
class Play:
    """One game: the id and the hash of what was played, its parameters, the seed, and the actions."""

    spec: str
    game: str
    params: dict[str, Any]
    seed: int
    actions: list[Any]
    place: str = field(default="a play", compare=False)  # the file and its line, for what is said of it


def add_play(
    path: str | os.PathLike[str],
    source: Any,
    params: Mapping[str, Any],
    seed: int,
    moves: Sequence[Sequence[int]],
) -> None:
    """Add a game to a file of plays; ``moves`` hold a number for each group of actions."""
    given = {name: value for name, value in params.items() if name != "observation"}
    spec = compiled(resolve(source), **given).program.id
    actions = [move[0] if len(move) == 1 else list(move) for move in moves]
    line = {
        "spec": spec,
        "game": game_hash(source, **given),
        "params": given,
        "seed": seed,
        "actions": actions,
    }
    check_plays(path)
    before = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
    write(path, before + "\n" * (before[-1:] not in {"", "\n"}) + json.dumps(line) + "\n")


def check_plays(path: str | os.PathLike[str]) -> None:
    """Raise `ValueError` where a play would be added to a file that holds something else, by its first line."""
    place = Path(path)
    if not place.exists():
        return
    with check_regular(place).open("rb") as file:
        first = file.readline(MOST_BYTES)
    try:
        if first:
            _play_in(first, place.name)
    except TrainingError:
        raise TrainingError(
            f"cannot add a play to {place}: it holds something else", "name a new file, such as PLAYS.jsonl"
        ) from None


def read_plays(path: str | os.PathLike[str]) -> list[Play]:
    """Return the games of a file; raise `ValueError` for a line that is none, and `OSError` where there is no file."""
    lines = check_regular(path).read_text(encoding="utf-8", errors="replace").splitlines()
    found = [_play_in(line, f"{Path(path).name}:{number}") for number, line in enumerate(lines, 1)]
    if not found:
        raise TrainingError(f"`{Path(path).name}` holds no play")
    return found


def holds_plays(path: str | os.PathLike[str]) -> bool:
    """Whether the first line of a file is a play."""
    with check_regular(path).open("rb") as file:
        first = file.readline(MOST_BYTES)
    try:
        _play_in(first, "")
    except TrainingError:
        return False
    return True


def _play_in(line: str | bytes, place: str) -> Play:
    """Return the play of a line; raise `TrainingError`, with the place and the reason, where it is none."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        raise _no_play(place, "it is no JSON") from None
    reason = _fault(given)
    if reason is not None:
        raise _no_play(place, reason)
    return Play(**given, place=place)


def _no_play(place: str, reason: str) -> TrainingError:
    return TrainingError(
        f"{place} is no play: {reason}", "`griddsl run SPEC --save PLAYS.jsonl` writes plays"
    )


def _fault(given: Any) -> str | None:
    """Say why a line of JSON is no play; None where it is one."""
    names = ("spec", "game", "params", "seed", "actions")
    if not isinstance(given, dict) or given.keys() != set(names):
        return f"it is no object of {', '.join(f'`{name}`' for name in names)}"
    for name, sort, words in (
        ("spec", str, "a text"),
        ("game", str, "a text"),
        ("params", dict, "an object"),
        ("actions", list, "a list"),
    ):
        if not isinstance(given[name], sort):
            return f"its `{name}` is {_shown(given[name])}, and not {words}"
    if type(given["seed"]) is not int or given["seed"] < 0:
        return f"its `seed` is {_shown(given['seed'])}, and not a whole number from 0 on"
    for name, value in given["params"].items():
        if not isinstance(value, bool | int | float | str):
            return f"its parameter `{name}` is {_shown(value)}, and not a value of one"
    for number, action in enumerate(given["actions"], 1):
        parts = action if isinstance(action, list) and action else [action]
        if any(type(part) is not int for part in parts):
            return f"its action {number} is {_shown(action)}, and not a number, or one for each group"
    return None


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def fitting(plays: Sequence[Play], source: Any, params: Mapping[str, Any]) -> Sequence[Play]:
    """Return the plays; raise `ValueError` where one is of another game than a spec with these parameters."""
    here = game_hash(source, **params)
    for play in plays:
        if play.game != here:
            raise TrainingError(
                f"{play.place} is of another game: {play.spec}, hash {play.game}; this one has {here}"
            )
    return plays
