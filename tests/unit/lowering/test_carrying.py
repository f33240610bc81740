"""Carrying: what is in boxes, bags and hands, how it gets there, and what becomes of it."""

from __future__ import annotations

import pytest

from tests.playing import Game, completed, problems
from tests.reference.beside import assert_plays_as_defined
from tests.typed import count_of

KINDS = """
object key: portable, color in red | blue
object box: portable, carries 1
"""


def test_legend__fills_what_carries() -> None:
    """`box(carries=key)` holds a key that is on no cell; patterns and `has` find it, boxes in chests too."""
    boxes = Game(f"""
map:
    @ABC
legend: A = box(carries=key(color=blue)), B = box, C = chest(carries=box(carries=key))
{KINDS}
object chest: carries 1
actions: right
info:
    keys = count(key)
    full = count(box(carries=key))
    blue = any box has key(color=blue)
    red = any box has key(color=red)
    chest = chest has box(carries=key(color=red))
on enter box(carries=key): reward 1
on enter box if not box has key: reward 10
""")
    assert boxes.told == {"keys": 0, "full": 1, "blue": True, "red": False, "chest": True}
    assert boxes.rewards("right right right") == [1, 10, 0]


def test_remove__lets_the_content_take_the_place() -> None:
    """Where the box lay, lies the key; its colour is its own."""
    box = Game(f"""
map:
    @B.
legend: B = box(carries=key(color=blue))
{KINDS}
actions: right, open
on do open: remove box
info: key = count(key(color=blue) where key.x == 1)
""")
    assert box.do("open").board == "@k."
    assert box.told == {"key": 1}


def test_remove__in_a_hand_leaves_the_content_in_it() -> None:
    """A box that is carried away and opened there leaves its key in the hand, and the key can be dropped."""
    box = Game(f"""
map:
    @B.
legend: B = box(carries=key)
{KINDS}
actions: right, pickup, drop, open
on do open if agent has box: remove box
info: box = agent has box, key = agent has key
""")
    assert box.do("right pickup").told == {"box": True, "key": False}
    assert box.do("right drop").board == "..@"
    assert box.do("pickup open").told == {"box": False, "key": True}
    assert box.do("drop").told == {"box": False, "key": False}
    assert box.slot("OBJECT_CELL").count(2) == 1


def test_remove__in_a_box_leaves_the_content_in_the_outer_one() -> None:
    """A box in a chest that is removed leaves its key in the chest."""
    chest = Game(f"""
map:
    @C.
legend: C = chest(carries=box(carries=key))
{KINDS}
object chest: carries 1
actions: right, open
on do open if chest has box: remove box
info: key = chest has key
""")
    assert not chest.info["key"]
    assert chest.do("open").info["key"]


def test_becomes__another_kind_gives_way_to_the_content() -> None:
    """What no longer carries is replaced by what it carried; on a layer of its own both stay; who carries keeps it."""
    things = Game("""
map:
    @ABC
legend: A = crate(carries=key), B = crate(carries=key), C = crate(carries=key)
object key:
object crate: carries 1
object ash:
object smoke: layer air
object chest: carries 1
actions: right
on enter crate if agent.x == 1: crate becomes ash
on enter crate if agent.x == 2: crate becomes smoke
on enter crate if agent.x == 3: crate becomes chest
info: keys = count(key), ash = count(ash), smoke = count(smoke), chest = any chest has key
""")
    infos = [things.do("right").told for _ in range(3)]
    assert infos[0] == {"keys": 1, "ash": 0, "smoke": 0, "chest": False}
    assert infos[1] == {"keys": 2, "ash": 0, "smoke": 1, "chest": False}
    assert infos[2] == {"keys": 2, "ash": 0, "smoke": 1, "chest": True}


def test_becomes__a_tile_gives_way_to_the_content() -> None:
    """A crate that becomes a hole leaves its key above it."""
    crate = Game("""
map:
    @A.
legend: A = crate(carries=key)
object key:
object crate: carries 1
actions: right
on enter crate: crate becomes hole
info: both = any key at (1, 0) and count(hole) == 1
tile hole:
""")
    assert crate.do("right").info["both"]


def test_place__puts_into_a_kind_a_name_and_the_agent() -> None:
    """`place K in` a kind, a name given by `as`, a chosen kind, and the agent's hands, as many as find room."""
    boxes = Game(f"""
map:
    @..
{KINDS}
object gem: portable
object bag: carries 3
agent: carries 2
setup:
    choose what in gem | key
    place box as first at (1, 0)
    place bag at (2, 0)
    place what in first
    place 2 key(color=blue) in bag
    place box(carries=key) in agent
    place key in agent
actions: open
on do open if agent has box: remove box
info:
    first = first has key or first has gem
    bag = bag has key(color=blue)
    hands = agent has key and agent has box
    gem = first has gem
""")
    assert {boxes.reset(seed).info["gem"] for seed in range(20)} == {True, False}
    assert boxes.info["first"] and boxes.info["bag"] and boxes.info["hands"]
    assert sum(index >= 0 for index in boxes.slot("OBJECT_CARRIED")) == 4
    assert boxes.do("open").info["hands"] is False
    assert sum(index >= 0 for index in boxes.slot("CARRIED")) == 2


def test_place__into_what_is_full_makes_nothing() -> None:
    """A rule that fills a full box changes nothing; removing and filling again works forever."""
    box = Game(f"""
map:
    @B.
legend: B = box
{KINDS}
actions: fill, empty
on do fill: place key in box
on do empty if box has key: remove key
info: full = box has key, things = count(box)
""")
    for _ in range(30):
        assert box.do("fill fill").told == {"full": True, "things": 1}
        assert box.do("empty").told == {"full": False, "things": 1}


def test_pickup__takes_out_of_a_box() -> None:
    """`pickup` in a rule takes what the condition found, out of the box and into the hand."""
    box = Game(f"""
map:
    @B.
legend: B = box(carries=key)
{KINDS}
actions: take, give
on do take if box has key: pickup key
on do give if agent has key: drop key
info: box = box has key, hand = agent has key, map = count(key)
""")
    assert box.do("take").told == {"box": False, "hand": True, "map": 0}
    assert box.do("give").told == {"box": False, "hand": False, "map": 1}


def test_move__takes_a_carried_thing_onto_the_map() -> None:
    """`move K to` a cell leaves no copy in the hand."""
    key = Game("""
map:
    @k.
legend: k = key
object key: portable
actions: right, pickup, throw
on do throw: move key to (2, 0)
info: hand = agent has key
""")
    assert key.do("right pickup").info["hand"]
    assert not key.do("throw").info["hand"]
    assert key.board == ".@k"


def test_minigrid_box__gives_its_content_when_toggled() -> None:
    """In MiniGrid's world a box is opened by toggling: the key lies where it stood, and opens the door."""
    room = Game("""
use: minigrid
map:
    #######
    #@B.D.#
    #######
legend: B = box(color=green, carries=key(color=blue)), D = door(state=locked, color=blue)
on enter goal: reward 1
setup: place goal at (5, 1)
""")
    assert room.board.split("\n")[1] == "#@B.Dg#"
    assert room.do("toggle").board.split("\n")[1] == "#@k.Dg#"
    assert room.do("pickup forward forward toggle forward forward").reward == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("legend: B = bag(carries=key)", "unknown-attribute"),
        ("legend: B = box(carries=goal)", "type"),
        ("setup: place goal in box", "type"),
        ("setup: place key in bag", "carries-nothing"),
        ("setup: place key in goal", "carries-nothing"),
        ("setup: place key in nowhere", "unknown-name"),
        ("setup: place bag(carries=key) at (2, 0)", "unknown-attribute"),
        ("when bag has key: reward 1", "carries-nothing"),
        ("when goal has key: reward 1", "type"),
        ("when box has goal: reward 1", "type"),
        ("tile hole: carries 2", "wrong-property"),
        ("object sack: carries 0", "bad-value"),
    ],
)
def test_mistake__is_found(line: str, code: str) -> None:
    """Each wrong use of carrying has its diagnostic."""
    legend = "" if line.startswith("legend") else "legend: B = box, b = bag, k = key, G = goal"
    found = problems(f"""
map:
    @BbkG
{legend}
object key: portable
object box: carries 1
object bag:
tile goal:
actions: right, pickup
{line}
""")
    assert code in [problem.code for problem in found], [(p.code, p.message) for p in found]


IN_HAND = """
object key: portable
object gem: color in red | blue
object coin:
object rock: portable
map:
    @gk
    cr.
legend: g = gem, k = key, c = coin, r = rock
actions: left, right, up, down
observe: carrying
"""


def test_carrying__has_a_code_for_what_rules_setup_and_legend_give() -> None:
    """A kind that is not portable but put into a hand is seen there; one that nobody can come to hold has no code."""
    game = Game(f"{IN_HAND}on enter gem: pickup gem")
    assert count_of(game.env.observation_space) == 4
    assert game.do("right").observation == 2
    game = Game(f"{IN_HAND}setup: place coin in agent\non do up if agent has coin: remove coin")
    assert game.observation == 2 and game.do("up").observation == 0
    given = IN_HAND.replace("g = gem, k", "g = agent(carries=gem), k").replace("@gk", ".gk")
    assert Game(given).observation == 2


def test_carrying__has_a_code_for_what_comes_into_a_hand_by_itself() -> None:
    """What a carried thing becomes, whatever the name that says so, and what was in one that goes, have a code."""
    game = Game(f"{IN_HAND}setup: place key in agent\nwhen step == 1 and agent has key: key becomes coin")
    assert game.observation == 1 and game.do("up").observation == 2
    game = Game(f"{IN_HAND}{RENAMED}")
    assert game.observation == 1 and game.do("up").observation == 2
    game = Game(IN_HAND.replace("key: portable", "key: portable, carries 1") + UNPACKED)
    assert game.do("up").observation == 2


RENAMED = """
setup:
    choose what in coin | coin
    place key in agent
    place rock as stone at (2, 1)
when agent has key: key becomes coin
on do down: stone becomes what
"""
UNPACKED = """
setup:
    place coin in key
on do up: pickup key, remove key
"""


@pytest.mark.parametrize(
    "rule",
    [
        "on enter gem: pickup gem",
        "setup: place coin in agent",
        "setup: place key in agent\nwhen agent has key: key becomes coin",
        "setup: place key in agent\nwhen agent has key: key becomes coin, key becomes gem",
        "on enter gem: gem becomes coin, pickup coin",
    ],
)
def test_carrying__is_as_the_reference_says(rule: str) -> None:
    """The codes and their number are those of the reference."""
    assert_plays_as_defined(completed(f"{IN_HAND}{rule}"), steps=20)


@pytest.mark.parametrize("most", [1, 2])
def test_has__of_what_is_gone(most: int) -> None:
    """A box that is not there holds nothing, whatever lies in the last cell of the map."""
    box = Game(f"""
map:
    @B.k
legend: B = box, k = key
object key: portable
object box: carries {most}
actions: right, wait
info: full = box has key
on enter box: remove box
on do wait if box has key: reward 1
""")
    assert box.told == {"full": False}
    assert box.do("right").told == {"full": False}
    assert box.rewards("wait") == [0]


@pytest.mark.parametrize("most", [1, 2])
def test_drop__puts_down_what_is_carried(most: int) -> None:
    """`drop coin` is a coin in the agent's hands, whichever came to be first; where it carries none it does nothing."""
    text = completed(f"""
map:
    @cc.c
legend: c = coin
object coin: portable, worth in 1..3
agent: carries {most}
setup:
    each coin: coin.worth = random 1..3
actions: left, right, pickup, unload, choosy
on do unload: drop coin
on do choosy: drop coin(worth=2)
observe: grid as planes (agent, coin.worth)
info: coins = count(coin where coin.x == 3)
""")
    game = Game(text)
    assert game.do("right right pickup right unload").told == {"coins": 1}
    assert_plays_as_defined(text, steps=300)
