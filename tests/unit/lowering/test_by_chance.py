"""Chances of lines of a block: `if C with chance P`, `each K with chance P`; and what they stand beside."""

from __future__ import annotations

import pytest

import griddsl
from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.reader import read_document
from tests.playing import Game, completed, problems
from tests.reference.beside import assert_plays_as_defined

HEAD = """
object rock: weight in 1..3, solid, layer ground
map:
    @.a..
    ..b..
    ..c..
legend: a = rock(weight=1), b = rock(weight=2), c = rock(weight=3)
actions: left, right
observe: grid as planes (rock.weight)
"""


def rewards(rules: str, steps: int = 400) -> list[float]:
    """Return the rewards of a game that the executable semantics plays the same way."""
    assert_plays_as_defined(completed(HEAD + rules), steps=20)
    return Game(HEAD + rules).rewards(" ".join(["left"] * steps))


@pytest.mark.parametrize(
    ("rules", "expected", "most"),
    [
        ("each step:\n    if rock at (2, 0) with chance 1/4: reward 1\n", 0.25, 1),
        ("each step:\n    if rock at (1, 0) with chance 1/2: reward 1\n", 0, 0),
        ("each step:\n    if true with chance 1/2: reward 1\n    else: reward 2\n", 1.5, 2),
        ("each step:\n    if false: reward 9\n    else if true with chance 20%: reward 1\n", 0.2, 1),
        ("each step:\n    each rock with chance 1/2: reward rock.weight\n", 3, 6),
        ("each step:\n    each rock by rock.weight down with chance rock.weight / 3: reward 1\n", 2, 3),
        ("each step:\n    each rock where rock.weight > 1 with chance 0.5: reward rock.weight\n", 2.5, 5),
        ("each step:\n    each i in 1..4 with chance 1/4: reward i\n", 2.5, 10),
        ("each step:\n    each d in east | west with chance 1/2: reward 1\n", 1, 2),
        ("each step:\n    each cell where y == 1 with chance 1/5: reward 1\n", 1, 5),
    ],
)
def test_line__holds_with_its_chance(rules: str, expected: float, most: int) -> None:
    """It happens as often as it says, drawn for each by itself, and never where the condition fails."""
    found = rewards(rules)
    assert max(found) <= most
    assert abs(sum(found) / len(found) - expected) <= 0.15 * max(1, most)


def test_chance__is_drawn_only_where_the_condition_holds() -> None:
    """What comes after it in the stream is the same as without the line."""
    drawn = "    choose n in 1..1000\n    reward n\n"
    without = rewards(f"each step:\n{drawn}", 20)
    assert rewards(f"each step:\n    if rock at (0, 2) with chance 1/2: reward 5\n{drawn}", 20) == without
    assert rewards(f"each step:\n    if rock at (2, 0) with chance 1/2: reward 0\n{drawn}", 20) != without


def test_random__draws_nothing_for_what_is_gone() -> None:
    """What comes after it in the stream is the same as without the effect, on what was removed and on what there is not."""
    drawn = "    choose n in 1..1000\n    reward n\n"
    none = "    (the rock with most rock.x where rock.x > 3).weight becomes random\n"
    first = "    let first = the rock with least rock.weight\n"
    without = rewards(f"each step:\n{drawn}", 20)
    gone = f"each step:\n{none}{first}    remove first\n    first.weight = random\n{drawn}"
    assert rewards(gone, 20) == without
    assert rewards(f"each step:\n{none}{first}    first.weight = random\n{drawn}", 20) != without


def test_chance__may_speak_of_what_the_condition_finds() -> None:
    """The rock that the condition finds decides how likely it is."""
    sure = "each step:\n    if rock at (2, 2) with chance rock.weight / 3: reward 1\n"
    assert set(rewards(sure, 50)) == {1}


def test_setup__draws_it_too() -> None:
    """In setup a line may stand with a chance as well."""
    game = Game(HEAD + "setup:\n    each rock with chance 1/2: rock.weight = 3\n")
    weights = [tuple(game.reset(seed).observation[:, 2].tolist()) for seed in range(60)]
    assert set(weights) == {(a, b, 3) for a in (1, 3) for b in (2, 3)}


def test_chance__lies_between_0_and_1() -> None:
    """A chance that is none is refused where it stands."""
    (found,) = problems(HEAD + "each step:\n    if true with chance 30: reward 1\n")
    assert (found.code, found.span.text) == ("bad-chance", "30")


def test_layout__keeps_it() -> None:
    """`fmt` writes the lines as they are."""
    text = completed(
        HEAD.strip("\n")
        + "\neach step:\n    if rock at (2, 0) with chance 1/4:\n        reward 1\n        reward 2\n"
        + "    each rock where rock.weight > 1 by x with chance 0.5: reward 1\n"
    )
    report = Report()
    document = read_document(Source("a.grid", text), report)
    toml = to_toml(document)
    for laid_out in (
        to_grid(document),
        to_grid(read_document(Source("a.toml", toml), report)),
    ):
        for line in (
            "    if rock at (2, 0) with chance 1/4:",
            "    each rock where rock.weight > 1 by x with chance 0.5: reward 1",
        ):
            assert line in laid_out.split("\n")


@pytest.mark.parametrize("way", ["east", "southwest", "north"])
def test_steps_of_directions(way: str) -> None:
    """`dx` and `dy` are the columns and rows of one step, of a word, a facing and a value."""
    steps = {"east": (1, 0), "southwest": (-1, 1), "north": (0, -1)}
    rules = f"var way: {way} in east | southwest | north\neach step: reward 10 * dx(way) + dy(way)\n"
    assert rewards(rules, 1) == [10 * steps[way][0] + steps[way][1]]
    assert rewards(f"each step: reward dx({way})\n", 1) == [steps[way][0]]


def test_steps__are_of_directions_alone() -> None:
    """A number and a cell have no step."""
    for wrong in ("dx(3)", "dy()", "dx((1, 1))"):
        assert [d.code for d in problems(HEAD + f"each step: reward {wrong}\n")] == ["wrong-arguments"]


def test_drawn_cell__has_its_name_in_the_condition() -> None:
    """`choose c in random floor where c.x > 3`: the name is the cell that is looked at."""
    rules = "setup:\n    choose c in random floor where c.x > 3 and here.x > 1\ninfo: column = c.x\n"
    game = Game(HEAD + rules)
    assert {game.reset(seed).info["column"] for seed in range(20)} == {4}
    assert_plays_as_defined(completed(HEAD + rules), steps=5)


def test_another_one__is_drawn_where_the_rule_speaks_of_one() -> None:
    """A rule that speaks of a rock can draw another one, and ask whether it is that very rock."""
    rules = "on bump rock:\n    choose next in rock where next is not rock\n    reward next.weight\n"
    game = Game(HEAD + rules)
    found = {tuple(game.reset(seed).rewards("right right")) for seed in range(20)}
    assert found == {(0, 2), (0, 3)}
    assert_plays_as_defined(completed(HEAD + rules), steps=10)


def test_the_same_one__is_never_another() -> None:
    """Where a rule speaks of no rock, the kind is the one that is looked at, and `check` says that nothing qualifies."""
    found = griddsl.check(
        completed(HEAD + "on bump edge:\n    choose n in rock where n is not rock\n    n.weight = 3\n")
    )
    assert "never-true" in [each.code for each in found]
