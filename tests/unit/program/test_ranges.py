"""Ranges: claims hold, and indices that native code takes for unsigned are never negative."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.program.printer import Dialect
from griddsl.program.runtime import claimed
from tests.agreement.asking import asking

SPECS = sorted((Path(griddsl.__file__).parent.parent / "specs").glob("*.grid"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_claims__hold(path: Path) -> None:
    """In play by random actions every claim holds, and indices that the ranges say are not negative are not."""
    several = len(compiled(path).program.players) > 1
    make = griddsl.make_parallel if several else griddsl.make
    with asking():
        env: Any = make(path, backend="python")
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


def test_claims__are_asked_about() -> None:
    """A checked program asks of each claim whether it holds, with its reason; others do not."""
    program = compiled(next(path for path in SPECS if path.stem == "door_key")).program
    assert "claimed(" not in program.source()
    assert "claimed(" in program.source(Dialect(checked=True))
    with pytest.raises(AssertionError, match="3 is not from 0 to 2, though it was drawn"):
        claimed(3, 0, 2, "it was drawn")


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
