"""Moves aside: ``strafe_left`` and ``strafe_right`` go by the facing, and leave it alone."""

from __future__ import annotations

import pytest

import griddsl

ROOM = """\
env: strafe/Room-v0
map:
    ........
    ........
    ...>....
    ........
    ......#.
legend: ">" = agent(facing=FACING)
actions: strafe_left, strafe_right, forward, backward, leap = move strafe_right 3
observe tuple: self.x, self.y, self.facing
limit: 30 steps
"""


@pytest.mark.parametrize(
    ("facing", "left", "right"),
    [
        ("east", (3, 1), (3, 3)),
        ("south", (4, 2), (2, 2)),
        ("west", (3, 3), (3, 1)),
        ("north", (2, 2), (4, 2)),
    ],
)
def test_strafing__goes_aside_and_faces_on(
    facing: str, left: tuple[int, int], right: tuple[int, int]
) -> None:
    """Left and right are those of the agent."""
    env = griddsl.make(ROOM.replace("FACING", facing))
    for action, there in ((0, left), (1, right)):
        started, _ = env.reset(seed=0)
        seen, *_ = env.step(action)
        assert (int(seen[0][0]), int(seen[1][0])) == there and seen[2] == started[2]


def test_strafing__is_a_move_like_any_other() -> None:
    """Several cells, what is solid, a bump, and who gets a contested cell."""
    env = griddsl.make(ROOM.replace("FACING", "east") + "on bump wall: reward -1\non bump edge: reward -2\n")
    env.reset(seed=0)
    rewards = [env.step(action)[1] for action in (2, 2, 2, 4, 4)]
    assert rewards == [0.0, 0.0, 0.0, -1.0, -1.0]
    two = ROOM.replace("...>....", "r.b.....").replace(
        '">" = agent(facing=FACING)', "r = red(facing=north), b = blue(facing=north)"
    )
    game = griddsl.make_parallel(two.replace("env: strafe/Room-v0", "env: strafe/Two-v0\nagents: red, blue"))
    game.reset(seed=0)
    seen, *_ = game.step({"red": 1, "blue": 0})  # both want the cell between: `contested: block`
    assert [int(seen[name][0][0]) for name in ("red", "blue")] == [0, 2]
