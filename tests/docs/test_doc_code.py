"""Every Python block in the pages runs, and every console block prints what it shows."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.doc_blocks import PAGES, ROOT, Block, all_blocks

PYTHON = [block for block in all_blocks() if block.language == "python"]
CONSOLE = [block for block in all_blocks() if block.language == "console" and "run" in block.words]
NEEDED = {"sb3": "stable_baselines3", "jax": "jax"}
MISSING = {word for word, module in NEEDED.items() if importlib.util.find_spec(module) is None}


def _with_files(page: str, folder: Path) -> Path:
    """Write the files that a page shows (``file=NAME``) into a folder."""
    for block in all_blocks():
        name = block.value("file")
        if block.page == page and name is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    return folder


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "COLUMNS": "100", "NO_COLOR": "1"}
    kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "GRIDDSL_PATH"}}
    return {**kept, **quiet, "PATH": path, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}


@pytest.mark.parametrize("page", [page for page in PAGES if any(b.page == page for b in PYTHON)])
def test_python__of_a_page_runs_from_top_to_bottom(page: str, tmp_path: Path) -> None:
    """The Python blocks of a page, joined, are a program that runs; those that need SB3 or JAX only where it is."""
    chosen = [
        block
        for block in PYTHON
        if block.page == page and block.value("file") is None and not MISSING & set(block.words)
    ]
    program = "".join(f"# {block}\n{block.text}\n" for block in chosen)
    script = _with_files(page, tmp_path) / "page.py"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script.name],
        cwd=tmp_path,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def _commands(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a block, each with what it shows below."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            assert found, f"{block}: a console block starts with a command"
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return found


def _fits(shown: str, printed: str) -> bool:
    """Whether what is printed is what is shown; a line ``...`` stands for any lines."""
    lines = [line.rstrip() for line in shown.splitlines()]
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in lines)
    return re.fullmatch(pattern, printed) is not None


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_console__prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    """The commands of a block exit as it says (``exit=1``; 0 by default) and print what stands below them."""
    folder = _with_files(block.page, tmp_path)
    for command, shown in _commands(block):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=_environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == int(block.value("exit") or 0), done.stdout + done.stderr
        printed = done.stdout + done.stderr
        assert not shown or _fits(shown, printed), f"{command} printed:\n{printed}"
