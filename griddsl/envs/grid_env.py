"""`GridEnv`: a program as a `gymnasium.Env`."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np

from griddsl.backends.python import Machine, build
from griddsl.compiler import compiled
from griddsl.diagnostics import CODES, Diagnostic, SpecError
from griddsl.envs.goals import rewards
from griddsl.envs.spaces import action_space, observation_space, snapped, space_of
from griddsl.program.program import InfoEntry
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf
from griddsl.source import Span
from griddsl.spec.models import GridSpec

State: TypeAlias = tuple[tuple[int, ...], tuple[float, ...], int]
BACKENDS = ("auto", "python")
RENDER_FPS = 8


class GridEnv(gym.Env[Any, Any]):
    """One environment, compiled from a spec.

    ``source`` is the path or text of a spec, or a `GridSpec`; ``params`` are the values of its parameters, and
    ``level`` the name of a map. Raises `SpecError` where the spec has errors.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": RENDER_FPS}

    def __init__(
        self,
        source: str | os.PathLike[str] | GridSpec | None = None,
        *,
        render_mode: str | None = None,
        backend: str = "auto",
        spec: str | os.PathLike[str] | None = None,
        **params: Any,
    ) -> None:
        given = source if source is not None else spec
        if given is None:
            raise TypeError(
                "which spec? pass its path or text, as in gym.make('griddsl/Spec-v0', spec='maze.grid')"
            )
        if backend not in BACKENDS:
            raise ValueError(f"there is no backend {backend!r}; choose one of {', '.join(BACKENDS)}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(
                f"there is no render mode {render_mode!r}; choose one of {self.metadata['render_modes']}"
            )
        self.spec_model, self.program = compiled(given, **params)
        self.backend = "python"
        self.render_mode = render_mode
        self.observation_space = observation_space(self.program)
        self.action_space = action_space(self.program)
        self._prepare()

    def _build(self) -> Machine:
        return build(self.program)

    def _prepare(self) -> None:
        program = self.program
        self._machine = self._build()
        functions = self._machine.functions
        self._s, self._f, self._r = self._machine.new_state()
        self._seeded = False
        self._ready = False
        self._step_function = functions["step"]
        self._actions = [len(group.actions) for group in program.groups]
        # What the fast path of `step` takes without a closer look: nothing before the first reset.
        self._known_actions = 0
        self._observe = self._observer()
        informs = bool(program.info) or program.has_mask or "HIDDEN_REWARD" in program.layout.offsets
        self._quiet = not informs and self.render_mode != "human"
        if program.goal:
            # Only then: Stable-Baselines3 takes any environment with `compute_reward` for a goal-conditioned one.
            self.compute_reward = partial(rewards, program, self._machine)
        self._transitions: Any = None
        self._painter: Any = None
        self._rasterisers: dict[int, Any] = {}
        self._window: Any = None

    # The Gymnasium interface

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; ``options={"level": NAME}`` chooses the map.

        Raises `SpecError` where setup finds no place for what it puts.
        """
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._r[0] = int(self.np_random.integers(0, 2**64, dtype=np.uint64))
            self._seeded = True
        level = self._level_number(options)
        try:
            self._machine.functions["reset"](self._s, self._f, self._r, level)
        except SetupFailure as failure:
            raise self._setup_error(failure) from None
        self._be_ready()
        observation = self._observe()
        if self.render_mode == "human":
            self.render()
        return observation, self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one step, in the order that ``griddsl explain`` prints."""
        if action.__class__ is int and 0 <= action < self._known_actions:
            reward, terminated, truncated = self._step_function(self._s, self._f, self._r, action)
        else:
            numbers = self._numbers(action)
            reward, terminated, truncated = self._step_function(self._s, self._f, self._r, *numbers)
        observation = self._observe()
        if self._quiet and not (terminated or truncated):
            return observation, reward, terminated, truncated, {}
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, truncated, self._info(terminated or truncated, truncated)

    def render(self, values: Any = None, policy: Any = None) -> Any:
        """Return what the render mode says: a frame, a coloured text, or nothing (``human`` shows a window).

        ``values`` draws a heat map, one number a cell; ``policy`` draws arrows, one action (or several) a cell.
        Without a render mode a frame is returned, ``(height, width, 3)`` uint8.
        """
        scene = self.painter.scene(self._s, values, policy)
        if self.render_mode == "ansi":
            from griddsl.render.ansi import to_ansi

            return to_ansi(scene)
        frame = self._rasteriser(None).draw(scene)
        if self.render_mode != "human":
            return frame
        from griddsl.render.window import Window

        if self._window is None:
            self._window = Window(self.program.id)
        self._window.show_frame(frame, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # State

    def get_state(self) -> State:
        """Return the whole state, the random stream included: hashable, picklable, comparable."""
        layout = self.program.layout
        return tuple(self._s[: layout.saved]), tuple(self._f[: layout.saved_reals]), self._r[0]

    def set_state(self, state: State) -> None:
        """Put the environment into a state that `get_state` gave; the same future follows."""
        integers, reals, stream = state
        layout = self.program.layout
        if len(integers) != layout.saved or len(reals) != layout.saved_reals:
            raise ValueError(f"this state is not one of {self.program.id} as it is compiled here")
        self._s[: layout.saved] = integers
        self._s[layout.saved :] = self._machine.initial[layout.saved :]
        self._f[: layout.saved_reals] = reals
        self._r[0] = stream
        self._seeded = True
        self._be_ready()

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions are allowed now, ``(actions,)`` bool, groups one after the other."""
        if not self.program.has_mask:
            return np.ones(sum(self._actions), dtype=np.bool_)
        return self._mask().astype(np.bool_)

    def get_keys_to_action(self) -> dict[tuple[str, ...], int]:
        """Return which keys play which action (of the first group)."""
        group = self.program.groups[0]
        return {(key,): number for number, action in enumerate(group.actions) for key in action.keys}

    @property
    def P(self) -> dict[int, dict[int, list[tuple[float, int, float, bool]]]]:
        """All transitions, ``P[state][action] = [(chance, next state, reward, ended), ...]``, as toy-text has it.

        States are numbered by the observation where it is one number that tells the state, else as `to_mdp` does.
        Raises `ExactError`, a `ValueError`, where the states cannot be enumerated.
        """
        if self._transitions is None:
            from griddsl.exact.mdp import gym_table

            self._transitions = gym_table(self.program)
        return self._transitions

    # Pictures

    @property
    def painter(self) -> Any:
        """Draws states of this environment as scenes."""
        if self._painter is None:
            from griddsl.envs.painter import Painter

            self._painter = Painter(self.program)
        return self._painter

    def scene(self, values: Any = None, policy: Any = None) -> Any:
        """Return the present state as a `griddsl.render.scene.Scene`."""
        return self.painter.scene(self._s, values, policy)

    def _rasteriser(self, cell_pixels: int | None) -> Any:
        from griddsl.render.raster import Rasteriser, default_cell_pixels

        size = cell_pixels or default_cell_pixels(self.program.width, self.program.height)
        if size not in self._rasterisers:
            self._rasterisers[size] = Rasteriser(size)
        return self._rasterisers[size]

    # Observations

    def _observer(self) -> Callable[[], Any]:
        observation = self.program.observation
        readers = [self._reader(leaf) for leaf in observation.leaves]
        names = [leaf.name for leaf in observation.leaves]
        whole: Callable[[], Any]
        if observation.form == "bare":
            whole = readers[0]
        elif observation.form == "dict":
            pairs = list(zip(names, readers, strict=True))

            def whole() -> Any:
                return {name: read() for name, read in pairs}

        elif observation.form == "tuple":

            def whole() -> Any:
                return tuple(read() for read in readers)

        else:

            def whole() -> Any:
                return np.concatenate([np.asarray(read(), dtype=np.float32).reshape(-1) for read in readers])

        if not self.program.goal:
            return whole
        achieved, desired = (self._reader(self.program.goal[name]) for name in ("achieved", "desired"))

        def with_goal() -> Any:
            return {"observation": whole(), "achieved_goal": achieved(), "desired_goal": desired()}

        return with_goal

    def _reader(self, leaf: Leaf) -> Callable[[], Any]:
        if leaf.form == "pixels":
            return lambda: self._rasteriser(leaf.cell_pixels).draw(self.painter.scene(self._s))
        if leaf.form == "text":
            return self._text
        if leaf.form == "mission":
            return self._mission_reader(leaf)
        function = self._machine.functions[leaf.function]
        s, f, r = self._s, self._f, self._r
        if leaf.form == "value":
            return lambda: function(s, f, r)
        space = space_of(leaf.space)
        shape, dtype = space.shape, space.dtype
        assert shape is not None
        out: list[float] = [0] * int(np.prod(shape))

        def read() -> Any:
            function(s, f, r, out)
            return np.array(out, dtype=dtype).reshape(shape)

        return read

    def _text(self) -> str:
        from griddsl.render.ansi import to_text

        return to_text(self.scene(), {kind.name: kind.glyph for kind in self.program.kinds})

    def _mission_reader(self, leaf: Leaf) -> Callable[[], Any]:
        if leaf.space.__class__.__name__ == "Text":
            return self.mission
        assert hasattr(leaf.space, "shape")
        length = leaf.space.shape[0]

        def tokens() -> Any:
            encoded = self.mission().encode()[:length]
            return np.frombuffer(encoded.ljust(length, b"\0"), dtype=np.uint8).copy()

        return tokens

    def mission(self) -> str:
        """Return the task of this episode in words; empty where the spec has no ``mission``."""
        return re.sub(
            r"\{([^{}]*)\}", lambda match: self.value_of(match.group(1)), self.program.mission or ""
        )

    def value_of(self, name: str) -> str:
        """Return a variable, a chosen name or a parameter in words."""
        for info in self.program.names:
            if info.name == name:
                value = self._s[self.program.layout.offsets[info.slot]]
                if info.form == "words":
                    return info.words[value]
                return str(bool(value)).lower() if info.form == "bool" else str(value)
        value = self.program.metadata.get("params", {}).get(name, name)  # type: ignore[attr-defined]
        return str(value).lower() if isinstance(value, bool) else str(value)

    # Info

    def _info(self, ended: bool, truncated: bool = False) -> dict[str, Any]:
        info: dict[str, Any] = {}
        for entry in self.program.info:
            self._inform(entry, info)
        offsets = self.program.layout.offsets
        if "HIDDEN_REWARD" in offsets:
            info["hidden_reward"] = float(self._f[offsets["HIDDEN_REWARD"]])
        if self.program.has_mask:
            info["action_mask"] = self._mask()
        if ended:
            outcome = self._outcome(truncated)
            info["outcome"] = outcome
            info["is_success"] = outcome == "success"
        return info

    def _inform(self, entry: InfoEntry, info: dict[str, Any]) -> None:
        offsets = self.program.layout.offsets
        if entry.function:
            value = self._machine.functions[entry.function](self._s, self._f, self._r)
        elif self._s[offsets[f"{entry.slot}_IS_SET"]]:
            value = (self._f if entry.form == "real" else self._s)[offsets[entry.slot]]
        else:
            return
        if entry.form == "words":
            value = entry.words[value]
        elif entry.form == "bool":
            value = bool(value)
        elif entry.form == "real":
            value = float(value)
        info[entry.name] = value

    def _outcome(self, truncated: bool) -> str:
        offsets = self.program.layout.offsets
        code = self._s[offsets["OUTCOME"]] if "OUTCOME" in offsets else 0
        return self.program.outcomes[code - 1] if code else "truncated"

    def _mask(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        out = [0] * sum(self._actions)
        self._machine.functions["mask"](self._s, self._f, self._r, out)
        return np.array(out, dtype=np.int8)

    # Bad input

    def _be_ready(self) -> None:
        group = self.program.groups[0]
        self._ready = True
        self._known_actions = len(group.actions) if len(self._actions) == 1 and not group.joystick else 0

    def _numbers(self, action: Any) -> list[int]:
        """Return the number of the action of each group; raise where it is not an action, or before a reset."""
        if not self._ready:
            raise gym.error.ResetNeeded("call reset() before step()")
        group = self.program.groups[0]
        try:
            if group.joystick and len(self._actions) == 1:
                stick = np.asarray(action, dtype=float)
                if stick.shape == (2,) and np.isfinite(stick).all():
                    return [snapped(group, stick)]
                raise self._action_error(action)
            numbers = [operator.index(part) for part in np.atleast_1d(action).tolist()]
        except (TypeError, OverflowError):
            raise self._action_error(action) from None
        if len(numbers) != len(self._actions) or any(
            not 0 <= number < count for number, count in zip(numbers, self._actions, strict=True)
        ):
            raise self._action_error(action)
        return numbers

    def _action_error(self, action: Any) -> ValueError:
        names = ", ".join(f"{i} {a.name}" for i, a in enumerate(self.program.groups[0].actions[:20]))
        return ValueError(f"the action {action!r} is not in {self.action_space}; actions: {names}")

    def _level_number(self, options: Mapping[str, Any] | None) -> int:
        if not options or "level" not in options:
            return -1
        wanted, levels = options["level"], self.program.levels
        if wanted in levels:
            return levels.index(wanted)
        known = ", ".join(repr(level) for level in levels if level) or "none has a name"
        raise ValueError(
            f"there is no level {wanted!r} of this size here; levels: {known}. A level of another size is chosen "
            f"when the environment is made: gym.make({self.program.id!r}, level={wanted!r})"
        )

    def _setup_error(self, failure: SetupFailure) -> SpecError:
        span = Span(self.spec_model.source, failure.start, failure.end)
        what, _, constraint = failure.message.partition("\0")
        from griddsl.render.ansi import to_text

        picture = to_text(self.scene(), {kind.name: kind.glyph for kind in self.program.kinds})
        message = CODES[failure.code].message.format(what=what, constraint=constraint, count=what)
        return SpecError(
            [Diagnostic(failure.code, message, span, "the map at that moment is shown", (), picture)]
        )

    # Copies

    def __getstate__(self) -> dict[str, Hashable]:
        """Pickle what was given and where it is, not the generated code."""
        return {
            "spec_model": self.spec_model,
            "program": self.program,
            "render_mode": self.render_mode,
            "state": self.get_state(),
            "ready": self._ready,
            "seeded": self._seeded,
            "np_random": self._np_random,
            "np_random_seed": self._np_random_seed,
            "spec": self.spec,
            "spaces": (self.observation_space, self.action_space),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        for name in ("spec_model", "program", "render_mode", "spec"):
            setattr(self, name, kept[name])
        self.backend = "python"
        self.observation_space, self.action_space = kept["spaces"]
        self._np_random, self._np_random_seed = kept["np_random"], kept["np_random_seed"]
        self._prepare()
        self.set_state(kept["state"])
        self._seeded = kept["seeded"]
        if not kept["ready"]:
            self._ready, self._known_actions = False, 0
