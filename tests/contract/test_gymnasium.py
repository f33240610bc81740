"""Every spec is an environment as Gymnasium, Stable-Baselines3 and their users expect one."""

from __future__ import annotations

import copy
import importlib.util
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import griddsl
from griddsl.checking import checked
from griddsl.diagnostics import SpecError
from griddsl.envs.single.grid_env import GridEnv
from griddsl.wrappers import NetworkObservation
from tests.contract.every_spec import SINGLE, every_single, every_spec, same, spec_id_of

STEPS = 60
TEXT_SPEC = """\
env: test/Written-v0
    "Walk along a line."
map:
    @..G
legend: G = goal
actions: left, right
observe: board = text, here = cell
on enter goal: reward 1, end success
limit: 20 steps
"""


@every_spec
def test_check__says_nothing(path: Path) -> None:
    """A bundled spec has no errors and no warnings; its variants are made in the tests of their families."""
    assert checked(path, {}, with_variants=False) == []


@every_spec
def test_spec__is_named_after_its_id(path: Path) -> None:
    """A file holds the environment that its name promises, with a description."""
    model = griddsl.load(path)
    name = model.id.removeprefix("griddsl/").rpartition("-v")[0]
    version = (
        path.stem.removesuffix("_v0") if model.id.endswith("-v0") else path.stem
    )  # beside one of version 1
    assert name.lower().replace("-", "") == version.replace("_", "")
    assert model.description


@every_single
def test_check_env__accepts_it(path: Path) -> None:
    """Gymnasium's checker accepts it without a warning, and renders every mode it declares."""
    check_env(gym.make(spec_id_of(path)).unwrapped)


@every_single
@pytest.mark.skipif(
    importlib.util.find_spec("stable_baselines3") is None, reason="stable_baselines3 is not installed"
)
def test_stable_baselines__accepts_it(path: Path) -> None:
    """Stable-Baselines3's checker accepts it without a warning: as numbers, and as it is or in `NetworkObservation`."""
    from stable_baselines3.common.env_checker import check_env as check

    env: Any = gym.make(spec_id_of(path)).unwrapped
    wrapped = NetworkObservation(env)
    check(env if wrapped.observation_space == env.observation_space else wrapped)
    check(gym.make(spec_id_of(path), observation="network").unwrapped)


KEPT = {
    *("cliff_walking", "cliff_world_tutorial", "conveyor", "four_rooms", "frozen_lake", "frozen_lake_random"),
    *(
        "goal_room",
        "grid_world",
        "ice_sliding",
        "meta_maze",
        "pocman",
        "portals",
        "random_maze",
        "rock_sample",
    ),
    *("t_maze", "taxi", "windy_gridworld", "windy_gridworld_kings"),
}


@every_single
def test_stable_baselines__takes_specs_of_numbers_as_they_are(path: Path) -> None:
    """The wrapper changes only what has texts and boards in it, so that the check above says something of the specs."""
    env = griddsl.make(path, backend="python")
    kept = NetworkObservation(env).observation_space == env.observation_space
    assert kept == (path.stem in KEPT)


@every_single
def test_render__gives_what_its_mode_says(path: Path) -> None:
    """``rgb_array`` gives pixels, ``ansi`` a text, before and after steps."""
    for mode in ("rgb_array", "ansi"):
        env = griddsl.make(path, render_mode=mode)
        env.reset(seed=0)
        for _ in range(3):
            frame = env.render()
            if mode == "ansi":
                assert isinstance(frame, str) and frame.count("\n") == env.program.height - 1
            else:
                assert frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3
            env.step(env.action_space.sample())
        env.close()


@every_single
def test_observation__lies_in_its_space(path: Path) -> None:
    """Over random steps and several episodes, every observation is in the space, every flag a bool."""
    env = griddsl.make(path)
    env.action_space.seed(0)
    observation, _ = env.reset(seed=0)
    for _ in range(STEPS):
        assert observation in env.observation_space
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert type(reward) is float and type(terminated) is bool and type(truncated) is bool
        if terminated or truncated:
            assert observation in env.observation_space
            observation, _ = env.reset()


@every_single
def test_mask__never_forbids_everything(path: Path) -> None:
    """In every state some action is allowed, the masks agree, and a sampled allowed action is carried out."""
    env = griddsl.make(path)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    for _ in range(STEPS):
        mask = env.action_masks()
        assert mask.dtype == np.bool_ and mask.any()
        assert mask.shape == (sum(len(group.actions) for group in env.program.groups),)
        if "action_mask" in info:
            assert info["action_mask"].dtype == np.int8 and (info["action_mask"] == mask).all()
        if isinstance(env.action_space, gym.spaces.Discrete):
            action = int(rng.choice(np.flatnonzero(mask)))
        else:
            action = env.action_space.sample()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()


def trace(env: Any, actions: list[Any]) -> list[Any]:
    """Take steps; return all that they gave, and the state after them."""
    found: list[Any] = []
    for action in actions:
        step = env.step(action)
        found.append(step)
        if step[2] or step[3]:
            found.append(env.reset())
    return [*found, env.get_state()]


def some_actions(env: Any, count: int = 25) -> list[Any]:
    """Return actions of the space, always the same."""
    env.action_space.seed(4)
    return [env.action_space.sample() for _ in range(count)]


@every_single
def test_state__restores_the_same_future(path: Path) -> None:
    """Setting the state it has changes nothing; an environment put into it lives the same future."""
    env, other = griddsl.make(path), griddsl.make(path)
    env.reset(seed=3)
    other.reset(seed=99)
    actions = some_actions(env)
    trace(env, actions[:5])
    state = env.get_state()
    assert hash(state) == hash(pickle.loads(pickle.dumps(state)))
    env.set_state(state)
    assert env.get_state() == state
    other.set_state(state)
    assert same(env._observe(), other._observe()) and env.get_state() == state
    future = trace(env, actions[5:])
    assert same(tuple(future), tuple(trace(other, actions[5:])))
    env.set_state(state)
    assert same(tuple(future), tuple(trace(env, actions[5:])))


@every_single
def test_copy__lives_the_same_future(path: Path) -> None:
    """Pickled or deep-copied, before its reset and in an episode, an environment behaves as before."""
    fresh = griddsl.make(path)
    actions = some_actions(fresh)
    for copied in (pickle.loads(pickle.dumps(fresh)), copy.deepcopy(fresh)):
        with pytest.raises(gym.error.ResetNeeded, match="reset"):
            copied.render()
        with pytest.raises(gym.error.ResetNeeded, match="reset"):
            copied.step(actions[0])
        original = griddsl.make(path)
        assert same(original.reset(seed=5), copied.reset(seed=5))
        assert same(tuple(trace(original, actions)), tuple(trace(copied, actions)))
    fresh.reset(seed=6)
    trace(fresh, actions[:5])
    copies = [pickle.loads(pickle.dumps(fresh)), copy.deepcopy(fresh)]
    future = trace(fresh, actions[5:])
    for copied in copies:
        assert copied.observation_space == fresh.observation_space
        assert same(tuple(future), tuple(trace(copied, actions[5:])))


@every_single
def test_make__finds_it_by_its_id(path: Path) -> None:
    """``gym.make`` makes it by its id, and with the module before the id."""
    spec_id = spec_id_of(path)
    for name in (spec_id, f"griddsl:{spec_id}"):
        env = gym.make(name)
        assert isinstance(env.unwrapped, GridEnv)
        assert env.reset(seed=0)[0] in env.observation_space
        env.close()


@every_single
def test_make_vec__makes_a_batch(path: Path) -> None:
    """A batch made by ``sync`` gives each environment's own observations."""
    batch = gym.make_vec(spec_id_of(path), num_envs=2, vectorization_mode="sync")
    single = gym.make(spec_id_of(path))
    observations, _ = batch.reset(seed=8)
    alone, _ = single.reset(seed=9)
    second = next(iter(list(gym.vector.utils.iterate(batch.observation_space, observations))[1:]))
    assert same_values(second, alone)
    batch.step(batch.action_space.sample())
    batch.close()


def same_values(first: Any, second: Any) -> bool:
    """Whether two observations have equal values."""
    if isinstance(first, dict):
        return all(same_values(first[key], second[key]) for key in second)
    if isinstance(first, tuple):
        return all(map(same_values, first, second))
    return bool(np.all(first == second))


@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX warns of forks, where a test beside has it
@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_make_vec__runs_in_processes(context: str) -> None:
    """A batch in other processes, forked or spawned, gives what one in this process gives."""
    ids: dict[str, Any] = {"vectorization_mode": "async", "vector_kwargs": {"context": context}}
    other = gym.make_vec("griddsl/FrozenLake-v0", num_envs=2, success_rate=0.6, **ids)
    here = gym.make_vec("griddsl/FrozenLake-v0", num_envs=2, success_rate=0.6, vectorization_mode="sync")
    try:
        assert (other.reset(seed=1)[0] == here.reset(seed=1)[0]).all()
        for action in ([1, 1], [2, 1], [1, 2], [2, 2]):
            for theirs, ours in zip(
                other.step(np.array(action))[:4], here.step(np.array(action))[:4], strict=True
            ):
                assert (theirs == ours).all()
    finally:
        other.close()
        here.close()


def test_make_vec__observes_texts_without_shared_memory() -> None:
    """A ``Text`` in a ``Dict`` crosses processes when it is pickled; Gymnasium's shared memory cannot hold it."""
    batch = gym.make_vec(
        "griddsl/Spec-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": False, "context": "spawn"},
        spec=TEXT_SPEC,
    )
    try:
        observations, _ = batch.reset(seed=0)
        assert observations["board"] == ("@..G", "@..G")
        observations, _, _, _, _ = batch.step(np.array([1, 0]))
        assert observations["board"] == (".@.G", "@..G")
    finally:
        batch.close()


def test_spec_id__takes_any_spec(tmp_path: Path) -> None:
    """``griddsl/Spec-v0`` makes the environment of a file, and of a text."""
    file = tmp_path / "written.grid"
    file.write_text(TEXT_SPEC)
    for given in (str(file), TEXT_SPEC):
        env = gym.make("griddsl/Spec-v0", spec=given)
        assert env.reset(seed=0)[0]["board"] == "@..G"


def test_params__are_keywords() -> None:
    """Parameters and the level are keywords of ``gym.make``."""
    env = gym.make("griddsl/FrozenLake-v0", level="8x8", slippery=False)
    assert env.observation_space == gym.spaces.Discrete(64)
    env.reset(seed=0)
    assert env.step(1)[0] == 8
    assert gym.make("griddsl/RandomMaze-v0", size=100).reset(seed=0)[0].shape == (85,)


@pytest.mark.parametrize(
    ("params", "code", "words"),
    [
        ({"success_rate": 2}, "param-value", "`success_rate=2` is not in 0..1"),
        ({"slippery": "yes"}, "param-value", "`slippery=yes` is not in"),
        ({"level": "9x9"}, "unknown-level", "9x9"),
        ({"success_rate": float("nan")}, "param-value", "success_rate"),
    ],
)
def test_params__that_do_not_fit_are_refused(params: dict[str, Any], code: str, words: str) -> None:
    """A parameter that is out of its domain is a `SpecError` that names it."""
    with pytest.raises(SpecError, match=words) as caught:
        gym.make("griddsl/FrozenLake-v0", **params)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


@pytest.mark.parametrize("level", ["x", 3, 0])
def test_level__of_a_generated_map_is_refused(level: Any) -> None:
    """Where a map is generated there is none to choose by its name, and the level is not passed over."""
    with pytest.raises(SpecError, match=f"there is no map `{level}`") as caught:
        griddsl.make("griddsl/RandomMaze-v0", level=level)
    assert "its map is generated" in str(caught.value.diagnostics[0].help)
    assert griddsl.make("griddsl/RandomMaze-v0", level="random").program.levels == (None,)


def test_backend__that_does_not_exist_is_refused() -> None:
    """Asking for a backend that there is not names those that there are."""
    with pytest.raises(ValueError, match="choose one of auto"):
        griddsl.make(SINGLE[0], backend="quantum")


def test_register__takes_a_folder(tmp_path: Path) -> None:
    """`griddsl.register` registers what a folder holds, with its step limit, and returns the ids."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "written.grid").write_text(TEXT_SPEC)
    (tmp_path / "notes.txt").write_text("nothing")
    try:
        assert griddsl.register(tmp_path) == ["test/Written-v0"]
        assert gym.spec("test/Written-v0").max_episode_steps == 20
        assert gym.make("test/Written-v0").reset(seed=0)[0]["here"] == 0
    finally:
        gym.registry.pop("test/Written-v0", None)


def test_register__needs_a_spec(tmp_path: Path) -> None:
    """What is missing, or names no id, is refused."""
    with pytest.raises(FileNotFoundError, match="there is no spec"):
        griddsl.register(tmp_path / "nothing.grid")
    (tmp_path / "empty.grid").write_text("map:\n    @\n")
    with pytest.raises(ValueError, match="names no id"):
        griddsl.register(tmp_path / "empty.grid")


def test_path_variable__registers_folders(tmp_path: Path) -> None:
    """Specs on ``GRIDDSL_PATH`` have their ids once griddsl is imported, by the module form too."""
    (tmp_path / "written.grid").write_text(TEXT_SPEC)
    code = "import gymnasium as gym; print(gym.make('griddsl:test/Written-v0').reset(seed=0)[0]['board'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GRIDDSL_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "@..G\n"), done.stderr


def test_path_variable__tells_of_what_it_cannot_use(tmp_path: Path) -> None:
    """What is wrong on ``GRIDDSL_PATH`` is a warning: it keeps nobody from importing Gymnasium."""
    os.mkfifo(tmp_path / "pipe.grid")
    (tmp_path / "empty.grid").write_text("map:\n    @\n")
    (tmp_path / "waiting").mkdir()
    places = [tmp_path / name for name in ("", "pipe.grid", "empty.grid", "gone", "waiting")]
    code = "import griddsl, gymnasium as gym; assert 'griddsl/CliffWalking-v0' in gym.registry"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GRIDDSL_PATH": os.pathsep.join(map(str, places))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (
        done.stderr.count("GRIDDSL_PATH: ") == 3
        and "pipe.grid" in done.stderr
        and "names no id" in done.stderr
    )


@every_single
def test_convert__keeps_the_model(path: Path) -> None:
    """From ``.grid`` to ``.toml`` and back, a spec says the same: equal programs, equal text in canonical layout."""
    from griddsl.diagnostics import Report
    from griddsl.source import Source
    from griddsl.syntax.formatting.convert import to_grid, to_toml
    from griddsl.syntax.reader import read_document

    report = Report()
    text = path.read_text(encoding="utf-8")
    toml = to_toml(read_document(Source(str(path), text), report))
    again = to_grid(read_document(Source(str(path.with_suffix(".toml")), toml), report))
    assert not report.has_errors
    folder = path.parent
    programs = []
    for ending, written in ((".grid", text), (".toml", toml), (".grid", again)):
        file = folder / f"{path.stem}{ending}"
        programs.append(_program(file, written))
    assert programs[0] == programs[1] == programs[2]


def _program(file: Path, text: str) -> str:
    from griddsl.compiler import lower_spec
    from griddsl.diagnostics import Report
    from griddsl.source import Source
    from griddsl.spec.build import build
    from griddsl.syntax.reader import read_document

    report = Report()
    spec = build(read_document(Source(str(file), text), report), report, file.parent)
    assert spec is not None and not report.has_errors
    program = lower_spec(spec, report)[1]
    assert program is not None
    lines = program.source().split("\n")
    code = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    # Where a clause stands in its file differs, and nothing else may.
    return re.sub(r"(SetupFailure\('[a-z-]+'), \d+, \d+", r"\1", code)


@pytest.mark.parametrize("name", ["num_envs", "num_threads"])
@pytest.mark.parametrize("make", ["make_vec", "make_parallel_vec"])
def test_counts__of_a_batch_are_no_truth_values(make: str, name: str) -> None:
    """True is a whole number to Python, and no count of environments."""
    spec = "griddsl/CliffWalking-v0" if make == "make_vec" else "griddsl/Tag-v0"
    for value in (True, np.True_, 2.0, None):
        with pytest.raises(TypeError, match=f"`{name}` is a whole number, not {value!r}"):
            getattr(griddsl, make)(spec, **{"num_envs": 2, name: value})


def test_actions__may_be_truth_values_and_have_no_sign() -> None:
    """True and False are 1 and 0 to one environment and to a batch; a number too large is told as it was given."""
    env, batch = griddsl.make("griddsl/CliffWalking-v0"), griddsl.make_vec("griddsl/CliffWalking-v0", 3)
    env.reset(seed=0)
    batch.reset(seed=0)
    assert [env.step(action)[0] for action in (False, np.True_)] == [24, 25]
    assert batch.step([False, False, True])[0].tolist() == [24, 24, 36]
    assert batch.step(np.array([True, True, False]))[0].tolist() == [25, 25, 24]
    with pytest.raises(ValueError, match="there is no action 9223372036854775808"):
        batch.step(np.array([1, 2**63, 0], np.uint64))
    games = griddsl.make_parallel_vec("griddsl/Tag-v0", 2)
    games.reset(seed=0)
    drawn = games.sampled_actions(0)
    chosen = drawn if isinstance(drawn, dict) else {"": drawn}
    flags = {kind: actions % 2 == 1 for kind, actions in chosen.items()}
    assert games.step(flags if isinstance(drawn, dict) else flags[""])
    huge = {kind: np.full(actions.shape, 2**63, np.uint64) for kind, actions in chosen.items()}
    with pytest.raises(ValueError, match=r"\[9223372036854775808\] of game 0 is no action"):
        games.step(huge if isinstance(drawn, dict) else huge[""])
