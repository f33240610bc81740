"""Suites: normalised scores against what random and the best play get."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from griddsl.cli.app import app
from griddsl.registration.ids import registered_specs
from griddsl.suites import SUITES, Reference, Suite, SuiteReport, interquartile_mean, reference_of, run_suite
from griddsl.training.failures import TrainingError

SMALL = Suite("small", "two of them", ("griddsl/WindyGridworld-v0", "griddsl/Portals-v0"))


def test_suites__name_ids_that_there_are() -> None:
    """Every id of a suite is registered, and none stands twice in it."""
    for suite in SUITES.values():
        assert set(suite.ids) <= set(registered_specs()) and len(set(suite.ids)) == len(suite.ids) > 4


def test_the_optimal_policy__scores_one_and_random_play_zero() -> None:
    """Both are exact, whatever the seeds are."""
    best, chance = (
        run_suite(SMALL, policy="optimal", seeds=[0, 1]),
        run_suite(SMALL, policy="random", seeds=[0]),
    )
    assert best.scores == pytest.approx(np.ones((2, 2))) and chance.scores == pytest.approx(np.zeros((1, 2)))
    assert best.iqm() == pytest.approx((1.0, 1.0, 1.0)) and "yes" in str(best) and "yes" not in str(chance)
    assert best.references[0].best == -15.0 and best.references[0].best_by == "exact"


def test_a_learner__is_trained_for_each_seed() -> None:
    """A table learns most of the way in a small process; seeds differ."""
    small = Suite("one", "", ("griddsl/Portals-v0",))
    report = run_suite(small, learner="tabular", steps=20_000, seeds=[0, 1], episodes=5)
    assert report.scores.min() > 0.9
    assert "tabular, 20,000 steps, 2 seeds: interquartile mean" in str(report)


def test_what_cannot_be_enumerated__is_played_and_bounded() -> None:
    """Its random return is a mean and its best one a bound, and both are marked; without a bound it is refused."""
    found = reference_of("griddsl/FrozenLake-v0", bound=1.0, max_states=3)
    assert found.random_by == "played" and (found.best, found.best_by) == (1.0, "bound")
    report = SuiteReport(Suite("s", "", ("griddsl/FrozenLake-v0",), 1.0), "mine", np.array([[0.5]]), (found,))
    assert "<=1" in str(report) and "~" in str(report)
    with pytest.raises(TrainingError, match="is not known"):
        reference_of("griddsl/FrozenLake-v0", max_states=3)


def test_intervals__are_those_of_resampled_seeds() -> None:
    """The mean is that of the middle half; the interval holds it, and is one point where seeds agree."""
    assert interquartile_mean([0, 1, 2, 3, 4, 5, 6, 100]) == 3.5
    reference = Reference(0.0, 1.0, "exact", "exact")
    returns = np.random.default_rng(0).normal(0.5, 0.1, (10, 4))
    mean, low, high = SuiteReport(Suite("s", "", ("a",) * 4), "x", returns, (reference,) * 4).iqm()
    assert low < mean < high < low + 0.2
    assert SuiteReport(Suite("s", "", ("a",)), "x", np.full((3, 1), 0.25), (reference,)).iqm() == (0.25,) * 3


def test_a_picture__has_a_dot_for_each_seed_and_the_mean_with_its_interval() -> None:
    """Scores below those of random play are drawn too; names are escaped."""
    reference = Reference(0.0, 1.0, "exact", "exact")
    returns = np.array([[0.5, -0.25], [0.75, -0.5], [1.0, 0.0]])
    report = SuiteReport(Suite("s", "", ("t/A<1-v0", "t/B-v0")), "x & y", returns, (reference,) * 2)
    drawn = report.picture()
    assert drawn.count("<circle") == 6 and drawn.count('stroke-width="2"') == 1
    assert "t/A&lt;1-v0" in drawn and "x &amp; y" in drawn
    whole = 640 - 220 - 20
    assert f'cx="{220 + whole * (0.75 + 0.5) / 1.5:.1f}"' in drawn and 'cx="220.0"' in drawn


def test_what_was_learned__is_kept_and_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder has each policy, by whatever name; nothing is learned twice, and the scores are the same."""
    games = ("griddsl/Portals-v0", "griddsl/TMaze-v0")
    small, folder = Suite("small", "", games), tmp_path / "kept"
    learned = run_suite(small, learner="tabular", steps=2_000, seeds=[3, 4], episodes=5, output=folder)
    written = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(written) == 4
    again = run_suite(small, learner="tabular", steps=2_000, seeds=[3, 4], episodes=5, output=folder)
    assert (again.returns == learned.returns).all()
    assert written == {path: path.stat().st_mtime_ns for path in folder.iterdir()}

    (folder / "notes.txt").write_text("no policy")
    (folder / "TMaze-v0-tabular-3.policy").rename(folder / "a.zip")
    monkeypatch.setitem(SUITES, "small", small)
    shown = CliRunner().invoke(app, ["suite", "small", "--policy", str(folder), "--episodes", "5"])
    assert shown.exit_code == 0 and "kept, 2 seeds" in shown.output, shown.output

    (folder / "a.zip").unlink()
    with pytest.raises(TrainingError, match="has 1 for griddsl/TMaze-v0, 2 for griddsl/Portals-v0"):
        run_suite(small, policy=folder)
    (folder / "TMaze-v0-tabular-4.policy").unlink()
    with pytest.raises(TrainingError, match="no policy that was trained in griddsl/TMaze-v0"):
        run_suite(small, policy=folder)
    with pytest.raises(TrainingError, match="written where one is learned"):
        run_suite(small, policy="random", output=folder)


def test_the_verb__draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--plot` writes the picture; another ending is refused before anything is played."""
    monkeypatch.setitem(SUITES, "small", SMALL)
    run, file = CliRunner().invoke, tmp_path / "small.svg"
    made = run(app, ["suite", "small", "--policy", "optimal", "--seeds", "1", "--plot", str(file)])
    assert made.exit_code == 0 and "interquartile mean 1.000" in made.output, made.output
    assert file.read_text().startswith("<svg")
    lone = run(app, ["suite", "small", "--policy", str(file)])
    assert lone.exit_code == 2 and "is one file, and a suite has many games" in lone.output
    wrong = run(app, ["suite", "small", "--policy", "optimal", "--plot", "small.png"])
    assert wrong.exit_code == 2 and "its name must end in .svg" in wrong.output


def test_bad_wishes__are_answered() -> None:
    """Unknown suites, no policy, both at once: each is told."""
    run = CliRunner().invoke
    assert "did you mean `tabular`" in run(app, ["suite", "tabula", "--policy", "random"]).output
    assert run(app, ["suite", "tabular"]).exit_code == 2
    with pytest.raises(TrainingError, match="a policy or a learner"):
        run_suite(SMALL)
    with pytest.raises(TrainingError, match="a policy or a learner"):
        run_suite(SMALL, policy="random", seeds=[])
