"""AgileRL: an agent over a batch."""

from __future__ import annotations

import gymnasium as gym
import torch
from agilerl.algorithms import DQN
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer

ID = "griddsl:griddsl/FrozenLake-v0"


def test_dqn__learns_from_a_batch() -> None:
    """DQN takes the spaces of a batch, acts in it, and learns from what it saw."""
    batch = gym.make_vec(ID, num_envs=4, observation="flat")
    agent = DQN(batch.single_observation_space, batch.single_action_space, batch_size=32)
    memory = ReplayBuffer(max_size=1000)
    observation, _ = batch.reset(seed=1)
    for _ in range(20):
        action = agent.get_action(observation, epsilon=0.5)
        after, reward, ended, *_ = batch.step(action)
        rows = Transition(
            obs=observation, action=action, reward=reward, next_obs=after, done=ended, batch_size=[4]
        ).to_tensordict()
        memory.add(rows)
        observation = after
    assert torch.isfinite(torch.tensor(agent.learn(memory.sample(32))))
