"""`GridVectorEnv`: many environments of one spec as a `gymnasium.vector.VectorEnv`, each bit for bit a `GridEnv`."""

from __future__ import annotations

import logging
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.vector.utils import batch_space

from griddsl.backends.batch import DISABLED, NEXT_STEP, SAME_STEP, Array, Extras, leaf_ports, make_leaves
from griddsl.backends.choice import choose_batch
from griddsl.compiler import AnySpec
from griddsl.diagnostics import UnexpectedKeyword, with_keywords
from griddsl.envs.base_env import HALF
from griddsl.envs.batch.autoreset import Mode, reset_mask
from griddsl.envs.batch.lazy_infos import LazyInfos
from griddsl.envs.batch.written_step import batch_step
from griddsl.envs.infos import no_endings, unset_value
from griddsl.envs.joint.game import seeds_of
from griddsl.envs.recreation import Recreatable
from griddsl.envs.single.grid_env import GridEnv
from griddsl.envs.spaces import snapped
from griddsl.envs.states import State, checked, unpickled
from griddsl.program.observing import is_seen_once
from griddsl.program.program import InfoEntry
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

Rewards: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
# What a step of a batch returns: observations, rewards, who terminated, who was truncated, infos.
Stepped: TypeAlias = tuple[Any, Rewards, Flags, Flags, dict[str, Any]]
MODES = {Mode.NEXT_STEP: NEXT_STEP, Mode.SAME_STEP: SAME_STEP, Mode.DISABLED: DISABLED}
_INT, _REAL, _FLAG = np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_)
_LOG = logging.getLogger("griddsl")
_FOR_POLICIES = (
    "a batch in one call a step got an unexpected keyword argument 'policies', which single environments take: "
    "gym.make_vec(id, num_envs=..., vectorization_mode='sync', policies=...); or, for all agents, "
    "griddsl.make_parallel_vec(source, num_envs)"
)


class GridVectorEnv(Recreatable, gym.vector.VectorEnv[Any, Any, Any]):
    """A batch of environments: environment ``i`` of a batch seeded ``s`` is the single environment seeded ``s + i``.

    ``copy=False`` returns arrays that the next step writes again; otherwise they are the caller's to keep.
    ``max_episode_steps`` truncates earlier than the spec's own limit. ``num_threads`` changes the speed only.
    """

    metadata: dict[str, Any] = {**GridEnv.metadata, "autoreset_mode": Mode.NEXT_STEP}
    _window: Any = None  # which `close` looks for, even where the constructor failed

    @with_keywords
    def __init__(
        self,
        source: AnySpec | None = None,
        num_envs: int = 1,
        *,
        backend: str = "auto",
        autoreset_mode: str | gym.vector.AutoresetMode = Mode.NEXT_STEP,
        num_threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        spec: str | os.PathLike[str] | None = None,
        **params: Any,
    ) -> None:
        if num_envs < 1 or num_threads < 1:
            raise ValueError("a batch has at least one environment and one thread")
        self.autoreset_mode = Mode(autoreset_mode)
        self.metadata = {**GridEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self._mode = MODES[self.autoreset_mode]
        self._settings = {
            "backend": backend,
            "autoreset_mode": self.autoreset_mode,
            "num_threads": num_threads,
            "copy": copy,
            "render_mode": render_mode,
            "max_episode_steps": max_episode_steps,
        }
        # Pictures, texts and missions are made by one environment that takes the states one by one.
        try:
            self._viewer = GridEnv(source, render_mode=render_mode, backend="python", spec=spec, **params)
        except UnexpectedKeyword as error:
            if error.name != "policies":
                raise
            raise TypeError(_FOR_POLICIES) from None
        program = self.program = self._viewer.program
        self.num_envs, self.render_mode, self.copy = num_envs, render_mode, copy
        self.single_observation_space = self._viewer.observation_space
        self.single_action_space = self._viewer.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch, self.backend = choose_batch(program, num_envs, backend, num_threads)
        _LOG.info("%s: a batch of %d on the %s backend", program.id, num_envs, self.backend)
        self._groups = len(program.groups)
        self._plain_shape = (num_envs,) if self._groups == 1 else ()
        self._joystick = program.groups[0].joystick if self._groups == 1 else 0
        self._ports = leaf_ports(program)
        leaves = [*program.observation.leaves]
        self._mission: tuple[str, ...] | None = None  # of all, where it is always the same
        self._is_slow = any(not leaf.function and not self._is_fixed(leaf) for leaf in leaves)
        self._limit = max_episode_steps if max_episode_steps != program.limit else None
        self._steps_left: Array = np.zeros(num_envs, np.int64)
        self.informs = bool(program.info) or program.has_mask or "HIDDEN_REWARD" in program.layout.offsets
        self._is_plain = program.observation.form == "bare" and not program.goal and bool(leaves[0].function)
        self._outcomes = np.array(["", "truncated", *program.outcomes], dtype=object)
        self._silence = no_endings(num_envs)
        self._success = self._outcomes.tolist().index("success") if "success" in program.outcomes else -1
        self._seeded: Array = np.zeros(num_envs, np.bool_)
        self._ready = False
        # What was observed last, where it cannot be observed again from the states.
        self._is_seen_once = is_seen_once(program)
        self._last: list[Array] | None = None
        self._written = [
            (num_envs if port.is_value else (num_envs, port.size), np.dtype(port.dtype))
            for _, port in self._ports
        ]
        self._buffers = None if copy else self._make_buffers()
        self._shapes = [(num_envs, *port.shape) for _, port in self._ports]
        self._reshape = [not port.is_value and len(port.shape) != 1 for _, port in self._ports]

    def _make_buffers(self) -> tuple[list[Array], Rewards, Flags, Flags]:
        """Return arrays for the entries of an observation, the reward and both flags."""
        count = self.num_envs
        leaves = [np.empty(shape, dtype) for shape, dtype in self._written]
        return leaves, np.empty(count, _REAL), np.empty(count, _FLAG), np.empty(count, _FLAG)

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec, with its parameters bound."""
        return self._viewer.spec_model

    # The Gymnasium interface

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | Array | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes; ``options`` may hold ``level`` (a name, or one an environment) and ``reset_mask``.

        ``reset_mask`` is ``(num_envs,)`` bool: the others go on, and their observations are returned as they are.
        Raises `SpecError` where setup finds no place for what it puts.
        """
        which = reset_mask(options, self.num_envs, self._ready)
        seeds = seeds_of(seed, self.num_envs, "environments")
        if seed is not None and not np.iterable(seed):
            self._np_random, self._np_random_seed = gym.utils.seeding.np_random(seeds[0])
        self._seed(seeds, which if seed is not None else which & ~self._seeded)
        leaves = self._make_buffers()[0] if self._buffers is None else self._buffers[0]
        try:
            for level, rows in self._levels(options, which):
                self._reset_rows(rows, level, leaves)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        self._steps_left[which] = self._limit or 0
        self._be_ready()
        return self._observation(leaves), self._infos(self._batch.now, which, None)

    def _reset_rows(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which``; write the observations of all, those of the others as they were."""
        batch = self._batch
        if not self._is_seen_once:
            batch.reset(which, level, leaves)
            return
        stream = batch.stream.copy()
        batch.reset(which, level, leaves)
        batch.stream[~which] = stream[~which]
        self._recall(leaves, ~which)
        self._note(leaves)

    def _recall(self, leaves: list[Array], which: Array) -> None:
        """Write what some environments observed last."""
        for leaf, last in zip(leaves, self._last or leaves, strict=True):
            leaf[which] = last[which]

    def _note(self, leaves: list[Array]) -> None:
        """Keep what is observed, where it cannot be observed again."""
        if self._is_seen_once:
            self._last = [leaf.copy() for leaf in leaves]

    def _be_ready(self) -> None:
        """Let steps be taken, by a function that is written for this batch where there is one."""
        self._ready = True
        is_slow = (
            self._is_seen_once or self._is_slow or self._limit is not None or self.informs or not self.copy
        )
        is_number = self._groups == 1 and not self._joystick
        if type(self).step is GridVectorEnv.step and is_number and self._is_plain and not is_slow:
            ports = [port for _, port in self._ports]
            calls = {"numbers": self._numbers, "failed": self._viewer.setup_error, "finish": self._finish}
            names = {**calls, "silence": self._silence}
            self.step = batch_step(self._batch, self.num_envs, ports, self._mode, **names)  # type: ignore[method-assign, assignment]

    def _finish(self, observation: Any, reward: Rewards, ended: Flags, cut: Flags, over: int) -> Stepped:
        """Return a step in which episodes ended."""
        if self._mode == SAME_STEP:
            return observation, reward, ended, cut, self._step_infos(over)
        infos = LazyInfos(partial(self._ends, self._batch.now.outcome.copy(), None))
        return observation, reward, ended, cut, infos

    def _seed(self, seeds: Sequence[int | None], which: Array) -> None:
        stream = self._batch.stream
        for i in np.flatnonzero(which).tolist():
            seed = seeds[i]
            if seed is not None:
                generator = gym.utils.seeding.np_random(seed)[0]
            elif self._seeded[i]:
                continue
            else:
                generator = self.np_random
            stream[i] = generator.integers(0, 2**64, dtype=np.uint64)
            self._seeded[i] = True

    def _levels(self, options: Mapping[str, Any] | None, which: Array) -> Iterable[tuple[int, Array]]:
        """Yield each level that is asked for, with the environments that start on it."""
        wanted = (options or {}).get("level", ())
        if isinstance(wanted, str) or wanted is None:
            yield self._viewer.level_number({"level": wanted}), which
        elif len(wanted) == 0:
            yield -1, which
        elif len(wanted) != self.num_envs:
            raise ValueError(f"there are {len(wanted)} levels for {self.num_envs} environments")
        else:
            numbers = np.array([self._viewer.level_number({"level": name}) for name in wanted])
            for number in np.unique(numbers[which]).tolist():
                yield number, which & (numbers == number)

    def step(self, actions: Any) -> Stepped:
        """Carry out one step of all; raise `ValueError` where an action is none, before anything is done."""
        if not self._ready:
            raise gym.error.ResetNeeded("call reset() before step()")
        given = self._numbers(actions)
        buffers = self._make_buffers() if self._buffers is None else self._buffers
        leaves, reward, ended, cut = buffers
        try:
            if self._limit is not None or (self._is_slow and self._mode == SAME_STEP):
                return self._careful_step(given, buffers)
            over = self._batch.step(given, self._mode, leaves, reward, ended, cut)
        except SetupFailure as failure:
            raise self._viewer.setup_error(failure) from None
        self._note(leaves)
        observation = self._observation(leaves)
        if self.informs:
            return observation, reward, ended, cut, self._step_infos(over)
        if over:
            return self._finish(observation, reward, ended, cut, over)
        return observation, reward, ended, cut, self._silence.copy()

    def _step_infos(self, over: int) -> dict[str, Any]:
        batch = self._batch
        if not over or self._mode != SAME_STEP:
            return self._infos(batch.now, None, batch.now.outcome if over else None)
        infos = self._infos(batch.now, None, None)
        outcome = batch.now.outcome
        episodes = outcome > 0
        finals = self._observation(batch.final_leaves, episodes)
        self._add_finals(infos, finals, self._infos(batch.final, episodes, outcome), episodes)
        return infos

    def _ends(self, outcome: Array | None, which: Array | None) -> dict[str, Any]:
        """Return what the infos of the environments ``which``, None for all, say of an episode's end.

        ``outcome`` is as `Extras` has it; None where no episode ended.
        """
        if outcome is None and which is None:
            return self._silence.copy()
        ends = np.zeros(self.num_envs, np.int16) if outcome is None else outcome
        words, there = self._outcomes[ends], np.ones(self.num_envs, np.bool_) if which is None else which
        words[~there] = None
        return {
            "outcome": words,
            "_outcome": there.copy(),
            "is_success": (ends == self._success) & there,
            "_is_success": there.copy(),
        }

    def _add_finals(
        self, infos: dict[str, Any], finals: Any, final_info: dict[str, Any], episodes: Array
    ) -> None:
        rows = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(episodes).tolist():
            rows[i] = self._row(finals, i)
        infos["final_obs"], infos["_final_obs"] = rows, episodes.copy()
        infos["final_info"], infos["_final_info"] = final_info, episodes.copy()

    def _row(self, observation: Any, index: int) -> Any:
        """Return what one environment observes; a batch of texts is a tuple, and so is an observation of several."""
        if isinstance(observation, dict):
            return {name: self._row(value, index) for name, value in observation.items()}
        if isinstance(observation, tuple) and not isinstance(observation[0], str):
            return tuple(self._row(part, index) for part in observation)
        value = observation[index]
        if isinstance(value, np.integer):
            return int(value)
        return value.copy() if isinstance(value, np.ndarray) else value

    def _careful_step(self, given: Array, buffers: tuple[list[Array], Rewards, Flags, Flags]) -> Stepped:
        """Carry out a step whose ends are seen to here: with a limit of the caller's, or pictures of final states."""
        leaves, reward, ended, cut = buffers
        batch, mode = self._batch, self._mode
        resets = batch.done.copy() if mode == NEXT_STEP else np.zeros(self.num_envs, np.bool_)
        batch.step(given, NEXT_STEP if mode == NEXT_STEP else DISABLED, leaves, reward, ended, cut)
        self._note(leaves)
        own = np.where((ended | cut) & ~resets, batch.now.outcome, np.int16(0))
        if self._limit is not None:
            self._steps_left -= 1
            self._steps_left[resets] = self._limit
            cut |= (self._steps_left <= 0) & ~resets
        episodes = (ended | cut) & ~resets
        over = int(episodes.sum())
        if mode == NEXT_STEP:
            batch.done |= episodes
        if mode != SAME_STEP or not over:
            observation = self._observation(leaves)
            return observation, reward, ended, cut, self._infos(batch.now, None, own)
        finals = self._observation(leaves, episodes)
        final_info = self._infos(batch.now, episodes, own)
        kept = _copied(batch.now)
        self._reset_rows(episodes, -1, fresh := make_leaves(self.program, self.num_envs))
        self._steps_left[episodes] = self._limit or 0
        finals = _deep(finals)
        for leaf, new in zip(leaves, fresh, strict=True):
            leaf[episodes] = new[episodes]
        _restore(batch.now, kept, ~episodes)
        infos = self._infos(batch.now, None, None)
        self._add_finals(infos, finals, final_info, episodes)
        return self._observation(leaves), reward, ended, cut, infos

    def render(self, tiled: bool = False) -> Any:
        """Return a frame (or a text) of each environment; ``tiled=True`` returns one picture, which ``human`` shows."""
        human = self.render_mode == "human"
        frames: list[Any] = []
        for i in range(self.num_envs):
            self._show(i)
            scene = self._viewer.scene()
            if self.render_mode == "ansi":
                from griddsl.render.ansi import to_ansi

                frames.append(to_ansi(scene))
            else:
                frames.append(self._viewer.rasteriser(None).draw(scene))
        if self.render_mode == "ansi" or not (tiled or human):
            return tuple(frames)
        picture = _tiled(frames)
        if not human:
            return picture
        from griddsl.render.window import Window

        if self._window is None:
            self._window = Window(self.program.id)
        self._window.show_frame(picture, self.metadata["render_fps"])
        return None

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # State

    def get_state(self, indices: Iterable[int] | None = None) -> list[State]:
        """Return the states of all environments, or of some: each as `GridEnv.get_state` gives it."""
        rows = self._rows_of(indices)
        return [(tuple(s), tuple(f), r) for s, f, r in (self._batch.vectors(i) for i in rows)]

    def set_state(self, states: Sequence[State], indices: Iterable[int] | None = None) -> Any:
        """Put all environments, or some, into states; return the observations of all.

        What noise they show is drawn aside: the states are those that were given, and so are their futures. Raises
        `ValueError` for states of another spec or with impossible values, `TypeError` for what is no state, before
        anything is done.
        """
        rows = self._rows_of(indices)
        if isinstance(states, str | bytes) or not isinstance(states, Sequence):
            raise TypeError(f"states are a list, as `get_state` gives it, not {type(states).__name__}")
        if len(states) != len(rows):
            raise ValueError(f"there are {len(states)} states for {len(rows)} environments")
        known = [checked(self.program, state) for state in states]
        for row, (integers, reals, stream) in zip(rows, known, strict=True):
            self._batch.put(row, (list(integers), list(reals), stream))
            self._seeded[row] = True
            self._steps_left[row] = self._limit or 0
        if not self._seeded.all():
            return None
        self._be_ready()
        leaves = self._make_buffers()[0] if self._buffers is None else self._buffers[0]
        others = np.ones(self.num_envs, np.bool_)
        others[rows] = False
        self._show_again(leaves)
        self._recall(leaves, others)
        self._note(leaves)
        return self._observation(leaves)

    def _rows_of(self, indices: Iterable[int] | None) -> list[int]:
        """Return the numbers of environments; raise where one is none of the batch."""
        if indices is None:
            return list(range(self.num_envs))
        rows = [operator.index(index) for index in indices]
        wrong = [row for row in rows if not 0 <= row < self.num_envs]
        if wrong:
            raise IndexError(f"there is no environment {wrong[0]} among {self.num_envs}")
        return rows

    def _show_again(self, leaves: list[Array]) -> None:
        """Write the observations and extras of all; what is drawn for them is drawn aside (see `BaseEnv`)."""
        batch, nothing = self._batch, np.zeros(self.num_envs, np.bool_)
        stream, done = batch.stream.copy(), batch.done.copy()
        batch.stream[:] = stream ^ np.uint64(HALF)
        batch.reset(nothing, -1, leaves)
        batch.stream[:], batch.done[:] = stream, done

    def action_masks(self) -> Flags:
        """Return which actions are allowed now, ``(num_envs, actions)`` bool."""
        return self._batch.now.mask.astype(np.bool_)

    def state_bytes(self) -> int:
        """Return the bytes that the states of the batch take."""
        return self._batch.state_bytes()

    # Actions and observations

    def _numbers(self, actions: Any) -> Array:
        """Return the numbers of actions as a batch takes them."""
        if self._joystick:
            sticks = np.asarray(actions, dtype=float)
            if sticks.shape != (self.num_envs, 2) or not np.isfinite(sticks).all():
                raise ValueError(f"actions of {self.action_space} are expected, not {sticks.shape}")
            group = self.program.groups[0]
            return np.array([snapped(group, stick) for stick in sticks], np.int64)
        given = np.asarray(actions)
        if given.dtype is _INT and given.shape == self._plain_shape and given.flags.c_contiguous:
            return given
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers, not {given.dtype}")
        given = np.ascontiguousarray(given, np.int64)
        if given.ndim == 1 and self._groups == 1:
            given = given.reshape(-1, 1)
        if given.shape != (self.num_envs, self._groups):
            raise ValueError(f"there are {self.num_envs} environments, and actions of shape {given.shape}")
        return given.reshape(-1)

    def _observation(self, leaves: list[Array], rows: Array | None = None) -> Any:
        """Return the observations; ``rows`` says which of them matter, where making one is slow."""
        if self._is_plain:
            return leaves[0].reshape(self._shapes[0]) if self._reshape[0] else leaves[0]
        made = {
            port.function: leaf.reshape(shape) if change else leaf
            for (_, port), leaf, shape, change in zip(
                self._ports, leaves, self._shapes, self._reshape, strict=True
            )
        }
        observation = self.program.observation
        parts = [
            made[leaf.function] if leaf.function else self._slow(leaf, rows) for leaf in observation.leaves
        ]
        if observation.form == "bare":
            whole: Any = parts[0]
        elif observation.form == "dict":
            whole = {leaf.name: part for leaf, part in zip(observation.leaves, parts, strict=True)}
        elif observation.form == "tuple":
            whole = tuple(parts)
        else:
            flat = [np.asarray(part, np.float32).reshape(self.num_envs, -1) for part in parts]
            whole = np.concatenate(flat, axis=1)
        if not self.program.goal:
            return whole
        achieved, desired = (made[self.program.goal[name].function] for name in ("achieved", "desired"))
        return {"observation": whole, "achieved_goal": achieved, "desired_goal": desired}

    def _is_fixed(self, leaf: Leaf) -> bool:
        """Whether an entry is the same in every state: a mission without names in it."""
        return leaf.form == "mission" and "{" not in (self.program.mission or "")

    def _slow(self, leaf: Leaf, rows: Array | None) -> Any:
        """Return an entry that is drawn or written for each environment."""
        if self._is_fixed(leaf):
            if self._mission is not None:
                return self._mission
            values = [self._viewer._reader(leaf)()] * self.num_envs
            if isinstance(values[0], str):
                self._mission = tuple(values)
        else:
            reader = self._viewer._reader(leaf)
            values = []
            for i in range(self.num_envs):
                if rows is None or rows[i] or not values:
                    self._show(i)
                    values.append(reader())
                else:
                    values.append(values[0])
        return tuple(values) if isinstance(values[0], str) else np.stack(values)

    def _show(self, index: int) -> None:
        """Let the viewer show one environment."""
        integers, reals, _ = self._batch.vectors(index)
        viewer, layout = self._viewer, self.program.layout
        viewer._s[: layout.saved], viewer._f[: layout.saved_reals] = integers, reals

    # Info

    def _infos(self, extras: Extras, which: Array | None, outcome: Array | None) -> dict[str, Any]:
        """Return the infos of the environments ``which``, None for all; ``outcome`` as `_ends` takes it."""
        infos: dict[str, Any] = {}
        every = np.ones(self.num_envs, np.bool_) if which is None else which
        for entry, values, is_set in zip(self.program.info, extras.values, extras.is_set, strict=True):
            said = every if entry.function else every & is_set
            infos[entry.name], infos[f"_{entry.name}"] = _converted(entry, values, said, every), every.copy()
        if "HIDDEN_REWARD" in self.program.layout.offsets:
            infos["hidden_reward"] = np.where(every, extras.hidden, 0.0)
            infos["_hidden_reward"] = every.copy()
        if self.program.has_mask:
            infos["action_mask"] = (
                extras.mask.copy() if which is None else np.where(every[:, None], extras.mask, np.int8(0))
            )
            infos["_action_mask"] = every.copy()
        infos.update(self._ends(outcome, which))
        return infos

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was given and where each environment is: where arrays lie is nothing to take along."""
        batch, rows = self._batch, range(self.num_envs)
        return {
            "compiled": self._viewer.compiled,
            "num_envs": self.num_envs,
            "settings": self._settings,
            "spec": self.spec,
            "states": [batch.vectors(row) for row in rows] if self._ready else None,
            "stream": batch.stream.copy(),
            "done": batch.done.copy(),
            "steps_left": self._steps_left,
            "seeded": self._seeded,
            "random": (self._np_random, self._np_random_seed),
            "actions": (self.single_action_space, self.action_space),
            "last": self._last,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "num_envs", "settings", "states", "stream", "done", "last")
        self.__init__(kept["compiled"], kept["num_envs"], **kept["settings"])  # type: ignore[misc]
        self.spec = kept["spec"]
        self._np_random, self._np_random_seed = kept["random"]
        self.single_action_space, self.action_space = kept["actions"]  # which draw on where they were
        self._steps_left[:], self._seeded[:] = kept["steps_left"], kept["seeded"]
        for row, state in enumerate(kept["states"] or ()):
            integers, reals, stream = checked(self.program, state)
            self._batch.put(row, (list(integers), list(reals), stream))
        self._batch.stream[:], self._batch.done[:] = kept["stream"], kept["done"]
        self._last = kept["last"]
        if kept["states"] is not None:
            self._show_again(self._make_buffers()[0])  # masks with them
            self._be_ready()


def _converted(entry: InfoEntry, values: Array, said: Array, there: Array) -> Array:
    """Return an info entry as Gymnasium keeps it: nothing where it is not there, unset where no rule has set it."""
    if entry.form == "words":
        words = np.full(len(values), None, dtype=object)
        words[there] = unset_value(entry)
        for i in np.flatnonzero(said).tolist():
            words[i] = entry.words[values[i]]
        return words
    return np.where(said, values, 0).astype(np.bool_ if entry.form == "bool" else values.dtype)


def _copied(extras: Extras) -> list[Array]:
    return [array.copy() for array in _arrays(extras)]


def _restore(extras: Extras, kept: list[Array], rows: Array) -> None:
    for array, old in zip(_arrays(extras), kept, strict=True):
        array[rows] = old[rows]


def _arrays(extras: Extras) -> list[Array]:
    return [extras.outcome, extras.hidden, extras.mask, *extras.values, *extras.is_set]


def _deep(observation: Any) -> Any:
    if isinstance(observation, dict):
        return {name: _deep(value) for name, value in observation.items()}
    if isinstance(observation, tuple):
        return tuple(_deep(part) for part in observation)
    return observation.copy() if isinstance(observation, np.ndarray) else observation


def _tiled(frames: list[Array]) -> Array:
    """Return frames side by side, in rows as long as there are rows."""
    across = int(np.ceil(np.sqrt(len(frames))))
    height, width, _ = frames[0].shape
    picture = np.zeros((-(-len(frames) // across) * height, across * width, 3), np.uint8)
    for i, frame in enumerate(frames):
        y, x = divmod(i, across)
        picture[y * height : (y + 1) * height, x * width : (x + 1) * width] = frame
    return picture


def make_vec(
    source: AnySpec,
    num_envs: int = 1,
    *,
    backend: str = "auto",
    autoreset_mode: str | gym.vector.AutoresetMode = Mode.NEXT_STEP,
    **params: Any,
) -> GridVectorEnv:
    """Return a batch of environments of a spec: a path, a text, a registered id, or a `GridSpec`."""
    return GridVectorEnv(source, num_envs, backend=backend, autoreset_mode=autoreset_mode, **params)
