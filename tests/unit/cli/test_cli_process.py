"""The command as a process: exit codes, streams, no tracebacks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from griddsl import __version__

CASES = Path(__file__).parents[2] / "cases" / "cli"
LAUNCH = [sys.executable, "-m", "griddsl"]


def _run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    settings: dict[str, object] = {
        "capture_output": True,
        "text": True,
        "cwd": CASES,
        "stdin": subprocess.DEVNULL,
    }
    return subprocess.run([*LAUNCH, *arguments], timeout=60, **(settings | options))  # type: ignore[call-overload,no-any-return]


def test_version__is_printed() -> None:
    """`--version` prints the name and the version."""
    assert _run("--version").stdout == f"griddsl {__version__}\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check game.grid", 0),
        ("list cliff", 0),
        ("run game.grid --random --steps 2", 0),
        ("explain game.grid", 0),
        ("solve CliffWalking", 0),
        ("--help", 0),
        ("check nothing.grid", 2),
        ("frobnicate", 2),
    ],
)
def test_closed_streams__are_no_failure(closed: str, command: str, code: int) -> None:
    """A command that is started without a stream does what it does, and writes into no file instead."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m griddsl {command} {closed}"],
        cwd=CASES,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == code and "Traceback" not in done.stderr and "ignored" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["--help", "list cliff", "explain game.grid"])
def test_full_device__is_told_in_words(command: str) -> None:
    """What cannot be written is an error with a sentence, once."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m griddsl {command} > /dev/full"],
        cwd=CASES,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and done.stderr.strip() == "error: no space left on device"


@pytest.mark.skipif(os.name != "posix", reason="terminals are made another way")
def test_solve__says_what_it_does_until_the_end() -> None:
    """On a terminal, after the states are counted, that they are solved; the line is taken away."""
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*LAUNCH, "solve", "CliffWalking"], stderr=theirs, stdout=subprocess.PIPE, text=True, timeout=60
    )
    os.close(theirs)
    said = os.read(ours, 65_536).decode()
    os.close(ours)
    assert done.returncode == 0 and "solving 38 states" in said and said.endswith("\r\x1b[K")


def test_bare_command__prints_help() -> None:
    """Without a verb the help is printed, with every verb in it, and the exit code is 0."""
    result = _run()
    assert result.returncode == 0
    for verb in ("run", "check", "fmt", "convert", "export", "show", "list", "new", "explain", "schema"):
        assert f"  {verb} " in result.stdout


def test_no_command__imports_more_than_it_needs() -> None:
    """`check` starts without Gymnasium, pygame and rich."""
    code = (
        "import sys; sys.argv = ['griddsl', 'check', 'game.grid']\n"
        "from griddsl.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0, end.code\n"
        "print([name for name in ('gymnasium', 'pygame', 'rich', 'PIL') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=CASES, timeout=60
    )
    assert result.stdout.splitlines()[-1] == "[]", result.stdout + result.stderr


def test_module__is_the_command() -> None:
    """`python -m griddsl` is the command."""
    command = [sys.executable, "-m", "griddsl", "show", "game.grid"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=CASES, timeout=60)
    assert (result.returncode, result.stdout) == (0, "@..~\n.#.G\n")


def test_check_json__is_an_array_and_nothing_else() -> None:
    """`check --format json` prints one array with the places of all diagnostics."""
    result = _run("check", "broken.grid", "game.grid", "--format", "json")
    found = json.loads(result.stdout)
    assert result.returncode == 1 and result.stderr == ""
    assert [(entry["severity"], entry["line"]) for entry in found if entry["file"] == "broken.grid"] == [
        ("error", 7)
    ]


def test_piped_run__prints_a_transcript_of_random_moves() -> None:
    """Where standard output is no terminal, `run` plays at random on paper and ends."""
    result = _run("run", "game.grid", "--seed", "1")
    assert result.returncode == 0
    assert result.stdout.startswith("mine/Game-v0  seed 1\n")
    assert "after" in result.stdout.splitlines()[-1]


def test_transcript__is_the_same_for_the_same_seed() -> None:
    """A seed determines a random game."""
    first, second = (_run("run", "FrozenLake", "--random", "--seed", "5").stdout for _ in range(2))
    assert first == second and "step 1" in first


def test_closed_pipe__ends_quietly() -> None:
    """A reader that goes away causes no message."""
    writing = subprocess.Popen(
        [*LAUNCH, "run", "RandomMaze", "--random", "--steps", "5000", "--param", "size=41"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert writing.stdout is not None and writing.stderr is not None
    writing.stdout.readline()
    writing.stdout.close()
    errors = writing.stderr.read()
    writing.stderr.close()
    assert (writing.wait(60), errors) == (141, "")


def test_interrupt__ends_quietly() -> None:
    """Ctrl-C ends a command without a traceback."""
    running = subprocess.Popen(
        [*LAUNCH, "run", "game.grid", "--actions", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=CASES,
        # What is started in the background of a script does not listen to Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(6)  # by then it waits for an action, on a busy machine too
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)
    assert (running.returncode, errors) == (130, "")


@pytest.mark.parametrize("arguments", [(), ("--in", "")], ids=["here", "in"])
def test_new__writes_a_spec_that_checks_runs_and_is_laid_out(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """A starter spec has no diagnostics, is in canonical layout, and plays."""
    folder = tmp_path / "specs" if arguments else tmp_path
    folder.mkdir(exist_ok=True)
    made = _run("new", "CoinRoom", *([arguments[0], str(folder)] if arguments else []), cwd=tmp_path)
    assert made.returncode == 0 and "mine/CoinRoom-v0" in made.stdout
    file = str(folder / "coin_room.grid")
    assert _run("check", file, "--strict").returncode == 0
    assert _run("fmt", "--check", file).returncode == 0
    assert "ended after" in _run("run", file, "--actions", "down,right,right").stdout


def test_fmt__rewrites_files_and_filters_standard_input(tmp_path: Path) -> None:
    """`fmt` writes the canonical layout in place, and `fmt -` from standard input to standard output."""
    text = (CASES / "untidy.grid").read_text()
    file = tmp_path / "untidy.grid"
    file.write_text(text)
    assert _run("fmt", str(file)).returncode == 0
    assert "legend: G = goal\n" in file.read_text()
    result = _run("fmt", "-", input=text, stdin=None)
    assert result.stdout == file.read_text()
    assert _run("fmt", "--check", str(file)).returncode == 0


def test_fmt__leaves_broken_files_alone(tmp_path: Path) -> None:
    """A file with syntax errors is reported and untouched; the others are laid out."""
    broken, untidy = tmp_path / "broken.grid", tmp_path / "untidy.grid"
    broken.write_text((CASES / "broken.grid").read_text())
    untidy.write_text((CASES / "untidy.grid").read_text())
    result = _run("fmt", str(tmp_path))
    assert result.returncode == 1 and "error[syntax]" in result.stderr
    assert broken.read_text() == (CASES / "broken.grid").read_text()
    assert untidy.read_text() != (CASES / "untidy.grid").read_text()


def test_no_color__wins_over_force_color() -> None:
    """Colour follows `FORCE_COLOR`, and `NO_COLOR` wins."""
    colored = _run("check", "broken.grid", env={**os.environ, "FORCE_COLOR": "1"})
    plain = _run("check", "broken.grid", env={**os.environ, "FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b[1;31merror" in colored.stdout and "\x1b" not in plain.stdout


def test_check_folder__passes_over_what_is_no_file(tmp_path: Path) -> None:
    """A pipe, a folder and a link to nothing that are named like specs keep no check of a folder waiting."""
    os.mkfifo(tmp_path / "pipe.grid")
    (tmp_path / "folder.grid").mkdir()
    (tmp_path / "nowhere.grid").symlink_to(tmp_path / "gone.grid")
    (tmp_path / "game.grid").write_text((CASES / "game.grid").read_text())
    result = _run("check", str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "1 file checked: no problems\n")


def test_check_folder__tells_of_a_level_that_links_to_itself_and_goes_on(tmp_path: Path) -> None:
    """The line that asks for it is named, and the specs behind it are checked."""
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "one.txt").write_text("@..G\n", encoding="utf-8")
    game = (CASES / "game.grid").read_text()
    (tmp_path / "z.grid").write_text(game, encoding="utf-8")
    levels = 'env: test/Levels-v0\nmaps: "*.txt"\nactions: left, right\nobserve: cell\nlimit: 9 steps\n'
    (tmp_path / "a.grid").write_text(
        f"{levels}legend: G = goal\non enter goal: end success\n", encoding="utf-8"
    )
    result = _run("check", str(tmp_path))
    assert result.returncode == 1 and "2 files checked: 1 error" in result.stderr
    assert "error[unreadable]: `loop.txt` cannot be read: too many levels of" in result.stdout
    assert "a.grid:2:7" in result.stdout


def test_check__refuses_an_empty_name() -> None:
    """An empty name is not the folder one stands in."""
    result = _run("check", "")
    assert result.returncode == 2 and "the name is empty" in result.stderr
