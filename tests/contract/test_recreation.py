"""An environment is made again elsewhere from its `EnvSpec`, which names no file of this machine."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec

import griddsl
from tests.typed import spec_of

SPEC = """\
env: test/Recreated-v0
param far: 4 in 2..9
generate: empty(far, 1)
setup:
    place agent at (0, 0)
    place goal at (far - 1, 0)
actions: left, right
observe: cell
on enter goal: end success
limit: 20 steps
"""


@pytest.fixture
def registered(tmp_path: Path) -> Iterator[Path]:
    """A file outside of griddsl whose id is registered."""
    file = tmp_path / "recreated.grid"
    file.write_text(SPEC)
    griddsl.register(file)
    yield file
    gym.registry.pop("test/Recreated-v0", None)


def written(env: gym.Env[Any, Any]) -> str:
    """Return all that an environment says of how it was made."""
    return spec_of(env).to_json() + repr(env.unwrapped.spec)


def made_elsewhere(text: str, folder: Path, **variables: str) -> list[Any]:
    """Make an environment from an `EnvSpec` as JSON in another process and folder; return what it is and observes."""
    code = (
        "import json, sys, gymnasium\n"
        "from gymnasium.envs.registration import EnvSpec\n"
        "env = gymnasium.make(EnvSpec.from_json(sys.stdin.read()))\n"
        "print(json.dumps([env.unwrapped.spec_model.id, str(env.observation_space), env.reset(seed=1)[0]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=text,
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def test_env_spec__holds_the_id(registered: Path) -> None:
    """Of bundled specs and of others, alone and in batches: no folder stands in it."""
    for spec_id in ("griddsl/FrozenLake-v0", "test/Recreated-v0"):
        env, batch = gym.make(spec_id), gym.make_vec(spec_id, num_envs=2)
        assert spec_of(env).kwargs == {"source": spec_id}
        for shown in (written(env), repr(batch.spec), repr(gym.spec(spec_id))):
            assert (
                os.sep + "tmp" not in shown and ".grid" not in shown and str(registered.parent) not in shown
            )


@pytest.mark.parametrize("form", ["path", "Path", "text", "model"])
def test_env_spec__of_any_spec_holds_its_text(form: str, registered: Path, tmp_path: Path) -> None:
    """``griddsl/Spec-v0`` takes a file, and its `EnvSpec` makes the same environment where no such file is."""
    given = {"path": str(registered), "Path": registered, "text": SPEC, "model": griddsl.load(registered)}[
        form
    ]
    env = gym.make("griddsl/Spec-v0", spec=given, far=7)
    assert str(tmp_path) not in written(env) and spec_of(env).kwargs == {"spec": SPEC, "far": 7}
    (tmp_path / "elsewhere").mkdir()
    registered.unlink()
    assert made_elsewhere(spec_of(env).to_json(), tmp_path / "elsewhere") == [
        "test/Recreated-v0",
        "Discrete(7)",
        0,
    ]


def test_env_spec__of_several_files_stays_as_it_was_given(tmp_path: Path) -> None:
    """The text alone says not all where levels or libraries are read from other files."""
    (tmp_path / "levels.txt").write_text("@..G\n")
    (tmp_path / "many.grid").write_text(
        'env: test/Many-v0\nmaps: "levels.txt"\nlegend: G = goal\nactions: right\n'
        "observe: cell\non enter goal: end success\nlimit: 9 steps\n"
    )
    env = gym.make("griddsl/Spec-v0", spec=str(tmp_path / "many.grid"))
    assert spec_of(env).kwargs == {"spec": str(tmp_path / "many.grid")}


def test_env_spec__makes_it_in_another_process(registered: Path, tmp_path: Path) -> None:
    """By the id alone, where griddsl is installed; and where the folder of the spec is another one."""
    env = gym.make("griddsl/FrozenLake-v0", level="8x8")
    assert made_elsewhere(spec_of(env).to_json(), tmp_path)[:2] == ["griddsl/FrozenLake-v0", "Discrete(64)"]
    moved = tmp_path / "moved"
    moved.mkdir()
    text = spec_of(gym.make("test/Recreated-v0", far=5)).to_json()
    registered.rename(moved / "other_name.grid")
    assert made_elsewhere(text, tmp_path, GRIDDSL_PATH=str(moved)) == ["test/Recreated-v0", "Discrete(5)", 0]


def test_env_spec__is_kept_by_copies_and_wrappers(registered: Path) -> None:
    """A pickled environment tells the same of itself; wrappers are part of what is told."""
    env = gym.make("griddsl/Spec-v0", spec=registered, max_episode_steps=7)
    copied = pickle.loads(pickle.dumps(env.unwrapped))
    assert copied.spec == env.unwrapped.spec
    wrapped = gym.wrappers.TransformReward(env, lambda reward: abs(float(reward)))
    again = gym.make(EnvSpec.from_json(spec_of(wrapped.unwrapped).to_json()))
    assert again.unwrapped.spec == env.unwrapped.spec


def test_policies__are_a_keyword_of_gym_make() -> None:
    """One learner in a game of several, by its id, alone and in Gymnasium's batches."""
    for env in (
        gym.make("griddsl/HurdleRace-v0", policies={"blue": "random"}),
        griddsl.make("griddsl/HurdleRace-v0", policies={"blue": "random"}),
    ):
        observation, info = env.reset(seed=3)
        assert observation in env.observation_space and info["outcome"] == ""
    batch = gym.make_vec(
        "griddsl/HurdleRace-v0", num_envs=2, vectorization_mode="sync", policies={"blue": "random"}
    )
    assert batch.reset(seed=3)[0].shape[0] == 2
    with pytest.raises(ValueError, match="python backend, not on 'native'"):
        griddsl.make("griddsl/HurdleRace-v0", policies={"blue": "random"}, backend="native")


@pytest.mark.parametrize(
    "name", ["griddsl/CliffWalking-v0", "griddsl:griddsl/CliffWalking-v0", "CliffWalking"]
)
def test_ids__are_sources_everywhere(name: str) -> None:
    """Whole, short, and with the module that registers them, as ``gym.make`` has it."""
    assert griddsl.make(name).spec_model.id == "griddsl/CliffWalking-v0"
    assert griddsl.make_vec(name, 2).spec_model.id == "griddsl/CliffWalking-v0"
    assert griddsl.to_mdp(name).n_states == griddsl.to_mdp("griddsl/CliffWalking-v0").n_states
    assert griddsl.make_model(name).spec_model.id == "griddsl/CliffWalking-v0"


def test_ids__of_a_module_that_is_not_there_are_answered() -> None:
    """The checker never raises; all else raises what is wrong as a `SpecError`."""
    (found,) = griddsl.check("no_such_package:mine/Coins-v0")
    assert found.message.startswith("`no_such_package` cannot be imported")
    with pytest.raises(griddsl.SpecError, match="there is no spec `griddsl:griddsl/ClifWalking-v0`"):
        griddsl.make("griddsl:griddsl/ClifWalking-v0")


def test_ids__import_the_module_before_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that knows no ids yet, such as a remote worker, finds those of a package."""
    package = tmp_path / "some_grids"
    package.mkdir()
    (package / "recreated.grid").write_text(SPEC)
    (package / "__init__.py").write_text(
        "import griddsl, pathlib\ngriddsl.register(pathlib.Path(__file__).parent)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert griddsl.make("some_grids:test/Recreated-v0").spec_model.id == "test/Recreated-v0"
    finally:
        gym.registry.pop("test/Recreated-v0", None)
