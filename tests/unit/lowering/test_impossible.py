"""Conditions that can never hold are told by the text alone, in a world of any size; those that may are not."""

from __future__ import annotations

import pytest

from griddsl.compiler import compile_text
from griddsl.diagnostics import Report
from griddsl.source import Source

WORLD = """env: mine/Large-v0
object door: state in open | closed | locked, worth 2 in 0..5
object key: portable
object gem:
object cat: moves random, mood calm in calm | cross
agent: oil 3 in 0..9
var gas: 5 in 0..9
var mood: happy in happy | sad | angry
var still: glad in glad | bad
var count_of: 2 in 0..9
generate: empty(40, 40)
setup:
    place agent at (0, 0)
    place door at random floor
    place key at random floor
    place gem at random floor
    place 9 cat at random floor
actions: up, right, down, left, pickup, toggle, stay
observe: grid
on toggle door: door becomes open
each step with chance 1/9: mood becomes random, gas -= 1, agent.oil -= 1
each cat with chance 1/9: cat.mood becomes random
limit: 99 steps
"""


def told(lines: str, world: str = WORLD) -> list[str]:
    """Return what is said never to be true."""
    report = Report()
    compile_text(Source("mine.grid", world + lines + "\n"), {}, report)
    assert not report.has_errors, list(report)
    return [each.span.text for each in report.diagnostics if each.code == "never-true"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("when agent has gem: reward 1", "agent has gem"),
        ("when gas > 5 and gas < 3: reward 1", "gas < 3"),
        ("when gas == 3 and agent.x > 2 and gas > 4: reward 1", "gas > 4"),
        ("when mood is sad and mood is angry: reward 1", "mood is angry"),
        ("when door is open and door is closed: reward 1", "door is closed"),
        ("when any cat where cat.mood is calm and cat.mood is cross: reward 1", "cat.mood is cross"),
        ("each cat if cat.mood is calm and not cat.mood is calm: reward 1", "not cat.mood is calm"),
        ("when agent.oil > 3 and agent.oil < 4: reward 1", "agent.oil < 4"),
        ("when gas + 1 > 5 and gas + 1 < 3: reward 1", "gas + 1 < 3"),
        ("each step:\n    if gas > 3: reward 1\n    else if gas > 5: reward 2", "gas > 5"),
        ("each step:\n    if gas > 3:\n        reward 1\n        if gas < 2: reward 1", "gas < 2"),
        ("when gas > 3:\n    mood becomes sad\n    if gas < 2: reward 1", "gas < 2"),
        ("each step: reward 1 if gas > 3 else 2 if gas > 5 else 3", "gas > 5"),
        ("each step:\n    if mood is sad: reward 1\n    else if mood is sad: reward 2", "mood is sad"),
        ("when still is bad: reward 1", "still is bad"),
        ("when count_of > 2: reward 1", "count_of > 2"),
        ("when door is locked: reward 1", "door is locked"),
        ("when door.worth == 3: reward 1", "door.worth == 3"),
        ("when agent sees agent: reward 1", "agent sees agent"),
        ("each cat if cat within 2 of cat: reward 1", "cat within 2 of cat"),
    ],
)
def test_impossible__is_told(lines: str, found: str) -> None:
    """What is said, and of which words."""
    assert told(lines) == [found]


@pytest.mark.parametrize(
    "lines",
    [
        "when agent has key: reward 1",
        "when agent has (key or gem): reward 1",
        "when no agent has gem: reward 1",
        "on bump edge: pickup gem\nwhen agent has gem: reward 1",
        "on bump edge: key becomes gem\nwhen agent has gem: reward 1",
        "when gas > 3 and gas < 5: reward 1",
        "when gas > 5 or gas < 3: reward 1",
        "when mood is sad or mood is angry: reward 1",
        "when not mood is sad and not mood is angry: reward 1",
        "when any cat where cat.mood is calm and any cat where cat.mood is cross: reward 1",
        "each step:\n    if gas > 5: reward 1\n    else if gas > 3: reward 2",
        "each step:\n    if gas > 3 with chance 1/2: reward 1\n    else if gas > 5: reward 2",
        "each step:\n    if gas > 3 and mood is sad: reward 1\n    else if gas > 5: reward 2",
        "when gas > 3:\n    gas = 1\n    if gas < 2: reward 1",
        "when gas > 3:\n    if mood is sad: gas -= 3\n    if gas < 2: reward 1",
        "when gas > 3:\n    repeat 3:\n        if gas < 2: reward 1\n        gas -= 2",
        "when gas > 3:\n    each i in 0..3:\n        if gas < 2: reward 1\n        gas -= 2",
        "on bump edge if gas > 3: gas = 1\non bump edge if gas > 2:\n    if gas < 2: reward 1",
        "when mood is sad:\n    mood becomes random\n    if mood is angry: reward 1",
        "each cat if cat.mood is calm:\n    cat.mood becomes cross\n    if cat.mood is cross: reward 1",
        "when door is open:\n    door becomes closed\n    if door is closed: reward 1",
        "when still is bad: reward 1\non bump edge: still becomes bad",
        "when door is locked: reward 1\non bump edge: door.state becomes random",
        "when door is locked: reward 1\non bump edge: place door(state=locked) at random floor",
        "when door.worth == 3: reward 1\non bump edge: door.worth += 1",
        "when any cat sees agent: reward 1",
        "when any cat within 2 of cat: reward 1",
    ],
)
def test_possible__is_not_told(lines: str) -> None:
    """What may come about is passed over, however it does."""
    assert told(lines) == []


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("param most: 3 in 1..9\nwhen gas < most and gas > 5: reward 1", []),
        ("param most: 3 in 1..9\nwhen gas > 5 and gas < 3: reward most", ["gas < 3"]),
        ("param most: 3 in 1..9\nwhen still is bad: reward most", ["still is bad"]),
        ("param most: 3 in 1..9\nwhen still is bad: reward 1\neach step if most > 5: still becomes bad", []),
        (
            "param most: 3 in 1..9\nwhen door is locked: reward 1\neach step if most > 5: door becomes locked",
            [],
        ),
        ("param first: glad in glad | bad\nvar day: first in glad | bad\nwhen day is bad: reward 1", []),
    ],
)
def test_impossible__with_other_parameters_is_asked(lines: str, found: list[str]) -> None:
    """What only the parameters as they are rule out is passed over."""
    assert told(lines) == found


def test_impossible__of_a_definition_is_not_told() -> None:
    """What a definition asks may hold where it is given something else."""
    assert told("define much(n): gas > n\nwhen gas < 3 and much(5): reward 1\nwhen much(2): reward 1") == []


KEYS = """env: mine/Keys-v0
object key: portable, color in red | green | blue
object ball: portable, kind_of in old | new, mark in red | blue
object bag: carries 1
generate: empty(40, 40)
setup:
    place agent at (0, 0)
    place key at random floor
    place key(color=random red | green) at random floor
    place ball(kind_of=random) at random floor
    place bag at random floor
    place key(color=green) in bag
actions: up, right, down, left, pickup, drop
observe: grid
limit: 99 steps
"""


def fired_never(lines: str) -> list[tuple[str, str]]:
    """Return what is said never to be true or to fire, and of which words."""
    report = Report()
    compile_text(Source("mine.grid", KEYS + lines + "\n"), {}, report)
    assert not report.has_errors, list(report)
    return [(each.code, each.span.text) for each in report.diagnostics if each.code.startswith("never-")]


@pytest.mark.parametrize(
    ("rule", "code", "found"),
    [
        ("when agent has key(color=blue): reward 1", "never-true", "agent has key(color=blue)"),
        ("on bump edge if bag has key(color=blue): reward 1", "never-true", "bag has key(color=blue)"),
        ("when any key(color=blue) on floor: reward 1", "never-true", "any key(color=blue) on floor"),
        ("each step:\n    if key(color=blue) at agent: reward 1", "never-true", "key(color=blue) at agent"),
        ("each step if not (key(color=blue) at agent): reward 1", "never-true", "key(color=blue) at agent"),
        ("on pickup key(color=blue): reward 1", "never-fires", "on pickup key(color=blue)"),
        ("each key(color=blue): reward 1", "never-fires", "each key(color=blue)"),
        ("on key(color=blue) enter agent: reward 1", "never-fires", "on key(color=blue) enter agent"),
    ],
)
def test_a_value_that_no_thing_can_have__is_told(rule: str, code: str, found: str) -> None:
    """What asks for a thing with a value that no legend, setup or rule gives, in a world of any size."""
    assert (code, found) in fired_never(rule)


@pytest.mark.parametrize(
    "rule",
    [
        "when agent has key(color=red): reward 1",
        "when agent has key(color=green): reward 1",
        "on do drop:\n    choose c in green | blue\n    place key(color=c) at random floor\nwhen agent has key(color=blue): reward 1",
        "when agent has ball(kind_of=new): reward 1",
        "when no key(color=blue) left: reward 1",
        "when no key(color=blue) on floor: reward 1",
        "on pickup key: key.color becomes blue\nwhen agent has key(color=blue): reward 1",
        "on pickup key: key.color = random\nwhen agent has key(color=blue): reward 1",
        "on bump edge: place key(color=blue) at random floor\nwhen agent has key(color=blue): reward 1",
        "on bump edge: ball becomes key(color=blue)\nwhen agent has key(color=blue): reward 1",
        "on pickup key: key.color becomes ball.mark\nwhen agent has key(color=blue): reward 1",
        "on do drop:\n    choose c in green | blue\n    each key: key.color becomes c\nwhen agent has key(color=blue): reward 1",
    ],
)
def test_a_value_that_a_thing_may_have__is_not_told(rule: str) -> None:
    """Where a value is drawn, made, placed or set, and of what there is none of, nothing is said."""
    assert fired_never(rule) == []


def test_a_value_that_a_parameter_or_a_variant_may_give__is_not_told() -> None:
    """With other parameters a thing may have it."""
    for declared in ("param hue_of: red in red | blue\n", "variant mine/Keys-Two-v0: limit = 5\n"):
        assert fired_never(f"{declared}when agent has key(color=blue): reward 1") == []
