"""Values where a direction or a kind stands: parameters, variables and chosen names say which it is."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.program.verify import verify
from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

PLACED = """
param who: crate in crate | gem
var what: key in key | ball | crate
object key: portable, color in red | blue
object ball: portable, color in red | blue, layer top
object crate: solid, pushable
object gem: portable, moves random
agent: carries 2, facing
map:
    @...f.
    ..#...
once: place who at random floor
setup: place what at random floor
actions: up, right, down, left, pickup, drop, toggle
observe: board = grid, hands = carrying
on pickup ball: what becomes crate, reward 1
on pickup key: place what in agent, reward 2
on do toggle:
    each portable where portable.x > 1: portable becomes what
on bump crate: what becomes random, place who at random free if free
each step with chance 0.2: place 2 what at random floor
every 3 steps: place what in row 1
when what ahead: reward 0.5
legend: f = floor
"""


@pytest.mark.parametrize("who", ["crate", "gem"])
def test_values__say_what_is_placed(who: str) -> None:
    """A variable and a parameter stand for the kind that they are where things are placed, become others, are carried."""
    game = compiled(completed(PLACED), who=who)
    verify(game.program)
    assert_plays_as_defined(game.model, steps=150, seeds=(0, 1, 2))
    model = griddsl.make_model(completed(PLACED), who=who)
    state = model.sample_initial_state(0)
    assert who in {thing["kind"] for thing in model.describe(state)["objects"]}


WAYS = """
param way: {way} in east | south | northeast
tile belt: carry way
tile fan: drift way 1 | 2
tile gate: one_way way
agent: facing
map:
    @bfg.
    .bfg.
    .fgb.
legend: b = belt, f = fan, g = gate
actions: up, right, down, left, run = move way 2
observe: at = cell, look = facing
"""


@pytest.mark.parametrize("way", ["east", "south", "northeast"])
def test_parameters__say_which_way(way: str) -> None:
    """A parameter is the direction of a belt, of wind, of what is entered one way, and of an action."""
    by_word = WAYS.replace("param way: {way} in east | south | northeast\n", "").replace(" way", f" {way}")
    game = compiled(completed(WAYS.format(way="east")), way=way)
    verify(game.program)
    assert_plays_as_defined(game.model, steps=150, seeds=(0, 1))
    said = griddsl.make(completed(WAYS.format(way="east")), way=way), griddsl.make(completed(by_word))
    for env in said:
        env.reset(seed=3)
    for action in [4, 1, 2, 4, 1, 1, 3, 4, 2, 1, 4]:
        found = [env.step(action) for env in said]
        assert found[0][0]["at"] == found[1][0]["at"]


@pytest.mark.parametrize(
    ("declared", "drawn"),
    [("param way: northeast in east | northeast", "@"), ("", "A")],
    ids=["parameter", "legend"],
)
def test_facing__has_room_for_the_diagonals_that_are_named(declared: str, drawn: str) -> None:
    """What a parameter or the legend says is in the space of what is observed."""
    turn = "on do dig: turn to (way)" if declared else ""
    env = griddsl.make(
        completed(
            f"{declared}\nagent: facing\nmap:\n    {drawn}..\nlegend: A = agent(facing=northeast)\n"
            f"actions: left, dig\nobserve: facing\n{turn}\n"
        )
    )
    env.reset(seed=0)
    seen = env.step(1)[0]
    assert seen == 7
    assert env.observation_space.contains(seen)


FACINGS = """
agent: facing
agents: red, blue
map:
    @..@
actions: {actions}
observe:
    mine = facing
    own = self.facing
    theirs = other.facing
    shown = other.facing as onehot
    both = index(self.facing, other.facing)
"""


@pytest.mark.parametrize(
    ("actions", "count"), [("left, right, turn_left", 4), ("left, up_right, turn_left", 8)]
)
def test_facing__has_one_space_however_it_is_said(actions: str, count: int) -> None:
    """`agent.facing` counts the directions that `facing` does: four where nobody can face a diagonal."""
    text = completed(FACINGS.format(actions=actions))
    space: Any = griddsl.make_parallel(text).observation_space("red")
    assert [space[name].n for name in ("mine", "own", "theirs", "both")] == [count] * 3 + [count**2]
    assert space["shown"].shape == (count,)
    assert_plays_as_defined(compiled(text).model, steps=40, seeds=(0,))
