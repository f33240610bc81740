"""Environments of JAX walk exactly as those of the reference backend do, from the same streams."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from griddsl.compiler import compiled
from griddsl.registration.ids import bundled_folder
from tests.agreement.comparing import SPECS
from tests.agreement.in_jax import (
    Beside,
    GameBeside,
    assert_batch_walks_alike,
    drawn_action,
    pair,
    rows,
    streams,
)

jax = pytest.importorskip("jax")

GAMES = [path for path in sorted(bundled_folder().glob("*.grid")) if len(compiled(path).program.players) > 1]
BATCH, STEPS = 3, 120
SMALL = ["cliff_walking", "grid_world", "taxi"]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_batches__walk_as_the_reference_does(path: Path) -> None:
    """A scan over a batch gives the reference's observations, rewards, ends, infos, masks, states and streams."""
    assert_batch_walks_alike(path, BATCH, STEPS, random.Random(path.stem))


@pytest.mark.parametrize("stem", SMALL)
@pytest.mark.parametrize("jitted", [True, False], ids=["jit", "eager"])
@pytest.mark.parametrize("wide", [False, True], ids=["x32", "x64"])
def test_singles__walk_alike_however_jax_is_set(stem: str, jitted: bool, wide: bool) -> None:
    """One environment walks alike with and without `jit`, with 64 bits and without."""
    import griddsl.jax

    path = bundled_folder() / f"{stem}.grid"
    with jax.enable_x64(wide):
        env = griddsl.jax.make(path)
        reset, step = (jax.jit(env.reset), jax.jit(env.step)) if jitted else (env.reset, env.step)
        counter, draw = streams(1)[0], random.Random(stem)
        beside = Beside(path, counter, env, wide)
        observation, state = reset(pair(counter))
        beside.begins(observation, jax.device_get(state))
        for t in range(60):
            action = int(drawn_action(env.player, draw))
            found = step(None, state, action)
            state = found[1]
            beside.steps(action, jax.device_get(found), str(t))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_games__walk_as_the_reference_does(path: Path) -> None:
    """Several agents see, gain and end as in the parallel environment of the reference backend."""
    import griddsl.jax

    env = griddsl.jax.make_parallel(path)
    counters, draw, steps = streams(2), random.Random(path.stem), 60
    actions = {
        player.name: np.array([[drawn_action(player, draw) for _ in counters] for _ in range(steps)])
        for player in env.program.players
    }

    def once(state: Any, row: Any) -> Any:
        found = jax.vmap(env.step, in_axes=(None, 0, 0))(None, state, row)
        return found[1], (found, jax.vmap(env.get_avail_actions)(found[1]))

    @jax.jit
    def played(keys: Any, actions: Any) -> Any:
        first = jax.vmap(env.reset)(keys)
        return first, jax.lax.scan(once, first[1], actions)[1]

    first, (found, masks) = jax.device_get(played(np.array([pair(counter) for counter in counters]), actions))
    for i, counter in enumerate(counters):
        beside = GameBeside(path, counter, env, wide=False)
        beside.begins(*rows(first, i))
        for t in range(steps):
            given = {name: row[t, i] for name, row in actions.items()}
            beside.steps(given, rows(found, t, i), rows(masks, t, i), f"{path.stem} {i} {t}")
