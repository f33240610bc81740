"""TorchRL: its environments of Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from pettingzoo.utils import BaseParallelWrapper
from torchrl.envs import GymEnv, GymWrapper, ParallelEnv, PettingZooWrapper, check_env_specs

import griddsl

LAKE = "griddsl:griddsl/FrozenLake-v0"


def test_gym_env__takes_the_id() -> None:
    """`GymEnv(id)` has right specs and rolls out, with the forms for networks too."""
    check_env_specs(GymEnv(LAKE))
    assert GymEnv(LAKE).rollout(20).batch_size[0] > 0
    network = GymEnv("griddsl:griddsl/Fetch-v0", observation="flat")
    check_env_specs(network)


def test_processes__find_the_id() -> None:
    """Environments in processes of their own are made by the id."""
    batch = ParallelEnv(2, lambda: GymEnv(LAKE))
    assert batch.rollout(5, break_when_any_done=False).batch_size == (2, 5)
    batch.close()


def test_a_batch__is_one_environment() -> None:
    """The native batch goes through its wrapper."""
    batch = GymWrapper(gym.make_vec(LAKE, num_envs=4, autoreset_mode="Disabled"))
    assert batch.rollout(10, break_when_any_done=False).batch_size == (4, 10)


class _NumbersOnly(BaseParallelWrapper):
    """Leaves words out of infos, for which TensorDict has no place: what the page on frameworks says to write."""

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        """Start."""
        observations, infos = super().reset(seed=seed, options=options)
        return observations, _numbers(infos)

    def step(self, actions: Any) -> Any:
        """Go on."""
        *rest, infos = super().step(actions)
        return (*rest, _numbers(infos))


def _numbers(infos: Any) -> Any:
    return {agent: {k: v for k, v in info.items() if not isinstance(v, str)} for agent, info in infos.items()}


def test_several__are_played() -> None:
    """PettingZooWrapper takes a parallel environment whose infos hold numbers only."""
    env = PettingZooWrapper(_NumbersOnly(griddsl.make_parallel("griddsl/HurdleRace-v0")), use_mask=False)
    assert env.rollout(5).batch_size[0] == 5
