"""``observation=``: the same environment, observed in another form."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces.utils import flatten

import griddsl
from griddsl.lowering.sight.cells.minigrid import encoded
from griddsl.program.verify import verify
from tests.contract.every_spec import SINGLE, spec_id_of

ALONE = [spec_id_of(path) for path in SINGLE[::2]]  # a half, because each is compiled three times
WITH_TEXTS = ["griddsl/Fetch-v0", "griddsl/PutNear-v0", "griddsl/DoorKey-v0"]

MIXED = """
env: tests/Mixed-v0
var wanted: red in red | green | blue
var fuel: 9 in 2..9
map:
    #####
    #@..#
    #..G#
    #####
legend: G = goal
setup:
    wanted becomes random red | green | blue
    choose verb in "go" | "walk"
actions: up, right, down, left
allow up: fuel > 3
mission: "{verb} to the {wanted} goal with {fuel}"
observe:
    mission = mission
    board = text
    place = position of agent as multidiscrete
    bits = flags(wanted is red, fuel < 5)
    mask = mask
    noisy = wanted is red with chance 0.5 else fuel < 5
    small = pixels 4
    large = pixels 12
each step: fuel -= 1
on enter goal: end success
limit: 7 steps
"""


def _rollout(env: Any, steps: int = 6, seed: int = 3) -> list[Any]:
    rng = np.random.default_rng(seed)
    seen = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        observation, _, ended, cut, _ = env.step(_some(env.action_space, rng))
        seen.append(env.reset()[0] if ended or cut else observation)
    return seen


def _some(space: Any, rng: np.random.Generator) -> Any:
    space.seed(int(rng.integers(2**31)))
    return space.sample()


def _without_texts(space: Any, observation: Any) -> np.ndarray[Any, Any]:
    parts = {k: v for k, v in space.spaces.items() if not isinstance(v, gym.spaces.Text)}
    return np.concatenate([flatten(part, observation[name]) for name, part in parts.items()])


@pytest.mark.parametrize("spec_id", ALONE)
def test_flat__is_what_gymnasium_flattens_and_network_its_parts(spec_id: str) -> None:
    """A flat observation is Gymnasium's `flatten` of the spec's, texts aside; `network` has the same in parts."""
    plain, flat, network = (
        griddsl.make(spec_id, observation=form, backend="python") for form in ("spec", "flat", "network")
    )
    for env in (flat, network):
        verify(env.program)
    assert isinstance(flat.observation_space, gym.spaces.Box) and flat.observation_space.dtype == np.float32
    assert isinstance(network.observation_space, gym.spaces.Dict)
    assert all(isinstance(part, gym.spaces.Box) for part in network.observation_space.values())
    missions = "{" in (plain.program.mission or "")
    is_flat = plain.program.observation.form == "flat"
    for said, row, parts in zip(_rollout(plain), _rollout(flat), _rollout(network), strict=True):
        assert flat.observation_space.contains(row) and network.observation_space.contains(parts)
        space: Any = plain.observation_space
        expected = _without_texts(space, said) if isinstance(space, gym.spaces.Dict) else flatten(space, said)
        if is_flat:
            expected = said
        assert row[: len(expected)].tolist() == np.asarray(expected, np.float32).tolist()
        assert len(row) > len(expected) if missions else len(row) == len(expected)
        joined = np.concatenate([np.asarray(part, np.float32).ravel() for part in parts.values()])
        assert sorted(joined.tolist()) == sorted(row.tolist()) if is_flat else joined.tolist() == row.tolist()


def test_network__tells_what_the_names_in_a_mission_are() -> None:
    """A mission becomes one 1 for what each name in it is in this episode."""
    env = griddsl.make(MIXED, observation="network")
    assert list(env.observation_space.spaces) == [  # type: ignore[attr-defined]
        "mission", "board", "place", "bits", "mask", "noisy", "small", "large",
    ]  # fmt: skip
    told = set()
    for seed in range(12):
        observation, _ = env.reset(seed=seed)
        env.step(1)
        verb, _, _, colour, _, _, fuel = _mission_of(env, seed).split()
        codes = observation["mission"].tolist()
        assert codes == [
            *(float(verb == word) for word in ("go", "walk")),
            *(float(colour == word) for word in ("red", "green", "blue")),
            *(float(number == int(fuel)) for number in range(10)),
        ]
        told.add((verb, colour))
    assert len(told) > 3


def _mission_of(env: griddsl.GridEnv, seed: int) -> str:
    """Return the mission of an episode."""
    env.reset(seed=seed)
    return env.mission()


def test_network__keeps_pictures_of_36_pixels_and_makes_rows_of_all_else() -> None:
    """Pictures that convolutions can take keep their shape; boards and small pictures become rows."""
    env = griddsl.make(MIXED, observation="network")
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    shapes = {name: part.shape for name, part in observation.items()}
    planes = len(env.program.kinds)
    assert shapes["small"] == (16 * 20 * 3,) and shapes["large"] == (48, 60, 3)
    assert shapes["board"] == (4 * 5 * planes,) and shapes["place"] == (9,)
    assert observation["place"].tolist() == [0, 1, 0, 0, 0, 0, 1, 0, 0]
    assert observation["bits"].dtype == observation["mask"].dtype == np.float32
    row, _ = griddsl.make(MIXED, observation="flat").reset(seed=0)
    assert row.tolist() == np.concatenate([part.ravel() for part in observation.values()]).tolist()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("form", ["network", "flat", "image", "symbols", "pixels 4"])
@pytest.mark.parametrize("spec_id", [*WITH_TEXTS[:1], "griddsl/FrozenLake-v0"])
def test_batches__observe_what_single_environments_do(spec_id: str, form: str, mode: str) -> None:
    """A batch observes what single environments do, final observations included."""
    batch = gym.make_vec(spec_id, num_envs=3, observation=form, autoreset_mode=mode)
    singles = [griddsl.make(spec_id, observation=form, backend="python") for _ in range(3)]
    rows, _ = batch.reset(seed=5)
    expected = [env.reset(seed=5 + i)[0] for i, env in enumerate(singles)]
    _same(rows, expected)
    rng = np.random.default_rng(0)
    over = [False] * 3
    finals = 0
    for _ in range(60 if "Lake" in spec_id else 8):
        actions = rng.integers(0, batch.single_action_space.n, 3)  # type: ignore[attr-defined]
        rows, _, _, _, infos = batch.step(actions)
        for i, env in enumerate(singles):
            if over[i] and mode == "NextStep":
                expected[i], over[i] = env.reset()[0], False
                continue
            expected[i], _, end, out, _ = env.step(actions[i])
            over[i] = end or out
            if over[i] and mode == "SameStep":
                _same({"last": infos["final_obs"][i]}, {"last": expected[i]}, whole=True)
                expected[i], finals = env.reset()[0], finals + 1
        _same(rows, expected)
    assert finals or mode == "NextStep" or "Lake" not in spec_id


def _same(rows: Any, expected: Any, whole: bool = False) -> None:
    if whole:
        rows, expected = rows["last"], [expected["last"]]
        rows = {k: v[None] for k, v in rows.items()} if isinstance(rows, dict) else rows[None]
    for i, one in enumerate(expected):
        pairs = [(rows[name][i], one[name]) for name in one] if isinstance(one, dict) else [(rows[i], one)]
        for found, wanted in pairs:
            assert found.dtype == wanted.dtype and np.array_equal(found, wanted)


@pytest.mark.parametrize("spec_id", WITH_TEXTS)
def test_image__is_the_array_that_the_spec_observes_as_minigrid(spec_id: str) -> None:
    """`image` is the entry `as minigrid` alone."""
    plain, image = griddsl.make(spec_id), griddsl.make(spec_id, observation="image")
    for said, array in zip(_rollout(plain), _rollout(image), strict=True):
        assert np.array_equal(said["image"], array)


@pytest.mark.parametrize("spec_id", ["griddsl/DoorKey-v0", "griddsl/Taxi-v0", "griddsl/Sokoban-v0"])
def test_symbols__are_each_cells_place_and_the_number_of_its_topmost_thing(spec_id: str) -> None:
    """Symbols are x, y and MiniGrid's number of a thing, columns first."""
    env = griddsl.make(spec_id, observation="symbols", backend="python")
    for symbols in _rollout(env):
        width, height, _ = symbols.shape
        assert symbols[..., 0].tolist() == [[x] * height for x in range(width)]
        assert symbols[..., 1].tolist() == [list(range(height))] * width
    grid = encoded(env.program, env.get_state()[0])
    agent = env.get_state()[0][env.program.layout.offsets["AGENT_CELL"]]
    grid[agent % width, agent // width, 0] = 10
    assert np.array_equal(symbols[..., 2], grid[..., 0])


def test_pixels__have_as_many_a_cell_as_are_asked_for() -> None:
    """`pixels N` is the picture with N pixels a cell, 8 without a number."""
    for form, side in (("pixels", 8), ("pixels 1", 1), ("pixels 20", 20)):
        env = griddsl.make("griddsl/FrozenLake-v0", observation=form)
        observation, _ = env.reset(seed=0)
        assert observation.shape == (4 * side, 4 * side, 3) and env.observation_space.contains(observation)


def test_goals__stay_what_replay_needs_and_lie_in_the_row() -> None:
    """Goals stay beside the observation in `network`, and lie behind it in `flat`."""
    env = griddsl.make("griddsl/GoalRoom-v0", observation="network")
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"observation", "achieved_goal", "desired_goal"}
    reward: Any = env.compute_reward
    assert reward(observation["desired_goal"], observation["desired_goal"], {}) == 0.0
    flat = griddsl.make("griddsl/GoalRoom-v0", observation="flat")
    row, _ = flat.reset(seed=0)
    goals = (observation["achieved_goal"], observation["desired_goal"])
    assert row.tolist() == [*observation["observation"].tolist(), *(float(x) for goal in goals for x in goal)]
    assert not hasattr(flat, "compute_reward")


@pytest.mark.parametrize("form", ["network", "flat", "image", "pixels 2", "symbols"])
def test_games_of_several__take_every_form(form: str) -> None:
    """Every agent of a game observes the form that is asked for, alone and in batches."""
    game = griddsl.make_parallel("griddsl/Overcooked-v0", observation=form)
    observations, _ = game.reset(seed=0)
    assert all(game.observation_space(name).contains(seen) for name, seen in observations.items())
    if not form.startswith("pixels"):
        batch = griddsl.make_parallel_vec("griddsl/Overcooked-v0", 2, observation=form)
        rows, _ = batch.reset(seed=0)
        first = rows[0, 0] if not isinstance(rows, dict) else rows["me"][0, 0]
        seen = observations[game.agents[0]]
        assert np.array_equal(first, seen["me"] if isinstance(seen, dict) else seen)


def test_an_environment_in_another_form__pickles_copies_and_is_made_again() -> None:
    """The form is part of what an environment was made with."""
    env = gym.make("griddsl/Fetch-v0", observation="flat")
    assert env.spec is not None and env.spec.kwargs["observation"] == "flat"
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    env.reset(seed=4)
    for other in (again, pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert other.observation_space == env.observation_space
        assert np.array_equal(other.reset(seed=4)[0], env.reset(seed=4)[0])


@pytest.mark.parametrize("form", ["netwrok", "pixels 0", "pixels 999", "flat 3", "", 3])
def test_a_form_that_there_is_not__is_answered_by_those_there_are(form: Any) -> None:
    """An unknown form is an error that names those there are."""
    with pytest.raises(griddsl.SpecError, match=r"network \| flat|1 to 256 pixels") as caught:
        griddsl.make("griddsl/FrozenLake-v0", observation=form)
    assert form != "netwrok" or "did you mean `network`" in str(caught.value)


@pytest.mark.parametrize("size", ["0", "-1", "257", "4096", "1" * 30, "x", "1.5", "8 8"])
def test_a_size_of_pixels_that_there_is_not__is_answered_by_the_bounds(size: str) -> None:
    """However it is wrong, the answer says from what to what a cell has pixels."""
    with pytest.raises(griddsl.SpecError, match="1 to 256"):
        griddsl.make("griddsl/FrozenLake-v0", observation=f"pixels {size}")


def test_a_text_that_never_changes__leaves_nothing_for_a_network() -> None:
    """A spec of which no number is left is refused with the reason."""
    text = MIXED[: MIXED.index("observe:")].replace("{verb} to the {wanted} goal with {fuel}", "go")
    text += "observe: mission\non enter goal: end success\nlimit: 7 steps\n"
    with pytest.raises(griddsl.SpecError, match="no number is left for a network"):
        griddsl.make(text, observation="network")


def test_a_parameter_that_is_called_observation__is_the_specs_own() -> None:
    """A spec's own parameter of that name keeps its meaning."""
    text = MIXED.replace("map:", "param observation: 3 in 1..5\nmap:").replace(
        "limit: 7", "limit: observation"
    )
    assert griddsl.make(text, observation=4).program.limit == 4


def test_a_printed_text_space__says_how_numbers_are_asked_for() -> None:
    """A framework that prints a space it cannot take tells the option with it."""
    assert "observation='network'" in repr(griddsl.make("griddsl/Fetch-v0").observation_space)
