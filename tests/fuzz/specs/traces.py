"""What an environment does with a list of actions: everything it returns, moment after moment."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import griddsl
from griddsl.compiling.cache import Compiled
from tests.agreement.comparing import assert_same

STEPS = 30


@dataclass(frozen=True)
class Case:
    """A spec to be played: its text, its program, and the seed of what is done with it."""

    text: str
    compiled: Compiled
    seed: int
    native: bool = False
    steps: int = STEPS
    compared: list[int] = field(
        default_factory=list, compare=False
    )  # steps of environments, as checks add them

    @property
    def is_joint(self) -> bool:
        """Whether several agents learn."""
        return len(self.compiled.program.players) > 1

    @property
    def numbers(self) -> list[int]:
        """The seeds that actions are drawn with, one a step."""
        draw = random.Random(self.seed)
        return [draw.randrange(2**31) for _ in range(self.steps)]

    @property
    def cuts(self) -> set[int]:
        """The steps after which an episode is cut off by a reset, so that what starts is what any episode left."""
        return {self.steps * part // 12 for part in (8, 10, 11)}


def sampled(space: Any, number: int) -> Any:
    """Return the action of a space that a number stands for."""
    space.seed(number)
    return space.sample()


def single_trace(env: Any, case: Case, begin: bool = True) -> Iterator[tuple[Any, ...]]:
    """Yield what an environment for one gives, over resets; ``begin`` says whether it is reset first."""
    try:
        if begin:
            yield "reset", *env.reset(seed=case.seed), env.get_state(), env.action_masks()
        for count, number in enumerate(case.numbers, 1):
            found = env.step(sampled(env.action_space, number))
            yield "step", *found, env.get_state(), env.action_masks()
            if found[2] or found[3] or count in case.cuts:
                yield "reset", *env.reset(), env.get_state(), env.action_masks()
    except griddsl.SpecError as error:
        yield "refused", str(error)


def joint_trace(env: Any, case: Case, begin: bool = True) -> Iterator[tuple[Any, ...]]:
    """Yield what an environment for several gives, over resets."""
    try:
        if begin:
            yield "reset", *env.reset(seed=case.seed), env.get_state(), masks_of(env)
        for count, number in enumerate(case.numbers, 1):
            actions = {name: sampled(env.action_space(name), number + k) for k, name in enumerate(env.agents)}
            yield "step", *env.step(actions), env.get_state(), masks_of(env), list(env.agents), env.outcome
            if not env.agents or count in case.cuts:
                yield "reset", *env.reset(), env.get_state(), masks_of(env)
    except griddsl.SpecError as error:
        yield "refused", str(error)


def masks_of(env: Any) -> dict[str, Any]:
    """Return the mask of every agent whose part goes on."""
    return {name: env.action_masks(name) for name in env.agents}


def trace(env: Any, case: Case, begin: bool = True) -> Iterator[tuple[Any, ...]]:
    """Yield what an environment gives, for one or for several."""
    return (joint_trace if case.is_joint else single_trace)(env, case, begin)


def made(case: Case, backend: str = "python") -> Any:
    """Return an environment of a case."""
    if case.is_joint:
        return griddsl.make_parallel(case.compiled, backend=backend)
    return griddsl.GridEnv(case.compiled, backend=backend)


def same_traces(found: Iterator[Any], expected: Sequence[Any], where: str, case: Case) -> None:
    """Compare two traces to their ends."""
    for number, moment in enumerate(expected):
        other = next(found, None)
        assert other is not None, f"{where}: ends before moment {number}"
        assert other[0] == moment[0], f"{where}: {other[0]} where {moment[0]}: {other[-1]}"
        for name, one, two in zip(_PARTS[moment[0]], other[1:], moment[1:], strict=False):
            assert_same(one, two, f"{where}: {name}")
        case.compared.append(moment[0] == "step")


_PARTS = {
    "reset": ("observation of a reset", "info of a reset", "state after a reset", "mask after a reset"),
    "step": (
        "observation",
        "reward",
        "terminated",
        "truncated",
        "info",
        "state",
        "mask",
        "agents",
        "outcome",
    ),
    "refused": ("what is said",),
}


def base_trace(case: Case) -> list[Any]:
    """Return the trace of the Python backend, each moment looked at for what must always hold."""
    env = made(case)
    kept: list[Any] = []
    copies: list[Any] = []
    for moment in trace(env, case):
        kept.append(moment)
        copies.append(copy.deepcopy(moment))
        if moment[0] == "refused":
            break
        _in_spaces(env, case, moment)
    for moment, before in zip(kept, copies, strict=True):
        assert_same(moment, before, "what was returned before, after later steps")
    return kept


def _in_spaces(env: Any, case: Case, moment: Any) -> None:
    if not case.is_joint:
        assert env.observation_space.contains(moment[1]), (
            f"an observation outside of its space: {moment[1]!r}"
        )
        if moment[0] == "step":
            assert isinstance(moment[2], float) and np.isfinite(moment[2]), (
                f"a reward that is none: {moment[2]!r}"
            )
        return
    for name, seen in moment[1].items():
        assert env.observation_space(name).contains(seen), f"an observation outside of its space: {seen!r}"
    assert env.state_space.contains(env.state()), "a state outside of its space"
    if moment[0] == "step":
        for reward in moment[2].values():
            assert isinstance(reward, float) and np.isfinite(reward), f"a reward that is none: {reward!r}"
