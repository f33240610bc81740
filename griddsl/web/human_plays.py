"""Recordings of pages as plays: verified, without what was taken back, for datasets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused
from griddsl.playing.traced import action_of
from griddsl.training.identity import game_hash
from griddsl.training.plays import Play
from griddsl.web.recordings import Episode, Mismatch, move_of, opened, read_recording, replayed


def plays_in(folder: Path, source: AnySpec, params: Mapping[str, Any]) -> tuple[list[Play], int]:
    """Return the games of a recording, or of all ``.json`` files of a folder, and how many were left out.

    Left out is what was played with other parameters or on a level that the player chose, practice, and what nobody
    moved in. Raises `ValueError` for a file that is no recording, for games that do not agree bit for bit with the
    spec, and where nothing is left.
    """
    files = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    if not files:
        raise Refused(f"there is no recording in `{folder}`: pages save and post `.json` files")
    found: list[Play] = []
    left_out = 0
    for file in files:
        for number, episode in enumerate(read_recording(file).episodes, 1):
            if dict(episode.params) != dict(params) or episode.level is not None or episode.is_practice:
                left_out += 1
                continue
            try:
                play = play_of(episode, source)
            except Mismatch as reason:
                raise Refused(f"{file}: episode {number} does not agree: {reason}") from None
            if play.actions:
                found.append(play)
            else:
                left_out += 1
    if not found:
        raise Refused(
            f"none of {left_out} episodes in `{folder}` was played with these parameters to any step"
        )
    return found, left_out


def play_of(episode: Episode, source: AnySpec) -> Play:
    """Return an episode of one player as a play. Raises `Mismatch` where it does not agree with the spec."""
    env = opened(source, episode)
    if len(env.program.players) > 1:
        raise Mismatch(f"several agents play {env.program.id}, and a dataset is of one")
    actions: list[Any] = []
    for moment in replayed(source, episode):
        if moment.undone:
            actions.pop()
        elif moment.action is not None:
            action = action_of(env.program.groups, move_of(env, moment.action, ""))
            actions.append(action if isinstance(action, int) else action.tolist())
    game = game_hash(source, **episode.params)
    return Play(env.program.id, game, dict(episode.params), episode.seed, actions)
