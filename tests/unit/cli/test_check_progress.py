"""How far `check` is: shown on a terminal, file by file and variant by variant, and nowhere else."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from griddsl.cli import progress as showing
from griddsl.cli.app import app

TEXT = """env: t/Many-v0
param n: 3 in 1..9
variant t/Many-Four-v0: n = 4
variant t/Many-Five-v0: n = 5
map:
    @..G
legend: G = goal
actions: left, right
observe: cell
each step: reward -n
on enter goal: end success
limit: 50 steps
"""


class Terminal(io.StringIO):
    """Standard error as a terminal, or as a pipe."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._is_terminal


def told(
    paths: list[Path], is_terminal: bool, monkeypatch: pytest.MonkeyPatch, *options: str, verb: str = "check"
) -> str:
    """Return what a verb writes to standard error."""
    errors = Terminal(is_terminal)
    monkeypatch.setattr("sys.stderr", errors)
    monkeypatch.setattr(showing, "SECONDS_BETWEEN", 0)
    app([verb, *options, *map(str, paths)], standalone_mode=False)
    return errors.getvalue()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two specs with two variants each."""
    found = [tmp_path / "one.grid", tmp_path / "two.grid"]
    for path in found:
        path.write_text(TEXT.replace("Many", path.stem.title()), encoding="utf-8")
    return found


def test_check__shows_how_far_it_is(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal each file and each variant is named while it is checked, and the line is taken away."""
    shown = told(files, True, monkeypatch)
    said = ["1 of 2 files: one", "variant 1 of 2: t/One-Four-v0", "variant 2 of 2", "2 of 2 files: two"]
    places = [shown.index(f"checking {each}") for each in said]
    assert places == sorted(places)
    bars = [line.count("█") for line in shown.split("\r")[1:-1]]
    assert bars == sorted(bars) and len(bars) == 6
    assert shown.split("\r")[-1].startswith("\x1b[K2 files checked")


def test_check__shows_the_variants_of_an_exact_check(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it does where all states are visited."""
    assert "checking variant 2 of 2: t/One-Five-v0" in told(files[:1], True, monkeypatch, "--exact")


def test_check__says_nothing_of_it_in_a_pipe(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error that is no terminal has the summary alone."""
    assert "checking" not in told(files, False, monkeypatch)


def test_solve__says_at_once_that_it_looks_for_states(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal something is shown before the first state is found, and then by the clock, not by their number."""
    monkeypatch.setattr("griddsl.exact.enumerate.SECONDS_BETWEEN_REPORTS", -1)
    shown = told(files[:1], True, monkeypatch, verb="solve")
    assert "looking for the states that episodes start in" in shown
    assert "1 of " in shown and "2 of " in shown


def test_solve__tells_a_pipe_in_lines_that_grow_rare(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long is told in lines where there is no terminal, each after twice the time of the last."""
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr("griddsl.cli.progress.time.monotonic", lambda: float(next(clock)))
    monkeypatch.setattr("griddsl.exact.enumerate.REPORT_EVERY", 1)
    lines = told(files[:1], False, monkeypatch, verb="solve").splitlines()
    after = [int(line.split()[1]) for line in lines if line.startswith("after ")]
    assert len(after) > 2 and all(each >= 20 * 2**i for i, each in enumerate(after))
    assert "states found so far" in "".join(lines)
