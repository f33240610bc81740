"""`once:` and trials: what is drawn once stays, until a seed asks for another draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from tests.typed import grid_env

RED, BLUE = 4, 5  # their codes in a grid
BURROW = """\
env: test/Burrow-v0
generate: maze(7, 7)
once:
    choose scent in sweet | bitter
    let dens = 1
    place dens den at random floor
setup:
    place agent at random floor where not den at here
    choose day in 0..9
actions: up, right, down, left
observe:
    board = grid
    scent = scent
    day = day
on enter den: reward 1, hidden reward 2, end success
limit: 6 steps
"""
COIN = """\
env: test/Coin-v0
map:
    @.
once:
    choose side in heads 1 | tails 3
setup:
    choose day in 0..1
actions: left, right
observe: side
each step if side is heads: reward day
when step == 2: end
limit: none
"""
TAG = """\
env: test/Tag-v0
agents: red, blue
generate: empty(4, 4)
once:
    place rock at random floor
    place red at random floor
setup:
    place blue at random floor where not rock at here
tile rock: solid
actions: up, down, stay
observe: grid
limit: 3 steps
"""


def _walls(observation: Any) -> Any:
    """Return where walls stand."""
    return observation["board"] == 1


def _ended(env: Any) -> Any:
    """Play an episode to its end and return what the next one begins with."""
    while True:
        _, _, ended, cut, _ = env.step(env.action_space.sample())
        if ended or cut:
            return env.reset()[0]


def test_once__stays_until_a_seed_is_given() -> None:
    """Maze, den and scent stay through the episodes between; the agent and the day are drawn for each."""
    env = griddsl.make(BURROW, backend="python")
    first, _ = env.reset(seed=3)
    later = [_ended(env) for _ in range(6)]
    assert all((_walls(each) == _walls(first)).all() and each["scent"] == first["scent"] for each in later)
    assert len({each["day"] for each in later}) > 1
    assert len({each["board"].tobytes() for each in later}) > 1
    assert (env.reset(seed=4)[0]["board"] != first["board"]).any()
    again, _ = env.reset(seed=3)
    assert again["board"].tobytes() == first["board"].tobytes()


def test_once__is_kept_in_states_and_pickles() -> None:
    """A state that is put into another environment takes the draw along."""
    env, other = griddsl.make(BURROW, backend="python"), griddsl.make(BURROW, backend="python")
    first, _ = env.reset(seed=3)
    other.reset(seed=8)
    other.set_state(env.get_state())
    assert (_walls(other.reset()[0]) == _walls(first)).all()


@pytest.mark.parametrize(("mode", "episodes"), [("NextStep", 1), ("SameStep", 3), ("Disabled", 1)])
def test_batches__keep_a_draw_for_each(mode: str, episodes: int) -> None:
    """A batch is its environments, with draws that stay, in every mode of resetting."""
    given: dict[str, Any] = {"episodes": episodes} if episodes > 1 else {}
    autoreset = gym.vector.AutoresetMode(mode)
    batch = griddsl.make_vec(BURROW, num_envs=3, autoreset_mode=autoreset, backend="python", **given)
    singles = gym.vector.SyncVectorEnv(
        [lambda: griddsl.make(BURROW, backend="python", **given)] * 3, autoreset_mode=autoreset
    )
    batch.reset(seed=5)
    singles.reset(seed=5)
    rng, over = np.random.default_rng(0), np.zeros(3, np.bool_)
    for _ in range(40):
        if autoreset == gym.vector.AutoresetMode.DISABLED and over.any():
            batch.reset(options={"reset_mask": over.copy()})
            singles.reset(options={"reset_mask": over.copy()})
        actions = rng.integers(4, size=3)
        found, expected = batch.step(actions), singles.step(actions)
        over = expected[2] | expected[3]
        for one, two in zip(found[1:4], expected[1:4], strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(two))
        assert batch.get_state() == [grid_env(env).get_state() for env in singles.envs]
        if episodes > 1:
            assert (found[4]["episode"] == expected[4]["episode"]).all()


def test_trial__is_several_episodes_of_one_draw() -> None:
    """Three episodes of six steps are one of eighteen; each reset begins another trial."""
    env = griddsl.make(BURROW, backend="python", episodes=3)
    scents = set()
    for seed in range(8):
        start, info = env.reset(seed=seed) if seed == 0 else env.reset()
        scents.add(start["scent"])
        told, ended = [info["episode"]], False
        while not ended:
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert seen["scent"] == start["scent"] and (_walls(seen) == _walls(start)).all()
            assert info["hidden_reward"] == 2 * reward
            told.append(info["episode"])
            ended = terminated or truncated
        assert sorted(told) == told and set(told) == {0, 1, 2}
        assert len(told) <= 19
    assert len(scents) == 2


def test_trial__wants_a_draw_and_a_number() -> None:
    """What has no `once`, several agents, or no count, is refused with the reason."""
    without = BURROW.replace("once:", "setup:").replace("setup:\n    place agent", "    place agent")
    for text, episodes, said in [
        (without, 3, "nothing is drawn once here"),
        (BURROW, 0, "whole number"),
        (TAG, 2, "is for one agent"),
    ]:
        with pytest.raises(griddsl.SpecError, match=said):
            griddsl.make_parallel(text, episodes=episodes) if text is TAG else griddsl.make(
                text, episodes=episodes
            )


def test_trial__says_where_a_later_setup_fails() -> None:
    """A setup that finds no place in the middle of a trial is a `SpecError`, as at a reset."""
    text = COIN.replace(
        "choose day in 0..1", "choose day in 0..1\n    if day == 1: place agent at random floor where x > 5"
    )
    env = griddsl.make(text, backend="python", episodes=50)
    with pytest.raises(griddsl.SpecError, match="random floor where x > 5"):
        for seed in range(50):
            env.reset(seed=seed)
            for _ in range(90):
                env.step(0)


# The day tells how the agent went; the setup behind it fails, or tries again, on three of four draws.
LATER = """env: test/Later-v0
once:
    choose day in 0..1
map:
    ....
setup:
    SETUP
slip: 0.25 left, 0.25 right
actions: left, right
observe: cell
each step with chance 0.5: reward 1
limit: 1 steps
"""
AGAIN = {
    "fails": "place agent at random floor\n    place wall at random floor where x > agent.x + 2",
    "tries again": "retry 1000 until agent.x == 0:\n        place agent at random floor",
}


@pytest.mark.parametrize("setup", AGAIN.values(), ids=AGAIN)
def test_later_setup__has_the_chances_of_what_succeeds(setup: str) -> None:
    """Where a trial goes on, a setup that fails or tries again leaves the chances of what was drawn before it."""
    text = LATER.replace("SETUP", setup)
    model, process = griddsl.make_model(text, episodes=2), griddsl.to_mdp(text, episodes=2)
    assert process.solve(discount=1).optimal_return == pytest.approx(1)
    (state, *_) = model.initial_belief()
    assert model.reward(state, {"agent": 0}) == {"agent": 0.5}
    after = model.transition(state, {"agent": 0})
    assert sum(after.values()) == 1
    assert {model.describe(each)["agents"]["agent"]["position"] for each in after} == {(0, 0)}


def test_process__has_the_draw_in_its_start() -> None:
    """What is drawn once has its chances at the start; within a trial the first stays and the second is drawn anew."""
    process = griddsl.to_mdp(COIN)
    assert process.solve(discount=1).optimal_return == pytest.approx(0.25 * 0.5 * 2)
    assert griddsl.to_mdp(COIN, episodes=3).solve(discount=1).optimal_return == pytest.approx(
        3 * 0.25 * 0.5 * 2
    )


def test_evaluation__draws_anew_for_each_episode() -> None:
    """Episodes are a sample of the game: their mean is the exact return, where one draw alone pays 0 or more."""
    found = griddsl.evaluate("random", COIN.replace("reward day", "reward 8"), episodes=400)
    assert found.returns is not None and found.simulated_returns.agrees(found.returns)
    assert found.simulated_returns.error > 0


def test_games__keep_a_draw() -> None:
    """Of several agents, those placed once stand where they stood; a seed draws anew."""
    env = griddsl.make_parallel(TAG, backend="python")
    first, _ = env.reset(seed=1)
    boards = [first["red"]]
    for _ in range(5):
        while env.agents:
            env.step(dict.fromkeys(env.agents, 2))
        boards.append(env.reset()[0]["red"])
    places = {
        code: {tuple(np.argwhere(board == code)[0].tolist()) for board in boards} for code in (2, RED, BLUE)
    }
    assert len(places[2]) == len(places[RED]) == 1 and len(places[BLUE]) > 1


def test_ids__know_no_limit_of_their_own(tmp_path: Any) -> None:
    """`gym.make` cuts no trial off: the limit is one of each episode."""
    path = tmp_path / "burrow.grid"
    path.write_text(BURROW, encoding="utf-8")
    griddsl.register(path)
    env = gym.make("test/Burrow-v0", episodes=4, backend="python")
    assert env.spec is not None and env.spec.max_episode_steps is None
    env.reset(seed=2)
    assert env.unwrapped.program.limit == 24  # type: ignore[attr-defined]


def test_trials__search_for_the_shortest_way_in_one_episode() -> None:
    """`optimal_length` speaks of an episode: success in the search begins no other one, which would search again."""
    text = BURROW.replace("    place dens den at random floor\n", "").replace(
        "actions:",
        "    retry 50 until optimal_length >= 3:\n        place den at random floor\nactions:",
    )
    lengths = []
    for episodes in (1, 3):
        env = griddsl.make(text, episodes=episodes) if episodes > 1 else griddsl.make(text)
        observation, _ = env.reset(seed=4)
        lengths.append(observation["board"].tolist())
    assert lengths[0] == lengths[1]


def test_once__what_nothing_changes_is_not_kept_twice() -> None:
    """The maze stays where it is; a wall that steps take away is kept beside it, and stands again."""
    from griddsl.compiler import compiled

    def kept(source: str) -> set[Any]:
        return {slot.key[1] for slot in compiled(source).program.slots if slot.key[0] == "KEPT"}

    assert "TILE" not in kept(BURROW)
    melts = BURROW.replace("limit:", "on bump wall: wall becomes floor\nlimit:")
    assert "TILE" in kept(melts)
    env = grid_env(griddsl.make(melts))
    env.reset(seed=1)
    first, rows = env.get_state()[0], env.program.grounds
    for action in range(4):
        env.step(action)
    env.reset()
    assert env.get_state()[0][rows] == first[rows]


@pytest.mark.parametrize(
    ("given", "shown"), [("3", "not '3'"), (0, "not 0"), (np.int64(0), "not 0"), (1.5, "not 1.5")]
)
def test_trial__is_of_a_whole_number_of_episodes(given: Any, shown: str) -> None:
    """What is no number of episodes is refused as it was given: a text has quotes."""
    with pytest.raises(griddsl.SpecError, match=rf"`episodes` is a whole number from 1 to [\d,]+, {shown}"):
        griddsl.make(BURROW, episodes=given)


def test_registered_id__of_what_is_drawn_once_has_no_limit_of_gymnasium(tmp_path: Path) -> None:
    """A trial is longer than ``limit``; the environment cuts each of its episodes itself."""
    file = tmp_path / "burrow.grid"
    text = "env: t/BurrowOnce-v0\nmap:\n    @..\nactions: left, right\nobserve: cell\nlimit: 3\nonce:\n    choose k in 0..2\n"
    file.write_text(text + "each step: reward k\nvariant t/BurrowLater-v0: limit = 5\n", encoding="utf-8")
    griddsl.register(file)
    assert gym.spec("t/BurrowOnce-v0").max_episode_steps is None
    assert gym.spec("t/BurrowLater-v0").max_episode_steps is None
    env = gym.make("t/BurrowOnce-v0")
    env.reset(seed=0)
    assert [env.step(0)[3] for _ in range(3)] == [False, False, True]
