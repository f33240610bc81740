"""Path distances: one search does for all that lie on one side of them."""

from __future__ import annotations

import pytest

import griddsl
from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

MAPS = {
    "border": "edge: stay\nmap:\n    @.s.#G\n    .#h..#\n    s..#.s\n    .c.h..\n",
    "wrap": "edge: wrap\nmap:\n    @.s.#G\n    .#h..#\n    s..#.s\n    .c.h..\n",
    "walls": "map walled:\n    +-----+\n    |@:s|.|\n    + -   +\n    |.|h:G|\n    +   - +\n    |s:c:s|\n    +-----+\n",
}
ASKED = """
object stone: solid, moves random
object chest: solid
object herb: portable
legend: s = stone, h = herb, c = chest, G = goal
actions: up, right, down, left, pickup
each step: reward count(stone where path_distance({here}, stone{avoiding}) == 3)
each step: reward 10 * sum(path_distance(agent, herb) for herb where herb.x > 0)
each step if not any object where path_distance({here}, object{avoiding}) == width * height: reward 100
each step: reward count(herb where path_distance(herb, agent) < 3)
each step if any stone where any herb where path_distance(stone, herb) == 2: reward 1000
each step: reward 0.001 * count(stone where any herb where path_distance(herb, stone) == 2)
on enter goal: end success
observe: grid
limit: 20 steps
"""


@pytest.mark.parametrize("map_", MAPS)
@pytest.mark.parametrize("here", ["agent", "chest", "goal"])
@pytest.mark.parametrize("avoiding", ["", " avoiding herb"])
def test_path_distance__of_many_from_one_place(map_: str, here: str, avoiding: str) -> None:
    """The way back is as long as the way there, whatever stands at either end."""
    assert_plays_as_defined(completed(MAPS[map_] + ASKED.format(here=here, avoiding=avoiding)), steps=20)


def test_path_distance__is_the_same_both_ways() -> None:
    """What is solid at one end is in nobody's way, whichever end it is; between the two it is."""
    text = completed(
        "object post: solid\ntile rock: solid\nmap:\n    @.rp.\n    ####.\nlegend: r = rock, p = post\n"
        "actions: stay\nobserve: cell\ninfo:\n"
        "    to = path_distance((4, 1), post)\n    back = path_distance(post, (4, 1))\n"
        "    rock = path_distance((2, 0), (0, 0))\n    beyond = path_distance((4, 0), agent)\n"
    )
    assert_plays_as_defined(text, steps=4)
    info = griddsl.make(text).reset(seed=0)[1]
    assert [info[name] for name in ("to", "back", "rock", "beyond")] == [2, 2, 2, 10]


def test_path_distance__is_searched_once_from_what_stays() -> None:
    """A loop over things that all look at one place makes one search, whichever side of the distance they are on."""
    source = griddsl.make(
        completed(MAPS["border"] + ASKED.format(here="agent", avoiding=""))
    ).program.source()
    assert source.count("if not known") >= 5
    assert "search_2" not in source
