"""`GridVectorEnv` against Gymnasium's own batch of single environments on the reference backend."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.registration.ids import bundled_folder
from tests.agreement.comparing import HAS_NUMBA, MODES, SPECS, assert_same, reference, runs_on_tables
from tests.typed import grid_env

COUNT, STEPS = 5, 40
# Backends and threads that are compared with one run of the reference, which takes longer than they do.
RUNS = {"python": [("python", 1), ("table", 1), ("table", 2)]} | (
    {"native": [("native", 1), ("native", 2)]} if HAS_NUMBA else {}
)


def disabled_options(finished: Any) -> dict[str, Any]:
    """Return the options of a reset of the environments whose episodes ended."""
    return {"reset_mask": finished.copy()}


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_batch__is_the_single_environments(path: Path, mode: gym.vector.AutoresetMode, runs: str) -> None:
    """Observations, rewards, flags, infos, masks and states of a batch are those of its environments, bit for bit."""
    batches = [
        GridVectorEnv(path, COUNT, backend=backend, autoreset_mode=mode, num_threads=threads)
        for backend, threads in RUNS[runs]
        if backend != "table" or runs_on_tables(path)
    ]
    singles = reference(path, COUNT, mode)
    expected_reset = singles.reset(seed=7)
    for batch in batches:
        assert batch.observation_space == singles.observation_space
        assert batch.action_space == singles.action_space
        assert_same(batch.reset(seed=7), expected_reset, f"reset, {batch.backend}")
    rng = np.random.default_rng(0)
    singles.action_space.seed(3)
    for step in range(STEPS):
        actions = singles.action_space.sample()
        expected = singles.step(actions)
        states = [grid_env(env).get_state() for env in singles.envs]
        masks = np.stack([grid_env(env).action_masks() for env in singles.envs])
        for batch in batches:
            found = batch.step(actions)
            assert_same(found[:4], expected[:4], f"step {step}, {batch.backend}")
            assert_same(found[4], expected[4], f"infos of step {step}, {batch.backend}")
            assert batch.get_state() == states
            np.testing.assert_array_equal(batch.action_masks(), masks)
        finished = expected[2] | expected[3]
        if mode == gym.vector.AutoresetMode.DISABLED:
            finished |= rng.random(COUNT) < 0.1
            if finished.any():
                expected_reset = singles.reset(options=disabled_options(finished))
                for batch in batches:
                    found_reset = batch.reset(options=disabled_options(finished))
                    assert_same(found_reset[1], expected_reset[1], f"reset after step {step}")
                    assert_same(_rows(found_reset[0], finished), _rows(expected_reset[0], finished), "rows")
    expected_reset = singles.reset(seed=[1, 2, 3, 4, 5])
    for batch in batches:
        assert_same(batch.reset(seed=[1, 2, 3, 4, 5]), expected_reset, f"second reset, {batch.backend}")
        batch.close()
    singles.close()


def _rows(observation: Any, rows: Any) -> Any:
    if isinstance(observation, dict):
        return {name: _rows(value, rows) for name, value in observation.items()}
    if isinstance(observation, tuple):
        if isinstance(observation[0], str):
            return tuple(text for text, row in zip(observation, rows, strict=True) if row)
        return tuple(_rows(value, rows) for value in observation)
    return observation[rows]


COPIED = ["door_key", "frozen_lake", "taxi", "multi_room"]


@pytest.mark.parametrize("backend", sorted({backend for runs in RUNS.values() for backend, _ in runs}))
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("name", COPIED)
def test_copies__live_the_same_future_each_on_its_own(
    name: str, mode: gym.vector.AutoresetMode, backend: str
) -> None:
    """A copy, a pickle, and their original: the same steps, none of which another's steps change."""
    path = bundled_folder() / f"{name}.grid"
    if backend == "table" and not runs_on_tables(path):
        pytest.skip("not a spec for tables")
    batch = GridVectorEnv(path, 3, backend=backend, autoreset_mode=mode, max_episode_steps=9)
    fresh = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
    expected = batch.reset(seed=4)
    for other in fresh:
        assert_same(other.reset(seed=4), expected, "fresh")
    batch.action_space.seed(1)
    played = [batch.action_space.sample() for _ in range(60)]
    for actions in played[:20]:
        batch.step(actions)
    before = batch.get_state()
    copies = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
    drawn = [other.action_space.sample().tolist() for other in (*copies, batch)]
    assert drawn[0] == drawn[1] == drawn[2]
    futures = [[other.step(actions) for actions in played[20:]] for other in copies]
    assert batch.get_state() == before
    assert_same(futures[1], futures[0], "copies")
    assert_same([batch.step(actions) for actions in played[20:]], futures[0], "original")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("name", ["cliff_walking", "frozen_lake", "taxi", "windy_gridworld"])
def test_tables_without_machine_code__are_the_reference(
    name: str, mode: gym.vector.AutoresetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is drawn ahead of all streams at once is what each would draw, through hundreds of steps."""
    monkeypatch.setattr("griddsl.backends.table.batch._kernel", lambda: None)
    path = next(path for path in SPECS if path.stem == name)
    found, expected = (
        GridVectorEnv(path, COUNT, backend=backend, autoreset_mode=mode) for backend in ("table", "python")
    )
    assert_same(found.reset(seed=3), expected.reset(seed=3))
    found.action_space.seed(5)
    for step in range(400):
        actions = found.action_space.sample()
        told = expected.step(actions)
        assert_same(found.step(actions), told, f"step {step}")
        if mode == gym.vector.AutoresetMode.DISABLED and (told[2] | told[3]).any():
            options = disabled_options(told[2] | told[3])
            assert_same(found.reset(options=options), expected.reset(options=options), f"after step {step}")
        if step % 90 == 8:
            assert found.get_state() == expected.get_state()
    assert found.get_state() == expected.get_state()
