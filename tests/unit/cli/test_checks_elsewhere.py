"""Checks where specs are kept: standard input, pre-commit, GitHub, and SARIF for any of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from griddsl.cli.app import app
from griddsl.diagnostics import CODES, Report, to_sarif
from griddsl.source import Source, unsaved

ROOT = Path(__file__).parents[3]
GOOD = """\
env: a/B-v0
map:
    @.G
legend: G = goal
actions: left, right
observe: cell
on enter goal: end success
limit: 9 steps
"""
BAD = GOOD.replace("enter goal", "enter gaol")


def _run(arguments: list[str], stdin: str | bytes = "") -> Any:
    return CliRunner().invoke(app, arguments, input=stdin, prog_name="griddsl")


def test_check__reads_standard_input() -> None:
    """`check -` checks what is piped to it, and exits as for a file."""
    assert _run(["check", "-"], GOOD).exit_code == 0
    result = _run(["check", "-"], BAD)
    assert result.exit_code == 1
    assert " --> <stdin>:7:10" in result.stdout
    assert _run(["check", "-", "specs"], GOOD).exit_code == 2


@pytest.mark.parametrize(
    "stdin", [b"", b"\xff\xfe", b"\0", b"nothing.grid", b"-", b"x" * 100_000, b'env = "a/B-v0"']
)
def test_standard_input__may_hold_anything(stdin: bytes) -> None:
    """Whatever is piped, it is answered by diagnostics."""
    for arguments in (["check", "-"], ["fmt", "-"], ["check", "-", "--format", "sarif"]):
        result = _run(arguments, stdin)
        assert result.exit_code in {0, 1, 2}
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception


def test_check__takes_a_name_for_standard_input(tmp_path: Path) -> None:
    """With a name, what is piped stands for that file: `use` reads beside it, and its ending says the format."""
    (tmp_path / "kinds.grid").write_text("tile goal:\n")
    text = GOOD.replace("map:", 'use: "kinds.grid"\nmap:')
    named = _run(["check", "-", "--stdin-name", str(tmp_path / "new.grid")], text)
    assert named.exit_code == 0, named.stdout
    assert "outside-folder" in _run(["check", "-"], text).stdout
    assert "toml-syntax" in _run(["check", "-", "--stdin-name", str(tmp_path / "new.toml")], text).stdout


def test_fmt__lays_out_toml(tmp_path: Path) -> None:
    """TOML is laid out as TOML, piped or in a folder; what is no spec there stays as it is."""
    text = 'env="a/B-v0" # mine\nmap=["@."]\n'
    laid_out = "env = \"a/B-v0\"  # mine\nmap = '''\n@.\n'''\n"
    assert _run(["fmt", "-"], text).stdout == laid_out
    (tmp_path / "spec.toml").write_text(text)
    (tmp_path / "pyproject.toml").write_text("[project]\nname='a'\n")
    result = _run(["fmt", str(tmp_path)])
    assert result.exit_code == 0 and "1 changed" in result.stderr
    assert (tmp_path / "spec.toml").read_text() == laid_out
    assert (tmp_path / "pyproject.toml").read_text() == "[project]\nname='a'\n"
    assert _run(["fmt", "--check", str(tmp_path / "spec.toml")]).exit_code == 0


def test_unsaved__counts_for_files_that_are_used(tmp_path: Path) -> None:
    """What is not saved yet stands in place of what the disk has, and files may be there that it has not."""
    from griddsl.checking import check

    spec, kinds = tmp_path / "a.grid", tmp_path / "kinds.grid"
    spec.write_text(GOOD.replace("map:", 'use: "kinds.grid"\nmap:'))
    assert [each.code for each in check(spec) if each.is_error] == ["unreadable"]
    with unsaved({kinds: b"tile goal:\n"}):
        assert check(spec) == []
        with unsaved({kinds: b"tile goal: slid\n"}):
            assert [each.code for each in check(spec)] == ["unknown-property"]
    kinds.write_text("tile goal: slid\n")
    assert [each.code for each in check(spec)] == ["unknown-property"]


def test_sarif__has_rules_places_and_fixes() -> None:
    """A SARIF log names each code with its meaning, the place in the file and the rewrite."""
    log = json.loads(_run(["check", "-", "--format", "sarif"], BAD).stdout)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    [rule] = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"]) == ("once-named", CODES["once-named"].meaning)
    assert rule["helpUri"].endswith("docs/diagnostics.md#once-named")
    assert (
        rule["fullDescription"]["text"] == CODES["once-named"].meaning
    )  # GitHub's code scanning asks for both
    assert "error[once-named]" in rule["help"]["text"]
    assert "**Right**\n\n```grid\nenv: " in rule["help"]["markdown"]
    [result] = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 7, "startColumn": 10, "endLine": 7, "endColumn": 14}
    assert place["artifactLocation"]["uri"] == "%3Cstdin%3E"
    [change] = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "goal"


def test_sarif__points_at_every_place_of_a_message(tmp_path: Path) -> None:
    """Other places of a diagnostic are related locations; files are relative or absolute URIs."""
    from griddsl.diagnostics import Label

    absolute = Source(str(tmp_path / "a b.grid"), "tile a:\n")
    relative = Source("levels/a b.grid", "tile a:\n")
    report = Report()
    labels = [Label(absolute.whole().span(0, 4), "first here")]
    report.add("duplicate-statement", relative.whole().span(5, 6), what="tile a", labels=labels)
    [result] = json.loads(to_sarif(report, "1"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "levels/a%20b.grid"
    [related] = result["relatedLocations"]
    assert related["message"]["text"] == "first here"
    assert related["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_hooks__of_pre_commit_run(tmp_path: Path) -> None:
    """Each hook's entry is a command that takes files, fails on a bad one, and its pattern finds specs."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^  entry: (.+)$", text, re.MULTILINE)
    patterns = re.findall(r"^  files: (.+)$", text, re.MULTILINE)
    assert entries == ["griddsl check", "griddsl fmt"]
    assert all(
        re.search(pattern, "specs/a.grid") and not re.search(pattern, "a.gridx") for pattern in patterns
    )
    good, bad, untidy = tmp_path / "good.grid", tmp_path / "bad.grid", tmp_path / "untidy.grid"
    good.write_text(GOOD)
    bad.write_text(BAD)
    untidy.write_text(GOOD.replace("env: ", "env:    "))
    assert _run([*entries[0].split()[1:], str(good), str(untidy)]).exit_code == 0
    assert _run([*entries[0].split()[1:], str(good), str(bad)]).exit_code == 1
    assert _run([*entries[1].split()[1:], str(good), str(untidy)]).exit_code == 0
    assert untidy.read_text() == GOOD


@pytest.mark.skipif(sys.platform == "win32", reason="the action's step is a bash script")
def test_action__notes_errors_on_lines(tmp_path: Path) -> None:
    """The action's script prints GitHub's commands with paths of the repository, and fails."""
    good, bad = tmp_path / "good.grid", tmp_path / "levels" / "bad.grid"
    bad.parent.mkdir()
    good.write_text(GOOD)
    bad.write_text(BAD)
    done = _act(tmp_path, files="good.grid levels")
    assert done.returncode == 1
    assert "::error file=levels/bad.grid,line=7,endLine=7,col=10,endColumn=14" in done.stdout
    assert (tmp_path / "pip.txt").read_text().splitlines() == ["-m pip install --quiet /the/action"]
    assert _act(tmp_path, files="good.grid", install="griddsl==0.1.0").returncode == 0
    assert (tmp_path / "pip.txt").read_text().splitlines()[1:] == ["-m pip install --quiet griddsl==0.1.0"]
    assert _act(tmp_path).returncode == 1  # all of the checkout, where nothing is named
    good.write_text(GOOD.replace("env: ", "env:   "))
    assert _act(tmp_path, files="good.grid", fmt="true").returncode == 1
    good.write_text(GOOD.replace("limit: 9 steps\n", ""))
    assert _act(tmp_path, files="good.grid").returncode == 0
    warned = _act(tmp_path, files="good.grid", strict="true")
    assert warned.returncode == 1 and "::warning file=good.grid" in warned.stdout
    assert _act(tmp_path, files="levels", format="sarif").returncode == 1
    log = json.loads((tmp_path / "griddsl.sarif").read_text())
    assert log["runs"][0]["results"][0]["ruleId"] == "once-named"


def _steps() -> list[tuple[str, dict[str, str]]]:
    """Return the scripts of the action's steps, each with its environment as it is written."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8").partition("  steps:\n")[2]
    found = []
    for step in re.split(r"^    - ", text, flags=re.MULTILINE)[1:]:
        script = re.search(r"^ +run: (?:\|\n((?:        .*\n|\n)+)|(.+)\n)", step, re.MULTILINE)
        if script is None:
            assert step.startswith("uses: actions/setup-python@"), step
            continue
        assert step.startswith("shell: bash\n")
        names = re.findall(r"^        (\w+): (.+)$", step.rpartition("      env:\n")[2], re.MULTILINE)
        found.append((textwrap.dedent(script[1] or script[2]), dict(names)))
    return found


def _act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the steps of the action as GitHub's runner does, up to the first that fails; pip's words are kept."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    defaults = dict(re.findall(r"^  (\w+):\n    description: .+\n    default: (.+)$", text, re.MULTILINE))
    given = {name: value.strip('"') for name, value in defaults.items()}
    assert set(inputs) <= set(given) == {"files", "strict", "fmt", "format", "install"}
    commands = folder / ".runner"
    commands.mkdir(exist_ok=True)
    for name, script in (
        ("griddsl", f'exec "{sys.executable}" -m griddsl "$@"'),
        ("python", f'echo "$*" >> "{folder / "pip.txt"}"'),
    ):
        (commands / name).write_text(f"#!/bin/sh\n{script}\n")
        (commands / name).chmod(0o755)
    github = {"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": "/the/action", "GITHUB_WORKSPACE": str(folder)}
    for number, (script, environment) in enumerate(_steps()):
        file = commands / f"{number}.sh"
        file.write_text(script)
        own = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: (given | inputs)[found[1]], value)
            for name, value in environment.items()
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(file)],
            cwd=folder,
            env={**os.environ, **github, **own, "PATH": f"{commands}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            break
    return done
