"""Sight lines: who sees whom past what is opaque, the same from either end."""

from __future__ import annotations

from griddsl.envs.single.grid_env import GridEnv

ROOM = """env: test/Room-v0
map:
{rows}
legend: c = curtain
object curtain: opaque
actions: stay, left
observe: grid as planes (any agent where agent sees here)
limit: 5 steps
"""


def _seen(rows: str) -> list[str]:
    env = GridEnv(ROOM.format(rows="\n".join(f"    {row}" for row in rows.split())))
    planes = env.reset(seed=0)[0]
    return ["".join("x" if cell else "." for cell in row) for row in planes.tolist()]


def test_sight__ends_behind_what_is_opaque() -> None:
    """What is opaque is seen itself, and hides what the line to it passes through."""
    assert _seen("@.#..") == ["xxx.."]
    assert _seen("@.#..c .....#") == ["xxx...", "xxxx.."]
    assert _seen("@...... ..#.... .......") == ["xxxxxxx", "xxx..xx", "xxx...."]


def test_sight__passes_corners() -> None:
    """Past two walls that meet at a corner one sees along the diagonal; a wall on the diagonal hides it."""
    assert _seen("@#. #.. ...") == ["xx.", "xx.", "..x"]
    assert _seen("@.. .#. ...") == ["xxx", "xx.", "x.."]


def test_sight__is_the_same_from_either_end() -> None:
    """On random boards a watchman sees the agent exactly where the agent sees it, near or far."""
    spec = """env: test/Both-v0
object watchman: layer eyes
generate: empty(9, 7)
setup:
    place 16 wall at random floor
    place agent at random floor
    place watchman at random floor
actions: stay
observe: flags(agent sees watchman, watchman sees agent, agent sees watchman within 3, watchman sees agent within 3)
limit: 5 steps
"""
    env = GridEnv(spec)
    seen = [tuple(env.reset(seed=seed)[0].tolist()) for seed in range(300)]
    assert all(each[0] == each[1] and each[2] == each[3] <= each[0] for each in seen)
    assert {each[0] for each in seen} == {0, 1}
