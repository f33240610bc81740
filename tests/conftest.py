"""Options and fixtures that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("griddsl", deadline=None)
settings.load_profile("griddsl")

SEPARATOR = "\n---\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-cases``: write what is found into the case files instead of comparing with them."""
    parser.addoption("--update-cases", action="store_true", help="rewrite the expected part of case files")


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
