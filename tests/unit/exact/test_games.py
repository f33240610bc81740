"""Games of several: what play reaches is there, and the optimum is that of a search of its own through the model."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.envs.model.simulator import ModelState
from griddsl.exact.draws import ExactError
from griddsl.exact.process import need_an_optimum

RACE = """
env: t/Race-v0
agents: red, blue
map:
    1...
    2...
legend: 1 = red, 2 = blue
actions: right, left
rewards: {rewards}
slip: 1/4 back
observe: cell
each step: reward -1
{end}
limit: 20 steps
"""
TOGETHER = RACE.format(rewards="shared", end="when red.x == 3 and blue.x == 3: reward 10 to red, end success")
APART = RACE.format(rewards="own", end="when red.x == 3: reward 5 to red, end success")
AGAINST = RACE.replace("each step: reward -1\n", "").format(
    rewards="zero_sum", end="when red.x == 3: reward 5 to red, reward -5 to blue, end over"
)
LEAVING = """
env: t/Leaving-v0
agents: red, blue
map:
    1.X
    2.X
legend: 1 = red, 2 = blue, X = exit
tile exit:
actions: right, left
observe: cell
on enter exit: reward 1, out
limit: 9 steps
"""
STONES = """
env: t/Stones-v0
agents: red, blue
map:
    12
legend: 1 = red, 2 = blue
var n: {stones} in -1..9
actions: one = stay, two = stay
turns: alternate
rewards: zero_sum
observe: n
on do one:
    n -= 1
    if n <= 0: reward 1 to self, reward -1 to other, end over
on do two with chance 2/3:
    n -= 2
    if n <= 0: reward -1 to self, reward 1 to other, end over
"""
ROUND = STONES.format(stones=5).replace("    n -= 1\n", "    n = min(9, n + 1)\n")


def joint_actions(model: Any, state: ModelState) -> list[dict[str, int]]:
    """Return what the agents whose part goes on can do: one of them where they take turns."""
    turn = model.turn(state)
    names = state.agents if turn is None else (turn,)
    counts = [range(int(model.action_spaces[name].n)) for name in names]
    return [dict(zip(names, each, strict=True)) for each in itertools.product(*counts)]


@pytest.mark.parametrize("text", [TOGETHER, APART, AGAINST, LEAVING, STONES.format(stones=5)])
def test_process__has_what_play_reaches(text: str) -> None:
    """Each joint step that is played is a transition of the process, with the rewards of all agents."""
    mdp, model = griddsl.to_mdp(text), griddsl.make_model(text)
    totals = np.bincount(mdp.row, weights=mdp.chance, minlength=mdp.n_states * mdp.n_actions)
    assert np.allclose(totals.reshape(mdp.n_states, -1)[~mdp.terminal], 1)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(20):
        state = model.sample_initial_state(rng)
        assert mdp.initial[mdp.index(state)] > 0
        for _ in range(8):
            possible = joint_actions(model, state)
            actions = possible[int(rng.integers(len(possible)))]
            turn, numbers = model.turn(state), [actions.get(name, 0) for name in mdp.agents]
            chosen = actions[turn] if turn else 2 * numbers[0] + numbers[1]
            step = model.step(state, actions, rng)
            if not step.all_done:
                chances = model.transition(state, actions)[step.state]
                number = mdp.index(step.state)
                ways = [way for way in mdp.outcomes(mdp.index(state), chosen) if way[1] == number]
                assert sum(way[0] for way in ways) == chances
            expected = model.reward(state, actions)
            for place, name in enumerate(mdp.agents):
                paid = mdp.rewards_of_agents[place, mdp.index(state), chosen]
                assert paid == pytest.approx(expected.get(name, 0.0))
            if step.all_done:
                ended += 1
                break
            state = step.state
    assert ended or text in {TOGETHER, AGAINST, APART}


def test_states__are_no_more_than_can_be_reached() -> None:
    """Two agents that leave by themselves: nine pairs of places, and the one end when both are out."""
    mdp = griddsl.to_mdp(LEAVING)
    assert mdp.n_states == 3 * 3 and int(mdp.terminal.sum()) == 1
    assert {mdp.outcome(int(state)) for state in np.flatnonzero(mdp.terminal)} == {"out"}


def best(model: Any, state: ModelState, steps: int, sign: float) -> float:
    """Return what the first agent gets of so many steps; the second, where it moves, wants the least."""

    @cache
    def value(state: ModelState, left: int) -> float:
        if not left or not state.agents:
            return 0.0
        found: list[float] = []
        for actions in joint_actions(model, state):
            later = sum(
                float(p) * value(after, left - 1) for after, p in model.transition(state, actions).items()
            )
            found.append(model.reward(state, actions)["red"] + later)
        return min(found) if sign < 0 and model.turn(state) == "blue" else max(found)

    return value(state, steps)


def test_common_rewards__have_a_joint_optimum() -> None:
    """Where all get the same, the optimum is over what they do together."""
    mdp, model = griddsl.to_mdp(TOGETHER), griddsl.make_model(TOGETHER)
    assert mdp.interests == "common" and mdp.action_names[1] == "right+left"
    (state,) = model.initial_belief()
    found = mdp.solve(horizon=6)
    assert found.optimal_return == pytest.approx(best(model, state, 6, 1.0))
    assert mdp.solve().is_proper


@pytest.mark.parametrize("stones", [3, 4, 5])
def test_opposed_turns__have_a_value(stones: int) -> None:
    """Of two that take turns, where one gets what the other loses, each does what is best for it."""
    text = STONES.format(stones=stones).replace(" with chance 2/3", "")
    mdp, model = griddsl.to_mdp(text), griddsl.make_model(text)
    assert mdp.interests == "opposed" and mdp.action_names == ("one", "two")
    (state,) = model.initial_belief()
    assert mdp.solve().optimal_return == best(model, state, 12, -1.0)
    lucky = griddsl.to_mdp(STONES.format(stones=stones))
    model = griddsl.make_model(STONES.format(stones=stones))
    assert lucky.solve(horizon=9).optimal_return == pytest.approx(best(model, state, 9, -1.0))
    assert lucky.solve(discount=0.9).error_bound < 1e-8


def test_no_optimum__is_said_with_its_reason() -> None:
    """Different rewards, opposed agents that act at once, and play that goes round are refused; states are there."""
    with pytest.raises(ExactError, match="red and blue get different rewards, so no policy is best for all"):
        griddsl.to_mdp(APART).solve()
    assert griddsl.to_mdp(APART).solve(objective="success").success > 0.99
    with pytest.raises(ExactError, match="act at once and one gets what the other loses"):
        griddsl.to_mdp(AGAINST).solve()
    with pytest.raises(ExactError, match="can go round for ever"):
        griddsl.to_mdp(ROUND).solve()
    with pytest.raises(ExactError, match="each of several agents sees its own"):
        _ = griddsl.to_mdp(APART).observing
    with pytest.raises(ValueError, match="several agents play it"):
        griddsl.to_mdp(APART, backend="native")


def test_no_optimum_by_form__is_said_before_states_are_visited() -> None:
    """Of three whose rewards cancel, and of two that act at once, the program tells that no policy is best."""
    three = AGAINST.replace("red, blue", "red, blue, green").replace("    2...", "    2...\n    3...")
    three = three.replace("2 = blue", "2 = blue, 3 = green")
    for text, said in ((three, "red and blue and green get what the others lose"), (AGAINST, "act at once")):
        with pytest.raises(ExactError, match=said):
            need_an_optimum(compiled(text).program)
    for text in (TOGETHER, APART, STONES.format(stones=3)):
        need_an_optimum(compiled(text).program)


NIM = """
env: exact/Nim-v0
agents: a, b
var heap: {heap} in 0..9
map:
    ab
legend: a = a, b = b
actions: take(n in 1..2 where n <= heap)
turns: alternate
rewards: zero_sum
on do take:
    heap -= n
    if heap == 0: reward 1, end over
observe: heap
limit: none
"""


@pytest.mark.parametrize("heap", [3, 4, 6, 7])
def test_legal_play__has_a_last_step_where_illegal_actions_pass(heap: int) -> None:
    """Whoever takes the last stone wins: the first does, but for heaps of threes; illegal actions go round for ever."""
    mdp = griddsl.to_mdp(NIM.format(heap=heap))
    assert mdp.solve(legal_only=True).optimal_return == (-1 if heap % 3 == 0 else 1)
    with pytest.raises(ExactError, match="by illegal actions") as error:
        mdp.solve()
    assert "legal_only=True" in str(error.value.help if hasattr(error.value, "help") else error.value)


def test_check__looks_at_games_too() -> None:
    """What no joint play reaches is told, proved by visiting all states."""
    from griddsl.exact.check.analysis import check_exactly

    found, analysis = check_exactly(LEAVING + "when red.x > 0 and red.y == 1: end lost\n")
    assert {diagnostic.code for diagnostic in found} == {"unreachable-end", "never-fires"}
    assert analysis is not None and len(analysis.random_returns) == 2


PIG = """
env: test/Pig-v0
agents: ann, bob
agent: score in 0..5, pot in 0..5
map:
    ab
legend: a = ann, b = bob
turns: alternate
rewards: zero_sum
actions: roll, hold
allow hold: self.pot > 0
on do roll:
    choose die in 1..3
    if die == 1: self.pot = 0
    else: self.pot += die, again
on do hold:
    self.score += self.pot
    self.pot = 0
    if self.score == 5: reward 1, end
observe: self.score
limit: none
"""


@pytest.mark.parametrize("discount", [0.9, 0.9999, 0.999999, 0.99999999])
def test_a_discount_near_one__is_done_where_the_values_stand_still(discount: float) -> None:
    """However many steps would be needed to be sure of the last one: the bound says what is proved."""
    mdp = griddsl.to_mdp(PIG)
    solution = mdp.solve(discount=discount, legal_only=True)
    assert solution.iterations < 200
    exact = mdp.solve(discount=discount, legal_only=True, horizon=3000)
    assert abs(solution.optimal_return - exact.optimal_return) <= solution.error_bound + 1e-9
    assert solution.error_bound < 1e-6
