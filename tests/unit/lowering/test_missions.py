"""Missions whose words depend on the game: alternatives, conditions, attributes."""

from __future__ import annotations

import pytest

import griddsl

DAY = """\
env: test/Day-v0
object key: portable, color in red | blue
var n: 0 in 0..9
var order: one in one | two
map:
    @.k
legend: k = key(color=random)
setup:
    choose a, b distinct in "the key" | "the wall"
actions: left, right, pickup
observe: mission
mission: {mission}
on bump edge: order becomes two, n += 1
limit: 9 steps
"""


def _told(mission: str, *actions: int, seed: int = 1) -> list[str]:
    env = griddsl.make(DAY.replace("{mission}", mission), backend="python")
    seen = [env.reset(seed=seed)[0]]
    for action in actions:
        seen.append(env.step(action)[0])
    assert all(env.observation_space.contains(each) for each in seen)
    assert env.mission() == seen[-1]
    return seen


def test_alternatives__follow_the_game() -> None:
    """The first whose condition holds is told, with its names filled in, and changes when that does."""
    mission = '"go to {a}" if order is one else "go to {a}, then {b} ({n})" if n < 2 else "stop"'
    first, second, third = _told(mission, 0, 0)
    assert first in {"go to the key", "go to the wall"}
    assert second == f"{first}, then {'the wall' if 'key' in first else 'the key'} (1)"
    assert third == "stop"


def test_alternative_of_a_parameter__is_no_part_of_the_state() -> None:
    """What a parameter decides is decided when the spec is compiled: its names are filled in, and no slot is kept."""
    spec = DAY.replace("{mission}", '"go to {a}" if plain else "take {b}"') + "param plain: true\n"
    plain = griddsl.make(spec, backend="python")
    assert plain.reset(seed=1)[0] in {"go to the key", "go to the wall"}
    assert not [slot for slot in plain.program.slots if slot.key[0] == "TOLD"]
    other = griddsl.make(spec, plain=False, backend="python")
    assert not [slot for slot in other.program.slots if slot.key[0] == "TOLD"]
    assert other.reset(seed=1)[0] in {"take the key", "take the wall"}


def test_attributes__are_told_in_words() -> None:
    """An attribute in braces is its word, alone and within alternatives."""
    told = {_told('"the {key.color} key"', seed=seed)[0] for seed in range(9)}
    assert told == {"the red key", "the blue key"}
    found = _told('"{key.color}" if n > 0 else "{key.color}, {n}"', 0)
    assert found[0] == f"{found[1]}, 0"


def test_missions__are_told_by_definitions() -> None:
    """A definition of a text stands among the alternatives."""
    text = DAY.replace("{mission}", '"wait" if order is one else said(a)') + 'define said(x): "fetch {x}"\n'
    env = griddsl.make(text, backend="python")
    assert env.reset(seed=1)[0] == "wait"
    assert env.step(0)[0].startswith("fetch the ")


@pytest.mark.parametrize(
    ("mission", "said"),
    [
        ('"go to {c}" if n > 0 else "stay"', "names `c`"),
        ('"go" if n else "stay"', "a condition"),
        ('"go" if n > 0 else 3', "a text"),
        ('"the {key.hue} key"', "hue"),
        ('"{lamp.color}"', "lamp"),
    ],
)
def test_missions__are_refused_with_the_reason(mission: str, said: str) -> None:
    """Unknown names, conditions that are none, and numbers in the place of texts."""
    with pytest.raises(griddsl.SpecError, match=said):
        griddsl.make(DAY.replace("{mission}", mission))


def test_text_that_is_chosen__may_have_names_of_its_own() -> None:
    """A chosen text is told with what its own names are now; one that leads back to itself is refused."""
    lines = 'setup:\n    choose verb in "walk" | "run"\n    choose way in "{verb} {hurry}" | "{verb} on"\n'
    text = f"""env: t/Texts-v0
var hurry: slowly in slowly | fast
map:
    @..G
legend: G = goal
{lines}actions: left, right
observe: mission
mission: "now {{way}}"
each step: hurry becomes fast
on enter goal: end success
limit: 9 steps
"""
    env = griddsl.make(text)
    told = set()
    for seed in range(12):
        told |= {env.reset(seed=seed)[0], env.step(0)[0]}
    ways = ("slowly", "fast", "on")
    assert told == {f"now {verb} {way}" for verb in ("walk", "run") for way in ways}
    found = griddsl.check(text.replace('"walk" | "run"', '"walk" | "{way}"'))
    assert "circular-definition" in {each.code for each in found}


def test_definitions__say_alternatives_and_stand_in_the_braces_of_texts() -> None:
    """A call may be an alternative, and several of them; its text may have calls and attributes in braces."""
    named = 'define name_of(c): "the {c} key ({key.color})"\n'
    named += 'define task: "take {name_of(a)}" if n == 0 else name_of(red)\n'
    for mission in ("task()", '"so, {task()}"', 'task() if order is one else "go, {task()}"'):
        env = griddsl.make(DAY.replace("{mission}", mission) + named, backend="python")
        first, second = env.reset(seed=1)[0], env.step(0)[0]
        assert first.removeprefix("so, ") in {
            f"take the the {what} key ({color})" for what in ("key", "wall") for color in ("red", "blue")
        }
        assert second.removeprefix("so, ").removeprefix("go, ").startswith("the red key (")
        assert second.startswith("go, ") == mission.startswith("task() if")


def test_told_kind__counts_for_no_code() -> None:
    """That a mission tells of what kind a thing is names none of the kinds: their codes are by where the file does."""
    text = DAY.replace("{mission}", '"take the {prize.kind}"').replace("observe: mission", "observe: grid")
    text = text.replace("object key:", "object lamp: portable, color in red | blue\nobject key:")
    text = text.replace(
        "setup:\n", "setup:\n    choose k in key | lamp\n    place k(color=red) as prize at (1, 0)\n"
    )
    lines = text.split("\n")
    later = [line for line in lines if not line.startswith("object")] + [
        each for each in lines if each.startswith("object")
    ]
    env = griddsl.make("\n".join(later), backend="python")
    assert env.reset(seed=1)[0].tolist()[0][2] == 2, "the legend names keys first"


BLANKS = """\
env: test/Blanks-v0
map:
    @..
setup: choose a in "red" | "", b in "red " | ""
actions: left, right
observe: mission
mission: " the {a} key, the {b}key "
limit: 9 steps
"""


def test_blanks__stay_where_a_part_is_empty() -> None:
    """A mission is its text letter by letter, with the blanks at its ends and around what is empty."""
    env = griddsl.make(BLANKS)
    told = {env.reset(seed=seed)[0] for seed in range(20)}
    assert told == {f" the {a} key, the {b}key " for a in ("red", "") for b in ("red ", "")}


@pytest.mark.parametrize(
    ("mission", "found"),
    [
        ('"go {n"', "{n"),
        ('"go n}"', "n}"),
        ('"{n} and {n"', "{n"),
        ('"see {step"', "{step"),
        ('"see {key.color now"', "{key.color"),
        ('"go {a} now" if n < 2 else "go {b"', "{b"),
        ('"{{n}} :-}"', None),
        ('"a { by itself"', None),
    ],
)
def test_brace__that_no_other_closes_is_an_error_beside_a_word(mission: str, found: str | None) -> None:
    """It would be told as it is written, where a name is meant; a brace by itself is a brace."""
    said = [each for each in griddsl.check(DAY.replace("{mission}", mission)) if each.is_error]
    assert [each.span.text for each in said] == ([] if found is None else [found])
    if found in {"{n", "n}", "{b", "{key.color"}:
        word = found.strip("{}")
        assert [fix.replacement for fix in said[0].fixes] == [f"{{{word}}}"]
