"""Setup: what is chosen and placed at every reset."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import SpecError
from tests.playing import Game, completed, drawing, problems

TAIL = "actions: left, right\n"


def boards(setup: str, ground: str = "generate: empty(4, 3)\n", count: int = 60, **params: Any) -> list[str]:
    """Return the boards of several episodes."""
    game = Game(f"{ground}setup:\n{setup}{TAIL}", **params)
    return [game.reset().board for _ in range(count)]


def glyph(board: str, letter: str) -> list[tuple[int, int]]:
    """Return where a glyph stands."""
    return [
        (x, y) for y, row in enumerate(board.split("\n")) for x, found in enumerate(row) if found == letter
    ]


def test_region__is_a_set_of_cells() -> None:
    """Random places stay in their region, and reach all of it."""
    found = boards(
        "    place agent at random floor in hall\n",
        "generate: empty(4, 3)\nregion hall: (1..2, 0..1), (3, 2)\n",
    )
    assert {glyph(board, "@")[0] for board in found} == {(1, 0), (2, 0), (1, 1), (2, 1), (3, 2)}


@pytest.mark.parametrize(
    ("area", "cells"),
    [
        ("column 2", {(2, y) for y in range(3)}),
        ("row 1", {(x, 1) for x in range(4)}),
        ("border", {(x, y) for x in range(4) for y in range(3)} - {(1, 1), (2, 1)}),
    ],
)
def test_area__bounds_a_random_place(area: str, cells: set[tuple[int, int]]) -> None:
    """Columns, rows and the border are areas."""
    found = boards(f"    place agent at random floor in {area}\n", count=150)
    assert {glyph(board, "@")[0] for board in found} == cells


def test_place__fills_an_area() -> None:
    """``place K in AREA`` puts one in every cell of it."""
    (board,) = boards("    place wall in column 1\n    place agent at (3, 2)\n", count=1)
    assert board == drawing("""
        .#..
        .#..
        .#.@
    """)


def test_place__fills_what_a_condition_leaves() -> None:
    """``where`` leaves out cells of an area."""
    (board,) = boards("    place wall in row 1 where x != 2\n    place agent at (0, 0)\n", count=1)
    assert board.split("\n")[1] == "##.#"


def test_where__speaks_of_the_candidate() -> None:
    """``x``, ``y`` and ``here`` are the cell in question."""
    found = boards(
        (
            "    place agent at (0, 0)\n"
            "    place wall at random floor where distance(here, agent) >= 4 and x > y\n"
        ),
        count=80,
    )
    assert {glyph(board, "#")[0] for board in found} == {(3, 1), (3, 2)}


def test_place__several_take_several_cells() -> None:
    """``place 3 K`` puts three, in different cells, of which the agent's is none."""
    for board in boards("    place agent at random floor\n    place 3 wall at random floor\n"):
        assert len(glyph(board, "#")) == 3 and len(glyph(board, "@")) == 1


def test_place__every_draws_for_each_cell() -> None:
    """``at every floor with chance`` draws for each cell that qualifies."""
    counts = Counter(
        len(glyph(board, "#"))
        for board in boards(
            "    place agent at (0, 0)\n    place wall at every floor with chance 1/2\n", count=300
        )
    )
    mean = sum(number * times for number, times in counts.items()) / 300
    assert 5.1 < mean < 5.9
    assert len(counts) > 5


def test_random_place__is_uniform() -> None:
    """Each cell that qualifies comes as often as the others."""
    counts = Counter(
        glyph(board, "@")[0] for board in boards("    place agent at random floor\n", count=1200)
    )
    assert len(counts) == 12 and all(50 < times < 150 for times in counts.values())


def test_reachable__leaves_out_what_is_walled_off() -> None:
    """``reachable from`` keeps to cells that can be walked to."""
    found = boards(
        (
            "    place wall in column 2\n    place agent at (0, 0)\n"
            "    place goal at random floor reachable from agent\n"
        ),
        "generate: empty(4, 3)\ntile goal:\n",
    )
    assert {glyph(board, "g")[0] for board in found} == {(1, 0), (0, 1), (1, 1), (0, 2), (1, 2)}


def test_no_place__is_an_error_that_shows_the_map() -> None:
    """Where no cell qualifies, the error names the constraint and draws the map."""
    env = griddsl.make(
        completed(
            f"generate: empty(3, 1)\nsetup:\n    place agent at (1, 0)\n"
            f"    place wall at random floor where x > 5\n{TAIL}"
        )
    )
    with pytest.raises(SpecError, match="`wall` has no place: random floor where x > 5") as caught:
        env.reset(seed=0)
    assert ".@." in str(caught.value)


def test_retry__redraws_until_it_holds() -> None:
    """``retry`` keeps a layout only when its condition holds, each of those equally likely."""
    setup = (
        "    retry 200 until path_distance(agent, goal) < width * height:\n"
        "        place agent at (0, 0)\n        place goal at (3, 2)\n"
        "        place 3 wall at random floor\n"
    )
    for board in boards(setup):
        assert len(glyph(board, "#")) == 3


def test_retry__gives_up() -> None:
    """A layout that is never found is an error that tells how often was tried."""
    text = (
        f"generate: empty(3, 1)\nsetup:\n    place agent at (0, 0)\n"
        f"    retry 7 until n > 5:\n        choose n in 1..5\n{TAIL}"
    )
    env = griddsl.make(completed(text)) if not problems(text) else None
    if env is not None:
        with pytest.raises(SpecError, match="in 7 tries"):
            env.reset(seed=0)


CHOICES = "map:\n    @..\nsetup:\n{}" + TAIL + "observe: {}\n"


def chosen(setup: str, observed: str, count: int = 200) -> list[Any]:
    """Return what is observed of the choices of several episodes."""
    game = Game(CHOICES.format(setup, observed))
    return [game.reset().observation for _ in range(count)]


def test_choose__draws_a_range() -> None:
    """Every whole number of a range is drawn, equally often."""
    counts = Counter(int(value) for value in chosen("    choose n in 2..5\n", "n", 400))
    assert set(counts) == {2, 3, 4, 5} and all(60 < times < 140 for times in counts.values())


def test_choose__draws_with_weights() -> None:
    """Weights are chances."""
    counts = Counter(
        int(value) for value in chosen("    choose quality in good 0.9 | bad 0.1\n", "quality", 400)
    )
    assert 330 < counts[0] < 385


def test_choose__distinct_names_differ() -> None:
    """Distinct names never share a value, and take all pairs."""
    found = {
        tuple(int(part) for part in value.values())
        for value in chosen("    choose a, b distinct in red | green | blue\n", "first = a, second = b")
    }
    assert len(found) == 6 and all(first != second for first, second in found)


def test_choose__where_keeps_what_qualifies() -> None:
    """Values are drawn together until the condition holds."""
    found = {
        tuple(int(part) for part in value.values())
        for value in chosen("    choose a, b in 1..4 where a + b == 5\n", "first = a, second = b")
    }
    assert found == {(1, 4), (2, 3), (3, 2), (4, 1)}


def test_choose__draws_cells_and_texts() -> None:
    """A chosen cell places things; a chosen text is spoken in the mission."""
    text = (
        "map:\n    ....\nsetup:\n    choose spot in random floor where x > 1\n"
        '    place agent at spot\n    choose word in "go" | "run"\nmission: "{word} east"\n'
        "observe: where = cell, task = mission\nactions: left, right\n"
    )
    game = Game(text)
    found = {(game.reset().observation["where"], game.observation["task"]) for _ in range(60)}
    assert found == {(2, "go east"), (3, "go east"), (2, "run east"), (3, "run east")}


def test_setup__assigns_and_branches() -> None:
    """Setup takes assignments and ``if``."""
    text = (
        "map:\n    @..\nvar n: 0 in 0..9\nparam high: true\nsetup:\n    if high: n = 7\n"
        "    else: n = 2\nactions: left, right\nobserve: n\n"
    )
    assert Game(text).observation == 7
    assert Game(text, high=False).observation == 2


def test_starts__are_drawn_uniformly() -> None:
    """Of several ``@`` one is the start, with equal chances."""
    game = Game("map:\n    @.@.@\nactions: left, right\n")
    counts = Counter(int(game.reset().observation) for _ in range(300))
    assert set(counts) == {0, 2, 4} and all(70 < times < 130 for times in counts.values())


def test_levels__are_drawn_named_and_chosen() -> None:
    """``level: random`` draws a map; ``options`` and the keyword choose one."""
    text = "map a:\n    @..\nmap b:\n    ..@\nlevel: random\nactions: left, right\n"
    game = Game(text)
    assert {int(game.reset().observation) for _ in range(40)} == {0, 2}
    assert game.env.reset(options={"level": "b"})[0] == 2
    assert Game(text, level="a").observation == 0
    with pytest.raises(ValueError, match="levels: 'a', 'b'"):
        game.env.reset(options={"level": "c"})


@pytest.mark.parametrize("call", ["empty(7, 5)", "room(7, 5)", "maze(7, 5)", "rooms(2, 1)", "caves(12, 9)"])
def test_generate__makes_a_connected_world(call: str) -> None:
    """Every generator's free cells are one piece."""
    text = (
        f"generate: {call}\nsetup:\n    place agent at random free\n"
        f"    place goal at random free\nactions: left, right\n"
        f"observe: path_distance(agent, goal)\n"
    )
    game = Game(text)
    for _ in range(10):
        assert game.reset().observation[0] < game.env.program.cells


@pytest.mark.parametrize("weights", ["1 1/4 | 2 3/4", "1 25% | 2 75%", "1 0.25 | 2 3/4"])
def test_choose__takes_weights_in_any_spelling(weights: str) -> None:
    """Fractions, percentages and decimals are the same weights, exact, and formatting and TOML keep them."""
    text = f"generate: empty(3, 1)\nsetup:\n    choose n in {weights}\n    place agent at (n, 0)\n{TAIL}"
    game = Game(text)
    drawn = Counter(game.reset().board for _ in range(2000))
    assert abs(drawn["..@"] / 2000 - 0.75) < 0.05
    assert [found.message for found in problems(text.replace("3/4", "1/4").replace("75%", "1/4"))]


def test_area__rectangles_stand_in_place() -> None:
    """A rectangle bounds a random place or is filled; its ends may be chosen, and lie on the grid."""
    found = boards("    choose c in 1..2\n    place agent at random floor in (c..2, 0..1)\n", count=120)
    assert {glyph(board, "@")[0] for board in found} == {(1, 0), (1, 1), (2, 0), (2, 1)}
    (board,) = boards("    place wall in (0..1, 1)\n    place agent at (3, 2)\n", count=1)
    assert glyph(board, "#") == [(0, 1), (1, 1)]
    for wrong in ("(2..9, 0)", "(2..1, 0)", "(0, 7)"):
        setup = f"generate: empty(4, 3)\nsetup:\n    place agent at (3, 2)\n    place wall in {wrong}\n{TAIL}"
        assert any("its " in each.message for each in problems(setup))
