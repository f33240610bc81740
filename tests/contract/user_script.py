"""What somebody who uses griddsl writes, with what a type checker is to know of it; `test_user_types` checks both.

It runs as well: what is said of the types is so.
"""

from __future__ import annotations

import pickle
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, assert_type

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import griddsl
from griddsl import Diagnostic, GridEnv, GridModel, GridSpec, GridVectorEnv, SpecError

Rewards: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

LAKE = """
env: mine/Lake-v0
map:
    @..
    .H.
    ..G
legend: H = hole, G = goal
actions: up, right, down, left
observe: cell
each step: reward -1
on enter hole: end failure
on enter goal: reward 10, end success
limit: 20
"""

CHASE = """
env: mine/Chase-v0
agents: red, blue
map:
    R.#
    ..B
legend: R = red, B = blue
actions: up, right, down, left, stay
observe: grid
on red meet blue: reward +1 to red, reward -1 to blue, end success
limit: 10
"""


def checked(text: str | Path) -> GridSpec:
    """Load a spec; what is wrong with it is printed with its place."""
    for found in griddsl.check(text):
        assert_type(found, Diagnostic)
        assert_type(found.severity, str)
        assert_type(found.help, str | None)
        print(found.code, found.message, found.span.source.name)
    try:
        spec = griddsl.load(text)
    except SpecError as error:
        assert_type(error.diagnostics, list[Diagnostic])
        raise
    assert_type(spec, GridSpec)
    assert_type(spec.id, str)
    return spec


def one_episode(spec: GridSpec) -> float:
    """Walk to the goal; return the sum of the rewards."""
    env = griddsl.make(spec, render_mode="rgb_array")
    assert_type(env, GridEnv)
    plain: gym.Env[Any, Any] = env  # goes wherever an environment of Gymnasium goes
    assert_type(plain.action_space, gym.Space[Any])
    _, info = env.reset(seed=0)
    assert_type(info, dict[str, Any])
    assert_type(env.action_masks(), Flags)
    total = 0.0
    for action in (1, 1, 2, 2):
        _, reward, terminated, truncated, info = env.step(action)
        assert_type(reward, float)
        assert_type(terminated, bool)
        assert_type(truncated, bool)
        total += reward
    state = env.get_state()
    env.set_state(pickle.loads(pickle.dumps(state)))
    assert env.get_state() == state
    env.close()
    return total


def batch(spec: GridSpec) -> Rewards:
    """Play many at once; return the rewards of one step."""
    envs = griddsl.make_vec(spec, 8)
    assert_type(envs, GridVectorEnv)
    assert_type(envs.num_envs, int)
    envs.reset(seed=0)
    _, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
    assert_type(rewards, Rewards)
    assert_type(terminations, Flags)
    assert_type(truncations, Flags)
    assert_type(envs.action_masks(), Flags)
    assert_type(infos, dict[str, Any])
    envs.close()
    return rewards


def optimum(spec: GridSpec) -> float:
    """Solve a spec exactly; return the optimal return."""
    mdp = griddsl.to_mdp(spec, max_states=1_000)
    assert_type(mdp.n_states, int)
    assert_type(mdp.rewards, NDArray[np.float64])
    assert_type(mdp.terminal, NDArray[np.bool_])
    assert_type(mdp.outcomes(0, 0), list[tuple[Fraction, int, float, bool]])
    solution = mdp.solve(discount=0.99)
    assert_type(solution.values, NDArray[np.float64])
    assert_type(solution.policy, NDArray[np.int64])
    assert_type(solution.optimal_return, float)
    worth = griddsl.evaluate("optimal", spec, episodes=10)
    assert_type(worth.returns, float | None)
    return solution.optimal_return


def together(text: str) -> dict[str, float]:
    """Play a game of two at random; return what each got in the last step."""
    game = griddsl.make_parallel(text)
    observations, _ = game.reset(seed=1)
    assert_type(observations, dict[str, Any])
    rewards: dict[str, float] = {}
    while game.agents:
        actions = {agent: game.action_space(agent).sample() for agent in game.agents}
        _, rewards, ends, cuts, infos = game.step(actions)
        assert_type(rewards, dict[str, float])
        assert_type(ends, dict[str, bool])
        assert_type(cuts, dict[str, bool])
        assert_type(infos, dict[str, dict[str, Any]])
    games = griddsl.make_parallel_vec(text, 4)
    games.reset(seed=1)
    _, paid, ended, _, _ = games.step(np.zeros((4, 2), np.int64))
    assert_type(paid, Rewards)
    assert_type(ended, Flags)
    turns = griddsl.make_aec(text)
    turns.reset(seed=1)
    return rewards


def planned(text: str) -> Fraction:
    """Ask the model of a game how likely a start is."""
    model = griddsl.make_model(text)
    assert_type(model, GridModel)
    belief = model.initial_belief()
    state = next(iter(belief))
    assert_type(model.agents(state), tuple[str, ...])
    return belief[state]


def registered(text: str) -> list[str]:
    """Register a file; return the ids that can be made now."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lake.grid"
        file.write_text(text, encoding="utf-8")
        ids = griddsl.register(file)
        gym.make(ids[0]).close()
    return ids


if TYPE_CHECKING:  # What is misspelt is said, and is no `Any`.
    griddsl.laod("lake.grid")  # type: ignore[attr-defined]
    print(griddsl.load("lake.grid").dynamics)  # type: ignore[attr-defined]
    griddsl.make("lake.grid", render_mode=3)  # type: ignore[call-overload]
    griddsl.to_mdp("lake.grid").solved()  # type: ignore[attr-defined]

if __name__ == "__main__":
    lake = checked(LAKE)
    print(registered(LAKE), one_episode(lake), batch(lake).shape, optimum(lake))
    print(sorted(together(CHASE)), planned(CHASE))
