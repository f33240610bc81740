"""Asking policies: with masks for those that take them, and with a word for an answer that is no action."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.playing.policies import as_policy

WAY = """
env: tests/Way-v0
generate: empty(4, 1)
setup: place agent at (0, 0)
actions: left, right
allow left: agent.x > 1
observe: cell
each step: reward agent.x
limit: 8 steps
"""
DUEL = """
env: tests/Duel-v0
agents: walker, foe
map:
    A..B
legend: A = walker, B = foe
actions: stay, left, right
allow stay: self.x < 0
observe: position of self
limit: 4 steps
"""


class Masked:
    """A policy as that of `MaskablePPO`: of what is allowed, the first action."""

    def predict(
        self, observation: Any, deterministic: bool = True, action_masks: Any = None
    ) -> tuple[Any, None]:
        """Return the first action that is allowed."""
        assert action_masks.dtype == np.bool_
        return action_masks.argmax(-1), None


def first_allowed(observation: Any, mask: Any) -> int:
    """Return the first action that is allowed."""
    return int(mask.argmax())


def closed(observation: Any, number: int = 1) -> int:
    """Return what is bound to a name, which is no mask."""
    return number


@pytest.mark.parametrize("policy", [Masked(), first_allowed])
def test_masks__are_given_to_who_takes_them(policy: Any) -> None:
    """Exactly, in simulation and in a session, the mask is that of the state: right, right, left, right, left."""
    found = griddsl.evaluate(policy, WAY, episodes=1)
    assert found.returns == found.simulated_returns.mean == 1 + 2 + 1 + 2 + 1 + 2 + 1 + 2
    assert griddsl.evaluate(policy, WAY, episodes=1, max_states=1).simulated_returns.mean == found.returns
    assert as_policy(policy)(0, [[False, True]]) == [1]


def test_masks__are_not_given_to_others() -> None:
    """A second parameter with a value of its own is no mask."""
    assert griddsl.evaluate(closed, WAY, episodes=1).returns == 1 + 2 + 3 * 6
    assert as_policy(closed)(0, [[True, False]]) == [1]


def test_others_in_a_game__are_given_their_masks() -> None:
    """The policy that plays another agent sees what that one may do."""
    seen: list[list[bool]] = []

    def foe(observation: Any, mask: Any) -> int:
        seen.append(mask.tolist())
        return 1

    env = griddsl.make(DUEL, policies={"foe": foe})
    env.reset(seed=0)
    env.step(1)
    assert seen == [[False, True, True]]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [(2, "2"), (-1, "-1"), (0.5, "0.5"), ("left", "'left'"), ([0, 1], r"\[0, 1\]"), (None, "None")],
)
@pytest.mark.parametrize("max_states", [1, 100])
def test_an_answer_that_is_no_action__is_told(answer: Any, shown: str, max_states: int) -> None:
    """A number beyond the actions, a part of one, a word, several, nothing: each is refused in a sentence."""
    with pytest.raises(ValueError, match=f"a policy answers {shown}, and an action here is one of Discrete"):
        griddsl.evaluate(lambda seen: answer, WAY, episodes=1, max_states=max_states)


@pytest.mark.parametrize("max_states", [1, 100])
def test_chances_that_are_none__are_told(max_states: int) -> None:
    """Chances come to one."""
    with pytest.raises(ValueError, match="that are no chances"):
        griddsl.evaluate(lambda seen: np.array([0.5, 0.6]), WAY, episodes=1, max_states=max_states)
