"""`griddsl new --package` writes a package that is found, and whose own tests pass."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from griddsl.cli.app import app
from griddsl.cli.failures import Refusal
from griddsl.cli.texts.new_package import package_files
from tests.packages_of_specs import install, run

EXAMPLE = Path(__file__).parents[3] / "examples" / "my_grids"


def _points(files: dict[str, str]) -> dict[str, str]:
    project: dict[str, Any] = tomllib.loads(files["pyproject.toml"])["project"]
    points: dict[str, str] = project["entry-points"]["griddsl.specs"]
    return points


def test_new_package__is_found_and_passes_its_own_tests(tmp_path: Path) -> None:
    """Installed, its id is there, its spec is clean and laid out, and its tests pass."""
    distribution, files = package_files("griddsl-frosty Lakes")
    assert distribution == "griddsl-frosty-lakes"
    [(name, value)] = _points(files).items()
    assert (name, value) == ("frosty_lakes", "griddsl_frosty_lakes.specs")
    install(tmp_path, "griddsl_frosty_lakes", files, value, name)
    checked = run(tmp_path, "-m", "griddsl", "check", "--strict", "frosty_lakes/FirstRoom-v0")
    assert checked.returncode == 0, checked.stderr
    laid_out = run(tmp_path, "-m", "griddsl", "fmt", "--check", "griddsl_frosty_lakes/specs")
    assert laid_out.returncode == 0, laid_out.stderr
    # A plugin that may be installed beside pytest warns while it is loaded, of what is not the package's.
    alone = ("-p", "no:cacheprovider", "-p", "no:asyncio")
    tested = run(tmp_path, "-m", "pytest", "-q", *alone, "-W", "error")
    assert tested.returncode == 0 and "4 passed" in tested.stdout, tested.stdout


def test_new_package__writes_what_it_says_and_overwrites_nothing(tmp_path: Path) -> None:
    """The files are those of `package_files`; a folder that exists is left as it is."""
    arguments = ["new", "--package", "FrostyLakes", "--in", str(tmp_path)]
    written = CliRunner().invoke(app, arguments)
    home = tmp_path / "frosty-lakes"
    assert (
        written.exit_code == 0 and f"griddsl run {home}/frosty_lakes/specs/first_room.grid" in written.output
    )
    found = {str(path.relative_to(home)): path.read_text() for path in home.rglob("*") if path.is_file()}
    assert found == package_files("FrostyLakes")[1]
    again = CliRunner().invoke(app, arguments)
    assert again.exit_code == 1 and "exists already" in again.output


@pytest.mark.parametrize(
    "name",
    [
        "",
        "7seas",
        "a/b",
        "../up",
        "class",
        "griddsl",
        "os",
        "JSON",
        "über",
        "a" * 40 + "!",
        "test",
        "PIL",
        "jax",
    ],
)
def test_new_package__refuses_what_cannot_name_one(name: str) -> None:
    """A module of that name could not be imported, or would hide griddsl itself."""
    with pytest.raises(Refusal, match="cannot"):
        package_files(name)


def test_new_package__hides_nothing_that_griddsl_needs() -> None:
    """No package is called as one that `pyproject.toml` asks for."""
    needs = tomllib.loads((EXAMPLE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "dependencies"
    ]
    assert len(needs) >= 8
    for need in needs:
        name = re.split("[<>=]", need)[0].removesuffix("-ce")  # pygame-ce is imported as pygame
        with pytest.raises(Refusal, match=f"`import {name}` brings what griddsl needs"):
            package_files(name)


def test_new_package__leaves_nothing_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told, and no folder stays that would be in the way of the next try."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr("griddsl.cli.texts.new_package.write_together", full)
    written = CliRunner().invoke(app, ["new", "--package", "FrostyLakes", "--in", str(tmp_path)])
    assert written.exit_code == 1 and "no space left" in written.output
    assert not list(tmp_path.iterdir())


def test_example__is_what_the_command_writes() -> None:
    """`examples/my_grids` differs from a new package in its words and its specs alone."""
    distribution, files = package_files("my_grids")
    for path in (".gitignore", ".github/workflows/tests.yml", "my_grids/__init__.py", "tests/test_specs.py"):
        assert (EXAMPLE / path).read_text(encoding="utf-8") == files[path], path
    written, ours = (
        tomllib.loads(text) for text in (files["pyproject.toml"], (EXAMPLE / "pyproject.toml").read_text())
    )
    assert written["project"].pop("description") and ours["project"].pop("description")
    assert (distribution, written) == ("my-grids", ours)
