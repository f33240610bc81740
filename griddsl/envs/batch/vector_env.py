"""`GridVectorEnv`: many environments of one spec as a `gymnasium.vector.VectorEnv`, each bit for bit a `GridEnv`."""

from __future__ import annotations

import logging
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector.utils import batch_space

from griddsl.backends.batch import SAME_STEP
from griddsl.backends.interface import Array
from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused, UnexpectedKeyword, with_keywords
from griddsl.envs.batch.calls import Calls
from griddsl.envs.batch.episodes import Episodes, Flags, Mode, Stepped, autoreset_mode_of, check_counts
from griddsl.envs.batch.lazy_infos import LazyInfos
from griddsl.envs.batch.pictures import tiled as side_by_side
from griddsl.envs.batch.written_step import batch_step
from griddsl.envs.infos import converted, no_endings
from griddsl.envs.reading import assembled
from griddsl.envs.recreation import Recreatable
from griddsl.envs.single.grid_env import GridEnv
from griddsl.envs.spaces import snapped, whole_numbers
from griddsl.envs.states import Over, State, checked, unpickled
from griddsl.envs.wording import Wordings
from griddsl.program.spaces import Leaf, Text

_INT = np.dtype(np.int64)
_LOG = logging.getLogger("griddsl")
_FOR_POLICIES = (
    "a batch in one call a step got an unexpected keyword argument 'policies', which single environments take: "
    "gym.make_vec(id, num_envs=..., vectorization_mode='sync', policies=...); or, for all agents, "
    "griddsl.make_parallel_vec(source, num_envs)"
)


class GridVectorEnv(Episodes, Calls, Recreatable, gym.vector.VectorEnv[Any, Any, Any]):
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
        check_counts(num_envs, num_threads)
        self.autoreset_mode = autoreset_mode_of(autoreset_mode)
        self.metadata = {**GridEnv.metadata, "autoreset_mode": self.autoreset_mode}
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
            viewer = GridEnv(source, render_mode=render_mode, backend="python", spec=spec, **params)
        except UnexpectedKeyword as error:
            if error.name != "policies":
                raise
            raise TypeError(_FOR_POLICIES) from None
        program = viewer.program
        limit = max_episode_steps if max_episode_steps != program.limit else None
        Episodes.__init__(
            self, viewer, num_envs, backend, self.autoreset_mode, num_threads, limit, keeps_buffers=not copy
        )
        self._env = viewer
        self.render_mode, self.copy = render_mode, copy
        self.single_observation_space = viewer.observation_space
        self.single_action_space = viewer.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        _LOG.info("%s: a batch of %d on the %s backend", program.id, num_envs, self.backend)
        self._groups = len(program.groups)
        self._plain_shape = (num_envs,) if self._groups == 1 else ()
        self._joystick = program.groups[0].joystick if self._groups == 1 else 0
        leaves = [*program.observation.leaves]
        self._wordings = Wordings(self._env.wording)
        self._is_slow = any(not leaf.function and not self._is_fixed(leaf) for leaf in leaves)
        # Pictures of final states are drawn before the next episode starts.
        self._is_careful |= self._is_slow and self._mode == SAME_STEP
        self.informs = bool(self._interface.told)
        self._is_plain = program.observation.form == "bare" and not program.goal and bool(leaves[0].function)
        self._outcomes = np.array(["", "truncated", *program.outcomes], dtype=object)
        self._silence = no_endings(num_envs)
        self._success = self._outcomes.tolist().index("success") if "success" in program.outcomes else -1
        observed = self._interface.observed
        self._shapes = [(num_envs, *writer.shape) for writer in observed]
        self._reshape = [writer.form == "array" and len(writer.shape) != 1 for writer in observed]

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that seeds those which no seed is given for."""
        generator: np.random.Generator = gym.vector.VectorEnv.np_random.fget(self)  # type: ignore[attr-defined]
        return generator

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = generator, -1

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
        leaves, which = self._begin(seed, options)
        self._be_ready()
        return self._observation(leaves), self._infos(self._batch.told, which, None)

    def _be_ready(self) -> None:
        """Let steps be taken, by a function that is written for this batch where there is one."""
        self._ready = True
        is_slow = (
            self._is_seen_once or self._is_slow or self._limit is not None or self.informs or not self.copy
        )
        is_number = self._groups == 1 and not self._joystick
        if type(self).step is GridVectorEnv.step and is_number and self._is_plain and not is_slow:
            calls = {"numbers": self._numbers, "failed": self._viewer.setup_error, "finish": self._finish}
            names = {**calls, "silence": self._silence}
            self.step = batch_step(self._batch, self._mode, **names)  # type: ignore[method-assign, assignment]

    def step(self, actions: Any) -> Stepped:
        """Carry out one step of all; raise `ValueError` where an action is none, before anything is done."""
        if not self._ready:
            raise gym.error.ResetNeeded("call reset() before step()")
        return self._advance(self._numbers(actions))

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

    def _final_rows(self, observation: Any, episodes: Flags) -> Array:
        """Return what each environment observed last whose episode ended, None of the others."""
        rows = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(episodes).tolist():
            rows[i] = self._row(observation, i)
        return rows

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

    def render(self, tiled: bool = False) -> Any:
        """Return a frame (or a text) of each environment; ``tiled=True`` returns one picture, which ``human`` shows."""
        human = self.render_mode == "human"
        if self.render_mode == "ansi":
            from griddsl.render.ansi import to_ansi

            return tuple(map(to_ansi, self.scenes()))
        frames = [self._viewer.rasteriser(None).draw(scene) for scene in self.scenes()]
        if not (tiled or human):
            return tuple(frames)
        picture = side_by_side(frames)
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
        """Return the states of all environments, or of some: each as `GridEnv.get_state` gives it.

        That of an episode that is over is an `Over`, by which `set_state` knows that it is.
        """
        return [self._state_of(row) for row in self._rows_of(indices)]

    def set_state(self, states: Sequence[State], indices: Iterable[int] | None = None) -> Any:
        """Put all environments, or some, into states; return the observations of all.

        What noise they show is drawn aside: the states are those that were given, and so are their futures: what was
        to start anew in the next step still is. Raises `ValueError` for states of another spec or with impossible
        values, `TypeError` for what is no state, before anything is done.
        """
        rows = self._rows_of(indices)
        if isinstance(states, str | bytes) or not isinstance(states, Sequence):
            raise TypeError(f"states are a list, as `get_state` gives it, not {type(states).__name__}")
        if len(states) != len(rows):
            raise Refused(f"there are {len(states)} states for {len(rows)} environments")
        known = [checked(self.program, state) for state in states]
        for row, state, given in zip(rows, known, states, strict=True):
            self._put(row, state, isinstance(given, Over))
            self._seeded[row] = True
            self._steps_left[row] = self._limit or 0
        if not self._seeded.all():
            return None
        self._be_ready()
        leaves = self._made_buffers()[0] if self._buffers is None else self._buffers[0]
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

    def action_masks(self) -> Flags:
        """Return which actions are allowed now, ``(num_envs, actions)`` bool."""
        masks = zip(self._interface.told, self._batch.told, strict=True)
        for writer, array in masks:
            if writer.role == "action_mask":
                return array.astype(np.bool_)
        return np.ones((self.num_envs, sum(len(group.actions) for group in self.program.groups)), np.bool_)

    def state_bytes(self) -> int:
        """Return the bytes that the states of the batch take."""
        return self._batch.state_bytes()

    # Actions and observations

    def _numbers(self, actions: Any) -> Array:
        """Return the numbers of actions as a batch takes them."""
        if self._joystick:
            sticks = np.asarray(actions, dtype=float)
            if sticks.shape != (self.num_envs, 2) or not np.isfinite(sticks).all():
                raise Refused(f"actions of {self.action_space} are expected, not {sticks.shape}")
            group = self.program.groups[0]
            return np.array([snapped(group, stick) for stick in sticks], np.int64)
        given = np.asarray(actions)
        if given.dtype is _INT and given.shape == self._plain_shape and given.flags.c_contiguous:
            return given
        given = np.ascontiguousarray(whole_numbers(given))
        if given.ndim == 1 and self._groups == 1:
            given = given.reshape(-1, 1)
        if given.shape != (self.num_envs, self._groups):
            raise Refused(f"there are {self.num_envs} environments, and actions of shape {given.shape}")
        return given.reshape(-1)

    def _observation(self, leaves: list[Array], rows: Array | None = None) -> Any:
        """Return the observations; ``rows`` says which of them matter, where making one is slow."""
        if self._is_plain:
            return leaves[0].reshape(self._shapes[0]) if self._reshape[0] else leaves[0]
        made = {
            writer.source: leaf.reshape(shape) if change else leaf
            for writer, leaf, shape, change in zip(
                self._interface.observed, leaves, self._shapes, self._reshape, strict=True
            )
        }
        observation = self.program.observation
        parts = [
            made[leaf.function] if leaf.function else self._slow(leaf, rows) for leaf in observation.leaves
        ]
        whole = assembled(observation, parts, 1)
        if not self.program.goal:
            return whole
        achieved, desired = (made[self.program.goal[name].function] for name in ("achieved", "desired"))
        return {"observation": whole, "achieved_goal": achieved, "desired_goal": desired}

    def _is_fixed(self, leaf: Leaf) -> bool:
        """Whether an entry is the same in every state: a mission on which no number has a say."""
        return leaf.form == "mission" and not self._env.wording.places

    def _slow(self, leaf: Leaf, rows: Array | None) -> Any:
        """Return an entry that is drawn or written for each environment."""
        if leaf.form == "mission" and isinstance(leaf.space, Text):
            return self._wordings.of(self._batch.read(self._env.wording.places))
        reader = self._env._reader(leaf)
        if self._is_fixed(leaf):
            values = [reader()] * self.num_envs
        else:
            values = []
            for i in range(self.num_envs):
                if rows is None or rows[i] or not values:
                    self._show(i)
                    values.append(reader())
                else:
                    values.append(values[0])
        return tuple(values) if isinstance(values[0], str) else np.stack(values)

    # Info

    def _infos(self, told: list[Array], which: Flags | None, outcome: Array | None) -> dict[str, Any]:
        """Return the infos of the environments ``which``, None for all; ``outcome`` as `_ends` takes it."""
        if not told and which is None:
            return (
                LazyInfos(partial(self._ends, outcome, None)) if outcome is not None else self._silence.copy()
            )
        infos: dict[str, Any] = {}
        every = np.ones(self.num_envs, np.bool_) if which is None else which
        pairs = list(zip(self._interface.told, told, strict=True))
        is_set = {writer.name: array for writer, array in pairs if writer.role == "is_set"}
        for writer, array in pairs:
            if writer.entry is not None and writer.role == "info":
                said = every & is_set[writer.name] if writer.name in is_set else every
                infos[writer.name] = converted(writer.entry, array, said, every)
            elif writer.role != "is_set":
                there = every.reshape((-1,) + (1,) * (array.ndim - 1))
                infos[writer.name] = np.where(there, array, array.dtype.type(0))
            infos[f"_{writer.name}"] = every.copy()
        infos.update(self._ends(outcome, which))
        return infos

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was given and where each environment is."""
        return {
            "compiled": self._viewer.compiled,
            "num_envs": self.num_envs,
            "settings": self._settings,
            "spec": self.spec,
            "random": (self._np_random, self._np_random_seed),
            "actions": (self.single_action_space, self.action_space),
            **self._kept(),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "num_envs", "settings", "states", "stream", "done", "last")
        self.__init__(kept["compiled"], kept["num_envs"], **kept["settings"])  # type: ignore[misc]
        self.spec = kept["spec"]
        self._np_random, self._np_random_seed = kept["random"]
        self.single_action_space, self.action_space = kept["actions"]  # which draw on where they were
        self._restore(kept)
        if self._ready:
            self._be_ready()


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
