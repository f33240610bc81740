"""What something holds is counted and asked for: `count(coin in chest)`, `any coin in agent where C`."""

from __future__ import annotations

import pytest

from tests.playing import Game, problems
from tests.reference.beside import assert_plays_as_defined

HOARD = """
env: unit/Hoard-v0
object coin: portable, worth 1 in 0..9
object gem: portable
object chest: carries 3
agent: carries {most}
map:
    @abh
    ...k
legend: a = coin(worth=4), b = coin(worth=7), h = chest(carries=coin(worth=2)), k = gem
setup: place gem in chest
define worth_of(what, who): sum(what.worth for what in who where what.worth > 3)
actions: right, down, left, pickup, drop
observe: count(coin in agent)
info:
    n = count(coin in agent)
    rich = count(coin in self where coin.worth > 5)
    sum = sum(coin.worth for coin in agent)
    best = max(coin.worth for coin in agent)
    least = min(coin.worth for coin in agent)
    any = any coin in agent where coin.worth == 7
    all = all coin in agent where coin.worth > 3
    none = no gem in chest where gem.x >= 0
    stored = count(coin in chest) + 10 * count(gem in chest)
    of = worth_of(coin, agent)
when count(coin in agent) == 2 and count(coin in chest) < 2: reward 1
limit: 30 steps
"""


def test_count__is_of_what_is_held_now() -> None:
    """Numbers and conditions are those of the things in the agent's hands, and in the chest, from the first step on."""
    game = Game(HOARD.format(most=2))
    empty = {"n": 0, "rich": 0, "sum": 0, "best": 0, "least": 0, "any": False, "all": True, "of": 0}
    assert game.told == {**empty, "none": True, "stored": 11}
    game.do("right pickup")
    assert (game.told["n"], game.told["sum"], game.told["any"], game.observation) == (1, 4, False, 1)
    assert game.do("right").rewards("pickup") == [1]
    full = {"n": 2, "rich": 1, "sum": 11, "best": 7, "least": 4, "any": True, "all": True, "of": 11}
    assert game.told == {**full, "none": True, "stored": 11}
    assert game.do("drop").told["n"] == 1


def test_group__is_counted_whatever_it_is() -> None:
    """`object` and `portable` are of all kinds that they mean: whether there is room is such a count."""
    text = HOARD.format(most=2).replace("info:", GROUPS)
    game = Game(text)
    assert (game.told["all_in"], game.told["room"], game.told["big"]) == (2, True, False)
    game.do("right pickup right pickup down pickup")
    assert (game.told["mine"], game.told["room"], game.told["big"]) == (2, False, True)
    assert_plays_as_defined(text, steps=60)


GROUPS = """info:
    all_in = count(object in chest)
    mine = count(portable in agent where portable.x < 0)
    room = count(object in agent) < 2
    big = any portable in agent where portable is coin
    weight = sum(portable.y + 1 for portable in agent)"""


@pytest.mark.parametrize("most", [1, 3])
def test_count__is_as_the_reference_says(most: int) -> None:
    """With one place and with several, all of it is what the interpreter says."""
    assert_plays_as_defined(HOARD.format(most=most), steps=120)


def test_count__of_one_that_is_gone() -> None:
    """What is not there holds nothing."""
    game = Game("""
map:
    @h.
legend: h = chest(carries=coin)
object coin:
object chest: carries 2
actions: right
info: n = count(coin in chest)
on enter chest: remove chest
""")
    assert game.told == {"n": 1}
    assert game.do("right").told == {"n": 0}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("on act: n = count(coin in mud)", "type"),
        ("on act: n = count(coin in bag)", "carries-nothing"),
        ("on act: n = count(coin in nowhere)", "unknown-name"),
        ("on act: n = count(coin in box | agent)", "duplicate-name"),
        ("on act: n = count(coin in 0..3)", "duplicate-name"),
        ("on act: n = count(coins in agent)", "bad-domain"),
        ("on act: n = count(agent has coin)", "wrong-arguments"),
        ("each step:\n    each coin in agent: remove coin", "bad-domain"),
    ],
)
def test_mistake__is_found(line: str, code: str) -> None:
    """Each wrong use has its diagnostic."""
    found = problems(f"""
map:
    @Bbcm
legend: B = box, b = bag, c = coin, m = mud
object coin: portable
object box: carries 1
object bag:
tile mud:
var n: 0 in 0..9
actions: right, pickup
{line}
""")
    assert [problem.code for problem in found if problem.severity == "error"] == [code]
