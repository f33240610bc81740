"""The commands that answer exactly: `solve`, and `check --exact`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from griddsl.cli.progress import Progress

TRAP = Path(__file__).parents[2] / "cases" / "errors" / "dead-states" / "states.grid"


def run(*arguments: str) -> Any:
    """Return what a command exits with and prints."""
    return CliRunner().invoke(app, list(arguments), prog_name="griddsl")


def test_solve__says_and_draws_what_is_optimal(tmp_path: Path) -> None:
    """Return, success, length and the proof are said; pictures are written as PNG and SVG."""
    for ending in (".png", ".svg"):
        result = run("solve", "CliffWalking", "--values", "--policy", "-o", str(tmp_path / f"plan{ending}"))
        assert result.exit_code == 0
        assert "optimal return   -13\n" in result.stdout
        assert "in every state, proved" in result.stdout
        assert (tmp_path / f"plan{ending}").stat().st_size > 1000


def test_solve__leaves_out_what_is_forbidden() -> None:
    """Tic-tac-toe is a draw; its illegal moves pass the turn, which the answer says how to leave out."""
    result = run("solve", "TicTacToe", "--legal-only")
    assert result.exit_code == 0 and "return that cross can be sure of  0\n" in result.stdout


def test_solve__draws_the_states_that_are_asked_for() -> None:
    """With the key in hand the arrows lead through the door; a condition that is none is refused."""
    arguments = ["solve", "DoorKey", "--param", "size=5", "--policy", "--where"]
    result = run(*arguments, "agent has key")
    assert result.exit_code == 0
    assert "⚑" in result.stdout
    assert run(*arguments, "agent.x").exit_code == 1
    assert "error[" in run(*arguments, "agent has kee").stderr


@pytest.mark.parametrize("steps", ["0", "-3", "1000001", "9" * 5000])
def test_solve__says_how_long_a_horizon_can_be(steps: str) -> None:
    """A number that is none of a horizon is answered with the bounds, and a word with what can be written."""
    found = run("solve", "CliffWalking", f"--horizon={steps}")
    assert found.exit_code == 2 and "number of steps from 1 to 1,000,000, not `" in found.stderr
    assert "write `--horizon limit`" in run("solve", "CliffWalking", "--horizon", "long").stderr


def test_solve__refuses_what_is_too_large() -> None:
    """Beyond the bound the command exits with 1 and names the variables."""
    result = run("solve", "DoorKey", "--max-states", "100")
    assert result.exit_code == 1
    assert "more than 100 states" in result.stderr and "`--max-states`" in result.stderr


@pytest.mark.parametrize(
    ("code", "exit_code"), [("dead-states", 1), ("never-entered", 0), ("no-such-code", 2)]
)
def test_check__fails_on_what_is_named(code: str, exit_code: int) -> None:
    """A warning fails the check where it is named, and only there."""
    assert run("check", str(TRAP), "--fail-on", code).exit_code == exit_code


def test_check__reports_on_one_screen() -> None:
    """The report tells the optimum, random actions and dead states, in fewer than 25 lines."""
    result = run("check", str(TRAP), "--exact")
    assert "dead states       3" in result.stdout
    assert "random actions" in result.stdout
    assert len(result.stdout.split("\n")) < 25


def test_bar__goes_to_the_end_and_never_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """States that are found while others are done do not shorten it, and the steps of a horizon fill the rest."""
    monkeypatch.setattr("griddsl.cli.progress.SECONDS_BETWEEN", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar = Progress(visits=0.25)
    for found, done in ((10, 5), (100, 10), (100, 100)):
        bar(found, done, 0)
    griddsl.to_mdp("CliffWalking").solve(horizon=40, progress=bar.solving)
    filled = [line.count("\u2588") for line in capsys.readouterr().err.split("\r")[1:]]
    assert filled == sorted(filled) and filled[0] == 2 and filled[2] == 5 and filled[-1] == 20


def test_help__names_options(tmp_path: Path) -> None:
    """What is an argument in Python is an option at the command line."""
    spec = tmp_path / "coins.grid"
    spec.write_text(
        "env: t/Coins-v0\nmap:\n    @c\nlegend: c = coin\nactions: left, right\nobserve: cell\n"
        "on enter coin: reward 1\nlimit: 9 steps\n"
    )
    done = run("solve", str(spec))
    assert done.exit_code == 1
    assert "or a horizon (`--horizon limit`)" in done.stderr
