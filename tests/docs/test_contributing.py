"""What CONTRIBUTING.md and the files beside it say of the repository is so."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import griddsl
from griddsl.diagnostics import CODES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`\n]+)`", PAGE)
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
HASH = re.compile(r"[0-9a-f]{7}")
# Files of a commit's time, which `git show` is asked for.
OF_THE_TIME = {"griddsl/lowering/minigrid.py", "griddsl/lowering/seeing.py"}


def test_contributing__names_paths_that_exist() -> None:
    """Every path that stands there as code is a file or a folder of the repository."""
    tops = "|".join(sorted(re.escape(path.name) for path in ROOT.iterdir() if path.name != ".venv"))
    paths = {path for text in CODE for path in re.findall(rf"(?<![\w/.-])(?:{tops})(?:/[\w./-]+)?", text)}
    assert len(paths) > 60
    assert {path for path in paths - OF_THE_TIME if not (ROOT / path).exists()} == set()


def test_contributing__names_every_room() -> None:
    """The table of rooms has each of the folders of the package; what is one file may be missing."""
    rooms = {path.parent.name for path in (ROOT / "griddsl").glob("*/__init__.py")}
    assert len(rooms) > 8
    assert {room for room in rooms if f"`griddsl/{room}/`" not in PAGE} == set()


def test_contributing__names_commits_of_the_history() -> None:
    """Every hash is one of a commit, and every path after it was touched by it."""
    commands = [text.split(" ") for text in CODE if text.startswith("git show ") and "HASH" not in text]
    hashes = {text for text in CODE if HASH.fullmatch(text)} | {command[2] for command in commands}
    assert len(hashes) > 8 and all(HASH.fullmatch(each) for each in hashes)
    if not (ROOT / ".git").exists() or _git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("the history is not here")
    for each in hashes:
        assert _git("cat-file", "-t", each) == "commit"
    for command in commands:
        for path in command[command.index("--") + 1 :] if "--" in command else []:
            assert _git("show", "--format=", "--name-only", command[2], "--", path), path


def test_contributing__names_codes_that_exist() -> None:
    """The diagnostic that the recipe follows is one of the table."""
    assert "near-outcome" in CODES and "near-outcome" in CODE[CODE.index("437fe70") :]


def test_citation__is_of_this_version() -> None:
    """The citation names the version of the package, which its metadata takes from the one place of it."""
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert cited is not None and cited[1] == griddsl.__version__
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"] == {"path": "griddsl/__init__.py"}


def test_changelog__has_the_form_that_is_kept() -> None:
    """Versions have dates, sections of Keep a Changelog and topics, once each, entries of one line, and their links."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    body, _, links = text.partition("\n[Unreleased]: ")
    versions = body.split("\n## ")[1:]
    heads = [version.partition("\n")[0] for version in versions]
    assert heads[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head) for head in heads[1:])
    for version in versions:
        sections = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert len(set(sections)) == len(sections) and set(sections) <= SECTIONS
        entries = [
            line
            for line in version.split("### ", 1)[1].splitlines()[1:]
            if line and not re.match(r"#{3,4} ", line)
        ]
        assert entries and all(line.startswith("- ") for line in entries)
        topics = re.findall(r"^#### (.*)$", version, re.MULTILINE)
        assert len(set(entries)) == len(entries) and len(set(topics)) == len(topics)
    named = {head[1:].partition("]")[0] for head in heads}
    assert named == {"Unreleased", *re.findall(r"^\[(\d[^\]]*)\]: https", links, re.MULTILINE)}


def _git(*given: str) -> str:
    done = subprocess.run(["git", *given], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()
