"""What an engine does with tables in folders of Parquet files: each call writes into a folder that is empty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from griddsl.exact.disk.expansion import Expansion

AT_ONCE = 1 << 16  # states that are expanded together


class Engine(Protocol):
    """The operations of the dataflow.

    States are ``(id, key, end)``, successors ``(source, action, key, end, chance, reward, slope)``, transitions the
    same with ``target``, the number of a state, instead of its key and its end.
    """

    def expand(self, states: Path, to: Path, expansion: Expansion) -> None:
        """Write the successors of those states in which episodes go on."""

    def fresh(self, successors: Path, before: Sequence[Path], to: Path, first: int) -> int:
        """Write the states among the successors that are none of those before, numbered from ``first``; count them."""

    def join(self, successors: Sequence[Path], states: Sequence[Path], to: Path) -> None:
        """Write the transitions of all successors, ordered by source and action."""

    def rows(self, folder: Path) -> int:
        """Return how many rows a table has."""
