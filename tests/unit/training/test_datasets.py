"""Datasets and replay: episodes as Minari keeps them, and played again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.training.dataset import record_dataset
from griddsl.training.failures import TrainingError
from griddsl.training.plays import Play, add_play, read_plays

pytestmark = [  # Minari leaves its temporary folders to the garbage collector
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
WALK = """
env: tests/Stroll-v0
param size: 4 in 2..9
generate: empty(size, 1)
setup:
    choose hue in red | blue
    place agent at random floor
    place goal at (size - 1, 0)
actions: left, right
allow left: agent.x > 0
mission: "go to the {hue} flag"
observe:
    cell = cell
    mission = mission
    picture = pixels 4
info: left_to_go = distance(agent, goal)
each step: reward -1
on enter goal: end success, info arrived = true
limit: 12 steps
"""


@pytest.fixture
def minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return Minari, with its datasets in a folder of the test."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return pytest.importorskip("minari")


@pytest.mark.parametrize("spec", ["griddsl/FrozenLake-v0", "griddsl/Fetch-v0", "griddsl/GoalRoom-v0", WALK])
def test_a_dataset__holds_infos_loads_by_id_and_is_played_again(
    spec: str, minari: Any, tmp_path: Path
) -> None:
    """What is read from disk is what the episodes showed, texts and pictures too, and names no path of this machine."""
    record_dataset(spec, "tests/some-v0", episodes=3, seed=7)
    dataset = minari.load_dataset("tests/some-v0")
    assert dataset.total_episodes == 3
    assert all(
        str(Path(griddsl.__file__).parent.parent) not in file.read_text(errors="ignore")
        for file in (tmp_path / "datasets").rglob("*")
        if file.is_file()
    )
    again = dataset.recover_environment()
    assert isinstance(again.unwrapped, griddsl.GridEnv)
    for number in range(3):
        found = griddsl.replay(dataset, number)
        assert found.seed == 7 + number and len(found.states) == len(found.rewards) + 1
        kept = dataset[number]
        assert np.allclose(kept.rewards, found.rewards)
        assert kept.terminations[-1] == found.terminated and kept.truncations[-1] == found.truncated
        assert len(kept.infos["is_success"]) == len(found.rewards) + 1
    assert found.save(tmp_path / "last.gif") == len(found.scenes)


def test_optimal_play__gets_the_reference_score(minari: Any) -> None:
    """The optimal policy's returns are the best there are, and the scores in the dataset are exact."""
    dataset = record_dataset(WALK, "tests/best-v0", policy="optimal", episodes=40, seed=0)
    returns = [float(episode.rewards.sum()) for episode in dataset.iterate_episodes()]
    score = dataset.storage.metadata["ref_max_score"]
    assert score == pytest.approx(-2.0) and dataset.storage.metadata["ref_min_score"] < score
    assert np.mean(returns) == pytest.approx(score, abs=0.5) and max(returns) == -1.0


def test_a_dataset_of_a_spec_that_changed__is_not_played_again(minari: Any) -> None:
    """A reward that differs is told with its step."""
    dataset = record_dataset(WALK, "tests/old-v0", episodes=1, seed=1)
    spec = dataset.spec.env_spec
    spec.kwargs["spec"] = spec.kwargs["spec"].replace("reward -1", "reward -2")
    dataset._data.metadata  # noqa: B018 (read before it is replaced)
    dataset.recover_environment = lambda: __import__("gymnasium").make(spec)
    with pytest.raises(TrainingError, match=r"step 1: the recorded reward is -1.*, and the game gives -2.0"):
        griddsl.replay(dataset)


def test_names_and_numbers__are_checked_before_anything_is_played(minari: Any) -> None:
    """A name that Minari does not take, one that is taken, and no episodes are refused."""
    with pytest.raises(TrainingError, match="no name of a dataset"):
        record_dataset(WALK, "no name")
    with pytest.raises(TrainingError, match="1 episode or more"):
        record_dataset(WALK, "tests/none-v0", episodes=0)
    with pytest.raises(TrainingError, match="a whole number, not '3'"):
        record_dataset(WALK, "tests/none-v0", episodes="3")  # type: ignore[arg-type]
    made = record_dataset(WALK, "tests/once-v0", episodes=1)
    with pytest.raises(TrainingError, match="is there already"):
        record_dataset(WALK, "tests/once-v0", episodes=1)
    with pytest.raises(TrainingError, match="no episode 1 among 1"):
        griddsl.replay(made, 1)


def test_plays_of_people__are_kept_replayed_and_recorded(
    minari: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`run --save` writes seeds and actions; they are the whole game, and become a dataset."""
    monkeypatch.chdir(tmp_path)
    Path("stroll.grid").write_text(WALK)
    run = CliRunner().invoke
    for seed in ("3", "4"):
        played = run(
            app, ["run", "stroll.grid", "--actions", "right,right,right", "--seed", seed, "--save", "p.jsonl"]
        )
        assert played.exit_code == 0, played.output
    plays = read_plays("p.jsonl")
    assert [play.seed for play in plays] == [3, 4]
    found = griddsl.replay("p.jsonl", 1, source="stroll.grid")
    assert found.terminated and found.infos[-1]["is_success"]
    made = run(app, ["dataset", "stroll.grid", "--policy", "p.jsonl", "--to", "tests/people-v0"])
    assert made.exit_code == 0, made.output
    assert "2 episodes" in made.output
    assert np.allclose(griddsl.replay("tests/people-v0", 1).rewards, found.rewards)
    other = run(app, ["dataset", "FrozenLake", "--policy", "p.jsonl", "--to", "tests/other-v0"])
    assert other.exit_code == 1 and "of another game" in other.output


def test_plays_without_minari__are_replayed_and_bad_lines_are_told(tmp_path: Path) -> None:
    """A file of plays needs nothing installed; a line that is none is told with its number."""
    file = tmp_path / "p.jsonl"
    add_play(file, WALK, {"size": 5}, 2, [(1,), (1,), (1,), (1,)])
    found = griddsl.replay(file, source=WALK)
    assert found.rewards == [-1.0] * len(found.rewards) and len(found.scenes) == len(found.actions) + 1
    with pytest.raises(TrainingError, match="of another game"):
        griddsl.replay(file, source=WALK.replace("-1", "-3"))
    file.write_text(file.read_text() + json.dumps({"seed": 1}) + "\n")
    with pytest.raises(TrainingError, match=r"p\.jsonl:2 is no play"):
        read_plays(file)
    file.write_text("")
    with pytest.raises(TrainingError, match="holds no play"):
        read_plays(file)


DAMAGED: list[tuple[dict[str, Any], str]] = [
    ({"spec": None}, r"p\.jsonl:1 is no play: its `spec` is null, and not a text"),
    ({"params": []}, r"p\.jsonl:1 is no play: its `params` is \[\], and not an object"),
    ({"params": {"size": [5]}}, r"p\.jsonl:1 is no play: its parameter `size` is \[5\]"),
    ({"params": {"size": 99}}, r"p\.jsonl:1 .*`size=99` is not in"),
    ({"seed": "x"}, r'p\.jsonl:1 is no play: its `seed` is "x", and not a whole number from 0 on'),
    ({"seed": -5}, r"p\.jsonl:1 is no play: its `seed` is -5"),
    ({"seed": True}, r"p\.jsonl:1 is no play: its `seed` is true"),
    ({"actions": None}, r"p\.jsonl:1 is no play: its `actions` is null, and not a list"),
    ({"actions": [1, "left"]}, r'p\.jsonl:1 is no play: its action 2 is "left"'),
    ({"actions": [1, 7]}, r"p\.jsonl:1: action 2 is 7, and an action here is one of Discrete\(2\)"),
    ({"actions": [[1, 1]]}, r"p\.jsonl:1: action 1 is \[1, 1\], and an action"),
    ({"actions": [1] * 1000}, r"p\.jsonl:1: the game is over after step \d+, and was recorded with 1000"),
    ({"more": 1}, r"p\.jsonl:1 is no play: it is no object of `spec`, `game`"),
]


@pytest.mark.parametrize(("change", "said"), DAMAGED)
def test_damaged_plays__are_told_with_their_line(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    """What is wrong in a line is an error that says where and what, before anything is played."""
    file = tmp_path / "p.jsonl"
    add_play(file, WALK, {"size": 5}, 2, [(1,), (1,), (1,), (1,)])
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(TrainingError, match=said):
        griddsl.replay(file, source=WALK)


def test_what_is_no_recording__is_told(tmp_path: Path) -> None:
    """An unknown id, a number of an episode that is none, a file that is not there, and what is no file at all."""
    file = tmp_path / "p.jsonl"
    add_play(file, WALK, {}, 2, [(1,)])
    with pytest.raises(TrainingError, match=r"p\.jsonl:1 is a play of .*there is no spec") as caught:
        griddsl.replay(str(file))
    assert caught.value.help == "`source` names the spec that was played"
    for episode in ("x", -1, 1, True):
        with pytest.raises(ValueError, match="episode"):
            griddsl.replay(file, episode, source=WALK)  # type: ignore[arg-type]
    for missing in ("gone.jsonl", "gone.json", tmp_path / "gone"):
        with pytest.raises(FileNotFoundError, match="gone"):
            griddsl.replay(missing)
    with pytest.raises(
        TypeError, match="a dataset of Minari, its name, or the path of a file of plays, not int"
    ):
        griddsl.replay(3)


def test_replay__of_a_joystick_is_what_was_played(tmp_path: Path) -> None:
    """A play holds numbers, and the environment is given where the joystick was moved to."""
    stick = WALK.replace("actions: left, right", "actions: joystick 4")
    file = tmp_path / "p.jsonl"
    add_play(file, stick, {}, 2, [(0,), (4,)])
    assert griddsl.replay(file, source=stick).captions[1:] == [
        "step 1: right, reward -1",
        "step 2: stay, reward -1",
    ]


def test_the_verb_replay__names_what_plays_plays(tmp_path: Path) -> None:
    """Plays are no recordings of pages, and the answer says where they are played again."""
    file = tmp_path / "p.jsonl"
    add_play(file, WALK, {}, 2, [(1,)])
    found = CliRunner().invoke(app, ["replay", str(file)])
    assert found.exit_code == 2 and "holds plays of `griddsl run --save`" in found.output
    assert "`griddsl.replay(" in found.output and "`griddsl dataset`" in found.output


@pytest.mark.parametrize("target", ["stroll.grid", "nowhere/p.jsonl", "/dev/full", "."])
def test_run__adds_plays_to_files_of_plays_alone(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no file of plays is refused before the game, and stays as it is."""
    monkeypatch.chdir(tmp_path)
    Path("stroll.grid").write_text(WALK)
    played = CliRunner().invoke(app, ["run", "stroll.grid", "--actions", "right", "--save", target])
    assert played.exit_code != 0 and "error: cannot" in played.output.replace("/dev/full is", "cannot"), (
        played.output
    )
    assert "reward" not in played.output and Path("stroll.grid").read_text() == WALK


def test_plays__stand_in_lines_of_their_own(tmp_path: Path) -> None:
    """A file whose last line was left open by an editor takes the next play in a new one."""
    file = tmp_path / "p.jsonl"
    add_play(file, WALK, {}, 2, [(1,)])
    file.write_text(file.read_text().rstrip())
    add_play(file, WALK, {}, 3, [(1,)])
    assert [play.seed for play in read_plays(file)] == [2, 3]


@pytest.mark.skipif("minari" in sys.modules, reason="Minari is loaded")
def test_without_minari__the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is said with how it is installed."""
    monkeypatch.setitem(sys.modules, "minari", None)
    with pytest.raises(ImportError, match=r"pip install 'griddsl\[data\]'"):
        record_dataset(WALK, "tests/x-v0")


SEVERAL = """\
env: a/Lanes-v0
agents: left_one, right_one
map:
    @..G
    @..G
legend: G = goal
actions: left, right
observe: position of agent
each step: reward -1
on enter goal: reward 10, out
limit: 9 steps
"""


def test_games_of_several__are_kept_by_agent(minari: Any) -> None:
    """A game of several is a dataset of Dicts by agent: who is out stays in it, and rewards are the sums."""
    ready = griddsl.load(SEVERAL)
    actions = [{"left_one": 1, "right_one": int(step > 1)} for step in range(5)]
    play = Play("a/Lanes-v0", "", {}, 3, actions)
    made = record_dataset(SEVERAL, "tests/lanes-v0", policy=[play], algorithm="people")
    episode = next(iter(minari.load_dataset("tests/lanes-v0").iterate_episodes()))
    assert made.total_steps == 5
    agents = list(made.spec.observation_space.spaces)
    assert agents == ["left_one", "right_one"] and set(episode.actions) == set(agents)
    for step in range(6):
        seen = {agent: episode.observations[agent][step] for agent in agents}
        assert seen in made.spec.observation_space
    paid = episode.infos["rewards"]
    assert episode.rewards.tolist() == [sum(paid[agent][step] for agent in agents) for step in range(1, 6)]
    assert episode.infos["taking_part"][agents[0]].tolist() == [True] * 3 + [False] * 3
    assert episode.terminations.tolist() == [False] * 4 + [True]
    with pytest.raises(ValueError, match="several play this game"):
        record_dataset(ready, "tests/none-v0")
    with pytest.raises(ValueError, match="step 1 of a play has no action for each of"):
        record_dataset(SEVERAL, "tests/none-v0", policy=[Play("a/Lanes-v0", "", {}, 3, [1])])
