"""The native search: what it finds is what Python finds, number for number and fraction for fraction."""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import pytest

from griddsl.compiler import compiled
from griddsl.exact.draws import ExactError
from griddsl.exact.enumerate import Enumeration, enumerate_states
from griddsl.registration.ids import bundled_folder

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
COLUMNS = (
    "outcome",
    "initial",
    "setup_failure",
    "source",
    "action",
    "target",
    "chance",
    "reward",
    "slope",
    "chances",
    "legal",
    "fired",
)

HEAD = """env: t/Native-v0
map:
    @...
    .k.G
legend: G = goal, k = coin
object coin: portable, state in new | old
actions: up, right, down, left
observe: cell
tile goal:
"""
SPECS = {
    "drawn and weighted": ["setup:", "    choose n in 1 0.2 | 2 0.3 | 3 0.5", "slip: 1/3 left, 1/7 back"],
    "sums over several denominators": ["on do left with chance 1/7: cancel", "slip: 1/3 right"],
    "a chance as a real number": ["sticky: 0.1", "each coin with chance exp(-0.5): coin becomes old"],
    "a phase": ["every 3 steps: reward 0.1", "slip: 1/4 left"],
    "a reward of the step": [
        "on leave floor: reward 0.25",
        "on enter goal: reward 1 - 0.9 * step / limit",
        "on enter coin: reward = 2 + step * 0.3 - (1 - step) / 7",
        "slip: 1/3 right",
        "limit: 20 steps",
    ],
    "the whole step": ["when step > 5 with chance 1/3: reward 1", "limit: 9 steps"],
    "real numbers that are saved": ["each step: reward lowest(distance(agent, coin) * 0.1)"],
    "a cut": ["var n: 0 in 0..6", "on bump edge: n += 1", "when n == 6: truncate"],
    "a mask": ["allow up: agent.x > 0"],
    "a setup that can fail": [
        "setup:",
        "    choose n in 0 0.25 | 2 0.5 | 7 0.25",
        "    place agent at random floor where x >= n",
        "    if n == 0: place goal at random floor where x < 2",
    ],
}


def both(program: Any, **options: Any) -> tuple[Enumeration, Enumeration]:
    """Return what Python and what the native search finds."""
    return (
        enumerate_states(program, backend="python", **options),
        enumerate_states(program, backend="native", **options),
    )


def assert_same(python: Enumeration, native: Enumeration) -> None:
    """Compare two enumerations, bit for bit."""
    assert (python.backend, native.backend) == ("python", "native")
    assert list(python.states) == list(native.states)
    for column in COLUMNS:
        assert getattr(python, column) == getattr(native, column), column


@needs_numba
@pytest.mark.parametrize("name", SPECS)
def test_native__finds_what_python_finds(name: str) -> None:
    """States, ends, transitions, rewards, exact chances, masks and fired rules are the same, in the same order."""
    program = compiled(HEAD + "\n".join([*SPECS[name], "on enter goal: end success"]) + "\n").program
    assert_same(*both(program, traced=True, reward_of_step=True))


@needs_numba
@pytest.mark.parametrize("name", ["taxi", "frozen_lake", "safe_interruptibility"])
def test_native__finds_what_python_finds_in_bundled_specs(name: str) -> None:
    """So it is for specs that ship with griddsl."""
    assert_same(*both(compiled(bundled_folder() / f"{name}.grid").program))


@needs_numba
def test_native__goes_on_where_python_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is handed over in its midst finds the same as one that is not."""
    program = compiled(bundled_folder() / "taxi.grid").program
    monkeypatch.setattr("griddsl.exact.enumerate.HAND_OVER", 700)
    monkeypatch.setattr("griddsl.exact.native.search.AT_ONCE", 500)
    told: list[tuple[int, ...]] = []
    handed = enumerate_states(program, progress=lambda *counts: told.append(counts))
    assert_same(enumerate_states(program, backend="python"), handed)
    assert told[-1] == (404, 404, 2400)
    assert len(told) > 3 and told == sorted(told)


@needs_numba
def test_native__grows_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no room for the outcomes of one state, or for the chances, more is made."""
    monkeypatch.setattr("griddsl.exact.native.search.ROOM", 8)
    monkeypatch.setattr("griddsl.exact.native.search.AT_ONCE", 5)
    program = compiled(HEAD + "slip: 1/3 left, 1/7 back, 1/9 right\nsticky: 0.3\n").program
    assert_same(*both(program))


@needs_numba
def test_native__refuses_what_python_refuses() -> None:
    """Beyond the bound the words are the same, and so are the counts in them."""
    program = compiled(bundled_folder() / "taxi.grid").program
    said = []
    for backend in ("python", "native"):
        with pytest.raises(ExactError, match="more than 100 states") as error:
            enumerate_states(program, most_states=100, backend=backend)
        said.append((str(error.value), error.value.help))
    assert said[0] == said[1]


@needs_numba
def test_native__finds_a_million_transitions_a_second() -> None:
    """A slippery lake of 150 x 150 cells takes less than a second of the processor for a million transitions."""
    size = 150
    rows = ["".join("H" if (7 * x + 13 * y) % 17 == 5 else "." for x in range(size)) for y in range(size)]
    rows[0] = "@" + rows[0][1:]
    text = "\n    ".join(["env: t/Lake-v0\nmap:", *rows[:-1], rows[-1][:-1] + "G"]) + (
        "\nlegend: G = goal, H = hole\nactions: left, down, right, up\nslip: 1/3 left, 1/3 right\nobserve: cell\n"
        "on enter goal: reward 1, end success\non enter hole: end failure\n"
    )
    program = compiled(text).program
    rates = []
    for _ in range(4):  # the first makes the code
        started = time.process_time()
        found = enumerate_states(program, backend="native")
        rates.append(len(found.source) / (time.process_time() - started))
    assert len(found.source) > 200_000
    assert max(rates) > 1_000_000


def test_backend__must_exist() -> None:
    """A backend that there is not is refused, with the names of those there are."""
    with pytest.raises(ValueError, match="choose one of auto, python, native"):
        enumerate_states(compiled(HEAD).program, backend="table")


@pytest.mark.skipif(find_spec("numba") is not None, reason="numba is installed")
def test_native__says_what_to_install() -> None:
    """Without numba it is refused where it is asked for, and `auto` goes without."""
    program = compiled(HEAD).program
    with pytest.raises(ValueError, match=r"pip install 'griddsl\[fast\]'"):
        enumerate_states(program, backend="native")
    assert enumerate_states(program).backend == "python"
