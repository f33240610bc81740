"""Learners: by which name each is asked for, and which is taken where none is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from griddsl.compiler import compiled
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import did_you_mean
from griddsl.loading import resolve
from griddsl.program.program import Program
from griddsl.program.spaces import Discrete
from griddsl.training.failures import TrainingError

# The name, its module, what it takes, and what it needs installed.
LEARNERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "tabular": ("tabular", "spec", ()),
    "sb3": ("stable_baselines", "network", ("stable_baselines3",)),
    "cleanrl": ("cleanrl", "flat", ("torch",)),
    "rllib": ("rllib", "flat", ("ray", "torch")),
}
# The module that reads what it wrote, and what that needs.
_PLAYED: dict[str, tuple[str, tuple[str, ...]]] = {
    "tabular": ("tabular", ()),
    "sb3": ("stable_baselines", ("stable_baselines3",)),
    "cleanrl": ("cleanrl", ()),
    "rllib": ("cleanrl", ()),
}
_EXTRAS = {"stable_baselines3": "griddsl[sb3]", "torch": "griddsl[sb3]", "ray": "griddsl[rllib]"}

# Called with the steps so far, the returns of the episodes that ended since the last call, and the policy as it is.
Watch = Callable[[int, list[float], Any], None]


@dataclass(frozen=True)
class Task:
    """What is to be learned: a spec, its parameters (``observation`` among them), steps, a seed, and all settings.

    ``done`` steps are learned already: ``arrays`` is the policy that came out, and ``learning`` what it is learned on
    with. ``address`` is that of a Ray cluster.
    """

    source: Any
    params: Mapping[str, Any]
    steps: int
    seed: int
    settings: Mapping[str, Any]
    done: int = 0
    arrays: Mapping[str, Any] = field(default_factory=dict)
    learning: Mapping[str, Any] = field(default_factory=dict)
    address: str | None = None

    @property
    def spec(self) -> Compiled:
        """The spec with its parameters bound, whose names may be those of arguments of what makes environments."""
        return compiled(resolve(self.source), **self.params)

    @property
    def seed_here(self) -> int:
        """The seed of what is left to do: another one where steps are done, so that no episode comes twice."""
        if not self.done:
            return self.seed
        return int(np.random.SeedSequence([self.seed, self.done]).generate_state(1)[0] >> 1)


def learner_of(name: str) -> ModuleType:
    """Return the module of a learner: its ``SETTINGS``, and ``learn(task, watch)``.

    Raises `ValueError` for a name that there is not, and `ImportError` where what it needs is not installed.
    """
    _check_name(name)
    module, _, needs = LEARNERS[name]
    return _imported(name, module, needs)


def player_of(name: str) -> ModuleType:
    """Return the module that reads what a learner wrote: ``restored(spec, about, arrays)``.

    Raises as `learner_of`; it needs less, where numpy alone plays what was learned.
    """
    _check_name(name)
    return _imported(name, *_PLAYED[name])


def _check_name(name: str) -> None:
    if name not in LEARNERS:
        raise TrainingError(
            f"there is no learner `{name}`",
            did_you_mean(name, LEARNERS) or f"learners: {', '.join(LEARNERS)}",
        )


def _imported(name: str, module: str, needs: tuple[str, ...]) -> ModuleType:
    for need in needs:
        if find_spec(need) is None:
            raise ImportError(f"`{name}` needs {need}, which is not installed: pip install '{_EXTRAS[need]}'")
    return import_module(f"griddsl.training.algorithms.{module}")


def default_learner(program: Program) -> str:
    """Return the learner for a game: a table where one number is observed, a network where one can be had."""
    observation = program.observation
    if observation.form == "bare" and isinstance(observation.leaves[0].space, Discrete):
        return "tabular"
    return "sb3" if find_spec("stable_baselines3") is not None else "tabular"


def default_observation(learner: str) -> str:
    """Return the form of observations that a learner takes."""
    return LEARNERS[learner][1]
