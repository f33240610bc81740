"""Sokoban: level files read as they are, known solutions replayed, and Jumanji's published rules step by step."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import griddsl

SPECS = Path(__file__).parents[2] / "specs"
SPEC = SPECS / "sokoban.grid"
ACTIONS = "urdl"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
SOLUTIONS = {
    "sokoban 0 the hall": "rrrrllluurrrddlllddrrrlldldrrr",
    "sokoban 1 the bend": "urdruuuddlluululurrrllddrddluuulurrdddldrrdruu",
    "sokoban 2 the cross": "lllrdrdduruuuuldrddllurrr",
}


class Published:
    """The published rules, on a drawing: -0.1 a step, +1 and -1 for a box on and off a target, +10 when all are on."""

    def __init__(self, rows: list[str]) -> None:
        cells = {(x, y): char for y, row in enumerate(rows) for x, char in enumerate(row)}
        self.walls = {cell for cell, char in cells.items() if char == "#"}
        self.targets = {cell for cell, char in cells.items() if char == "."}
        self.boxes = {cell for cell, char in cells.items() if char == "$"}
        (self.agent,) = (cell for cell, char in cells.items() if char == "@")
        self.steps = 0

    def step(self, action: int) -> tuple[float, bool, bool]:
        """Take one step; return the reward, and whether the episode ended or was cut."""
        self.steps += 1
        before = len(self.boxes & self.targets)
        dx, dy = STEPS[action]
        ahead = (self.agent[0] + dx, self.agent[1] + dy)
        beyond = (ahead[0] + dx, ahead[1] + dy)
        if ahead in self.boxes and beyond not in self.walls | self.boxes:
            self.boxes = self.boxes - {ahead} | {beyond}
        if ahead not in self.walls | self.boxes:
            self.agent = ahead
        solved = self.boxes == self.targets
        reward = -0.1 + len(self.boxes & self.targets) - before + (10 if solved else 0)
        return reward, solved, self.steps >= 120


def drawings() -> dict[str, list[str]]:
    """Return the levels of the file, read without the library."""
    found = {}
    for block in (SPECS / "levels" / "sokoban.txt").read_text().strip().split("\n\n"):
        title, *rows = block.split("\n")
        found[f"sokoban {title.removeprefix('; ')}"] = rows
    return found


@pytest.mark.parametrize("level", SOLUTIONS)
def test_sokoban__is_solved_by_a_known_solution(level: str) -> None:
    """A solution ends the episode with success at its last move, and earns 4 + 10 - 0.1 a move."""
    env = griddsl.make(SPEC, level=level)
    env.reset(seed=0)
    total = 0.0
    for number, move in enumerate(SOLUTIONS[level], start=1):
        _, reward, terminated, truncated, info = env.step(ACTIONS.index(move))
        total += reward
        assert terminated == (number == len(SOLUTIONS[level]))
        assert not truncated
    assert info["is_success"]
    assert info["boxes_on_target"] == 4
    assert total == pytest.approx(14 - 0.1 * len(SOLUTIONS[level]))


@pytest.mark.parametrize("level", SOLUTIONS)
def test_sokoban__follows_the_published_rules_step_by_step(level: str) -> None:
    """5,000 random steps a level agree in reward, flags and both grids."""
    env, chance = griddsl.make(SPEC, level=level), random.Random(7)
    compared = 0
    while compared < 5000:
        published = Published(drawings()[level])
        env.reset(seed=compared)
        over = False
        # Half of the episodes start near a solution, so that boxes reach their targets and the end is seen.
        opening = SOLUTIONS[level][: chance.choice([0, len(SOLUTIONS[level]) - chance.randrange(8)])]
        moves = iter(opening)
        while not over:
            action = ACTIONS.index(next(moves, None) or chance.choice(ACTIONS))
            expected = published.step(action)
            observation, reward, terminated, truncated, _ = env.step(action)
            assert reward == pytest.approx(expected[0]) and (terminated, truncated) == expected[1:]
            assert_grids(observation, published)
            over = terminated or truncated
            compared += 1


def assert_grids(observation: dict[str, np.ndarray], published: Published) -> None:
    """Compare what is observed with the rules' own picture."""
    variable, fixed = np.zeros((10, 10), int), np.zeros((10, 10), int)
    for cells, grid, code in (
        (published.walls, fixed, 1),
        (published.targets, fixed, 2),
        (published.boxes, variable, 4),
        ({published.agent}, variable, 3),
    ):
        for x, y in cells:
            grid[y, x] = code
    assert np.array_equal(observation["variable"], variable)
    assert np.array_equal(observation["fixed"], fixed)
    assert observation["step"] == published.steps


def test_sokoban__reads_every_level_of_the_file() -> None:
    """The levels are those of the file, glyph by glyph, and an episode draws one of them."""
    env = griddsl.make(SPEC)
    levels = drawings()
    assert set(env.program.levels) == set(levels)
    seen = {env.reset(seed=seed)[0]["fixed"].tobytes() for seed in range(40)}
    assert len(seen) == len(levels)


def test_sokoban__reads_a_folder_of_boxoban_files(tmp_path: Path) -> None:
    """Files as Boxoban ships them, numbered by `;` lines, are levels one after the other."""
    text = SPEC.read_text().replace("levels/sokoban.txt", "levels/*.txt")
    (tmp_path / "sokoban.grid").write_text(text)
    (tmp_path / "levels").mkdir()
    rows = drawings()
    for number in range(3):
        body = "\n\n".join(f"; {index}\n" + "\n".join(level) for index, level in enumerate(rows.values()))
        (tmp_path / "levels" / f"{number:03}.txt").write_text(body + "\n")
    env = griddsl.make(tmp_path / "sokoban.grid")
    assert len(env.program.levels) == 9
    assert env.program.levels[:4] == ("000 0", "000 1", "000 2", "001 0")
