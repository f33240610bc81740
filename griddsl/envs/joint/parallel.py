"""`GridParallelEnv`: a game of several as a PettingZoo `ParallelEnv`, where all agents act at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np

from griddsl.compiler import AnySpec
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.base_env import check_options
from griddsl.envs.joint.game import JointStep
from griddsl.envs.joint.native_game import NativeGame
from griddsl.envs.joint.zoo import ParallelEnv
from griddsl.envs.seeding import new_stream, seeded
from griddsl.envs.states import State, unpickled
from griddsl.loading import only_source

Told: TypeAlias = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class GridParallelEnv(NativeGame, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A spec with several agents as a PettingZoo ``ParallelEnv``.

    ``agents`` are those whose part goes on; one that is ``out`` leaves the list, and the episode ends with the last.
    Under ``turns: alternate`` all give an action and one acts: ``info["turn"]`` names who is next.
    Raises `SpecError` where the spec has errors, and `ValueError` for one that a single agent plays.
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
        given = only_source(source, spec, "griddsl.make_parallel('tag.grid')")
        self.check_render_mode(render_mode)
        self.check_highlight(highlight)
        self.highlight = highlight
        self.render_mode, self._wanted_backend = render_mode, backend
        super().__init__(given, **params)
        if not self._is_joint:
            alone = f"{self.program.id} is played by one agent: use griddsl.make(source), or"
            if len(self.program.agents) > 1:
                raise Refused(f"{alone} leave out `moves` of another, which plays by itself now")
            raise Refused(f"{alone} say `agents: red, blue` in it")
        self.metadata = {
            **self.metadata,
            "name": self.program.id.rpartition("/")[2],
            "is_parallelizable": True,
        }
        self.possible_agents = list(self.players)
        self.agents: list[str] = []
        self._generator: np.random.Generator | None = None
        self._seeded = False
        self._hasten()

    def _hasten(self) -> None:
        """Let a step that is written for this program stand before `step`, where there is one."""
        if type(self).step is not GridParallelEnv.step or self.render_mode == "human":
            return
        slow = partial(GridParallelEnv.step, self)
        written = self._written_step(
            slow=slow, finish=lambda: self._told(self.agents, self._played(self.agents))
        )
        if written is not None:
            self.step = written  # type: ignore[method-assign, assignment]

    def observation_space(self, agent: str) -> gym.Space[Any]:
        """Return the space of what an agent observes: the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.Space[Any]:
        """Return the space of an agent's actions: the same object at every call."""
        return self.action_spaces[agent]

    @property
    def np_random(self) -> np.random.Generator:
        """The generator that the stream of the game is seeded from, as a Gymnasium environment has it."""
        if self._generator is None:
            self._generator = seeded(None)
        return self._generator

    @np_random.setter
    def np_random(self, generator: np.random.Generator) -> None:
        self._generator = generator

    @property
    def state_space(self) -> gym.spaces.Box:
        """The space of `state`."""
        bounds = [(slot.low, slot.high) for slot in self.program.slots if slot.saved and slot.type != "real"]
        lengths = [slot.length for slot in self.program.slots if slot.saved and slot.type != "real"]
        low, high = (np.repeat(np.array([ends[k] for ends in bounds], np.int64), lengths) for k in (0, 1))
        return gym.spaces.Box(low, high, dtype=np.int64)

    def state(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the whole state as one row of whole numbers, int64: what is on the map, and all variables."""
        self._pull()
        return np.array(self._s[: self.program.layout.saved], dtype=np.int64)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start an episode; ``options={"level": NAME}`` chooses the map. Raises `SpecError` where setup fails."""
        check_options(options)
        if seed is not None:
            self._generator = seeded(seed)
        if seed is not None or not self._seeded:
            self.seed(new_stream(self.np_random))
            self._seeded = True
        self.start(options)
        self.agents = list(self.possible_agents)
        observations = self.see(self.agents)
        infos = {name: self._whole_info(name) for name in self.agents}
        if self.render_mode == "human":
            self.render()
        return observations, infos

    def step(self, actions: Mapping[str, Any]) -> Told:
        """Carry out a joint step: one action for every agent of ``agents``, and for no other (`ValueError`).

        Where the parts of all have ended, no actions give nothing: wrappers that keep agents to the end ask for it.
        """
        agents = self.agents
        if not agents and not self._seeded:
            raise gym.error.ResetNeeded("call reset() before step()")
        fits = isinstance(actions, dict) and len(actions) == len(agents)
        if not fits or any(actions.get(name) is None for name in agents):
            self.check_actions(actions, agents)
        if not agents:
            return {}, {}, {}, {}, {}
        found = self._told(agents, self.play_on(actions, agents))
        if self.render_mode == "human":
            self.render()
        return found

    def _told(self, agents: list[str], played: JointStep) -> Told:
        """Return what agents get after a joint step, of which those whose part ended in it leave the list."""
        rewards, ended, cut, left = played
        self.agents = list(left)
        observations = self.see(agents)
        infos = {name: self._whole_info(name, ended[name], cut[name]) for name in agents}
        return observations, rewards, ended, cut, infos

    def _whole_info(self, name: str, ended: bool = False, cut: bool = False) -> dict[str, Any]:
        info = self.info(name, ended, cut)
        if self.program.turns == "alternate":
            info["turn"] = self.turn
        return info

    def set_state(self, state: State) -> None:
        """Put the game into a state that `get_state` gave; the same future follows, for the agents that are not out.

        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        super().set_state(state)
        self.agents = [name for name in self.players if self.is_in(name)]

    def action_masks(self, agent: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions an agent may take now, ``(actions,)`` bool."""
        return self.mask(agent)

    def __getstate__(self) -> dict[str, Any]:
        kept = super().__getstate__()
        return kept | {
            "render_mode": self.render_mode,
            "highlight": self.highlight,
            "backend": self._wanted_backend,
            "metadata": self.metadata,
            "agents": self.agents,
            "generator": self._generator,
            "seeded": self._seeded,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        unpickled(kept, type(self), "state", "backend", "agents", "generator")
        self.render_mode, self.metadata = kept["render_mode"], kept["metadata"]
        self._wanted_backend, self.highlight = kept["backend"], kept.get("highlight")
        super().__setstate__(kept)
        self.agents, self._generator, self._seeded = kept["agents"], kept["generator"], kept["seeded"]
        self.possible_agents = list(self.players)
        self._hasten()


def make_parallel(
    source: AnySpec,
    *,
    render_mode: str | None = None,
    backend: str = "auto",
    **params: Any,
) -> GridParallelEnv:
    """Return a spec with several agents (a path, a text, a known id, or a model) as a PettingZoo ``ParallelEnv``.

    ``backend`` is ``auto``, ``python`` or ``native``; `GridParallelEnv.backend` says which one runs.
    """
    return GridParallelEnv(source, render_mode=render_mode, backend=backend, **params)
