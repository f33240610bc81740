"""What a user names as a policy: `random`, `optimal`, a file of `griddsl train`, a function."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def policy_of(name: str, path: Path, params: dict[str, Any], transfer: bool) -> tuple[Any, dict[str, Any]]:
    """Return a policy that a user names, and the parameters with which the spec shows what it observes."""
    from griddsl.playing.policies import load_policy_object
    from griddsl.training.policy_file import load

    if name in {"random", "optimal"}:
        return name, params
    if Path(name).is_file() and not name.endswith(".py"):
        about, found = load(name, path, params, transfer)
        return found, {**params, "observation": about.observation}
    return load_policy_object(name), params
