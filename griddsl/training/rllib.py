"""RLlib's PPO on Ray: started here, or joined at an address, with runners on all its machines.

What is learned are two hidden layers with tanh, as `griddsl.training.cleanrl` has them, so that numpy alone plays it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.tune.registry import register_env

from griddsl.compiler import compiled
from griddsl.envs.making import make
from griddsl.envs.single.grid_env import GridEnv
from griddsl.loading import resolve
from griddsl.training.cleanrl import LayersPolicy, discrete_actions, restored_layers
from griddsl.training.failures import TrainingError
from griddsl.training.learners import Task, Watch
from griddsl.training.policy_file import About, Arrays

SETTINGS: dict[str, Any] = {
    "address": "",  # of a Ray cluster; none starts Ray here
    "num_env_runners": 2,
    "num_envs_per_env_runner": 8,
    "train_batch_size": 2048,
    "minibatch_size": 256,
    "num_epochs": 4,
    "lr": 1e-3,
    "gamma": 0.99,
    "lambda_": 0.95,
    "entropy_coeff": 0.01,
    "hidden": 64,
}


def learn(task: Task, watch: Watch) -> LayersPolicy:
    """Return the policy that PPO finds in at least so many steps; runners race, so that seeds repeat it only nearly."""
    args = SETTINGS | dict(task.settings)
    discrete_actions(make(task.source, **task.params).action_space)
    spec = compiled(resolve(task.source), **task.params)
    here = not ray.is_initialized()
    if here:
        _started(str(args["address"]))

    def create(config: Any) -> GridEnv:
        return GridEnv(spec)

    register_env("griddsl", create)
    batch = min(args["train_batch_size"], max(task.steps, 64))
    config = (
        PPOConfig()
        .environment("griddsl")
        .env_runners(
            num_env_runners=args["num_env_runners"],
            num_envs_per_env_runner=args["num_envs_per_env_runner"],
            create_env_on_local_worker=not args["num_env_runners"],
        )
        .learners(num_learners=0)
        .rl_module(
            model_config=DefaultModelConfig(
                fcnet_hiddens=[args["hidden"]] * 2, fcnet_activation="tanh", vf_share_layers=False
            )
        )
        .training(
            lr=args["lr"],
            gamma=args["gamma"],
            lambda_=args["lambda_"],
            entropy_coeff=args["entropy_coeff"],
            num_epochs=args["num_epochs"],
            train_batch_size_per_learner=batch,
            minibatch_size=min(args["minibatch_size"], batch),
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=task.seed)
    )
    algorithm = config.build_algo()
    try:
        done = 0
        while done < task.steps:
            found = algorithm.train()["env_runners"]
            done = int(found["num_env_steps_sampled_lifetime"])
            ended = int(found.get("num_episodes", 0))
            watch(done, [float(found["episode_return_mean"])] * ended if ended else [], _played(algorithm))
        return _played(algorithm)
    finally:
        algorithm.stop()
        if here:
            ray.shutdown()


def _started(address: str) -> None:
    try:
        ray.init(address=address or None, include_dashboard=False, log_to_driver=False)
    except (ConnectionError, ValueError) as error:
        raise TrainingError(
            f"no Ray cluster is at `{address}`: {error}", "`ray start --head` starts one"
        ) from None


def _played(algorithm: Any) -> LayersPolicy:
    """Return the layers of the actor, first to last."""
    state = algorithm.get_module().get_state()
    layers = []
    for part in ("encoder.actor_encoder.", "pi."):
        names = sorted(name for name in state if name.startswith(part) and name.endswith(".weight"))
        layers += [(np.array(state[name]), np.array(state[name[:-6] + "bias"])) for name in names]
    return LayersPolicy(layers)


def restored(source: Any, params: Mapping[str, Any], about: About, arrays: Arrays) -> LayersPolicy:
    """Return the policy of a file; raise `ValueError` where its layers do not fit the spec."""
    env: gym.Env[Any, Any] = make(source, **params)
    return restored_layers(env, arrays)
