"""What agreement means: the same values, types, shapes and dtypes, all the way down."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from griddsl.backends.table import enumeration as table
from griddsl.backends.table.suitable import refusal as no_table
from griddsl.compiler import compiled
from griddsl.envs.single.grid_env import GridEnv
from tests.contract.every_spec import SINGLE

SPECS = SINGLE
HAS_NUMBA = find_spec("numba") is not None
MODES = list(gym.vector.AutoresetMode)


def assert_same(found: Any, expected: Any, where: str = "") -> None:
    """Compare two results of a step or reset."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), where
        assert set(found) == set(expected), f"{where}: {sorted(found)} {sorted(expected)}"
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}[{key!r}]")
    elif isinstance(expected, tuple | list):
        assert len(found) == len(expected), where
        for index, value in enumerate(expected):
            assert_same(found[index], value, f"{where}[{index}]")
    elif isinstance(expected, np.ndarray) and expected.dtype != object:
        assert found.dtype == expected.dtype, f"{where}: {found.dtype} {expected.dtype}"
        np.testing.assert_array_equal(found, expected, err_msg=where)
    elif isinstance(expected, np.ndarray):
        assert found.dtype == object and found.shape == expected.shape, where
        for index, value in enumerate(expected.tolist()):
            assert_same(found[index], value, f"{where}[{index}]")
    else:
        assert type(found) is type(expected), f"{where}: {found!r} {expected!r}"
        assert found == expected, where


@cache
def runs_on_tables(path: Path) -> bool:
    """Whether a spec is one for tables, in the time that ``auto`` takes."""
    program = compiled(path).program
    most = table.affordable(program, table.AUTO_BOUND)
    return no_table(program) is None and isinstance(table.tabled(program, most), table.Table)


def reference(path: Path, count: int, mode: gym.vector.AutoresetMode) -> gym.vector.SyncVectorEnv:
    """Return Gymnasium's own batch of single environments on the reference backend."""
    return gym.vector.SyncVectorEnv(
        [lambda: GridEnv(path, backend="python") for _ in range(count)], autoreset_mode=mode
    )
