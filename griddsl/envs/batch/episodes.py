"""The episodes of a batch: seeds, options, when what is over starts anew, and what was seen and told last.

Described once, for environments of one agent and for games of several, whatever backend carries them out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium as gym
import numpy as np

from griddsl.backends.batch import DISABLED, NEXT_STEP, SAME_STEP
from griddsl.backends.choice import choose_batch
from griddsl.backends.interface import Array
from griddsl.diagnostics import Refused, near
from griddsl.envs.base_env import HALF, BaseEnv, check_options
from griddsl.envs.batch.pictures import MOST_SHOWN, picture_of
from griddsl.envs.seeding import new_stream, seeded, seeds_of
from griddsl.envs.states import Over, State, checked
from griddsl.program.observing import is_seen_once
from griddsl.program.runtime import SetupFailure
from griddsl.render.scene import Scene

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

Mode = gym.vector.AutoresetMode
Rewards: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
# What a step of a batch returns: observations, rewards, who terminated, who was truncated, infos.
Stepped: TypeAlias = tuple[Any, Rewards, Flags, Flags, dict[str, Any]]
Buffers: TypeAlias = tuple[list[Array], Rewards, Flags, Flags]
MODES = {Mode.NEXT_STEP: NEXT_STEP, Mode.SAME_STEP: SAME_STEP, Mode.DISABLED: DISABLED}


def reset_mask(options: Mapping[str, Any] | None, count: int, is_ready: bool) -> Flags:
    """Return which of ``count`` a reset is for: ``options["reset_mask"]``, ``(count,)`` bool, or all without one.

    Raises `ValueError` for a mask of another shape or type, and `ResetNeeded` before the first reset of all.
    """
    check_options(options)
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return np.ones(count, np.bool_)
    which = np.asarray(mask)
    if which.shape != (count,) or which.dtype != np.bool_:
        raise Refused(f"reset_mask is ({count},) bool, not {which.shape} {which.dtype}")
    if not is_ready:
        raise gym.error.ResetNeeded("call reset() without a mask first")
    return which.copy()


def autoreset_mode_of(given: Any) -> Mode:
    """Return a mode of Gymnasium's, given as it is or by its value; raise `Refused` for anything else."""
    for mode in Mode:
        if given is mode or (isinstance(given, str) and given == mode.value):
            return mode
    words = {mode.value.lower(): repr(mode.value) for mode in Mode}
    said = str(getattr(given, "name", given)).replace("_", "").replace(" ", "").lower()
    meant = [said] if said in words else near(said, words)
    guess = f"; did you mean {words[meant[0]]}?" if meant else ""
    raise Refused(f"there is no autoreset mode {given!r}; choose one of {', '.join(words.values())}{guess}")


def check_counts(num_envs: Any, num_threads: Any) -> None:
    """Raise where a batch cannot have so many environments, or threads."""
    for name, count in (("num_envs", num_envs), ("num_threads", num_threads)):
        if isinstance(count, bool | np.bool_) or not hasattr(count, "__index__"):
            raise TypeError(f"`{name}` is a whole number, not {count!r}")
        if count < 1:
            raise Refused(f"`{name}` is 1 or more, not {count!r}")


class Episodes(ABC):
    """The episodes of ``num_envs`` games of a viewer's program, on a backend.

    Game ``i`` of a batch seeded ``s`` is the single game seeded ``s + i``. Where an episode is over, a game starts
    anew in the next step, whose actions it ignores (NEXT_STEP), at once, and what was seen and told last is in the
    infos (SAME_STEP), or when it is reset (DISABLED). Nothing here but the form of observations and infos is left to
    those that inherit it.
    """

    _games = "environments"  # what the games are called
    _np_random: np.random.Generator | None
    _np_random_seed: int | None

    def __init__(
        self,
        viewer: BaseEnv,
        num_envs: int,
        backend: str,
        autoreset_mode: Mode,
        num_threads: int,
        limit: int | None = None,
        keeps_buffers: bool = False,
    ) -> None:
        program = self.program = viewer.program
        self._viewer, self.num_envs, self._limit = viewer, num_envs, limit
        self._mode = MODES[autoreset_mode]
        self._batch, self.backend = choose_batch(program, num_envs, backend, num_threads)
        self._interface = self._batch.interface
        players = len(program.players)
        self._shape = (num_envs, players) if players > 1 else (num_envs,)
        self._buffers = self._made_buffers() if keeps_buffers else None
        self._ready = False
        self._seeded: Flags = np.zeros(num_envs, np.bool_)
        self._steps_left: Array = np.zeros(num_envs, np.int64)
        # What was observed last, where it cannot be observed again from the states.
        self._is_seen_once = is_seen_once(program)
        self._last: list[Array] | None = None
        # Whether ends are seen to here: with a limit of the caller's, or where the backend cannot.
        self._is_careful = limit is not None or (self._mode == SAME_STEP and players > 1)

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec, with its parameters bound."""
        return self._viewer.spec_model

    @property
    @abstractmethod
    def np_random(self) -> np.random.Generator:
        """The generator that seeds those which no seed is given for."""

    @abstractmethod
    def _observation(self, leaves: list[Array], rows: Flags | None = None) -> Any:
        """Return the observations; ``rows`` says which of them matter, where making one is slow."""

    @abstractmethod
    def _infos(self, told: list[Array], which: Flags | None, outcome: Array | None) -> dict[str, Any]:
        """Return the infos of the games ``which``, None for all; ``outcome`` as `Batch` has it, None for no end."""

    def _made_buffers(self) -> Buffers:
        """Return arrays for the entries of an observation, the rewards and both flags."""
        leaves = [np.empty_like(leaf) for leaf in self._batch.final_leaves]
        flags = np.empty(self._shape, np.bool_), np.empty(self._shape, np.bool_)
        return leaves, np.empty(self._shape, np.float64), *flags

    # Starting

    def _begin(self, seed: Any, options: Mapping[str, Any] | None) -> tuple[list[Array], Flags]:
        """Start episodes; return what is observed of all, and which have started."""
        which = reset_mask(options, self.num_envs, self._ready)
        seeds = seeds_of(seed, self.num_envs, self._games)
        levels = list(self._levels(options, which))
        if seed is not None and not np.iterable(seed):
            self._np_random, self._np_random_seed = seeded(seeds[0]), seeds[0]
        fresh = np.zeros(self.num_envs, np.bool_)
        for i in np.flatnonzero(which if seed is not None else which & ~self._seeded).tolist():
            if seeds[i] is not None or not self._seeded[i]:
                generator = self.np_random if seeds[i] is None else seeded(seeds[i])
                self._batch.stream[i] = new_stream(generator)
                self._seeded[i] = fresh[i] = True
        leaves = self._made_buffers()[0] if self._buffers is None else self._buffers[0]
        try:
            for level, rows in levels:
                if level == -1 and self.program.keeps_draw and (rows & ~fresh).any():
                    self._start(rows & ~fresh, self.program.next_level, leaves)
                    rows = rows & fresh
                self._start(rows, level, leaves)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        if self._buffers is None and not which.all():
            if self._last is None:
                self._batch.show(~which, leaves)
            else:
                self._recall(leaves, ~which)
        self._note(leaves)
        self._ready = True
        return leaves, which

    def _start(self, which: Flags, level: int, leaves: list[Array]) -> None:
        """Start the games ``which`` anew on a level, or as `Batch.reset` says."""
        self._batch.reset(which, level, leaves)
        self._steps_left[which] = self._limit or 0

    def _levels(self, options: Mapping[str, Any] | None, which: Flags) -> Iterable[tuple[int, Flags]]:
        """Yield each level that is asked for, with the games that start on it."""
        wanted = (options or {}).get("level", ())
        if isinstance(wanted, str) or not hasattr(wanted, "__len__"):
            yield self._viewer.level_number({"level": wanted}), which
        elif len(wanted) == 0:
            yield -1, which
        elif len(wanted) != self.num_envs:
            raise Refused(f"there are {len(wanted)} levels for {self.num_envs} {self._games}")
        else:
            numbers = np.array([self._viewer.level_number({"level": name}) for name in wanted])
            for number in np.unique(numbers[which]).tolist():
                yield number, which & (numbers == number)

    # What was seen last

    def _recall(self, leaves: list[Array], which: Flags) -> None:
        """Write what some observed last."""
        for leaf, last in zip(leaves, self._last or leaves, strict=True):
            leaf[which] = last[which]

    def _note(self, leaves: list[Array]) -> None:
        """Keep what is observed, where it cannot be observed again."""
        if self._is_seen_once:
            self._last = [leaf.copy() for leaf in leaves]

    def _show_again(self, leaves: list[Array]) -> None:
        """Write what is seen and told of all; what is drawn for it is drawn aside (see `BaseEnv`)."""
        batch, stream = self._batch, self._batch.stream.copy()
        batch.stream[:] = stream ^ np.uint64(HALF)
        batch.show(np.ones(self.num_envs, np.bool_), leaves)
        batch.stream[:] = stream

    # Playing

    def _advance(self, given: Array) -> Stepped:
        """Carry out one step of all with these numbers of actions, and what the mode says of those that are over."""
        buffers = self._made_buffers() if self._buffers is None else self._buffers
        leaves, reward, ended, cut = buffers
        batch = self._batch
        try:
            if self._is_careful:
                return self._careful_step(given, buffers)
            over = batch.step(given, self._mode, leaves, reward, ended, cut)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        self._note(leaves)
        if over:
            return self._finish(self._observation(leaves), reward, ended, cut)
        return self._observation(leaves), reward, ended, cut, self._infos(batch.told, None, None)

    def _finish(self, observation: Any, reward: Rewards, ended: Flags, cut: Flags) -> Stepped:
        """Return a step in which episodes ended, as the backend has carried it out."""
        batch, outcome = self._batch, self._batch.outcome.copy()
        if self._mode != SAME_STEP:
            return observation, reward, ended, cut, self._infos(batch.told, None, outcome)
        episodes = outcome > 0
        final = (
            self._observation(batch.final_leaves, episodes),
            self._infos(batch.final_told, episodes, outcome),
        )
        return observation, reward, ended, cut, self._with_final(*final, episodes)

    def _careful_step(self, given: Array, buffers: Buffers) -> Stepped:
        """Carry out a step whose ends are seen to here."""
        leaves, reward, ended, cut = buffers
        batch, mode = self._batch, self._mode
        resets = batch.done.copy() if mode != DISABLED else np.zeros(self.num_envs, np.bool_)
        batch.step(given, mode if mode == DISABLED else NEXT_STEP, leaves, reward, ended, cut)
        self._note(leaves)
        outcome = batch.outcome.copy() if ended.any() or cut.any() else None
        if self._limit is not None:
            self._steps_left -= 1
            self._steps_left[resets] = self._limit
            cut |= (self._steps_left <= 0) & ~resets
            episodes = (ended | cut) & ~resets
            if mode == NEXT_STEP:
                batch.done |= episodes
        else:
            episodes = batch.done.copy()
        if mode != SAME_STEP or not episodes.any():
            return self._observation(leaves), reward, ended, cut, self._infos(batch.told, None, outcome)
        final = _copied(self._observation(leaves, episodes)), self._infos(batch.told, episodes, outcome)
        self._start(episodes, self.program.next_level, leaves)
        self._note(leaves)
        infos = self._with_final(*final, episodes)
        return self._observation(leaves), reward, ended, cut, infos

    def _with_final(self, observation: Any, final_info: dict[str, Any], episodes: Flags) -> dict[str, Any]:
        """Return the infos of a step after which some start anew, with what was seen and told of them before."""
        infos = self._infos(self._batch.told, None, None)
        infos["final_obs"], infos["_final_obs"] = self._final_rows(observation, episodes), episodes.copy()
        infos["final_info"], infos["_final_info"] = final_info, episodes.copy()
        return infos

    def _final_rows(self, observation: Any, episodes: Flags) -> Any:
        """Return what was seen last of the episodes that ended, as infos tell it."""
        return observation

    # States

    def _state_of(self, row: int) -> State:
        """Return the state of a game as a value, which is `Over` where the next step starts it anew."""
        integers, reals, stream = self._batch.vectors(row)
        state = tuple(integers), tuple(reals), stream
        return Over(state) if self._batch.done[row] else state

    def _put(self, row: int, state: State, is_over: bool) -> None:
        """Put a game into a state that was looked at; ``is_over`` says whether its episode is."""
        integers, reals, stream = state
        self._batch.put(row, (list(integers), list(reals), stream))
        self._batch.done[row] = is_over and self._mode != SAME_STEP

    # What it looks like

    def scenes(self, most: int | None = None) -> list[Scene]:
        """Return the present states of the environments, or of the first ``most``, as `griddsl.render.scene.Scene`."""
        found = []
        for i in range(self.num_envs if most is None else min(most, self.num_envs)):
            self._show(i)
            found.append(self._viewer.scene())
        return found

    def _repr_png_(self) -> bytes:
        """Return a picture of the first environments of the batch, which notebooks show."""
        return picture_of(self.scenes(MOST_SHOWN))

    def _show(self, index: int) -> None:
        """Let the viewer show one environment."""
        integers, reals, _ = self._batch.vectors(index)
        viewer, layout = self._viewer, self.program.layout
        viewer._s[: layout.saved], viewer._f[: layout.saved_reals] = integers, reals

    def _kept(self) -> dict[str, Any]:
        """Return where each game is, to be pickled: where arrays lie is nothing to take along."""
        batch = self._batch
        return {
            "states": [batch.vectors(row) for row in range(self.num_envs)] if self._ready else None,
            **{name: getattr(batch, name).copy() for name in ("stream", "done", "alive")},
            "steps_left": self._steps_left,
            "seeded": self._seeded,
            "last": self._last,
        }

    def _restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what `_kept` gave; raise `ValueError` where it is not of a batch of this program and size."""
        batch, states = self._batch, kept["states"]
        if states is not None and len(states) != self.num_envs:
            raise self._unfit("the number of states")
        for row, state in enumerate(states or ()):
            self._put(row, checked(self.program, state), is_over=False)
        arrays = {name: getattr(batch, name) for name in ("stream", "done", "alive")}
        for name, array in {**arrays, "steps_left": self._steps_left, "seeded": self._seeded}.items():
            if np.shape(kept[name]) != array.shape:
                raise self._unfit(name)
            array[:] = kept[name]
        self._last = kept["last"]
        if states is not None:
            leaves = self._made_buffers()[0] if self._buffers is None else self._buffers[0]
            self._show_again(leaves)  # masks with them
            self._recall(leaves, np.ones(self.num_envs, np.bool_))
            self._ready = True

    def _unfit(self, what: str) -> ValueError:
        return ValueError(f"this is no pickle of a batch of {self.program.id}: {what} does not fit")


def _copied(observation: Any) -> Any:
    """Return an observation whose arrays no step writes to."""
    if isinstance(observation, dict):
        return {name: _copied(value) for name, value in observation.items()}
    if isinstance(observation, tuple):
        return tuple(_copied(part) for part in observation)
    return observation.copy() if isinstance(observation, np.ndarray) else observation
