"""Laws of states and streams: to save, restore, copy, or look changes no future, with sensor noise or without."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.joint.parallel import GridParallelEnv
from griddsl.envs.single.grid_env import GridEnv
from griddsl.registration.ids import bundled_folder
from tests.agreement.comparing import HAS_NUMBA, MODES, SPECS, assert_same, runs_on_tables
from tests.contract.every_spec import FILES, is_for_one
from tests.typed import grid_env

NOISY = """
env: test/Noisy-v0
map:
    @...
    ..#.
    ...G
legend: G = goal
actions: up, right, down, left
slip: 10% left, 10% right
observe:
    at = agent.x < 2 with chance 3/4 else agent.x >= 2
    near = view 3x3 with chance 1/2 else view 3x3
    did = self.action is right
each step: reward -1
when agent on goal: end success
limit: 9 steps
"""
NOISY_GAME = """
env: test/NoisyGame-v0
agents: red, blue, green
agent green: moves random
map:
    R...
    .#..
    G.xB
legend: R = red, B = blue, G = green
actions: up, right, down, left
observe:
    at = cell with chance 3/4 else position of green as cell
    mine = self.x < 2 with chance 1/2 else self.x >= 2
legend: x = exit
tile exit:
on enter exit: out
each step: reward -1
limit: 9 steps
"""
SINGLES = ["python", *(["native"] if HAS_NUMBA else [])]
GAMES = [path for path in FILES if not is_for_one(path)]
COUNT, STEPS = 4, 41


def played(batch: GridVectorEnv, count: int) -> list[Any]:
    """Return actions for some steps."""
    batch.action_space.seed(5)
    return [batch.action_space.sample() for _ in range(count)]


def test_noisy_specs__are_noisy() -> None:
    """What these tests stand on: two looks at one state differ."""
    env = GridEnv(NOISY, backend="python")
    env.reset(seed=0)
    assert len({str(env._observe()) for _ in range(20)}) > 1


@pytest.mark.parametrize("backend", SINGLES)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_noise_in_a_batch__is_the_single_environments(mode: gym.vector.AutoresetMode, backend: str) -> None:
    """Each observation of each environment, in every mode, through masked resets."""
    batch = GridVectorEnv(NOISY, COUNT, backend=backend, autoreset_mode=mode)
    singles = gym.vector.SyncVectorEnv(
        [lambda: GridEnv(NOISY, backend="python") for _ in range(COUNT)], autoreset_mode=mode
    )
    assert_same(batch.reset(seed=7), singles.reset(seed=7), "reset")
    rng = np.random.default_rng(0)
    for step, actions in enumerate(played(batch, STEPS)):
        found, expected = batch.step(actions), singles.step(actions)
        assert_same(found, expected, f"step {step}")
        assert batch.get_state() == [grid_env(env).get_state() for env in singles.envs]
        over = expected[2] | expected[3]
        if mode == gym.vector.AutoresetMode.DISABLED and (over.any() or rng.random() < 0.3):
            over |= rng.random(COUNT) < 0.2
            if over.any():
                options = {"reset_mask": over.copy()}
                assert_same(batch.reset(options=dict(options)), singles.reset(options=dict(options)), "reset")
                assert batch.get_state() == [grid_env(env).get_state() for env in singles.envs]


@pytest.mark.parametrize("backend", SINGLES)
def test_noise_in_one_environment__is_the_same_on_every_backend(backend: str) -> None:
    """Steps, resets, and states that are set."""
    env, other = GridEnv(NOISY, backend="python"), GridEnv(NOISY, backend=backend)
    env.action_space.seed(1)
    for seed in (3, None, 4):
        assert_same(other.reset(seed=seed), env.reset(seed=seed))
        for _ in range(12):
            action = env.action_space.sample()
            assert_same(other.step(action), env.step(action))
            assert other.get_state() == env.get_state()
            other.set_state(env.get_state())
            assert other.get_state() == env.get_state()


def assert_laws(env: GridEnv) -> None:
    """Save, restore, copy, pickle and draw an environment as it is played."""
    env.reset(seed=2)
    env.action_space.seed(2)
    for _ in range(15):
        before = env.get_state()
        env.set_state(before)
        assert env.get_state() == before
        env.text()
        env.action_masks()
        others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        assert [other.get_state() for other in others] == [before, before] == [env.get_state()] * 2
        action = env.action_space.sample()
        expected = env.step(action)
        for other in others:
            assert_same(other.step(action), expected)
            assert other.get_state() == env.get_state()
        if expected[2] or expected[3]:
            env.reset()


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_copies_and_states__have_the_same_future(path: Path) -> None:
    """Every bundled spec for one, on the reference backend, and on tables where it runs on them."""
    assert_laws(GridEnv(path, backend="python"))
    if runs_on_tables(path):
        assert_laws(GridEnv(path, backend="table"))


@pytest.mark.parametrize("backend", SINGLES)
def test_copies_and_states__have_the_same_future_with_noise(backend: str) -> None:
    """What noise a copy sees is what its original sees."""
    assert_laws(GridEnv(NOISY, backend=backend))


def batches(backend: str) -> list[str | Path]:
    """Return what batches of a backend are tried with."""
    names = {"python": ["door_key", "frozen_lake"], "table": ["frozen_lake", "taxi"], "native": ["door_key"]}
    paths: list[str | Path] = [bundled_folder() / f"{name}.grid" for name in names[backend]]
    return paths if backend == "table" else [NOISY, *paths]


@pytest.mark.parametrize("backend", ["table", *SINGLES])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_restored_batch__has_the_same_future(mode: gym.vector.AutoresetMode, backend: str) -> None:
    """States of all, or of some, are put back as they were; those of others, and what they show, stay."""
    for source in batches(backend):
        batch = GridVectorEnv(source, COUNT, backend=backend, autoreset_mode=mode)
        actions = played(batch, 30)
        batch.reset(seed=1)
        for number, given in enumerate(actions[:20]):
            seen = batch.step(given)[0]
            before, done = batch.get_state(), batch._batch.done.copy()
            others = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
            rows = [number % COUNT]
            shown = batch.set_state([before[rows[0]]], rows)
            batch._batch.done[:] = done  # to be put somewhere ends that something is over
            assert batch.get_state() == before
            kept = np.arange(COUNT) != rows[0]
            assert_same(rows_of(shown, kept), rows_of(seen, kept), "those that nobody touched")
            batch.set_state(before)
            batch._batch.done[:] = done
            assert batch.get_state() == before
            futures = [other.step(actions[number + 1]) for other in others]
            assert_same(futures[0], futures[1], "copies")
            assert [other.get_state() for other in others[:1]] == [others[1].get_state()]


@pytest.mark.parametrize("backend", ["table", *SINGLES])
def test_masked_reset__leaves_the_others_alone(backend: str) -> None:
    """Their states, their streams and what they show are as they were, in copies too; nothing is drawn for them."""
    for source in batches(backend):
        batch = GridVectorEnv(source, COUNT, backend=backend, autoreset_mode="Disabled")
        batch.reset(seed=1)
        for number, given in enumerate(played(batch, 20)):
            seen = batch.step(given)[0]
            before = batch.get_state()
            which = np.arange(COUNT) == number % COUNT
            twin = copy.deepcopy(batch)
            shown = batch.reset(options={"reset_mask": which})
            assert_same(rows_of(shown[0], ~which), rows_of(seen, ~which), "the others")
            after = batch.get_state()
            assert [after[i] for i in np.flatnonzero(~which)] == [before[i] for i in np.flatnonzero(~which)]
            assert_same(twin.reset(options={"reset_mask": which}), shown, "the copy")
            assert twin.get_state() == after


@pytest.mark.parametrize("backend", ["table", *SINGLES])
def test_copied_batch__allows_what_its_original_allows(backend: str) -> None:
    """Masks are those of the states, before the first step of a copy."""
    batch = GridVectorEnv(bundled_folder() / "taxi.grid", COUNT, backend=backend)
    batch.reset(seed=1)
    for given in played(batch, 8):
        batch.step(given)
        twin = pickle.loads(pickle.dumps(batch))
        np.testing.assert_array_equal(twin.action_masks(), batch.action_masks())


def rows_of(observation: Any, rows: Any) -> Any:
    """Return the observations of some environments."""
    if isinstance(observation, dict):
        return {name: rows_of(value, rows) for name, value in observation.items()}
    if isinstance(observation, tuple):
        if isinstance(observation[0], str):
            return tuple(text for text, row in zip(observation, rows, strict=True) if row)
        return tuple(rows_of(part, rows) for part in observation)
    return observation[rows]


# Games of several


@pytest.mark.parametrize("backend", SINGLES)
def test_noise_in_a_game__is_the_same_on_every_backend(backend: str) -> None:
    """Steps, restored states, copies; a look draws nothing."""
    env, other = (GridParallelEnv(NOISY_GAME, backend=name) for name in ("python", backend))
    rng = np.random.default_rng(0)
    for seed in range(4):
        assert_same(other.reset(seed=seed), env.reset(seed=seed))
        while env.agents:
            for agent in env.agents:
                assert_same(other.observe(agent), env.observe(agent))
            actions = {agent: int(rng.integers(4)) for agent in env.agents}
            twins = [pickle.loads(pickle.dumps(other)), copy.deepcopy(env)]
            for twin in twins:
                assert_same({a: twin.observe(a) for a in env.agents}, {a: env.observe(a) for a in env.agents})
            expected = env.step(actions)
            for each in (other, *twins):
                assert_same(each.step(actions), expected)
                assert each.get_state() == env.get_state()
            twins[0].set_state(env.get_state())
            assert_same(twins[0].observe("red"), twins[0].observe("red"))
            assert twins[0].get_state() == env.get_state()


@pytest.mark.parametrize("backend", SINGLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_noise_in_batches_of_games__is_the_single_games(backend: str, threads: int) -> None:
    """Nothing is drawn for agents that are out, and what they saw last stays."""
    batch = griddsl.make_parallel_vec(NOISY_GAME, COUNT, backend=backend, num_threads=threads)
    games = [GridParallelEnv(NOISY_GAME, backend="python") for _ in range(COUNT)]
    seen = batch.reset(seed=5)[0]
    firsts = [game.reset(seed=5 + i)[0] for i, game in enumerate(games)]
    rng = np.random.default_rng(0)
    outs = 0
    for _ in range(80):
        for i, first in enumerate(firsts):
            for row, agent in enumerate(batch.possible_agents):
                if agent in first:
                    assert {name: seen[name][i, row] for name in seen} == first[agent]
        actions = rng.integers(0, 4, (COUNT, 3 if "green" in batch.possible_agents else 2))
        batch = pickle.loads(pickle.dumps(batch))
        seen = batch.step(actions)[0]
        firsts = []
        for i, game in enumerate(games):
            if game.agents:
                outs += len(game.agents) == 1
                given = {agent: int(actions[i, batch.possible_agents.index(agent)]) for agent in game.agents}
                firsts.append(game.step(given)[0])
            else:
                firsts.append(game.reset()[0])
    assert outs > 5


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_games__have_the_same_future_when_restored_or_copied(path: Path) -> None:
    """Every bundled game of several on the reference backend."""
    env = GridParallelEnv(path, backend="python")
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(12):
        if not env.agents:
            env.reset()
        before = env.get_state()
        env.set_state(before)
        assert env.get_state() == before
        twin = pickle.loads(pickle.dumps(env))
        actions = {agent: int(rng.integers(env.action_space(agent).n)) for agent in env.agents}  # type: ignore[attr-defined]
        assert_same(twin.step(actions), env.step(actions))
        assert twin.get_state() == env.get_state()


def test_solo_and_turns__see_noise_once_a_step() -> None:
    """A look at what was observed changes nothing of what comes."""
    envs = [griddsl.make_aec(NOISY_GAME + "turns: alternate\n", backend=name) for name in SINGLES]
    for env in (envs * 2)[:2]:
        env.reset(seed=1)
    for number in range(12):
        seen = [str(env.observe(env.agent_selection)) for env in envs for _ in range(number % 3 + 1)]
        assert len(set(seen)) == 1
        for env in envs:
            env.step(
                None if env.terminations[env.agent_selection] or env.truncations[env.agent_selection] else 1
            )
        if not envs[0].agents:
            break


def test_traced_play__sees_what_environments_see() -> None:
    """What is shown while somebody plays draws nothing, so a recorded seed is an environment's."""
    from griddsl.playing.traced import open_traced

    for source in (NOISY, NOISY_GAME):
        game = open_traced(source)
        game.begin(3)
        agent = game.program.players[0].name
        env: Any = GridEnv(source) if source is NOISY else GridParallelEnv(source)
        env.reset(seed=3)
        for _ in range(6):
            assert str(game.observe(agent)) == str(game.observe(agent))
            assert game.get_state() == env.get_state()
            move = (1,) * sum(len(player.groups) for player in game.program.players)
            game.play(move)
            env.step(1 if source is NOISY else dict.fromkeys(env.agents, 1))


def test_model__is_as_it_was() -> None:
    """A model draws what its argument says, and nothing else."""
    model = griddsl.make_model(compiled(NOISY_GAME))
    state = model.sample_initial_state(0)
    steps = [model.step(state, dict.fromkeys(state.agents, 1), 7) for _ in range(2)]
    assert_same(steps[0].observations, steps[1].observations)
