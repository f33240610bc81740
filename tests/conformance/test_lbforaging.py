"""Level-Based Foraging beside its own code, joint step by joint step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("lbforaging")

from lbforaging.foraging.environment import ForagingEnv

from tests.conformance.joint import Ours, draws

STEPS = 4000


class Original(ForagingEnv):
    """Theirs, with a space of the shape that its layers have: its own does not pass Gymnasium 1.0."""

    def _get_observation_space(self) -> Any:
        return gym.spaces.Box(0, 8, (3, 5, 5), np.float32)


def original(foragers: int) -> Any:
    """Return their environment as ``Foraging-grid-2s-8x8-Np-3f-v3`` makes it."""
    return Original(
        players=foragers,
        min_player_level=1,
        max_player_level=2,
        min_food_level=1,
        max_food_level=None,
        field_size=(8, 8),
        max_num_food=3,
        sight=2,
        max_episode_steps=50,
        force_coop=False,
        grid_observation=True,
    )


def put(ours: Ours, theirs: Any) -> None:
    """Put ours into the state of theirs: foragers, their levels, and the food."""
    ours.put("AGENT_CELL", [player.position[0] * 8 + player.position[1] for player in theirs.players])
    ours.put(("AGENT", "level"), [player.level for player in theirs.players])
    ours.put("OBJECT_AT", [-1] * 64)
    for name in ("OBJECT_KIND", "OBJECT_CELL"):
        ours.put(name, [-1] * ours.lengths[name])
    cells = [int(cell) for cell in np.flatnonzero(theirs.field)]
    ours.put("OBJECT_KIND", [ours.kind("food")] * len(cells))
    ours.put("OBJECT_CELL", cells)
    ours.put(("OBJECT", "level"), [theirs.field.flat[cell] for cell in cells])
    for thing, cell in enumerate(cells):
        ours.env._s[ours.offsets["OBJECT_AT"] + cell] = thing
    ours.put(("VAR", "spawned"), [theirs._food_spawned])


@pytest.mark.parametrize("foragers", [2, 3])
def test_foraging__agrees(foragers: int) -> None:
    """Places, the three layers that each forager sees, rewards and ends agree, from their layouts."""
    ours, theirs = Ours("level_based_foraging", foragers=foragers), original(foragers)
    theirs.reset(seed=3)
    rng = draws(foragers)
    steps, loads, cleared, timed_out, left = 0, 0, 0, 0, 0
    while steps < STEPS:
        layers, _ = theirs.reset()
        ours.reset(0)
        put(ours, theirs)
        check(ours, layers)
        while True:
            actions = [
                int(rng.integers(6)) if rng.random() < 0.5 else wish(theirs, i) for i in range(foragers)
            ]
            layers, rewards, done, _, _ = theirs.step(actions)
            seen, mine, ended, cut, infos = ours.step(actions)
            places = [tuple(int(part) for part in player.position) for player in theirs.players]
            if len(set(places)) < foragers:
                left += 1
                break
            assert [(y, x) for x, y in ours.places] == places
            assert mine == pytest.approx([float(reward) for reward in rewards], abs=1e-12)
            assert ended == [theirs.field.sum() == 0] * foragers
            assert cut == [theirs.current_step == 50] * foragers
            check(ours, layers, seen)
            steps += 1
            loads += sum(rewards) > 0
            if done:
                cleared += ended[0]
                timed_out += cut[0]
                assert {info["outcome"] for info in infos.values()} == {
                    "success" if ended[0] else "truncated"
                }
                break
    assert loads > 100 and cleared > 10 and timed_out > 5
    assert left == 0 or foragers > 2


def check(ours: Ours, layers: Any, seen: Any = None) -> None:
    """Compare what each forager sees: levels of foragers, levels of food, cells that can be entered."""
    for name, theirs in zip(ours.agents, layers, strict=True):
        mine = ours.env.observe(name) if seen is None else seen[name]
        assert np.array_equal(np.moveaxis(mine, 2, 0), theirs)


def wish(theirs: Any, index: int) -> int:
    """Return an action that goes to the nearest food and loads it."""
    y, x = theirs.players[index].position
    food = min(np.argwhere(theirs.field > 0), key=lambda spot: abs(spot[0] - y) + abs(spot[1] - x))
    dy, dx = int(food[0]) - y, int(food[1]) - x
    if abs(dy) + abs(dx) == 1:
        return 5
    if abs(dy) >= abs(dx):
        return 1 if dy < 0 else 2
    return 3 if dx < 0 else 4
