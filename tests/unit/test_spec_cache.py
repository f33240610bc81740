"""Compiled specs on disk: found again as they were, and never once anything that they were made of has changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import griddsl
from griddsl import compiler
from griddsl.backends.native.library import is_installed
from griddsl.compiler import compiled
from griddsl.compiling import cache as spec_cache
from griddsl.source import Source
from tests.playing import completed

SPEC = completed(
    """
use: "more.grid"
maps: "levels/*.txt"
legend: G = gem
object gem:
actions: left, right
look gem: sprite "gem.png"
when agent on gem: end success
"""
)
SIZED = completed(
    """
param wide: 5 in 1..9
generate: empty(wide, 1)
setup: place agent at random floor
actions: left, right
"""
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec that is made of five files, in a cache of its own."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "one.txt").write_text("@..G\n")
    (tmp_path / "levels" / "two.txt").write_text("G..@\n")
    (tmp_path / "more.grid").write_text("each step: reward -1\n")
    Image.new("RGB", (8, 8), (255, 0, 0)).save(tmp_path / "gem.png")
    spec = tmp_path / "spec.grid"
    spec.write_text(SPEC)
    return spec


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the specs that are compiled, and not found on disk."""
    done: list[str] = []
    compile_text = compiler.compile_text

    def noting(text: Source, *rest: Any) -> Any:
        done.append(Path(text.name).name)
        return compile_text(text, *rest)

    monkeypatch.setattr(compiler, "compile_text", noting)
    return done


def test_spec_that_did_not_change__is_not_compiled_again(path: Path, work: list[str]) -> None:
    """Its program and its model are what they were, and make the same environment."""
    first, second = compiled(path), compiled(path)
    assert work == ["spec.grid"]
    assert second.program.source() == first.program.source()
    assert second.program.rules == first.program.rules
    assert second.model == first.model
    assert second.model.source == first.model.source
    assert griddsl.make(path).spec_model.id == first.program.id
    assert work == ["spec.grid"]


CHANGES: dict[str, Callable[[Path], object]] = {
    "the spec": lambda folder: (folder / "spec.grid").write_text(SPEC + "# a remark\n"),
    "a library": lambda folder: (folder / "more.grid").write_text("each step: reward -2\n"),
    "a level": lambda folder: (folder / "levels" / "two.txt").write_text("G.@.\n"),
    "one level more": lambda folder: (folder / "levels" / "three.txt").write_text(".G@.\n"),
    "one level less": lambda folder: (folder / "levels" / "two.txt").unlink(),
    "a picture": lambda folder: Image.new("RGB", (8, 8), (0, 0, 255)).save(folder / "gem.png"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_change__is_seen(path: Path, work: list[str], what: str) -> None:
    """Whatever a spec was made of: where it changes, the spec is compiled again, and kept again."""
    compiled(path)
    CHANGES[what](path.parent)
    compiled(path)
    compiled(path)
    assert work == ["spec.grid"] * 2


def test_missing_file__is_an_error_again(path: Path) -> None:
    """What a file that is gone left on disk is not played."""
    compiled(path)
    (path.parent / "more.grid").unlink()
    with pytest.raises(griddsl.SpecError, match=r"more\.grid"):
        compiled(path)


def test_parameters__are_told_apart(tmp_path: Path, work: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each set of values is compiled once; 1 and True are two."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(tmp_path))
    path = tmp_path / "size.grid"
    path.write_text(SIZED)
    assert [compiled(path, wide=wide).program.width for wide in (5, 7, 5, 7)] == [5, 7, 5, 7]
    assert len(work) == 2
    assert compiled(path, wide=1).program.width == 1
    with pytest.raises(griddsl.SpecError):
        compiled(path, wide=True)


def test_damaged_file__is_made_anew(path: Path, work: list[str]) -> None:
    """Whatever the cache holds, the spec is compiled."""
    compiled(path)
    for file in (path.parent / "cache" / "specs").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert compiled(path).program.width == 4
    assert len(work) == 2


def test_no_place_for_a_cache__does_no_harm(
    path: Path, work: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be made is done without."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(path / "below a file"))
    compiled(path)
    compiled(path)
    assert len(work) == 2


def test_no_home__does_no_harm(path: Path, work: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a home, as in some containers, compiles each time."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("GRIDDSL_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    for _ in range(2):
        env = griddsl.make(path, backend="native" if is_installed() else "python")
        env.reset(seed=0)
    assert len(work) == 2


def test_text__is_not_kept(path: Path, tmp_path: Path) -> None:
    """Texts come in any number, from loops and fuzzers; files do not."""
    compiled(SIZED)
    assert not (tmp_path / "cache" / "specs").exists()


def test_too_many__are_forgotten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older half goes."""
    monkeypatch.setattr(spec_cache, "MOST_KEPT", 4)
    for number in range(7):
        path.write_text(path.read_text() + f"# {number}\n")
        compiled(path)
    assert len(list((path.parent / "cache" / "specs").iterdir())) <= 5


def test_start__reads_neither_grammar_nor_models(path: Path) -> None:
    """An environment of a spec that was compiled before starts without lark, pydantic and the compiler."""
    code = (
        f"import sys, griddsl; env = griddsl.make({str(path)!r}, backend='python'); env.reset(seed=0); env.step(0);"
        "print(sorted({'lark', 'pydantic', 'griddsl.lowering', 'griddsl.spec'} & set(sys.modules)));"
        "print(env.spec_model.id)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(
            "\n"
        )
        for _ in range(2)
    ]
    assert runs[1][0] == "[]"
    assert runs[0][1] == runs[1][1] == compiled(path).program.id
