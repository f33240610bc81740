"""Pairs of cells: looked up on small maps, computed on large ones, and the same on both."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from griddsl.lowering.clauses import functions
from griddsl.lowering.sight.cells import painting, sights

SPEC = """
env: test/Pairs-v0
object gem:
object ghost: solid
    moves away from gem avoiding agent if any gem within 2 of self else toward agent
generate: empty({width}, {height})
setup:
    place agent at random floor
    place 2 gem at random floor
    place 3 ghost at random free
actions: left, right, up, down, pickup = stay
on enter gem: remove gem, reward 1
observe:
    sight = view 5x3 centered as codes (floor 0, wall 1, agent 2, gem 3, ghost 4)
    whole = view 3x7 as planes (gem, ghost)
info:
    far = sum(distance(agent, gem) for gem)
    near = min(9, sum(chebyshev(ghost, agent) for ghost))
limit: 40 steps
"""


def trail(text: str) -> list[Any]:
    """Return all that episodes show."""
    env, found = griddsl.make(text, backend="python"), list[Any]()
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        over = False
        while not over:
            found.append(({name: part.tolist() for name, part in observation.items()}, info, env.get_state()))
            observation, reward, ended, cut, info = env.step(env.action_space.sample())
            found.append(reward)
            over = ended or cut
    return found


@pytest.mark.parametrize("size", [(7, 5), (16, 8), (1, 9), (9, 1)])
def test_tables__say_what_arithmetic_says(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Distances, nearest things, movers and views, at the border and beyond it: the same episodes."""
    text = SPEC.format(width=size[0], height=size[1])
    source = griddsl.make(text).program.source()
    assert "DISTANCE[" in source
    assert "PLACE__3__5" in source
    looked_up = trail(text)
    for room in (functions, painting):
        monkeypatch.setattr(room, "are_tabled", lambda world: False)
    monkeypatch.setattr(sights, "MOST_GROUND", 0)
    assert "DISTANCE[" not in griddsl.make(text).program.source()
    assert trail(text) == looked_up


def test_large_maps__have_no_tables_of_pairs() -> None:
    """On more than 128 cells the tables would be more than a processor has at hand."""
    source = griddsl.make(SPEC.format(width=43, height=3)).program.source()
    assert "DISTANCE[" not in source
    assert "PLACE__3__5" not in source
