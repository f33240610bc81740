"""Observations: every form has its space, and shows what is there."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from tests.playing import Game, completed, problems
from tests.reference.beside import assert_plays_as_defined
from tests.typed import is_a

WORLD = """
map:
    #.g
    .@.
legend: g = goal
actions: up, right, down, left
on enter goal: end success
"""
Box, Discrete = gym.spaces.Box, gym.spaces.Discrete


def seen(item: str, more: str = "", text: str = WORLD, **params: Any) -> tuple[Any, Any]:
    """Return the space and the first observation of an item."""
    game = Game(f"{text}{more}observe: {item}\n", **params)
    assert game.observation in game.env.observation_space
    return game.env.observation_space, game.observation


VALUES = [
    ("cell", "", Discrete(6), 4),
    ("position of agent", "", Box(np.array([0, 0]), np.array([2, 1]), dtype=np.int64), [1, 1]),
    ("position of goal as multidiscrete", "", gym.spaces.MultiDiscrete([3, 2]), [2, 0]),
    ("position of agent as cell", "", Discrete(6), 4),
    ("position of agent as onehot", "", Box(0, 1, (6,), np.float32), [0, 0, 0, 0, 1, 0]),
    ("position of agent as unit", "", Box(0, 1, (2,), np.float32), [0.5, 1]),
    ("facing", "agent: facing\n", Discrete(4), 0),
    ("fuel", "var fuel: 5 in 2..7\n", Discrete(8), 5),
    ("depth", "var depth: -1 in -3..3\n", Discrete(7, start=-3), -1),
    ("light", "var light: green in red | green\n", Discrete(2), 1),
    ("light as onehot", "var light: green in red | green\n", Box(0, 1, (2,), np.float32), [0, 1]),
    ("agent.x == 1", "", Discrete(2), 1),
    ("index(cell, fuel)", "var fuel: 2 in 0..3\n", Discrete(24), 18),
    ("index(agent.x, agent.y, light)", "var light: green in red | green\n", Discrete(12), 7),
    ("flags(agent.x == 1, agent on goal)", "", gym.spaces.MultiBinary(2), [1, 0]),
    ("distance(agent, goal) / 2", "", Box(0, 1.5, (1,), np.float32), [1]),
    ("grid", "", Box(0, 3, (2, 3), np.uint8), [[1, 0, 2], [0, 3, 0]]),
    ("grid as codes (wall 9, agent 4)", "", Box(0, 9, (2, 3), np.uint8), [[9, 0, 0], [0, 4, 0]]),
    ("grid as planes (goal)", "", Box(0, 1, (2, 3), np.uint8), [[0, 0, 1], [0, 0, 0]]),
    (
        "grid as planes (wall, agent)",
        "",
        Box(0, 1, (2, 3, 2), np.uint8),
        [[[1, 0], [0, 0], [0, 0]], [[0, 0], [0, 1], [0, 0]]],
    ),
    ("mask", "allow up: agent.y == 0\n", Box(0, 1, (4,), np.int8), [0, 1, 1, 1]),
    ("text", "", None, "#.g\n.@."),
    ("mission", 'mission: "go"\n', None, "go"),
]


@pytest.mark.parametrize(("item", "more", "space", "value"), VALUES, ids=[f"{item}" for item, *_ in VALUES])
def test_item__has_its_space_and_value(item: str, more: str, space: Any, value: Any) -> None:
    """Each form of observation has the space that the language gives it, and shows the first state."""
    found, observation = seen(item, more)
    if space is not None:
        assert found == space
    if isinstance(value, list):
        assert observation.dtype == found.dtype
        assert (
            observation.tolist() == pytest.approx(value)
            if np.ndim(value) == 1
            else observation.tolist() == value
        )
    else:
        assert type(observation) in {int, str} and observation == value


def test_planes__of_values_are_real() -> None:
    """A plane of an expression is float32, and 0 where the thing that it names is not."""
    text = (
        "map:\n    @ab\nlegend: a = crop(worth=2), b = crop(worth=8)\n"
        "tile crop: worth in 0..8\nactions: left, right\n"
    )
    space, observation = seen("grid as planes (agent, crop.worth / 8)", text=text)
    assert space == Box(0, 1, (1, 3, 2), np.float32)
    assert observation[0].tolist() == [[1, 0], [0, 0.25], [0, 1]]


def test_absent_thing__has_a_value_of_its_own() -> None:
    """What is not on the map is at (-1, -1), in cell width * height, at zero of a one-hot."""
    text = (
        "map:\n    @c.\nlegend: c = coin\ntile coin:\nactions: left, right\n"
        "on enter coin: coin becomes floor\nobserve:\n    xy = position of coin\n"
        "    cell = position of coin as cell\n    hot = position of coin as onehot\n"
        "    pair = position of coin as multidiscrete\n"
    )
    game = Game(text)
    assert game.observation["xy"].tolist() == [1, 0] and game.observation["cell"] == 1
    game.do("right")
    assert game.observation in game.env.observation_space
    assert game.observation["xy"].tolist() == [-1, -1] and game.observation["cell"] == 3
    assert not game.observation["hot"].any()


def test_forms__of_several_items() -> None:
    """Named items make a ``Dict`` in their order, ``tuple`` a ``Tuple``, ``flat`` one ``Box``."""
    items = "    where = cell\n    board = grid\n"
    game = Game(f"{WORLD}observe:\n{items}")
    assert list(is_a(gym.spaces.Dict, game.env.observation_space)) == ["where", "board"]
    game = Game(f"{WORLD}observe tuple:\n    cell\n    position of agent\n")
    assert isinstance(game.env.observation_space, gym.spaces.Tuple) and game.observation[0] == 4
    game = Game(f"{WORLD}observe flat:\n    cell\n    position of agent as unit\n    grid as planes (goal)\n")
    assert game.env.observation_space.shape == (9,) and game.observation.dtype == np.float32
    assert game.observation.tolist() == [4, 0.5, 1, 0, 0, 1, 0, 0, 0]


def test_bare_items__of_several_are_an_error() -> None:
    """Several items need names."""
    assert [d.code for d in problems(f"{WORLD}observe:\n    cell\n    grid\n")] == ["syntax"]


LOOK = (
    "map:\n    .....\n    .g...\n    .#...\n    .@...\n    .....\nlegend: g = goal\n"
    "actions: turn_left, turn_right, forward\non enter goal: end success\n"
)


def test_view__ahead_turns_with_the_agent() -> None:
    """Ahead is up: the agent stands in the middle of the last row, and sees walls beyond the border."""
    game = Game(LOOK + "observe: view 3x3\n")
    assert game.env.observation_space.shape == (3, 3)
    game.do("turn_left")
    assert game.observation.tolist() == [[0, 2, 0], [0, 1, 0], [0, 3, 0]]
    game.do("turn_left")
    assert game.observation.tolist() == [[1, 1, 1], [0, 0, 0], [0, 3, 1]]


def test_view__centered_has_the_agent_in_the_middle() -> None:
    """A centered view without a facing is a window of the map."""
    text = (
        LOOK.replace("turn_left, turn_right, forward", "up, right, down, left")
        + "observe: view 5x5 centered\n"
    )
    assert Game(text).observation.tolist() == [
        [1, 0, 2, 0, 0],
        [1, 0, 1, 0, 0],
        [1, 0, 3, 0, 0],
        [1, 0, 0, 0, 0],
        [1, 1, 1, 1, 1],
    ]


def test_view__reaches_as_far_as_it_says() -> None:
    """``ahead``, ``behind`` and ``aside`` give the reach."""
    game = Game(LOOK + "observe: view ahead 2 behind 1 aside 1\n").do("turn_left")
    assert game.observation.shape == (4, 3)
    assert game.observation.tolist() == [[0, 2, 0], [0, 1, 0], [0, 3, 0], [0, 0, 0]]


def test_view__occluded_hides_what_is_behind_walls() -> None:
    """What is opaque hides what lies behind; hidden has a code of its own."""
    text = (
        "map:\n    ..g..\n    #####\n    ..@..\nlegend: g = goal\nactions: up, left\n"
        "on enter goal: end success\nobserve: view 5x5 occluded\n"
    )
    game = Game(text)
    hidden = int(is_a(gym.spaces.Box, game.env.observation_space).high.flat[0])
    assert game.observation.tolist() == [[hidden] * 5, [1] * 5, [0, 0, 3, 0, 0], [1] * 5, [hidden] * 5]


def test_pixels__are_as_large_as_asked() -> None:
    """``pixels N`` gives N pixels a cell."""
    space, observation = seen("pixels 12")
    assert space == Box(0, 255, (24, 36, 3), np.uint8)
    assert len(np.unique(observation.reshape(-1, 3), axis=0)) > 3


def test_noise__shows_the_other_with_its_chance() -> None:
    """A noisy entry shows the truth with its chance, else the other item."""
    game = Game(f"{WORLD}observe: cell with chance 0.75 else position of goal as cell\n")
    found = [int(game.reset().observation) for _ in range(400)]
    assert set(found) == {4, 2}
    assert 260 < found.count(4) < 340


BESIDE = [
    ("fuel with chance 50% else 0", Discrete(8), {5, 0}),
    ("fuel with chance 50% else far", Discrete(10), {5, 9}),
    ("-2 with chance 50% else fuel", Discrete(10, start=-2), {-2, 5}),
    ("light with chance 50% else green", Discrete(2), {0, 1}),
    ("green with chance 50% else light", Discrete(2), {0, 1}),
    ("facing with chance 50% else north", Discrete(4), {0, 3}),
]


@pytest.mark.parametrize(("item", "space", "values"), BESIDE, ids=[each[0] for each in BESIDE])
def test_noise__is_a_number_or_a_word_by_itself(item: str, space: Any, values: set[int]) -> None:
    """What is counted may stand beside one number or word: the space holds both, and a word is that of the domain."""
    declared = {"fac": "agent: facing", "far": "param far: 9 in 0..9", "fuel": "var fuel: 5 in 2..7"}
    declared["light"] = "var light: red in red | green"
    more = "".join(f"{line}\n" for name, line in declared.items() if name in item)
    text = completed(f"{WORLD}{more}observe: {item}\n")
    game = Game(text)
    assert game.env.observation_space == space
    assert {int(game.reset().observation) for _ in range(40)} == values
    assert_plays_as_defined(text, steps=10)


def test_seen_as__disguises_a_kind() -> None:
    """``K seen as K2 if C`` changes what grids show while the condition holds."""
    text = (
        "map:\n    @tg\nlegend: t = trap, g = goal\nactions: left, right\n"
        "on enter goal: end success\non enter trap: reward -1\nobserve:\n    board = grid\n"
        "    trap seen as floor if agent.x == 0\n"
    )
    game = Game(text)
    assert game.observation["board"].tolist() == [[4, 0, 3]]
    assert game.do("right right").observation["board"].tolist() == [[0, 2, 4]]


def test_seen_as__asks_each_agent_by_itself() -> None:
    """``self`` and ``other`` stand for agents: of two others only the far one is hidden."""
    text = (
        "env: t/Fog-v0\nagents: red, blue * 2\nmap:\n    R.B.B\n    ccccc\nlegend: R = red, B = blue, c = coin\n"
        "object coin: solid\nactions: left, right, stay\nlimit: 9 steps\nobserve:\n"
        "    kinds = grid as kinds\n    codes = grid as codes (self 1, other 2, floor 3)\n"
        "    planes = grid as planes (self, other, wall)\n"
        "    other seen as wall if distance(self, other) > 2\n    self seen as floor if self.x == 0\n"
    )
    env = griddsl.make_parallel(text)
    seen, _ = env.reset(seed=0)
    assert seen["red"]["kinds"][0].tolist() == [0, 0, 5, 0, 1]
    assert seen["red"]["codes"][0].tolist() == [3, 3, 2, 3, 3]
    assert seen["red"]["planes"][0].tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_seen_as__counts_the_first_line_that_holds() -> None:
    """What is seen as one kind is not seen as a third in turn, and stays above what it lay on."""
    text = (
        "map:\n    @tg\nlegend: t = trap, g = goal\nactions: left, right\n"
        "on enter goal: end success\non enter trap: reward -1\nobserve:\n    board = grid\n"
        "    codes = grid as codes (trap 1, goal 2, agent 3)\n"
        "    trap seen as goal\n    goal seen as agent\n    trap seen as agent\n    agent seen as floor\n"
    )
    game = Game(text)
    assert game.observation["board"].tolist() == [[0, 3, 4]]
    assert game.observation["codes"].tolist() == [[0, 2, 3]]
    assert game.do("right").observation["codes"].tolist() == [[0, 2, 3]]


def test_turning__to_what_an_action_takes_knows_the_diagonals() -> None:
    """Where an action takes ``directions | diagonals``, an agent can face eight ways."""
    game = Game(
        "map:\n    ...\n    .@.\n    ...\nactions: face(way in directions | diagonals), forward\n"
        "on do face: turn to way\nobserve: facing\n"
    )
    assert game.env.observation_space == gym.spaces.Discrete(8)
    assert game.do("face(northwest)").observation == 6
    assert game.do("forward").board == "@..\n...\n..."


def test_mission__uses_chosen_names() -> None:
    """Braces in a mission are filled in, and tokens are its bytes."""
    more = 'var light: green in red | green\nmission: "reach the {light} door"\n'
    assert seen("mission", more)[1] == "reach the green door"
    space, tokens = seen("mission as tokens", more)
    assert space.dtype == np.uint8 and bytes(tokens).rstrip(b"\0") == b"reach the green door"


def test_info__tells_values() -> None:
    """``info`` entries are numbers, words, truths or cells, at the reset too."""
    more = (
        "var light: green in red | green\n"
        "info: far = distance(agent, goal), light = light, on = agent on goal, half = agent.x / 2\n"
    )
    game = Game(f"{WORLD}{more}observe: cell\n")
    told = {"far": 2, "light": "green", "on": False, "half": 0.5}
    assert game.info == {**told, "outcome": "", "is_success": False}


GOAL = """
generate: empty(6, 5)
setup:
    place agent at random floor
    place target at random floor
actions: up, right, down, left
observe: cell
observe goal: achieved = position of agent{form}, desired = position of target{form}
each step: reward {reward}
on enter target: end success
"""


@pytest.mark.parametrize("form", ["", " as cell", " as unit", " as onehot", " as multidiscrete"])
@pytest.mark.parametrize(
    "reward", ["0 if distance(achieved, desired) == 0 else -1", "-distance(achieved, desired)"]
)
def test_compute_reward__is_the_steps_reward_vectorised(form: str, reward: str) -> None:
    """``compute_reward`` of arrays of goals gives what the steps gave, for every form of a goal."""
    env = griddsl.make(completed(GOAL.format(form=form, reward=reward)))
    env.action_space.seed(0)
    env.reset(seed=0)
    achieved, desired, rewards = [], [], []
    for _ in range(60):
        observation, given, terminated, truncated, _ = env.step(env.action_space.sample())
        assert observation in env.observation_space
        achieved.append(observation["achieved_goal"])
        desired.append(observation["desired_goal"])
        rewards.append(given)
        if terminated or truncated:
            env.reset()
    found = env.compute_reward(np.array(achieved), np.array(desired), [{}] * 60)
    assert found.shape == (60,) and found.dtype == np.float32
    assert found.tolist() == rewards
    assert env.compute_reward(achieved[0], desired[0], {}) == rewards[0]
    twice = env.compute_reward(
        np.array(achieved).reshape(6, 10, *np.shape(achieved[0])),
        np.array(desired).reshape(6, 10, *np.shape(desired[0])),
        None,
    )
    assert twice.shape == (6, 10)


def test_codes__go_by_what_lies_uppermost() -> None:
    """Of objects of several layers in a cell the upper one counts, in whichever order the codes are listed."""
    text = """env: docs/Codes-v0
object plate: layer ground
object bird: layer air
map:
    @..
legend: p = plate, b = bird
setup:
    place plate at (2, 0)
    place bird at (2, 0)
actions: left, right
observe tuple: grid as codes (bird 1, plate 2), grid as codes (plate 2, bird 1)
limit: 9 steps
"""
    for seen in griddsl.make(text).reset(seed=0)[0]:
        assert seen.tolist() == [[0, 0, 1]]
