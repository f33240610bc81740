"""Sending: where `go to` and `other K` lead, and which rules run there, on every backend."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from tests.playing import NATIVE, Game, completed, problems
from tests.reference.beside import assert_plays_as_defined
from tests.unit.lowering.test_several import Several

BACKENDS = ("python", "table", NATIVE)


def walked(text: str, actions: list[int], backend: str = "python") -> list[tuple[int, float]]:
    """Return the cell and the reward after each action."""
    env: Any = griddsl.make(completed(text), backend=backend)
    env.reset(seed=0)
    return [(int(seen), float(reward)) for seen, reward, *_ in map(env.step, actions)]


PORTALS = """
tile portal:
map:
    @p..p.
legend: p = portal
actions: left, right
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_go__a_rule_does_not_run_where_it_sent_its_own_subject(backend: str) -> None:
    """Who comes out of a portal does not go in again, and the reward beside it is paid once."""
    text = f"{PORTALS}on enter portal: go to other portal, reward 1"
    assert walked(text, [1, 1, 0], backend) == [(4, 1), (5, 0), (1, 1)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_go__other_rules_run_at_the_destination(backend: str) -> None:
    """A rule of its own on the same cell runs there; of two that send to and fro each runs once for a cell."""
    text = f"{PORTALS}on enter portal: go to other portal\non enter portal: reward 1"
    assert walked(text, [1], backend) == [(4, 2)]
    there = "on enter portal if agent.x < 3: go to (4, 0), reward 1"
    back = "on enter portal if agent.x > 3: go to (1, 0), reward 10"
    assert walked(f"{PORTALS}{there}\n{back}", [1], backend) == [(1, 11)]


def test_move__by_a_direction_goes_on_from_cell_to_cell() -> None:
    """`move K DIRECTION` names no destination: its rule runs for each cell that it leads to, once."""
    text = 'tile arrow:\nmap:\n    @>>>..\nlegend: ">" = arrow\nactions: left, right\non enter arrow: move agent east, reward 1'
    assert walked(text, [1]) == [(4, 3)]
    circle = text.replace("@>>>..", "@>>>>>") + "\nedge: wrap"
    assert walked(circle, [1])[0][1] == 5


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_go__a_rule_runs_for_each_subject(backend: str) -> None:
    """Two agents that one rule sends to the same cell both enter it."""
    text = """
agents: red, blue, green
tile pad:
tile hub:
map:
    1p2
    ph3
legend: 1 = red, 2 = blue, 3 = green, p = pad, h = hub
actions: left, right, stay
contested: share
on enter hub: reward 1
on enter pad: go to other pad
when step == 1: move red to (1, 1), move blue to (1, 1), move green to (1, 1)
"""
    assert Several(text, backend=backend).do("stay+stay+stay").paid == [1, 1, 1]


def test_go__boxes_that_are_sent_at_once_are_subjects_of_their_own() -> None:
    """Two boxes in one act: what one rule did for the first says nothing of the second."""
    text = """
object box: pushable
tile pad:
map:
    .@.
    bpb
legend: b = box, p = pad
actions: left, right
observe: count(box)
each box: move box to (1, 1)
on box enter pad: reward 1, remove box
on box enter wall: go to start
"""
    found = [problem for problem in problems(text) if problem.code != "never-fires"]
    assert not found
    env: Any = griddsl.make(completed(text))
    env.reset(seed=0)
    seen, reward, *_ = env.step(0)
    assert (seen, reward) == (0, 2)


def test_other__is_the_first_where_only_play_decides() -> None:
    """Where neither the map nor setup says how many there are, `other K` is the first of them."""
    text = f"{PORTALS}on enter portal: go to other portal\nwhen step == 1: place portal at (3, 0)"
    assert walked(text, [0, 1]) == [(0, 0), (3, 0)]


@pytest.mark.parametrize(
    ("drawn", "rule", "several"),
    [
        ("p..p", "on enter portal: go to other portal", 0),
        ("p.pp", "on enter portal: go to other portal", 2),
        ("pppp", "on enter portal: reward distance(agent, other portal)", 3),
        ("p.qq", "on enter portal(pair=1): go to other portal(pair=2)", 2),
        ("pqqq", "on enter portal: go to other portal(pair=portal.pair)", 2),
        ("ppqq", "on enter portal: go to other portal(pair=portal.pair)", 0),
        ("p..p", "on bump edge: go to other portal", 2),
        ("p...", "on bump edge: go to other portal", 0),
        ("p...", "setup: place 2 portal at random floor\non enter portal: go to other portal", 2),
        ("p...", "setup: place 2 portal at random floor\neach step: reward distance(agent, portal)", 3),
        ("....", "setup: place 1 portal at random floor\neach step: reward distance(agent, portal)", 0),
        ("....", "setup:\n    retry 9 until portal.x > 1: place 2 portal at random floor", 2),
    ],
)
@pytest.mark.parametrize("category", ["tile", "object"])
def test_other__that_could_be_any_of_several_is_an_error(
    category: str, drawn: str, rule: str, several: int
) -> None:
    """A name that means one of several, by the map and the setup, is an error, whatever it stands in."""
    text = (
        f"{category} portal: pair in 1 | 2\nmap:\n    @.{drawn}..\nactions: left, right\n{rule}\n"
        "on enter portal: reward 0\n"
        + "".join(f"legend: {g} = portal(pair={n})\n" for g, n in (("p", 1), ("q", 2)) if g in drawn)
    )
    found = [problem for problem in problems(text) if problem.is_error]
    assert [problem.code for problem in found] == ["ambiguous"] * bool(several), found
    assert not several or f"any of {several}" in found[0].message


def test_other__the_help_says_what_draws_one() -> None:
    """The rewrite that the message names is a spec without an error, which draws among the others."""
    text = PORTALS.replace("p..p.", "p..pp")
    (found,) = [p for p in problems(f"{text}on enter portal: go to other portal") if p.is_error]
    assert found.help is not None
    drawn = found.help.split("`")[-2]
    game = Game(f"{text}on enter portal: go to {drawn}")
    ends = {int(game.reset(seed).do("right").observation) for seed in range(30)}
    assert ends == {4, 5}


@pytest.mark.parametrize("backend", BACKENDS)
def test_push__raises_the_events_of_what_was_pushed_alone(backend: str) -> None:
    """What a row comes to lie beside was not pushed: it leaves and enters nothing, though it could be pushed."""
    text = """
object box: pushable 2, size in 0..9
map:
    @a.b..
legend: a = box(size=1), b = box(size=2)
actions: right, left
on box enter floor: reward box.size
on box leave floor: reward 10 * box.size
"""
    assert walked(text, [0, 0, 0, 0], backend) == [(1, 11), (2, 33), (3, 33), (3, 0)]
    assert_plays_as_defined(completed(text), steps=30)


STARTS = """
object box: pushable
object mat: layer ground
tile lever:
map:
    @..b..l
    ....m..
legend: b = box, l = lever, m = mat
actions: left, right, up, down
"""


@pytest.mark.parametrize("rule", ["each step", "every 1 steps", "when true", "each lever", "on enter floor"])
def test_start__is_the_agents_where_a_rule_has_no_other_subject(rule: str) -> None:
    """`go to start` sends the agent, wherever it stands in the spec."""
    assert walked(f"{STARTS}{rule}: go to start", [1, 1]) == [(0, 0), (0, 0)]


def test_start__of_a_thing_that_is_moved_is_its_own() -> None:
    """`move box to start` brings the box to where it stood, not to where the agent did."""
    text = f"{STARTS}observe: position of box as cell\non do up: move box to start"
    assert [seen for seen, _ in walked(text, [1, 1, 1, 1, 2])] == [3, 3, 4, 5, 3]


def test_start__plays_as_the_reference_says() -> None:
    """Agents, boxes and mats are sent to their starts by rules of every kind."""
    text = f"""{STARTS}observe: grid
on push box with chance 0.4: move box to start
on enter lever: move agent to start, move mat to random floor
each mat if step mod 7 == 0: move mat to start, move box to start
each lever if step mod 9 == 0: go to start
every 5 steps with chance 0.3: go to start
when distance(agent, start) > 4: reward 1, go to start
"""
    assert_plays_as_defined(completed(text))


def test_start__of_which_of_several_agents_is_asked() -> None:
    """Where a rule has no subject and agents are several, the message says how to name one."""
    text = "agents: red, blue\nmap:\n    1.2\nlegend: 1 = red, 2 = blue\nactions: left, right\neach step: go to start"
    (found,) = [problem for problem in problems(text) if problem.is_error]
    assert found.code == "ambiguous" and "each agent" in (found.help or "")


def test_move__over_the_border_asks_no_tile() -> None:
    """`move self west` at the border, on ground that changes, stays; one-way tiles are asked where there are cells."""
    game = Game("""
map:
    @.v
tile gate: one_way south
legend: v = gate
actions: stay, build
var large: 500 in 0..999
on do build: place gate at (1, 0), large += 1
each step: move self west
info: large = large
""")
    assert [game.do("stay").board for _ in range(3)] == ["@.v"] * 3
