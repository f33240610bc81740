"""Cliff walking written by hand, without a language: the limit for what is generated.

Both loops gather from tables and do not branch, with automatic resets, into arrays that are used again; without the
checks and infos that an environment owes its caller.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

C_SOURCE = """
#include <stdint.h>
void step(int n, const int64_t *action, const uint8_t *next, const double *gain, int32_t *at, uint8_t *done,
          int64_t *seen, double *reward, uint8_t *ended, uint8_t *cut) {
    for (int i = 0; i < n; i++) {
        int k = done[i] ? 192 : at[i] * 4 + (int)action[i], there = next[k];
        at[i] = there;
        seen[i] = there;
        reward[i] = gain[k];
        ended[i] = done[i] = there == 47;
        cut[i] = 0;
    }
}
"""


def _tables() -> tuple[Any, Any]:
    """Return the next cell and the reward of each cell and action; the last entry is the reset."""
    following, gain = np.full(193, 36, np.uint8), np.full(193, -1.0)
    gain[192] = 0.0
    for cell in range(48):
        for action, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            x, y = min(max(cell % 12 + dx, 0), 11), min(max(cell // 12 + dy, 0), 3)
            fell = y == 3 and 0 < x < 11
            following[cell * 4 + action] = 36 if fell else y * 12 + x
            gain[cell * 4 + action] = -100.0 if fell else -1.0
    return following, gain


def _arrays(count: int) -> list[Any]:
    at, done, seen = np.full(count, 36, np.int32), np.zeros(count, np.uint8), np.zeros(count, np.int64)
    return [*_tables(), at, done, seen, np.zeros(count), np.zeros(count, np.uint8), np.zeros(count, np.uint8)]


def c_loop(count: int) -> Callable[[Any], Any] | None:
    """Return the step of a loop in C, called through ctypes; None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="griddsl-bench-"))
    (folder / "cliff.c").write_text(C_SOURCE, encoding="utf-8")
    library = folder / "cliff.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([gcc, *flags, str(folder / "cliff.c"), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).step
    arrays = _arrays(count)
    kept = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]

    def step(actions: Any) -> Any:
        function(count, actions.ctypes.data_as(ctypes.c_void_p), *kept)
        return arrays[4:]

    return step


def numba_loop(count: int) -> Callable[[Any], Any] | None:
    """Return the step of a loop under numba; None where numba is not installed."""
    try:
        from numba import njit
    except ImportError:
        return None

    @njit
    def loop(
        action: Any,
        following: Any,
        gain: Any,
        at: Any,
        done: Any,
        seen: Any,
        reward: Any,
        ended: Any,
        cut: Any,
    ) -> None:
        for i in range(action.size):
            k = 192 if done[i] else at[i] * 4 + action[i]
            there = following[k]
            at[i] = there
            seen[i] = there
            reward[i] = gain[k]
            ended[i] = done[i] = there == 47
            cut[i] = 0

    arrays = _arrays(count)

    def step(actions: Any) -> Any:
        loop(actions, *arrays)
        return arrays[4:]

    return step
