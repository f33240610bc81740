"""Batches of one program: what they write, and the batch of the reference backend, an environment at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from griddsl.program import spaces
from griddsl.program.program import Program
from griddsl.program.spaces import Leaf

Array: TypeAlias = np.ndarray[Any, Any]
Vectors: TypeAlias = tuple[list[int], list[float], int]
NEXT_STEP, SAME_STEP, DISABLED = range(3)


@dataclass(frozen=True, slots=True)
class Port:
    """A function that a backend writes to an array: an entry of the observation, of a goal, or of info."""

    function: str
    is_value: bool
    size: int
    dtype: str
    shape: tuple[int, ...] = ()


def leaf_ports(program: Program) -> list[tuple[Leaf, Port]]:
    """Return the entries that functions compute: those of the observation, then achieved and desired goal."""
    leaves = [*program.observation.leaves]
    if program.goal:
        leaves += [program.goal["achieved"], program.goal["desired"]]
    return [(leaf, leaf_port(leaf)) for leaf in leaves if leaf.function]


def leaf_port(leaf: Leaf) -> Port:
    """Return what a backend writes for an entry that a function computes."""
    if leaf.form == "value":
        return Port(leaf.function, True, 1, "int64")
    match leaf.space:
        case spaces.Box(_, _, shape, dtype):
            return Port(leaf.function, False, math.prod(shape), dtype, shape)
        case spaces.MultiDiscrete(sizes):
            return Port(leaf.function, False, len(sizes), "int64", (len(sizes),))
        case spaces.MultiBinary(size):
            return Port(leaf.function, False, size, "int8", (size,))
    raise AssertionError(leaf)


def info_dtype(form: str) -> str:
    """Return the dtype that an info entry is kept in."""
    return "float64" if form == "real" else "int64"


class Extras:
    """What a batch writes beside observations, rewards and flags; a row, or an entry, an environment.

    ``outcome`` is 0 where no episode ended, 1 where one was cut, else one more than the number of its outcome; it
    holds after steps in which episodes ended.
    """

    def __init__(self, program: Program, count: int) -> None:
        self.outcome: Array = np.zeros(count, np.int16)
        self.hidden: Array = np.zeros(count, np.float64)
        self.mask: Array = np.ones((count, sum(len(group.actions) for group in program.groups)), np.int8)
        self.values = [np.zeros(count, info_dtype(entry.form)) for entry in program.info]
        self.is_set = [np.ones(count, np.bool_) for _ in program.info]


def make_leaves(program: Program, count: int) -> list[Array]:
    """Return arrays for the computed entries of an observation, one after the other."""
    return [
        np.empty(count if port.is_value else (count, port.size), port.dtype)
        for _, port in leaf_ports(program)
    ]


class Batch(Protocol):
    """Environments of one program that step together.

    ``now`` holds the extras of the last step or reset, ``final`` and ``final_leaves`` those of the episodes that
    ended in it (SAME_STEP); ``done`` says which environments the next step resets (NEXT_STEP). A step returns the
    number of episodes that ended in it.
    """

    count: int
    now: Extras
    final: Extras
    final_leaves: list[Array]
    done: Array
    stream: Array

    def reset(self, which: Array, level: int, leaves: list[Array]) -> None:
        """Reset the environments ``which`` (bool); write the observations and extras of all."""

    def step(
        self, actions: Array, mode: int, leaves: list[Array], reward: Array, ended: Array, cut: Array
    ) -> int:
        """Carry out one step of all: flags bool, reward float64; ``actions`` (count * groups,) int64, in rows."""

    def vectors(self, index: int) -> Vectors:
        """Return the saved state of one environment."""

    def put(self, index: int, state: Vectors) -> None:
        """Put one environment into a state."""

    def state_bytes(self) -> int:
        """Return the bytes that the states take."""


def action_counts(program: Program, count: int) -> Array:
    """Return how many actions there are for each entry of a batch's actions, (count * groups,) uint64."""
    return np.tile(np.array([len(group.actions) for group in program.groups], np.uint64), count)


def check_actions(program: Program, counts: Array, actions: Array) -> None:
    """Raise `ValueError` where an action, of ``actions`` (count * groups,) int64, is none."""
    wrong = actions.view(np.uint64) >= counts  # without their sign, negative numbers are too large as well
    if np.count_nonzero(wrong):
        groups = len(program.groups)
        raise bad_action(program, actions.reshape(-1, groups), int(wrong.argmax()) // groups)


def bad_action(program: Program, actions: Array, index: int) -> ValueError:
    """Return the error for an environment's action that is none."""
    groups = program.groups
    names = ", ".join(f"{number} {action.name}" for number, action in enumerate(groups[0].actions[:20]))
    found = actions[index].tolist()
    return ValueError(
        f"the action {found[0] if len(groups) == 1 else found} of environment {index} is none; actions: {names}"
    )
