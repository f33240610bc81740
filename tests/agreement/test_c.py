"""A printer to C, which knows the form alone, beside the environments: the same episodes, bit for bit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from tests.agreement.comparing import SPECS
from tests.agreement.in_c import CC, Game, Unsuitable

SEEDS, STEPS = 3, 40
GENERATED = {"random_maze"}  # whose maps a generator of Python draws


@pytest.mark.skipif(CC is None, reason="no C compiler is installed")
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_rollouts__are_those_of_the_environment(path: Path, tmp_path: Path) -> None:
    """States, streams, rewards, ends and observations agree through some episodes."""
    env = griddsl.make(path, backend="python")
    try:
        game = Game(compiled(path).program, tmp_path)
    except Unsuitable:
        assert path.stem in GENERATED
        return
    for seed in range(SEEDS):
        env.np_random = np.random.default_rng(seed)
        counter = int(np.random.default_rng(seed).integers(0, 2**64, dtype=np.uint64))
        env._seeded = False
        observation, _ = env.reset()
        assert game.reset(counter)
        assert_alike(env, game, observation)
        draw = random.Random(seed)
        for _ in range(STEPS):
            numbers = [draw.randrange(len(group.actions)) for group in env.program.groups]
            reward, terminated, truncated = env._machine.functions["step"](env._s, env._f, env._r, *numbers)
            assert game.step(numbers) == (float(reward), bool(terminated), bool(truncated))
            assert_alike(env, game, env._observe())
            if terminated or truncated:
                break


def assert_alike(env: griddsl.GridEnv, game: Game, observation: Any) -> None:
    """Compare the state and all that is observed of it."""
    layout = env.program.layout
    assert game.state == (env._s[: layout.saved], env._f[: layout.saved_reals], env._r[0])
    form, leaves = env.program.observation.form, env.program.observation.leaves
    observation = observation["observation"] if env.program.goal else observation
    for number, leaf in enumerate(leaves):
        if not leaf.function or form == "flat":
            continue
        seen = observation if form == "bare" else observation[leaf.name if form == "dict" else number]
        seen = np.asarray(seen)
        found = game.observed(leaf.function, None if leaf.form == "value" else seen.size)
        np.testing.assert_array_equal(
            np.asarray(found).astype(seen.dtype), seen.ravel() if seen.shape else seen
        )
    assert game.state[2] == env._r[0]
