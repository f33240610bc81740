"""On a device of many cores other ways are taken, and the same comes of them: here a processor is taken for one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from griddsl.registration.ids import bundled_folder
from tests.agreement.in_jax import assert_batch_walks_alike

jax = pytest.importorskip("jax")

GAMES, STEPS = 12, 80
LOST = """
env: test/Lost-v0
generate: maze(9, 7)
setup:
    place agent at random floor
    place goal at random floor
actions: up, right, down, left
observe: grid as codes (wall 0, floor 1, goal 2, agent 3)
on enter goal: end success
limit: 7 steps
"""  # a setup with loops, which is begun for some games at a time


@pytest.fixture
def many_cores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a processor pass for a device of many cores."""
    for module in ("settling", "stream", "arrays"):
        monkeypatch.setattr(f"griddsl.backends.jax.{module}.has_many_cores", lambda: True)
    monkeypatch.setattr("griddsl.jax.resets.has_many_cores", lambda: True)
    jax.clear_caches()
    yield
    jax.clear_caches()


@pytest.mark.usefixtures("many_cores")
@pytest.mark.parametrize("stem", ["cliff_walking", "taxi", "goal_room", "catch", "minatar_breakout"])
def test_ways_of_many_cores__lead_to_the_same(stem: str) -> None:
    """Steps, draws, pictures and setups that all games compute walk as the reference does."""
    assert_batch_walks_alike(bundled_folder() / f"{stem}.grid", GAMES, STEPS, random.Random(1))


@pytest.mark.usefixtures("many_cores")
def test_setups_with_loops__are_begun_for_some_games_at_a_time() -> None:
    """Eight of twelve games begin anew together, which is what such a device takes at least, and then the other four."""
    assert_batch_walks_alike(LOST, GAMES, STEPS, random.Random(1))


@pytest.mark.usefixtures("many_cores")
def test_reals__are_rounded_to_32_bits_once() -> None:
    """As a processor rounds them, also where they are nearly 0, which is 0 there, too large, or no numbers."""
    from griddsl.backends.jax.arrays import in_dtype

    draw = np.random.default_rng(0)
    some = draw.normal(size=10_000) * 10.0 ** draw.integers(-50, 50, 10_000)
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 3.4028235677973366e38, 1e300, 1e-40, -1e-42, 1e-320]
    values = np.concatenate([some, ends])
    with jax.enable_x64(True), np.errstate(over="ignore", under="ignore"):
        found = np.asarray(jax.jit(lambda row: in_dtype(row, np.float32))(values))
        expected = np.where(
            np.abs(values) < np.finfo(np.float32).tiny, np.copysign(0.0, values), values
        ).astype(np.float32)
    assert found.dtype == np.float32
    same = (found.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(found) & np.isnan(expected))
    assert same.all(), values[~same][:5]
