"""No text of a spec controls the terminal that shows it, in whatever file and spelling it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.diagnostics import to_github, to_json, to_text
from griddsl.source import CONTROL

TOML = (
    'env = "test/Toml-v0"\ndescription = "{text}"\nmission = "go"\nmap = """\n@.G\n"""\nlegend = {{ G = "goal" }}\n'
    'actions = ["left", "right"]\nobserve = "cell"\nlimit = "9 steps"\n[[rules]]\nwhen = "on enter goal"\ndo = "end"\n'
)
GRID = 'env: test/Grid-v0\nmap:\n    @.G\nlegend: G = goal\nactions: left\nobserve: mission\nmission: "{text}"\non enter goal: end\n'
ESCAPES = ("\\u001b[31m", "\\u0007", "\\u0000", "\\b", "\\f", "\\r", "\\u009b2J", "\\U0000202e", "\\u007f")


def is_harmless(text: str) -> bool:
    """Whether a terminal shows a text as it stands."""
    return all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.parametrize("escape", ESCAPES)
@pytest.mark.parametrize("place", ["mission", "description", "legend", "key"])
def test_toml__refuses_escapes_of_control_characters(escape: str, place: str) -> None:
    """An escape says a control character in a text, a glyph or a key as little as the character itself does."""
    spec = TOML.format(text=escape if place == "description" else "")
    spec = spec.replace('"go"', f'"go {escape}"') if place == "mission" else spec
    spec = spec.replace("{ G =", f'{{ "{escape}" = "goal", G =') if place == "legend" else spec
    spec = spec.replace("limit =", f'"lim{escape}it" =') if place == "key" else spec
    found = griddsl.check(spec)
    assert any(each.is_error for each in found)
    assert is_harmless(to_text(found))
    assert is_harmless(to_json(found))
    assert is_harmless(to_github(found))


def test_toml__takes_other_escapes() -> None:
    """Letters, quotes, line breaks and tabs may be escaped."""
    assert griddsl.check(TOML.format(text='\\u00e9\\t\\n\\"')) == []


@pytest.mark.parametrize("char", ["\x1b", "\x07", "\x9b", "\u202e", "\x00", "\r"])
def test_grid__refuses_control_characters(char: str) -> None:
    """A control character in a `.grid` text is refused, and shown as a sign that stands for it."""
    found = griddsl.check(GRID.format(text=f"go{char}home"))
    assert [each.code for each in found] == ["bad-character"]
    assert is_harmless(to_text(found))


def test_levels__with_control_characters_are_refused(tmp_path: Path) -> None:
    """Neither what stands in a level file nor its name reaches a terminal."""
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "a\x1b[31m.txt").write_text("@.G\n", encoding="utf-8")
    (tmp_path / "levels" / "b.txt").write_text("; \x1b[2J\n@.G\n", encoding="utf-8")
    file = tmp_path / "game.grid"
    file.write_text(GRID.format(text="go").replace("map:\n    @.G", 'maps: "levels/*.txt"'), encoding="utf-8")
    found = griddsl.check(file)
    assert {each.code for each in found} == {"unreadable", "bad-character"}
    assert is_harmless(to_text(found))


def test_names__of_files_are_shown_without_control_characters(tmp_path: Path) -> None:
    """A file may be called anything; what is said of it is harmless."""
    file = tmp_path / "ga\x1b[31mme.grid"
    file.write_text(GRID.format(text="go").replace("goal:", "gaol:"), encoding="utf-8")
    assert CONTROL.search(file.name)
    assert is_harmless(to_text(griddsl.check(file)))
    assert is_harmless(to_text(griddsl.check(str(file).replace("ga", "go"))))


@pytest.mark.parametrize("options", [[], ["--check"], ["--diff"]])
@pytest.mark.parametrize("name", ["a\x1b[31m.grid", "b\x07.toml"])
def test_fmt__shows_names_of_files_as_a_terminal_may_show_them(
    tmp_path: Path, name: str, options: list[str]
) -> None:
    """What is written of a file names it, and controls nothing."""
    file = tmp_path / name
    file.write_text(GRID.format(text="go").replace("end\n", "end   \n"), encoding="utf-8")
    told = CliRunner().invoke(app, ["fmt", *options, str(file)], prog_name="griddsl")
    assert tmp_path.name in told.output
    assert is_harmless(told.output)
