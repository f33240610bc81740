"""A small game that the tests of playing share."""

from __future__ import annotations

from pathlib import Path

import pytest

GAME = """\
env: mine/Game-v0
    "Reach the goal, and mind the lava."
map:
    @..~
    .#.G
legend: "~" = lava, G = goal
var energy: 9 in 0..9
actions: up, right, down, left
observe: cell
each step: reward -1, energy -= 1
on enter lava: reward = -10, end failure
on enter goal: reward +1, end success
when energy == 0: end exhausted
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The file of a small game."""
    path = tmp_path / "game.grid"
    path.write_text(GAME)
    return path
