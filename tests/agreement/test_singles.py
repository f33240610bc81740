"""One environment on every backend, by any sequence of actions."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from griddsl.envs.single.grid_env import GridEnv
from tests.agreement.comparing import HAS_NUMBA, SPECS, assert_same, runs_on_tables

FASTER = ["table", *(["native"] if HAS_NUMBA else [])]
choices = st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=60)


@lru_cache(maxsize=2)
def pair(path: Path, backend: str) -> tuple[GridEnv, GridEnv]:
    """Return the reference and the other backend."""
    return GridEnv(path, backend="python"), GridEnv(path, backend=backend)


def action_of(env: GridEnv, part: float) -> Any:
    """Return an action of the space, by a number from 0 to 1."""
    env.action_space.seed(int(part * 2**31))
    return env.action_space.sample()


@pytest.mark.parametrize("backend", FASTER)
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@settings(max_examples=8)
@given(parts=choices, seed=st.integers(0, 2**40))
def test_backend__has_the_same_trajectory(path: Path, backend: str, parts: list[float], seed: int) -> None:
    """Same seed, same actions: the same observations, rewards, flags, infos and states, after an end as well."""
    if backend == "table" and not runs_on_tables(path):
        pytest.skip("not a spec for tables")
    reference, other = pair(path, backend)
    assert other.backend == backend
    assert_same(other.reset(seed=seed), reference.reset(seed=seed))
    for number, part in enumerate(parts):
        action = action_of(reference, part)
        assert_same(other.step(action), reference.step(action), f"step {number}")
        assert other.get_state() == reference.get_state()
    assert_same(other.reset(), reference.reset(), "the next episode")


@pytest.mark.parametrize("backend", FASTER)
def test_backend__keeps_its_state_through_copies(backend: str) -> None:
    """A restored, pickled or copied environment has the same future."""
    path = next(path for path in SPECS if path.stem == "frozen_lake")
    env = GridEnv(path, backend=backend)
    env.reset(seed=4)
    env.step(1)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), GridEnv(path, backend="python")]
    others[2].set_state(env.get_state())
    for _ in range(30):
        expected = env.step(2)
        for other in others:
            assert_same(other.step(2), expected)
        assert others[0].get_state() == others[2].get_state() == env.get_state()


def test_backend__that_cannot_run_a_spec_says_why() -> None:
    """Asking for tables where the count of steps is observed is an error that says so."""
    path = next(path for path in SPECS if path.stem == "door_key")
    with pytest.raises(ValueError, match="the table backend cannot run griddsl/DoorKey-v0: it "):
        GridEnv(path, backend="table")
    with pytest.raises(ValueError, match="there is no backend 'tables'"):
        GridEnv(path, backend="tables")


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
@pytest.mark.parametrize("generator", ["maze(9, 9)", "rooms(2, 2)", "caves(9, 9)", "caves(14, 10)"])
def test_generated_maps__are_the_same_maps(generator: str) -> None:
    """A seed draws one map on every backend, however often caves are drawn anew."""
    text = f"env: t/Map-v0\ngenerate: {generator}\nactions: up, down, left, right\nobserve: grid\nlimit: 9 steps\nsetup: place agent at random floor\n"
    reference, native = (GridEnv(text, backend=backend) for backend in ("python", "native"))
    for seed in range(30):
        assert_same(native.reset(seed=seed), reference.reset(seed=seed))


LARGE = """
env: t/Large-v0
generate: empty(400, 400)
object box: pushable
actions: up, right, down, left
setup:
    place agent at random floor
    place 40 box at random floor
observe: view 7x7 centered as planes (wall, box, agent)
limit: 90 steps
"""


@pytest.mark.skipif(not HAS_NUMBA, reason="numba is not installed")
def test_large_maps__are_played_natively_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables too large for a constant of compiled code, which numba does not keep, are found."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(tmp_path))
    reference, native = (GridEnv(LARGE, backend=backend) for backend in ("python", "native"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(native.reset(seed=2), reference.reset(seed=2))
    for action in [0, 1, 2, 3] * 50:
        assert_same(native.step(action), reference.step(action))
    assert native.get_state() == reference.get_state()
    assert list(tmp_path.glob("griddsl_native_*"))
