"""Things of several kinds: loops, the one of several and draws that go through all that can be carried."""

from __future__ import annotations

import pytest

from tests.playing import NATIVE, Game, problems

WORLD = """
object ball: portable, color in red | blue
object key: portable, color in red | blue
object crate: solid
map:
    @b.k.c
    .k..b.
legend: b = ball(color=red), k = key(color=blue), c = crate
actions: right, left, down, stay, pickup
"""


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_each__goes_through_things_of_all_kinds_as_they_came_to_be(backend: str) -> None:
    """In a block `portable` is the thing of the round, of whichever kind; `by` orders all of them together."""
    text = WORLD + (
        "var seen: 0 in 0..9999\nvar cold: 0 in 0..99\nvar line: 0 in 0..9999\nobserve tuple: seen, cold, line\n"
        "each step:\n    seen = 0\n    line = 0\n    cold = 0\n"
        "    each portable: seen = 10 * seen + portable.x\n    each object(color=blue): cold = 10 * cold + object.x\n"
        "    each portable where portable.y == 0 by portable.x down: line = 10 * line + portable.x\n"
    )
    assert Game(text, backend=backend).do("stay").observation == (1314, 31, 31)


def test_each__asks_each_as_it_is_by_then() -> None:
    """What is removed meanwhile is passed over; the word behind `any` means all of them."""
    text = WORLD + (
        "observe: count(portable)\neach step:\n    each portable:\n"
        "        if any portable within 1 of portable: remove portable\n"
    )
    assert Game(text).do("stay").observation == 2, "of two that lie beside each other one stays"


def test_the_one_of_several__is_of_any_kind() -> None:
    """It is found among all of them, moved by a name that is given to it, and known by its kind."""
    text = WORLD + (
        "observe: (the portable with most portable.x).x\nwhen step == 1:\n"
        "    let last = the portable with most portable.x\n    if last is ball: remove last\n"
    )
    game = Game(text)
    assert game.observation == 4
    assert game.do("stay").observation == 3


@pytest.mark.parametrize("of", ["portable", "(ball or key)", "any object(color=red)"])
def test_choose__draws_a_thing_of_any_kind(of: str) -> None:
    """Each of those that qualify is drawn; the name means the thing, in rules and the mission too."""
    text = WORLD + f"observe: mission\nsetup:\n    choose t in {of} where t.x > 0\n"
    game = Game(text + 'mission: "{t.color} {t.kind} {t.x}"\n')
    told = {str(game.reset(seed).observation) for seed in range(40)}
    balls = {"red ball 1", "red ball 4"}
    assert told == (balls if "object" in of else balls | {"blue key 3", "blue key 1"})


def test_planes_and_codes__show_groups() -> None:
    """A plane for all of a group, a code for each kind of it."""
    planes, codes = Game(
        WORLD
        + "observe tuple: grid as planes (portable, (ball or crate)), grid as codes (portable 2, crate 3)\n"
    ).observation
    assert planes[0].tolist() == [[0, 0], [1, 1], [0, 0], [1, 0], [0, 0], [0, 1]]
    assert codes.tolist() == [[0, 2, 0, 2, 0, 3], [0, 2, 0, 0, 2, 0]]


def test_trigger__of_one_kind_or_another() -> None:
    """`on enter (a or b)` is a rule for each."""
    text = WORLD + "observe: cell\non enter (ball or key): reward 1\non bump (crate or wall): reward -1\n"
    assert Game(text).rewards("right right right right right") == [1, 0, 1, 0, -1]


def test_attribute__that_not_all_have_is_reported() -> None:
    """Of a thing of any kind an attribute is asked where all kinds have it."""
    text = WORLD + "observe: cell\neach step:\n    each object: reward 1 if object.color is red else 0\n"
    (found,) = [each for each in problems(text) if each.is_error]
    assert (found.code, found.message) == ("unknown-attribute", "`crate` has no attribute `color`")
    assert found.help is not None
    assert "object(color=...)" in found.help


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("any crate where any object where distance(object, crate) == 2", 1),
        ("any key where all portable where distance(portable, key) > 0", 0),
        ("any ball where (any ball(color=red) where any object where object.x == ball.x + 4)", 1),
        ("all object where any object where object is crate", 1),
        ("no object where any object where object.x > 5", 1),
    ],
)
def test_condition__a_kind_goes_on_meaning_what_was_found_outside(asked: str, expected: int) -> None:
    """Only the word is the thing that is gone through; behind `any` and its like it means all again."""
    text = WORLD + f"var seen: 0 in 0..9\nobserve: seen\neach step: seen = 1 if {asked} else 0\n"
    assert Game(text).do("stay").observation == expected


def test_count__in_a_loop_over_one_of_the_kinds() -> None:
    """Each is compared with the one of the round, whichever kind both are of."""
    text = WORLD + (
        "var right: 0 in 0..99\nvar apart: 0 in 0..99\nobserve tuple: right, apart\neach step:\n"
        "    right = 0, apart = 0\n    each ball: right += count(object where object.x > ball.x)\n"
        "    each ball: apart += sum(portable.x - ball.x for portable where portable.x > ball.x)\n"
    )
    assert Game(text).do("stay").observation == (4, 5)
