"""The pages of editors: what they tell to write is read by what takes it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EDITORS = Path(__file__).parents[3] / "editors"
SPEC = """\
env: a/B-v0
map:
    @..G
legend: G = goal
actions: left, right
observe: cell
on enter gaol: end success
limit: 9 steps
"""
TOML = """\
env = "a/B-v0"
map = "@..G"
legend = { G = "goal" }
actions = ["left", "right"]
observe = "cell"
limit = "9 steps"

[[rules]]
when = "on enter gaol"
do = "end success"
"""
WAIT = """
vim.wait(40000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = vim.diagnostic.get(0)
vim.fn.writefile({ vim.fn.json_encode({ #found, found[1] and found[1].lnum or -1 }) }, vim.env.GRIDDSL_OUT)
vim.cmd("qa!")
"""


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_settings__are_what_their_format_takes() -> None:
    """Each block of TOML and of JSON on a page is valid, and Helix's names the command and the file type."""
    pages = sorted(EDITORS.glob("*.md"))
    settings = {page.stem: [tomllib.loads(each) for each in _blocks(page, "toml")] for page in pages}
    objects = [json.loads(each) for page in pages for each in _blocks(page, "json")]
    assert len(objects) >= 3
    assert sorted(name for name, found in settings.items() if found) == ["helix", "zed"]
    [helix] = settings["helix"]
    assert helix["language-server"]["griddsl"] == {"command": "griddsl", "args": ["lsp"]}
    [language] = helix["language"]
    assert (language["file-types"], language["language-servers"]) == (["grid"], ["griddsl"])
    assert language["formatter"] == {"command": "griddsl", "args": ["fmt", "-"]}


def test_paths__that_pages_name_are_there() -> None:
    """What a page tells to copy or to choose exists."""
    for page in EDITORS.glob("*.md"):
        for name in re.findall(r"`(editors/[\w./-]+)`", page.read_text(encoding="utf-8")):
            assert (EDITORS.parent / name).exists(), (page.name, name)


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
@pytest.mark.parametrize(("name", "text", "line"), [("game.grid", SPEC, 6), ("game.grid.toml", TOML, 8)])
def test_neovim__is_set_up_as_its_page_says(tmp_path: Path, name: str, text: str, line: int) -> None:
    """With the lines of the page for Debian's Neovim, an error is told of a spec in either spelling."""
    pytest.importorskip("pygls", reason="pygls is not installed")
    setup = next(each for each in _blocks(EDITORS / "neovim.md", "lua") if "nvim_create_autocmd" in each)
    (tmp_path / name).write_text(text)
    (tmp_path / "init.lua").write_text(setup)
    (tmp_path / "wait.lua").write_text(WAIT)
    command = tmp_path / "bin" / "griddsl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m griddsl "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["nvim", "--headless", "-u", "init.lua", "-i", "NONE", "-n", "-c", "luafile wait.lua", name],
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "GRIDDSL_OUT": str(tmp_path / "out.json")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=150,
        check=True,
    )
    assert json.loads((tmp_path / "out.json").read_text()) == [1, line]
