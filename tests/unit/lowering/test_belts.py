"""Belts: what rides, in which order, what waits, and rings that go round, on every backend."""

from __future__ import annotations

import random
from typing import Any

import pytest

import griddsl
from tests.playing import NATIVE, completed
from tests.reference.beside import assert_plays_as_defined
from tests.unit.lowering.test_several import Several

BELTS = """
tile east_belt: carry east
tile south_belt: carry south
tile west_belt: carry west
tile north_belt: carry north
legend: ">" = east_belt, v = south_belt, "<" = west_belt, "^" = north_belt
"""
RING = f"""{BELTS}
object crate: tag in 0..9
map:
    @....
    .123.
    .8.4.
    .765.
legend: 1 = crate(tag=1) on east_belt, 2 = crate(tag=2) on east_belt, 3 = crate(tag=3) on south_belt
legend: 4 = crate(tag=4) on south_belt, 5 = crate(tag=5) on west_belt, 6 = crate(tag=6) on west_belt
legend: 7 = crate(tag=7) on north_belt, 8 = crate(tag=8) on north_belt
actions: left, right
observe: grid as planes (crate.tag)
"""


def played(text: str, actions: list[int], backend: str = "python") -> list[Any]:
    """Return what is seen, the reward and the info after each action."""
    env: Any = griddsl.make(completed(text), backend=backend)
    env.reset(seed=0)
    return [(seen, reward, info) for seen, reward, _, _, info in map(env.step, actions)]


@pytest.mark.parametrize("backend", ["python", "table", NATIVE])
def test_ring__goes_round_as_one(backend: str) -> None:
    """A full ring of belts moves on by one cell, each thing after the other."""
    (first, *_), (second, *_) = played(RING, [0, 0], backend)
    assert first[1:, 1:4].tolist() == [[8, 1, 2], [7, 0, 3], [6, 5, 4]]
    assert second[1:, 1:4].tolist() == [[7, 8, 1], [6, 0, 2], [5, 4, 3]]


def test_ring__raises_leave_and_enter_of_each_once() -> None:
    """The events of a ring are those of a belt: each leaves its cell and enters the next, in order of creation."""
    rules = "on crate leave south_belt: reward 1\non crate enter south_belt: reward 10\non crate enter floor: reward 100"
    assert [round(reward) for _, reward, _ in played(RING + rules, [0, 0])] == [22, 22]


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_ring__that_setup_lays_goes_round(backend: str) -> None:
    """Belts that setup lays are followed as those of the map are."""
    laid = RING.replace("crate(tag=2) on east_belt", "crate(tag=2)")
    assert played(laid, [0])[0][0][1].tolist() == [0, 1, 2, 3, 0], "an open row stands still"
    laid += "setup: place east_belt at (2, 1)"
    assert played(laid, [0], backend)[0][0][1:, 1:4].tolist() == [[8, 1, 2], [7, 0, 3], [6, 5, 4]]


def test_ring__goes_before_what_comes_from_outside() -> None:
    """What waits beside a full ring does not get in, whenever it came to be."""
    fed = RING.replace("@....\n", "@.9..\n") + "legend: 9 = crate(tag=9) on south_belt"
    for seen, *_ in played(fed, [0, 0, 0]):
        assert seen[0].tolist() == [0, 0, 9, 0, 0]
    assert seen[1:, 1:4].tolist() == [[6, 7, 8], [5, 0, 1], [4, 3, 2]]


def test_ring__with_a_gap_moves_as_any_row() -> None:
    """Where one cell is free all move, and what waits beside comes into the gap."""
    gap = RING.replace("765", "7<5")
    assert played(gap, [0])[0][0][1:, 1:4].tolist() == [[8, 1, 2], [7, 0, 3], [0, 5, 4]]


def test_ring__over_the_border() -> None:
    """Where the edges wrap a row of belts is a ring."""
    row = f"""{BELTS}object crate: tag in 0..9
map:
    123
    @..
legend: 1 = crate(tag=1) on east_belt, 2 = crate(tag=2) on east_belt, 3 = crate(tag=3) on east_belt
actions: left, right
edge: wrap
observe: grid as planes (crate.tag)
"""
    assert [seen[0].tolist() for seen, *_ in played(row, [0, 0])] == [[3, 1, 2], [2, 3, 1]]


def test_belts__that_face_each_other_hold_what_stands_on_them() -> None:
    """Two belts that face each other are no ring: nothing passes through the other."""
    facing = f"""{BELTS}object crate: tag in 0..9
map:
    12@
legend: 1 = crate(tag=1) on east_belt, 2 = crate(tag=2) on west_belt
actions: right
observe: grid as planes (crate.tag)
"""
    assert played(facing, [0])[0][0].tolist() == [[1, 2, 0]]


MIXED = f"""{BELTS}
object crate: solid, tag in 1..9
map:
    12
    @3
legend: 1 = crate(tag=1) on east_belt, 2 = crate(tag=2) on south_belt, 3 = crate(tag=3) on west_belt
setup:
    place north_belt at (0, 1)
    place agent at (0, 1)
actions: stay
observe: grid as planes (crate.tag)
info: at = agent.x + 2 * agent.y
"""


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_ring__of_an_agent_and_objects(backend: str) -> None:
    """An agent on the ring goes round with the solid things before and behind it."""
    found = played(MIXED, [0, 0], backend)
    assert [(seen.tolist(), info["at"]) for seen, _, info in found] == [
        ([[0, 1], [3, 2]], 0),
        ([[3, 0], [2, 1]], 1),
    ]


def test_ring__waits_while_one_of_it_stands_still() -> None:
    """A solid thing that waits for an agent beside the belts holds up what is behind it, and no ring is broken up."""
    text = f"""{BELTS}
object crate: solid, tag in 1..9
map:
    1..
    @2.
legend: 1 = crate(tag=1) on south_belt, 2 = crate(tag=2) on west_belt
actions: stay
observe: grid as planes (crate.tag)
"""
    assert played(text, [0])[0][0].tolist() == [[1, 0, 0], [0, 2, 0]]


# Agents on belts

ROW = """
agents: red, blue, green
tile belt: carry east
map:
    bbbbb.
legend: b = belt
setup:
    place red at (0, 0)
    place blue at (1, 0)
    place green at (2, 0)
actions: stay
"""


@pytest.mark.parametrize("turns", ["simultaneous", "in_order"])
def test_belts__carry_a_row_of_agents_as_one(turns: str) -> None:
    """Whoever waits for the agent ahead rides once that has gone, whatever the order of declaration."""
    game = Several(f"{ROW}turns: {turns}")
    assert game.do("stay+stay+stay").places == [(1, 0), (2, 0), (3, 0)]
    assert game.do("stay+stay+stay stay+stay+stay stay+stay+stay").places == [(3, 0), (4, 0), (5, 0)]


def test_ring__of_agents_goes_round() -> None:
    """Agents that keep their cells go round on a full ring, all at once."""
    text = f"""
agents: red, blue, green, grey
{BELTS}
map:
    >v
    ^<
setup:
    place red at (0, 0)
    place blue at (1, 0)
    place green at (1, 1)
    place grey at (0, 1)
actions: stay
on enter east_belt: reward 1
"""
    game = Several(text).do("stay+stay+stay+stay")
    assert game.places == [(1, 0), (1, 1), (0, 1), (0, 0)]
    assert game.paid == [0, 0, 0, 1]


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_belts__carry_what_lies_under_an_agent(backend: str) -> None:
    """An agent and what it stands on ride alike, and what is not solid is carried to who stands at the end."""
    text = """
tile belt: carry east
object coin: portable
object box: pushable
map:
    cbb.b
legend: b = belt, c = coin on belt
setup: place agent at (0, 0), place box at (4, 0)
actions: stay
on meet coin: reward 1
info: together = agent.x == coin.x, at = agent.x
"""
    found = played(text, [0, 0, 0, 0], backend)
    assert [(info["together"], info["at"]) for *_, info in found] == [
        (True, 1),
        (True, 2),
        (True, 3),
        (True, 3),
    ]


@pytest.mark.parametrize(("kind", "meets", "x"), [("portable", 1, 1), ("solid", 0, 0), ("pushable", 0, 0)])
def test_belts__carry_to_an_agent_what_can_share_its_cell(kind: str, meets: int, x: int) -> None:
    """A coin is carried to the agent at the belt's end and meets it; what is solid or pushable waits."""
    text = f"""
tile belt: carry east
object coin: {kind}
map:
    c@
legend: c = coin on belt
actions: stay, right
on meet coin: reward 1
info: at = coin.x
"""
    ((_, reward, info),) = played(text, [0])
    assert (reward, info["at"]) == (meets, x)


# Beside the interpreter

RULES = (
    "on coin enter east_belt: reward 1",
    "on crate leave south_belt: reward 0.5",
    "on meet coin: reward 10",
    "on bird meet coin: reward 100",
    "on enter east_belt: reward 0.25",
    "on coin enter north_belt with chance 0.3: remove coin",
    "on meet bird with chance 0.3: remove bird",
    "on box enter west_belt with chance 0.2: move box to (0, 0)",
    "on enter south_belt with chance 0.1: go to (1, 1)",
)


def factory(seed: int) -> str:
    """Return a random floor of belts, mostly with a ring around it, and things and agents all over it."""
    dice = random.Random(seed)
    width, height = dice.choice([(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)])
    rows = [[dice.choice("..<>v^><v^") for _ in range(width)] for _ in range(height)]
    if dice.random() < 0.7:
        rows[0], rows[-1] = [*">" * (width - 1), "v"], ["^", *"<" * (width - 1)]
        for row in rows[1:-1]:
            row[0], row[-1] = "^", "v"
    agents = ["agent"] if dice.random() < 0.5 else ["red", "blue", "green"][: dice.randint(2, 3)]
    cells = [(x, y) for x in range(width) for y in range(height)]
    dice.shuffle(cells)
    placed = [f"place {name} at {cells.pop()}" for name in agents]
    share, kinds = dice.choice([0.3, 0.7, 1]), dice.choices(["crate", "coin", "box", "bird"], k=2)
    placed += [f"place {dice.choice(kinds)} at {cell}" for cell in cells if dice.random() < share]
    several = f"agents: {', '.join(agents)}\ncontested: {dice.choice(['block', 'share', 'first'])}\n"
    lines = [
        *([] if len(agents) == 1 else [several.strip("\n")]),
        BELTS.strip("\n"),
        f"object crate: {dice.choice(['', 'solid'])}",
        f"object coin: portable{dice.choice(['', ', layer low'])}",
        "object box: pushable",
        f"object bird: layer air{dice.choice(['', ', moves random'])}",
        *("map:", *("    " + "".join(row) for row in rows)),
        *("setup:", *("    " + line for line in placed)),
        "actions: up, right, down, left, stay",
        f"edge: {dice.choice(['stay', 'wrap'])}",
        "observe: grid",
        "info: crates = sum(crate.x + 3 * crate.y for crate), coins = sum(coin.x + 5 * coin.y for coin)",
        "limit: 20 steps",
        *dice.sample(RULES, k=dice.randint(1, 5)),
    ]
    return completed("\n".join(lines))


@pytest.mark.parametrize("first", range(0, 24, 8))
def test_belts__carry_as_the_interpreter_says(first: int) -> None:
    """Rows, rings and jams of agents and objects of several layers, with events that send and remove what rides."""
    for seed in range(first, first + 8):
        assert_plays_as_defined(factory(seed), steps=25, seeds=(0,))
