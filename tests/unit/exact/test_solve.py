"""Solving: methods agree, bounds hold, and what has no optimum is refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.exact.draws import ExactError
from griddsl.exact.solve import horizon, measure

CORRIDOR = """env: t/Corridor-v0
map:
    {row}
legend: c = coin, G = goal, H = hole
actions: left, right, stay
observe: cell
{rules}
"""


def corridor(row: str, *rules: str) -> str:
    """Return a corridor; kinds that it lacks are not in its legend."""
    text = CORRIDOR.format(row=row, rules="\n".join(rules))
    for glyph, entry in (("c", "c = coin, "), ("G", "G = goal, "), ("H", "H = hole")):
        if glyph not in row:
            text = text.replace(entry, "")
    return text.replace(", \n", "\n")


@pytest.mark.parametrize("discount", [1.0, 0.99, 0.5])
@pytest.mark.parametrize("name", ["griddsl/FrozenLake-v0", "griddsl/FourRooms-v0", "griddsl/Conveyor-v0"])
def test_methods__agree_within_their_bounds(name: str, discount: float) -> None:
    """Value, policy and modified policy iteration differ by no more than the bounds they prove."""
    mdp = griddsl.to_mdp(name)
    found = [mdp.solve(method=method, discount=discount) for method in ("value", "policy", "modified")]
    for one in found:
        assert one.error_bound < 1e-6
        for other in found:
            assert np.abs(one.values - other.values).max() <= one.error_bound + other.error_bound + 1e-12
    assert (found[0].optimal == found[1].optimal).all()


def test_policy__of_all_ties_is_the_soonest() -> None:
    """Without a cost of steps every way is optimal, and the policy still takes the shortest."""
    solution = griddsl.to_mdp(corridor("@...G", "on enter goal: reward 1, end success")).solve()
    assert solution.expected_length == pytest.approx(4)
    assert solution.optimal[:4].all()
    assert solution.soonest.sum() == 4


@pytest.mark.parametrize("steps", [0, -1, 1.5, "ten", True])
def test_horizons__are_whole_numbers(steps: Any) -> None:
    """A horizon that is none is told, and neither cut nor left aside."""
    with pytest.raises(ValueError, match=r"a horizon is a whole number from 1 on, not"):
        griddsl.to_mdp("griddsl/FrozenLake-v0").solve(horizon=steps)
    with pytest.raises(ValueError, match=r"a horizon is a whole number from 1 on, not"):
        griddsl.evaluate("random", "griddsl/FrozenLake-v0", episodes=2, horizon=steps)


def test_unbounded__is_refused() -> None:
    """A coin that pays at every visit has no optimal return, and the gain is named."""
    with pytest.raises(ExactError, match=r"no bound: reward can be collected for ever, 0\.5 a step"):
        griddsl.to_mdp(corridor("@c.G", "on enter coin: reward 1", "on enter goal: end success")).solve()


def test_unbounded__names_the_gain_where_what_is_free_takes_steps() -> None:
    """A coin that comes back by a free draw, every other time: two draws and a take, a third of it a step."""
    text = (
        "env: test/Gain-v0\nvar coin: 1 in 0..1\nmap:\n    @\nactions: take, draw\nobserve: coin\n"
        "on do take: reward coin, coin = 0\non do draw: coin = random 0..1\nlimit: 40 steps\n"
    )
    mdp = griddsl.to_mdp(text)
    with pytest.raises(ExactError, match=r"0\.333333 a step"):
        mdp.solve()
    far, near = (mdp.solve(horizon=steps).optimal_return for steps in (400, 100))
    assert (far - near) / 300 == pytest.approx(1 / 3)


def test_unsettled__is_refused() -> None:
    """Rewards that are taken back for ever add up to nothing that can be said; a discount settles them."""
    mdp = griddsl.to_mdp(
        corridor("@c.G", "on enter coin: reward 1", "on leave coin: reward -1", "on enter goal: end success")
    )
    with pytest.raises(ExactError, match="not settled"):
        mdp.solve()
    assert mdp.solve(discount=0.9).optimal_return > 0


def test_improper__costs_are_infinite() -> None:
    """Where every step costs and no end can be reached, the value is minus infinity and no policy is proper."""
    solution = griddsl.to_mdp(corridor("@.#.G", "each step: reward -1", "on enter goal: end success")).solve()
    assert solution.values[0] == -np.inf
    assert not solution.is_proper
    assert solution.expected_length == np.inf
    assert solution.success == 0


def test_staying__is_better_than_a_bad_end() -> None:
    """Where the only end costs and steps are free, staying for ever is optimal: return 0, no end."""
    solution = griddsl.to_mdp(corridor("@.H", "on enter hole: reward -5, end failure")).solve()
    assert solution.optimal_return == 0
    assert not solution.is_proper
    assert solution.optimal[0].sum() > 0


def test_horizon__is_solved_backwards() -> None:
    """With two steps for three the goal is out of reach; with three it is reached."""
    mdp = griddsl.to_mdp(corridor("@..G", "on enter goal: reward 1, end success", "limit: 3 steps"))
    assert mdp.solve(horizon=2).optimal_return == 0
    assert mdp.solve(horizon="limit").success == 1


STEADY = {
    "a reward that falls": (
        "@..G",
        "on enter goal: reward 1 - step / limit, end success",
        "limit: 400 steps",
    ),
    "a slip": (
        "@..G..H",
        "slip: 1/5 back",
        "on enter goal: end success, reward 1",
        "on enter hole: end failure",
    ),
    "nothing to reach": ("@.#.G", "each step: reward -1/8", "on enter goal: end success"),
    "a pay for ever": ("@.c", "each step if agent on coin: reward 1/4", "limit: 500 steps"),
}
LATE = corridor(
    "G@c",
    "on enter goal: reward 1, end success",
    "on enter coin: reward 2 - step / 50, end success",
    "limit: 300 steps",
)


def same(one: Any, other: Any) -> None:
    """Assert that two solutions with a horizon say the same, within what they prove."""
    assert np.abs(one.values - other.values).max() <= one.error_bound + other.error_bound
    possible = np.isfinite(other.q)
    assert np.abs(one.q[possible] - other.q[possible]).max() < 1e-9
    for part in ("optimal", "soonest", "policy", "policies"):
        assert np.array_equal(getattr(one, part), getattr(other, part)), part
    assert one.success == pytest.approx(other.success, abs=1e-12)
    assert one.expected_length == pytest.approx(other.expected_length)


@pytest.mark.parametrize("name", STEADY)
@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_horizon__is_not_played_where_nothing_is_decided(
    name: str, discount: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds in which every value goes on as it did are left out, and the answer is that of all rounds."""
    mdp = griddsl.to_mdp(corridor(*STEADY[name]), reward_of_step=True)
    found = mdp.solve(horizon=300, discount=discount)
    assert found.iterations < 300
    monkeypatch.setattr(horizon, "trend", lambda *_: None)
    slowly = mdp.solve(horizon=300, discount=discount)
    assert slowly.iterations == 300
    same(found, slowly)


def test_horizon__is_played_until_all_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reward that is worth less at the end is the better one before, however long the other was best."""
    mdp = griddsl.to_mdp(LATE, reward_of_step=True)
    found = mdp.solve(horizon="limit")
    assert found.optimal_return == pytest.approx(2 - 1 / 50)
    start = int(np.argmax(mdp.initial))
    assert len({*found.policies[:49, start].tolist()}) == 1
    assert found.policies[60, start] != found.policies[40, start]
    monkeypatch.setattr(horizon, "trend", lambda *_: None)
    same(found, mdp.solve(horizon="limit"))


def test_success__is_an_objective() -> None:
    """The likeliest success may be another policy than the best return: here the return prefers to fail at once."""
    text = corridor(
        "H@..G", "each step: reward -1", "on enter hole: end failure", "on enter goal: end success"
    )
    mdp = griddsl.to_mdp(text)
    assert mdp.solve().success == 0
    assert mdp.solve(objective="success").success == 1


def test_evaluation__exact_and_simulated_agree() -> None:
    """The exact value of the random and of the optimal policy lies within the simulation's error bars."""
    for policy in ("random", "optimal"):
        found = griddsl.evaluate(policy, "griddsl/FrozenLake-v0", episodes=600, seed=1)
        assert found.returns is not None and found.success is not None and found.length is not None
        assert found.simulated_returns.agrees(found.returns)
        assert found.simulated_success.agrees(found.success)
        assert found.simulated_length.agrees(found.length)
    assert found.regret == pytest.approx(0, abs=1e-12)


def test_evaluation__takes_functions_and_tables() -> None:
    """A function of the observation and the same choices as an array over states have the same regret."""
    mdp = griddsl.to_mdp("griddsl/CliffWalking-v0")

    def along_the_top(cell: int) -> int:
        x, y = cell % 12, cell // 12
        return 0 if x == 0 and y > 0 else 2 if x == 11 else 1

    table = np.array([along_the_top(cell) for cell in mdp.agent_cells])
    by_function = griddsl.evaluate(along_the_top, "griddsl/CliffWalking-v0", episodes=2)
    by_table = griddsl.evaluate(table, "griddsl/CliffWalking-v0", episodes=2)
    assert by_function.returns == by_table.returns == by_table.simulated_returns.mean == -17
    assert by_function.regret == pytest.approx(4)


def test_evaluation__counts_rewards_of_the_step() -> None:
    """Where rewards speak of the step, the exact return is that of the process whose states count the step."""
    text = corridor("@..G", "on enter goal: reward 1 - 0.9 * step / limit, end success", "limit: 9 steps")
    mdp = griddsl.to_mdp(text)
    uniform = np.full((mdp.n_states, mdp.n_actions), 1 / mdp.n_actions)
    found = griddsl.evaluate("random", text, episodes=10)
    assert found.returns == pytest.approx(measure(mdp, uniform).returns, abs=1e-12)


def test_evaluation__only_plays_what_sees_noise() -> None:
    """A function that sees noise has no one action a state: it is simulated, and why it is not exact is said."""
    text = corridor("@..G", "on enter goal: reward 1, end success", "limit: 9 steps")
    noisy = text.replace("observe: cell", "observe: agent.x == 1 with chance 0.75 else agent.x == 0")
    found = griddsl.evaluate(lambda seen: 1, noisy, episodes=3)
    assert found.returns is None and found.regret is None
    assert "noise" in str(found.why_not_exact)
    assert found.simulated_returns.mean == 1


@pytest.mark.parametrize("discount", ["x", None, 2, float("nan")])
def test_solve__refuses_what_is_no_discount(discount: Any) -> None:
    """A discount is a number from 0 to 1."""
    with pytest.raises(ExactError, match="a discount is from 0 to 1"):
        griddsl.to_mdp("griddsl/CliffWalking-v0").solve(discount=discount)
