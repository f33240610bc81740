"""What agents see, in the pictures of environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl

VIEWS = """env: t/Views-v0
agents: ann, bob
agent ann:
agent bob:
map:
    A.......
    ........
    .......B
legend: A = ann, B = bob
actions: left, right, up, down
observe: view 3x3 centered
contested: share
limit: 9
"""


def _lit(env: Any) -> set[tuple[int, int]]:
    dimmed = env.highlighted(env.scene()).dimmed
    return {(x, y) for y, x in np.argwhere(~dimmed).tolist()}


def test_highlight__lights_what_minigrid_lights() -> None:
    """Cells are lit exactly where MiniGrid's own rule of sight reaches, in a hundred states."""
    pytest.importorskip("minigrid", reason="minigrid is not installed")
    from minigrid.core.grid import Grid
    from minigrid.core.world_object import Door, Wall

    env = griddsl.make("griddsl/DoorKey-v0", highlight=True)
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    checked = 0
    for _ in range(100):
        _, _, terminated, truncated, _ = env.step(int(rng.integers(7)))
        if terminated or truncated:
            env.reset()
        scene, offsets = env.scene(), env.program.layout.offsets
        grid = Grid(scene.width, scene.height)
        for cell, stack in enumerate(scene.cells):
            y, x = divmod(cell, scene.width)
            found = {sprite.kind: sprite for sprite in stack}
            if "wall" in found:
                grid.set(x, y, Wall())
            elif "door" in found:
                grid.set(x, y, Door("yellow", is_open=found["door"].state == "open"))
        state = env.get_state()[0]
        y, x = divmod(state[offsets["AGENT_CELL"]], scene.width)
        facing = state[offsets["FACING"]]
        ahead, right = [(1, 0), (0, 1), (-1, 0), (0, -1)][facing], [(0, 1), (-1, 0), (0, -1), (1, 0)][facing]
        left, top = {0: (x, y - 3), 1: (x - 3, y), 2: (x - 6, y - 3), 3: (x - 3, y - 6)}[facing]
        part = grid.slice(left, top, 7, 7)
        for _ in range(facing + 1):
            part = part.rotate_left()
        mask = part.process_vis(agent_pos=(3, 6))
        expected = set()
        for j in range(7):
            for i in range(7):
                a = x + ahead[0] * (6 - j) + right[0] * (i - 3)
                b = y + ahead[1] * (6 - j) + right[1] * (i - 3)
                if mask[i, j] and 0 <= a < scene.width and 0 <= b < scene.height:
                    expected.add((a, b))
        assert _lit(env) == expected
        checked += 1
    assert checked == 100


@pytest.mark.parametrize("backend", ["table", "native"])
def test_highlight__is_what_is_seen_now_whatever_steps(backend: str) -> None:
    """Not what was seen when the state was last set; and a look leaves the stream where it was."""
    if backend == "native":
        pytest.importorskip("numba", reason="numba is not installed")
    spec = """env: t/Torch-v0
map:
    ......
    .#..#.
    @.....
actions: left, right, up, down
slip: 1/10 left, 1/10 right
observe: view 3x3 centered
limit: 30 steps
"""
    slow, fast = (griddsl.make(spec, highlight=True, backend=each) for each in ("python", backend))
    slow.reset(seed=1)
    fast.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(60):
        action = int(rng.integers(4))
        one, two = slow.step(action), fast.step(action)
        assert _lit(fast) == _lit(slow)
        assert fast.get_state() == slow.get_state()
        if one[2] or one[3] or two[3]:
            slow.reset()
            fast.reset()


def test_highlight__of_several_is_what_any_of_them_sees() -> None:
    """Two agents light what is around each."""
    game = griddsl.make_parallel(VIEWS, highlight=True)
    game.reset(seed=0)
    assert _lit(game) == {(0, 0), (1, 0), (0, 1), (1, 1), (6, 1), (7, 1), (6, 2), (7, 2)}


def test_highlight__is_in_pictures_where_it_is_asked_for() -> None:
    """By default frames show all alike; with it they are darker; without a view it changes nothing; it is yes or no."""
    plain, lit = griddsl.make("griddsl/DoorKey-v0"), griddsl.make("griddsl/DoorKey-v0", highlight=True)
    for env in (plain, lit):
        env.reset(seed=1)
    assert plain.render().astype(int).sum() > lit.render().astype(int).sum()
    lake, same = griddsl.make("griddsl/FrozenLake-v0"), griddsl.make("griddsl/FrozenLake-v0", highlight=True)
    for env in (lake, same):
        env.reset(seed=1)
    assert (lake.render() == same.render()).all()
    with pytest.raises(TypeError, match="highlight"):
        griddsl.make("griddsl/DoorKey-v0", highlight="yes")


def test_picture__two_agents_in_one_cell_are_both_seen() -> None:
    """Agents that share a cell stand side by side, in pictures, in SVG and in the two columns of a terminal."""
    from griddsl.render.ansi import to_ansi
    from griddsl.render.raster import draw_stack
    from griddsl.render.svg import to_svg

    text = VIEWS.replace("B\n", ".\n").replace("A.......\n    ........", "AB......\n    ........")
    game = griddsl.make_parallel(text.replace("agent bob:", "agent bob:\nlook bob: color blue"))
    game.reset(seed=0)
    game.step({"ann": 1, "bob": 2})
    [stack] = [stack for stack in game.scene().cells if len(stack) > 2]
    ann, bob = stack[-2:]
    assert (ann.kind, bob.kind) == ("ann", "bob") and (ann.place, bob.place) == ((0, 2), (1, 2))
    tile = draw_stack(stack, 64).astype(int)
    for sprite in (ann, bob):
        near = np.abs(tile - np.array(sprite.color)).sum(axis=2) < 12
        assert near.sum() > 150
        assert np.argwhere(near)[:, 1].mean() < 32 if sprite is ann else np.argwhere(near)[:, 1].mean() > 32
    assert to_svg(game.scene()) and len(to_ansi(game.scene(), color=False).splitlines()) == 3
