"""Conversion: `.grid` to TOML and back says the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from tests.unit.syntax.parsing import Meaning, document, meaning

CASES = Path(__file__).parents[2] / "cases"
TEXTS = {
    path.stem: path.read_text(encoding="utf-8").partition("\n---\n")[0]
    for path in [*sorted((CASES / "fmt").glob("*.txt")), *sorted((CASES / "language").glob("*.grid"))]
}
TEXTS["actions"] = TEXTS["actions"].replace("actions: joystick 4", "# ")


def ordered(found: list[Meaning]) -> list[Meaning]:
    """Return statements with the rules last, as TOML has them, and those that TOML joins as one."""
    rules = [one for one in found if one[0] in RULE_WORDS]
    joined: dict[tuple[object, ...], Meaning] = {}
    for one in found:
        if one[0] not in RULE_WORDS:
            key = one[:2] if one[0] != "use" else one
            first = joined.get(key)
            joined[key] = one if first is None or not STATEMENTS[one[0]].many else (*first, *one[3:])
    return [*joined.values(), *rules]


@pytest.mark.parametrize("name", TEXTS)
def test_convert__there_and_back(name: str) -> None:
    """What a `.grid` text says is what its TOML says, and what the `.grid` text of that says."""
    read = document(TEXTS[name])
    toml = to_toml(read)
    tomllib.loads(toml)
    from_toml = document(toml, "case.toml")
    expected = ordered(meaning(read))
    assert ordered(meaning(from_toml)) == expected, toml
    assert ordered(meaning(document(to_grid(from_toml)))) == expected
    assert to_toml(from_toml) == toml


def test_convert__cliff_walking() -> None:
    """The first example of the language has exactly the TOML text that stands beside it."""
    folder = CASES / "language"
    grid = (folder / "cliff_walking.grid").read_text(encoding="utf-8")
    toml = (folder / "cliff_walking.toml").read_text(encoding="utf-8")
    assert to_toml(document(grid)) == toml
    assert to_grid(document(toml, "cliff_walking.toml")) == grid


@pytest.mark.parametrize(
    ("grid", "toml"),
    [
        ("sticky: 0.25", "sticky = 0.25"),
        ("limit: 200", 'limit = "200 steps"'),
        ("param slippery: true", "[param]\nslippery = true"),
        ("agent: carries 1\nagent guard: moves patrol", '[agent]\n"" = "carries 1"\nguard = "moves patrol"'),
        ("slip if a > 1: 1/3 left, 1/3 right", '[slip]\n"if a > 1" = ["1/3 left", "1/3 right"]'),
        ('use: minigrid\nuse: "kinds.grid"', 'use = ["minigrid", "kinds.grid"]'),
        ('mission: "say \\"hi\\" to it"', "mission = 'say \"hi\" to it'"),
        ('level: "8x8"', 'level = "8x8"'),
        ('map "8x8":\n    .@', "[map]\n8x8 = '''\n.@\n'''"),
        ("map:\n    '''@", 'map = """\n\'\'\'@\n"""'),
        ('legend: "$" = box, "\\"" = key', 'legend = { "$" = "box", \'"\' = "key" }'),
        ("var n: 3 in 0..9\nlimit: 9", 'var.n = "3 in 0..9"\nlimit = "9 steps"'),
        ('look box: sprite "box.png"', "[look]\nbox = 'sprite \"box.png\"'"),
        ("legend:\n    C = cliff  # high\n    G = goal", 'legend.C = "cliff"  # high\nlegend.G = "goal"'),
        ("each step:  # always\n    # a cost\n    reward -1", None),
    ],
)
def test_convert__forms(grid: str, toml: str | None) -> None:
    """Each form of statement has its form in TOML, and comes back."""
    read = document(grid)
    converted = to_toml(read)
    if toml is not None:
        assert converted == f"{toml}\n"
    back = document(converted, "case.toml")
    assert ordered(meaning(back)) == ordered(meaning(read))


def test_convert__keeps_comments() -> None:
    """Comments stand with what they stood with, in both directions."""
    grid = (
        "# first\n"
        "env: mine/A-v0  # the id\n"
        "# second\n"
        "actions:\n"
        "    # inside\n"
        "    up  # to the north\n"
        "    down\n"
        "each step:  # always\n"
        "    # a cost\n"
        "    reward -1\n"
        "when x > 1:\n"
        "    if y: end  # over\n"
        "# last\n"
    )
    toml = to_toml(document(grid))
    for words in ("first", "the id", "second", "inside", "to the north", "always", "a cost", "over", "last"):
        assert toml.count(f"# {words}") == 1, toml
    assert to_grid(document(toml, "case.toml")) == grid
