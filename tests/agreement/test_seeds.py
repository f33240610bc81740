"""Same seed, same trajectory: a spec's episodes follow from the seed and the actions alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import griddsl
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.contract.every_spec import every_single, same

_made: dict[Path, tuple[Any, Any]] = {}


def pair_of(path: Path) -> tuple[Any, Any]:
    """Return two environments of a spec, made once."""
    if path not in _made:
        _made[path] = (griddsl.make(path), griddsl.make(path))
    return _made[path]


def actions_from(env: Any, numbers: list[int]) -> list[Any]:
    """Return the actions that numbers stand for in a space."""
    space = env.action_space
    if isinstance(space, gym.spaces.Discrete):
        return [number % int(space.n) for number in numbers]
    if isinstance(space, gym.spaces.MultiDiscrete):
        return [
            np.array([(number >> 3 * index) % int(size) for index, size in enumerate(space.nvec)])
            for number in numbers
        ]
    return [np.array([np.cos(number), np.sin(number)], np.float32) for number in numbers]


@every_single
@given(seed=st.integers(0, 2**32 - 1), numbers=st.lists(st.integers(0, 2**16), max_size=30))
@settings(max_examples=12)
def test_seed__decides_the_trajectory(path: Path, seed: int, numbers: list[int]) -> None:
    """Two environments with one seed and the same actions agree in everything, over automatic resets too."""
    first, second = pair_of(path)
    assert same(first.reset(seed=seed), second.reset(seed=seed))
    for action in actions_from(first, numbers):
        one, two = first.step(action), second.step(action)
        assert same(one, two)
        assert first.action_masks().any()
        if one[2] or one[3]:
            assert same(first.reset(), second.reset())
    assert first.get_state() == second.get_state()


@every_single
def test_reset__without_a_seed_continues_the_stream(path: Path) -> None:
    """Unseeded resets go on with the stream: the same for the same seed, and not the first episode again."""
    first, second = pair_of(path)
    first.reset(seed=11)
    second.reset(seed=11)
    streams = {first.get_state()[2]}
    for _ in range(6):
        assert same(first.reset(), second.reset())
        assert first.get_state() == second.get_state()
        streams.add(first.get_state()[2])
    draws = "(r" in first.program.source().split("def step")[0].split("def reset")[1].replace(
        "(s, f, r, level)", ""
    )
    spec = griddsl.load(path)
    if spec.once:  # what it draws stays, so that these resets draw what setup does
        draws = any(
            isinstance(node, n.Choose | n.RandomCell | n.EveryCell | n.Random) for node in walk(spec.setup)
        )
    assert len(streams) == (7 if draws else 1)


@every_single
def test_seed__differs_between_seeds(path: Path) -> None:
    """Different seeds give different streams."""
    env, _ = pair_of(path)
    streams = set()
    for seed in range(5):
        env.reset(seed=seed)
        streams.add(env.get_state()[2])
    assert len(streams) == 5
