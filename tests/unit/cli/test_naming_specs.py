"""What a verb is given: a name, and neither a text nor two files of one id; and parameters of `check`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from griddsl.cli.app import app

SPEC = """\
env: test/Named-v0
param far: 4 in 2..9
generate: empty(far, 1)
setup:
    place agent at (0, 0)
    place goal at (far - 1, 0)
actions: left, right
observe: cell
on enter goal: end success
limit: 20 steps
"""
TOML = 'env = "test/Named-v0"\n'


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments, prog_name="griddsl")


@pytest.mark.parametrize("verb", ["explain", "check", "fmt", "run", "show", "solve", "convert"])
def test_a_text__is_told_from_a_name(verb: str) -> None:
    """Where a whole text is given, every verb says to write it to a file, or which verbs read standard input."""
    for text in (SPEC, SPEC * 50, "# first\nmap:\n    @.G\n", "env: test/Named-v0"):
        result = _run(verb, text)
        assert result.exit_code == 2 and "is the text of a spec" in result.stderr, result.output
        assert "write it to a file" in result.stderr and "check -" in result.stderr
        assert len(result.stderr) < 300


def test_standard_input__is_told_where_it_is_read() -> None:
    """A verb that does not read standard input says which do."""
    result = _run("explain", "-")
    assert result.exit_code == 2 and "by `check` and `fmt` alone" in result.stderr


def test_check__names_both_files_of_an_id(tmp_path: Path) -> None:
    """Two specs of a folder with one id are an error at the second, which names the first; files alone are none."""
    first, second = tmp_path / "a.grid", tmp_path / "deep" / "b.grid"
    second.parent.mkdir()
    for file in (first, second):
        file.write_text(SPEC)
    result = _run("check", str(tmp_path), "--format", "json")
    (found,) = json.loads(result.stdout)
    assert result.exit_code == 1 and found["code"] == "duplicate-name"
    assert (found["file"], found["labels"][0]["file"]) == (str(second), str(first))
    assert str(first) in found["help"]
    assert _run("check", str(first), str(second)).exit_code == 0
    second.write_text(SPEC.replace("test/Named", "test/Other"))
    assert _run("check", str(tmp_path)).exit_code == 0


def test_check__takes_parameters_and_a_level(tmp_path: Path) -> None:
    """One spec is checked with parameters, briefly and exactly; of several it is not said whose they are."""
    assert (
        _run("check", "griddsl/FrozenLake-v0", "--param", "slippery=false", "--level", "8x8").exit_code == 0
    )
    assert "there is no map `9x9`" in _run("check", "griddsl/FrozenLake-v0", "--level", "9x9").stdout
    file = tmp_path / "named.grid"
    file.write_text(SPEC)
    for more in ((), ("--exact",)):
        assert "`far=12` is not in 2..9" in _run("check", str(file), "--param", "far=12", *more).stdout
    assert "states            7," in _run("check", str(file), "--param", "far=7", "--exact").stdout
    (tmp_path / "other.grid").write_text(SPEC.replace("test/Named", "test/Other"))
    result = _run("check", str(tmp_path), "--param", "far=7")
    assert result.exit_code == 2 and "parameters are those of one spec, and 2 are named" in result.stderr


ODD = {"no text": os.fsdecode(b"\xff"), "a terminal's": "\x1b[31m"}


@pytest.mark.parametrize("name", ODD.values(), ids=list(ODD))
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "SPEC.grid"),
        ("check", "--format", "sarif", "WRONG.grid"),
        ("check", "--format", "github", "WRONG.grid"),
        ("explain", "SPEC.grid"),
        ("export", "SPEC.grid", "--to", "SPEC.html"),
        ("export", "SPEC.grid", "--to", "SPEC.json"),
        ("show", "SPEC.grid", "-o", "SPEC.svg"),
        ("show", "SPEC.grid", "-o", "NOWHERE/SPEC.svg"),
        ("run", "SPEC.grid", "--actions", "right", "--save", "SPEC.jsonl"),
        ("convert", "SPEC.grid", "-o", "SPEC.toml"),
    ],
    ids=" ".join,
)
def test_names_of_files__are_any_that_the_system_takes(
    name: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """Bytes that are no text and what controls a terminal are told without harm, and written in files of text."""
    (tmp_path / f"{name}.grid").write_text(SPEC)
    (tmp_path / f"{name}wrong.grid").write_text(SPEC.replace("enter goal", "enter gaol"))
    asked = [part.replace("SPEC", name).replace("WRONG", f"{name}wrong") for part in arguments]
    found = subprocess.run(
        [sys.executable, "-m", "griddsl", *asked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in found.stderr and b"\x1b" not in found.stdout + found.stderr, found
    assert found.returncode == ("WRONG" in "".join(arguments)) or b"no folder" in found.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    "arguments",
    [("solve", "SPEC.grid", "--values", "--policy"), ("explain", "SPEC.grid")],
    ids=" ".join,
)
def test_streams__say_what_they_can(encoding: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Where a terminal has few characters, there is a `?` for each of the others."""
    name = "wört文"
    (tmp_path / f"{name}.grid").write_text(SPEC, encoding="utf-8")
    asked = [part.replace("SPEC", name) for part in arguments]
    found = subprocess.run(
        [sys.executable, "-m", "griddsl", *asked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert found.returncode == 0 and found.stderr == b"", found
    assert b"?" in found.stdout


VARIED = SPEC.replace("param far", "variant test/Named-Long-v0: far = 9\nparam far")


@pytest.mark.parametrize("name", ["test/Named-Long-v0", "Named-Long-v0", "Named-Long", "Long"])
def test_a_variant__stands_behind_its_file(name: str, tmp_path: Path) -> None:
    """A variant is run by its id behind the file, which nothing registered: whole, or what tells it from the file's."""
    path = tmp_path / "named.grid"
    path.write_text(VARIED, encoding="utf-8")
    result = _run("run", f"{path}:{name}", "--actions", "right")
    assert result.exit_code == 0 and "test/Named-Long-v0" in result.output and ".@......" in result.output
    assert _run("check", f"{path}:{name}").exit_code == 0


def test_a_variant__that_the_file_has_not_is_refused(tmp_path: Path) -> None:
    """The ids that there are, and the file alone where it has one, are told."""
    path = tmp_path / "named.grid"
    path.write_text(VARIED, encoding="utf-8")
    result = _run("run", f"{path}:Short")
    assert result.exit_code == 2 and "`test/Named-Long-v0`" in result.stderr
    path.write_text(SPEC, encoding="utf-8")
    assert "has no variants" in _run("run", f"{path}:Long").stderr


def test_an_id__of_a_file_beside_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id that nothing registered, of a file of the folder, is answered with how it is named."""
    (tmp_path / "named.grid").write_text(VARIED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "write `named.grid:test/Named-Long-v0`" in _run("run", "test/Named-Long-v0").stderr
    assert "write `named.grid`" in _run("run", "test/Named-v0").stderr


def test_a_parameter__that_is_given_as_an_option_is_told(tmp_path: Path) -> None:
    """`--far 8` and `--variant X` are answered with how parameters and variants are given; another option is not."""
    path = tmp_path / "named.grid"
    path.write_text(VARIED, encoding="utf-8")
    assert "`--param far=8`" in _run("run", str(path), "--far", "8").stderr
    assert "`--param far=8`" in _run("solve", str(path), "--far=8").stderr
    assert f"`{path}:test/Named-Long-v0`" in _run("run", str(path), "--variant", "Long").stderr
    assert "No such option: --near" in _run("run", str(path), "--near").stderr


MARKED = """\
env: test/Marked-v0
map:
    @...
    ....
actions: mark(spot in cells), wait
on do mark: place mud at spot
when mud at (0, 0): end
observe: cell
limit: 9 steps
"""


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("mark(9, 9)", "one of 8, from `mark(0, 0)` to `mark(3, 1)`"),
        ("mark", "one of 8"),
        ("mark(1,1) mark(2, 0)", "separated by commas: `mark(1, 1), mark(2, 0)`"),
        ("wiat", "did you mean `wait`?"),
    ],
)
def test_an_action__with_other_values_is_told_what_it_takes(actions: str, said: str, tmp_path: Path) -> None:
    """An action with values that it does not take, or with none, is answered with those that it does."""
    path = tmp_path / "marked.grid"
    path.write_text(MARKED, encoding="utf-8")
    result = _run("run", str(path), "--actions", actions)
    assert result.exit_code == 2 and said in result.stderr
