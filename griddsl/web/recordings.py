"""Recordings of people at play: read from their files, played again, and compared with what they say, bit for bit."""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused
from griddsl.envs.states import State
from griddsl.files.places import check_regular
from griddsl.playing.traced import Move, TracedEnv, TracedGame, seats_of
from griddsl.render.pages.animation import Animation, animate
from griddsl.web.page import fingerprint

FORMAT = "griddsl-recording"
VERSION = 1
MOST_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a recording: what was done, when (milliseconds since the start), its rewards and its checksum.

    ``action`` is None where a step was taken back.
    """

    action: Any
    time_ms: int
    rewards: tuple[float, ...]
    check: str

    @property
    def is_undo(self) -> bool:
        """Whether it takes back the last step that stands."""
        return self.action is None


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode as it was played; ``params`` are of the spec, ``level`` is what the reset asked for."""

    params: Mapping[str, Any]
    level: str | None
    seed: int
    check: str
    steps: tuple[Step, ...]
    terminated: bool
    truncated: bool
    outcome: str
    fingerprint: str = ""
    is_practice: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """What one person played: the id of the spec, the name of its file, and the episodes."""

    id: str
    source: str
    episodes: tuple[Episode, ...]
    participant: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)

    def animation(self, source: AnySpec | None = None, episode: int = 0, fps: float = 4.0) -> Animation:
        """Return an episode, played again and verified, with a slider, as notebooks show it.

        ``source`` is the spec where it is not registered under its id. Raises `Mismatch` where it plays otherwise.
        """
        from griddsl.loading import resolve

        if not 0 <= episode < len(self.episodes):
            raise Refused(f"there is no episode {episode} among {len(self.episodes)}")
        played, scenes, captions = self.episodes[episode], [], []
        for moment in replayed(resolve(self.id if source is None else source), played):
            scenes.append(moment.env.scene())
            captions.append(moment.in_words())
        return animate(scenes, captions, title=f"{self.id}, seed {played.seed}", fps=fps)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A moment of an episode that was played again: the environment in it, and what led there.

    ``action`` is None at the start, and ``undone`` says that the step before was taken back.
    """

    env: TracedEnv | TracedGame
    number: int
    action: Any = None
    rewards: tuple[float, ...] = ()
    terminated: bool = False
    truncated: bool = False
    outcome: str = ""
    undone: bool = False

    def in_words(self) -> str:
        """Say what was done, and what came of it."""
        if self.undone or self.action is None:
            return f"step {self.number}: taken back" if self.undone else "start"
        move = move_of(self.env, self.action, f"step {self.number}")
        names = ", ".join(
            seat.group.actions[number].name if seat.group.actions else str(number)
            for seat, number in zip(seats_of(self.env.program), move, strict=True)
        )
        rewards = ", ".join(f"{reward:g}" for reward in self.rewards)
        return ", ".join(filter(None, (f"step {self.number}: {names}", f"reward {rewards}", self.outcome)))


class Mismatch(Refused):
    """What was played again is not what the recording says."""


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """Return the recording of a file. Raises `ValueError` for what is none, `OSError` where it cannot be read."""
    place = check_regular(path)
    if place.stat().st_size > MOST_BYTES:
        raise Refused(f"{place}: a recording has at most {MOST_BYTES:,} bytes")
    try:
        value = json.loads(place.read_bytes())
    except UnicodeDecodeError:
        raise Refused(f"{place} is no recording: it is no text") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"{place} is no recording: it is no JSON ({error})") from None
    try:
        return recording_of(value)
    except Refused as reason:
        raise Refused(f"{place} is no recording that can be read: {reason}") from None


def recording_of(value: Any) -> Recording:
    """Return the recording that plain data describe, as a page saves and posts them. Raises `ValueError`."""
    top = _Reader(value, "the file")
    if top.text("format", "") != FORMAT:
        raise Refused(f'its `format` is not "{FORMAT}"')
    version = top.whole("version")
    if version != VERSION:
        raise Refused(f"its version is {version}; this griddsl reads version {VERSION}")
    episodes = tuple(
        _episode(_Reader(each, f"episode {number}")) for number, each in enumerate(top.rows("episodes"), 1)
    )
    answers = {str(name): str(text) for name, text in top.table("answers", {}).items()}
    return Recording(top.text("id"), top.text("source", ""), episodes, top.text("participant", ""), answers)


def _episode(found: _Reader) -> Episode:
    level = found.get("level", None)
    if level is not None and not isinstance(level, str):
        raise Refused(f"the level of {found.where} is no text")
    steps = tuple(
        _step(_Reader(each, f"step {number} of {found.where}"))
        for number, each in enumerate(found.rows("steps"), 1)
    )
    return Episode(
        params=found.table("params", {}),
        level=level,
        seed=found.whole("seed"),
        check=found.text("check"),
        steps=steps,
        terminated=found.flag("terminated"),
        truncated=found.flag("truncated"),
        outcome=found.text("outcome"),
        fingerprint=found.text("fingerprint", ""),
        is_practice=found.flag("practice", False),
    )


def _step(found: _Reader) -> Step:
    if found.flag("undo", False):
        return Step(None, found.whole("time_ms"), (), "")
    reward = found.get("reward")
    rewards = reward if isinstance(reward, list) else [reward]
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in rewards):
        raise Refused(f"the reward of {found.where} is no number")
    action = found.get("action")
    if action is None:
        raise Refused(f"{found.where} has no action")
    return Step(action, found.whole("time_ms"), tuple(map(float, rewards)), found.text("check"))


_NEEDED = object()


class _Reader:
    """Takes values out of a table of JSON, each of the type that it has to have."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise Refused(f"{where} is no table")
        self.value, self.where = value, where

    def get(self, name: str, default: Any = _NEEDED) -> Any:
        """Return an entry, or what stands for it where it is missing."""
        found = self.value.get(name, default)
        if found is _NEEDED:
            raise Refused(f"{self.where} has no `{name}`")
        return found

    def text(self, name: str, default: Any = _NEEDED) -> str:
        """Return a text."""
        return str(self._typed(name, str, "text", default))

    def flag(self, name: str, default: Any = _NEEDED) -> bool:
        """Return a truth value."""
        return bool(self._typed(name, bool, "truth value", default))

    def whole(self, name: str) -> int:
        """Return a whole number that is not negative."""
        found = self.get(name)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 2**63:
            raise Refused(f"`{name}` of {self.where} is no whole number")
        return found

    def rows(self, name: str) -> list[Any]:
        """Return a list."""
        found: list[Any] = self._typed(name, list, "list", _NEEDED)
        return found

    def table(self, name: str, default: Any = _NEEDED) -> dict[str, Any]:
        """Return a table."""
        found: dict[str, Any] = self._typed(name, dict, "table", default)
        return found

    def _typed(self, name: str, kind: type, word: str, default: Any) -> Any:
        found = self.get(name, default)
        if not isinstance(found, kind):
            raise Refused(f"`{name}` of {self.where} is no {word}")
        return found


# Playing again


def checksum(state: State) -> str:
    """Return the checksum of a whole state, as recordings have it: CRC-32 of its numbers and of its stream."""
    integers, reals, stream = state
    numbers = [float(value) + 0.0 for value in (*integers, *reals)]  # zeros without a sign
    return f"{zlib.crc32(struct.pack(f'<{len(numbers)}dQ', *numbers, stream)):08x}"


def opened(source: AnySpec, episode: Episode) -> TracedEnv | TracedGame:
    """Return what plays an episode again. Raises `SpecError` where the spec cannot be used with its parameters."""
    ready = compiled(source, **episode.params)
    return TracedGame(ready) if len(ready.program.players) > 1 else TracedEnv(ready)


def is_changed(env: TracedEnv | TracedGame, episode: Episode) -> bool:
    """Whether the spec is another one than when the episode was played."""
    return episode.fingerprint != "" and fingerprint(env.program) != episode.fingerprint


def replayed(source: AnySpec, episode: Episode, verify: bool = True) -> Iterator[Replayed]:
    """Play an episode again; yield its start and each step, taken back ones included.

    Raises `Mismatch` at the first step whose state, reward or end is not bit for bit what the recording says, unless
    ``verify`` is false, and for an action that the spec has not.
    """
    env = opened(source, episode)
    options = None if episode.level is None else {"level": episode.level}
    if isinstance(env, TracedGame):
        env.begin(episode.seed, options)
    else:
        env.reset(seed=episode.seed, options=options)
    env.take_fired()
    states = [env.get_state()]
    if verify:
        _agree("the start", checksum(states[0]), episode.check, "state")
    yield Replayed(env, 0)
    last = Replayed(env, 0)
    for number, step in enumerate(episode.steps, 1):
        where = f"step {number}"
        if step.is_undo:
            if len(states) < 2:
                raise Mismatch(f"{where}: there is nothing to take back")
            states.pop()
            env.set_state(states[-1])
            last = Replayed(env, number, undone=True)
        else:
            if last.terminated or last.truncated:
                raise Mismatch(f"{where}: the episode is over")
            last = _played(env, number, step)
            states.append(env.get_state())
            if verify:
                _agree(where, last.rewards, step.rewards, "reward")
                _agree(where, checksum(states[-1]), step.check, "state")
        yield last
    if verify:
        ours = (last.terminated, last.truncated, last.outcome)
        _agree("the end", ours, (episode.terminated, episode.truncated, episode.outcome), "outcome")


def _played(env: TracedEnv | TracedGame, number: int, step: Step) -> Replayed:
    env.take_fired()
    result = env.play(move_of(env, step.action, f"step {number}"))
    return Replayed(
        env, number, step.action, result.rewards, result.terminated, result.truncated, result.outcome
    )


def move_of(env: TracedEnv | TracedGame, action: Any, where: str) -> Move:
    """Return the numbers of all seats for an action as a recording has it. Raises `Mismatch` for what is no action."""
    players = {player.name: player for player in env.program.players}
    given = action if isinstance(action, dict) else {next(iter(players)): action}
    if not given.keys() <= players.keys() or isinstance(action, dict) != (len(players) > 1):
        raise Mismatch(f"{where}: `{json.dumps(action)}` is no action of {env.program.id}")
    move: list[int] = []
    for name, player in players.items():
        own = given.get(name, [0] * len(player.groups))
        numbers = own if isinstance(own, list) else [own]
        sizes = [len(group.actions) or group.joystick + 1 for group in player.groups]
        fits = len(numbers) == len(sizes) and all(
            isinstance(each, int) and not isinstance(each, bool) and 0 <= each < size
            for each, size in zip(numbers, sizes, strict=True)
        )
        if not fits:
            raise Mismatch(f"{where}: `{json.dumps(own)}` is no action of {name}")
        move.extend(numbers)
    return tuple(move)


def _agree(where: str, ours: Any, theirs: Any, what: str) -> None:
    same = ours == theirs or (
        isinstance(ours, tuple)
        and what == "reward"
        and len(ours) == len(theirs)
        and all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(ours, theirs, strict=True))
    )
    if not same:
        raise Mismatch(f"{where}: the {what} is {_said(ours)} here, and {_said(theirs)} in the recording")


def _said(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(each) for each in value if each is not False and each != "") or "none"
    return str(value)
