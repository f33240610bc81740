"""``define`` and ``let``: what is said under a name means what it would mean in its place, and no name is caught."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.playing.session import Session
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.reader import read_document
from tests.playing import Game, completed, problems
from tests.reference.beside import assert_plays_as_defined

CARS = """
object car: layer cars, speed in 0..9
var n: 5 in 0..9
var total: 0 in 0..99
map:
    @.a
    ..b
legend: a = car(speed=1), b = car(speed=3)
actions: left, right
observe: grid
info: total = total, n = n, speeds = sum(car.speed for car)
"""


def rewards(rules: str, actions: str = "left right") -> list[float]:
    """Return the rewards of a few steps; the executable semantics gives the same."""
    text = completed(f"{CARS}{rules}")
    assert_plays_as_defined(text, steps=10)
    return Game(f"{CARS}{rules}").rewards(actions)


def test_definition__takes_numbers_kinds_things_and_words() -> None:
    """Each parameter is what stands in its place."""
    rules = """
define twice(a): 2 * a
define fast(k, least): count(k where k.speed >= least)
define pay(who, why):
    reward who.speed
    if who.speed > 2: end why
each car if car.y == 1: pay(car, success)
each step: reward twice(fast(car, 2)) * 10
"""
    assert rewards(rules, "left") == [23.0]


def test_definition__has_names_of_its_own() -> None:
    """What it chooses and lets is not what the caller calls so, and neither changes the other."""
    rules = """
define add(a):
    let n_ = a + 1
    let m = n_ * 10
    total += m
each step:
    let m = 1
    let n_ = 2
    add(m)
    add(n_)
    reward total + m + n_
"""
    assert rewards(rules, "left") == [20 + 30 + 3]


def test_definition__reads_its_arguments_where_the_call_stands() -> None:
    """A car of which the caller speaks is not one of those that the definition looks at."""
    rules = """
define others_in(row): count(car where car.y == row)
define in_row_of(c): count(car where car.y == c.y and car.speed > 0)
each car: reward others_in(1 - car.y) + 10 * in_row_of(car)
"""
    assert rewards(rules, "left") == [22.0]


def test_definition__may_call_others_and_stand_without_brackets() -> None:
    """Order does not matter, and a value without parameters reads as a name."""
    rules = """
define rich: total > threshold()
define threshold: 3
define gain_twice: gain(), gain()
define gain: total += 2
each step: gain_twice()
when rich: reward 1
"""
    assert rewards(rules) == [1.0, 1.0]


def test_definition__is_carried_out_in_setup_too() -> None:
    """A block of placements."""
    text = """
generate: empty(4, 2)
define furnish(k, row):
    choose c in 0..3
    place k at (c, row)
setup:
    place agent at (0, 0)
    furnish(wall, 1)
    furnish(wall, 1)
actions: left, right
observe: grid
"""
    assert_plays_as_defined(completed(text), steps=5)
    assert Game(text).board.count("#") in {1, 2}


def test_definition__gives_texts_to_missions() -> None:
    """Words stand in it as they are, and names that are drawn tell their value."""
    text = """
define name_of(c, k): "the {c} {k}"
map:
    @.
setup:
    choose color in red | blue
actions: left, right
observe: mission
mission: "bring {name_of(color, box)} to {name_of(green, ball)}"
"""
    assert_plays_as_defined(completed(text), steps=3)
    assert Game(text).observation in {f"bring the {color} box to the green ball" for color in ("red", "blue")}


def test_let__keeps_a_value_and_a_thing() -> None:
    """What was named stays what it was, whatever is done after it."""
    rules = """
each step:
    let before = total
    total += 3
    reward before * 100 + total
each car if car.speed == 3:
    let first = car
    car.speed = 7
    reward first.speed * 1000
"""
    assert rewards(rules) == [7003.0, 306.0]


def test_let__holds_to_the_end_of_its_block() -> None:
    """A branch has names of its own."""
    rules = """
each step:
    if n > 3:
        let a = 1
        reward a
    else:
        let a = 2
        reward a
    let a = 4
    reward a
"""
    assert rewards(rules, "left") == [5.0]


@pytest.mark.parametrize("form", [to_grid, to_toml])
def test_definition__is_converted_without_loss(form: object) -> None:
    """Each spelling says the same as the other."""
    text = completed(
        "define near(k, d): any k within d of agent\ndefine pay(a):\n    let b = a\n    if b > 1: reward b\n"
        'define name: "the thing"\n' + CARS.lstrip("\n") + "when near(car, 2): pay(2)\nmission: name()\n"
    )
    from griddsl.diagnostics import Report

    document = read_document(Source("a.grid", text), Report())
    again = form(document)  # type: ignore[operator]
    assert griddsl.load(again) == griddsl.load(text)


def test_error_in_a_definition__names_both_places() -> None:
    """The place that is wrong, and the call that makes it so."""
    (found,) = problems(
        f"{CARS}define strong(k): k.powr > 3\nwhen any car on floor and strong(agent): reward 1\n"
    )
    assert (found.code, found.span.text) == ("unknown-attribute", "powr")
    assert [label.span.text for label in found.labels] == ["strong(agent)"]


def test_definition__ranges_over_kinds_that_have_patterns() -> None:
    """A name of its own that goes through kinds may stand before attributes, as a kind does."""
    rules = """
define there(k, least): any each_kind in car | car(speed=3) where k == 1 and count(each_kind(speed=least)) > 0
each step: reward 1 if there(1, 3) else 0
"""
    assert rewards(rules, "left") == [1.0]


def test_definition__may_ask_what_is_true_at_another_call() -> None:
    """A case that one call surely leaves out is no warning; the same without a definition is."""
    rules = """
define worth(k): (1 if k == 1 else 2 if k == 2 else 9 if k == 30 else 4)
each step: reward worth(n mod 3) + worth(n mod 40)
"""
    assert "never-true" not in {each.code for each in problems(f"{CARS}{rules}")}
    without = "each step: reward 9 if n mod 3 == 30 else 4"
    assert "never-true" in {each.code for each in problems(f"{CARS}{without}\n")}


def test_library__where_setup_finds_no_place_is_told_in_its_own_file(tmp_path: Path) -> None:
    """What a library's definition places is shown in the library's text, and the call in the spec's, at a reset too."""
    (tmp_path / "kinds.grid").write_text(
        "# Kinds.\ndefine scatter(k): place k at random mud\n", encoding="utf-8"
    )
    text = 'env: t/Mud-v0\nuse: "kinds.grid"\nobject key: portable\nsetup: scatter(key)\nmap:\n    @..\n'
    text += "actions: left, right\nobserve: cell\non leave mud: reward 1\non enter mud: end\nlimit: 9 steps\n"
    path = tmp_path / "mud.grid"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(griddsl.SpecError) as raised:
        griddsl.make(path).reset(seed=0)
    (found,) = raised.value.diagnostics
    assert found.code == "no-place" and found.span.text == "random mud"
    assert found.span.source.name.endswith("kinds.grid") and found.span.line == 2
    assert [label.span.text for label in found.labels] == ["scatter(key)"]


def test_library__may_define(tmp_path: object) -> None:
    """A spec uses what a file of its folder defines, and says of the unused nothing."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "words.grid").write_text("define rich(n): total > n\ndefine other_one: 3\n")
    (folder / "game.grid").write_text(
        completed(f'use: "words.grid"\n{CARS.lstrip()}when rich(3): reward 1\neach step: total += n\n')
    )
    assert griddsl.check(folder / "game.grid") == []


def test_name_chosen_in_a_definition__is_what_it_is_worth() -> None:
    """Where a definition hands on a kind that it has chosen, another one asks which kind that is."""
    spec = """env: test/Worth-v0
object key:
object ball:
var n: 0 in 0..9
define is_key(what): what is key
define draw_one:
    choose thing in key | ball
    if is_key(thing): n += 1
    if thing is key: n += 2
map:
    @...
actions: left, right
setup:
    draw_one()
observe: n = n
limit: 9 steps
"""
    env = griddsl.make(spec, backend="python")
    assert {int(env.reset(seed=seed)[0]["n"]) for seed in range(40)} == {0, 3}


PAIRS = """env: test/Pairs-v0
object key: portable, color in red | blue
object ball: portable, color in red | blue
define draw(words, kind, c):
    choose kind in key | ball, c in red | blue
    choose size in "small" | "large"
    choose words in "a {c} {kind}" | "a {size} {kind}"
    place kind(color=c) at random floor
define draw_both(first, second):
    draw(a, first, c)
    draw(b, second, d)
    choose told in "{a} and {b}"
generate: empty(4, 4)
setup:
    place agent at (0, 0)
    draw(one, kind_1, color_1)
    draw_both(kind_2, kind_3)
actions: left, right
observe: mission
mission: "find {one}"
each step: reward (1 if kind_1 is key else 2) + (10 if kind_2 is kind_3 else 20) + (100 if color_1 is red else 200)
limit: 9 steps
"""


def test_definition__gives_names_to_its_caller() -> None:
    """What it names by a parameter is the caller's from then on; its own names differ at each call, in texts too."""
    assert_plays_as_defined(PAIRS, steps=10, seeds=(0, 1, 2, 3))
    env = griddsl.make(PAIRS, backend="python")
    told, paid = set(), set()
    for seed in range(60):
        mission = env.reset(seed=seed)[0]
        reward = env.step(0)[1]
        told.add(mission)
        paid.add(reward)
        assert reward % 10 == (1 if "key" in mission else 2)
    looks = {"red", "blue", "small", "large"}
    assert told == {f"find a {look} {kind}" for look in looks for kind in ("key", "ball")}
    assert paid == {c + same + kind for c in (100, 200) for same in (10, 20) for kind in (1, 2)}
    without_name = PAIRS.replace("draw(one, kind_1, color_1)", "draw(one, key, color_1)")
    assert "duplicate-name" in {each.code for each in problems(without_name)}


def test_definition__is_named_where_its_own_names_are_shown() -> None:
    """A name that stands in a definition is shown as `definition.name`, in the panel and of a state; others are as written."""
    text = completed(
        """
map:
    @..
define dig(most):
    choose depth in 1..most
    choose side in left_hand | right_hand
setup:
    choose depth in 1..3
    dig(4)
    dig(5)
actions: left, right
observe: index(depth - 1)
"""
    )
    shown = [name.label for name in compiled(text).program.names]
    assert shown == ["depth", "dig.depth", "dig.side", "dig.depth_3", "dig.side_3"]
    session = Session(text)
    assert [name for name, _ in session.things()] == shown


DRAWN = """
generate: empty(4, 2)
object crate: solid
param least: 0 in 0..9
define put(n):
    choose {0}
    place crate at (n, 0) if free
setup:
    place agent at (0, 1)
    put(1)
    put(2)
actions: left, right
"""


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ("row in 0..3 where row >= least", "`row` has no place: no combination qualifies"),
        (
            "spot in random floor where spot.x >= least",
            "`spot` has no place: random floor where spot.x >= least",
        ),
    ],
)
def test_names_of_definitions__are_told_as_they_stand_there(chosen: str, told: str) -> None:
    """What a call makes up for a name is in no message, of the check or of a reset."""
    text = completed(DRAWN.replace("{0}", chosen))
    assert not [each for each in griddsl.check(text) if each.is_error]
    with pytest.raises(griddsl.SpecError, match=re.escape(told)):
        griddsl.make(text, least=9).reset(seed=0)
