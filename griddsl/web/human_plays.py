"""Recordings of pages as plays: verified, without what was taken back, for datasets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused
from griddsl.envs.spaces import action_of
from griddsl.playing.traced import Move, TracedEnv, TracedGame
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
    """Return an episode as a play, with actions by agent where several play. Raises `Mismatch` where it is not that."""
    env = opened(source, episode)
    actions: list[Any] = []
    for moment in replayed(source, episode):
        if moment.undone:
            actions.pop()
        elif moment.action is not None:
            actions.append(_action(env, move_of(env, moment.action, "")))
    game = game_hash(source, **episode.params)
    return Play(env.program.id, game, dict(episode.params), episode.seed, actions)


def _action(env: TracedEnv | TracedGame, move: Move) -> Any:
    """Return a move as the action space has it, in plain data; by agent where several play."""
    numbers = list(move)
    by_agent: dict[str, Any] = {}
    for player in env.program.players:
        own, numbers = numbers[: len(player.groups)], numbers[len(player.groups) :]
        action = action_of(player.groups, own)
        by_agent[player.name] = action if isinstance(action, int) else action.tolist()
    return by_agent if len(by_agent) > 1 else next(iter(by_agent.values()))
