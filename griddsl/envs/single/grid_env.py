"""`GridEnv`: a program as a `gymnasium.Env`."""

from __future__ import annotations

import logging
import operator
import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.backends.choice import check_backend, choose_single, faster
from griddsl.backends.interface import leaf_ports
from griddsl.backends.python import Machine, build
from griddsl.backends.python.single import written_step
from griddsl.backends.single import Adapter, Step
from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.base_env import HALF, NOTHING_TO_SEE, BaseEnv
from griddsl.envs.infos import ending, entry_value, nothing_ends, unset_value
from griddsl.envs.keyboard import Key, keys_to_action
from griddsl.envs.reading import function_reader, observer, shown_reader
from griddsl.envs.recreation import Recreatable
from griddsl.envs.single.goals import rewards
from griddsl.envs.spaces import action_space, observation_space, snapped
from griddsl.envs.states import State, checked_stream, unpickled
from griddsl.loading import only_source, resolve
from griddsl.program import keys
from griddsl.program.program import InfoEntry, Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.spaces import Leaf
from griddsl.program.stream import Stream

_LOG = logging.getLogger("griddsl")


class GridEnv(BaseEnv, Recreatable, gym.Env[Any, Any]):
    """One environment, compiled from a spec.

    ``source`` is the path or text of a spec, or a `GridSpec`; ``params`` are the values of its parameters, and
    ``level`` the name of a map. ``highlight`` says whether pictures darken what the agent does not see; None does so in
    windows. Raises `SpecError` where the spec has errors.
    """

    @with_keywords
    def __init__(
        self,
        source: AnySpec | None = None,
        *,
        render_mode: str | None = None,
        backend: str = "auto",
        highlight: bool | None = None,
        spec: str | os.PathLike[str] | None = None,
        **params: Any,
    ) -> None:
        given = only_source(source, spec, "gym.make('griddsl/Spec-v0', spec='maze.grid')")
        check_backend(backend)
        self.check_render_mode(render_mode)
        self.check_highlight(highlight)
        self.compiled = compiled(resolve(given), **params)
        self.program = self.compiled.program
        if len(self.program.players) > 1:
            raise Refused(_for_several(self.program))
        self._wanted_backend = backend
        self.render_mode, self.highlight = render_mode, highlight
        self.observation_space = observation_space(self.program)
        self.action_space = action_space(self.program)
        self._prepare()

    def _build(self) -> Machine:
        return build(self.program)

    def _prepare(self) -> None:
        program = self.program
        traced = type(self)._build is not GridEnv._build
        shown = self.render_mode == "human"
        wanted = "python" if traced or (shown and self._wanted_backend == "auto") else self._wanted_backend
        self._single, self.backend = choose_single(program, wanted)
        _LOG.info("%s: the %s backend%s", program.id, self.backend, faster(program, self.backend))
        self._machine = self._build()
        self._s, self._f, self._r = self._machine.new_state()
        self._seeded = False
        self._ready = False
        self._actions = [len(group.actions) for group in program.groups]
        self._observe = self._observer()
        informs = bool(program.info) or program.has_mask or keys.HIDDEN_REWARD in program.layout.offsets
        self._quiet = not informs and self.render_mode != "human"
        if program.goal:
            # Only then: Stable-Baselines3 takes any environment with `compute_reward` for a goal-conditioned one.
            self.compute_reward = partial(rewards, program, self._machine)
        self._transitions: Any = None
        self._painter: Any = None
        self._rasterisers: dict[int, Any] = {}
        self._window: Any = None
        self._stepper = self._written_step()

    def _written_step(self) -> Step:
        """Return the step, written for this program and its backend."""
        self._adapter = self._adapted()
        if self._single is None:
            return written_step(self.program, self._machine, (self._s, self._f, self._r), self._adapter)
        return self._single.written_step(self.program, self._adapter)

    # The Gymnasium interface

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; ``options={"level": NAME}`` chooses the map.

        Raises `SpecError` where setup finds no place for what it puts.
        """
        level = -1 if options is None else self.level_number(options)
        if seed is not None:
            super().reset(seed=seed)
        counter = None
        if seed is not None or not self._seeded:
            counter = int(self.np_random.integers(0, 2**64, dtype=np.uint64))
            self._seeded = True
        elif level == -1:
            level = self.program.next_level
        try:
            if self._single is None:
                if counter is not None:
                    self._r[0] = counter
                self._machine.functions["reset"](self._s, self._f, self._r, level)
            else:
                self._single.reset(level, counter)
        except SetupFailure as failure:
            raise self.setup_error(failure) from None
        if not self._ready:
            self._be_ready()
        if self._single is not None:
            self._single.observe()
        observation = self._observe()
        if self.render_mode == "human":
            self.render()
        if self._single is not None:
            return observation, self._single.start_info(self._adapter)
        return observation, nothing_ends() if self._quiet else self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one step, in the order that ``griddsl explain`` prints.

        Raises `SpecError` where the next episode of a trial begins, and its setup finds no place for what it puts.
        """
        try:
            return self._carried_out(action)
        except SetupFailure as failure:
            raise self.setup_error(failure) from None

    def _carried_out(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self._ready:
            raise gym.error.ResetNeeded("call reset() before step()")
        found: tuple[Any, float, bool, bool, dict[str, Any]] = self._stepper(action)
        if self.render_mode == "human":
            self.render()
        return found

    # State

    def set_state(self, state: State) -> None:
        """Put the environment into a state that `get_state` gave; the same future follows.

        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        super().set_state(state)
        self._seeded = True
        self._be_ready()
        layout = self.program.layout
        self._push(self._s[: layout.saved], self._f[: layout.saved_reals])

    def _pull(self) -> None:
        """Write the state of a faster backend into the lists that pictures and infos are made of."""
        if self._ready and self._single is not None:
            self._single.take(self._s, self._f, self._r)

    def _standing(self) -> Sequence[int]:
        return self._single.standing() if self._ready and self._single is not None else self._s

    def _push(self, integers: Sequence[int], reals: Sequence[float]) -> None:
        """Let a faster backend go on from the lists; one that cannot, because its table lacks the state, gives up."""
        single = self._single
        if single is None:
            return
        if self._wanted_backend == "auto" and not single.knows(integers, reals):
            self._single, self.backend = None, "python"
            self.__dict__.pop("step", None)
            self._observe = self._observer()
            self._stepper = self._written_step()
            self._be_ready()
            return
        single.put(self._s, self._f, Stream(self._r[0] ^ HALF))  # see `_aside`
        single.observe()
        single.put(self._s, self._f, self._r)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions are allowed now, ``(actions,)`` bool, groups one after the other."""
        if not self.program.has_mask:
            return np.ones(sum(self._actions), dtype=np.bool_)
        self._pull()
        return self._mask().astype(np.bool_)

    def get_keys_to_action(self) -> dict[tuple[Key, ...], Any]:
        """Return which keys play which action, as ``gymnasium.utils.play`` takes them: characters, or key codes."""
        return keys_to_action(self.program.groups)

    @property
    def P(self) -> dict[int, dict[int, list[tuple[float, int, float, bool]]]]:
        """All transitions, ``P[state][action] = [(chance, next state, reward, ended), ...]``, as toy-text has it.

        States are numbered by the observation where it is one number that tells the state, else as `to_mdp` does.
        Raises `ExactError`, a `ValueError`, where the states cannot be enumerated.
        """
        if self._transitions is None:
            from griddsl.exact.mdp import gym_table

            self._transitions = gym_table(self.program)
        return self._transitions  # type: ignore[no-any-return]

    # Pictures

    def render(self, values: Any = None, policy: Any = None) -> Any:
        """Return what the render mode says, as `BaseEnv.render` does; raise `ResetNeeded` before the first reset."""
        if not self._ready:
            raise gym.error.ResetNeeded(NOTHING_TO_SEE)
        return super().render(values, policy)

    # Observations

    def _seen_by(self, name: str) -> Any:
        if self._single is not None:  # it keeps what was observed last, which may be long ago
            self._pull()
            layout = self.program.layout
            self._push(self._s[: layout.saved], self._f[: layout.saved_reals])
        return self._aside(self._observe)

    def _observer(self) -> Callable[[], Any]:
        return observer(self.program.observation, self.program.goal, self._reader)

    def _reader(self, leaf: Leaf) -> Callable[[], Any]:
        shown = shown_reader(self, leaf)
        if shown is not None:
            return shown
        if self._single is not None:
            functions = [port.function for _, port in leaf_ports(self.program)]
            return self._single.reader(functions.index(leaf.function))
        return function_reader(leaf, self._machine.functions[leaf.function], self._s, self._f, self._r)

    def _adapted(self) -> Adapter:
        """Return what the step of a faster backend calls here."""
        leaves = [leaf for leaf in self.program.observation.leaves if not leaf.function]
        return Adapter(
            numbers=self._numbers,
            known=self._plain_actions(),
            observe=self._observe,
            readers={f"read{k}": self._reader(leaf) for k, leaf in enumerate(leaves)},
            info=self._info,
            is_quiet=self._quiet,
            entry=entry_value,
            ending=ending,
            silence=nothing_ends,
        )

    # Info

    def _info(self, ended: bool) -> dict[str, Any]:
        self._pull()
        info = {entry.name: self._entry(entry) for entry in self.program.info}
        offsets = self.program.layout.offsets
        if keys.HIDDEN_REWARD in offsets:
            info["hidden_reward"] = float(self._f[offsets[keys.HIDDEN_REWARD]])
        if self.program.has_mask:
            info["action_mask"] = self._mask()
        info.update(ending(self._outcome() if ended else ""))
        return info

    def _entry(self, entry: InfoEntry) -> Any:
        offsets = self.program.layout.offsets
        if entry.function:
            return entry_value(entry, self._machine.functions[entry.function](self._s, self._f, self._r))
        if not self._s[offsets[entry.flag]]:
            return unset_value(entry)
        return entry_value(entry, (self._f if entry.form == "real" else self._s)[offsets[entry.slot]])

    def _outcome(self) -> str:
        offsets = self.program.layout.offsets
        code = self._s[offsets[keys.OUTCOME]] if keys.OUTCOME in offsets else 0
        return self.program.outcomes[code - 1] if code else "truncated"

    def _mask(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        out = [0] * sum(self._actions)
        self._machine.functions["mask"](self._s, self._f, self._r, out)
        return np.array(out, dtype=np.int8)

    # Bad input

    def _plain_actions(self) -> int:
        """Return how many actions there are, where one is an integer; else 0."""
        group = self.program.groups[0]
        return len(group.actions) if len(self._actions) == 1 and not group.joystick else 0

    def _be_ready(self) -> None:
        self._ready = True
        is_trial = keys.EPISODE in self.program.layout.offsets
        if not is_trial and type(self).step is GridEnv.step and self.render_mode != "human":
            # An attribute of the environment itself: what is looked up first, and one call less a step.
            self.step = self._stepper  # type: ignore[method-assign, assignment]

    def _numbers(self, action: Any) -> list[int]:
        """Return the number of the action of each group; raise where it is not an action."""
        group = self.program.groups[0]
        if isinstance(action, np.integer) and 0 <= action < self._plain_actions():
            return [int(action)]
        try:
            if group.joystick and len(self._actions) == 1:
                stick = np.asarray(action, dtype=float)
                if stick.shape == (2,) and np.isfinite(stick).all():
                    return [snapped(group, stick)]
                raise self._action_error(action)
            numbers = [operator.index(part) for part in np.atleast_1d(action).tolist()]
        except (TypeError, ValueError, OverflowError):
            raise self._action_error(action) from None
        if len(numbers) != len(self._actions) or any(
            not 0 <= number < count for number, count in zip(numbers, self._actions, strict=True)
        ):
            raise self._action_error(action)
        return numbers

    def _action_error(self, action: Any) -> ValueError:
        names = ", ".join(f"{i} {a.name}" for i, a in enumerate(self.program.groups[0].actions[:20]))
        return ValueError(f"the action {action!r} is not in {self.action_space}; actions: {names}")

    # Copies

    def __getstate__(self) -> dict[str, Hashable]:
        """Pickle what was given and where it is, not the generated code."""
        return {
            "compiled": self.compiled,
            "render_mode": self.render_mode,
            "highlight": self.highlight,
            "backend": self._wanted_backend,
            "state": self.get_state(),
            "ready": self._ready,
            "seeded": self._seeded,
            "np_random": self._np_random,
            "np_random_seed": self._np_random_seed,
            "spec": self.spec,
            "spaces": (self.observation_space, self.action_space),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "state", "ready", "seeded", "backend", "spaces")
        for name in ("compiled", "render_mode", "spec"):
            setattr(self, name, kept[name])
        self.highlight = kept.get("highlight")
        self.program = self.compiled.program
        self._wanted_backend = kept["backend"]
        self.observation_space, self.action_space = kept["spaces"]
        self._np_random, self._np_random_seed = kept["np_random"], kept["np_random_seed"]
        self._prepare()
        if kept["ready"]:
            self.set_state(kept["state"])
        else:  # before a reset there is no state yet, only a stream
            self._r[0] = checked_stream(kept["state"][2])
        self._seeded = kept["seeded"]


def _for_several(program: Program) -> str:
    """Return what to say where a spec for several is asked for as an environment for one."""
    names = ", ".join(player.name for player in program.players)
    return (
        f"{program.id} is played by several agents ({names}), and a Gymnasium environment has one: use "
        "griddsl.make_parallel(source), griddsl.make_aec(source) or griddsl.make_parallel_vec(source, num_envs); "
        "or leave one learner, by `agent NAME: moves ...` in the spec or griddsl.make(source, policies={name: policy})"
    )
