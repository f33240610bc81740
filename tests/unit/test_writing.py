"""A user's files: written whole or not at all, by every command that writes one."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import griddsl
from griddsl.files.writing import write, write_new, write_together

POSIX = pytest.mark.skipif(os.name != "posix", reason="there are neither limits nor signals")
SPEC = """env:   test/Line-v0
map:
    @...G
legend:   G = goal
actions: left, right
observe: cell
each step: reward -1
on enter goal: end success
limit: 30 steps
"""


@POSIX
def test_file__keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    """A mode stays, a link goes on leading to the file, and a new file has the mode that the user's files have."""
    path, link = tmp_path / "a.grid", tmp_path / "link.grid"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("a.grid")
    write(link, "new\n")
    assert (path.read_bytes(), path.stat().st_mode & 0o777, link.is_symlink()) == (b"new\n", 0o640, True)
    before = os.umask(0o027)
    try:
        write(tmp_path / "b", b"\0")
    finally:
        os.umask(before)
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o640
    assert sorted(found.name for found in tmp_path.iterdir()) == ["a.grid", "b", "link.grid"]


def test_new_file__replaces_none(tmp_path: Path) -> None:
    """Neither a file nor a link that leads nowhere."""
    write_new(tmp_path / "a", "1")
    (tmp_path / "b").symlink_to(tmp_path / "nowhere")
    for name in "ab":
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, "2")
    assert (tmp_path / "a").read_text() == "1"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["a", "b"]


@POSIX
def test_device__is_written_to(tmp_path: Path) -> None:
    """There is nothing to put in the place of a device."""
    write("/dev/null", "x")
    assert not Path("/dev/null").is_file()


def test_several__are_written_all_or_none(tmp_path: Path) -> None:
    """Where one has no place, the others stay as they were."""
    (tmp_path / "a").write_text("old")
    with pytest.raises(OSError, match="nowhere"):
        write_together({tmp_path / "a": "new", tmp_path / "nowhere" / "b": "new"})
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("a", "old")]


def test_drafts_of_processes_that_are_gone__go(tmp_path: Path) -> None:
    """Old ones of the same file; new ones, which may be another process's, stay."""
    names = [".a.00000000.griddsl-draft", ".a.11111111.griddsl-draft", ".b.00000000.griddsl-draft"]
    for name in names:
        (tmp_path / name).write_text("half")
    os.utime(tmp_path / names[0], (0, 0))
    os.utime(tmp_path / names[2], (0, 0))
    write(tmp_path / "a", "1")
    assert sorted(found.name for found in tmp_path.iterdir()) == [names[1], names[2], "a"]


COMMANDS = [
    "fmt line.grid",
    "convert line.grid -o out.toml",
    "show line.grid -o out.svg",
    "show line.grid -o out.png",
    "show line.grid -o out.gif",
    "solve line.grid -o out.npz",
    "solve line.grid -o out.pomdp",
    "solve line.grid -o out.tra",
    "solve line.grid -o out.svg",
    "schema -o out.json",
    "new fresh",
    "run line.grid --random --steps 5 --record out.gif",
]


@POSIX
def test_full_disk__loses_nothing(tmp_path: Path) -> None:
    """Every command that writes: an error in words, the old file as it was, and no draft beside it."""
    (tmp_path / "line.grid").write_text(SPEC)
    outputs = [
        f"out.{ending}"
        for ending in ["toml", "svg", "png", "gif", "npz", "pomdp", "tra", "sta", "lab", "trew", "json"]
    ]
    for name in outputs:
        (tmp_path / name).write_text(f"old {name}")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code = f"""
import os, resource, signal
from typer.testing import CliRunner
from griddsl.cli.app import app
os.environ["GRIDDSL_CACHE"] = "/proc/griddsl"
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
for command in {COMMANDS!r}:
    result = CliRunner().invoke(app, command.split())
    print(command, "|", result.exit_code, "|", result.output.strip().splitlines()[-1:], flush=True)
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "SDL_VIDEODRIVER": "dummy"}
    )  # fmt: skip
    assert found.returncode == 0, found.stderr[-2000:]
    lines = found.stdout.splitlines()
    assert len(lines) == len(COMMANDS)
    for line in lines:
        command, exit_code, said = (part.strip() for part in line.split("|"))
        assert exit_code == "1" and "error: " in said and "too large" in said, f"{command}: {line}"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@POSIX
def test_killed_process__loses_nothing(tmp_path: Path) -> None:
    """`kill -9` while a recording is written leaves the old one."""
    spec, old = tmp_path / "line.grid", tmp_path / "out.gif"
    spec.write_text(SPEC)
    old.write_bytes(b"GIF of before")
    code = """
import os, sys, time
os.fsync = lambda handle: time.sleep(60)
from griddsl.cli import main
sys.argv = ["griddsl", "run", "line.grid", "--random", "--steps", "5", "--record", "out.gif"]
main()
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not list(tmp_path.glob(".out.gif*")) and time.monotonic() < until:
        time.sleep(0.02)
    assert list(tmp_path.glob(".out.gif*"))
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert old.read_bytes() == b"GIF of before"


def test_nothing_else__writes_files() -> None:
    """All that griddsl writes goes through `griddsl.files.writing`, or into its cache."""
    home, found, seen = Path(griddsl.__file__).parent, [], 0
    for path in sorted(home.rglob("*.py")):
        seen += 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node) and path.name not in {"writing.py", "cache.py"}:
                found.append(f"{path.relative_to(home)}:{node.lineno}")
    assert seen > 100
    assert [place for place in found if not place.startswith("render/window/display.py")] == []


def _writes(call: ast.Call) -> bool:
    """Whether a call writes a file: a method that does, or `open` with a mode that does."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in {"write_text", "write_bytes", "savez", "savez_compressed", "savetxt", "dump", "mkstemp"}:
        given = ast.unparse(call.args[0]) if call.args else ""
        return name not in {"savez_compressed", "dump"} or given != "content"
    modes = [
        node.value
        for node in [*call.args, *(key.value for key in call.keywords)]
        if isinstance(node, ast.Constant)
    ]
    return name == "open" and any(
        isinstance(mode, str) and set(mode) & set("wax+") and len(mode) < 4 for mode in modes
    )
