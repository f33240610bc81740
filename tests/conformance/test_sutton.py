"""The worlds of Sutton's book and papers: what is known of them holds."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.registration.ids import bundled_folder
from tests.conformance.enumerating import Enumerated

WIND = (0, 0, 0, 1, 1, 1, 2, 2, 1, 0)
STRAIGHT = ((0, -1), (1, 0), (0, 1), (-1, 0))
KINGS = (*STRAIGHT, (1, -1), (1, 1), (-1, 1), (-1, -1))
OPTIMA = {
    "cliff_walking": 13,
    "windy_gridworld": 15,
    "windy_gridworld_kings": 7,
    "ice_sliding": 16,
    "conveyor": 9,
    "portals": 8,
    "cliff_world_tutorial": 13,
    "frozen_lake": 6,
}


def shortest(name: str, **params: Any) -> int:
    """Return the fewest steps to a success, by breadth-first search through ``set_state`` and ``step``."""
    env = griddsl.make(bundled_folder() / f"{name}.grid", **params)
    env.reset(seed=0)
    offsets, saved = env.program.layout.offsets, env.program.layout.saved
    clock = offsets.get("STEP", saved)

    def without_clock(state: tuple[int, ...]) -> tuple[int, ...]:
        return (*state[:clock], *state[clock + 1 :]) if clock < saved else state

    level = [env.get_state()]
    seen = {without_clock(level[0][0])}
    for steps in range(1, 100):
        found = []
        for state in level:
            for action in range(env.action_space.n):
                env.set_state(state)
                _, _, terminated, truncated, info = env.step(action)
                if terminated and info["is_success"]:
                    return steps
                after = env.get_state()
                if not terminated and not truncated and without_clock(after[0]) not in seen:
                    seen.add(without_clock(after[0]))
                    found.append(after)
        level = found
    raise AssertionError(f"{name} cannot be solved")


@pytest.mark.parametrize(("name", "steps"), OPTIMA.items())
def test_optimum__is_the_known_number_of_steps(name: str, steps: int) -> None:
    """The shortest way takes 15 steps in the wind and 7 with king's moves, as in the book; puzzles as designed."""
    params = {"slippery": False} if name == "frozen_lake" else {}
    assert shortest(name, **params) == steps


@pytest.mark.parametrize("gusts", [0, 1])
@pytest.mark.parametrize(("name", "moves"), [("windy_gridworld", STRAIGHT), ("windy_gridworld_kings", KINGS)])
def test_wind__blows_as_in_the_book(name: str, moves: tuple[tuple[int, int], ...], gusts: int) -> None:
    """Every cell and action lead where the book's displacement, clipped at the border, says, with its chances."""
    env = Enumerated(bundled_folder() / f"{name}.grid", gusts=gusts)
    cells = 0
    for state in env.reachable(env.cell):
        cells += 1
        x, y = env.cell(state) % 10, env.cell(state) // 10
        for action, (dx, dy) in enumerate(moves):
            winds = [WIND[x] + gust for gust in ((-1, 0, 1) if gusts and WIND[x] else (0,))]
            theirs: dict[tuple[int, bool], float] = defaultdict(float)
            for wind in winds:
                after = min(max(y + dy - wind, 0), 6) * 10 + min(max(x + dx, 0), 9)
                theirs[after, after == 37] += 1 / len(winds)
            ours: dict[tuple[int, bool], float] = defaultdict(float)
            for (later, reward, terminated, _), chance in env.outcomes(state, action).items():
                assert reward == -1
                ours[env.cell(later), terminated] += chance
            assert ours == pytest.approx(theirs, abs=1e-12), (x, y, action)
    assert cells > 50


def test_four_rooms__moves_fail_a_third_of_the_time() -> None:
    """An action goes its way with 2/3 and each other way with 1/9; walls stop it; the goal gives 1 and ends."""
    env = Enumerated(bundled_folder() / "four_rooms.grid")
    rows = [
        row.strip()
        for row in (bundled_folder() / "four_rooms.grid").read_text().split("\n")
        if row.startswith("    #")
    ]
    starts = {env.cell(state): chance for state, chance in env.starts().items()}
    floors = [y * 13 + x for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph == "."]
    assert starts == pytest.approx(dict.fromkeys(floors, 1 / 103), abs=1e-12)
    pairs = 0
    for state in env.reachable(env.cell):
        x, y = env.cell(state) % 13, env.cell(state) // 13
        for action in range(4):
            theirs: dict[tuple[int, float, bool], float] = defaultdict(float)
            for way, (dx, dy) in enumerate(STRAIGHT):
                nx, ny = (x, y) if rows[y + dy][x + dx] == "#" else (x + dx, y + dy)
                there = rows[ny][nx] == "G"
                theirs[ny * 13 + nx, float(there), there] += 2 / 3 if way == action else 1 / 9
            ours: dict[tuple[int, float, bool], float] = defaultdict(float)
            for (later, reward, terminated, _), chance in env.outcomes(state, action).items():
                ours[env.cell(later), reward, terminated] += chance
            assert ours == pytest.approx(theirs, abs=1e-12)
            pairs += 1
    assert pairs == 103 * 4


def test_random_maze__is_perfect() -> None:
    """Every two cells of a maze are joined by exactly one path: floors are one more than joints."""
    for size in (5, 9, 21):
        env = griddsl.make(bundled_folder() / "random_maze.grid", size=size)
        for seed in range(5):
            env.reset(seed=seed)
            open_cells = np.array([glyph != "#" for glyph in env.text().replace("\n", "")]).reshape(
                size, size
            )
            edges = (open_cells[:, 1:] & open_cells[:, :-1]).sum() + (open_cells[1:] & open_cells[:-1]).sum()
            assert open_cells.sum() == edges + 1
            assert open_cells[1:-1:2, 1:-1:2].all()
