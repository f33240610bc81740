"""Every bundled spec, for the tests that hold for all of them; and those that one agent plays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from griddsl.compiler import compiled
from griddsl.registration.ids import bundled_folder

FILES = sorted(bundled_folder().glob("*.grid"))
assert len(FILES) >= 13
# What tests of every spec for one agent leave out, unless `GRIDDSL_TESTS=whole` asks for all: of BabyAI's levels, which
# say with one library what differs in its instructions, each fourth is played, and of MinAtar's games with all actions
# none, as they are played with the fewest. Their own tests, the definition and the checker play all of them.
IS_WHOLE = os.environ.get("GRIDDSL_TESTS") == "whole"
BABY = [path for path in FILES if path.stem.startswith("baby_")]
LEFT_OUT = {path for number, path in enumerate(BABY) if number % 4} | {
    path for path in FILES if path.stem.startswith("minatar_") and path.stem.endswith("_v0")
}
PLAYED = [path for path in FILES if IS_WHOLE or path not in LEFT_OUT]


def is_for_one(path: Path) -> bool:
    """Whether one agent plays a spec, so that it is an environment of Gymnasium."""
    return "\nagents:" not in path.read_text(encoding="utf-8") or len(compiled(path).program.players) == 1


SINGLE = [path for path in PLAYED if is_for_one(path)]
every_spec = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
every_single = pytest.mark.parametrize("path", SINGLE, ids=lambda path: path.stem)


def same(first: Any, second: Any) -> bool:
    """Whether two observations or infos are equal, arrays by their values and types."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if hasattr(first, "dtype"):
        return bool(first.dtype == second.dtype and first.shape == second.shape and (first == second).all())
    return type(first) is type(second) and bool(first == second)


def spec_id_of(path: Path) -> str:
    """Return the id that a spec registers."""
    first = path.read_text(encoding="utf-8").split("\n")[0]
    return first.partition(":")[2].split("#")[0].strip()
