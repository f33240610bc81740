"""Options and fixtures that all tests share."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

import griddsl.lowering.lower as lowering
from griddsl.diagnostics import Report
from griddsl.program.program import Program
from griddsl.program.verify import verify
from griddsl.spec.models import GridSpec
from tests.choosing import chosen, in_order

pytest_plugins = ["pytester"]

# How fast a machine is, and what else it does, is no fault of a test.
settings.register_profile("griddsl", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("griddsl")

SEPARATOR = "\n---\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-cases``: write what is found into the case files instead of comparing with them; and runs in two parts."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expected part of case files")
    parser.addoption(
        "--every", type=int, default=1, metavar="N", help="of a test's cases play about each Nth only"
    )
    parser.addoption(
        "--but-every", type=int, default=1, metavar="N", help="play all that `--every N` leaves out"
    )
    parser.addoption("--minutes", type=float, metavar="M", help="skip what is left when so much time is over")
    parser.addoption(
        "--order", metavar="TEXT", help="go through the files in an order that follows from this text"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the part of the cases that ``--every N`` or ``--but-every N`` asks for; `tests.choosing` says which."""
    every, but = config.getoption("--every"), config.getoption("--but-every")
    if every > 1 and but > 1:
        raise pytest.UsageError("--every and --but-every ask for two parts at once: give one of them")
    if every > 1 or but > 1:
        short = [item.nodeid for item in items if item.get_closest_marker("long") is None]
        part = chosen(short, max(every, but))
        kept = [item for item in items if (item.nodeid in part) == (every > 1)]
        config.hook.pytest_deselected(items=[item for item in items if (item.nodeid in part) != (every > 1)])
        items[:] = kept
    if config.getoption("--order") is not None:
        items.sort(key=lambda item: in_order(item.nodeid, config.getoption("--order")))


BEGUN = time.monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what comes when the time is up: with another `--order` other files come last."""
    minutes = item.config.getoption("--minutes")
    if minutes is not None and time.monotonic() - BEGUN > 60 * minutes:
        pytest.skip("the time is up")


def pytest_collection() -> None:
    """Collect no garbage while all modules are imported and all cases are listed: they stay to the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep what was imported and listed out of every later collection, which would go through it a third of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def proven() -> Iterator[None]:
    """Prove every program that a test compiles, once: what it claims of names, types and ranges holds."""
    lower, seen = lowering.lower, set[int]()

    def lower_and_prove(spec: GridSpec, report: Report) -> Program | None:
        program = lower(spec, report)
        if program is not None:
            key = hash((spec.source.name, spec.source.text, repr(program.metadata["params"])))
            if key not in seen:
                verify(program)
                seen.add(key)
        return program

    with patch.object(lowering, "lower", lower_and_prove):
        yield


class CaseFile:
    """A file with an input, a line ``---`` and what is expected of it."""

    def __init__(self, path: Path, update: bool) -> None:
        self.path = path
        self.update = update
        self.input, _, self.expected = path.read_text(encoding="utf-8").partition(SEPARATOR)

    def check(self, found: str) -> None:
        """Compare with what is expected, or make it the expected from now on."""
        if self.update:
            self.path.write_text(f"{self.input}{SEPARATOR}{found.rstrip()}\n", encoding="utf-8")
        else:
            assert found.rstrip() == self.expected.rstrip()


@pytest.fixture
def case_file(request: pytest.FixtureRequest) -> CaseFile:
    """The case file that the test is parametrised with, indirectly, by its path."""
    return CaseFile(request.param, request.config.getoption("--update-cases"))
