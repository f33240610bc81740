"""Grids of live MiniGrid environments as specs: what is seen of them, step by step, is what MiniGrid shows."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.cli.failures import Refusal
from griddsl.cli.texts.convert import Form, Origin, command
from griddsl.cli.texts.from_minigrid import spec_of

IDS = (
    "MiniGrid-DoorKey-8x8-v0",
    "MiniGrid-LavaCrossingS9N2-v0",
    "MiniGrid-KeyCorridorS3R3-v0",
    "MiniGrid-ObstructedMaze-2Dlh-v0",
    "MiniGrid-PutNear-6x6-N2-v0",
    "BabyAI-GoToObjMazeS4R2-v0",
)


@pytest.mark.parametrize("name", IDS)
def test_drawn_grid__is_seen_as_in_minigrid(name: str) -> None:
    """The first observation and those after sixty actions, drawn at random, are MiniGrid's own, for two seeds."""
    pytest.importorskip("minigrid", reason="minigrid is not installed")
    compared = 0
    for seed in range(2):
        text = spec_of(name, seed)
        assert not [each for each in griddsl.check(text) if each.is_error]
        ours = griddsl.make(text)
        theirs: Any = gym.make(name).unwrapped
        seen, expected = ours.reset(seed=0)[0], theirs.reset(seed=seed)[0]
        rng = np.random.default_rng(seed)
        for _ in range(60):
            assert (seen["image"] == expected["image"]).all() and seen["direction"] == expected["direction"]
            compared += 1
            action = int(rng.integers(6))
            seen, _, ended, cut, _ = ours.step(action)
            expected, _, their_end, their_cut, _ = theirs.step(action)
            if ended or cut or their_end or their_cut:
                break
    assert compared > 30


def test_drawn_grid__of_what_there_is_not_is_refused() -> None:
    """An id that MiniGrid has not is answered with the nearest one."""
    pytest.importorskip("minigrid", reason="minigrid is not installed")
    with pytest.raises(Refusal, match="no environment") as refused:
        spec_of("MiniGrid-DoorKey-8x8", 0)
    assert "MiniGrid-DoorKey" in str(refused.value.help)


def test_convert__draws_minigrids_grids(capsys: pytest.CaptureFixture[str]) -> None:
    """`griddsl convert ID --from minigrid --seed N` prints the spec, as `.grid` or as TOML."""
    pytest.importorskip("minigrid", reason="minigrid is not installed")
    command("MiniGrid-Empty-5x5-v0", to=None, origin=Origin.minigrid, seed=1, output=None)
    assert "use: minigrid" in capsys.readouterr().out
    command("MiniGrid-Empty-5x5-v0", to=Form.toml, origin=Origin.minigrid, seed=1, output=None)
    assert 'use = "minigrid"' in capsys.readouterr().out
