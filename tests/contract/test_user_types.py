"""What users see of griddsl: a script of theirs is strictly typed, from the package as it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("user_script.py")


def test_user_script__runs() -> None:
    """The script does what its types speak of."""
    done = subprocess.run([sys.executable, "-W", "error", str(SCRIPT)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "['mine/Lake-v0'] 6.0 (8,) 5.762591",
        "['blue', 'red'] 1",
    ]


def test_user_script__is_strictly_typed(tmp_path: Path) -> None:
    """No result is `Any` where it can be said what it is, and a name that does not exist is an error."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    given = [
        "--strict",
        "--warn-unreachable",
        "--disallow-any-unimported",
        "--cache-dir",
        str(tmp_path),
        str(SCRIPT),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", *given], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n"), done.stdout
