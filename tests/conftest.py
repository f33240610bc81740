"""Options and fixtures that all tests share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import settings

import griddsl.lowering.lower as lowering
from griddsl.diagnostics import Report
from griddsl.program.program import Program
from griddsl.program.verify import verify
from griddsl.spec.models import GridSpec

settings.register_profile("griddsl", deadline=None)
settings.load_profile("griddsl")

SEPARATOR = "\n---\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-cases``: write what is found into the case files instead of comparing with them."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expected part of case files")
    parser.addoption("--every", type=int, default=1, metavar="N", help="of a test's cases play each Nth only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep each Nth case of every test, where ``--every N`` asks for it: on a version that is tried besides the main one."""
    every, met = config.getoption("--every"), Counter[str]()
    if every > 1:
        kept = []
        for item in items:
            name = item.nodeid.partition("[")[0]
            if met[name] % every == 0:
                kept.append(item)
            met[name] += 1
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


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
