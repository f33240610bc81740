"""Bindings: which instance a kind's name means, by the trigger, by a condition, or as the only one there is."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.program import ir
from tests.playing import Game, completed, is_proved, problems
from tests.reference.beside import assert_plays_as_defined

STOPS = """
map:
    aAbB
    @...
    cC..
legend:
    a = stop(color=red), b = stop(color=blue), c = stop(color=green)
    A = man(color=red), B = man(color=blue), C = man(color=green)
tile stop: color in red | blue | green
object man: color in red | blue | green, portable
actions: up, right, down, left, pickup, ride = stay
"""


def test_trigger__names_its_instance() -> None:
    """`stop` is the one that was entered, in the condition and in the effects."""
    stops = Game(STOPS + "on enter stop if stop.color is red: reward stop.x + 10 * stop.y + 1\n")
    assert stops.rewards("up down down up up") == [1, 0, 0, 0, 1]


def test_condition__names_what_it_finds() -> None:
    """What `on` finds is meant in the rest of the condition, and in the effects; a pattern may speak of it."""
    stops = Game(STOPS + "on do ride if agent on man and man.color is blue: reward man.x, remove man\n")
    assert stops.rewards("up right ride right right ride ride") == [0, 0, 0, 0, 0, 3, 0]
    near = Game(STOPS + "on enter stop if man(color=stop.color) within 1 of stop: reward 1, remove man\n")
    assert near.rewards("up down up right right") == [1, 0, 0, 0, 1]
    assert near.slot("OBJECT_CELL") == [-1, -1, 9]


def test_branches__name_what_they_find() -> None:
    """Each `if` line names for its own block."""
    stops = Game(
        STOPS
        + """
on do ride:
    if agent on stop and stop.color is red: reward 100
    else if agent on man: reward 10 * man.x
    else: reward 1
"""
    )
    assert stops.rewards("ride up ride right ride") == [1, 0, 100, 0, 10]


def test_has__names_what_is_held() -> None:
    """The man in the taxi is the one that is let out at the stop of his colour."""
    stops = Game(
        STOPS
        + """
when agent has man and agent on stop:
    if man.color is stop.color: reward 5, remove man
"""
    )
    assert stops.rewards("up right pickup right left left right") == [0, 0, 0, 0, 0, 5, 0]


def test_only_one__of_its_kind_needs_no_more() -> None:
    """A kind of which there is one, or the one with these attributes, means that one; `other` the other."""
    stops = Game(
        STOPS
        + """
info:
    blue = distance(agent, man(color=blue))
    near = distance(agent, stop(color=green))
"""
    )
    assert stops.told == {"blue": 4, "near": 1}
    pair = Game("""
map:
    @p.p
legend: p = portal
actions: right
on enter portal: go to other portal
""")
    assert pair.do("right").board == ".p.@"


def test_chosen_names__mean_what_was_placed_and_drawn() -> None:
    """Names of `as` and `choose` mean the thing, the word, the kind for the whole episode."""
    prize = Game("""
map:
    @...
object key: color in red | blue
object ball: color in red | blue
setup:
    choose what in key | ball
    choose paint in red | blue
    place what(color=paint) as prize at (1, 0)
    place key as decoy at (2, 0)
actions: right
on enter key if key.color is paint and key.x == prize.x: reward 1
on enter ball if ball is paint: reward 2
on enter key if agent.x == decoy.x: reward 10
""")
    for seed in range(8):
        prize.reset(seed)
        assert prize.rewards("right right") == [1 if prize["what"] == "key" else 2, 10]


def test_choose__several_that_differ_and_fit() -> None:
    """`distinct` and `where` together leave the combinations that are both; weights stay in proportion."""
    found: dict[tuple[str, str, str], int] = {}
    pair = Game("""
map:
    @..
setup:
    choose a, b distinct in 1..4 where a + b != 5 and a + b != 6
    choose luck in good 0.5 | fair 0.25 | bad 0.25 where luck is not fair
    place rock at (1, 0)
object rock:
actions: right
info: sum = a + b, luck = luck
""")
    for seed in range(1500):
        pair.reset(seed)
        key = (pair["a"], pair["b"], pair["luck"])
        found[key] = found.get(key, 0) + 1
    pairs = {(a, b) for a, b, _ in found}
    assert pairs == {("1", "2"), ("2", "1"), ("1", "3"), ("3", "1"), ("3", "4"), ("4", "3")}
    good = sum(count for (_, _, luck), count in found.items() if luck == "good")
    assert abs(good - 1000) < 80
    assert {luck for *_, luck in found} == {"good", "bad"}


def test_conditions__of_one_event_are_decided_before_its_effects() -> None:
    """A rock that turns bad by being sampled is not sampled as a bad one in the same step."""
    rock = Game("""
map:
    @r
legend: r = rock
object rock: quality in good | bad
actions: sample
on do sample if rock is good: reward 10, rock becomes bad
on do sample if rock is bad: reward -10, rock becomes good
""")
    assert rock.rewards("sample sample sample") == [10, -10, 10]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("each step: reward man.x", "ambiguous"),
        ("on do ride if agent within 2 of man: remove man", "ambiguous"),
        ("on do ride if man within 2 of agent: remove man", "ambiguous"),
        ("on enter man(color=red) if agent has man(color=blue): remove man", "ambiguous"),
        ("on do ride if agent on man or agent on stop: remove man", "ambiguous"),
        ("on do ride if not agent on man: remove man", "ambiguous"),
        ("on do ride if man.color is red: reward 1", "ambiguous"),
        ("on enter stop: go to other stop", "ambiguous"),
        ("on do ride if agent within 2 of man: reward 1", ""),
        ("on do ride if agent within 2 of man(color=red): remove man", ""),
        ("on do ride if agent on man and agent on stop: remove man", ""),
    ],
)
def test_several__are_an_error(line: str, found: str) -> None:
    """Where it is not known which is meant, it is said so; where it is, nothing is."""
    codes = [problem.code for problem in problems(STOPS + line + "\n") if not is_proved(problem)]
    assert codes == ([found] if found else [])


def test_thin_walls__are_bumped_as_walls() -> None:
    """A wall between two cells is a wall; the border is the edge; both may stand in rows of edges or of cells."""
    rooms = Game("""
map walled:
    +-----+
    |@|.:.|
    | :.|.|
    +-+:+-+
    |.:.:x|
    +-----+
legend: x = box
object box: pushable
actions: up, right, down, left
on bump edge: reward -1
on bump wall: reward -7
on box bump edge: reward 3
""")
    assert rooms.rewards("left right down down right right down right right") == [
        -1,
        -7,
        0,
        -7,
        0,
        -7,
        0,
        3,
        3,
    ]


def test_is__asks_for_the_very_thing_that_as_named() -> None:
    """A name of `as` is one thing: `is` asks whether this is it, in rules as in conditions."""
    game = Game("""
object box: color in red | blue
generate: empty(5, 1)
setup:
    place agent at (0, 0)
    place box(color=blue) as prize at (3, 0)
    place box(color=blue) at (1, 0)
actions: right
on enter box if box is prize: reward 10
on enter box if box is not prize: reward -1
each box if box is prize: reward 0.5
info: found = any box is prize
""")
    assert game.rewards("right right right") == [-0.5, 0.5, 10.5]
    assert game.told == {"found": True}


GO = """
map:
    @.X.
legend: X = rock
object rock:
actions: go = move east 1, stay
when rock ahead: reward 1
"""


def test_ahead__is_where_all_moves_go_without_a_facing() -> None:
    """Where every move goes one way that way is ahead; where they differ and nothing turns, it is an error."""
    assert Game(GO).rewards("stay go go stay") == [0, 1, 0, 0]
    assert [problem.code for problem in problems(GO.replace("stay\n", "back = move west 1\n"))] == [
        "no-facing"
    ]


BOXES = """env: a/B-v0
object box: pushable, hue in red | blue
map:
    @b..c
legend: b = box(hue=red), c = box(hue=blue)
actions: left, right
limit: 9 steps
observe: cell
"""


def told(lines: str) -> dict[str, object]:
    """Return what the spec of the boxes tells at its start."""
    env = griddsl.make(BOXES + lines)
    return dict(env.reset(seed=0)[1])


def test_attributes__ask_for_one_that_fits() -> None:
    """In a clause about one box, a box with attributes is any that has them, on each side of each relation."""
    found = told(
        "info:\n"
        "    there = count(box where box(hue=blue) at (4, 0))\n"
        "    this = count(box where box at (4, 0))\n"
        "    on = count(box where box(hue=red) on floor)\n"
        "    near = count(box where box(hue=red) within 1 of agent)\n"
        "    is_red = count(box where box(hue=blue) is red)\n"
    )
    assert [found[name] for name in ("there", "this", "on", "near", "is_red")] == [2, 1, 2, 2, 0]


def test_at__holds_for_nothing_off_the_grid() -> None:
    """No cell is meant beyond the border, neither for things that are named nor for those that are looked for."""
    found = told(
        "region all_of_it: (0..4, 0)\n"
        "info:\n"
        "    self_there = agent at (agent.x - 1, agent.y)\n"
        "    ground = floor at (agent.x - 1, agent.y)\n"
        "    any_ground = any floor at (agent.x - 1, 0)\n"
        "    of_a_cell = (agent.x - 1, 0) on floor\n"
        "    beside = box at (agent.x + 1, agent.y)\n"
    )
    assert [found[name] for name in ("self_there", "ground", "any_ground", "of_a_cell", "beside")] == [
        *[False] * 4,
        True,
    ]


def test_attributes_of_agents__are_asked_for() -> None:
    """An agent that does not fit is on nothing."""
    text = "env: a/B-v0\nmap:\n    @.\nactions: turn_left, forward\nlimit: 9 steps\nobserve: cell\n"
    env = griddsl.make(
        f"{text}info: east = agent(facing=east) on floor, west = agent(facing=west) on floor\n"
    )
    assert {key: env.reset(seed=0)[1][key] for key in ("east", "west")} == {"east": True, "west": False}


CRATES = """
object crate: pushable
tile weed:
region yard: (3..4, 0)
map:
    @.c..
    ...wM
legend: c = crate, w = weed, M = mat
setup:
    choose spot in random mat
actions: right, down, drag = stay
observe: grid as planes (agent, crate, mat, here on yard, spot on weed)
"""


@pytest.mark.parametrize(
    ("asked", "rewards"),
    [
        ("spot on mat", [1, 1, 1]),
        ("spot on weed", [0, 0, 0]),
        ("spot on crate", [0, 0, 1]),
        ("spot on yard", [0, 0, 0]),
        ("crate at spot", [0, 0, 1]),
        ("spot within 1 of crate", [0, 0, 1]),
    ],
)
def test_chosen_cell__is_asked_as_any_cell(asked: str, rewards: list[float]) -> None:
    """What is in a cell that setup chose, on what ground and in which region, is asked as of a cell in a block."""
    rules = f"on do drag: move crate to spot\nwhen {asked}: reward 1\n"
    assert_plays_as_defined(completed(CRATES + rules), steps=10)
    assert Game(CRATES + rules).rewards("right down drag") == rewards


@pytest.mark.parametrize(
    "more",
    ["on do drag: place crate at random floor\n", "once: place crate at every floor with chance 0.2\n"],
)
def test_cell__is_not_compared_with_one_of_several(more: str) -> None:
    """`spot is crate` would ask for the first of them alone: where several may stand, `at` asks for any."""
    found = problems(f"{CRATES}{more}when spot is crate: reward 1\n")
    assert [(each.code, each.help) for each in found if each.is_error] == [("type", "write `crate at spot`")]
    assert not [each for each in problems(f"{CRATES}{more}when crate at spot: reward 1\n") if each.is_error]


def test_any_at__asks_the_cell_though_an_attribute_is_called_as_the_kind() -> None:
    """`any mark(owner=self.mark) at CELL` looks at one cell: `self.mark` is no mark. A mark in it is the one meant."""
    source = """\
env: test/Marks-v0
agent: mark in 1..2
object mark: owner in 1..2
generate: empty(3, 3)
setup:
    place agent at (0, 0)
    place mark(owner=1) at (1, 1)
actions: stay, right
observe: grid
each step if any mark(owner=self.mark) at (agent.x, 1): reward 1
limit: 5 steps
"""
    other = source.replace("owner=self.mark", "owner=mark.x")
    for text, loops in ((source, False), (other, True)):
        step = compiled(text).program.functions["step"]
        assert any(isinstance(each, ir.Reduce) for each in ir.statements(step.body)) == loops
    assert_plays_as_defined(source)


@pytest.mark.parametrize(
    "line",
    [
        "let d = east, move agent (d)",
        "let d = south if step mod 2 == 0 else east, move agent (d)",
        "let d = north, each car: car.facing = d",
        "let d = west, turn to (d)",
    ],
)
def test_let__names_a_direction(line: str) -> None:
    """A direction of the compass needs no attribute that has such words."""
    head, separator, loop = line.partition(", each")
    block = f"    {head}\n" + (f"    each{loop}\n" if separator else "")
    text = """env: t/Let-v0
object car: facing, layer cars
agent: facing
map:
    @..c
    ....
legend: c = car
actions: go, stay
observe tuple: agent.x, agent.y, facing, sum(dx(car.facing) for car)
limit: 9 steps
each step:
"""
    assert_plays_as_defined(completed(text + block.replace(", ", "\n    ")), steps=9)
