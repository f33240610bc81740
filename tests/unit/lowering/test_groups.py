"""Groups of actions: one action of each is taken in a step, and the moves of a group follow those of the one before."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from tests.playing import NATIVE, completed
from tests.reference.beside import assert_plays_as_defined
from tests.unit.lowering.test_several import Several

BACKENDS = ("python", NATIVE)
HURDLES = """
object hurdle: solid
map:
    @h.h.
    .....
legend: h = hurdle
actions: up, down, rest = stay
actions run: walk = right, jump = move east 1 through hurdle
"""
TWO_GROUPS = """
agents: red, blue
tile hole:
map:
    1....o
    ..2..o
    ......
legend: 1 = red, 2 = blue, o = hole
actions: up, down, stay
actions across: left, right, wait = stay
"""


@pytest.mark.parametrize("backend", ["python", "table", NATIVE])
def test_through__is_that_of_the_action_that_moves(backend: str) -> None:
    """A jump of the second group passes a hurdle; a walk beside it does not."""
    env: Any = griddsl.make(completed(HURDLES), backend=backend)
    env.reset(seed=0)
    assert [int(env.step(action)[0]) for action in ([2, 0], [2, 1], [2, 0], [1, 1])] == [0, 1, 2, 8]


def test_through__is_no_affair_of_agents_that_play_by_themselves() -> None:
    """An agent with a policy of its own passes no hurdle, though the first action of the others does."""
    text = """
agents: red, guard
agent guard: moves patrol
object hurdle: solid
map:
    1....
    2h...
legend: 1 = red, 2 = guard, h = hurdle
actions: jump = move east 1 through hurdle, up
info: at = guard.x
on bump hurdle: reward 1
"""
    env: Any = griddsl.make(completed(text))
    env.reset(seed=0)
    assert [env.step(action)[4]["at"] for action in (0, 1, 0)] == [0, 0, 0]
    assert_plays_as_defined(completed(text))


class InTwoGroups(Several):
    """A game whose agents take an action of each of two groups."""

    def do_both(self, *joint: tuple[int, int]) -> InTwoGroups:
        """Take a step."""
        actions = dict(zip(self.env.agents, map(list, joint), strict=True))
        self.seen, self.rewards, self.ended, self.cut, self.infos = self.env.step(actions)
        return self


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("turns", ["simultaneous", "in_order"])
def test_groups__both_move(backend: str, turns: str) -> None:
    """Who goes down by one group and right by the other does both."""
    game = InTwoGroups(f"{TWO_GROUPS}turns: {turns}", backend=backend)
    seen = game.do_both((1, 1), (0, 0)).seen
    assert [int(cell) for cell in seen.values()] == [7, 1]


def test_groups__are_contested_one_after_the_other() -> None:
    """Two that want one cell by their first groups stay there, and then move by their second."""
    game = InTwoGroups(TWO_GROUPS.replace("1....o\n    ..2..o\n    ......", "1....o\n    ......\n    2....o"))
    assert game.do_both((1, 1), (0, 1)).places == [(1, 0), (1, 2)]


@pytest.mark.parametrize("turns", ["simultaneous", "in_order"])
def test_groups__nobody_moves_on_after_an_end_or_once_out(turns: str) -> None:
    """An agent whose first move takes it out, or ends the game, does not make its second."""
    drawn = TWO_GROUPS.replace("1....o\n    ..2..o", "1.....\n    o.2...")
    game = InTwoGroups(f"{drawn}turns: {turns}\non enter hole: out")
    assert game.do_both((1, 1), (2, 2)).places[0] == (0, 1)
    game = InTwoGroups(f"{drawn}turns: {turns}\non enter hole: end")
    assert game.do_both((1, 1), (2, 2)).places == [(0, 1), (2, 1)]


@pytest.mark.parametrize("turns", ["simultaneous", "in_order", "random_order", "alternate"])
def test_groups__play_as_the_reference_says(turns: str) -> None:
    """Moves of both groups, far ones, through hurdles, on ice, in the wind, with slips, beside one who plays alone."""
    text = f"""
agents: red, blue, guard
agent guard: moves random
object box: pushable
object hurdle: solid
tile gust: drift north 0 | 1
tile ice: slide
tile hole:
map:
    1..i.h.
    ..gb.h.
    ..2i.b.
    .g.3..o
legend: 1 = red, 2 = blue, 3 = guard, b = box, h = hurdle, g = gust, i = ice, o = hole
actions: up, down, hop = move south 2 through box, stay
actions across: left, leap = move east 2 through hurdle with chance 0.7, wait = stay
slip: 0.1 left, 0.1 right
turns: {turns}
contested: random
observe: grid
on bump box: reward 0.1
on bump hurdle: reward -0.1
on enter hole: out
on enter ice with chance 0.05: end
on push box: reward 1
limit: 60 steps
"""
    assert_plays_as_defined(completed(text), steps=120, seeds=(0, 1, 2))
