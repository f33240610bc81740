"""Trainings that were cut go on from their file; learners with masks try nothing that is forbidden."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.training.failures import TrainingError
from griddsl.training.learners import LEARNERS
from griddsl.training.policy_file import load, read
from griddsl.training.scoring import score
from griddsl.training.train import train
from tests.unit.training.test_training import WALK

FINED = (
    WALK.replace("left, right", "left, right, leap")
    + "on do leap: reward -100\nallow leap: agent.x == size - 1\nillegal: act\n"
)


def _installed(*names: str) -> bool:
    return all(importlib.util.find_spec(name) is not None for name in names)


NETWORKS = [
    pytest.param(name, marks=pytest.mark.skipif(not _installed(*needs), reason=f"{needs} is not installed"))
    for name, needs in (
        ("cleanrl", ("torch",)),
        ("sb3", ("torch", "stable_baselines3", "sb3_contrib")),
    )
]


class Cut(Exception):
    """A machine that goes off."""


def _cut(learner: str, steps: int, at: int, file: Path, text: str = WALK, **given: Any) -> None:
    def stop(done: int, mean: float | None) -> None:
        if done > at:
            raise Cut

    with pytest.raises(Cut):
        train(text, learner=learner, steps=steps, seed=1, output=file, progress=stop, **given)


@pytest.mark.parametrize("learner", ["tabular", *NETWORKS])
def test_a_training_that_was_cut__goes_on(learner: str, tmp_path: Path) -> None:
    """What was written last is learned on, to the end, the same each time; nothing done is done again."""
    file, other = tmp_path / "walk.policy", tmp_path / "other.policy"
    _cut(learner, 16_384, 8000, file)
    before = read(file)[0]
    assert 4000 < before.steps < 9000
    other.write_bytes(file.read_bytes())
    seen: list[int] = []
    wishes: dict[str, Any] = {"steps": 16_384, "seed": 1, "resume": True}
    trained = train(WALK, output=file, progress=lambda done, mean: seen.append(done), **wishes)
    assert trained.about.learner == learner and before.steps < seen[0] <= before.steps + 2048
    assert seen[-1] == trained.about.steps == read(file)[0].steps == 16_384
    assert trained.about.history[: len(before.history)] == before.history
    assert score(trained.policy, WALK, episodes=3, observation=trained.about.observation).regret == 0.0
    again = train(WALK, output=other, **wishes)
    mine, others = trained.policy.arrays(), again.policy.arrays()
    assert all(np.array_equal(mine[name], others[name]) for name in mine)
    whole = file.read_bytes()
    assert train(WALK, output=file, **wishes).about == trained.about and file.read_bytes() == whole


@pytest.mark.parametrize("learner", NETWORKS)
def test_what_goes_on__remembers_its_optimiser(learner: str, tmp_path: Path) -> None:
    """Without what Adam knew of each weight, the next weights would be others."""
    file = tmp_path / "walk.policy"
    _cut(learner, 16_384, 8000, file)
    with zipfile.ZipFile(file) as archive:
        assert {"arrays.npz", "learning.npz", "policy.json"} == set(archive.namelist())
    kept = read(file, "learning.npz")[1]
    # 4 epochs of 4 minibatches for 1,024 steps: one step of Adam for 64 of the game.
    assert _steps_of_adam(kept) == {read(file)[0].steps / 64}
    trained = train(WALK, steps=16_384, seed=1, output=file, resume=True)
    assert _steps_of_adam(trained.policy.learning()) == {16_384 / 64}
    assert any(np.abs(part).max() > 0 for name, part in kept.items() if name.endswith("/exp_avg"))


def _steps_of_adam(arrays: dict[str, Any]) -> set[float]:
    return {float(part) for name, part in arrays.items() if name.endswith("/step")}


def test_what_does_not_go_on__is_told(tmp_path: Path) -> None:
    """Another game, learner, seed, observation or setting, and files that are none, are refused; no file is none."""
    file = tmp_path / "walk.policy"
    train(WALK, steps=100, learner="tabular", output=file)
    wishes: list[tuple[dict[str, Any], str]] = [
        ({"size": 5}, "begun with another game"),
        ({"seed": 2}, "begun with another seed: 0, and here it is 2"),
        ({"settings": {"discount": 0.5}}, "begun with another discount: 0.99, and here it is 0.5"),
        ({"observation": "flat"}, "begun with another observation: spec, and here it is flat"),
    ]
    if _installed("torch"):
        wishes.append(({"learner": "cleanrl"}, "begun with another learner: tabular, and here it is cleanrl"))
    for wish, said in wishes:
        with pytest.raises(TrainingError, match=said):
            train(WALK, **{"steps": 200, "output": file, "resume": True, **wish})
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in ("policy.json", "arrays.npz")}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(TrainingError, match="an older griddsl, which kept nothing to go on with"):
        train(WALK, steps=200, output=file, resume=True)
    assert load(file, WALK, {})[0].steps == 100
    file.write_text("dear")
    with pytest.raises(TrainingError, match="is no policy file"):
        train(WALK, steps=200, output=file, resume=True)
    file.unlink()
    assert train(WALK, steps=200, learner="tabular", output=file, resume=True).about.steps == 200


def test_the_verb__goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--resume` takes the file of before."""
    monkeypatch.chdir(tmp_path)
    Path("walk.grid").write_text(WALK)
    for steps in ("1000", "3000"):
        made = CliRunner().invoke(
            app, ["train", "walk.grid", "--steps", steps, "--resume", "--episodes", "2"]
        )
        assert made.exit_code == 0, made.output
        assert read("walk.policy")[0].steps == int(steps)
    wrong = CliRunner().invoke(app, ["train", "walk.grid", "--param", "size=5", "--resume"])
    assert wrong.exit_code == 1 and "begun with another game" in wrong.output


@pytest.mark.parametrize("learner", ["tabular", *NETWORKS])
def test_masks__keep_a_learner_from_what_is_forbidden(learner: str, tmp_path: Path) -> None:
    """No episode has a fine: with masks nothing forbidden is tried, in training and when its file is played."""
    file = tmp_path / "walk.policy"
    trained = train(FINED, learner=learner, steps=4096, seed=1, output=file)
    assert all(mean >= -12 for _, mean, _ in trained.about.history)
    free = train(FINED, learner=learner, steps=4096, seed=1, settings={"masks": False})
    assert min(mean for _, mean, _ in free.about.history) < -100
    about, policy = load(file, FINED, {})
    found = score(policy, FINED, episodes=3, observation=about.observation)
    assert found.evaluation.simulated_returns.mean >= -12
    observation, _ = griddsl.make(FINED, observation=about.observation).reset(seed=0)
    for action in range(2):
        mask = np.arange(3) == action
        assert int(policy.predict(observation, action_masks=mask)[0]) == action


def test_every_learner__says_whether_it_heeds_masks() -> None:
    """The setting is there for each that can be had here."""
    from griddsl.training.learners import learner_of

    here = [name for name, (_, _, needs) in LEARNERS.items() if _installed(*needs)]
    assert "tabular" in here and all(learner_of(name).SETTINGS["masks"] is True for name in here)


@pytest.mark.skipif(not _installed("ray"), reason="ray is not installed")
@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:99999"])
def test_an_address_where_nothing_answers__is_told_at_once(address: str) -> None:
    """Ray itself would try for minutes."""
    from griddsl.training.algorithms.cluster import connect

    with pytest.raises(TrainingError, match=f"nothing answers at `{address}`"):
        connect(address)
