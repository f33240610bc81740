"""Missions as bytes: few pieces one behind the other, many at once, and both the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from griddsl.registration.ids import bundled_folder

jax = pytest.importorskip("jax")


@pytest.mark.parametrize("most", [0, 1000])
@pytest.mark.parametrize("source", ["baby_go_to", "fetch", "baby_open_doors", "locked_room"])
def test_missions__are_those_that_are_told(source: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way they are put together, as bytes they are what the environment says."""
    import griddsl.jax
    from griddsl.jax import mission

    monkeypatch.setattr(mission, "MOST_IN_TURN", most)
    path = bundled_folder() / f"{source}.grid"
    env, game = griddsl.jax.make(path), griddsl.make(path, backend="python").unwrapped
    read: Any = jax.jit(env.reset)
    seen = set()
    for seed in range(30):
        observation, state = read(jax.random.PRNGKey(seed))
        game.reset(seed=0)
        game.set_state(env.to_state(jax.device_get(state)))  # type: ignore[attr-defined]
        told = bytes(np.asarray(observation["mission"]).tolist()).rstrip(b"\0").decode()
        assert told == game.mission()  # type: ignore[attr-defined]
        seen.add(told)
    assert len(seen) > 5
