"""What is named is found: every function takes a path, a text, an id or a model, and answers a wrong name alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.exact.check.analysis import check_exactly

TEXT = (
    "env: test/Loaded-v0\nmap:\n    @.G\nlegend: G = goal\nactions: left, right\nobserve: cell\n"
    "on enter goal: end success\nlimit: 9 steps\n"
)
SEVERAL = TEXT.replace("map:\n    @.G", "agents: red, blue\nmap:\n    @@G")
DOORS: dict[str, Callable[[Any], Any]] = {
    "load": griddsl.load,
    "check": griddsl.check,
    "check_exactly": lambda source: check_exactly(source)[0],
    "make": griddsl.make,
    "make_vec": lambda source: griddsl.make_vec(source, 2),
    "make_model": griddsl.make_model,
    "make_parallel": griddsl.make_parallel,
    "make_aec": griddsl.make_aec,
    "make_parallel_vec": lambda source: griddsl.make_parallel_vec(source, 2),
    "to_mdp": griddsl.to_mdp,
    "evaluate": lambda source: griddsl.evaluate("random", source, episodes=1),
}
FOR_SEVERAL = ("make_parallel", "make_aec", "make_parallel_vec")


def answer(door: str, source: Any) -> list[Any]:
    """Return the diagnostics with which a door answers, raised or returned; none where it opens."""
    try:
        found = DOORS[door](source)
    except griddsl.SpecError as error:
        return error.diagnostics
    return found if isinstance(found, list) else []


@pytest.mark.parametrize("door", DOORS)
def test_doors__take_every_kind_of_source(door: str, tmp_path: Path) -> None:
    """A path as text or `Path`, a text, an id, whole and short, and a model open every door."""
    text = SEVERAL if door in FOR_SEVERAL else TEXT
    file = tmp_path / "loaded.grid"
    file.write_text(text, encoding="utf-8")
    named = "PredatorPrey" if door in FOR_SEVERAL else "CliffWalking"
    for source in (str(file), file, text, named, f"griddsl/{named}-v0", griddsl.load(text)):
        assert not [found.message for found in answer(door, source) if found.is_error]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("CliffWalkin", "did you mean `CliffWalking`?"),
        ("griddsl/CliffWalkin-v0", "did you mean `griddsl/CliffWalking-v0`?"),
        ("other/CliffWalking-v7", "did you mean `griddsl/CliffWalking-v0`?"),
        ("maze", "did you mean `maze.grid`?"),
        ("mazes.grid", "did you mean `maze.grid`?"),
        ("nowhere/at_all.grid", "there is no folder `nowhere`"),
        ("seaquest", "did you mean `MinAtar-Seaquest`?"),
        ("griddsl/space_invaders-v0", "did you mean `griddsl/MinAtar-SpaceInvaders-v1`?"),
        ("babyai", "`griddsl list babyai` shows the ids with that in them"),
        ("xyzzy", "`griddsl list` shows the ids"),
    ],
)
def test_doors__answer_a_wrong_name_with_near_ones(
    door: str, name: str, help: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is neither a file nor an id is said to be that, with the ids or files it nearly is."""
    (tmp_path / "maze.grid").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (found,) = answer(door, name)
    assert found.code == "unreadable"
    assert found.message.startswith("there is no ")
    assert found.help == help


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("source", [5, b"env: a/B-v0", ["a.grid"], {"env": "a/B-v0"}, 1.5])
def test_doors__say_what_a_spec_can_be(door: str, source: Any) -> None:
    """What is neither path, text, id nor model is refused in words, whatever its type."""
    with pytest.raises(
        TypeError, match=f"a spec is a path, a text, an id or a GridSpec, not {type(source).__name__}"
    ):
        DOORS[door](source)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("count", ["3", None, 2.0, 0, -1])
def test_batches__say_how_many_they_can_be(several: bool, count: Any) -> None:
    """A number of environments, or of threads, is a whole number, 1 or more."""
    make: Any = griddsl.make_parallel_vec if several else griddsl.make_vec
    for name in ("num_envs", "num_threads"):
        with pytest.raises((TypeError, ValueError), match=f"`{name}` is (a whole number|1 or more), not "):
            make(SEVERAL if several else TEXT, **{"num_envs": 2, name: count})


def test_load__takes_the_file_before_the_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is called like an id is the file."""
    (tmp_path / "CliffWalking").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert griddsl.load("CliffWalking").id == "test/Loaded-v0"


def test_check__takes_a_compiled_model_with_other_parameters() -> None:
    """A model is checked with the parameters that are given."""
    spec = griddsl.load(TEXT.replace("limit: 9", "param n: 9 in 1..9\nlimit: n"))
    assert griddsl.check(spec, n=3) == []
    assert [found.code for found in griddsl.check(spec, n=30)] == ["param-value"]


@pytest.mark.parametrize(
    ("given", "message", "help"),
    [
        ({"n": "7"}, "`n='7'` is not in 1..9", "it is a text, and a number is needed: `n=7`"),
        ({"n": "70"}, "`n='70'` is not in 1..9", "it is a text, and a number is needed"),
        ({"n": "seven"}, "`n='seven'` is not in 1..9", "it is a text, and a number is needed"),
        ({"n": True}, "`n=True` is not in 1..9", "it is a truth value, and a number is needed"),
        ({"n": None}, "`n=None` is not in 1..9", "a number is needed"),
        ({"n": 7.5}, "`n=7.5` is not in 1..9", "a whole number is needed"),
        ({"n": 70}, "`n=70` is not in 1..9", None),
        ({"p": "0.5"}, "`p='0.5'` is not in 0..1", "it is a text, and a number is needed: `p=0.5`"),
        ({"p": float("nan")}, "`p=nan` is not in 0..1", None),
        ({"side": "wst"}, "`side=wst` is not in east | west", "did you mean `west`?"),
        ({"side": 1}, "`side=1` is not in east | west", "a word is needed, as a text"),
    ],
)
def test_a_parameter_of_another_kind__is_told_what_is_needed(
    given: dict[str, Any], message: str, help: str | None
) -> None:
    """Where a value is no number of the domain because it is none at all, it is said so."""
    declared = "param n: 9 in 1..9\nparam p: 0.5 in 0..1\nparam side: east in east | west\n"
    (found,) = griddsl.check(griddsl.load(TEXT.replace("limit: 9", f"{declared}limit: n")), **given)
    assert (found.code, found.message, found.help) == ("param-value", message, help)
