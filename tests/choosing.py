"""Which cases of a long suite a short run plays: each Nth, the same ones every time, of every test not marked `long`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from zlib import crc32

SPECS = frozenset(path.stem for path in (Path(__file__).parents[1] / "specs").glob("*.grid"))
_PARTS = re.compile(r"[^\w]+")


def chosen(names: Sequence[str], every: int) -> set[str]:
    """Return of tests' names, as in ``file::test[case]``, about each ``every``th case.

    What is chosen follows from a case's own name, so that a new case changes nothing for the others; each test takes
    other cases than the next, so that together they meet far more of them than one does. Every test has at least one,
    and every bundled spec that names a case is in at least one.
    """
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        cases[name.partition("[")[0]].append(name)
    found: set[str] = set()
    for test, its in cases.items():
        turn = crc32(test.encode()) % every
        taken = [name for name in its if crc32(_case(name).encode()) % every == turn]
        found.update(taken or [min(its, key=_rank)])
    met = {spec for name in found for spec in _specs(name)}
    missed: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        for spec in _specs(name):
            if spec not in met:
                missed[spec].append(name)
    return found | {min(its, key=_rank) for its in missed.values()}


def in_order(name: str, order: str) -> int:
    """Return the place of a test's file among all files, in an order that follows from a text; cases of a file stay together."""
    return crc32(f"{order} {name.partition('::')[0]}".encode())


def _case(name: str) -> str:
    return name.partition("[")[2].removesuffix("]")


def _rank(name: str) -> tuple[int, str]:
    return crc32(name.encode()), name


def _specs(name: str) -> Iterable[str]:
    return SPECS.intersection(_PARTS.split(_case(name)))
