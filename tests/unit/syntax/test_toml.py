"""TOML specs: the tree agrees with the standard library, and every text knows its place."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from griddsl.diagnostics import Report
from griddsl.source import CONTROL, Fragment, Source
from griddsl.syntax.toml.reader import read_tree
from griddsl.syntax.toml.statements import read_toml
from griddsl.syntax.toml.tree import Array, Literal, String, Table
from tests.unit.syntax.parsing import document, meaning


def plain(value: Any) -> Any:
    """Return a value of the tree as the standard library gives it."""
    if isinstance(value, String):
        return value.fragment.text
    if isinstance(value, Array):
        return [plain(item.value) for item in value.items]
    if isinstance(value, Table):
        return nested(value.entries)
    assert isinstance(value, Literal)
    return tomllib.loads(f"a = {value.fragment.text}")["a"]


def nested(entries: Any) -> dict[str, Any]:
    """Return flattened entries as nested tables; an array of tables has an entry for each element."""
    result: dict[str, Any] = {}
    for entry in entries:
        table = result
        for key in entry.path[:-1]:
            table = table.setdefault(key.text, {})
        table[entry.path[-1].text] = plain(entry.value)
    return result


VALID = [
    'a = "x"\nb.c = 1\n[d]\ne = [1, 2, ]\n"f g" = { h = true, i.j = \'k\' }',
    'a = "\\t\\"\\\\ \\u00e9 \\U0001F600"',
    'a = """\nx\\\n    y "" \\""" z"""',
    "a = '''\nx ''y'' '''''",
    'a = """"quoted""""',
    "a = 1979-05-27T07:32:00Z\nb = 07:32:00\nc = 1979-05-27 07:32:00.5\nd = 1979-05-27",
    "a = [ # c\n 1, # d\n # e\n [2, 3], # f\n]",
    "a = +1\nb = -0.5e+3\nc = 0xff\nd = 1_000\ne = inf\nf = 0b1\ng = 0o7",
    "[a.b]\nc = 1\n[a]\nd = 2\n[a.e]\nf = 3",
    "a.b = 1\na.c = 2\n[d]\ne.f = 1\n[d.g]\nh = 1",
    "  [ a . 'b' ]  # x\n c = 1",
    '"" = 1\n1 = 2\n8x8 = 3',
    "a = [{b = 1, c = 2}, {}]",
    "",
]
INVALID = [
    "a",
    "a = ",
    "a = 1 b = 2",
    "a = 1\na = 2",
    "a = 01",
    "a = 1__0",
    "a = 'x\n'",
    'a = "x\ny"',
    'a = "\\x"',
    'a = "\\ud800"',
    "a = [1",
    "a = [1 2]",
    "a = {b = 1,}",
    "a = {b = 1\n}",
    "a = {b = 1}\na.c = 2",
    "a = {b = 1}\n[a.c]",
    "a.b = 1\na = 2",
    "a = 1\na.b = 2",
    "[a]\n[a]",
    "[a]\nb = 1\n[a.b]",
    "a.b = 1\n[a]",
    "[[a]]\n[a]",
    "[a]\n[[a]]",
    "a = yes",
    "a = '''x",
    "= 1",
    "[]",
    "[a",
    "[a] b = 1",
    "a..b = 1",
    "a = 1979-05-27T",
]


@pytest.mark.parametrize("text", VALID, ids=range(len(VALID)))
def test_read_tree__agrees_with_the_standard_library(text: str) -> None:
    """A valid text gives the same values as `tomllib`."""
    report = Report()
    tree = read_tree(Source("a.toml", text), report)
    assert not report.diagnostics
    assert tree is not None
    assert nested(tree.entries) == tomllib.loads(text)


@pytest.mark.parametrize("text", INVALID, ids=range(len(INVALID)))
def test_read_tree__refuses(text: str) -> None:
    """An invalid line has exactly one diagnostic, and the tree knows where it begins."""
    with pytest.raises(tomllib.TOMLDecodeError, match=r"."):
        tomllib.loads(text)
    report = Report()
    tree = read_tree(Source("a.toml", text), report)
    assert tree is None or len(tree.unread) == 1
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["toml-syntax"]


PIECES = [
    "a",
    "b",
    ".",
    " ",
    "=",
    " = ",
    "\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "1",
    "x",
    "#",
]
PIECES += ["[a]\n", "a = 1\n", "[[r]]\n", "true", "0.5", "-", "\\n", "\\u0041", "\n# c\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=1500)
def test_read_tree__accepts_only_toml(text: str) -> None:
    """What is accepted is TOML, and has the values that TOML gives it."""
    tree = read_tree(Source("a.toml", text), Report())
    if tree is not None and not tree.unread and "[[" not in text:
        values = tomllib.loads(text)
        assert _without_empty(nested(tree.entries)) == _without_empty(values)


@given(
    st.recursive(
        st.text(max_size=5).filter(lambda text: not CONTROL.search(text)) | st.integers() | st.booleans(),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=6,
    )
)
def test_read_tree__accepts_values(value: Any) -> None:
    """Values of every kind are read as they were written."""
    import json

    text = f"a = {json.dumps(value, ensure_ascii=True)}".replace("\\u007f", "?")
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tree = read_tree(Source("a.toml", text), Report())
    assert tree is not None
    assert nested(tree.entries) == expected


def _without_empty(value: Any) -> Any:
    """Drop tables without entries: no statement comes from them."""
    if isinstance(value, dict):
        inner = {key: _without_empty(part) for key, part in value.items()}
        return {key: part for key, part in inner.items() if part != {}}
    return value


def _fragments(statement: Any) -> list[Fragment]:
    lines = [fragment for line in statement.block for fragment in _of_line(line)]
    return [
        fragment for fragment in (statement.head, statement.items, *statement.rows, *lines) if fragment.text
    ]


def _of_line(line: Any) -> list[Fragment]:
    parts = [line.text, *([line.tail] if line.tail is not None and line.tail.text else [])]
    return [*parts, *(fragment for inner in line.block for fragment in _of_line(inner))]


EVERY_FORM = r'''
env = "mine/A-v0"
description = "say \"hi\"\t\u00e9"
map = """
..\u0040
.C.
"""
legend = { C = "cliff", "$" = "box on \u0074arget", '"' = 'key' }
actions = ["up", "run = move\u0020east 2"]
sticky = 0.25
limit = 200
mission = """two
lines"""
setup = """
choose c in 2..4, r in 1..3
if c == r:
    place goal at (c, \u0072)
else: place goal at (1, 1)
"""
[slip]
"if a\u003e1" = "1/3 left"
[[rules]]
when = "on \u0065nter goal if x is \"a\""
do = "end success"
'''


def test_read_toml__positions_are_exact() -> None:
    """Each character of a fragment stands at its offset, unless it is an escape or a made quote."""
    read = document(EVERY_FORM, "case.toml")
    checked = 0
    for statement in read.statements:
        for fragment in _fragments(statement):
            for index, char in enumerate(fragment.text):
                stands = read.source.text[fragment.offset(index)]
                assert stands in {char, "\\", '"', "'", "\n"} or char in ' =\\"', (fragment, index, stands)
                checked += stands == char
    assert checked > 200


def test_read_toml__means_what_the_grid_says() -> None:
    """Every form of value gives the statement that its `.grid` spelling gives."""
    grid = r"""
env: mine/A-v0
    "say \"hi\"\té"
map:
    ..@
    .C.
legend: C = cliff, "$" = box on target, "\"" = key
actions: up, run = move east 2
sticky: 0.25
limit: 200
mission: "two\nlines"
setup:
    choose c in 2..4, r in 1..3
    if c == r:
        place goal at (c, r)
    else: place goal at (1, 1)
slip if a > 1: 1/3 left
on enter goal if x is "a": end success
"""
    assert meaning(document(EVERY_FORM, "case.toml")) == meaning(document(grid))


@pytest.mark.parametrize(
    ("toml", "grid"),
    [
        ("[tile]\nice = \"slide\"\nmud = ['solid']", "tile ice: slide\ntile mud: solid"),
        ('tile.ice = "slide"', "tile ice: slide"),
        ('tile = { ice = "slide" }', "tile ice: slide"),
        ("param.n = 3", "param n: 3"),
        ("map = ['..', '.@']", "map:\n    ..\n    .@"),
        ("[map]\nwalled = '''\n+-+\n|@|\n+-+'''", "map walled:\n    +-+\n    |@|\n    +-+"),
        ("level = '8x8'", 'level: "8x8"'),
        ("use = ['minigrid', 'a.grid']", 'use: minigrid\nuse: "a.grid"'),
        ("mission = '\"quoted\"'", 'mission: "quoted"'),
        ("agent = 'carries 1'", "agent: carries 1"),
        ("[agent]\n'' = 'carries 1'\nguard = 'moves patrol'", "agent: carries 1\nagent guard: moves patrol"),
        ("rules = [{when = 'each step', do = 'reward -1'}]", "each step: reward -1"),
        ("[[rules]]\nwhen = 'each step'\ndo = 'if x: end'", "each step:\n    if x: end"),
        (
            "[[rules]]\nwhen = 'each step'\ndo = ['if x: end', 'else: reward 1']",
            "each step:\n    if x: end\n    else: reward 1",
        ),
        ("legend.C = 'cliff'\nlegend.\"#\" = 'tree'", 'legend: C = cliff, "#" = tree'),
        ('limit = """\n200\n"""', "limit:\n    200"),
    ],
)
def test_read_toml__forms(toml: str, grid: str) -> None:
    """Each spelling of a value gives the same statements as the `.grid` text."""
    assert meaning(document(toml, "case.toml")) == meaning(document(grid))


def test_read_toml__reports_all_shapes_at_once() -> None:
    """Wrong shapes do not hide each other."""
    report = Report()
    read_toml(Source("a.toml", "limit = [[1]]\nfoo = 1\n[var]\nx = 1979-05-27\n[edge]\ny = 1"), report)
    assert [diagnostic.code for diagnostic in report] == [
        "toml-shape",
        "unknown-statement",
        "toml-shape",
        "toml-shape",
    ]
