"""Noise: in 0..1, smooth, another landscape for each seed, and the same in every episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from griddsl.envs.single.grid_env import GridEnv
from griddsl.program.verify import verify

SEA = """env: test/Sea-v0
param scale: 4 in 1..255
param seed: 1 in 0..99999
generate: empty(64, 64)
setup: place agent at (0, 0)
actions: stay, right
observe: grid as planes (noise(x - 9, y, scale, seed))
limit: 5 steps
"""


def _heights(**params: Any) -> NDArray[np.float64]:
    found = GridEnv(SEA, **params).reset(seed=0)[0]
    assert isinstance(found, np.ndarray)
    return found.astype(np.float64)


@pytest.mark.long
def test_noise__is_smooth_and_in_range() -> None:
    """Heights lie in 0..1, use most of it, and from cell to cell they change by little where the scale is large."""
    for scale in (1, 4, 16, 255):
        heights = _heights(scale=scale)
        assert 0 <= heights.min() <= heights.max() <= 1
        steepest = max(np.abs(np.diff(heights, axis=0)).max(), np.abs(np.diff(heights, axis=1)).max())
        assert steepest <= 1.5 / scale + 2 / 128
    assert np.ptp(_heights(scale=4)) > 0.8
    assert abs(_heights(scale=1).mean() - 0.5) < 0.02


def test_noise__is_another_for_another_seed() -> None:
    """Two seeds have little in common; the same one has all."""
    first, second = _heights(seed=1), _heights(seed=2)
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.2
    assert np.array_equal(first, _heights(seed=1))


def test_noise__holds_what_it_claims() -> None:
    """The checker of programs finds nothing to say, so that no number leaves its range."""
    verify(GridEnv(SEA, scale=7).compiled.program)
