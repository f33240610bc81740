"""Ranges: indices that native code takes for unsigned are never negative."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.backends import python
from griddsl.compiler import compiled
from griddsl.program.printer import Dialect

SPECS = sorted((Path(griddsl.__file__).parent.parent / "specs").glob("*.grid"))


def checked(index: int) -> int:
    """Stand for the unsigned index of native code."""
    assert index >= 0
    return index


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_unsigned_indices__are_not_negative(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every index that the ranges say is not negative is not, in play by random actions."""
    monkeypatch.setattr(python, "Dialect", partial(Dialect, unsigned=True))
    monkeypatch.setitem(python.RUNTIME, "u", checked)
    several = len(compiled(path).program.players) > 1
    env: Any = (
        griddsl.make_parallel(path, backend="python") if several else griddsl.make(path, backend="python")
    )
    env.reset(seed=1)
    over = False
    for number in range(400):
        if over:
            env.reset(seed=number)
        if several:
            env.step({name: env.action_space(name).sample() for name in env.agents})
            over = not env.agents
        else:
            _, _, ended, cut, _ = env.step(env.action_space.sample())
            over = ended or cut


def test_unsigned_indices__are_many() -> None:
    """Most look-ups are known not to be negative."""
    source = compiled(SPECS[0]).program.source(Dialect(unsigned=True))
    assert source.count("[u(") > 5


def test_appending_without_branches__needs_room_for_one_more() -> None:
    """What a creature may go to is appended in native code whatever it is; candidates, which may fill their slot, not."""
    path = next(path for path in SPECS if path.stem == "predator_prey")
    plain, native = (compiled(path).program.source(Dialect(unsigned=unsigned)) for unsigned in (False, True))
    assert "found = found + ((cell >= 0) &" in native
    assert "found = found + (" not in plain
    for source in (plain, native):
        assert "candidates = candidates + 1" in source
