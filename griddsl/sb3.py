"""Stable-Baselines3: a batch of environments as its `VecEnv`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.backends.python import build
from griddsl.compiler import AnySpec
from griddsl.envs.batch.vector_env import GridVectorEnv, make_vec
from griddsl.envs.single.goals import rewards as goal_rewards
from griddsl.envs.single.grid_env import GridEnv

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("Stable-Baselines3 is not installed: pip install 'griddsl[sb3]'") from error


def check_space(space: gym.Space[Any], name: str) -> None:
    """Raise `TypeError`, which says what to ask for, where Stable-Baselines3 has no policy for an observation."""
    parts = space.spaces.values() if isinstance(space, gym.spaces.Dict) else [space]
    for kind in (gym.spaces.Text, gym.spaces.Tuple, gym.spaces.Dict):
        if any(isinstance(part, kind) for part in parts):
            raise TypeError(
                f"{name} observes a {kind.__name__}, for which Stable-Baselines3 has no policy: "
                "observation='network' gives numbers, and MultiInputPolicy takes them"
            )


def _inside(env: Any) -> tuple[Any, bool]:
    """Return the spec of an environment, and whether `Monitor` is around it; raise `TypeError` for any other."""
    inner, is_monitored = env, False
    while inner is not env.unwrapped:
        is_monitored |= isinstance(inner, Monitor)
        inner = inner.env
    if not isinstance(inner, GridEnv):
        raise TypeError(
            f"{type(inner).__name__} is no environment of griddsl, and GridVecEnv makes batches of those"
        )
    return inner.compiled, is_monitored


class GridVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """A batch of environments of a spec for Stable-Baselines3: one native call a step, episodes reset in it.

    ``action_masks()`` serves `MaskablePPO`, and `VecMonitor` goes around it as around any other. ``source`` may be a
    list of functions that each make the same environment, as `make_vec_env` gives them to its ``vec_env_cls``; no
    wrapper is kept of what they make, but that the infos of ends hold the ``episode`` where `Monitor` is one. It may
    also be a batch that resets in the same step, such as a `griddsl.curriculum.CurriculumVectorEnv`.
    """

    def __init__(
        self,
        source: AnySpec | GridVectorEnv | Sequence[Callable[[], Any]],
        num_envs: int = 1,
        **settings: Any,
    ) -> None:
        if "autoreset_mode" in settings:
            raise TypeError("Stable-Baselines3 resets in the same step: autoreset_mode is not to be chosen")
        self._is_monitored = False
        spec: Any = source
        if isinstance(source, Sequence) and not isinstance(source, str):
            num_envs, (spec, self._is_monitored) = len(source), _inside(source[0]())
        if isinstance(source, GridVectorEnv):
            if source.autoreset_mode != gym.vector.AutoresetMode.SAME_STEP or settings:
                raise TypeError("a batch is made with its settings, and with autoreset_mode='SameStep'")
            num_envs = source.num_envs
        self.batch: GridVectorEnv = (
            source
            if isinstance(source, GridVectorEnv)
            else make_vec(spec, num_envs, autoreset_mode=gym.vector.AutoresetMode.SAME_STEP, **settings)
        )
        check_space(self.batch.single_observation_space, self.batch.program.id)
        self._actions: Any = None
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        self._started = time.monotonic()
        self._goal_reward: Any = None
        super().__init__(num_envs, self.batch.single_observation_space, self.batch.single_action_space)
        self.render_mode = self.batch.render_mode
        self.metadata = self.batch.metadata

    def reset(self) -> Any:
        """Start episodes, with the seeds and options that were set; return the observations."""
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        options = self._options[0] if self._options and self._options[0] else None
        observations, infos = self.batch.reset(seed=seeds, options=options)
        self._returns[:], self._lengths[:] = 0.0, 0
        self.reset_infos = self._rows(infos)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Any) -> None:
        """Keep the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Carry out the step; the info of an environment that was reset holds what came before."""
        observations, rewards, ended, cut, infos = self.batch.step(self._actions)
        done = ended | cut
        self._returns += rewards
        self._lengths += 1
        if not done.any() and not self.batch.informs:
            return observations, rewards.astype(np.float32), done, self._rows({})
        finals, final_info = infos.pop("final_obs", None), infos.pop("final_info", {})
        infos.pop("_final_obs", None)
        infos.pop("_final_info", None)
        rows, last = self._rows(infos), self._rows(final_info, is_final=True)
        for i in np.flatnonzero(done).tolist():
            self.reset_infos[i] = rows[i]
            rows[i] = {**last[i], "terminal_observation": finals[i]}
            rows[i]["TimeLimit.truncated"] = bool(cut[i] and not ended[i])
            if self._is_monitored:
                past = round(time.monotonic() - self._started, 6)
                rows[i]["episode"] = {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": past}
        self._returns[done], self._lengths[done] = 0.0, 0
        return observations, rewards.astype(np.float32), done, rows

    def _rows(self, infos: dict[str, Any], is_final: bool = False) -> list[dict[str, Any]]:
        """Return the infos of each environment; what those of steps and resets say of an episode's end is known."""
        rows: list[dict[str, Any]] = [{"outcome": "", "is_success": False} for _ in range(self.num_envs)]
        for name, values in infos.items():
            if name in rows[0] and not is_final:
                continue
            if not name.startswith("_") or f"_{name}" in infos:
                for i in np.flatnonzero(infos[f"_{name}"]).tolist():
                    rows[i][name] = values[i].item() if isinstance(values[i], np.generic) else values[i]
        return rows

    def action_masks(self) -> Any:
        """Return which actions are allowed now, ``(num_envs, actions)`` bool."""
        return self.batch.action_masks()

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    def get_images(self) -> Sequence[Any]:
        """Return a frame of each environment."""
        return list(self.batch.render())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the batch, once for each environment."""
        if attr_name == "action_masks":
            return [self._mask_of(i) for i in self._indices(indices)]
        return [getattr(self.batch, attr_name) for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the batch."""
        setattr(self.batch, attr_name, value)

    def env_method(
        self, method_name: str, *arguments: Any, indices: Any = None, **settings: Any
    ) -> list[Any]:
        """Return what a method gives for each environment: its masks, its state, a frame, or rewards of goals."""
        chosen = list(self._indices(indices))
        if method_name == "compute_reward" and self.batch.program.goal:
            if self._goal_reward is None:
                self._goal_reward = partial(goal_rewards, self.batch.program, build(self.batch.program))
            return [self._goal_reward(*arguments, **settings)] * len(chosen)
        if method_name == "action_masks":
            masks = self.batch.action_masks()
            return [masks[i] for i in chosen]
        if method_name == "get_state":
            return list(self.batch.get_state(chosen))
        if method_name == "render":
            frames = self.batch.render()
            return [frames[i] for i in chosen]
        raise AttributeError(f"the environments of a batch have no method {method_name!r} of their own")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each: no wrapper is around an environment of a batch."""
        return [False for _ in self._indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the batch has an attribute."""
        return hasattr(self.batch, attr_name)

    def _mask_of(self, index: int) -> Any:
        return lambda: self.batch.action_masks()[index]

    def _indices(self, indices: Any) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
