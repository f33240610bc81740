"""A keyword that nothing takes is answered as Python answers it, wherever keywords are parameters of a spec."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

import griddsl
from griddsl.curriculum import CurriculumVectorEnv, LevelReplay, VariantEnv, VariantReplay
from griddsl.diagnostics import SpecError, UnexpectedKeyword
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


def test_check__says_it_of_the_spec() -> None:
    """Checking never raises: there it is a diagnostic like any other."""
    assert [found.code for found in griddsl.check(LAKE_FILE, slipery=True)] == ["unknown-param"]
