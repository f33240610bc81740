"""Stable-Baselines3 over a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl

pytest.importorskip("stable_baselines3")

SPEC = "griddsl/FrozenLake-v0"


@pytest.fixture
def venv() -> Any:
    """A batch of four environments."""
    from griddsl.sb3 import GridVecEnv

    return GridVecEnv(SPEC, 4)


def test_grid_vec_env__gives_the_last_observation_of_an_episode(venv: Any) -> None:
    """Where an episode ends, the info holds its last observation, and the returned one starts the next."""
    venv.seed(3)
    venv.reset()
    ended = 0
    rng = np.random.default_rng(0)
    for _ in range(200):
        observations, rewards, done, infos = venv.step(rng.integers(0, 4, 4))
        assert rewards.dtype == np.float32
        for i in np.flatnonzero(done):
            ended += 1
            assert observations[i] == 0
            assert infos[i]["terminal_observation"] != 0 or infos[i]["TimeLimit.truncated"]
            assert infos[i]["is_success"] == (infos[i]["outcome"] == "success")
    assert ended > 5


def test_grid_vec_env__takes_vec_monitor_and_ppo(venv: Any) -> None:
    """PPO learns on it, under VecMonitor."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor

    model = PPO("MlpPolicy", VecMonitor(venv), n_steps=16, batch_size=32, n_epochs=1, device="cpu")
    model.learn(128)
    assert len(model.ep_info_buffer) > 0


def test_torch_batch__shares_the_memory_of_the_arrays() -> None:
    """Tensors are the arrays of the batch."""
    import torch

    from griddsl.envs.batch.vector_env import make_vec
    from griddsl.torch import TorchBatch

    batch = TorchBatch(make_vec(SPEC, 3, copy=False))
    first, _ = batch.reset(seed=1)
    second, rewards, *_ = batch.step(torch.tensor([1, 1, 2]))
    assert first.data_ptr() == second.data_ptr()
    assert rewards.dtype == torch.float64


def test_grid_vec_env__gives_maskable_ppo_its_masks() -> None:
    """`MaskablePPO`, under VecMonitor, learns without ever taking an action that the mask forbids."""
    contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import VecMonitor

    from griddsl.sb3 import GridVecEnv

    taken: list[Any] = []

    class Watched(GridVecEnv):
        def step_async(self, actions: Any) -> None:
            taken.append(self.action_masks()[np.arange(self.num_envs), actions])
            super().step_async(actions)

    monitored = VecMonitor(Watched("griddsl/Taxi-v0", 4))
    model = contrib.MaskablePPO("MlpPolicy", monitored, n_steps=64, batch_size=64, n_epochs=1, device="cpu")
    model.learn(1024)
    assert len(taken) == 256 and np.all(taken)
    assert len(model.ep_info_buffer) > 0


def test_grid_vec_env__resets_dicts_with_their_last_observation() -> None:
    """A `Dict` is reset in the step as any other; with a mission in words the error says what to ask for."""
    from griddsl.sb3 import GridVecEnv

    with pytest.raises(TypeError, match="observation='network'"):
        GridVecEnv("griddsl/DoorKey-v0", 2, backend="python")
    venv = GridVecEnv("griddsl/DoorKey-v0", 2, backend="python", observation="network")
    venv.seed(0)
    venv.reset()
    limit = venv.batch.program.limit or 0
    for _ in range(limit - 1):
        _, _, done, infos = venv.step(np.array([0, 1]))
        assert not done.any()
    observations, _, done, infos = venv.step(np.array([0, 1]))
    assert done.all() and infos[0]["TimeLimit.truncated"]
    assert infos[0]["terminal_observation"]["image"].shape == observations["image"][0].shape
    assert infos[1]["terminal_observation"].keys() == observations.keys()


def test_a_batch_that_is_made_already__is_taken() -> None:
    """It is stepped as it is; one that resets otherwise, or settings beside it, are refused."""
    from griddsl import make_vec
    from griddsl.sb3 import GridVecEnv

    batch = make_vec(SPEC, 3, autoreset_mode="SameStep", slippery=False)
    wrapped = GridVecEnv(batch)
    assert wrapped.batch is batch and wrapped.num_envs == 3
    wrapped.reset()
    assert wrapped.step(np.array([1, 1, 1]))[0].tolist() == [4, 4, 4]
    for other, settings in ((make_vec(SPEC, 3), {}), (batch, {"slippery": True})):
        with pytest.raises(TypeError, match="autoreset_mode='SameStep'"):
            GridVecEnv(other, **settings)


def test_a_text__is_answered_by_what_networks_take() -> None:
    """Stable-Baselines3 given an id whose observation has a text says how numbers are asked for, by either way."""
    from stable_baselines3 import PPO

    from griddsl.sb3 import GridVecEnv

    for learner in ("MlpPolicy", "MultiInputPolicy"):
        with pytest.raises(TypeError, match="observation='network'"):
            PPO(learner, "griddsl:griddsl/Fetch-v0", device="cpu")
    with pytest.raises(TypeError, match="observation='network'"):
        GridVecEnv("griddsl/Fetch-v0", 2)
    space: Any = griddsl.make("griddsl/Fetch-v0").observation_space
    assert space["mission"].shape is None
