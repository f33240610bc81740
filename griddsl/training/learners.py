"""Learners: by which name each is asked for, and which is taken where none is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from griddsl.diagnostics import did_you_mean
from griddsl.program.program import Program
from griddsl.program.spaces import Discrete
from griddsl.training.failures import TrainingError

# The name, its module, what it takes, and what it needs installed.
LEARNERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "tabular": ("griddsl.training.tabular", "spec", ()),
    "sb3": ("griddsl.training.stable_baselines", "network", ("stable_baselines3",)),
    "cleanrl": ("griddsl.training.cleanrl", "flat", ("torch",)),
}
_EXTRAS = {"stable_baselines3": "griddsl[sb3]", "torch": "griddsl[sb3]"}

# Called with the steps so far, the returns of the episodes that ended since the last call, and the policy as it is.
Watch = Callable[[int, list[float], Any], None]


@dataclass(frozen=True)
class Task:
    """What is to be learned: a spec, its parameters (``observation`` among them), steps, a seed, and settings."""

    source: Any
    params: Mapping[str, Any]
    steps: int
    seed: int
    settings: Mapping[str, Any]


def learner_of(name: str) -> ModuleType:
    """Return the module of a learner: ``learn(task, watch)`` and ``restored(source, params, about, arrays)``.

    Raises `ValueError` for a name that there is not, and `ImportError` where what it needs is not installed.
    """
    if name not in LEARNERS:
        raise TrainingError(
            f"there is no learner `{name}`",
            did_you_mean(name, LEARNERS) or f"learners: {', '.join(LEARNERS)}",
        )
    module, _, needs = LEARNERS[name]
    for need in needs:
        if find_spec(need) is None:
            raise ImportError(f"`{name}` needs {need}, which is not installed: pip install '{_EXTRAS[need]}'")
    return import_module(module)


def default_learner(program: Program) -> str:
    """Return the learner for a game: a table where one number is observed, a network where one can be had."""
    observation = program.observation
    if observation.form == "bare" and isinstance(observation.leaves[0].space, Discrete):
        return "tabular"
    return "sb3" if find_spec("stable_baselines3") is not None else "tabular"


def default_observation(learner: str) -> str:
    """Return the form of observations that a learner takes."""
    return LEARNERS[learner][1]
