"""Scenes that the tests of several modules draw."""

import pytest

from griddsl.render import Scene, Sprite, look_of

FLOOR = look_of("floor", category="tile")
CLIFF = look_of("cliff", category="tile")
GOAL = look_of("goal", category="tile")
AGENT = look_of("agent", category="agent")


def cliff_walking(agent: int = 36) -> Scene:
    """Cliff walking, 12 x 4, with the agent in a cell."""
    ground = [FLOOR] * 37 + [CLIFF] * 10 + [GOAL]
    cells: list[tuple[Sprite, ...]] = [(tile,) for tile in ground]
    cells[agent] = (*cells[agent], AGENT)
    return Scene(12, 4, tuple(cells))


@pytest.fixture
def cliff() -> Scene:
    """Cliff walking at its start."""
    return cliff_walking()


@pytest.fixture
def moved_cliff() -> Scene:
    """Cliff walking after one move up."""
    return cliff_walking(24)
