"""RLlib's PPO on Ray, started here or joined: runners on any of its machines play, and the weights come back here.

What it learned are the layers of `griddsl.training.algorithms.cleanrl`, so that numpy alone plays it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune.registry import register_env

from griddsl.envs.making import make
from griddsl.training.algorithms.cleanrl import (
    FORBIDDEN,
    LayersPolicy,
    discrete_actions,
    layers_of,
    named,
    perceptron,
    put,
    width_of,
)
from griddsl.training.algorithms.cluster import connect
from griddsl.training.algorithms.moments import moments_of, put_moments
from griddsl.training.failures import TrainingError
from griddsl.training.learners import Task, Watch

SETTINGS: dict[str, Any] = {
    "num_env_runners": 2,  # processes that play, each on a processor of the cluster
    "num_envs_per_env_runner": 8,
    "train_batch_size": 2048,
    "minibatch_size": 256,
    "num_epochs": 6,
    "lr": 1e-3,
    "gamma": 0.99,
    "lambda_": 0.95,
    "clip_param": 0.2,
    "entropy_coeff": 0.01,
    "vf_loss_coeff": 0.5,
    "grad_clip": 0.5,
    "hidden": 64,
    "masks": True,  # actions that are forbidden are not tried
}
_OF_RUNNERS = ("num_env_runners", "num_envs_per_env_runner")
_OURS = ("hidden", "masks")
_FAR = 1e9  # RLlib clips errors of the critic, by default to less than many returns are


class Masked(gym.ObservationWrapper[Any, Any, Any]):
    """Adds to the vector that is observed which actions are allowed, 1 or 0; all, where masks are not wanted."""

    def __init__(self, env: gym.Env[Any, Any], masks: bool) -> None:
        super().__init__(env)
        space, self._actions = env.observation_space, discrete_actions(env.action_space)
        assert isinstance(space, gym.spaces.Box)
        low, high = np.zeros(self._actions, np.float32), np.ones(self._actions, np.float32)
        self._masks = masks
        self.observation_space = gym.spaces.Box(
            np.concatenate([space.low, low]), np.concatenate([space.high, high])
        )

    def observation(self, observation: Any) -> Any:
        """Return the longer vector."""
        env: Any = self.unwrapped
        mask = env.action_masks() if self._masks else np.ones(self._actions)
        return np.concatenate([observation, mask]).astype(np.float32)


class Layers(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """The networks: an actor whose forbidden actions are unlikely beyond measure, and a critic."""

    def setup(self) -> None:
        """Make both networks."""
        actions = int(self.action_space.n)
        width, hidden = self.observation_space.shape[0] - actions, self.model_config["hidden"]
        self.actor = perceptron([width, hidden, hidden, actions], 0.01)
        self.critic = perceptron([width, hidden, hidden, 1], 1.0)

    def _parts(self, batch: Mapping[str, Any]) -> Any:
        actions = int(self.action_space.n)
        return batch[Columns.OBS][..., :-actions], batch[Columns.OBS][..., -actions:]

    def _forward(self, batch: Mapping[str, Any], **given: Any) -> dict[str, Any]:
        seen, allowed = self._parts(batch)
        return {Columns.ACTION_DIST_INPUTS: self.actor(seen) + FORBIDDEN * (1.0 - allowed)}

    def compute_values(self, batch: Mapping[str, Any], embeddings: Any = None) -> Any:
        """Return what the critic expects."""
        return self.critic(self._parts(batch)[0]).squeeze(-1)


def learn(task: Task, watch: Watch) -> LayersPolicy:
    """Return the policy that PPO finds in so many steps (a whole number of batches)."""
    settings = dict(task.settings)
    spec = task.spec
    masks = settings["masks"] and spec.program.has_mask
    env = make(spec)
    discrete_actions(env.action_space)
    width_of(env.observation_space)
    is_ours = not ray.is_initialized()
    connect(task.address, max(1, settings["num_env_runners"]))
    try:
        register_env(spec.program.id, partial(_made, spec, masks))
        return _learned(task, watch, spec.program.id, settings)
    except ray.exceptions.RayError as error:
        said = str(error).strip().splitlines()[-1]
        raise TrainingError(f"Ray gave up: {said}", "`--resume` goes on from what was written last") from None
    finally:
        if is_ours:
            ray.shutdown()


def _made(spec: Any, masks: bool, given: Mapping[str, Any]) -> gym.Env[Any, Any]:
    return Masked(make(spec), masks)


def _learned(task: Task, watch: Watch, name: str, settings: dict[str, Any]) -> LayersPolicy:
    logging.getLogger("ray").setLevel(logging.ERROR)
    config = (
        PPOConfig()
        .environment(name)
        .env_runners(**{key: settings[key] for key in _OF_RUNNERS})
        .learners(num_learners=0)
        .debugging(seed=task.seed_here, log_level="ERROR")
        .rl_module(
            rl_module_spec=RLModuleSpec(module_class=Layers, model_config={"hidden": settings["hidden"]})
        )
        .callbacks(on_episode_end=_told)
        .training(
            use_kl_loss=False,
            vf_clip_param=_FAR,
            **{key: value for key, value in settings.items() if key not in (*_OF_RUNNERS, *_OURS)},
        )
    )
    algorithm = config.build_algo()
    try:
        learner = algorithm.learner_group._learner
        module = learner.module["default_policy"].unwrapped()
        (optimizer,) = (one for _, one in learner.get_optimizers_for_module("default_policy"))
        if task.done:
            put(module.actor, "", task.arrays)
            put(module.critic, "critic_", task.learning)
            put_moments(optimizer, task.learning)
            algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=algorithm.learner_group)

        def played() -> LayersPolicy:
            return LayersPolicy(
                layers_of(module.actor),
                lambda: {**named(layers_of(module.critic), "critic_"), **moments_of(optimizer)},
            )

        done = task.done
        while done < task.steps:
            found = algorithm.train()["env_runners"]
            done = task.done + int(found["num_env_steps_sampled_lifetime"])
            watch(done, np.atleast_1d(found.get("returns", [])).tolist(), played())
        return played()
    finally:
        algorithm.stop()


def _told(*, episode: Any, metrics_logger: Any, **given: Any) -> None:
    metrics_logger.log_value("returns", episode.get_return(), reduce="item_series")
