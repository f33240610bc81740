"""What a policy is worth from each state, beside numbers that textbooks print."""

from __future__ import annotations

import numpy as np
import pytest

import griddsl
from griddsl.exact.draws import ExactError

# Sutton and Barto, Reinforcement Learning (second edition), example 3.5 and figure 3.2.
BONUS = """
env: test/Bonus-v0
map:
    @....
    .....
    .....
    .....
    .....
actions: up, down, left, right
on act if agent at (1, 0): cancel, reward 10, go to (1, 4)
on act if agent at (3, 0): cancel, reward 5, go to (3, 2)
on bump edge: reward -1
observe: cell
limit: none
"""
PRINTED = """
 3.3  8.8  4.4  5.3  1.5
 1.5  3.0  2.3  1.9  0.5
 0.1  0.7  0.7  0.4 -0.4
-1.0 -0.4 -0.4 -0.6 -1.2
-1.9 -1.3 -1.2 -1.4 -2.0
"""
# Example 4.1: all values of the equiprobable policy are whole numbers.
CORNERS = """
env: test/Corners-v0
map:
    G@..
    ....
    ....
    ...G
legend: G = goal
actions: up, down, left, right
each step: reward -1
on enter goal: end success
observe: cell
limit: none
"""


def test_values__are_those_of_the_book() -> None:
    """The equiprobable random policy, discounted by 0.9, and without a discount."""
    mdp = griddsl.to_mdp(BONUS)
    by_cell = np.zeros(25)
    by_cell[mdp.agent_cells] = mdp.values("random", discount=0.9)
    np.testing.assert_allclose(by_cell, np.array(PRINTED.split(), float), atol=0.05001)
    corners = griddsl.to_mdp(CORNERS)
    found = corners.values("random")
    expected = [0, -14, -20, -22, -14, -18, -20, -20, -20, -20, -18, -14, -22, -20, -14, 0]
    np.testing.assert_allclose(found, np.array(expected)[corners.agent_cells], atol=1e-9)
    everywhere = np.full((corners.n_states, 4), 0.25)
    np.testing.assert_array_equal(corners.values(everywhere), found)


def test_values__of_the_optimal_policy_are_the_optimum() -> None:
    """An array of actions over states; at an end nothing is left to gain."""
    mdp = griddsl.to_mdp(CORNERS)
    solution = mdp.solve()
    np.testing.assert_allclose(mdp.values(solution.policy), solution.values, atol=1e-9)
    assert (mdp.values(solution.policy)[mdp.terminal] == 0).all()


def test_values__refuse_what_has_none() -> None:
    """Episodes without an end and a discount, other names, other discounts."""
    mdp = griddsl.to_mdp(BONUS)
    with pytest.raises(ExactError, match="may never end"):
        mdp.values("random")
    with pytest.raises(ExactError, match="no policy `best`"):
        mdp.values("best", discount=0.5)
    with pytest.raises(ExactError, match="from 0 to 1"):
        mdp.values("random", discount=1.5)
