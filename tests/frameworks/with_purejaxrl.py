"""PureJaxRL's PPO as it is, with nothing changed but what its `gymnax.make` gives.

`PUREJAXRL=FOLDER` names a checkout of it. Its loop is written for the five values of a step before Gymnax 1.0, so that
it stops in Gymnax 1.0's own environments too; `OneEnd` gives it five.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnax
import jax
import numpy as np
import pytest

import griddsl.jax

CHECKOUT = os.environ.get("PUREJAXRL")
SETTINGS = {
    "LR": 2.5e-3,
    "NUM_ENVS": 16,
    "NUM_STEPS": 64,
    "TOTAL_TIMESTEPS": 60_000,
    "UPDATE_EPOCHS": 4,
    "NUM_MINIBATCHES": 4,
    "GAMMA": 0.99,
    "GAE_LAMBDA": 0.95,
    "CLIP_EPS": 0.2,
    "ENT_COEF": 0.01,
    "VF_COEF": 0.5,
    "MAX_GRAD_NORM": 0.5,
    "ACTIVATION": "tanh",
    "ANNEAL_LR": True,
}


class OneEnd:
    """An environment whose step gives five values, with one flag for both ends."""

    def __init__(self, env: Any) -> None:
        self._env = env

    def __getattr__(self, name: str) -> Any:
        return getattr(self._env, name)

    def step(self, key: Any, state: Any, action: Any, params: Any = None) -> Any:
        """Carry out a step."""
        seen, state, reward, ended, cut, info = self._env.step(key, state, action, params)
        return seen, state, reward, ended | cut, info


def test_ppo__learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its `make_train` trains on a lake without slipping, as one compiled function, and comes to the goal."""
    if CHECKOUT is None:
        pytest.skip("PUREJAXRL names no checkout")

    def make(name: str) -> Any:
        env = griddsl.jax.make(name, slippery=False, observation="flat")
        return OneEnd(env), env.default_params

    monkeypatch.setattr(gymnax, "make", make)
    monkeypatch.setattr(sys, "path", [str(Path(CHECKOUT) / "purejaxrl"), *sys.path])
    train = import_module("ppo").make_train({**SETTINGS, "ENV_NAME": "griddsl/FrozenLake-v0"})
    metrics = jax.jit(train)(jax.random.key(1))["metrics"]
    ended = np.asarray(metrics["returned_episode"])[-5:]
    assert np.asarray(metrics["returned_episode_returns"])[-5:][ended].mean() > 0.9
