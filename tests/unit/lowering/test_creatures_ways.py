"""How far, how often and by which distance creatures go."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.envs.single.grid_env import GridEnv
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

STREET = """env: test/Street-v0
object cat: facing, speed 2 in -1..9, period 2 in 1..3, {moves}
var bumps: 0 in 0..99
map:
    @........
    .#######.
    c........
    {below}
legend: c = cat, d = mud
actions: stay, right
observe: position of cat
info: bumps = bumps
on cat bump wall: bumps += 1
on cat enter mud: cat.facing becomes north
limit: 30 steps
"""


def _columns(moves: str, steps: int = 5, below: str = ".........") -> list[tuple[int, int]]:
    env = GridEnv(STREET.format(moves=moves, below=below))
    env.reset(seed=0)
    found = []
    for _ in range(steps):
        x, y = env.step(0)[0]
        found.append((int(x), int(y)))
    return found


def test_forward_several_cells__enters_each_and_stops_at_what_is_not_free() -> None:
    """Two cells a step from column 0 to 8, where the border stops it."""
    assert _columns("moves forward 2") == [(2, 2), (4, 2), (6, 2), (8, 2), (8, 2)]
    assert _columns("moves forward 3", 4) == [(3, 2), (6, 2), (8, 2), (8, 2)]
    assert _columns("moves forward (self.speed - 2)", 2) == [(0, 2), (0, 2)]


def test_every_own_period__divides_the_step() -> None:
    """A creature moves in the steps that its own attribute divides."""
    assert _columns("moves forward every self.period steps", 4) == [(0, 2), (1, 2), (1, 2), (2, 2)]


def test_patrol_several_cells__turns_where_its_first_cell_is_blocked() -> None:
    """Five cells a step: it stops at the border, and goes back from there in the next step."""
    assert _columns("moves patrol 5", 4) == [(5, 2), (8, 2), (3, 2), (0, 2)]


def test_toward_by_path__goes_around_what_is_solid() -> None:
    """The cat below the wall stays under the agent by Manhattan distance, and walks around the wall by the path."""
    walled = {"moves": "moves toward agent", "below": "........."}
    env = GridEnv(STREET.format(**walled).replace("@........", "....@....").replace(".#######.", "########."))
    env.reset(seed=0)
    for _ in range(12):
        stuck = env.step(0)[0]
    assert int(stuck[1]) == 2
    by = STREET.format(moves="moves toward agent by path_distance", below=".........")
    env = GridEnv(by.replace("@........", "....@....").replace(".#######.", "########."))
    env.reset(seed=0)
    for _ in range(14):
        found = env.step(0)[0]
    assert found.tolist() == [4, 0]


def test_toward_by_path__takes_the_way_around_what_it_avoids() -> None:
    """Mud in the last row that is left makes the way impossible, and the cat stays."""
    by = STREET.format(moves="moves toward agent by path_distance avoiding mud", below=".........")
    env = GridEnv(
        by.replace("c........", "c...d....")
        .replace(".........\n", "....d....\n")
        .replace(".#######.", "########.")
    )
    env.reset(seed=0)
    assert [env.step(0)[0].tolist() for _ in range(3)] == [[0, 2]] * 3


CHASE = """
object coin: portable, worth in 1..9
object box: portable
object cat: MOVES
map:
    @.......
    ........
    a..c...b
    ........
    ...x....
legend: a = coin(worth=2), b = coin(worth=7), c = cat, x = box
actions: stay, right, pickup
info: at = cat.x + 10 * cat.y
"""


@pytest.mark.parametrize(
    ("way", "after"),
    [
        ("moves toward the coin with most coin.worth", 24),
        ("moves toward the coin with least distance(coin, self)", 22),
        ("moves away from the coin with most coin.worth", {22, 13, 33}),
        ("moves toward the portable with least distance(portable, self)", 33),
        ("moves toward (the object with least distance(object, self) where object is not self)", 33),
        ("moves toward (the coin with least coin.worth where coin.x > 3) if step > 0 else still", 24),
    ],
)
def test_sought__is_the_one_of_several(way: str, after: int | set[int]) -> None:
    """`toward the K with most E` goes for that one, whichever it is in that moment; `self` is the creature."""
    text = CHASE.replace("MOVES", way)
    text = text.replace("actions:", "on enter box: end\non enter coin: reward coin.worth\nactions:")
    found = Game(text).do("stay").info["at"]
    assert found in (after if isinstance(after, set) else {after})
    assert_plays_as_defined(completed(text), steps=10)


def test_self__is_that_very_agent() -> None:
    """`K is self` asks of each whether it is the one that the rule is about."""
    text = """
agents: hunter * 3
map:
    @..@..@
    @..@..@
actions: up, right, down, left
each hunter if step == 1: reward 10 * count(hunter where hunter is not self) + count(agent where agent is self)
info: alone = no hunter where hunter is not self and distance(hunter, self) < 3
"""
    env = griddsl.make_parallel(completed(text))
    env.reset(seed=1)
    assert env.step(dict.fromkeys(env.agents, 0))[1] == dict.fromkeys(env.possible_agents, 21.0)
    assert_plays_as_defined(completed(text), steps=10)
