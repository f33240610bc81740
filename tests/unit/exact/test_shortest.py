"""Setup that asks how hard a level is: ``until solvable`` and ``until optimal_length``."""

from __future__ import annotations

from collections import deque

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.envs.single.grid_env import GridEnv
from griddsl.exact.draws import ExactError
from griddsl.exact.shortest import searcher

LEVEL = """
env: test/Level-v0
map:
    .....
    .....
    .....
    ....G
legend: G = goal
setup:
    retry 500 until {condition}:
        place 7 wall at random floor
        place agent at random floor
actions: up, right, down, left
observe: cell
each step: reward -1
on enter goal: end success
limit: 40 steps
"""


def way_on_the_map(env: GridEnv) -> int | None:
    """Return the length of the way to the goal by a search of its own over the drawn map; None where there is none."""
    rows = env.text().splitlines()
    cells = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row.ljust(5, "."))}
    start = next(cell for cell, c in cells.items() if c == "@")
    far, queue = {start: 0}, deque([start])
    while queue:
        x, y = queue.popleft()
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cells.get(there, "#") != "#" and there not in far:
                far[there] = far[(x, y)] + 1
                queue.append(there)
    return far.get((4, 3))


@pytest.mark.parametrize(
    ("condition", "fits"),
    [
        ("solvable", lambda way: way is not None),
        ("optimal_length >= 6", lambda way: way is not None and way >= 6),
        ("optimal_length == 4 or optimal_length == 5", lambda way: way in {4, 5}),
        ("not solvable", lambda way: way is None),
    ],
)
def test_levels__are_as_hard_as_asked(condition: str, fits: object) -> None:
    """Every drawn level fits the condition by a search that knows only the map; without it some would not."""
    env = griddsl.make(LEVEL.format(condition=condition))
    free = griddsl.make(LEVEL.format(condition="true"))
    assert callable(fits)
    others = 0
    for seed in range(25):
        env.reset(seed=seed)
        assert fits(way_on_the_map(env))
        free.reset(seed=seed)
        others += not fits(way_on_the_map(free))
    assert others


def test_shortest__counts_what_can_happen() -> None:
    """Chance counts as luck: a slippery way is as long as its best case; another end than success is none."""
    spec = """
env: test/Lucky-v0
map: @.X.G
legend: X = pit, G = goal
actions: right, hop = move east 2
slip: 1/2 back
observe: cell
on enter pit: end failure
on enter goal: end success
"""
    env = griddsl.make(spec.replace("map: @.X.G", "map:\n    @.X.G"))
    env.reset(seed=0)
    assert searcher(env.program)(list(env._s), list(env._f)) == -1
    env = griddsl.make(spec.replace("map: @.X.G", "map:\n    @...G"))
    env.reset(seed=0)
    assert searcher(env.program)(list(env._s), list(env._f)) == 2


def test_shortest__sees_starts_and_memories_that_setup_has_not_kept_yet() -> None:
    """What `go to start` and `lowest` read is there when setup asks."""
    spec = """
env: test/Begun-v0
map:
    ....
    ...G
legend: G = goal
setup:
    retry 100 until optimal_length == 3:
        place agent at random floor
actions: right, down, home
observe: cell
on do home: go to start
when lowest(distance(agent, goal)) == 0: end success
"""
    env = griddsl.make(spec)
    for seed in range(10):
        env.reset(seed=seed)
        cell = env.get_state()[0][env.program.layout.offsets["AGENT_CELL"]]
        assert abs(cell % 4 - 3) + abs(cell // 4 - 1) == 3


def test_shortest__is_refused_where_it_cannot_be_found() -> None:
    """Too many states, compiled backends and several learners are refused with the reason."""
    with pytest.raises(ValueError, match="the search for the shortest way"):
        griddsl.make(LEVEL.format(condition="solvable"), backend="native")
    two = LEVEL.format(condition="solvable").replace("\nmap:", "\nagents: red, blue\nmap:")
    two = two.replace("place agent", "place 2 agent")
    assert [diagnostic.code for diagnostic in griddsl.check(two)] == ["wrong-place"]
    large = """
env: test/Large-v0
map:
    @ooooooooooooooooooo
legend: o = light
object light: lit in true | false
agent: facing
setup:
    retry 2 until solvable:
        place floor at (0, 0)
actions: right, toggle
observe: cell
on toggle light:
    if light.lit: light.lit becomes false
    else: light.lit becomes true
when all light is lit: end success
"""
    env = griddsl.make(large)
    with pytest.raises(ExactError, match="more than 200,000 states"):
        env.reset(seed=0)


def test_plug_ins__are_named_in_the_program() -> None:
    """Only a spec that asks has the search."""
    assert set(compiled(LEVEL.format(condition="solvable")).program.plug_ins) == {"shortest"}
    assert not compiled(LEVEL.format(condition="true")).program.plug_ins
