"""The JSON schema of TOML specs, beside the checker."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from griddsl.cli.texts.toml_schema import HOME, toml_schema
from griddsl.compiler import compile_text
from griddsl.diagnostics import Report
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_toml
from griddsl.syntax.reader import read_document
from tests.docs.doc_blocks import all_blocks

ROOT = Path(__file__).parents[3]
jsonschema = pytest.importorskip("jsonschema")
GOOD = """\
env = "a/B-v0"
map = "@.G"
legend = { G = "goal" }
actions = ["left", "right"]
observe = "cell"
limit = 9

[[rules]]
when = "on enter goal"
do = "end success"
"""
REFUSED = {
    'limit = "abc"': "limit = 9",
    "limit = true": "limit = 9",
    "limit = 0": "limit = 9",
    "limit = 2.5": "limit = 9",
    "limit = -1": "limit = 9",
    'limit = "9 == 9"': "limit = 9",
    "limit = []": "limit = 9",
    "observe = [1979-05-27]": 'observe = "cell"',
    "observe = []": 'observe = "cell"',
    'observe = " "': 'observe = "cell"',
    "observe = { }": 'observe = "cell"',
    "actions = []": 'actions = ["left", "right"]',
    "actions = 3": 'actions = ["left", "right"]',
    'legend = { GG = "goal" }': 'legend = { G = "goal" }',
    "legend = { G = 3 }": 'legend = { G = "goal" }',
    'env = "nothing"': 'env = "a/B-v0"',
    'map = ""': 'map = "@.G"',
    "map = 3": 'map = "@.G"',
    'sticky = 3\nmap = "@.G"': 'map = "@.G"',
    'sticky = true\nmap = "@.G"': 'map = "@.G"',
    'edge = "stays"\nmap = "@.G"': 'map = "@.G"',
    'mission = 3\nmap = "@.G"': 'map = "@.G"',
    'maps = 3\nmap = "@.G"': 'map = "@.G"',
    'info = "a"\nmap = "@.G"': 'map = "@.G"',
    'slip = "0.1"\nmap = "@.G"': 'map = "@.G"',
    'slip = 0.1\nmap = "@.G"': 'map = "@.G"',
    'var = { a = 3 }\nmap = "@.G"': 'map = "@.G"',
    'var = { a = "word" }\nmap = "@.G"': 'map = "@.G"',
    'param = { 3a = "0 in 0..1" }\nmap = "@.G"': 'map = "@.G"',
    'region = { a = "3" }\nmap = "@.G"': 'map = "@.G"',
    'look = { goal = "red" }\nmap = "@.G"': 'map = "@.G"',
    'allow = { left = 3 }\nmap = "@.G"': 'map = "@.G"',
    'tile = { ice = 3 }\nmap = "@.G"': 'map = "@.G"',
    'when = "enter goal"': 'when = "on enter goal"',
    'do = ""': 'do = "end success"',
    "do = []": 'do = "end success"',
    'does = "end success"': 'do = "end success"',
}


def _is_valid(value: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(toml_schema()).is_valid(value))


def test_schema__is_one_and_names_itself() -> None:
    """The schema fits the schema of schemas, and has the address at which the repository holds it."""
    schema = toml_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == HOME
    kept = ROOT / "editors" / "griddsl.schema.json"
    assert HOME.endswith(kept.relative_to(ROOT).as_posix())
    assert json.loads(kept.read_text(encoding="utf-8")) == schema, (
        "griddsl schema -o editors/griddsl.schema.json"
    )


def test_schema__takes_every_spec() -> None:
    """What the checker passes, the schema passes: the bundled specs and those of the pages, as TOML."""
    validator = jsonschema.Draft202012Validator(toml_schema())
    texts = [
        (str(path), path.read_text(encoding="utf-8")) for path in sorted((ROOT / "specs").glob("*.grid"))
    ]
    texts += [(str(block), block.text) for block in all_blocks() if block.language == "grid"]
    assert len(texts) > 80
    for name, text in texts:
        report = Report()
        document = read_document(Source("x.grid", text), report)
        if report.has_errors:
            continue
        value = tomllib.loads(to_toml(document))
        if not {"env", "actions"} <= set(value):
            continue  # a block of a page that shows only a part
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(value)]
        assert errors == [], name


@pytest.mark.parametrize("wrong", REFUSED)
def test_schema__refuses_what_the_checker_refuses(wrong: str) -> None:
    """A value that the checker refuses, and whose shape shows it, is refused by the schema too."""
    assert _is_valid(tomllib.loads(GOOD))
    text = GOOD.replace(REFUSED[wrong], wrong)
    assert text != GOOD
    report = Report()
    compile_text(Source("x.toml", text), {}, report)
    assert report.has_errors
    assert not _is_valid(tomllib.loads(text))


def test_schema__refuses_numbers_as_observations() -> None:
    """An observation is said in words: a number, which would never change, is no value of `observe`."""
    assert not _is_valid(tomllib.loads(GOOD.replace('observe = "cell"', "observe = 3")))


def test_schema__lets_limits_name_parameters() -> None:
    """With parameters, a limit may be made of them; without, it names the size of the grid alone."""
    named = GOOD.replace("limit = 9", 'limit = "4 * far + width steps"')
    assert not _is_valid(tomllib.loads(named))
    assert _is_valid(tomllib.loads(named + '\n[param]\nfar = "3 in 1..9"\n'))
    assert _is_valid(tomllib.loads(GOOD.replace("limit = 9", 'limit = "2 * (width + height) steps"')))
    assert _is_valid(tomllib.loads(GOOD.replace("limit = 9", 'limit = "none"')))
