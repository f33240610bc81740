"""Room for objects: as much as loops of setup can fill, and no more where that can be reckoned."""

from __future__ import annotations

import pytest

from griddsl.compiler import compiled
from griddsl.envs.single.grid_env import GridEnv

SPEC = """
env: test/Room-v0
object egg:
object pan: carries 40
tile nest:
generate: empty(6, 4)
setup:
    place agent at (0, 0)
    {setup}
actions: up, right, down, left
observe: grid
info: eggs = count(egg)
limit: 20 steps
"""


def _room(setup: str) -> int:
    program = compiled(SPEC.format(setup=setup)).program
    return next(slot.length for slot in program.slots if slot.key == "OBJECT_CELL")


@pytest.mark.parametrize(
    ("setup", "room", "most"),
    [
        ("repeat 3: place nest at random floor\n    each nest: place egg at nest if free", 3, 3),
        (
            "repeat 3: place nest at random floor\n    each nest where nest.x > 2: place egg at nest if free",
            3,
            3,
        ),
        ("repeat width div 2: place egg at random free", 3, 3),
        ("repeat height - 1: place egg at random free", 3, 3),
        ("repeat 2: place nest at random floor\n    repeat 5 - count(nest): place egg at random free", 5, 3),
        ("repeat 2 * 2 until count(egg) == 3: place egg at random free", 4, 3),
        ("each floor: place egg at floor if free", 24, 24),
        ("each c in cells where c.x > 3: place egg at c", 24, 8),
        ("each c in (1..3, 2): place egg at c", 3, 3),
        ("each d in directions | diagonals: place egg at random free", 8, 8),
        ("repeat 2:\n        each nest: place egg at nest if free\n    place egg at random free", 1, 1),
    ],
)
def test_room__is_what_loops_can_fill(setup: str, room: int, most: int) -> None:
    """The tables hold what comes to be at most, and all of it comes."""
    env = GridEnv(SPEC.format(setup=setup))
    assert _room(setup) == room
    assert max(env.reset(seed=seed)[1]["eggs"] for seed in range(30)) == most


def test_room__is_not_taken_for_that_of_the_map_where_numbers_are_counted() -> None:
    """What numbers a condition holds for is no count of things: a pan holds more than the map has cells."""
    setup = "place pan at (1, 1)\n    repeat count(i in 1..38 where i > 0): place egg in pan"
    assert _room(setup) >= 39
