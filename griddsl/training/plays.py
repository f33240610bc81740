"""Plays: games as seeds and actions, a line of JSON each; with the same spec they are the whole game."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
            Play(**json.loads(first))
    except (TypeError, ValueError, RecursionError):
        raise TrainingError(
            f"cannot add a play to {place}: it holds something else", "name a new file, such as PLAYS.jsonl"
        ) from None


def read_plays(path: str | os.PathLike[str]) -> list[Play]:
    """Return the games of a file; raise `ValueError` for a line that is none."""
    found: list[Play] = []
    for number, line in enumerate(
        check_regular(path).read_text(encoding="utf-8", errors="replace").splitlines(), 1
    ):
        try:
            play = Play(**json.loads(line))
        except (TypeError, ValueError):
            said = f"{Path(path).name}:{number} is no play"
            raise TrainingError(said, "`griddsl run SPEC --save PLAYS.jsonl` writes plays") from None
        found.append(play)
    if not found:
        raise TrainingError(f"`{Path(path).name}` holds no play")
    return found


def fitting(plays: Sequence[Play], source: Any, params: Mapping[str, Any]) -> Sequence[Play]:
    """Return the plays; raise `ValueError` where one is of another game than a spec with these parameters."""
    here = game_hash(source, **params)
    for play in plays:
        if play.game != here:
            raise TrainingError(
                f"a play is of another game: {play.spec}, hash {play.game}; this one has {here}"
            )
    return plays
