"""`griddsl.wrappers`: observations reshaped, and what is refused."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import griddsl
from griddsl.wrappers import CellObservation, NetworkObservation
from tests.typed import grid_env, is_a


@pytest.mark.parametrize("spec_id", ["griddsl/CliffWorldTutorial-v0", "griddsl/GridWorld-v0"])
def test_cell_observation__is_the_number_of_the_agents_cell(spec_id: str) -> None:
    """Every observation is ``y * width + x`` of the position below the wrapper."""
    inner = gym.make(spec_id)
    env = CellObservation(inner)
    width, height = env.width, env.height
    assert env.observation_space == gym.spaces.Discrete(width * height)
    cell, _ = env.reset(seed=3)
    env.action_space.seed(3)
    for _ in range(100):
        x, y = grid_env(env)._observe()["agent"]
        assert cell == y * width + x
        assert type(cell) is int
        cell, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            cell, _ = env.reset()


def test_cell_observation__numbers_all_cells_of_the_cliff() -> None:
    """The cliff world has 48 cells, and its start is number 36."""
    env = CellObservation(gym.make("griddsl/CliffWorldTutorial-v0"))
    assert env.observation_space == gym.spaces.Discrete(48)
    assert env.reset(seed=0)[0] == 36


def test_cell_observation__takes_another_entry() -> None:
    """``key`` names the entry that is numbered."""
    env = CellObservation(gym.make("griddsl/CliffWorldTutorial-v0"), key="target")
    assert env.reset(seed=0)[0] == 47


def test_cell_observation__passes_gymnasiums_check() -> None:
    """A wrapped environment is one that Gymnasium accepts, and that it can make again."""
    env = CellObservation(gym.make("griddsl/CliffWorldTutorial-v0"))
    check_env(env.unwrapped)
    assert env.spec is not None
    again = gym.make(env.spec)
    assert again.observation_space == env.observation_space


def test_cell_observation__refuses_a_space_without_entries() -> None:
    """A bare observation has no entry to number."""
    with pytest.raises(TypeError, match="needs a Dict observation"):
        CellObservation(gym.make("griddsl/CliffWalking-v0"))


def test_cell_observation__refuses_a_missing_entry() -> None:
    """A name that the observation lacks is answered with those that it has."""
    with pytest.raises(KeyError, match="entries: agent, target"):
        CellObservation(gym.make("griddsl/CliffWorldTutorial-v0"), key="taxi")


def test_cell_observation__refuses_what_is_no_position() -> None:
    """Positions are pairs of whole numbers; shares of the width are not."""
    text = (
        "env: test/Unit-v0\nmap:\n    @..\n    ..G\nlegend: G = goal\nactions: right, down\n"
        "observe: agent = position of agent as unit, target = position of goal\non enter goal: end success\n"
    )
    with pytest.raises(TypeError, match="needs a position"):
        CellObservation(griddsl.make(text))
    assert CellObservation(griddsl.make(text), "target").reset(seed=0)[0] == np.int64(5)


BOARDS = """\
env: test/Boards-v0
map:
    @.G
legend: G = goal
actions: left, right
mission: "go to the goal"
on enter goal: end success
limit: 9 steps
"""


def test_network_observation__keeps_what_is_seen() -> None:
    """Boards become vectors and texts bytes, with the same contents; what fits stays as it is."""
    items = "board = grid, task = mission, picture = pixels 40, cell = cell, bits = flags(agent on goal)"
    inner = griddsl.make(BOARDS + f"observe: {items}\n")
    env = NetworkObservation(inner)
    assert env.step(env.reset(seed=0)[0]["cell"])[0] in env.observation_space
    before, _ = inner.reset(seed=0)
    after = env.observation(before)
    assert after in env.observation_space
    assert after["board"].tolist() == before["board"].ravel().tolist()
    assert bytes(after["task"]).rstrip(b"\0").decode() == before["task"] == "go to the goal"
    shown, own = is_a(gym.spaces.Dict, env.observation_space), is_a(gym.spaces.Dict, inner.observation_space)
    for name in ("picture", "cell", "bits"):
        assert after[name] is before[name] and shown[name] == own[name]


def test_network_observation__turns_tuples_into_dicts() -> None:
    """The parts of a `Tuple` are named by their places; a bare board is one vector."""
    env = NetworkObservation(griddsl.make(BOARDS + "observe tuple: cell, grid\n"))
    assert env.reset(seed=0)[0] in env.observation_space
    assert env.observation_space == gym.spaces.Dict(
        {"0": gym.spaces.Discrete(3), "1": gym.spaces.Box(0, 3, (3,), np.uint8)}
    )
    assert NetworkObservation(griddsl.make(BOARDS + "observe: text\n")).reset(seed=0)[0].shape == (72,)
