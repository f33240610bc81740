"""A game of several beside another implementation of it: our state read and written by name, whole joint steps taken."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.program.ir import Key

SPECS = Path(__file__).parents[2] / "specs"


class Ours:
    """One of our games: joint actions as numbers in the order of its agents, its state by the names of its slots."""

    def __init__(self, spec: str, **params: Any) -> None:
        self.env = griddsl.make_parallel(SPECS / f"{spec}.grid", backend="python", **params)
        program = self.env.program
        self.width, self.height = program.width, program.height
        self.offsets = program.layout.offsets
        self.lengths = {slot.key: slot.length for slot in program.slots}
        self.agents = self.env.possible_agents

    def reset(self, seed: int) -> dict[str, Any]:
        """Start an episode; return what each observes."""
        return dict(self.env.reset(seed=seed)[0])

    def step(
        self, actions: Any
    ) -> tuple[dict[str, Any], list[float], list[bool], list[bool], dict[str, Any]]:
        """Take a joint step; return observations, rewards, both flags in the order of the agents, and infos."""
        joint = {name: int(action) for name, action in zip(self.agents, actions, strict=True)}
        joint = {name: action for name, action in joint.items() if name in self.env.agents}
        seen, rewards, ended, cut, infos = self.env.step(joint)
        return (
            seen,
            [float(rewards.get(name, 0.0)) for name in self.agents],
            [bool(ended.get(name, True)) for name in self.agents],
            [bool(cut.get(name, False)) for name in self.agents],
            infos,
        )

    def slot(self, key: Key) -> list[int]:
        """Return the numbers of a slot of the state."""
        at = self.offsets[key]
        return list(self.env._s[at : at + self.lengths[key]])

    def put(self, key: Key, values: Any) -> None:
        """Set the numbers of a slot of the state."""
        for place, value in enumerate(values):
            self.env._s[self.offsets[key] + place] = int(value)

    def at(self, cell: int) -> tuple[int, int]:
        """Return the x and the y of a cell."""
        return cell % self.width, cell // self.width

    def cell(self, spot: Any) -> int:
        """Return the number of the cell at an x and a y."""
        return int(spot[1]) * self.width + int(spot[0])

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where the agents are."""
        return [self.at(cell) for cell in self.slot("AGENT_CELL")]

    def kind(self, name: str) -> int:
        """Return the code of a kind."""
        return next(kind.code for kind in self.env.program.kinds if kind.name == name)

    def things(self, kind: str) -> dict[int, tuple[int, int]]:
        """Where the objects of a kind are, by their numbers."""
        code = self.kind(kind)
        cells = self.slot("OBJECT_CELL")
        return {
            index: self.at(cells[index])
            for index, found in enumerate(self.slot("OBJECT_KIND"))
            if found == code and cells[index] >= 0
        }

    def replace(self, function: str, stand_in: Any) -> None:
        """Let the program call another function instead of one of its own."""
        self.env._machine.functions["step"].__globals__[function] = stand_in


def import_posggym() -> Any:
    """Return POSGGym 0.6, or skip; it asks for a module of Gymnasium that moved into its parent in 1.0."""
    if importlib.util.find_spec("posggym") is None:
        pytest.skip("posggym is not installed", allow_module_level=True)
    name = "gymnasium.vector.utils.spaces"
    if name not in sys.modules and importlib.util.find_spec(name) is None:
        import gymnasium.vector.utils

        sys.modules[name] = gymnasium.vector.utils
    return importlib.import_module("posggym")


def draws(seed: int) -> np.random.Generator:
    """Return the generator that a comparison draws its actions from."""
    return np.random.default_rng(seed)
