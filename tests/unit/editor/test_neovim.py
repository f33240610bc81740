"""The language server in a real editor: Neovim, headless."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

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
SCRIPT = """
local file, python, out = {file}, {python}, {out}
local result = {{}}
local function finish()
    vim.fn.writefile({{vim.fn.json_encode(result)}}, out)
    vim.cmd('qa!')
end
vim.cmd('edit ' .. file)
local buffer = vim.api.nvim_get_current_buf()
local config = {{
    name = 'griddsl',
    cmd = {{python, '-P', '-m', 'griddsl', 'lsp'}},
    root_dir = vim.fn.fnamemodify(file, ':h'),
}}
local client
if vim.lsp.start then
    client = vim.lsp.start(config)
else
    client = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, client)
end
vim.wait(40000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
local found = vim.diagnostic.get(buffer)
if #found == 0 then finish() end
result.code, result.line, result.column = found[1].code, found[1].lnum, found[1].col
result.message = found[1].message
local place = {{line = found[1].lnum, character = found[1].col}}
local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', {{
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = {{start = place, ['end'] = place}},
    context = {{diagnostics = {{}}, only = {{'quickfix'}}}},
}}, 20000)
for _, answer in pairs(answers or {{}}) do
    for _, action in ipairs(answer.result or {{}}) do
        if action.isPreferred then
            result.title = action.title
            vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
        end
    end
end
vim.wait(40000, function() return #vim.diagnostic.get(buffer) == 0 end, 50)
result.left = #vim.diagnostic.get(buffer)
vim.cmd('write')
finish()
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim__shows_an_error_and_applies_its_fix(tmp_path: Path) -> None:
    """A file with an error is opened; the diagnostic is there, its fix is applied, and the error is gone."""
    file, out, script = tmp_path / "game.grid", tmp_path / "out.json", tmp_path / "script.lua"
    file.write_text(SPEC)
    words = {"file": str(file), "python": sys.executable, "out": str(out)}
    script.write_text(SCRIPT.format(**{name: json.dumps(word) for name, word in words.items()}))
    subprocess.run(
        ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {script}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=150,
        check=True,
    )
    result = json.loads(out.read_text())
    assert (result["code"], result["line"], result["column"]) == ("once-named", 6, 9)
    assert result["title"] == "Write `goal`"
    assert result["left"] == 0
    assert file.read_text() == SPEC.replace("gaol", "goal")
