"""Offline learning: a Minari dataset of griddsl, and d3rlpy on it."""

from __future__ import annotations

from pathlib import Path

import d3rlpy
import minari
import numpy as np
import pytest

import griddsl
from griddsl.training.dataset import record_dataset

SPEC = "griddsl/FrozenLake-v0"


def test_behaviour_is_cloned_from_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Optimal play is recorded, read again by its name, and cloned: the clone reaches the goal as often."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    record_dataset(
        SPEC, "tests/lake-optimal-v0", policy="optimal", episodes=300, observation="flat", slippery=False
    )
    dataset = minari.load_dataset("tests/lake-optimal-v0")
    episodes = list(dataset.iterate_episodes())
    rows = d3rlpy.dataset.MDPDataset(
        observations=np.concatenate([episode.observations[:-1] for episode in episodes]).astype(np.float32),
        actions=np.concatenate([episode.actions for episode in episodes]),
        rewards=np.concatenate([episode.rewards for episode in episodes]),
        terminals=np.concatenate([episode.terminations for episode in episodes]),
        timeouts=np.concatenate([episode.truncations for episode in episodes]),
        action_space=d3rlpy.ActionSpace.DISCRETE,
    )
    learner = d3rlpy.algos.DiscreteBCConfig(batch_size=64).create(device="cpu")
    learner.fit(
        rows,
        n_steps=500,
        n_steps_per_epoch=500,
        show_progress=False,
        experiment_name="bc",
        with_timestamp=False,
    )

    def act(observation: np.ndarray) -> int:
        return int(learner.predict(observation[None].astype(np.float32))[0])

    found = griddsl.evaluate(act, SPEC, episodes=20, observation="flat", slippery=False)
    assert found.simulated_success.mean == 1.0
