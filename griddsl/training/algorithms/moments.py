"""What Adam remembers of each weight, as arrays: with it a training goes on as if it had not stopped there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from griddsl.training.policy_file import Arrays


def moments_of(optimizer: Any) -> Arrays:
    """Return what an optimiser of torch remembers, by the number of the weight and a name."""
    return {
        f"adam/{number}/{name}": part.numpy(force=True).copy()
        for number, row in optimizer.state_dict()["state"].items()
        for name, part in row.items()
    }


def put_moments(optimizer: Any, arrays: Mapping[str, Any]) -> None:
    """Let an optimiser remember what `moments_of` gave; raise `ValueError` where its weights have other shapes."""
    import torch

    state: dict[int, dict[str, Any]] = {}
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for key, part in arrays.items():
        if key.startswith("adam/"):
            _, place, name = key.split("/")
            state.setdefault(int(place), {})[name] = torch.from_numpy(np.array(part))
    for number, row in state.items():
        if number >= len(weights) or row["exp_avg"].shape != weights[number].shape:
            raise ValueError("what its optimiser remembers has another shape")
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
