"""SuperSuit: its usual chain over several agents."""

from __future__ import annotations

import numpy as np
import supersuit as ss

import griddsl


def test_the_chain__makes_a_batch() -> None:
    """black_death, then the vector environment of PettingZoo's agents, then several of them."""
    env = ss.black_death_v3(griddsl.make_parallel("griddsl/HurdleRace-v0", observation="flat"))
    batch = ss.concat_vec_envs_v1(ss.pettingzoo_env_to_vec_env_v1(env), 2, num_cpus=0, base_class="gymnasium")
    observations, _ = batch.reset(seed=1)
    assert observations.shape[0] == batch.num_envs == 2 * len(env.possible_agents)
    for _ in range(60):
        actions = np.array([batch.action_space.sample() for _ in range(batch.num_envs)])
        observations, rewards, *_ = batch.step(actions)
    assert observations.dtype == np.float32 and rewards.shape == (batch.num_envs,)
