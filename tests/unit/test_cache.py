"""The cache: what lies there is run, so what others can write is not read, and what is damaged is made anew."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from griddsl.backends.native import library as native_library
from griddsl.backends.native.library import is_installed, library
from griddsl.backends.native.module import Kernel, Text
from griddsl.files import cache

POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="who owns a file is not told by a number here")
ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
SPEC = """
env: test/Line-v0
map:
    @...G
legend: G = goal
actions: left, right
observe: view 3x3 as planes
each step: reward -1
on enter goal: end success
limit: 30 steps
"""
ONE = Text(
    "one",
    "from griddsl.backends.native.kernels import view_of\n"
    "import numpy as np\n\n"
    "def one(n, out):\n    view_of(out, 1, np.int64)[0] = n + 1\n",
)
KERNELS = (Kernel("one", "i", "i"),)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, about which nothing has been said yet."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", [])
    return tmp_path / "cache"


def test_what_is_kept__is_found(home: Path) -> None:
    """Anything, an empty thing too; nobody else can read it, and nothing else lies there."""
    for name, content in (("a", b"1"), ("b", b""), ("specs/c", os.urandom(10_000)), ("a", b"2")):
        assert cache.find(name) != content
        assert cache.keep(name, content)
        assert cache.find(name) == content
    assert sorted(path.name for path in home.rglob("*")) == ["a", "b", "c", "specs"]
    if os.name == "posix":
        assert {path.stat().st_mode & 0o077 for path in [home, *home.rglob("*")]} == {0}


def test_damage__is_seen_at_every_byte(home: Path) -> None:
    """A file that is cut at any length, longer, or changed in any byte is not there."""
    content = bytes(range(60))
    cache.keep("a", content)
    whole = (home / "a").read_bytes()
    for length in range(len(whole)):
        (home / "a").write_bytes(whole[:length])
        assert cache.find("a") is None
        (home / "a").write_bytes(whole[:length] + bytes([whole[length] ^ 1]) + whole[length + 1 :])
        assert cache.find("a") is None
    (home / "a").write_bytes(whole + b"\0")
    assert cache.find("a") is None
    (home / "a").write_bytes(whole)
    assert cache.find("a") == content


class Planted:
    """A pickle that writes a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self.path,)


def plant(home: Path) -> tuple[Path, Path, Path]:
    """Let a spec be kept, and a pickle stand in its place; return the spec, the file, and what it would write."""
    spec, evil = home.parent / "line.grid", home.parent / "run"
    spec.write_text(SPEC)
    start(spec)
    (kept,) = (home / "specs").iterdir()
    content = pickle.dumps((Planted(evil), b"", b""))
    cache.keep(f"specs/{kept.name}", content)
    return spec, kept, evil


def start(spec: Path) -> str:
    """Start an environment in a process of its own; return what it says on standard error."""
    code = f"import griddsl; env = griddsl.make({str(spec)!r}); env.reset(seed=0); env.step(1); print('fine')"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "fine\n"), found.stderr[-1000:]
    return found.stderr


def test_planted_pickle__is_run_where_it_is_ones_own(home: Path) -> None:
    """What the tests after this one stand on: such a pickle does its work where nothing stops it."""
    spec, _, evil = plant(home)
    start(spec)
    assert evil.exists()


def linked(path: Path) -> None:
    """Put a link in the place of a file or folder, which is kept elsewhere."""
    elsewhere = path.parent.parent / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def somebody_elses_link(path: Path) -> None:
    """Put a link of somebody else in the place of a file or folder."""
    linked(path)
    os.lchown(path, 12345, -1)


def instead(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return what puts something else in the place of a file."""

    def put(path: Path) -> None:
        path.unlink()
        make(path)

    return put


OPENED: dict[str, Callable[[Path], object]] = {
    "a file that a group can write": lambda kept: kept.chmod(0o620),
    "a file that all can write": lambda kept: kept.chmod(0o602),
    "a folder that a group can write": lambda kept: kept.parent.chmod(0o770),
    "a folder that all can write": lambda kept: kept.parent.chmod(0o1777),
    "the cache, which all can write": lambda kept: kept.parent.parent.chmod(0o777),
    "a link to a file": linked,
    "a pipe": instead(os.mkfifo),
    "a folder": instead(Path.mkdir),
}
GIVEN: dict[str, Callable[[Path], object]] = {
    "somebody else's file": lambda kept: os.chown(kept, 12345, -1),
    "somebody else's folder": lambda kept: os.chown(kept.parent, 12345, -1),
    "somebody else's cache": lambda kept: os.chown(kept.parent.parent, 12345, -1),
    "somebody else's link to a file": lambda kept: somebody_elses_link(kept),
    "somebody else's link to a folder": lambda kept: somebody_elses_link(kept.parent),
}


@POSIX
@pytest.mark.parametrize("what", OPENED)
def test_planted_pickle__is_not_run(home: Path, what: str) -> None:
    """Not from a file or folder that others can write, nor through a link; the spec is compiled, and plays."""
    spec, kept, evil = plant(home)
    OPENED[what](kept)
    start(spec)
    assert not evil.exists()


@ROOT
@pytest.mark.parametrize("what", GIVEN)
def test_planted_pickle_of_somebody_else__is_not_run(home: Path, what: str) -> None:
    """Not from a file, folder or link that somebody else owns."""
    spec, kept, evil = plant(home)
    GIVEN[what](kept)
    start(spec)
    assert not evil.exists()


@POSIX
def test_files_of_somebody_else__are_not_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever the user is: what another number owns is refused."""
    cache.keep("a", b"1")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache.find("a") is None
    assert not cache.keep("b", b"1")
    assert [path.name for path in home.iterdir()] == ["a"]


@POSIX
def test_parsers_tables__are_not_taken_from_others(home: Path) -> None:
    """The parser's tables are a pickle as well."""
    spec, evil = home.parent / "line.grid", home.parent / "run"
    spec.write_text(SPEC)
    start(spec)
    (tables,) = home.glob("grammar-*")
    cache.keep(tables.name, pickle.dumps(Planted(evil)))
    tables.chmod(0o666)
    spec.write_text(SPEC + "# new\n")
    start(spec)
    assert not evil.exists()


def test_refusal__is_said_once(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Why nothing is kept, and which variable names another place."""
    home.write_text("a file where a folder should be")
    with caplog.at_level(logging.WARNING, "griddsl"):
        for number in range(5):
            assert not cache.keep(f"specs/{number}", b"1")
            assert cache.find(f"specs/{number}") is None
    (said,) = caplog.messages
    assert "keeps nothing on disk" in said and str(home) in said and "GRIDDSL_CACHE" in said


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_disk_that_takes_nothing__costs_time_only(home: Path, trouble: str) -> None:
    """Environments start on every backend, with one line on standard error, and nothing is left behind."""
    if os.name != "posix":
        pytest.skip("there is no limit to set, and no folder that nobody can write")
    spec = home.parent / "line.grid"
    spec.write_text(SPEC)
    code = f"""
import os, resource, signal, sys
if {trouble!r} == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
else:
    os.environ["GRIDDSL_CACHE"] = "/proc/griddsl"
import griddsl
from griddsl.backends.native.library import is_installed
for backend in ["python", *(["native"] if is_installed() else [])]:
    for _ in range(2):
        env = griddsl.make({str(spec)!r}, backend=backend)
        env.reset(seed=0)
        env.step(1)
print("fine", flush=True)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "fine\n"), found.stderr[-2000:]
    assert found.stderr.count("keeps nothing on disk") == 1
    assert "Traceback" not in found.stderr
    assert not [path for path in home.rglob("*") if path.is_file()]


def test_drafts_that_nobody_writes__go(home: Path) -> None:
    """Old drafts, of files and of folders; what another process writes now stays."""
    cache.keep("a", b"1")
    long_ago = time.time() - 2 * cache.OLD_DRAFT
    for name in (".draft-old", ".draft-new"):
        (home / name).write_bytes(b"half")
    (home / ".griddsl_native_old").mkdir()
    (home / ".griddsl_native_old" / "program.py").write_text("")
    for name in (".draft-old", ".griddsl_native_old"):
        os.utime(home / name, (long_ago, long_ago))
    cache.keep("b", b"1")
    assert sorted(path.name for path in home.iterdir()) == [".draft-new", "a", "b"]


@pytest.mark.skipif(not is_installed(), reason="numba is not installed")
def test_damaged_machine_code__is_compiled_anew(home: Path) -> None:
    """A file cut anywhere ends no process: it is compiled, and kept whole again."""

    def made() -> int:
        library.cache_clear()
        number: int = library(ONE, KERNELS).kernels["one"](4)
        return number

    assert made() == 5
    (kept,) = home.iterdir()
    whole = kept.read_bytes()
    for length in (0, 10, 47, 48, 60, 200, len(whole) // 2, len(whole) - 1):
        kept.write_bytes(whole[:length])
        assert made() == 5
        assert kept.read_bytes()[:16] == whole[:16] and cache.find(kept.name)


@pytest.mark.skipif(not is_installed(), reason="numba is not installed")
def test_numbas_own__is_kept_and_loaded(home: Path) -> None:
    """What numba compiles when it is called is not compiled by the next process, and damage is seen."""
    code = """
import numpy as np
from griddsl.backends.native.library import numba_module
from griddsl.backends.native.module import Text
text = "from griddsl.backends.native.library import kept_by_numba\\n@kept_by_numba\\ndef twice(n):\\n    return n * 2\\n"
module = numba_module(Text("test", text))
print(module.twice(21), module.twice.stats.cache_hits if hasattr(module.twice, "stats") else "", flush=True)
"""
    runs = []
    for damage in (False, False, True):
        if damage:
            (kept,) = home.iterdir()
            kept.write_bytes(kept.read_bytes()[:-9])
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        runs.append(
            (found.stdout.split()[0], len(list(home.iterdir())), next(home.iterdir()).stat().st_mtime_ns)
        )
    assert [run[:2] for run in runs] == [("42", 1)] * 3
    assert runs[0][2] == runs[1][2] < runs[2][2]


def test_library__is_told_from_others(home: Path) -> None:
    """A file that holds other kernels is none of these."""
    objects = native_library._Objects(b"own", b"call", ("a",))
    content = native_library._packed({"one": objects})
    assert native_library._unpacked(content, KERNELS) == {"one": objects}
    assert native_library._unpacked(content, (Kernel("two", "i", "i"),)) is None
