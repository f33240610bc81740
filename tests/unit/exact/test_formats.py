"""Formats and observations: what other programs read is the same process."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from tests.unit.exact.reading import read_pomdp, read_prism

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
    mdp.save(tmp_path / "lake.npz")
    saved = np.load(tmp_path / "lake.npz")
    sums: defaultdict[tuple[int, int], float] = defaultdict(float)
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


@pytest.mark.parametrize("name", ["CliffWalking", "Taxi"])
def test_pomdp__is_read_back_as_the_same_process(name: str, tmp_path: Path) -> None:
    """A reader of the published format finds chances that add up, and the optimal values by plain value iteration."""
    mdp = griddsl.to_mdp(f"griddsl/{name}-v0")
    mdp.save(tmp_path / "it.pomdp", discount=0.9)
    read = read_pomdp(tmp_path / "it.pomdp")
    assert read.transitions.sum(axis=2) == pytest.approx(np.ones((mdp.n_actions, mdp.n_states)))
    assert read.sights.sum(axis=2) == pytest.approx(np.ones((mdp.n_actions, mdp.n_states)))
    assert read.start == pytest.approx(mdp.initial)
    values = np.zeros(mdp.n_states)
    for _ in range(400):
        values = (read.rewards + read.discount * (read.transitions @ values)).max(axis=0)
    assert values == pytest.approx(mdp.solve(discount=0.9).values, abs=1e-9)


def test_pomdp__is_read_back_with_its_noise(tmp_path: Path) -> None:
    """The noisy sensor shows the truth three times of four, whatever was done, until the episode has ended."""
    mdp = griddsl.to_mdp(NOISY)
    mdp.save(tmp_path / "noisy.pomdp")
    read = read_pomdp(tmp_path / "noisy.pomdp")
    noisy = np.sort(read.sights[:, ~mdp.terminal], axis=2)
    assert noisy == pytest.approx(np.broadcast_to([0.25, 0.75], noisy.shape))


@pytest.mark.parametrize("name", ["CliffWalking", "FrozenLake", "Taxi"])
def test_prism__is_read_back_as_the_same_process(name: str, tmp_path: Path) -> None:
    """A reader of PRISM's explicit files finds the optimal return and chance of success from its one first state."""
    mdp = griddsl.to_mdp(f"griddsl/{name}-v0")
    mdp.save(tmp_path / "it.tra")
    read = read_prism(tmp_path / "it.tra")
    assert read.labels["end"] == set(np.flatnonzero(mdp.terminal).tolist())
    assert read.labels["success"] == set(np.flatnonzero(mdp.success).tolist())
    saved = mdp.program.layout.saved
    assert [row[:saved] for row in read.variables[: mdp.n_states]] == [state[0] for state in mdp.states]
    (first,) = read.labels["init"]
    values, wins = np.zeros(read.states), np.zeros(read.states)
    wins[list(read.labels["success"])] = 1.0
    for _ in range(3000):
        after, won = np.full(read.states, -np.inf), np.full(read.states, -np.inf)
        for (state, choice), targets in read.choices.items():
            worth = sum(
                p * (read.rewards.get((state, choice, t), 0.0) + values[t]) for t, p in targets.items()
            )
            after[state] = max(after[state], worth)
            won[state] = max(won[state], sum(p * wins[t] for t, p in targets.items()))
        moved = max(np.abs(after - values).max(), np.abs(won - wins).max())
        values, wins = after, won
        if moved < 1e-12:
            break
    assert values[first] == pytest.approx(mdp.solve().optimal_return, abs=1e-8)
    assert wins[first] == pytest.approx(mdp.solve(objective="success").optimal_return, abs=1e-8)
