"""Loops in blocks, and what is said of things, numbers, words and cells that a name goes through."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.reader import read_document
from tests.playing import Game, completed
from tests.reference.beside import assert_plays_as_defined

HEAD = """
object rock: weight in 1..3
region left_side: (0..1, 0..2)
map:
    @.a..
    ..b..
    ..c..
legend: a = rock(weight=2), b = rock(weight=1), c = rock(weight=3)
actions: left, right
observe: grid
info: hall = agent on left_side, heavy = any rock where rock.weight > 2
"""


def game(rules: str, head: str = HEAD) -> Game:
    """Return a game that the executable semantics plays the same way."""
    assert_plays_as_defined(completed(head + rules), steps=10)
    return Game(head + rules)


def reward(expression: str) -> float:
    """Return the reward of a step that is worth an expression."""
    return game(f"each step: reward {expression}\n").rewards("left")[0]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count(i in 0..4 where i mod 2 == 0)", 3),
        ("count(i in 3..1 where true)", None),
        ("sum(i * i for i in 1..3)", 14),
        ("sum(i for i in 1 | 5 | 7 where i > 1)", 12),
        ("count(d in directions | diagonals where d is not north)", 7),
        ("count(c in cells where c.x == 1)", 3),
        ("count(c in left_side where c.y == 2)", 2),
        ("count(cell where rock at here)", 3),
        ("sum(x for cell where y == 0)", 10),
        ("1 if any rock where rock.weight > 2 else 0", 1),
        ("1 if all rock where rock.weight > 1 else 0", 0),
        ("1 if no rock(weight=1) where rock.y == 0 else 0", 1),
        ("1 if any cell where here on floor and x == 4 else 0", 1),
        ("1 if all i in 0..2 where count(rock where rock.y == i) == 1 else 0", 1),
        ("sum(count(rock(weight=w)) * w for w in 1..3)", 6),
        ("(1 if any rock where rock.y == 0 else 0) + (1 if not (any rock where rock.x == 0) else 0)", 2),
    ],
)
def test_going_through__counts_and_asks(expression: str, value: float | None) -> None:
    """Numbers, words, cells and things; an empty range of constants is a mistake."""
    if value is None:
        assert [
            each.code for each in griddsl.check(completed(f"{HEAD}each step: reward {expression}\n"))
        ] == ["bad-domain"]
    else:
        assert reward(expression) == value


def test_each__goes_by_an_order_that_is_asked_before() -> None:
    """The lowest first; `down` turns it around; equal ones as they came to be."""
    for by, order in (("", 213), (" by rock.weight", 123), (" by rock.weight down", 321), (" by 0", 213)):
        rules = f"var n: 0 in 0..999\neach step:\n    n = 0\n    each rock{by}: n = n * 10 + rock.weight\n    reward n\n"
        assert game(rules).rewards("left") == [order]


def test_each__lets_a_row_move_from_its_front() -> None:
    """In the rules after all moves what a round moves is there before the next."""
    falling = "each step:\n    each rock by rock.y{}: move rock south\n"
    head = HEAD.replace("    ..c..\n", "    ..c..\n    .....\n")
    assert game(falling.format(" down"), head).do("left").board == "@....\n..a..\n..b..\n..c.."
    assert game(falling.format(""), head).do("left").board == "@.a..\n..b..\n.....\n..c.."


def test_each__counts_what_was_there() -> None:
    """What a round makes does not come up, and what is removed is passed over."""
    rules = """
each step:
    each rock:
        place rock at (rock.x + 1, rock.y)
        reward 1
"""
    assert game(rules).rewards("left") == [3]
    rules = """
each step:
    each rock:
        reward 1
        if rock.weight == 2:
            each rock(weight=3): remove rock
"""
    assert game(rules).rewards("left") == [2]


def test_repeat__stands_in_rules() -> None:
    """It slides a thing, as far as it goes, and stops where its condition holds."""
    sliding = "when step == 1:\n    repeat 9{}:\n        each rock(weight=1): move rock west\n"
    assert game(sliding.format("")).do("left").board.split("\n")[1] == "b...."
    assert (
        game(sliding.format(" until any rock where rock.x == 1")).do("left").board.split("\n")[1] == ".b..."
    )


def test_each__puts_words_and_kinds_in_their_places() -> None:
    """A list is as if the block were written once for each."""
    text = """
object key:
object ball:
generate: empty(4, 1)
setup:
    place agent at (0, 0)
    each k in key | ball: place k at random free
actions: left, right
observe: grid
each step:
    each k in key | ball:
        if count(k) == 1: reward 1
    each way in east | west:
        if agent.facing is way: reward 10
agent: facing
"""
    assert_plays_as_defined(completed(text), steps=8)
    assert Game(text).rewards("right") == [12.0]


@pytest.mark.parametrize("form", [to_grid, to_toml])
def test_loops__are_converted_without_loss(form: object) -> None:
    """Each spelling says the same as the other."""
    text = completed(
        HEAD.lstrip("\n")
        + "each step:\n    each rock where rock.y > 0 by rock.x down:\n        each i in 0..2: reward i\n"
        "    if no cell where x > 9: reward sum(i for i in 0..2 where i > 1)\n"
    )
    document = read_document(Source("a.grid", text), Report())
    again = form(document)  # type: ignore[operator]
    assert griddsl.load(again) == griddsl.load(text)


ROAD = """
object car: layer cars, edge wrap
    way in east | west | north
    speed in 1..5
map:
    c...@
    .d...
legend: c = car(way=west, speed=random 2..3), d = car(way=random east | west)
actions: left, right
info: all_fast = all car where car.speed > 1
"""


def test_edge_of_a_kind__holds_for_what_moves_by_a_rule() -> None:
    """A car comes in at the other side; the agent stays at the border."""
    played = game("observe: grid\neach car: move car (car.way)\n", ROAD).do("right")
    assert played.board.split("\n")[0] == "....@" and played.board.count("c") + played.board.count("d") >= 1


def test_random__draws_a_part_of_a_domain() -> None:
    """In the legend, in rules, of words and of numbers; what it never is, it never becomes."""
    rules = "observe: grid\non bump edge:\n    each car: car.way becomes random east | north, car.speed = random 4..5\n"
    played = game(rules + "each car: reward car.speed\n", ROAD)
    assert {played.rewards("left")[0] for _ in range(1)} <= {3.0, 4.0, 5.0, 8.0}
    later = [played.reset().rewards("right")[0] for _ in range(12)]
    assert set(later) <= {8.0, 9.0, 10.0} and len(set(later)) > 1


def test_planes__are_of_any_condition() -> None:
    """What asks for the cell is a plane, and so is what looks at things elsewhere."""
    played = game("observe: grid as planes (any car where car.y == y, x == 0, x + y)\n", ROAD)
    assert played.observation[..., 0].tolist() == [[1.0] * 5, [1.0] * 5]
    assert played.observation[..., 1].tolist() == [[1.0, 0, 0, 0, 0]] * 2
    assert played.observation[1, 4, 2] == 5.0


RANGES = """
param n: 1 in 0..3
param first: 1 in 0..9
tile lava:
map:
    @....
    .....
setup:
    each i in first..n: place lava at (i, 1)
actions: left, right, down, up
observe: grid
each step: reward count(i in first..n where i > 0) + 100 * sum(i for i in first..n)
when any i in first..n where i >= 0: reward 0.5
when no i in first..n where i >= 0: reward 0.25
when all i in first..n where i > 9: reward 0.125
each step:
    each i in first..n:
        each k in i..n - 1: reward 1000
on enter lava: reward -1
"""


@pytest.mark.parametrize(
    ("n", "first", "worth"), [(0, 1, 0.375), (0, 9, 0.375), (1, 1, 101.5), (2, 1, 1302.5), (3, 3, 301.5)]
)
def test_each__goes_through_nothing_where_a_parameter_makes_a_range_empty(
    n: int, first: int, worth: float
) -> None:
    """A loop, a condition and a sum over `first..n` have nothing to go through where `n` is below `first`."""
    text = completed(RANGES)
    spec = compiled(text, n=n, first=first).model
    assert_plays_as_defined(spec, steps=20)
    assert griddsl.check(text, n=n, first=first) == []
    env = griddsl.make(text, n=n, first=first)
    env.reset(seed=0)
    assert env.step(0)[1] == worth


def test_each__of_a_range_that_a_parameter_makes_empty_is_read_all_the_same() -> None:
    """What is misspelt in a block is told whatever the parameter is; a range that is written empty is one more."""
    text = completed(RANGES)
    assert [each.code for each in griddsl.check(text.replace("reward 1000", "reward q"), n=0)] == [
        "unknown-name"
    ]
    assert [each.code for each in griddsl.check(text.replace("k in i..n - 1", "k in 3..1"))] == ["bad-domain"]
