"""One of several: the thing or cell of which a number is least or most, and the thing that is drawn."""

from __future__ import annotations

import griddsl
from griddsl.envs.single.grid_env import GridEnv
from griddsl.syntax.printer import to_text
from tests.reference.beside import assert_plays_as_defined

SKY = """env: test/Sky-v0
object alien: hp in 0..3
map:
    @.a..a
    a.....
legend: a = alien
actions: left, right, stay
observe:
    where = position of the alien with {which}
    count = count(alien)
{more}
limit: 9 steps
"""


def _made(which: str = "least alien.x", more: str = "") -> GridEnv:
    return GridEnv(SKY.format(which=which, more=more))


def _where(which: str) -> tuple[int, int]:
    observation, _ = _made(which).reset(seed=0)
    x, y = observation["where"]
    return int(x), int(y)


def test_the_least__is_the_first_where_several_are() -> None:
    """Of several things with the same number it is the one that came to be first; `where` limits whom it is asked of."""
    assert _where("least alien.x") == (0, 1)
    assert _where("most alien.x") == (5, 0)
    assert _where("least alien.y") == (2, 0)
    assert _where("most 0") == (2, 0)
    assert _where("least alien.x where alien.y == 0") == (2, 0)
    assert _where("least alien.x / 2 where alien.x > 9") == (-1, -1)


def test_effects_on_one_of_several__do_nothing_where_none_qualifies() -> None:
    """A name that means nothing is asked for first values, and what is done to it is not done."""
    env = _made(
        more="each step:\n    let t = the alien with least alien.y where alien.hp > 2\n    t.hp = 3\n    remove t"
    )
    env.reset(seed=0)
    assert env.step(2)[0]["count"] == 3


def test_choose_of_things__draws_all_of_those_that_qualify() -> None:
    """Each qualifying thing is drawn in some episode, no other ever, and distinct ones differ."""
    env = _made(
        more="setup:\n    choose t in alien where t.x > 0\n    choose a, b distinct in alien\n    remove t\n    if a is b: remove a"
    )
    seen = set()
    for seed in range(40):
        observation, _ = env.reset(seed=seed)
        assert observation["count"] == 2
        seen.add(tuple(observation["where"].tolist()))
    assert seen == {(0, 1)}


def test_choose_of_things__is_exact() -> None:
    """Every thing is drawn with the same chance in the exact model."""
    spec = SKY.format(which="least alien.x", more="setup:\n    choose t in alien\n    remove t")
    mdp = griddsl.to_mdp(spec)
    assert sorted(mdp.initial[mdp.initial > 0].tolist()) == [1 / 3] * 3


def test_ground_that_a_name_stands_for__changes() -> None:
    """`let w = wall` before `w becomes floor`, and `self becomes floor`, change the ground as the kind's own name does."""
    for more in (
        "each step:\n    let w = wall\n    w becomes floor",
        "each wall: self becomes floor",
        "each step: (the wall with least wall.x) becomes floor",
        "each step:\n    choose w in wall\n    remove w",
    ):
        spec = SKY.format(which="least alien.x", more=f"info: walls = count(wall)\n{more}").replace(
            "@.a", "@#a"
        )
        env = GridEnv(spec)
        assert env.reset(seed=0)[1]["walls"] == 1
        assert env.step(2)[4]["walls"] == 0


PILE = """env: test/Pile-v0
object ball: portable, weight 1 in 0..9
object crate: pushable
map:
    ......
    .@bb..
    ..bc..
    ....c.
legend: b = ball(weight=random 0..9), c = crate
actions: up, right, down, left, pickup, drop
observe: grid
each step:
    move (the ball with least ball.weight where ball.x < 4) (north if step mod 3 == 0 else east)
    move (the crate with most crate.y) west
    if step mod 5 == 0: move (the ball with most ball.weight) to random floor
on act if step mod 7 == 0: pickup (the ball with least ball.weight + ball.x)
on act if step mod 11 == 0: remove (the ball with most ball.x)
on act if step mod 4 == 0: drop the ball with least ball.weight
each ball: reward 0.1 * ball.x
limit: 30 steps
"""


def test_one_of_several__stands_in_brackets_in_every_effect() -> None:
    """`move (the K with least E) north`, and `pickup`, `drop` and `remove`, which need no brackets, with them."""
    assert_plays_as_defined(PILE, steps=40)
    bare = PILE.replace("remove (the ball with most ball.x)", "remove the ball with most ball.x")
    said = [
        [to_text(effect) for rule in griddsl.load(text).rules for effect in rule.effects]
        for text in (bare, PILE)
    ]
    assert said[0] == said[1]
