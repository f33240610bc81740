"""Beside: the interpreter and an environment of the product play the same actions, and every value is compared."""

from __future__ import annotations

import os
from typing import Any

from griddsl.compiler import compiled
from griddsl.diagnostics import SpecError
from griddsl.envs.joint.parallel import GridParallelEnv
from griddsl.envs.single.grid_env import GridEnv
from griddsl.spec.models import GridSpec
from tests.agreement.comparing import assert_same
from tests.reference.places import NoPlace
from tests.reference.play import Reference

EPISODES, STEPS_OF_A_SHORT_ONE = 5, 4


def assert_plays_as_defined(
    source: str | os.PathLike[str] | GridSpec, steps: int = 100, seeds: tuple[int, ...] = (0, 1)
) -> None:
    """Play random actions beside the Python backend, and compare bit for bit.

    After each end both are reset; then come `EPISODES` short ones, so that what starts is what any episode left.
    """
    game = compiled(source)
    is_joint = len(game.program.players) > 1
    env: Any = GridParallelEnv(game, backend="python") if is_joint else GridEnv(game, backend="python")
    reference = Reference(game.model)
    for seed in seeds:
        if not _reset(env, reference, seed):
            continue
        _seed_actions(env, seed)
        cuts = {steps + STEPS_OF_A_SHORT_ONE * count for count in range(EPISODES)}
        for number in range(steps + STEPS_OF_A_SHORT_ONE * EPISODES):
            if number in cuts and not _reset(env, reference, None):
                break
            action = _action(env, is_joint)
            expected, found = env.step(action), reference.step(action)
            assert_same(found, expected, f"seed {seed}, step {number + 1}, {action}")
            assert reference.stream.state == env._r[0], f"seed {seed}, step {number + 1}: the stream"
            over = not env.agents if is_joint else expected[2] or expected[3]
            if over and not _reset(env, reference, None):
                break


def _reset(env: Any, reference: Reference, seed: int | None) -> bool:
    """Reset both; return whether there is an episode to play: both may find no place in setup."""
    try:
        expected = env.reset(seed=seed)
    except SpecError as error:
        try:
            reference.reset(seed=seed)
        except NoPlace:
            return False
        raise AssertionError(f"only the environment found no place: {error}") from error
    assert_same(reference.reset(seed=seed), expected, f"reset with seed {seed}")
    assert reference.stream.state == env._r[0], f"reset with seed {seed}: the stream"
    return True


def _seed_actions(env: Any, seed: int) -> None:
    if isinstance(env, GridEnv):
        env.action_space.seed(seed)
        return
    for number, name in enumerate(env.possible_agents):
        env.action_space(name).seed(seed + number)


def _action(env: Any, is_joint: bool) -> Any:
    if not is_joint:
        return env.action_space.sample()
    return {name: env.action_space(name).sample() for name in env.agents}
