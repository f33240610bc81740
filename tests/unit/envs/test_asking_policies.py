"""Asking policies: with masks for those that take them, and with a word for an answer that is no action."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.playing.policies import as_policy, let_play
from griddsl.playing.session import Session

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


class Batched:
    """A policy as that of Stable-Baselines3, which answers for a batch of one."""

    def predict(self, observation: Any, deterministic: bool = True) -> tuple[Any, None]:
        """Return the second action."""
        return np.array([[1]]), None


class Bare:
    """An object whose `predict` is another one."""

    def predict(self, observation: Any) -> Any:
        """Return an action alone."""
        return 1


class Alone:
    """An object whose `predict` returns no state."""

    def predict(self, observation: Any, deterministic: bool = True) -> Any:
        """Return an action alone."""
        return np.array([1])


def _evaluated(policy: Any, path: Path) -> Any:
    return griddsl.evaluate(policy, path, episodes=2)


def _watched(policy: Any, path: Path) -> Any:
    session = Session(path, seed=1)
    let_play(session, dict.fromkeys(session.players, policy))
    while not session.moment.is_over:
        session.act_by_itself()
    return session


def _faced(policy: Any, path: Path) -> Any:
    env = griddsl.make(path, policies={"foe": policy})
    env.reset(seed=0)
    while True:
        _, _, ended, cut, _ = env.step(1)
        if ended or cut:
            return env


# What an agent for one and the others in a game are given by: one contract, whoever asks.
ASKING = {"evaluate": _evaluated, "a session": _watched, "make": _faced}
DOES = [Batched(), lambda seen: np.array([0.0, 0.2, 0.8]), lambda seen: np.int64(1), lambda seen: [2]]
DOES_NOT = [
    (lambda seen: 0.5, "answers 0.5, and an action here is one of Discrete(3)"),
    (lambda seen: "left", "answers 'left', and an action"),
    (lambda seen: 7, "answers 7, and an action"),
    (lambda seen: None, "answers None, and an action"),
    (lambda seen: [[0], [1, 2]], "answers '[[0], [1, 2]]', and an action"),
    (lambda seen: [float("nan"), 0.8, 0.2], "gives chances of 3 actions that are no chances"),
    (Bare(), "the `predict` of a policy is `predict(self, observation, deterministic=True)`"),
    (Alone(), "and returns an action and a state, `action, None`; it returned ndarray"),
]


def _path(door: str, folder: Path) -> Path:
    text = DUEL.replace("allow stay: self.x < 0\n", "")
    if door != "make":
        text = text.replace("agents: walker, foe\n", "").replace(
            "A = walker, B = foe", "A = agent, B = floor"
        )
        text = text.replace("position of self", "cell")
    path = folder / "duel.grid"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("door", ASKING)
def test_answers__are_taken_alike_wherever_a_policy_is_asked(door: str, tmp_path: Path) -> None:
    """A number, chances of all actions, a batch of one: all are an action; what is none is refused in words."""
    path = _path(door, tmp_path)
    for policy in DOES:
        ASKING[door](policy, path)
    for policy, said in DOES_NOT:
        with pytest.raises(ValueError, match=re.escape(said)):
            ASKING[door](policy, path)


def test_chances__are_drawn_from() -> None:
    """An action of chance 0 is never played, and the others are."""
    policy = as_policy(lambda seen: np.array([0.0, 0.5, 0.0, 0.5]))
    drawn = {tuple(policy(0, [[True, True], [True, True]])) for _ in range(50)}
    assert drawn == {(0, 1), (1, 1)}


def test_run__moves_a_joystick_as_its_policy_says(tmp_path: Path) -> None:
    """What lies outside of the space counts as its edge."""
    path = tmp_path / "stick.grid"
    path.write_text(
        "env: tests/Stick-v0\ngenerate: empty(3, 1)\nsetup: place agent at (0, 0)\n"
        "actions: joystick 4\nobserve: cell\nwhen agent.x == 2: end success\nlimit: 9 steps\n",
        encoding="utf-8",
    )
    (tmp_path / "mine.py").write_text("def right(seen):\n    return [2.0, 0.1]\n", encoding="utf-8")
    given = ["run", str(path), "--view", "text", "--policy", f"{tmp_path / 'mine.py'}:right"]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0 and "success" in found.output, found.output


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


WALK = """env: test/Walk-v0
map:
    @.G
legend: G = goal
actions: left, right
observe: cell
on enter goal: reward 1, end success
limit: 9 steps
"""


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ([9, 1, 1], "a policy gives 9 in state 0, which is no action: they go from 0 to 1"),
        ([0.5, 1, 1], "a policy gives 0.5 in state 0"),
        (np.zeros((3, 2)), r"a policy gives \[0. 0.\] in state 0, which are no chances"),
        (np.full((3, 2), np.nan), "which are no chances: they sum to 1"),
        (["a", "b", "c"], "a policy over states holds numbers"),
    ],
)
def test_policies_over_states__are_actions_or_chances(policy: Any, said: str) -> None:
    """What is neither is refused before anything is reckoned with it; what stands at an end is never asked."""
    with pytest.raises(ValueError, match=said):
        griddsl.evaluate(policy, WALK)
    assert griddsl.evaluate([1.0, 1.0, 9.0], WALK).returns == pytest.approx(1)


@pytest.mark.parametrize("given", [None, 3, "x", (1, 2), [1]])
def test_states_of_a_process__are_told_from_what_is_none(given: Any) -> None:
    """A state is found by what `get_state` gives, and told in words by its number."""
    process = griddsl.to_mdp(WALK)
    with pytest.raises(TypeError, match="a state is what `get_state` gives"):
        process.index(given)
    with (
        pytest.raises(ValueError, match="a state is a whole number from 0 to 2")
        if given != 3
        else nullcontext()
    ):
        process.describe(given if given != 3 else 2)


def test_levels_of_a_batch__are_names() -> None:
    """A number is no level, of one environment and of many."""
    for batch in (griddsl.make_vec(WALK, num_envs=2), griddsl.make(WALK)):
        with pytest.raises(ValueError, match="there is no level 1"):
            batch.reset(options={"level": 1})


def test_rewards_of_a_model__are_of_a_state() -> None:
    """What is no state is told as everywhere else."""
    with pytest.raises(TypeError, match="a model asks for a `ModelState`, not NoneType"):
        griddsl.make_model(WALK).reward(None, {"agent": 0})  # type: ignore[arg-type]
