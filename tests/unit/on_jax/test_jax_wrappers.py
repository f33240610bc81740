"""Wrappers of Gymnax and JaxMARL take our environments as their own."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("gymnax")


def test_gymnax__wrappers_log_flatten_and_become_gymnasium() -> None:
    """Returns are logged, boxes flattened, and an environment of Gymnasium's interface steps."""
    import griddsl.jax

    purerl: Any = import_module("gymnax.wrappers.purerl")
    env = griddsl.jax.make("griddsl/DoorKey-v0", observation="image", size=5)
    wrapped = purerl.LogWrapper(purerl.FlattenObservationWrapper(env))
    params = env.default_params
    size = int(np.prod(env.observation_space(params).shape))
    assert wrapped.observation_space(params).shape == (size,)
    observation, state = wrapped.reset(jax.random.key(0), params)
    assert observation.shape == (size,)
    for key in jax.random.split(jax.random.key(1), 3):
        action = wrapped.action_space(params).sample(key)
        observation, state, _, _, _, info = wrapped.step(key, state, action, params)
    assert observation.shape == (size,) and "returned_episode_returns" in info
    gym_wrapper: Any = import_module("gymnax.wrappers.gym")
    single = gym_wrapper.GymnaxToGymWrapper(griddsl.jax.make("griddsl/CliffWalking-v0"))
    observation, _ = single.reset(seed=1)
    assert single.observation_space.n == 48 and observation == 36
    assert single.step(0)[1] == -1.0
    text = (
        "env: test/Two-v0\nmap:\n    @..\nactions move: left, right\nactions speak: hush, sing\n"
        "on do sing: reward 2\nobserve: cell\nlimit: none\n"
    )
    groups = gym_wrapper.GymnaxToGymWrapper(griddsl.jax.make(text))
    groups.reset(seed=1)
    assert groups.action_space.contains(np.array([1, 1], np.int32)) and groups.step([1, 1])[1] == 2.0


def test_jaxmarl__wrappers_log_and_roll_out() -> None:
    """`LogWrapper` and `CTRolloutManager` reset and step a batch of games."""
    pytest.importorskip("jaxmarl")
    import griddsl.jax

    baselines: Any = import_module("jaxmarl.wrappers.baselines")
    env = griddsl.jax.make_parallel("griddsl/Tag-v0", observation="flat")
    log = baselines.LogWrapper(env)
    _, state = log.reset(jax.random.key(0))
    actions = {name: env.action_space(name).sample(jax.random.key(0)) for name in env.agents}
    _, state, _, dones, info = log.step(jax.random.key(1), state, actions)
    assert info["returned_episode_returns"].shape == (env.num_agents,) and not dones["__all__"]
    manager = baselines.CTRolloutManager(env, batch_size=2)
    observations, state = manager.batch_reset(jax.random.key(0))
    batch = {name: np.zeros(2, np.int32) for name in env.agents}
    observations, state, rewards, dones, _ = manager.batch_step(jax.random.key(1), state, batch)
    assert observations["__all__"].shape[0] == 2 and rewards["__all__"].shape == (2,)
