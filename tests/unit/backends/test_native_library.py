"""Libraries of machine code: compiled once, loaded without numba, safe under several processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from griddsl.backends.native import library as native_library
from griddsl.backends.native.library import is_installed, library
from griddsl.backends.native.module import Kernel, Text
from griddsl.program.runtime import SetupFailure

pytestmark = pytest.mark.skipif(not is_installed(), reason="numba is not installed")

SPEC = """
env: test/Line-v0
map:
    @...G
legend: G = flag
tile flag:
actions: left, right
observe: {observed}
each step: reward -1
when agent on flag: end success
limit: 30 steps
"""
TEXT = Text(
    "tests",
    '''
import numpy as np

from griddsl.backends.native.kernels import view_of
from griddsl.program.runtime import SetupFailure


def mixed(n, values, out):
    """Double the values; say how many there are, their mean, and whether one is negative."""
    row = view_of(values, n, np.int32)
    total, negative = 0, False
    for k in range(n):
        negative |= row[k] < 0
        total += row[k]
        row[k] *= 2
    view_of(out, 3, np.int64)[0] = n
    view_of(out, 3, np.float64)[1] = total / n
    view_of(out, 3, np.int64)[2] = negative


def nothing(a, b, out):
    """Give nothing."""


def failing(code, out):
    """Fail, or not."""
    if code == 1:
        raise SetupFailure("retries", 3, 4, "what")
    if code == 2:
        raise ValueError
    view_of(out, 1, np.int64)[0] = code


def greedy(n, out):
    """Take memory, which is numba's to give."""
    view_of(out, 1, np.int64)[0] = np.arange(n).sum()
''',
)
KERNELS = (
    Kernel("mixed", "ia", "ifb"),
    Kernel("nothing", "ii", "", keeps_lock=True),
    Kernel("failing", "i", "i"),
    Kernel("greedy", "i", "i"),
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("GRIDDSL_CACHE", str(tmp_path))
    return tmp_path


def run(code: str, **more: str) -> str:
    """Return what a process of its own prints."""
    given = {**os.environ, **more}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=given
    ).stdout


@pytest.fixture(params=["object files", "numba"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each of the ways in which kernels are run: from object files, and by numba where these cannot be loaded."""
    monkeypatch.setenv("GRIDDSL_OBJECT_FILES", "1" if request.param == "object files" else "0")
    library.cache_clear()
    yield request.param
    library.cache_clear()


@pytest.mark.usefixtures("way")
def test_kernel__takes_and_gives_what_it_says() -> None:
    """Numbers, numpy's too, and arrays; one value, several, or none."""
    kernels = library(TEXT, KERNELS).kernels
    values = np.array([1, -2, 4, 5], np.int32)
    found = kernels["mixed"](4, values)
    assert found == (4, 2.0, True)
    assert [type(part) for part in found] == [int, float, bool]
    assert values.tolist() == [2, -4, 8, 10]
    assert kernels["mixed"](np.int64(2), values[2:]) == (2, 9.0, False)
    assert kernels["nothing"](1, -1) == ()
    assert kernels["failing"](-1) == -1


@pytest.mark.usefixtures("way")
def test_failure__is_raised_with_what_it_says() -> None:
    """The class and the arguments that the text has; what is no number is refused before anything is done."""
    failing = library(TEXT, KERNELS).kernels["failing"]
    with pytest.raises(SetupFailure) as caught:
        failing(1)
    assert (caught.value.code, caught.value.message, caught.value.start, caught.value.end) == (
        "retries",
        "what",
        3,
        4,
    )
    with pytest.raises(ValueError, match=r"^$"):
        failing(2)
    with pytest.raises(TypeError):
        failing("one")
    with pytest.raises(OverflowError):
        failing(2**70)
    assert failing(5) == 5


def test_object_files_that_cannot_be_loaded__are_told_of_and_numba_runs_them(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A loader that refuses costs a warning with its reason, and what the kernel gives is the same."""

    def refusing(*given: object) -> None:
        raise RuntimeError("no such relocation")

    monkeypatch.setenv("GRIDDSL_OBJECT_FILES", "1")
    monkeypatch.setattr(native_library, "_load", refusing)
    library.cache_clear()
    with caplog.at_level("WARNING", "griddsl"):
        kernels = library(TEXT, KERNELS[:1]).kernels
    library.cache_clear()
    assert kernels["mixed"](2, np.array([1, 3], np.int32)) == (2, 2.0, False)
    assert caplog.messages == ["tests: its machine code cannot be loaded (no such relocation); numba runs it"]


@pytest.mark.parametrize(
    ("platform", "wanted", "loads"),
    [
        ("linux", None, True),
        ("win32", None, False),
        ("darwin", None, False),
        ("darwin", "1", True),
        ("linux", "0", False),
    ],
)
def test_object_files__are_loaded_where_that_was_tried(
    platform: str, wanted: str | None, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Linux, and elsewhere only where somebody asks for it."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("GRIDDSL_OBJECT_FILES", raising=False)
    if wanted is not None:
        monkeypatch.setenv("GRIDDSL_OBJECT_FILES", wanted)
    assert native_library.loads_objects() is loads


def test_kernels__run_side_by_side_in_threads() -> None:
    """A kernel lets go of the lock; its results are its own."""
    mixed, found = library(TEXT, KERNELS).kernels["mixed"], []

    def work(number: int) -> None:
        for _ in range(200):
            found.append((number, mixed(1000, np.full(1000, number, np.int32))[1]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800
    assert all(number == mean for number, mean in found)


def test_second_process__does_without_numba(cache: Path) -> None:
    """One environment, a batch and a batch on tables: compiled by the first process, loaded by the second."""
    native, tabled = cache / "native.grid", cache / "tabled.grid"
    native.write_text(SPEC.format(observed="view 3x3 as planes"))
    tabled.write_text(SPEC.format(observed="cell"))
    code = f"""
import sys, numpy as np, griddsl
env = griddsl.make({str(native)!r}, backend="native")
env.reset(seed=1)
print([env.step(action)[0].tolist() for action in (1, 1, 0, 1)])
for path, backend in (({str(native)!r}, "native"), ({str(tabled)!r}, "table")):
    batch = griddsl.make_vec(path, 3, backend=backend)
    batch.reset(seed=1)
    print([batch.step(np.array([1, 0, 1]))[1].tolist() for _ in range(20)])
print("numba" in sys.modules)
"""
    first, second = run(code).splitlines(), run(code).splitlines()
    assert first[-1] == "True"
    assert second == [*first[:-1], "False"]


def test_memory_is_numbas__and_is_found_in_a_fresh_process(cache: Path) -> None:
    """A kernel that asks numba's runtime for something gets it, at the price of importing numba."""
    assert library(TEXT, KERNELS).kernels["greedy"](10) == 45
    here = Path(__file__).parent
    code = (
        f"import sys; sys.path.insert(0, {str(here)!r}); from test_native_library import *;"
        "print(library(TEXT, KERNELS).kernels['greedy'](1000))"
    )
    assert [run(code) for _ in range(2)] == ["499500\n"] * 2


def test_processes_that_start_together__leave_one_library(cache: Path) -> None:
    """Each gets its answer, and no draft stays."""
    path = cache / "line.grid"
    path.write_text(SPEC.format(observed="view 3x3"))
    code = (
        f"import griddsl; e = griddsl.make({str(path)!r}, backend='native'); print(e.reset(seed=0)[0].sum())"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    found = {process.communicate()[0] for process in started}
    assert len(found) == 1
    assert all(process.returncode == 0 for process in started)
    assert [entry.name[:15] for entry in cache.iterdir() if "native" in entry.name] == ["griddsl_native_"]


def test_numba_switched_off__is_said(cache: Path) -> None:
    """`NUMBA_DISABLE_JIT` leaves Python; who asks for native code is told why there is none."""
    path = cache / "line.grid"
    path.write_text(SPEC.format(observed="view 3x3"))
    code = f"""
import griddsl
print(griddsl.make({str(path)!r}).backend)
try:
    griddsl.make({str(path)!r}, backend="native")
except ValueError as error:
    print(error)
"""
    backend, said = run(code, NUMBA_DISABLE_JIT="1").splitlines()
    assert backend in {"python", "table"}
    assert "NUMBA_DISABLE_JIT is set" in said


def test_compiling__is_told_of_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who watches is told whose code is compiled, and when that is over; nothing is told of what is loaded."""
    told: list[str] = []

    @contextmanager
    def watcher(title: str) -> Iterator[None]:
        told.append(f"{title} begins")
        yield
        told.append("and ends")

    monkeypatch.setattr(native_library, "_watchers", [])
    native_library.on_compiling(watcher)
    for _ in range(2):
        library.cache_clear()
        library(TEXT, KERNELS[1:2])
    assert told == ["tests begins", "and ends"]


def test_failed_compile__leaves_nothing(cache: Path) -> None:
    """What numba cannot compile is an error, and no draft of it stays."""
    with pytest.raises(Exception, match="nothing_such"):
        library(Text("broken", "def broken(n, out):\n    nothing_such(n)\n"), (Kernel("broken", "i", ""),))
    assert list(cache.iterdir()) == []


def test_compiling__is_told_of_where_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who waits hears what for, and what starts at once; who does not wait hears nothing."""
    monkeypatch.setattr(native_library, "PATIENCE", 0.01)
    with native_library.told_when_long("mine/Long-v0"):
        threading.Event().wait(0.3)
    assert [record.getMessage()[:32] for record in caplog.records] == ["mine/Long-v0: compiling machine "]
    caplog.clear()
    monkeypatch.setattr(native_library, "PATIENCE", 60)
    with native_library.told_when_long("mine/Short-v0"):
        pass
    assert not caplog.records
