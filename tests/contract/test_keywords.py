"""A keyword that nothing takes is answered as Python answers it, wherever keywords are parameters of a spec."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.curriculum import CurriculumVectorEnv, LevelReplay, VariantEnv, VariantReplay
from griddsl.diagnostics import SpecError, UnexpectedKeyword
from griddsl.spec.taken_names import CALLS, call_that_takes
from griddsl.text import TextGame, levels_between, make_text
from griddsl.training import score, train

LAKE, RACE = "griddsl/FrozenLake-v0", "griddsl/HurdleRace-v0"
LAKE_FILE = griddsl.make(LAKE).spec_model.source.name
DOORS: dict[str, Callable[..., Any]] = {
    "gym.make": lambda **params: gym.make(LAKE, **params),
    "gym.make policies": lambda **params: gym.make(RACE, policies={"blue": "random"}, **params),
    "gym.make_vec": lambda **params: gym.make_vec(LAKE, num_envs=2, **params),
    "gym.make_vec sync": lambda **params: gym.make_vec(LAKE, num_envs=2, vectorization_mode="sync", **params),
    "load": lambda **params: griddsl.load(griddsl.load(LAKE_FILE).source.text, **params),
    "make": lambda **params: griddsl.make(LAKE, **params),
    "make policies": lambda **params: griddsl.make(RACE, policies={"blue": "random"}, **params),
    "make_vec": lambda **params: griddsl.make_vec(LAKE, 2, **params),
    "make_parallel": lambda **params: griddsl.make_parallel(RACE, **params),
    "make_aec": lambda **params: griddsl.make_aec(RACE, **params),
    "make_parallel_vec": lambda **params: griddsl.make_parallel_vec(RACE, 2, **params),
    "make_model": lambda **params: griddsl.make_model(RACE, **params),
    "to_mdp": lambda **params: griddsl.to_mdp(LAKE, **params),
    "train": lambda **params: train(LAKE, learner="tabular", steps=1, **params),
    "score": lambda **params: score("random", LAKE, **params),
    "make_text": lambda **params: make_text(LAKE, **params),
    "TextGame": lambda **params: TextGame(LAKE, **params),
    "levels_between": lambda **params: levels_between(LAKE, 1, 9, 1, **params),
    "CurriculumVectorEnv": lambda **params: CurriculumVectorEnv(LAKE, 2, curriculum=LevelReplay(), **params),
    "VariantEnv": lambda **params: VariantEnv(LAKE, VariantReplay([{}]), **params),
    "evaluate": lambda **params: griddsl.evaluate("random", LAKE, **params),
}


@pytest.mark.parametrize("door", DOORS)
def test_unknown_keyword__is_a_type_error_in_pythons_words(door: str) -> None:
    """TorchRL, for one, tries ``frameskip`` with every environment, and looks for just these words."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as caught:
        DOORS[door](frameskip=4)
    assert isinstance(caught.value, SpecError) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("door", "given", "near"),
    [
        ("gym.make", "slipery", "slippery"),
        ("gym.make", "rendermode", "render_mode"),
        ("gym.make_vec", "num_thread", "num_threads"),
        ("gym.make_vec", "succes_rate", "success_rate"),
        ("load", "slipery", "slippery"),
        ("make", "back_end", "backend"),
        ("make", "policy", "policies"),
        ("make", "obsevation", "observation"),
        ("gym.make_vec", "observations", "observation"),
        ("make_parallel", "rendermode", "render_mode"),
        ("make_aec", "rendermode", "render_mode"),
        ("make_parallel_vec", "nthreads", "num_threads"),
        ("to_mdp", "max_state", "max_states"),
        ("evaluate", "episode", "episodes"),
        ("train", "stesp", "steps"),
        ("score", "episode", "episodes"),
        ("make_text", "max_turn", "max_turns"),
        ("TextGame", "max_turn", "max_turns"),
        ("levels_between", "firstseed", "first_seed"),
        ("CurriculumVectorEnv", "num_thread", "num_threads"),
        ("VariantEnv", "obsevation", "observation"),
    ],
)
def test_unknown_keyword__is_answered_with_the_near_one(door: str, given: str, near: str) -> None:
    """Those of the function count as well as those of the spec."""
    with pytest.raises(TypeError, match=f"'{given}'. Did you mean '{near}'") as caught:
        DOORS[door](**{given: 1})
    assert not isinstance(caught.value, AttributeError)


def test_unknown_keyword__is_answered_with_all_where_none_is_near() -> None:
    """The keywords that there are stand in the error, each once."""
    with pytest.raises(TypeError, match=r"it takes 'level', 'observation', 'slippery', 'success_rate'$"):
        griddsl.make_model(LAKE, frameskip=4)


def test_unexpected_keyword__crosses_processes() -> None:
    """Asynchronous batches pickle the errors of their workers."""
    with pytest.raises(UnexpectedKeyword) as caught:
        griddsl.make(LAKE, slipery=True)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics[0].code == "unknown-param"


def test_taken_names__are_the_arguments_of_the_doors() -> None:
    """A parameter that Python's functions cannot be given by its name is told, whichever of them has an argument so."""
    doors: list[Callable[..., Any]] = [gym.make, gym.make_vec, griddsl.make, griddsl.GridEnv]
    doors += [griddsl.make_vec, griddsl.GridVectorEnv, griddsl.to_mdp, griddsl.evaluate, griddsl.load]
    doors += [griddsl.make_parallel, griddsl.make_aec, griddsl.make_parallel_vec, griddsl.make_model]
    given = [each for door in doors for each in signature(door).parameters.values()]
    named = {each.name for each in given if each.kind in {each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD}}
    assert named | {"observation"} == {name for names in CALLS.values() for name in names}
    assert call_that_takes("size") is None


SMALL = """
env: tests/Names-v0
param {name}: 1 in 1..9
generate: empty(3, 1)
setup:
    place agent at (0, 0)
    place goal at (2, 0)
actions: left, right
observe: cell
on enter goal: reward {name}, end success
limit: 9 steps
"""


@pytest.mark.parametrize("door", ["load", "to_mdp", "evaluate", "make_model", "check"])
def test_source__may_be_the_name_of_a_parameter(door: str) -> None:
    """What is given by its place leaves its name to the spec."""
    text = SMALL.format(name="source")
    if door == "evaluate":
        assert griddsl.evaluate("optimal", text, episodes=2, source=7).optimum == 7
    else:
        getattr(griddsl, door)(text, source=7)


@pytest.mark.parametrize("door", ["make", "GridEnv", "make_parallel", "make_aec"])
def test_source__can_be_given_by_its_name_where_environments_are_made(door: str) -> None:
    """Registries and configurations of frameworks hold all that makes an environment by name."""
    named = "griddsl/CliffWalking-v0" if door in {"make", "GridEnv"} else "griddsl/PredatorPrey-v0"
    env = getattr(griddsl, door)(source=named)
    env.reset(seed=0)
    env.close()


VERBS: dict[str, tuple[str, ...]] = {
    "run": ("--actions", "right,right"),
    "solve": (),
    "evaluate": ("--policy", "optimal", "--episodes", "2"),
    "train": ("--with", "tabular", "--steps", "200", "--episodes", "2"),
    "show": (),
    "export": ("--to", "names.html"),
    "check": ("--exact",),
}


@pytest.mark.parametrize("verb", VERBS)
def test_command_line__takes_parameters_of_all_names(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No name of a parameter is that of an argument inside, and what is given is what is played."""
    monkeypatch.chdir(tmp_path)
    names = [
        "spec",
        "seed",
        "source",
        "params",
        "max_states",
        "progress",
        "steps",
        "backend",
        "episodes",
        "vary",
        "name",
    ]
    for name in names:
        Path("names.grid").write_text(SMALL.format(name=name), encoding="utf-8")
        found = CliRunner().invoke(app, [verb, "names.grid", *VERBS[verb], "--param", f"{name}=7"])
        assert found.exit_code == 0, (name, found.output, found.exception)
        if verb in {"run", "solve", "evaluate", "train"}:
            assert "7" in found.output, (name, found.output)
        wrong = CliRunner().invoke(app, [verb, "CliffWalking", *VERBS[verb], "--param", f"{name}=3"])
        if name != "episodes":
            assert wrong.exit_code == 1 and f"the spec has no parameter `{name}`" in wrong.output


def test_train__refuses_a_parameter_in_the_place_of_forms(tmp_path: Path) -> None:
    """A learner asks for a form of observations, which a parameter of that name would be given."""
    file = tmp_path / "names.grid"
    file.write_text(SMALL.format(name="observation"), encoding="utf-8")
    given = [
        "train",
        str(file),
        "--with",
        "tabular",
        "--param",
        "observation=4",
        "-o",
        str(tmp_path / "a.policy"),
    ]
    found = CliRunner().invoke(app, given)
    assert found.exit_code != 0 and "no form of observation can be asked for" in found.output


def test_command_line__evaluates_trials(tmp_path: Path) -> None:
    """`episodes` of a spec that draws once makes trials of it, and the option says how many of those are played."""
    file = tmp_path / "trials.grid"
    file.write_text(SMALL.format(name="prize").replace("setup:", "once:", 1), encoding="utf-8")
    given = ["evaluate", str(file), "--policy", "optimal", "--episodes", "4", "--param", "episodes=3"]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0 and "exactly   return 3" in found.output, found.output


def test_check__says_it_of_the_spec() -> None:
    """Checking never raises: there it is a diagnostic like any other."""
    assert [found.code for found in griddsl.check(LAKE_FILE, slipery=True)] == ["unknown-param"]
