"""Who bumps into what, and who comes to whom: only what is in the way stops, and nobody comes to itself."""

from __future__ import annotations

import gymnasium as gym
import pytest

import griddsl
from tests.reference.beside import assert_plays_as_defined

SPEC = """
env: test/Stopping-v0
{agents}
object crate: solid
object stone: pushable
object key: portable
object door: solid unless open, state in open | closed
object cat: facing, layer cats, moves forward avoiding portable
tile mat:
tile valve: one_way west
map:
    {row}
    ######
legend: c = crate on mat, s = stone on mat, k = key on mat, d = door(state=closed) on mat, o = door(state=open) on mat
legend: m = mat, v = valve, C = cat(facing=east)
{legend}
actions: right, left
observe: cell
{more}
{rules}
limit: 9 steps
"""
BUMPS = [
    ("@c....", "on bump crate", True),
    ("@c....", "on bump mat", False),
    ("@s#...", "on bump stone", True),
    ("@s#...", "on bump mat", False),
    ("@s#...", "on stone bump wall", True),
    ("@sc...", "on stone bump crate", True),
    ("@sc...", "on stone bump mat", False),
    ("@d....", "on bump door", True),
    ("@d....", "on bump mat", False),
    ("@v....", "on bump valve", True),
    ("@#....", "on bump wall", True),
    ("@m....", "on enter mat", True),
    ("@m....", "on enter agent", False),
    ("@s....", "on stone enter floor", True),
    ("@.Ck..", "on cat bump key", True),
    ("@.Ck..", "on cat bump mat", False),
    ("@.Cc..", "on cat bump crate", True),
    ("@.Co..", "on cat enter cat", False),
    ("@.Co..", "on cat enter door", True),
]


TWO = {"agents": "agents: red, blue", "legend": "legend: r = red, b = blue"}
ONE = {"agents": "", "legend": ""}


def _paid(row: str, rule: str, agents: dict[str, str] = ONE, more: str = "") -> bool:
    text = SPEC.format(row=row, rules=f"{rule}: reward 1", more=more, **agents)
    assert_plays_as_defined(text, 9, (1,))
    if agents is TWO:
        env = griddsl.make_parallel(text)
        env.reset(seed=0)
        return any(env.step(dict.fromkeys(env.agents, 0))[1].values())
    single = griddsl.make(text)
    assert isinstance(single, gym.Env)
    single.reset(seed=0)
    return bool(single.step(0)[1])


@pytest.mark.parametrize(("row", "rule", "fires"), BUMPS, ids=lambda value: str(value))
def test_rule__fires_for_what_is_in_the_way(row: str, rule: str, fires: bool) -> None:
    """A step to the right pays only where the rule speaks of what stops, or of another that is there."""
    assert _paid(row, rule) is fires


@pytest.mark.parametrize(
    ("row", "rule", "fires", "contested"),
    [
        ("r.b...", "on enter blue", False, "share"),
        ("rb#...", "on enter blue", True, "share"),
        ("rb#...", "on red enter agent", True, "share"),
        ("rb#...", "on blue enter agent", False, "share"),
        ("ro.b#.", "on enter agent", False, "block"),
        ("rb#...", "on bump agent", True, "block"),
        ("rb#...", "on red bump floor", False, "block"),
    ],
)
def test_agents__come_to_others_alone(row: str, rule: str, fires: bool, contested: str) -> None:
    """Both go right: who comes to another is paid, and nobody for coming to a cell by itself."""
    assert _paid(row, rule, TWO, f"contested: {contested}") is fires


def test_open_door__does_not_stop_who_stops_for_another() -> None:
    """Blue stands in the open door and stays; red bumps into blue, not into the door."""
    assert _paid("rb#...", "on bump agent", TWO)
    text = SPEC.format(
        row="ro#b..", rules="on bump door: reward 1", more="setup: place blue at (1, 0)", **TWO
    )
    env = griddsl.make_parallel(text)
    env.reset(seed=0)
    assert not any(env.step(dict.fromkeys(env.agents, 0))[1].values())
