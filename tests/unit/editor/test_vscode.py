"""The extension of VS Code: what its manifest names is there, and it does what it says beside a stand-in of VS Code."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from griddsl import __version__
from griddsl.syntax.keywords import STATEMENTS

FOLDER = Path(__file__).parents[3] / "editors" / "vscode"
STAND_IN = """
const Module = require("module");
const log = [];
const commands = {};
let changed;
const document = { languageId: "grid", isDirty: true, uri: { fsPath: "/w/a.grid", toString: () => "file:///w/a.grid" },
  save: async () => log.push("saved") };
const panel = { webview: { html: "" }, reveal: () => log.push("revealed"), onDidDispose: () => {} };
const vscode = {
  ViewColumn: { Beside: -2 },
  Uri: { parse: (text) => ({ fsPath: text.replace("file://", ""), toString: () => text }) },
  window: {
    activeTextEditor: { document },
    terminals: [],
    createTerminal: ({ name }) => {
      const terminal = { name, show: () => log.push("shown"), sendText: (text) => log.push(["terminal", text]),
        dispose: () => log.push(["disposed", name]) };
      vscode.window.terminals.push(terminal);
      return terminal;
    },
    createWebviewPanel: () => panel,
    showErrorMessage: async (text) => log.push(["error", text]),
  },
  workspace: {
    textDocuments: [document],
    getConfiguration: () => ({ get: () => ["griddsl"] }),
    createFileSystemWatcher: (pattern) => pattern,
    onDidChangeTextDocument: (listener) => (changed = listener),
  },
  commands: { registerCommand: (name, run) => (commands[name] = run), executeCommand: () => {} },
};
let svg = "<svg>1</svg>";
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(this, { server, options: client }); LanguageClient.last = this; }
  async start() { log.push(["start", this.server]); }
  async stop() { log.push("stop"); }
  async sendRequest(name, given) { log.push([name, given]); return { svg }; }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
(async () => {
  const extension = require(process.argv[1]);
  await extension.activate({ subscriptions: [] });
  await commands["griddsl.playInTerminal"]();
  await commands["griddsl.playInTerminal"]();
  const lens = LanguageClient.last.options.middleware.executeCommand;
  await lens("griddsl.solve", ["file:///w/a.grid", ["/a b/python", "-m", "griddsl", "solve"]], () => log.push("next"));
  await lens("other", [], () => log.push("next"));
  await commands["griddsl.preview"]();
  const first = panel.webview.html;
  svg = "<svg>2</svg>";
  changed({ document });
  await new Promise((done) => setTimeout(done, 300));
  const second = panel.webview.html;
  svg = null;
  changed({ document });
  await new Promise((done) => setTimeout(done, 300));
  await extension.deactivate();
  const known = [first.includes("<svg>1</svg>"), second.includes("<svg>2</svg>"), panel.webview.html === second];
  process.stdout.write(JSON.stringify({ log, known, commands: Object.keys(commands) }));
})();
"""


def _manifest() -> Any:
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def test_manifest__names_what_is_there() -> None:
    """Every file that the manifest names exists, and the versions are those of the package."""
    manifest = _manifest()
    gives = manifest["contributes"]
    named = [manifest["icon"], gives["grammars"][0]["path"], gives["snippets"][0]["path"]]
    named += [gives["languages"][0]["configuration"], *gives["languages"][0]["icon"].values()]
    for name in named:
        assert (FOLDER / name).is_file(), name
    assert manifest["version"] == __version__
    assert (FOLDER / "LICENSE").read_text() == (FOLDER.parents[1] / "LICENSE").read_text()


def test_build__leaves_nothing_for_the_source_archive() -> None:
    """What npm brings and the build writes is ignored at the root, where the package's build looks; it was 100 MB."""
    ignored = (FOLDER.parents[1] / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/editors/vscode/node_modules/", "/editors/vscode/out/", "*.vsix"} <= set(ignored)
    assert not list(FOLDER.glob(".gitignore"))


def test_snippets__are_of_statements() -> None:
    """Each snippet starts with a statement."""
    snippets = json.loads((FOLDER / "snippets" / "grid.json").read_text(encoding="utf-8"))
    assert len(snippets) > 20
    assert set(snippets) <= set(STATEMENTS)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_extension__plays_and_previews() -> None:
    """It starts the server, plays in a terminal after saving, runs lenses there, and draws the map as it changes."""
    done = subprocess.run(
        ["node", "-e", STAND_IN, str(FOLDER / "src" / "extension.js")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found = json.loads(done.stdout)
    assert ["start", {"command": "griddsl", "args": ["lsp"]}] in found["log"]
    terminals = [each[1] for each in found["log"] if each[0] == "terminal"]
    playing = "griddsl run /w/a.grid --view terminal"
    assert terminals == [playing, playing, "'/a b/python' -m griddsl solve"]
    # A game that still runs would take the words of the second as its keys.
    assert [each for each in found["log"] if each[0] == "disposed"] == [["disposed", "griddsl play"]]
    assert found["log"].index("saved") < found["log"].index(["terminal", terminals[0]])
    assert found["log"].count("next") == 1
    assert ["griddsl/picture", {"textDocument": {"uri": "file:///w/a.grid"}}] in found["log"]
    assert found["known"] == [True, True, True]
    assert set(found["commands"]) == {each["command"] for each in _manifest()["contributes"]["commands"]}


def test_lenses__are_known_to_the_extension() -> None:
    """The extension runs the commands that the server's lenses name."""
    pytest.importorskip("lsprotocol", reason="pygls is not installed")
    from griddsl.editor.questions.hints import LENSES

    text = (FOLDER / "src" / "extension.js").read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in LENSES)
