"""Formats and observations: what other programs read is the same process."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl

NOISY = """env: t/Noisy-v0
map:
    @.G
legend: G = goal
actions: left, right
observe: agent.x == 1 with chance 0.75 else agent.x == 0
each step: reward -1
on enter goal: end success
"""


def test_npz__holds_the_process(tmp_path: Path) -> None:
    """Chances of the saved transitions add up to 1 for each action of each state that goes on."""
    mdp = griddsl.to_mdp("griddsl/FrozenLake-v0")
    mdp.to_npz(tmp_path / "lake.npz")
    saved = np.load(tmp_path / "lake.npz")
    sums = defaultdict(float)
    for state, action, chance in zip(saved["state"], saved["action"], saved["chance"], strict=True):
        sums[int(state), int(action)] += float(chance)
    assert len(sums) == 11 * 4
    assert list(sums.values()) == pytest.approx([1.0] * 44)
    assert saved["terminal"].sum() == 5


def test_P__rows_add_up_to_one() -> None:
    """The sparse arrays are stochastic, ends included."""
    mdp = griddsl.to_mdp("griddsl/FrozenLake-v0")
    for matrix in mdp.P:
        assert matrix.shape == (16, 16)
        assert np.asarray(matrix.sum(axis=1)).reshape(-1) == pytest.approx(np.ones(16))


def test_prism__files_count_themselves(tmp_path: Path) -> None:
    """The heads of PRISM's files count their rows, and several starts get one state more."""
    mdp = griddsl.to_mdp("griddsl/Taxi-v0")
    files = mdp.save(tmp_path / "taxi.tra")
    assert [Path(name).suffix for name in files] == [".tra", ".sta", ".lab", ".trew"]
    states, choices, moves = map(int, (tmp_path / "taxi.tra").read_text().split("\n")[0].split())
    rows = (tmp_path / "taxi.tra").read_text().split("\n")[1:-1]
    assert (states, len(rows)) == (405, moves)
    assert len({tuple(row.split()[:2]) for row in rows}) == choices
    sums: dict[Any, float] = defaultdict(float)
    for row in rows:
        sums[tuple(row.split()[:2])] += float(row.split()[3])
    assert list(sums.values()) == pytest.approx([1.0] * choices)


def test_pomdp__has_noisy_observations(tmp_path: Path) -> None:
    """A sensor that is right three times of four gives an observation function, and hides the state."""
    mdp = griddsl.to_mdp(NOISY)
    assert mdp.observing.is_noisy and mdp.observing.hides
    mdp.save(tmp_path / "noisy.pomdp")
    lines = (tmp_path / "noisy.pomdp").read_text().split("\n")
    shares: dict[str, float] = defaultdict(float)
    for line in lines:
        if line.startswith("O: "):
            shares[line.split(" : ")[1]] += float(line.split()[-1])
    assert list(shares.values()) == pytest.approx([1.0] * mdp.n_states)
    assert "O: * : 0 : 0 0.25" in lines or "O: * : 0 : 1 0.25" in lines
