"""RLlib on Ray: remote workers by id, several agents and a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray import tune
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env

import griddsl


@pytest.fixture(autouse=True, scope="module")
def cluster() -> Iterator[None]:
    """Ray, with room for two remote workers."""
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def _config() -> Any:
    return (
        PPOConfig()
        .environment("griddsl:griddsl/Fetch-v0", env_config={"observation": "flat"})
        .env_runners(num_env_runners=2, create_env_on_local_worker=False)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=128, minibatch_size=64, num_epochs=1)
    )


def test_remote_workers__find_the_id() -> None:
    """Both workers make the environment by its id."""
    algorithm = _config().build_algo()
    assert algorithm.env_runner_group.num_remote_workers() == 2
    assert algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"] >= 128
    algorithm.stop()


def test_several_agents__are_trained() -> None:
    """A parallel environment goes through RLlib's own wrapper."""
    register_env(
        "race",
        lambda _: ParallelPettingZooEnv(griddsl.make_parallel("griddsl/HurdleRace-v0", observation="flat")),
    )
    config = _config().environment("race", env_config={})
    config = config.multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
    algorithm = config.build_algo()
    assert algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"] > 0
    algorithm.stop()


def test_a_sweep__tries_settings(tmp_path: Path) -> None:
    """Tune runs two settings."""
    config = _config().env_runners(num_env_runners=0, create_env_on_local_worker=True)
    tuner = tune.Tuner(
        "PPO",
        param_space=config.training(lr=tune.grid_search([1e-3, 1e-4])),
        run_config=tune.RunConfig(stop={"training_iteration": 1}, storage_path=str(tmp_path), verbose=0),
    )
    results = tuner.fit()
    assert len(results) == 2 and not results.errors
