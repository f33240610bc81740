"""Programs that ask while they run: whether each claim holds, and that no unsigned index is negative."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from griddsl.backends.python import emit as python
from griddsl.program.printer import Dialect
from griddsl.program.runtime import claimed


def unsigned(index: int) -> int:
    """Stand for the unsigned index of native code."""
    assert index >= 0, f"an index is {index}"
    return index


@contextmanager
def asking() -> Iterator[None]:
    """Let the Python programs that are made meanwhile ask."""
    dialect = partial(Dialect, checked=True, unsigned=True)
    with (
        patch.object(python, "Dialect", dialect),
        patch.dict(python.RUNTIME, {"u": unsigned, "claimed": claimed}),
    ):
        yield
