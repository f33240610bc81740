"""Tianshou: collectors and a learner."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, SubprocVectorEnv
from tianshou.utils.net.common import Net

ID = "griddsl:griddsl/FrozenLake-v0"


def test_collectors__play_and_dqn_learns() -> None:
    """DQN collects on batches of its own and updates."""
    for batch_class in (DummyVectorEnv, SubprocVectorEnv):
        envs = batch_class([lambda: gym.make(ID, observation="flat") for _ in range(4)])
        single: Any = gym.make(ID, observation="flat")
        net = Net(
            state_shape=single.observation_space.shape, action_shape=single.action_space.n, hidden_sizes=[32]
        )
        policy = DiscreteQLearningPolicy(
            model=net,
            action_space=single.action_space,
            observation_space=single.observation_space,
            eps_training=0.3,
        )
        algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
        collector = Collector(algorithm, envs, VectorReplayBuffer(2000, 4), exploration_noise=True)
        collector.reset()
        found = collector.collect(n_step=400)
        assert found.n_collected_steps >= 400
        with __import__("tianshou.utils.torch_utils", fromlist=["x"]).policy_within_training_step(policy):
            algorithm.update(buffer=collector.buffer, sample_size=64)
        envs.close()
