"""Infos that are made when somebody looks at them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.envs.batch.lazy_infos import LazyInfos

ENTRIES = {"outcome": ["success"], "_outcome": [True]}
LOOKS: list[Callable[[Any], Any]] = [
    dict,
    copy.copy,
    copy.deepcopy,
    lambda infos: {**infos},
    lambda infos: {} | infos,
    lambda infos: infos | {},
    lambda infos: dict(infos.items()),
    lambda infos: {key: infos[key] for key in infos},
    lambda infos: infos.copy(),
    lambda infos: pickle.loads(pickle.dumps(infos)),
    lambda infos: (lambda **given: given)(**infos),
    lambda infos: {key: infos.pop(key) for key in list(infos)},
]


def lazy() -> tuple[LazyInfos, list[int]]:
    """Return infos, and how often they were made."""
    made: list[int] = []

    def make() -> dict[str, Any]:
        made.append(1)
        return copy.deepcopy(ENTRIES)

    return LazyInfos(make), made


@pytest.mark.parametrize("look", LOOKS)
def test_lazy_infos__are_a_dict_to_all_who_look(look: Callable[[Any], Any]) -> None:
    """Whoever reads or copies them finds all entries."""
    infos, _ = lazy()
    assert isinstance(infos, dict)
    assert look(infos) == ENTRIES


def test_lazy_infos__are_made_once_and_only_when_looked_at() -> None:
    """Nothing is made before the first look, and nothing twice."""
    infos, made = lazy()
    assert made == []
    assert "outcome" in infos and infos and len(infos) == 2 and infos == ENTRIES
    assert made == [1]


def test_lazy_infos__keep_what_is_written() -> None:
    """What a wrapper adds joins what is made."""
    infos, _ = lazy()
    infos["episode"] = 3
    assert infos == {**ENTRIES, "episode": 3}
    infos, _ = lazy()
    infos |= {"outcome": []}
    assert infos["outcome"] == [] and len(infos) == 2


def test_grid_vector_env__infos_tell_of_their_own_step() -> None:
    """Infos that are looked at later tell of the step that returned them."""
    first, second = (griddsl.make_vec("griddsl/FrozenLake-v0", 32) for _ in range(2))
    rng = np.random.default_rng(0)
    first.reset(seed=0)
    second.reset(seed=0)
    kept, told = [], []
    for _ in range(60):
        actions = rng.integers(0, 4, 32)
        kept.append(first.step(actions)[4])
        told.append(copy.deepcopy(second.step(actions)[4]))
    assert any(told)
    for lazy_infos, infos in zip(kept, told, strict=True):
        assert sorted(lazy_infos) == sorted(infos)
        for key, values in infos.items():
            assert lazy_infos[key].tolist() == values.tolist()
