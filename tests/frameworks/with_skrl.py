"""skrl: its wrappers, alone and in batches, and PPO."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import torch
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer

ID = "griddsl:griddsl/FrozenLake-v0"


class _Policy(CategoricalMixin, Model):
    def __init__(self, **given: Any) -> None:
        Model.__init__(self, **given)
        CategoricalMixin.__init__(self, unnormalized_log_prob=True)
        self.net = torch.nn.Sequential(
            torch.nn.Linear(self.num_observations, 32), torch.nn.Tanh(), torch.nn.Linear(32, self.num_actions)
        )

    def compute(self, inputs: Any, role: str) -> Any:
        """Return logits."""
        return self.net(inputs["observations"]), {}


class _Value(DeterministicMixin, Model):
    def __init__(self, **given: Any) -> None:
        Model.__init__(self, **given)
        DeterministicMixin.__init__(self)
        self.net = torch.nn.Linear(self.num_observations, 1)

    def compute(self, inputs: Any, role: str) -> Any:
        """Return values."""
        return self.net(inputs["observations"]), {}


def test_ppo__trains_on_a_batch() -> None:
    """PPO trains on the native batch."""
    env = wrap_env(gym.make_vec(ID, num_envs=4, observation="flat"))
    given = {
        "observation_space": env.observation_space,
        "state_space": env.state_space,
        "action_space": env.action_space,
        "device": env.device,
    }
    models = {"policy": _Policy(**given), "value": _Value(**given)}
    cfg = PPO_CFG()
    cfg.rollouts = 16
    cfg.experiment.write_interval = 0
    cfg.experiment.checkpoint_interval = 0
    agent = PPO(
        models=models, memory=RandomMemory(memory_size=16, num_envs=4, device=env.device), cfg=cfg, **given
    )
    SequentialTrainer(env=env, agents=agent, cfg={"timesteps": 64, "disable_progressbar": True}).train()


def test_one__is_wrapped() -> None:
    """A single environment goes through its wrapper as it is."""
    env = wrap_env(gym.make(ID))
    observation, _ = env.reset()
    assert observation.shape[0] == 1
