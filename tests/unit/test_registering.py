"""Registering: what `griddsl.register` takes, and what it refuses, with the reason."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import griddsl
from griddsl.registration.ids import spec_path
from tests.typed import spec_of

SPEC = """\
env: test/Given-v0
param far: 4 in 2..9
variant test/GivenFar-v0: far = 8, limit = 30
generate: empty(far, 1)
setup:
    place agent at (0, 0)
    place goal at (far - 1, 0)
actions: left, right
observe: cell
on enter goal: end success
limit: 20 steps
"""
IDS = ["test/Given-v0", "test/GivenFar-v0"]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What a test registers is forgotten behind it."""
    yield
    for spec_id in [*IDS, "test/Other-v0", "test/Crowd-v0"]:
        gym.registry.pop(spec_id, None)


def made_elsewhere(text: str) -> str:
    """Return the observation space of what another process makes of an `EnvSpec`."""
    code = (
        "import sys, gymnasium\nfrom gymnasium.envs.registration import EnvSpec\n"
        "print(gymnasium.make(EnvSpec.from_json(sys.stdin.read())).observation_space)"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()


def test_register__takes_a_text() -> None:
    """A text is registered under its id and those of its variants, each with its limit."""
    assert griddsl.register(SPEC) == IDS
    assert [str(gym.make(spec_id).observation_space) for spec_id in IDS] == ["Discrete(4)", "Discrete(8)"]
    assert [gym.spec(spec_id).max_episode_steps for spec_id in IDS] == [20, 30]
    assert str(griddsl.make("Given", far=5).observation_space) == "Discrete(5)"
    assert spec_path("test/Given-v0") is None
    env = gym.make("test/GivenFar-v0")
    assert pickle.loads(pickle.dumps(env)).observation_space == env.observation_space


def test_register__takes_a_model() -> None:
    """A `GridSpec` keeps its parameters, and others may be given; one for several is in PettingZoo's registry."""
    assert griddsl.register(griddsl.load(SPEC, far=6)) == IDS
    assert str(gym.make("test/Given-v0").observation_space) == "Discrete(6)"
    assert str(gym.make_vec("test/Given-v0", num_envs=2, far=3).observation_space) == "MultiDiscrete([3 3])"
    crowd = griddsl.load("griddsl/Tag-v0").model_copy(update={"id": "test/Crowd-v0"})
    assert griddsl.register(crowd) == ["test/Crowd-v0"]
    pettingzoo: Any = pytest.importorskip("pettingzoo")
    if hasattr(pettingzoo, "parallel_registry"):
        assert "test/Crowd-v0" in pettingzoo.parallel_registry


def test_register__of_a_model_that_was_changed_keeps_the_change() -> None:
    """What its text does not say any more is not read from it."""
    changed = griddsl.load(SPEC).model_copy(update={"id": "test/Other-v0", "variants": ()})
    assert griddsl.register(changed) == ["test/Other-v0"]
    assert gym.make("test/Other-v0").unwrapped.spec_model.id == "test/Other-v0"  # type: ignore[attr-defined]
    assert spec_of(gym.make("test/Other-v0")).kwargs == {"source": "test/Other-v0"}


def test_env_spec__of_a_text_or_a_model_makes_it_elsewhere() -> None:
    """Another process, which does not know the id, makes the same of the `EnvSpec`, with the parameters."""
    griddsl.register(griddsl.load(SPEC, far=6))
    assert made_elsewhere(spec_of(gym.make("test/Given-v0")).to_json()) == "Discrete(6)"
    by_spec = gym.make("griddsl/Spec-v0", spec=griddsl.load(SPEC, far=7))
    assert made_elsewhere(spec_of(by_spec).to_json()) == "Discrete(7)"


def test_register__returns_the_ids_of_what_is_registered(tmp_path: Path) -> None:
    """An id, whole, short or behind its module, is answered with its own ids; a near one with those near it."""
    for name in ("griddsl/CliffWalking-v0", "CliffWalking", "griddsl:griddsl/CliffWalking-v0"):
        assert griddsl.register(name) == ["griddsl/CliffWalking-v0"]
    griddsl.register(SPEC)
    assert (griddsl.register("Given"), griddsl.register("GivenFar")) == (IDS, IDS[1:])
    with pytest.raises(griddsl.SpecError, match="did you mean `CliffWalking`"):
        griddsl.register("CliffWalkin")
    (tmp_path / "game.grid").write_text(SPEC)
    assert griddsl.register(tmp_path / "game.grid") == IDS
    assert spec_path("Given") == tmp_path / "game.grid"  # a file replaces a text
    with pytest.raises(FileNotFoundError, match=r"did you mean `game\.grid`"):
        griddsl.register(str(tmp_path / "gme.grid"))


@pytest.mark.parametrize("given", [None, 3, b"", b"env"])
def test_register__says_what_a_spec_is(given: Any) -> None:
    """What can be no spec at all is a `TypeError`, which says what can."""
    with pytest.raises(
        TypeError, match=r"a spec is a path, a text, an id, a GridSpec or a folder of specs, not"
    ):
        griddsl.register(given)


@pytest.mark.parametrize("given", ["", " ", "\n"])
def test_register__refuses_an_empty_name(given: str) -> None:
    """An empty name asks which spec is meant: it is not this folder."""
    with pytest.raises(ValueError, match="which spec"):
        griddsl.register(given)


def test_register__refuses_a_text_with_errors() -> None:
    """A text that is no spec is an error with its place, and its id is not registered."""
    with pytest.raises(griddsl.SpecError, match="gaol"):
        griddsl.register(SPEC.replace("goal:", "gaol:"))
    assert "test/Given-v0" not in gym.registry


def test_register__refuses_a_folder_without_specs(tmp_path: Path) -> None:
    """A folder that holds none, be it empty or full of libraries, is an error that says what was looked for."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no spec in the folder .*empty: no file in it.* ends with \.grid"):
        griddsl.register(tmp_path / "empty")
    (tmp_path / "kinds.grid").write_text("object coin: portable\n")
    with pytest.raises(ValueError, match=r"no line `env: NAME-v0` is in kinds\.grid"):
        griddsl.register(tmp_path)


def test_register__says_that_patterns_are_not_looked_for(tmp_path: Path) -> None:
    """A pattern, which no shell has put files in the place of, is answered with the folder."""
    with pytest.raises(FileNotFoundError, match=r"no pattern is looked for; a folder brings all specs in it"):
        griddsl.register(tmp_path / "*.grid")


@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "notes"])
def test_register__refuses_files_that_are_no_specs(name: str, tmp_path: Path) -> None:
    """A page that shows a spec does not take its id."""
    before = griddsl.register("CliffWalking"), spec_path("CliffWalking")
    (tmp_path / name).write_text("# Notes\n\nenv: griddsl/CliffWalking-v0\n")
    for given in (tmp_path / name, str(tmp_path / name)):
        with pytest.raises(ValueError, match=r"is no spec: the name of one ends with \.grid or \.toml"):
            griddsl.register(given)
    assert (griddsl.register("CliffWalking"), spec_path("CliffWalking")) == before


def test_register__refuses_two_files_of_one_id(tmp_path: Path) -> None:
    """Both are named, and none of the folder is registered; a link to a file is no second one."""
    (tmp_path / "a.grid").write_text(SPEC)
    (tmp_path / "b.grid").symlink_to(tmp_path / "a.grid")
    griddsl.register(tmp_path)
    gym.registry.pop("test/Given-v0")
    (tmp_path / "c.grid").write_text(SPEC)
    with pytest.raises(ValueError, match=r"`test/Given-v0` is the id of two files: .*a\.grid and .*c\.grid"):
        griddsl.register(tmp_path)
    assert "test/Given-v0" not in gym.registry


def test_path_variable__warns_of_two_files_of_one_id(tmp_path: Path) -> None:
    """The first has the id, the second is left out, and the others of the folder are there."""
    for name, spec_id in (("a", "test/Given-v0"), ("b", "test/Given-v0"), ("c", "test/Other-v0")):
        text = SPEC.replace("test/Given-v0", spec_id).replace(
            "variant test/GivenFar-v0: far = 8, limit = 30\n", ""
        )
        (tmp_path / f"{name}.grid").write_text(text)
    code = "import gymnasium, griddsl; print(griddsl.registration.ids.spec_path('Given').name, griddsl.load('Other').id)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GRIDDSL_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["a.grid", "test/Other-v0"]
    assert "is the id of two files" in done.stderr and "b.grid, which is left out" in done.stderr
