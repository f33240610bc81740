"""Packages of specs: what pip installed is registered, listed, played and used, and a broken one hinders nobody."""

from __future__ import annotations

import json
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import griddsl
from griddsl.compiling.cache import name_of
from griddsl.files.packages import GROUP, installed, library_files
from griddsl.source import Source
from tests.packages_of_specs import SPEC, install, run

LIBRARY = "tile pond: solid\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with one package: two specs, one of them deeper, and a library."""
    specs = {
        "frost/specs/one.grid": SPEC.format(id="frost/One-v0"),
        "frost/specs/deep/two.grid": SPEC.format(id="frost/Two-v0"),
        "frost/specs/garden.grid": LIBRARY,
        "frost/__init__.py": "raise RuntimeError('nothing of a package is imported')\n",
    }
    install(tmp_path / "site", "frost", specs)
    return tmp_path / "site"


def test_package__is_registered_without_being_imported(site: Path) -> None:
    """Its ids are there after `import griddsl` and Gymnasium, in any order, and it is not imported."""
    for order in ("griddsl, gymnasium", "gymnasium, griddsl"):
        code = (
            f"import {order}\n"
            "assert gymnasium.make('frost/One-v0').reset(seed=0)[0] == 0\n"
            "assert 'frost/Two-v0' in gymnasium.registry\n"
            "import sys; assert 'frost' not in sys.modules"
        )
        done = run(site, "-W", "error", "-c", code)
        assert (done.returncode, done.stderr) == (0, "")


def test_package__is_listed_and_played_by_name(site: Path) -> None:
    """`list` says which package an id comes from, and `run` knows it by its short name."""
    listed = [run(site, "-m", "griddsl", "list", "--json", word) for word in ("frost", "cliffwalking")]
    records = {record["id"]: record for one in listed for record in json.loads(one.stdout)}
    assert records["frost/Two-v0"]["package"] == "frost"
    assert records["griddsl/CliffWalking-v0"]["package"] is None
    played = run(site, "-m", "griddsl", "run", "Two", "--actions", "right,right")
    assert played.returncode == 0 and "success" in played.stdout


@pytest.mark.parametrize(
    ("name", "error"), [("frost.garden", None), ("garden", None), ("frost.gardn", "frost.garden")]
)
def test_use__brings_a_file_of_a_package(
    name: str, error: str | None, site: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`use` takes `PACKAGE.FILE` and, where one package has it, `FILE`; a near name is answered with the right one."""
    monkeypatch.syspath_prepend(str(site))
    text = SPEC.format(id="test/Used-v0").replace("map:", f"use: {name}\nmap:").replace("@.G", "@pG")
    spec = tmp_path / "used.grid"
    spec.write_text(text.replace("G = goal", "G = goal, p = pond"), encoding="utf-8")
    found = griddsl.check(spec)
    if error is None:
        assert [each.code for each in found if each.is_error] == []
        assert next(kind for kind in griddsl.load(spec).kinds if kind.name == "pond")
    else:
        assert found[0].code == "unknown-library" and error in (found[0].help or "")


def test_use__asks_which_of_several_is_meant(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that two packages have is an error, which names both."""
    install(site, "meadow", {"meadow/specs/garden.toml": "", "meadow/__init__.py": ""})
    monkeypatch.syspath_prepend(str(site))
    [problem] = griddsl.check(SPEC.format(id="a/B-v0") + "use: garden\n")
    assert problem.code == "unknown-library"
    assert problem.help == "several packages have one: write `frost.garden` or `meadow.garden`"


def test_use__of_a_package_is_the_file_of_its_name(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`use: PACKAGE` is `PACKAGE.grid` in its folder."""
    (site / "frost" / "specs" / "frost.grid").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    assert [name for name, _ in library_files("frost")] == ["frost.frost"]


def test_cache__sees_a_package_that_came(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec that uses something is compiled anew once another package is installed; others are not."""
    uses, plain = (Source("a.grid", text) for text in ("use: garden\n", "map:\n    @\n"))
    before = name_of(uses, {}), name_of(plain, {})
    monkeypatch.syspath_prepend(str(site))
    assert name_of(uses, {}) != before[0] and name_of(plain, {}) == before[1]


BROKEN = {
    "no package": ("ghost.specs", {}, "there is no package `ghost`"),
    "no folder": ("bad.levels", {"bad/__init__.py": ""}, "there is no folder"),
    "a module": ("bad", {"bad.py": ""}, "is a module"),
    "an object": ("bad:specs", {"bad/__init__.py": ""}, "no dotted name"),
    "a way out": ("bad.../..", {"bad/__init__.py": ""}, "no dotted name"),
    "nothing in it": ("bad.specs", {"bad/specs/readme.txt": ""}, "no spec is in"),
    "an id that is taken": (
        "bad.specs",
        {"bad/specs/a.grid": SPEC.format(id="griddsl/CliffWalking-v0")},
        "`griddsl/CliffWalking-v0` of",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_package__is_a_warning_with_its_name(what: str, site: Path) -> None:
    """Importing griddsl goes well, the other packages are there, and a warning names the one that is broken."""
    value, files, said = BROKEN[what]
    install(site, "bad", files, value)
    code = (
        "import griddsl, gymnasium\nassert 'frost/One-v0' in gymnasium.registry\n"
        "assert gymnasium.spec('griddsl/CliffWalking-v0').max_episode_steps is None\n"
    )
    done = run(site, "-W", "always", "-c", code)
    assert done.returncode == 0, done.stderr
    assert "UserWarning: griddsl.specs: the package `bad`" in done.stderr and said in done.stderr
    assert done.stderr.count("UserWarning") == 1


def test_broken_spec_of_a_package__is_told_when_it_is_made(site: Path) -> None:
    """A spec with mistakes is registered like any other: what is wrong with it is said by whoever makes it."""
    (site / "frost" / "specs" / "one.grid").write_text("env: frost/One-v0\nmop:\n", encoding="utf-8")
    code = (
        "import griddsl, gymnasium\n"
        "try: gymnasium.make('frost/One-v0')\n"
        "except griddsl.SpecError as error: print(error.diagnostics[0].code)"
    )
    done = run(site, "-W", "error", "-c", code)
    assert (done.stdout, done.stderr) == ("unknown-statement\n", "")


def test_two_packages_of_one_name__leave_the_first(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is said to be left out."""
    install(site, "other", {"other/specs/a.grid": LIBRARY}, point="frost")
    monkeypatch.syspath_prepend(str(site))
    found = installed()
    assert [(each.name, each.distribution) for each in found.packages] == [("frost", "frost")]
    assert found.problems == (
        "the package `other` of specs is left out: `frost` is installed, which calls itself `frost` too",
    )


def test_unreadable_metadata__is_passed_over(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Metadata that is no text, a folder in its place, and places that are no folder are as if they were not there."""
    for name, content in (("zeros", bytes(range(256))), ("folder", None), ("half", b"[griddsl.specs\nx = y")):
        info = site / f"{name}-1.dist-info"
        info.mkdir()
        if content is None:
            (info / "entry_points.txt").mkdir()
        else:
            (info / "entry_points.txt").write_bytes(content)
    monkeypatch.setattr(sys, "path", [str(site), str(site / "nothing"), "a\0b", *sys.path])
    assert [each.name for each in installed().packages] == ["frost"] and installed().problems == ()


def test_entry_points__are_found_as_importlib_finds_them(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick look through the folders finds what `importlib.metadata` finds, the first of two of one name included."""
    later = site.parent / "later"
    install(later, "frost", {"frost/specs/x.grid": LIBRARY}, "frost.elsewhere")
    install(later, "meadow", {"meadow/specs/x.grid": LIBRARY})
    monkeypatch.setattr(sys, "path", [str(site), str(later), *sys.path])
    assert [each.name for each in installed().packages] == [point.name for point in entry_points(group=GROUP)]


def test_import__looks_through_the_packages_quickly() -> None:
    """A look at what is installed loads no `importlib.metadata`, which takes longer than all of it."""
    code = "import sys; import griddsl.files.packages as p; p.installed(); assert 'importlib.metadata' not in sys.modules"
    done = run(Path.cwd(), "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
