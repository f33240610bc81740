"""Versions: what happens on another map, or in a variant, is not said never to happen."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.exact.check.analysis import check_exactly

LEVELS = """env: t/Levels-v0
map a:
    @...G
map b:
    {}
legend: G = goal, L = lava
actions: left, right
observe: cell
on enter goal: end success
on enter lava: end failure
limit: {}
"""
LATE = """env: t/Late-v0
map:
    @...G
legend: G = goal
actions: left, right
observe: cell
on enter goal: end success
{}
limit: 50
{}
"""
NEVER = {"unreachable-end", "never-fires", "never-true", "always-true", "never-entered"}


def said(text: str) -> list[tuple[str, str]]:
    """Return what is said never to happen: the code and the place."""
    return [(each.code, each.span.text) for each in griddsl.check(text) if each.code in NEVER]


@pytest.mark.parametrize("other", ["@.L.G", "@.LG"])
@pytest.mark.parametrize("limit", ["50", "none"])
def test_what_another_map_shows__is_not_said_never_to_happen(other: str, limit: str) -> None:
    """A reset can ask for a map of the same size by its name, and ``make`` for one of another size."""
    assert said(LEVELS.format(other, limit)) == []


@pytest.mark.parametrize(("more", "found"), [("", ["unreachable-end"]), ("level: b\n", ["unreachable-end"])])
def test_what_no_map_shows__is_said_never_to_happen(more: str, found: list[str]) -> None:
    """Where the states of all maps are few, all of them are visited."""
    told = [each for each in griddsl.check(LEVELS.format("@.#LG", "50") + more) if each.code in NEVER]
    assert [each.code for each in told] == found
    assert told[0].help == "proved by visiting all 6 states"


@pytest.mark.parametrize(
    ("lines", "variant"),
    [
        ("when step > 60: end failure", "limit = 200"),
        ("when step == 60: reward 1", "limit = 60"),
        ("each step:\n    if step > 60: reward 1", "limit = 200"),
        ("every 60 steps: reward 1", "limit = 60"),
        ("var m: 0 in 0..limit\neach step: m += 1\nwhen m == 55: end failure", "limit = 60"),
        ("param n: 2 in 1..9\nvar m: 0 in 0..n\neach step: m += 1\nwhen m == 5: end failure", "n = 9"),
        ("param n: 2 in 1..9\nvar m: 0 in 0..n\neach step: m += 1\nwhen m == 5: reward 1", "n = 9"),
    ],
)
def test_what_a_variant_makes_true__is_not_said_never_to_be(lines: str, variant: str) -> None:
    """A limit, a parameter and what follows from them may be others in a variant."""
    assert said(LATE.format(lines, f"variant t/Later-v0: {variant}")) == []


@pytest.mark.parametrize(
    ("lines", "variant", "found"),
    [
        ("when step > 60: end failure", "", "never-true"),
        ("when step > 60: end failure", "variant t/Later-v0: limit = 55", "unreachable-end"),
        ("every 60 steps: reward 1", "variant t/Later-v0: limit = 55", "never-fires"),
    ],
)
def test_what_no_variant_makes_true__is_said_never_to_be(lines: str, variant: str, found: str) -> None:
    """Every variant is visited, up to its own limit."""
    assert [code for code, _ in said(LATE.format(lines, variant))] == [found]


def test_goals__behind_walls_on_one_map_alone_are_not_spoken_of() -> None:
    """On another map, which a reset can ask for, there may be a way."""
    rows = "\n    ".join(["@" + "." * 40, *["." * 41] * 20])
    room = (
        f"object cat: moves random\nmap a:\n    {rows}\n    {'#' * 41}\n    {'.' * 40}G\nmap b:\n    {rows}\n"
    )
    room += f"    {'.' * 41}\n    {'.' * 40}G\nlegend: G = goal\nactions: up, right, down, left\nlimit: 99\n"
    text = "env: t/Walled-v0\nobserve: cell\n" + room + "on enter goal: end success\n"
    text += "setup: place 3 cat at random floor\n"
    assert said(text) == []


def test_check_exactly__says_which_level_it_visited() -> None:
    """All states are those of one level: what it shows is said of that alone."""
    found, _ = check_exactly(LEVELS.format("@.L.G", "50"))
    helps = {each.help for each in found if each.code in NEVER}
    assert helps == {"proved by visiting all 5 states of the level `a` alone"}
