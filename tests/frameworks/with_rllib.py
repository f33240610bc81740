"""RLlib on Ray: remote workers by id, several agents, a sweep, and `griddsl train --with rllib`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray import tune
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env

import griddsl
from griddsl.training import load, score, train
from griddsl.training.failures import TrainingError

WALK = """
env: tests/Walk-v0
generate: empty(4, 1)
setup:
    place agent at (0, 0)
    place goal at (3, 0)
actions: left, right, leap
on do leap: reward -100
allow leap: agent.x == 3
illegal: act
observe: cell
each step: reward -1
on enter goal: end success
limit: 12 steps
"""
QUICK = {"train_batch_size": 512, "minibatch_size": 128}


@pytest.fixture(autouse=True, scope="module")
def cluster() -> Iterator[None]:
    """Ray, with room for two remote workers."""
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False)
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


def _trained(**given: Any) -> Any:
    return train(WALK, **{"learner": "rllib", "steps": 6000, "seed": 1, "settings": QUICK, **given})


def test_train__learns_on_two_runners_and_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    """The shortest way is found without a fine, as masks are heeded; what is read from its file plays the same."""
    file = tmp_path / "walk.policy"
    trained, again = _trained(output=file), _trained()
    mine, others = trained.policy.arrays(), again.policy.arrays()
    assert all(np.array_equal(mine[name], others[name]) for name in mine)
    assert all(mean >= -12 for _, mean, _ in trained.about.history)
    about, policy = load(file, WALK, {})
    assert about.learner == "rllib" and about.history == again.about.history
    assert score(policy, WALK, episodes=3, observation=about.observation).regret == 0.0


def test_train__goes_on_when_a_runner_dies_and_when_it_was_cut(tmp_path: Path) -> None:
    """Ray replaces a runner that was killed; what was cut after that goes on from its file."""
    file = tmp_path / "walk.policy"
    killed: list[int] = []

    def kill(done: int, mean: float | None) -> None:
        if done > 1000 and not killed:
            killed.append(_runners()[0])
            os.kill(killed[0], signal.SIGKILL)
        if done > 4000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _trained(output=file, progress=kill)
    before = load(file, WALK, {})[0].steps
    assert killed and 2000 < before <= 4600
    seen: list[int] = []
    trained = _trained(output=file, resume=True, progress=lambda done, mean: seen.append(done))
    assert before < seen[0] < before + 1100 and trained.about.steps == 6000
    assert score(trained.policy, WALK, episodes=3, observation="flat").regret == 0.0


def _runners() -> list[int]:
    """Return the processes that play."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes()
        except OSError:  # it has ended
            continue
        if words.startswith(b"ray::") and b"EnvRunner" in words:
            found.append(int(place.parent.name))
    return sorted(found)


def test_train__says_what_a_cluster_lacks() -> None:
    """More runners than processors would wait for ever."""
    with pytest.raises(TrainingError, match="has 3 processors, and 9 workers are wanted"):
        _trained(settings={"num_env_runners": 9})
