"""``repeat`` in setup, positions of chosen cells, and what setup needs of the agent before it is placed."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import Report, SpecError
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.reader import read_document
from tests.playing import Game, problems

TAIL = "actions: left, right\n"


def board(setup: str, head: str = "generate: empty(5, 2)\n", **params: Any) -> str:
    """Return the board after a setup."""
    return Game(f"{head}setup:\n{setup}{TAIL}", **params).reset().board


def test_repeat__goes_on_from_what_the_last_round_left() -> None:
    """Each round sees the variables and the map as the one before left them."""
    rounds = "    place agent at (0, 1)\n    repeat 3:\n        place wall at (n, 0)\n        n += 1\n"
    assert board(rounds, "generate: empty(5, 2)\nvar n: 0 in 0..9\n") == "###..\n@...."


def test_repeat__counts_by_an_expression() -> None:
    """The number of rounds may be a parameter or what was chosen; none at all is possible."""
    head = "generate: empty(5, 2)\nparam most: 2 in 0..4\nvar n: 0 in 0..9\n"
    rounds = "    place agent at (0, 1)\n    repeat most:\n        place wall at (n, 0)\n        n += 1\n"
    assert board(rounds, head) == "##...\n@...."
    assert board(rounds, head, most=4) == "####.\n@...."
    assert board(rounds, head, most=0) == ".....\n@...."


def test_repeat__stops_before_a_round_when_the_condition_holds() -> None:
    """``until`` is tested before each round, the first one included."""
    head = "generate: empty(5, 2)\nvar n: 0 in 0..9\n"
    rounds = "    place agent at (0, 1)\n    n = {}\n    repeat 9 until n == 2:\n        place wall at (n, 0)\n        n += 1\n"
    assert board(rounds.format(0), head) == "##...\n@...."
    assert board(rounds.format(2), head) == ".....\n@...."


def test_repeat__makes_room_for_the_objects_of_all_rounds() -> None:
    """As many objects are made as rounds place, also by nested ones."""
    nested = "    place agent at (0, 0)\n    repeat 2:\n        repeat 3: place coin at random floor\n"
    assert board(nested, "generate: empty(5, 2)\nobject coin:\n").count("c") == 6


def test_repeat__chooses_anew_each_round() -> None:
    """Names chosen in a round keep the last one's value afterwards."""
    setup = "    place agent at (4, 1)\n    repeat 4:\n        choose x0 in n..n\n        n += 1\n    place wall at (x0, 0)\n"
    assert board(setup, "generate: empty(5, 2)\nvar n: 0 in 0..9\n") == "...#.\n....@"


def test_repeat__inside_retry_starts_afresh() -> None:
    """A new try of ``retry`` undoes the rounds of the last."""
    setup = (
        "    place agent at (0, 1)\n    retry 1000 until n == 1:\n"
        "        repeat 3:\n            choose hit in 0..1\n            n += hit\n            if hit == 1: place wall at (n, 0)\n"
    )
    for _ in range(5):
        assert board(setup, "generate: empty(5, 2)\nvar n: 0 in 0..9\n") == ".#...\n@...."


def test_repeat__stands_in_a_rule_too() -> None:
    """Its rounds follow one another."""
    text = "map:\n    @..G\nlegend: G = goal\n" + TAIL + "on enter goal:\n    repeat 3:\n        reward 1\n"
    assert problems(text) == []
    assert Game(text).rewards("right right right") == [0.0, 0.0, 3.0]


def test_repeat__converts_both_ways() -> None:
    """The block keeps its meaning in TOML, and its form through ``fmt``."""
    text = (
        "env: test/Case-v0\ngenerate: empty(5, 2)\nvar n: 0 in 0..9\nsetup:\n    place agent at (0, 1)\n"
        "    repeat 3 until n == 2: n += 1\nactions: left, right\nobserve: cell\nwhen n == 2: end\n"
    )
    report = Report()
    toml = to_toml(read_document(Source("case.grid", text), report))
    assert to_grid(read_document(Source("case.toml", toml), report)) == text
    assert not report.diagnostics


def test_chosen_cell__has_a_column_and_a_row() -> None:
    """``spot.x`` and ``spot.y`` are the position of a chosen cell, and ``here.x`` that of a candidate."""
    setup = (
        "    place agent at (0, 1)\n    choose spot in random floor where x == 3 and y == 0\n"
        "    place wall at (spot.x - 1, spot.y)\n    place wall at every floor where here.x == spot.x + 1\n"
    )
    assert board(setup) == "..#.#\n@...#"


def test_agent__is_in_no_ones_way_before_it_is_placed() -> None:
    """A map without ``@`` is empty until setup places the agent: also its first cell can be built on."""
    assert board("    place wall at every floor where x == 0\n    place agent at (1, 1)\n") == "#....\n#@..."


def test_agent__that_setup_forgets_is_missed() -> None:
    """Where only an ``if`` places the agent and it does not hold, the reset says so."""
    text = "env: test/Case-v0\ngenerate: empty(3, 3)\nsetup:\n    choose n in 1..1\n    if n == 2: place agent at (0, 0)\n"
    env = griddsl.make(text + "actions: left, right\nobserve: cell\non bump edge: reward -1\n")
    with pytest.raises(SpecError, match="`agent` has no place: setup ended without placing it"):
        env.reset()


@pytest.mark.parametrize("policy", ["random", "random 8", "toward agent", "patrol", "forward"])
def test_creature__avoids_a_kind_of_ground(policy: str) -> None:
    """``avoiding K`` keeps a creature off the cells of K, whatever its policy."""
    game = Game(
        f"map:\n    @.W..\n    ..W.g\n    ..W..\nlegend: W = water, g = ghost\n"
        f"object ghost: facing, moves {policy} avoiding water\ntile water:\nactions: stay\nlimit: 99 steps\n"
    )
    game.reset()
    for _ in range(60):
        game.do("stay")
        assert all("g" not in row[:3] for row in game.board.split("\n"))


def test_words__of_several_names_can_be_alternatives() -> None:
    """A name is chosen among others of one domain, and a kind that was chosen is kept as a word."""
    game = Game(
        "generate: empty(5, 2)\nobject key: color in red | blue\nobject ball: color in red | blue\nvar what: in ball | key\n"
        "setup:\n    choose a, b in red | blue\n    choose c in a | b\n    choose thing in key | ball\n"
        "    place thing(color=c) at (1, 1)\n    what becomes thing\n    place agent at (0, 0)\n"
        "info: what = what, fits = count(key(color=c)) if what is key else count(ball(color=c))\n" + TAIL
    )
    found = set()
    for _ in range(30):
        game.reset()
        game.do("left")
        assert game.info["fits"] == 1
        found.add(game.info["what"])
    assert found == {"key", "ball"}
