"""Rules on what objects do by themselves, or pushed: which can never fire, and which may."""

from __future__ import annotations

import pytest

import griddsl

SPEC = """env: t/Yard-v0
object box: pushable
object cat: layer cats, moves random
object dog: layer dogs, facing, moves random if dog.y > 1 else forward
{}
map:
    ###########
    #@.b......#
    #c..m.....#
    #..d......#
    ###########
legend: b = box, c = cat, d = dog, m = {}
actions: up, right, down, left, mark(spot in cells)
observe: grid as planes (agent, box, cat, dog)
{}
limit: 40 steps
"""


def said(rule: str, kind: str = "tile mud:", glyph: str = "mud") -> list[str | None]:
    """What is said of rules that never fire."""
    return [each.help for each in griddsl.check(SPEC.format(kind, glyph, rule)) if each.code == "never-fires"]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("on cat bump wall: reward 9", "`moves random` goes where it is free"),
        ("on cat bump wall: reward 9\non do mark: move cat east", "`moves random` goes where it is free"),
        ("on cat bump edge: reward 9", "`moves random` goes where it is free"),
        ("on box enter wall: reward 1", "`wall` is solid: no `box` comes into its cell"),
        ("on dog enter wall: reward 1", "`wall` is solid: no `dog` comes into its cell"),
    ],
)
def test_rule__of_an_object_that_never_fires_is_said_to(rule: str, why: str) -> None:
    """Nothing comes into what is solid, and who looks for a free cell bumps into nothing."""
    found = said(rule)
    assert len(found) == 1 and str(found[0]).startswith(why)


@pytest.mark.parametrize(
    "rule", ["on box bump wall: reward 5", "on dog bump wall: reward 1", "on cat enter mud: reward 1"]
)
def test_rule__of_an_object_that_may_fire_is_not_spoken_of(rule: str) -> None:
    """What is pushed, and what goes forward now and then, is stopped by walls."""
    assert said(rule) == []


def test_rule__of_what_belts_move_is_not_spoken_of() -> None:
    """A belt, the first direction among them, may carry an object against a wall."""
    assert said("on cat bump wall: reward 9", "tile belt: carry east", "belt") == []


def test_rule__of_what_only_effects_move_is_said_to_hear_no_bump() -> None:
    """`move K DIRECTION` goes where it is free, and raises nothing where it is not."""
    text = (
        "env: t/B-v0\nobject car: layer road\nmap:\n    @.c#\nlegend: c = car\nactions: left, right\n"
        "each car: move car east\non car bump wall: remove car\nobserve: cell\nlimit: 9 steps\n"
    )
    found = [each.help for each in griddsl.check(text) if each.code == "never-fires"]
    assert len(found) == 1 and str(found[0]).startswith("`move car DIRECTION` goes where it is free")
