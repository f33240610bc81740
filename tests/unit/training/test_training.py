"""Training: policies from a spec, their files, and what they are worth."""

from __future__ import annotations

import importlib.util
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.training.curve import curve_svg
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash
from griddsl.training.policy_file import is_policy_file, load, read, save
from griddsl.training.scoring import optimum_of, score, wilson
from griddsl.training.train import train

WALK = """
env: tests/Walk-v0
param size: 4 in 2..9
generate: empty(size, 1)
setup:
    place agent at (0, 0)
    place goal at (size - 1, 0)
actions: left, right
observe: cell
each step: reward -1
on enter goal: end success
limit: 12 steps
"""
BOARD = WALK.replace("observe: cell", 'observe:\n    board = grid\n    word = mission\nmission: "go"')
HAS_SB3 = importlib.util.find_spec("stable_baselines3") is not None
HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """Return the file of the walk."""
    file = tmp_path / "walk.grid"
    file.write_text(WALK)
    return file


@pytest.mark.parametrize("text", [WALK, BOARD])
def test_a_table__learns_the_shortest_way_and_is_the_same_for_the_same_seed(text: str) -> None:
    """Q-learning finds the optimum of a corridor, over numbers and over boards with texts."""
    first, second, other = (train(text, learner="tabular", steps=3000, seed=seed) for seed in (1, 1, 2))
    found = score(first.policy, text, episodes=5)
    assert found.evaluation.returns == found.optimum == -3.0 and found.regret == 0.0
    assert first.about.history == second.about.history != other.about.history
    assert first.policy.q.tolist() == second.policy.q.tolist()
    assert sum(count for _, _, count in first.about.history) > 100


@pytest.mark.parametrize("text", [WALK, BOARD])
def test_a_policy_file__plays_as_what_was_trained(text: str, tmp_path: Path) -> None:
    """What is read again chooses the same everywhere, and its file says what it is."""
    file = tmp_path / "walk.policy"
    trained = train(text, steps=2000, seed=3, output=file, learner="tabular", size=5)
    about, policy = load(file, text, {"size": 5})
    assert about == read(file)[0] and about.steps == 2000 and about.params == {"size": 5}
    env = griddsl.make(text, size=5, observation=about.observation)
    observation, _ = env.reset(seed=0)
    for _ in range(4):
        assert policy.predict(observation)[0] == trained.policy.predict(observation)[0] == 1
        observation, *_ = env.step(1)


def test_a_policy_file__is_for_one_game(tmp_path: Path) -> None:
    """Another size is another game; comments and what is observed are not."""
    file = tmp_path / "walk.policy"
    train(WALK, steps=64, output=file, learner="tabular")
    with pytest.raises(
        TrainingError, match=r"trained in another game: tests/Walk-v0, hash .*; this one"
    ) as caught:
        load(file, WALK, {"size": 6})
    assert "--transfer" in str(caught.value.help)
    load(file, WALK, {"size": 6}, transfer=True)
    load(file, "# a walk\n" + WALK.replace("each step: reward -1", "each  step:  reward -1   # dear"), {})
    assert game_hash(WALK) == game_hash(WALK, observation="pixels") != game_hash(WALK.replace("-1", "-2"))
    three = WALK.replace("left, right", "left, right, stay")
    with pytest.raises(TrainingError, match="knows 2 actions, and this spec has 3"):
        load(file, three, {}, transfer=True)


def test_the_same_policy__makes_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training done again in another year writes the same bytes."""
    first, again = tmp_path / "first.policy", tmp_path / "again.policy"
    train(WALK, steps=64, output=first, learner="tabular")
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    monkeypatch.setattr("time.localtime", lambda *given: (2033, 5, 18, 3, 33, 20, 2, 138, 0))
    train(WALK, steps=64, output=again, learner="tabular")
    assert first.read_bytes() == again.read_bytes()


def test_what_is_no_policy_file__is_told(tmp_path: Path) -> None:
    """Files that are cut, of others, or empty are refused in a sentence."""
    file, broken = tmp_path / "walk.policy", tmp_path / "broken.policy"
    trained = train(WALK, steps=64, output=file, learner="tabular")
    whole = file.read_bytes()
    for content in (b"", b"no zip", whole[: len(whole) // 2], whole[:-30]):
        broken.write_bytes(content)
        with pytest.raises(TrainingError, match=r"`broken.policy` is no policy file"):
            read(broken)
        assert not is_policy_file(broken)
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("policy.json", json.dumps({"form": 99, "griddsl": "9.0"}))
        archive.writestr("arrays.npz", b"")
    with pytest.raises(TrainingError, match=r"is no policy file|another griddsl"):
        read(broken)
    assert is_policy_file(file)
    save(broken, trained.about, trained.policy)
    assert read(broken)[0] == trained.about


def _tampered(file: Path, other: Path, arrays: dict[str, Any]) -> None:
    """Write a policy file with other numbers."""
    content = io.BytesIO()
    np.savez(content, **arrays)
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(other, "w") as after:
        after.writestr("policy.json", before.read("policy.json"))
        after.writestr("arrays.npz", content.getvalue())


@pytest.mark.parametrize("learner", ["tabular", "cleanrl", "sb3"])
def test_numbers_of_another_shape__are_told(learner: str, tmp_path: Path) -> None:
    """Arrays that are missing, that are smaller, that are words or no finite numbers: each is one sentence."""
    if learner != "tabular":
        pytest.importorskip({"cleanrl": "torch", "sb3": "stable_baselines3"}[learner])
    file, other = tmp_path / "walk.policy", tmp_path / "other.policy"
    train(WALK, steps=64, output=file, learner=learner)
    _, whole = read(file)
    first = next(iter(whole))
    for name, array in whole.items():
        _tampered(file, other, {**whole, name: array[:-1]})
        with pytest.raises(TrainingError, match=r"`other.policy` does not fit this spec: [^\n]+$"):
            load(other, WALK, {})
        _tampered(file, other, {**whole, name: array.ravel()[0]})
        with pytest.raises(TrainingError, match=r"`other.policy` does not fit this spec: [^\n]+$"):
            load(other, WALK, {})
    _tampered(file, other, {name: array for name, array in whole.items() if name != first})
    with pytest.raises(TrainingError, match=f"does not fit this spec: '{first}' is not in it"):
        load(other, WALK, {})
    _tampered(file, other, {**whole, first: np.full(whole[first].shape, "x")})
    with pytest.raises(TrainingError, match="holds other things than numbers"):
        load(other, WALK, {})
    _tampered(file, other, {**whole, first: np.full(whole[first].shape, np.nan)})
    with pytest.raises(TrainingError, match="holds numbers that are not finite"):
        load(other, WALK, {})


def test_bad_wishes__are_answered() -> None:
    """Unknown learners and settings, no steps, specs for several: each is told with what there is."""
    for wish, said in (
        ({"learner": "tabulra"}, "no learner `tabulra`"),
        ({"learner": "tabular", "settings": {"lr": 1}}, "no setting `lr`"),
        ({"learner": "tabular", "settings": {"discount": "much"}}, "`discount` of `tabular` is a number"),
        ({"learner": "tabular", "settings": {"masks": 1}}, "`masks` of `tabular` is true or false"),
        (
            {"learner": "tabular", "settings": {"discount": float("nan")}},
            "`discount` of `tabular` is 0 or more",
        ),
        (
            {"learner": "tabular", "settings": {"explore_last": -0.1}},
            "`explore_last` of `tabular` is 0 or more",
        ),
        ({"address": "auto"}, "an address is that of a Ray cluster"),
        ({"resume": True}, "what is to go on has a file"),
        ({"steps": 0}, "1 step or more"),
        ({"steps": "10"}, "1 step or more, not '10'"),
        ({"seed": -1}, "a seed is a whole number from 0 on, not -1"),
    ):
        with pytest.raises(TrainingError, match=said):
            train(WALK, **{"learner": "tabular", "steps": 10, **wish})  # type: ignore[arg-type]
    with pytest.raises(griddsl.SpecError, match="sise"):
        train(WALK, steps=10, sise=4)
    with pytest.raises(ValueError, match="played by several agents"):
        train("griddsl/HurdleRace-v0", steps=10)


def test_a_training_that_stops__leaves_a_whole_file(tmp_path: Path) -> None:
    """What was written last is read as a policy of fewer steps."""
    file = tmp_path / "walk.policy"

    def stop(done: int, mean: float | None) -> None:
        if done > 5000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(WALK, steps=20_000, output=file, learner="tabular", progress=stop)
    about, _ = load(file, WALK, {})
    assert 2000 <= about.steps < 6000
    assert [path.name for path in tmp_path.iterdir()] == ["walk.policy"]


def test_scores__have_intervals_and_the_optimum() -> None:
    """The random policy's interval holds its exact return; its regret is the difference to the optimum."""
    found = score("random", WALK, episodes=400, seed=5)
    low, high = found.returns_interval
    assert found.evaluation.returns is not None and low < found.evaluation.returns < high
    assert found.optimum == -3.0 and found.regret == pytest.approx(-3.0 - found.evaluation.returns)
    assert optimum_of(WALK, max_states=2)[0] is None
    assert wilson(0, 100)[0] == 0 < wilson(0, 100)[1] < 0.05 and wilson(100, 100)[1] == 1
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)  # as statsmodels has it


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("griddsl/Tag-v0", "--with", "tabular"), "played by several agents"),
        (("griddsl/CliffWalking-v0", "--with", "tabula"), "did you mean `tabular`"),
        (("griddsl/CliffWalking-v0", "--with", "tabular", "--set", "rate=1"), "no setting `rate`"),
        (("CliffWalking", "-o", "cliff.grid"), "that is the name of a spec"),
        (("CliffWalking", "-o", "nowhere/cliff.policy"), "there is no folder nowhere"),
        (("CliffWalking", "--gif", "nowhere/cliff.gif"), "there is no folder nowhere"),
        (("CliffWalking", "--plot", "nowhere/cliff.svg"), "there is no folder nowhere"),
        (("CliffWalking", "--plot", "cliff.png"), "its name must end in .svg"),
    ],
)
def test_train__refuses_before_it_looks_for_the_optimum(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be trained is said at once: no state is visited before."""

    def searched(*_: Any, **__: Any) -> Any:
        raise AssertionError("the optimum was looked for")

    monkeypatch.setattr("griddsl.training.scoring.optimum_of", searched)
    result = CliRunner().invoke(app, ["train", *arguments, "--steps", "500"])
    assert result.exit_code != 0 and said in result.output, result.output


def test_train__writes_over_no_file_that_is_no_policy(tmp_path: Path) -> None:
    """A file of something else stays as it is; an empty one and a policy are written anew."""
    file = tmp_path / "walk.policy"
    file.write_text(WALK)
    with pytest.raises(TrainingError, match="a file is there that is no policy"):
        train(WALK, steps=64, learner="tabular", output=file)
    assert file.read_text() == WALK
    file.write_text("")
    for steps in (64, 65):
        train(WALK, steps=steps, learner="tabular", output=file)
        assert read(file)[0].steps == steps


def test_the_verbs__train_evaluate_and_watch(walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command writes a policy, a curve and a film; the others take the file."""
    monkeypatch.chdir(walk.parent)
    run = CliRunner().invoke
    made = run(
        app, ["train", "walk.grid", "--steps", "3000", "--plot", "w.svg", "--gif", "w.gif", "--episodes", "9"]
    )
    assert made.exit_code == 0, made.output
    assert "optimum      -3" in made.output and "regret       0, exact" in made.output
    assert walk.with_name("w.gif").read_bytes()[:4] == b"GIF8"
    assert "optimum -3" in walk.with_name("w.svg").read_text()
    judged = run(app, ["evaluate", "walk.grid", "--policy", "walk.policy", "--episodes", "20"])
    assert judged.exit_code == 0 and "success   100.0%" in judged.output
    watched = run(app, ["run", "walk.grid", "--policy", "walk.policy", "--view", "text"])
    assert watched.exit_code == 0 and watched.output.count("right") == 3 and "success" in watched.output
    wrong = run(app, ["run", "walk.grid", "--param", "size=7", "--policy", "walk.policy", "--view", "text"])
    assert wrong.exit_code == 1 and "another game" in wrong.output


def test_a_curve__shows_its_rows_and_stays_an_svg() -> None:
    """Each row is a point; a name with signs of XML is escaped; no rows are a picture too."""
    drawn = curve_svg("a <b> & c", [(10, -5.0, 2), (20, -3.0, 4)], -3.0)
    assert drawn.count(",") >= 2 and "a &lt;b&gt; &amp; c" in drawn and "optimum -3" in drawn
    assert curve_svg("nothing", []).startswith("<svg")


@pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")
@pytest.mark.parametrize("learner", ["cleanrl", *(["sb3"] if HAS_SB3 else [])])
def test_networks__learn_play_again_and_are_the_same_for_the_same_seed(learner: str, tmp_path: Path) -> None:
    """PPO finds the shortest way; its file plays the same; two runs give the same weights."""
    file = tmp_path / "net.policy"
    wishes: dict[str, Any] = {"learner": learner, "steps": 8192, "seed": 2}
    trained = train(BOARD, output=file, **wishes)
    again = train(BOARD, **wishes)
    assert score(trained.policy, BOARD, episodes=3, observation=trained.about.observation).regret == 0.0
    mine, others = trained.policy.arrays(), again.policy.arrays()
    assert all(np.array_equal(mine[name], others[name]) for name in mine)
    about, policy = load(file, BOARD, {})
    observation, _ = griddsl.make(BOARD, observation=about.observation).reset(seed=0)
    assert policy.predict(observation)[0] == trained.policy.predict(observation)[0] == 1
    with pytest.raises(TrainingError, match="does not fit this spec"):
        load(file, BOARD, {"size": 7}, transfer=True)


@pytest.mark.skipif(not (HAS_TORCH and HAS_SB3), reason="torch or Stable-Baselines3 is not installed")
def test_observations_that_a_learner_cannot_take__are_told() -> None:
    """Each says what it takes; vectors, pictures large and small, and many parts are all taken by Stable-Baselines3."""
    wishes = [
        ("cleanrl", "network", "observes one vector, not Dict"),
        ("cleanrl", "spec", "observes one vector, not Discrete"),
        ("cleanrl", "pixels", "observes one vector, not a Box of shape"),
    ]
    for learner, form, said in wishes:
        with pytest.raises(TrainingError, match=said):
            train(WALK, learner=learner, steps=64, observation=form)
    with pytest.raises(TrainingError, match="observation='network' gives numbers"):
        train(BOARD, learner="sb3", steps=64, observation="spec")
    with pytest.raises(TrainingError, match="`hidden` of `cleanrl` is 1 or more, not -3"):
        train(WALK, learner="cleanrl", steps=64, settings={"hidden": -3})
    quick = {"n_steps": 4, "num_envs": 2, "batch_size": 8, "n_epochs": 1}
    for form in ("flat", "spec", "network", "pixels 4", "pixels 12"):
        trained = train(WALK, learner="sb3", steps=8, observation=form, settings=quick, size=4)
        assert trained.about.observation == form
