"""What a run of these tests leaves behind: rows of the page of conformance, where they are asked for."""

from __future__ import annotations

import pytest

from tests.conformance.conformance_rows import write


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the rows that tests noted."""
    write(session.config)
