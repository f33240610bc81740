"""PyTorch: the arrays of a batch as tensors, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.envs.batch.vector_env import GridVectorEnv

try:
    import torch
except ImportError as error:
    raise ImportError("PyTorch is not installed: pip install torch") from error


def tensors(value: Any) -> Any:
    """Return arrays as tensors that share their memory; dicts and tuples are gone through, words stay as they are."""
    if isinstance(value, dict):
        return {name: tensors(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(tensors(part) for part in value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return torch.from_numpy(value)
    return value


class TorchBatch:
    """A `GridVectorEnv` that takes and returns tensors; they share the memory of its arrays.

    With ``copy=False`` in the batch the next step writes the same tensors again.
    """

    def __init__(self, batch: GridVectorEnv) -> None:
        self.batch = batch
        self.num_envs = batch.num_envs

    def reset(self, **settings: Any) -> tuple[Any, dict[str, Any]]:
        """Start episodes."""
        observations, infos = self.batch.reset(**settings)
        return tensors(observations), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out one step of all; ``actions`` is a tensor of whole numbers."""
        observations, rewards, ended, cut, infos = self.batch.step(actions.numpy(force=True))
        return tensors(observations), tensors(rewards), tensors(ended), tensors(cut), infos

    def action_masks(self) -> Any:
        """Return which actions are allowed now, ``(num_envs, actions)`` bool."""
        return tensors(self.batch.action_masks())

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()
