"""What batches of one agent and of several have in common: when an episode that is over starts anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np

from griddsl.envs.base_env import check_options

Mode = gym.vector.AutoresetMode
Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


def reset_mask(options: Mapping[str, Any] | None, count: int, is_ready: bool) -> Mask:
    """Return which of ``count`` a reset is for: ``options["reset_mask"]``, ``(count,)`` bool, or all without one.

    Raises `ValueError` for a mask of another shape or type, and `ResetNeeded` before the first reset of all.
    """
    check_options(options)
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return np.ones(count, np.bool_)
    which = np.asarray(mask)
    if which.shape != (count,) or which.dtype != np.bool_:
        raise ValueError(f"reset_mask is ({count},) bool, not {which.shape} {which.dtype}")
    if not is_ready:
        raise gym.error.ResetNeeded("call reset() without a mask first")
    return which.copy()
