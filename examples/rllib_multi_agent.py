"""Train the agents of a spec with RLlib, on Ray, with two workers: PettingZoo's interface, one policy for all.

    python examples/rllib_multi_agent.py                       # examples/Gather-v0, the spec beside this file
    python examples/rllib_multi_agent.py griddsl/HurdleRace-v0

Needs `pip install 'griddsl[rllib]'`. A spec reaches the workers by its id alone: each of them imports griddsl,
and that registers the specs that come with it and those in the folders of `GRIDDSL_PATH`.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env

FOLDER = Path(__file__).parent


def create(config: dict[str, Any]) -> ParallelPettingZooEnv:
    """Make the environment of an id, in whatever process this runs."""
    import griddsl

    return ParallelPettingZooEnv(griddsl.make_parallel(config["id"]))


def main() -> None:
    """Train for some iterations, and say what an episode's agents get together."""
    options = _options()
    if find_spec("torch") is None:
        sys.exit("RLlib trains with PyTorch, which is not installed: pip install torch")
    ray.init(
        num_cpus=options.workers + 1,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": {"GRIDDSL_PATH": os.environ.get("GRIDDSL_PATH", str(FOLDER))}},
    )
    register_env("griddsl", create)
    config = (
        PPOConfig()
        .environment("griddsl", env_config={"id": options.id})
        .env_runners(
            num_env_runners=options.workers,
            create_env_on_local_worker=False,
            env_to_module_connector=lambda env, spaces, device: FlattenObservations(multi_agent=True),
        )
        .learners(num_learners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(model_config=DefaultModelConfig(fcnet_hiddens=[128, 128]))
        .training(
            lr=1e-3,
            gamma=0.97,
            entropy_coeff=0.01,
            num_epochs=4,
            train_batch_size_per_learner=options.batch,
            minibatch_size=options.batch // 4,
        )
        .debugging(seed=options.seed)
    )
    algorithm = config.build_algo()
    print(f"workers: {algorithm.env_runner_group.num_remote_workers()}")
    for number in range(options.iterations):
        found = algorithm.train()["env_runners"]
        print(f"{number + 1:>3}: return of all agents together {found['episode_return_mean']:.2f}")
    algorithm.stop()
    ray.shutdown()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "id", nargs="?", default="examples/Gather-v0", help="the id of a spec with several agents"
    )
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--batch", type=int, default=4000, help="environment steps an iteration")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
