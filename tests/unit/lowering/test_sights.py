"""Sights: what light reaches in a view, and what is painted thing by thing, beside plain ways to the same."""

from __future__ import annotations

from collections.abc import Callable

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.lowering.sight.cells import showing
from tests.playing import problems
from tests.typed import is_a

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
WIDTH, HEIGHT, VIEW = 11, 9, 7


def lit(walls: set[tuple[int, int]], x: int, y: int, facing: int) -> list[list[bool]]:
    """Return what light reaches in a view ahead: the rule as the language reference tells it, cell by cell."""
    up_x, up_y = STEPS[facing]
    shown = [[False] * VIEW for _ in range(VIEW)]

    def is_clear(row: int, column: int) -> bool:
        up, right = VIEW - 1 - row, column - VIEW // 2
        place = x + up * up_x - right * up_y, y + up * up_y + right * up_x
        return 0 <= place[0] < WIDTH and 0 <= place[1] < HEIGHT and place not in walls

    shown[VIEW - 1][VIEW // 2] = True
    for row in range(VIEW - 1, -1, -1):
        changed = True
        while changed:
            changed = False
            for column in range(VIEW):
                if shown[row][column] and is_clear(row, column):
                    for near in {column - 1, column + 1} & {*range(VIEW)}:
                        changed |= not shown[row][near]
                        shown[row][near] = True
        for column in range(VIEW if row else 0):
            if shown[row][column] and is_clear(row, column):
                for near in {column - 1, column, column + 1} & {*range(VIEW)}:
                    shown[row - 1][near] = True
    return shown


@pytest.mark.parametrize("seed", range(12))
def test_light__reaches_what_the_rule_says(seed: int) -> None:
    """Random walls, places and facings: what is hidden is what no lit cell passes light to."""
    rng = np.random.default_rng(seed)
    ground = rng.random((HEIGHT, WIDTH)) < (0.15 + 0.4 * (seed % 3) / 2)
    ground[0, 0] = False
    drawing = "".join(f"    {''.join('#' if wall else '.' for wall in row)}\n" for row in ground)
    env = griddsl.make(
        f"env: t/Light-v0\nmap:\n{drawing}setup: place agent(facing=random) at random floor\n"
        "actions: turn_left, forward\nlimit: 9 steps\n"
        "observe:\n    here = cell\n    way = facing\n    sight = view 7x7 ahead occluded\n"
    )
    walls = {(int(x), int(y)) for y, x in np.argwhere(ground)}
    hidden = int(is_a(gym.spaces.Box, is_a(gym.spaces.Dict, env.observation_space)["sight"]).high.flat[0])
    for start in range(25):
        found, _ = env.reset(seed=start)
        expected = lit(walls, found["here"] % WIDTH, found["here"] // WIDTH, found["way"])
        assert ((found["sight"] != hidden) == np.array(expected)).all()


THINGS = """
env: t/Things-v0
tile gate: state in open | shut
object rug: layer carpet, color in red | blue
object box: pushable, color in red | blue
object ball: portable
agents: red, blue * 2
map:
    1..o..#.
    .bB.~...
    .oG.r.2.
    ..g.R..2
legend: 1 = red, 2 = blue, b = box(color=red), B = box(color=blue), o = ball, r = rug(color=red), R = rug(color=blue)
legend: g = gate(state=open), G = gate(state=shut), "~" = water
setup:
    place ball at random floor
    place rug(color=blue) at every floor with chance 0.2
actions: up, right, down, left, turn_left, forward, pickup, drop
on enter water: out
on leave gate with chance 0.5: gate becomes shut
limit: 40 steps
"""
FORMS = [
    "{sight} as codes (wall 1, water 2, gate(state=open) 3, rug 4, box(color=red) 5, ball 6, box 7, red 8, agent 9)",
    "{sight} as codes (box 5, box(color=blue) 4, rug(color=red) 3, red 2)",
    "{sight} as planes (wall, gate(state=shut), box(color=red), rug, ball, red, blue, agent)",
    "{sight} as planes (box)",
]


@pytest.mark.parametrize("sight", ["grid", "view 5x5 centered", "view ahead 3 behind 1 aside 2"])
@pytest.mark.parametrize("form", FORMS)
def test_painted_sights__show_what_is_in_each_cell(
    form: str, sight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Things painted one by one and cells asked one by one give the same, as things move, are carried and leave."""
    text = f"{THINGS}observe: {form.format(sight=sight)}\n"
    asked: list[bool] = []

    def told(answer: bool) -> Callable[..., bool]:
        def tell(*_: object) -> bool:
            asked.append(answer)
            return answer

        return tell

    envs = []
    for answer in (True, False):
        monkeypatch.setattr(showing, "is_worth_painting", told(answer))
        envs.append(griddsl.make_parallel(text, backend="python"))
    painted, plain = envs
    assert asked and painted.program.source() != plain.program.source()
    rng = np.random.default_rng(4)
    for seed in range(6):
        shown = [env.reset(seed=seed)[0] for env in envs]
        while painted.agents:
            for name in painted.agents:
                np.testing.assert_array_equal(shown[0][name], shown[1][name])
            joint = {name: int(rng.integers(8)) for name in painted.agents}
            shown = [env.step(joint)[0] for env in envs]
            assert painted.agents == plain.agents


SEEMING = """
tile ice:
tile thin_ice:
map:
    @it.
legend: i = ice, t = thin_ice
actions: left, right
observe:
    board = ?
    thin_ice seen as ice
on enter thin_ice: end
on enter ice: reward 1
"""


@pytest.mark.parametrize(
    ("form", "is_seen"),
    [
        ("grid", True),
        ("view 3x3 as codes (ice 1)", True),
        ("grid as planes", True),
        ("grid as minigrid", False),
        ("pixels 4", False),
        ("cell", False),
        ("grid as kinds with chance 0.5 else grid as kinds", True),
    ],
)
def test_seen_as__is_refused_where_nothing_shows_it(form: str, is_seen: bool) -> None:
    """What seems to be another kind is shown in kinds, codes and planes; where no item has those it is an error."""
    found = [problem.code for problem in problems(SEEMING.replace("?", form)) if problem.is_error]
    assert found == ([] if is_seen else ["wrong-place"])
