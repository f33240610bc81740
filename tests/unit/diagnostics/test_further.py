"""Several mistakes in one text: all are found at once, and none that follows from another."""

from __future__ import annotations

from pathlib import Path

import pytest

import griddsl

HEAD = """env: test/Further-v0
object coin: portable
var energy: 5 in 0..9
map:
    @.c.G
legend: c = coin, G = goal
actions: left, right, pickup
observe: grid
limit: 50 steps
on enter goal: end success
"""
FIRST = HEAD.count("\n") + 1
TEXTS = {
    "statement, clause, name": (
        "wen energy == 3: reward 1\neach step: rewrd 1\nwhen enrgy == 3: reward 1\n",
        ["1 unknown-statement", "2 unknown-effect", "3 unknown-name"],
    ),
    "a rule that begins with `if` declares nothing": (
        "if energy > 3: reward 1\non enter coin: rewrd 1\nwhen enrgy == 3: reward 1\n",
        ["1 unknown-statement", "2 unknown-effect", "3 unknown-name"],
    ),
    "a variable by another word is declared all the same": (
        "variable fuel: 9 in 0..9\nwhen fuel == 0: end failure\nwhen energy = 3: reward 1\n",
        ["1 unknown-statement", "3 syntax"],
    ),
    "no colon, clause, type": (
        "on bump wall reward -1\non entr coin: reward 1\nwhen energy is 3: reward 1\n",
        ["1 missing-colon", "2 syntax", "3 numbers-with-is"],
    ),
    "a declaration that is broken is missed by nobody": (
        "var fuel: 9 of 0..9\nwhen fuel == 0: end failure\nwhen energy = 3: reward 1\n",
        ["1 syntax", "3 syntax"],
    ),
    "a statement that may declare is missed by nobody": (
        "vra fuel: 9 in 0..9\nwhen fuel == 0: end failure\nwhen energy = 3: reward 1\n",
        ["1 unknown-statement", "3 syntax"],
    ),
    "a kind of a broken rule is not named only once": (
        "on entr lava: reward -1\non enter lava: reward -1\nwhen coin is gold: reward 1\n",
        ["1 syntax", "3 unknown-word"],
    ),
    "a declaration of which it is sure what was meant hides nothing": (
        "object gem: moves randomly\nwhen enrgy == 3: reward 1\nsetup: place gemm at (1, 0)\non enter gem: end success\n",
        ["1 unknown-word", "2 unknown-name", "3 once-named"],
    ),
    "nor do several": (
        "object gem: moves randomly\nvar fuel: 9 of 0..9\nsetup: place gem at (1, 0)\nwhen fuell == 3: reward gem.z\n",
        ["1 unknown-word", "2 syntax", "4 unknown-name", "4 unknown-attribute"],
    ),
    "a statement is broken once": (
        "on enter coin:\n    if energy == 3\n        reward 1\n  rewrd 1\nwhen enrgy == 3: reward 1\n",
        ["2 missing-colon", "4 unexpected-indent", "5 unknown-name"],
    ),
    "a bracket that is open holds the colon": (
        "when count(coin == 0: end success\nwhen enrgy == 3: reward 1\n",
        ["1 syntax", "2 unknown-name"],
    ),
    "a broken head hides no effect": (
        "when energy = 3:\n    rewrd 1\n    reward enrgy\non enter coin of G: reward enrgyy, reward coin.worth\n",
        ["1 syntax", "2 unknown-effect", "3 unknown-name", "4 syntax", "4 unknown-name"],
    ),
    "a broken condition of a block hides none of its lines": (
        "each step:\n    if energy = 3: rewrd 1\n    else if energy = 4:\n        reward enrgy\n    reward nn\n",
        ["2 syntax", "2 unknown-effect", "3 syntax", "4 unknown-name", "5 unknown-name"],
    ),
    "a broken line of a rule hides no other, and what it may declare is missed by nobody": (
        "each step:\n    choose n from 1..3\n    reward n, reward enrgy\n",
        ["2 syntax", "3 unknown-name"],
    ),
    "what the head of a rule may bring is missed by nobody": (
        "on enter coin of G:\n    reward coin.worth\n    remove coin\n    reward n\non do left n: reward n\n",
        ["1 syntax", "5 syntax"],
    ),
    "a broken loop, and an else without its if, are left out whole": (
        "each step:\n    each c of coin:\n        reward c\n    repeat n times or so:\n        reward 1\n    else:\n        reward 1\n",
        ["2 syntax", "4 syntax", "6 lost-else"],
    ),
    "lines of a block": (
        "setup:\n    place coin at (1, 0\n    choose n from 1..3\nwhen n == 3: reward 1\n",
        ["2 syntax", "3 syntax"],
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_mistakes__are_found_beside_others(name: str) -> None:
    """Each mistake of a text is reported once, whatever else is broken, and nothing that is right is blamed."""
    text, expected = TEXTS[name]
    found = [each for each in griddsl.check(HEAD + text) if each.is_error]
    assert [f"{each.span.line - FIRST + 1} {each.code}" for each in found] == expected


def test_mistakes__of_statements_that_are_needed_are_no_other_ones() -> None:
    """A statement that is broken is there: it is not asked for."""
    text = HEAD.replace("observe:", "obsrve:").replace("map:", "mpa:") + "each step: rewrd 1\n"
    assert [each.code for each in griddsl.check(text)] == [
        "unknown-statement",
        "unknown-statement",
        "unknown-effect",
    ]


SLIPS = {
    "a head": "when no coin: end sucess\n",
    "a condition": "each step:\n    if energy = 3:\n        end sucess\n",
    "another line": "each step:\n    rewrd 1\n    end sucess\n",
    "another rule": "each step: rewrd 1\nwhen energy == 0: end sucess\n",
    "a name": "each step: reward enrgy\nwhen energy == 0: end sucess\n",
}


@pytest.mark.parametrize("what", SLIPS)
def test_a_slip_of_an_outcome__is_said_beside_errors(what: str) -> None:
    """What is nearly an outcome with a meaning is told in the same run as what does not parse, or names nothing."""
    codes = [each.code for each in griddsl.check(HEAD + SLIPS[what])]
    assert codes.count("near-outcome") == 1
    assert len(codes) == len(set(codes)) == 2


def test_a_broken_rule__is_named_as_it_is_written() -> None:
    """What is said of the effects of a rule names its own head, also where that does not parse."""
    found = griddsl.check(f"{HEAD}on enter coin of G: reward enrgy\n")
    assert any("rule `on enter coin of G` names `enrgy`" in each.message for each in found)


def test_mistakes__have_an_end() -> None:
    """A text full of mistakes is reported up to a limit."""
    found = griddsl.check(HEAD + "each step: rewrd 1\nwhen enrgy == 1: reward 1\nfoo\n" * 200)
    assert len(found) == 200


TOML = """env = "test/Lock-v0"
map = '''
@.k.D.F
'''
legend = { k = "key", D = "door", F = "flag" }
actions = ["left", "right", "pickup"]
observe = "cell"
limit = "50 steps"

[object]
key = "portable"
door = ["solid unless open", "state in closed | open"]

[[rules]]
when = "each step"
do = "reward -1"

[[rules]]
when = "on bump door if agent has key"
do = ["door becomes open", "remove key"]

[[rules]]
when = "on enter flag"
do = ["rewrd 10", "end success"]
"""
NO_TOML = {
    "no quotes": ('observe = "cell"', "observe = cell", 7, 'write `"cell"`: a text stands in quotes'),
    "two words": ('limit = "50 steps"', "limit = 50 steps", 8, 'write `"50 steps"`: a text stands in quotes'),
    "no comma": ('"left", "right"', '"left" "right"', 6, None),
    "a list that is open": ('"pickup"]', '"pickup"', 6, None),
    "a text that is open": ("'''\nlegend", "legend", 2, "close it with `'''` above line 4"),
    "a quote that is open": ('do = "reward -1"', 'do = "reward -1', 16, None),
    "a header that is open": ("[object]", "[object", 10, None),
    "a header of rules that is open": ('[[rules]]\nwhen = "each', '[[rules]\nwhen = "each', 14, None),
    "a colon": ('key = "portable"', 'key: "portable"', 11, "write `=`"),
    "a key twice": ("[object]", 'observe = "grid"\n\n[object]', 10, None),
    "a statement of .grid": (
        'observe = "cell"',
        "observe: cell",
        7,
        'a `.grid` file says it so, and its `env:` too; in TOML it is `observe = "cell"`',
    ),
}


@pytest.mark.parametrize("name", NO_TOML)
def test_mistakes__are_found_behind_what_is_no_toml(name: str) -> None:
    """A line that is no TOML is said where it stands, and hides nothing behind it but what it would have declared."""
    right, wrong, line, help = NO_TOML[name]
    assert right in TOML
    found = [each for each in griddsl.check(TOML.replace(right, wrong, 1)) if each.is_error]
    assert [each.code for each in found] == ["toml-syntax", "unknown-effect"]
    assert (found[0].span.line, found[0].help) == (line, help)
    for fix in found[0].fixes:
        assert [each.code for each in griddsl.check(fix.applied()) if each.is_error] == ["unknown-effect"]


def test_mistakes__of_toml_have_an_end() -> None:
    """A text of which no line is TOML is read to its end."""
    text = TOML.replace("=", "= =")
    assert {each.code for each in griddsl.check(text)} == {"toml-syntax"}
    assert [each.code for each in griddsl.check('env = "a/B-v0"\n' + "env = '''\n" * 50)][-1] == "toml-syntax"


@pytest.mark.parametrize("line", ["timer busy: N", "score: N", "const most: N", "busy: N", "int lives = N"])
def test_numbers__may_be_longer_than_python_reads(line: str) -> None:
    """A help line that shows a domain around a number of 5,000 digits shows another one, and nothing breaks."""
    found = griddsl.check(HEAD + line.replace("N", "9" * 5_000) + "\n")
    assert any(each.is_error for each in found)


def test_mended__finds_what_a_mended_mistake_was_behind() -> None:
    """The entry that got a name names what is not declared, and so do rules: all of it is told at once."""
    report = griddsl.check("""
env: test/Spec-v0
agent: energy 9 in 0..9
map:
    @..G
legend: G = goal
actions: left, right
observe: grid, energy
each step: energy -= 1
on enter goal: end success
when energy == 0: end tired
""")
    assert [(each.code, each.span.line) for each in report if each.is_error] == [
        ("syntax", 8),
        ("unknown-name", 8),
        ("unknown-name", 9),
        ("unknown-name", 11),
    ]


def test_names_of_a_library__are_answered_by_what_stands_in_it(tmp_path: Path) -> None:
    """What stands before a name is looked for in the library's own file, not at that place of the spec."""
    (tmp_path / "ticks.grid").write_text(
        "setup:\n    place coin at random cell\neach turn: reward -1\n", "utf-8"
    )
    (tmp_path / "game.grid").write_text(HEAD.replace("\n", '\nuse: "ticks.grid"\n', 1), "utf-8")
    found = griddsl.check(tmp_path / "game.grid")
    assert [each.help for each in found if each.is_error] == ["did you mean `free`?", "write `each step`"]
