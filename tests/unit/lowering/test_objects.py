"""Objects: attributes, layers, solidity, handling, pushing, what they become, and where they are put."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playing import Game, drawing, problems

COLORED = "object key: color in red | green | blue, worth 1 in 0..9"


def test_attributes__have_defaults_and_are_given_by_the_legend() -> None:
    """A key is red and worth 1 where the legend does not say otherwise."""
    keys = Game(f"""
map:
    @abc
legend: a = key, b = key(color=blue), c = key(color=green, worth=7)
{COLORED}
actions: right
on enter key: reward key.worth
on enter key(color=blue): reward 100
on enter key if key is green: reward 1000
""")
    assert keys.rewards("right right right") == [1, 101, 1007]


def test_attributes__are_drawn_where_the_legend_says_random() -> None:
    """`key(color=random)` is drawn at every reset, each thing for itself."""
    keys = Game(f"""
map:
    @kk
legend: k = key(color=random)
{COLORED}
actions: right
on enter key if key is blue: reward key.worth
""")
    seen = {tuple(keys.reset(seed).slot(("OBJECT", "color"))) for seed in range(100)}
    assert len(seen) == 9


def test_legend__puts_an_object_on_a_tile() -> None:
    """`box on target` is both."""
    room = Game("""
map:
    @B.
legend: B = box on target
object box: pushable
actions: right
on box leave target: reward 1
when agent on target: reward 10
""")
    assert room.rewards("right") == [11]


def test_layers__hold_one_object_each() -> None:
    """A coin on the ground and a bird in the air share a cell; both are entered."""
    sky = Game("""
map:
    @.c
legend: c = coin
object coin: layer ground
object bird: layer air
setup: place bird at (2, 0), place coin at (2, 0) if free
actions: right, left
on enter coin: reward 1, remove coin
on enter bird: reward 10
""")
    assert sky.board == "@.b"
    assert sky.rewards("right right left right") == [0, 11, 0, 10]


def test_solid_unless__lets_pass_by_state() -> None:
    """A door blocks until it is open, and is bumped."""
    door = Game("""
map:
    @D.
legend: D = door
object door: solid unless open, state in closed | open
actions: right, open
on do open: door becomes open
on bump door: reward -1
on enter door: reward 1
""")
    assert door.rewards("right open right") == [-1, 0, 1]


def test_handling__without_a_facing_acts_on_the_own_cell() -> None:
    """An agent that carries two takes what it stands on, and puts down what it took last where there is room."""
    keys = Game("""
map:
    @kkk.
legend: k = key
object key: portable
agent: carries 2
actions: right, left, pickup, drop
on pickup key: reward 1
on drop key: reward 2
on fail pickup: reward -1
on fail drop: reward -2
""")
    assert keys.rewards("drop pickup right pickup pickup") == [-2, -1, 0, 1, -1]
    assert keys.rewards("right pickup right pickup drop") == [0, 1, 0, -1, -2]
    assert keys.rewards("right drop left left drop") == [0, 2, 0, 0, 2]
    assert keys.board == "..@kk"


def test_handling__with_a_facing_acts_ahead() -> None:
    """What is picked up, dropped and toggled lies ahead; a wall and the border give no room."""
    key = Game("""
map:
    @k#
    ..#
legend: k = key
object key: portable, solid
actions: turn_left, turn_right, forward, pickup, drop, toggle
on toggle key: reward 5
on fail toggle: reward -5
on fail drop: reward -2
on fail pickup: reward -1
""")
    assert key.rewards("toggle forward pickup pickup toggle drop") == [5, 0, 0, -1, -5, 0]
    assert key.rewards("pickup forward drop turn_right drop") == [0, 0, -2, 0, 0]
    assert key.board == drawing("""
        .@#
        .k#
    """)


def test_has__asks_for_a_kind_and_its_attributes() -> None:
    """The lock opens for the key of its colour, which the condition names."""
    lock = Game("""
map:
    @rbL
legend: r = key(color=red), b = key(color=blue), L = lock
object key: portable, color in red | blue
object lock: color blue in red | blue, solid
agent: carries 2, facing
actions: right, pickup, open
on do open if agent has key(color=lock.color): reward 1, remove key
on enter key: pickup key
""")
    assert lock.rewards("right open right open open") == [0, 0, 0, 1, 0]
    assert lock.slot("CARRIED")[1] == -1


def test_has__of_a_named_thing_is_about_that_very_thing(tmp_path: Path) -> None:
    """In a rule on a key, `agent has key` asks for this key: one that is entered lies there, which is warned of."""
    text = """
env: a/Keys-v0
map:
    @kk
legend: k = key
object key: portable
agent: carries 2
actions: right, pickup
on enter key if agent has key: reward 100
on pickup key if agent has key: reward 1
limit: 9 steps
observe: cell
"""
    assert {problem.code for problem in problems(text)} == {"never-fires", "lies-there"}
    file = tmp_path / "keys.grid"
    file.write_text(text, encoding="utf-8")
    assert Game(file).rewards("right pickup right pickup") == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("row", "board", "rewards"),
    [
        ("@b..#", "..@b#", [1, 1, -1]),
        ("@bb.#", ".@bb#", [1, -1, -1]),
        ("@bbb.", "@bbb.", [-1, -1, -1]),
        ("@b.hh", ".@bhh", [1, -1, -1]),
        ("@h.h#", ".@hh#", [1, -1, -1]),
    ],
)
def test_push__moves_rows_as_long_as_it_can(row: str, board: str, rewards: list[float]) -> None:
    """`pushable 2` moves two in a row, `pushable` one; what does not give way is bumped."""
    boxes = Game(f"""
map:
    {row}
    @.bh.
    ...#.
legend: b = box, h = heavy
object box: pushable 2
object heavy: pushable
setup: place agent at (0, 0)
actions: right
on push box: reward 1
on push heavy: reward 1
on bump box: reward -1
on bump heavy: reward -1
""")
    assert boxes.rewards("right right right") == rewards
    assert boxes.board.split("\n")[0] == board


def test_push__raises_events_for_each_box_and_for_what_it_hits() -> None:
    """Boxes leave and enter, the nearest first; the one that is stuck bumps."""
    boxes = Game("""
map:
    @bbTT#
legend: b = box, T = target
object box: pushable 2
tile target:
var order: 0 in 0..99999
info: order = order
actions: right
on box enter target: reward 1
on box leave target: reward -1
on box enter floor: order = order * 10 + 1
on box leave floor: order = order * 10 + 2
on box bump wall: reward 100
on bump box: reward 1000
""")
    assert boxes.rewards("right right right") == [1, 1, 1100]
    assert boxes.info["order"] == 2122


def test_bump__of_a_box_names_what_is_in_its_way() -> None:
    """A box bumps a box, a rock, the border."""
    boxes = Game("""
map:
    @bb..
    .bx..
    .b...
legend: b = box, x = rock
object box: pushable
object rock: solid
actions: right, down
on box bump box: reward 1
on box bump rock: reward 10
on box bump edge: reward 100
""")
    assert boxes.rewards("right down right") == [1, 0, 10]
    assert boxes.rewards("down right right right right") == [0, 0, 0, 0, 100]


def test_becomes__words_kinds_and_expressions() -> None:
    """A thing becomes a word, another kind with attributes, a tile, or what an expression gives."""
    things = Game("""
map:
    @abcd.
legend: a = seed, b = lamp, c = ice, d = door
object seed:
object plant: stage in young | old, height 3 in 0..9
object lamp: power in on | off, alarm in on | off
object door: state in open | closed
tile ice:
tile water: depth in 1..5
actions: right, left
on enter seed: seed becomes plant(stage=old)
on enter lamp: lamp.alarm becomes off
on enter ice: ice becomes water(depth=4)
on enter door: door becomes closed if door is open else open
when any plant is old: reward count(plant where plant.height == 3)
when count(lamp where lamp.power is on and lamp.alarm is off) == 1: reward 10
when any water(depth=4) at (3, 0): reward 100
when any door is closed: reward 1000
""")
    assert things.rewards("right right right right right left") == [1, 11, 111, 1111, 1111, 111]


def test_becomes__another_kind_moves_to_its_layer() -> None:
    """An egg on the ground becomes a bird in the air, if the air is free there."""
    nest = Game("""
map:
    @e.
legend: e = egg
object egg: layer ground
object bird: layer air
actions: right, hatch, lay
on do hatch: egg becomes bird
on do lay: place egg at (1, 0)
info: eggs = count(egg), birds = count(bird)
""")
    assert nest.do("hatch").told == {"eggs": 0, "birds": 1}
    assert nest.do("lay").told == {"eggs": 1, "birds": 1}
    assert nest.do("hatch").told == {"eggs": 1, "birds": 1}


def test_becomes__another_kind_is_the_same_thing_still() -> None:
    """What was turned into another kind is moved, removed and turned on by its name; what it had before is nothing."""
    nest = Game("""
map:
    @e...
legend: e = egg
object egg: size 3 in 1..9
object bird: size 5 in 0..9
actions: right, hatch, eat
on do hatch if egg at (1, 0):
    egg becomes bird
    egg.size = 7
    reward egg.size
    move egg east
    let egg_was = egg
    if egg_was.x == 1: reward 10
on do eat if bird at (2, 0): bird becomes egg, remove bird
info: birds = count(bird(size=5)), eggs = count(egg), where = sum(bird.x for bird)
""")
    assert nest.rewards("hatch") == [11]
    assert nest.do("right").told == {"birds": 1, "eggs": 0, "where": 2}
    assert nest.do("eat").told == {"birds": 0, "eggs": 0, "where": 0}


def test_becomes__a_tile_leaves_the_ground_changed() -> None:
    """An object that becomes a tile is gone, and the ground is that tile, with its attributes."""
    plant = Game("""
map:
    @p.
legend: p = plant
object plant: solid
tile soil: water in dry | damp
actions: right, dig
on do dig: plant becomes soil(water=damp)
on enter soil if soil.water is damp: reward 1
""")
    assert plant.rewards("right dig right") == [0, 0, 1]


def test_place__in_a_rule_names_what_it_puts() -> None:
    """A bomb is laid where the agent stands, with a fuse of its own, and burns after two steps."""
    bombs = Game("""
map:
    @....
object bomb: fuse 3 in 0..3
object fire:
actions: right, lay
on do lay: place bomb as laid at agent, laid.fuse = 2
each bomb: bomb.fuse -= 1
each bomb if bomb.fuse == 0: bomb becomes fire
""")
    boards = [bombs.do(action).board for action in ("lay", "right", "right", "lay", "right")]
    assert boards[1:] == ["f@...", "f.@..", "f.@..", "f.f@."]


def test_place__at_random_in_a_rule_takes_a_cell_that_qualifies() -> None:
    """A gem that is taken comes back in its region, two steps away; where there is no room, nothing comes."""
    gems = Game("""
map:
    @g..
    ....
legend: g = gem
region low: (0..3, 1..1)
object gem:
actions: right, down, left
on enter gem: reward 1, remove gem, place gem at random floor in low where distance(here, agent) >= 2
when agent at (0, 1): place 9 gem at random floor in low
info: gems = count(gem)
""")
    cells = {gems.reset(seed).do("right").slot("OBJECT_CELL")[0] for seed in range(60)}
    assert cells == {4, 6, 7}
    assert gems.reset(1).do("down").info["gems"] == 4


def test_remove__takes_from_the_map_and_from_hands() -> None:
    """What is removed is nowhere; removing what is not there does nothing."""
    keys = Game("""
map:
    @k.
legend: k = key
object key: portable
actions: right, pickup, burn
on do burn: remove key
info: keys = count(key), held = agent has key
observe: position of key
""")
    assert keys.do("right pickup").told == {"keys": 0, "held": True}
    assert keys.do("burn burn").told == {"keys": 0, "held": False}
    assert keys.observation.tolist() == [-1, -1]


def test_absent_thing__is_nowhere_and_nothing() -> None:
    """Conditions on a thing that is gone are false; its place is (-1, -1)."""
    ghost = Game("""
map:
    @.g
legend: g = ghost
object ghost: mood in sad | mad, age 5 in 3..9
actions: right, kill
on do kill: remove ghost
info: x = ghost.x, sad = ghost is sad, on = agent on ghost, near = ghost within 9 of agent, age = ghost.age
""")
    assert ghost.told == {"x": 2, "sad": True, "on": False, "near": True, "age": 5}
    assert ghost.do("kill").told == {"x": -1, "sad": False, "on": False, "near": False, "age": 3}


def test_move__shoves_and_sends_things_with_their_events() -> None:
    """`move K DIRECTION` goes one free cell; `move K to` any free one; both leave and enter."""
    cart = Game("""
map:
    @.k.#
    ....P
legend: k = kart, P = pit
object kart:
tile pit:
actions: shove, send, away
on do shove: move kart east
on do send: move kart to (4, 1)
on do away: move kart to random floor where y == 1, go to (0, 1)
on kart enter pit: reward 1
on kart leave floor: reward 10
on kart enter floor: reward 100
on leave floor: reward 1000
""")
    assert cart.rewards("shove shove send away") == [110, 0, 11, 1100]
    assert cart.board.split("\n")[0] == "....#"


def test_timers__count_in_attributes() -> None:
    """A numeric attribute stops at the ends of its range."""
    body = Game("""
map:
    @b
legend: b = body
object body: age 97 in 0..99
actions: wait
each body: body.age += 1
info: age = body.age
""")
    assert [body.do("wait").info["age"] for _ in range(4)] == [98, 99, 99, 99]


def test_quantifiers__speak_of_all_things_of_a_kind() -> None:
    """all, any, no, count and sum, with attributes and conditions."""
    coins = Game("""
map:
    @cC.k
legend: c = coin, C = coin(worth=5), k = key
object coin: worth 1 in 0..9
object key:
actions: right
on enter coin: remove coin
info:
    worth = sum(coin.worth for coin)
    far = sum(coin.worth for coin where coin.x > 1)
    rich = count(coin where coin.worth > 2)
    fives = count(coin(worth=5))
    every = all coin at (2, 0)
    some = any coin within 1 of agent
    none = no coin within 1 of key
when no coin left: reward 3
""")
    before = {"worth": 6, "far": 5, "rich": 1, "fives": 1, "every": False, "some": True, "none": True}
    assert coins.told == before
    after = {"worth": 5, "far": 5, "rich": 1, "fives": 1, "every": True, "some": True, "none": True}
    assert coins.do("right").told == after
    assert coins.do("right").reward == 3


def test_seen_as__disguises_things_in_every_form() -> None:
    """A mine looks like a rock from afar, in kinds, codes and planes, and only the mine that is dry."""
    field = Game("""
map:
    @rmM
legend: r = rock, m = mine, M = mine(state=wet)
object rock:
object mine: state in dry | wet
actions: right
observe:
    kinds = grid as kinds
    codes = grid as codes (rock 3, mine(state=dry) 4, mine(state=wet) 5, agent 1)
    planes = grid as planes (rock, mine)
    mine(state=dry) seen as rock if not mine within 1 of agent
""")
    far = field.observation
    assert far["kinds"].tolist() == [[4, 2, 2, 3]]
    assert far["codes"].tolist() == [[1, 3, 3, 5]]
    assert far["planes"][0].tolist() == [[0, 0], [1, 0], [1, 0], [0, 1]]
    near = field.do("right").observation
    assert near["codes"].tolist() == [[0, 1, 4, 5]]
    assert near["planes"][0].tolist() == [[0, 0], [1, 0], [0, 1], [0, 1]]


def test_belts__carry_objects() -> None:
    """A box that is pushed onto a belt rides it, a cell a step, with events."""
    boxes = Game("""
map:
    @.b>>.
legend: b = box, ">" = belt
tile belt: carry east
object box: pushable
actions: right, stay
on box enter belt: reward 1
on box enter floor: reward 10
""")
    assert boxes.rewards("right right stay stay") == [0, 2, 10, 0]
    assert boxes.board == "..@>>b"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("on enter key: key becomes purple", "unknown-name"),
        ("on enter key: key becomes wall, remove agent", "type"),
        ("on enter key(size=3): reward 1", "unknown-attribute"),
        ("on push key: reward 1", "never-fires"),
        ("each step: reward key.worth", "ambiguous"),
        ("each step: remove key", "ambiguous"),
        ("on enter key if agent has wall: reward 1", "type"),
        ("on enter key if agent has key(color=blue): remove key", "ambiguous"),
        ("each step: move key sideways", "ambiguous"),
        ("on enter key: move key sideways", "unknown-word"),
        ("on enter key: key.worth = red", "unknown-name"),
        ("on enter key: key.color = 3", "type"),
        ("on enter key: key.worth = 20", "never-in-range"),
    ],
)
def test_mistake__is_found(line: str, code: str) -> None:
    """Each mistake with objects has its diagnostic."""
    found = problems(f"""
map:
    @kk#
legend: k = key
{COLORED}
actions: right, pickup
{line}
""")
    assert code in [problem.code for problem in found], [(p.code, p.message) for p in found]


def test_misspelt_property__is_read_as_the_nearest() -> None:
    """What follows is checked as if the property had been written right, and adds its own mistakes only."""
    text = (
        "map:\n    @k.\nlegend: k = key\nobject key: portible, soild\nactions: right, pickup\nobserve: cell\n"
        "when agent has key and colr is red: end success\non bump key: reward 1\n"
    )
    assert [d.code for d in problems(text)] == ["unknown-property", "unknown-property", "unknown-name"]


def test_observation_for_nobody__is_one_mistake() -> None:
    """A misspelt agent is not a missing observation as well."""
    text = "agents: red, blue\nmap:\n    12.\nlegend: 1 = red, 2 = blue\nactions: right\nobserve rde: cell\n"
    assert [d.code for d in problems(text)] == ["unknown-name"]


def test_objects__go_back_to_their_start() -> None:
    """``start`` is where the subject stood after setup: of a box that falls into a hole, the box's."""
    text = (
        "map:\n    @b.h.\nlegend: b = box, h = hole\nobject box: pushable\nactions: right, left\nobserve: cell\n"
        "on box enter hole: reward 1, go to start\nlimit: 30 steps\n"
    )
    game = Game(text).do("right right")
    assert (game.board, game.reward) == (".b@h.", 1)


def test_objects__that_rules_make_start_where_they_are_made() -> None:
    """A box that a rule makes goes back there, and not to where another stood before it."""
    text = (
        "map:\n    @b..h\nlegend: b = box, h = hole\nobject box: pushable\nactions: right, left, stay\n"
        "observe: cell\nwhen step == 1: remove box\nwhen step == 2: place box at (2, 0)\n"
        "on box enter hole: go to start\nlimit: 30 steps\n"
    )
    game = Game(text).do("left stay right right right")
    assert game.board == "..b@h"


@pytest.mark.parametrize("layer", ["things", "air", "objects"])
def test_layers__whatever_they_are_called_are_not_the_one_of_kinds_that_name_none(layer: str) -> None:
    """A guard who names no layer walks over a coin that does, also where that one is called `things`."""
    text = (
        f"object coin: layer {layer}\nobject guard: moves patrol\nmap:\n    g.c..\n    @....\nlegend: g = guard, c = coin\n"
        "actions: stay\nobserve: position of guard\non guard meet coin: reward 1\nlimit: 9 steps\n"
    )
    game = Game(text).do("stay stay")
    assert (game.observation.tolist(), game.reward) == ([2, 0], 1)
