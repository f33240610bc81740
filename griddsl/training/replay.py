"""Replay: a recorded episode played again, with what a recording does not hold: states, pictures, missions."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from griddsl.compiler import compiled
from griddsl.diagnostics import SpecError
from griddsl.envs.making import make
from griddsl.envs.spaces import action_of, snapped
from griddsl.envs.states import State
from griddsl.loading import resolve
from griddsl.refused import whole_number
from griddsl.training.failures import TrainingError
from griddsl.training.plays import ENDING, Play, fitting, read_plays

if TYPE_CHECKING:
    from griddsl.program.program import Program
    from griddsl.render import Animation

# What can name a dataset of Minari; anything else is the path of a file.
DATASET = re.compile(r"([a-zA-Z0-9_-]+/)*[a-zA-Z0-9_-]+-v[0-9]+")

# What a play is the reason of where its spec cannot be compiled: its id, or its parameters.
_OF_PLAYS = frozenset({"unreadable", "unknown-param", "param-value"})


@dataclass(frozen=True)
class Replay:
    """An episode of ``n`` steps: ``n + 1`` observations, infos, states and scenes, and ``n`` of the rest."""

    seed: int
    observations: list[Any]
    actions: list[Any]
    rewards: list[float]
    terminated: bool
    truncated: bool
    infos: list[dict[str, Any]]
    states: list[State]
    scenes: list[Any]
    captions: list[str] = field(
        default_factory=list
    )  # of each scene: the action that led there, and its reward

    def save(self, path: str | os.PathLike[str], fps: float = 6.0, cell_pixels: int = 32) -> int:
        """Write the episode as a GIF; return how many pictures were drawn."""
        from griddsl.files.places import check_path
        from griddsl.render import Rasteriser, save_gif

        rasteriser = Rasteriser(cell_pixels)
        frames = [rasteriser.draw(scene) for scene in self.scenes]
        save_gif(check_path(Path(path), ".gif"), frames, fps)
        return len(frames)

    def animation(self, fps: float = 6.0) -> Animation:
        """Return the episode with a slider, as notebooks show it; its `save` writes a page."""
        from griddsl.render import animate

        return animate(self.scenes, self.captions, title=f"seed {self.seed}", fps=fps)

    def _repr_html_(self) -> str:
        return self.animation()._repr_html_()


def replay(recording: Any, episode: int = 0, source: Any = None, **params: Any) -> Replay:
    """Return an episode, played again from its seed and its actions.

    ``recording`` is a Minari dataset (or its name) of one of our environments, or the path of a file of plays. Of a
    dataset, every observation and reward is compared with what was recorded. ``source`` names the spec where a play
    does not lie under a registered id. Raises `ValueError` where an episode is not there, has no seed, or comes out
    otherwise than it was recorded, as with a spec that has changed since.
    """
    if isinstance(recording, os.PathLike) or (
        isinstance(recording, str) and (recording.endswith(ENDING) or not DATASET.fullmatch(recording))
    ):
        plays = read_plays(recording)
        return _played_again(plays[_number(episode, len(plays))], source, params)
    if isinstance(recording, str):
        try:
            import minari
        except ImportError as error:
            raise ImportError("Minari is not installed: pip install 'griddsl[data]'") from error

        recording = minari.load_dataset(str(recording))
    if not hasattr(recording, "total_episodes"):
        sort = type(recording).__name__
        raise TypeError(
            f"a recording is a dataset of Minari, its name, or the path of a file of plays, not {sort}"
        )
    number = _number(episode, int(recording.total_episodes))
    index = int(recording.episode_indices[number])
    (about,) = recording.storage.get_episode_metadata([index])
    if about.get("seed") is None:
        raise TrainingError(f"episode {number} was recorded without a seed, so it cannot be played again")
    env: Any = recording.recover_environment().unwrapped
    kept = recording[number]
    found = _played(env, int(about["seed"]), list(kept.actions))
    for step, reward in enumerate(found.rewards):
        if not np.isclose(reward, kept.rewards[step], rtol=1e-6):
            raise TrainingError(_differs(step + 1, "reward", kept.rewards[step], reward))
    for step, observation in enumerate(found.observations):
        if not _same(_row(kept.observations, step), observation):
            raise TrainingError(_differs(step, "observation", _row(kept.observations, step), observation))
    return found


def _played_again(play: Play, source: Any, params: Mapping[str, Any]) -> Replay:
    """Return the game of a play; raise `TrainingError`, with its place, where it cannot be played to its end."""
    given, source = {**play.params, **params}, play.spec if source is None else source
    try:
        spec = compiled(resolve(source), **given)
    except SpecError as error:
        if (
            error.diagnostics[0].code not in _OF_PLAYS
        ):  # a spec with errors, which are shown with their places
            raise
        said = f"{play.place} is a play of `{play.spec}`: {error.diagnostics[0].message}"
        raise TrainingError(said, "`source` names the spec that was played") from None
    fitting([play], source, given)
    env = make(spec)
    groups = env.program.groups
    actions: list[Any] = []
    for number, action in enumerate(play.actions, 1):
        parts = action if isinstance(action, list) else [action]
        counts = [len(group.actions) for group in groups]
        if len(parts) != len(counts) or not all(
            0 <= part < most for part, most in zip(parts, counts, strict=True)
        ):
            raise TrainingError(
                f"{play.place}: action {number} is {action}, and an action here is one of {env.action_space}"
            )
        actions.append(action_of(groups, parts))
    try:
        found = _played(env, play.seed, actions)
    except TrainingError as error:
        raise TrainingError(f"{play.place}: {error}") from None
    return replace(found, actions=play.actions)


def _differs(step: int, what: str, recorded: Any, found: Any) -> str:
    return f"step {step}: the recorded {what} is {recorded}, and the game gives {found}: the spec has changed since"


def _number(episode: int, count: int) -> int:
    episode = whole_number("the number of an episode", episode, 0)
    if episode >= count:
        raise TrainingError(f"there is no episode {episode} among {count}")
    return episode


def _played(env: Any, seed: int, actions: list[Any]) -> Replay:
    observation, info = env.reset(seed=seed)
    scenes, captions = [env.scene()], ["start"]
    found = Replay(
        seed=seed,
        observations=[observation],
        actions=actions,
        rewards=[],
        terminated=False,
        truncated=False,
        infos=[info],
        states=[env.get_state()],
        scenes=scenes,
        captions=captions,
    )
    ended = cut = False
    for number, action in enumerate(actions, 1):
        if ended or cut:
            raise TrainingError(
                f"the game is over after step {number - 1}, and was recorded with {len(actions)}"
            )
        observation, reward, ended, cut, info = env.step(action)
        found.observations.append(observation)
        found.rewards.append(float(reward))
        found.infos.append(info)
        found.states.append(env.get_state())
        scenes.append(env.scene())
        captions.append(f"step {number}: {_action_in_words(env.program, action)}, reward {float(reward):g}")
    if ended or cut:
        captions[-1] += f", {info.get('outcome') or ('terminated' if ended else 'truncated')}"
    return replace(found, terminated=bool(ended), truncated=bool(cut))


def _action_in_words(program: Program, action: Any) -> str:
    groups, numbers = program.players[0].groups, np.atleast_1d(np.asarray(action)).tolist()
    if len(groups) == 1 and groups[0].joystick:
        numbers = [snapped(groups[0], numbers)]
    return ", ".join(
        group.actions[number].name if group.actions else str(number)
        for group, number in zip(groups, numbers, strict=True)
    )


def _row(observations: Any, step: int) -> Any:
    if isinstance(observations, dict):
        return {name: _row(part, step) for name, part in observations.items()}
    if isinstance(observations, tuple):
        return tuple(_row(part, step) for part in observations)
    return observations[step]


def _same(recorded: Any, found: Any) -> bool:
    if isinstance(found, dict):
        return all(_same(recorded[name], part) for name, part in found.items())
    if isinstance(found, tuple):
        return all(_same(one, part) for one, part in zip(recorded, found, strict=True))
    if isinstance(found, str):
        return str(recorded.decode() if isinstance(recorded, bytes) else recorded) == found
    return bool(np.array_equal(np.asarray(recorded), np.asarray(found)))
