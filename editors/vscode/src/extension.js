// The extension: the language client, playing in a terminal, and the map beside the text.
"use strict";
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
const LENSES = ["griddsl.play", "griddsl.solve", "griddsl.export"];

function command() {
  const words = vscode.workspace.getConfiguration("griddsl").get("command");
  return words && words.length ? words : ["griddsl"];
}

function quoted(word) {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replace(/'/g, "'\\''")}'`;
}

// In a shell, so that what is printed stays; in a new one, because a game that still runs would take the words as its keys.
function inTerminal(title, words) {
  const name = `griddsl ${title}`;
  for (const each of vscode.window.terminals.filter((each) => each.name === name)) each.dispose();
  const terminal = vscode.window.createTerminal({ name });
  terminal.show();
  const call = process.platform === "win32" && quoted(words[0]) !== words[0] ? "& " : "";
  terminal.sendText(call + words.map(quoted).join(" "));
}

async function saved(uri) {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document && document.isDirty) await document.save();
}

async function runLens(name, uri, words) {
  await saved(uri);
  inTerminal(name.replace("griddsl.", ""), words);
}

async function start() {
  const [first, ...rest] = command();
  const selector = [{ language: "grid" }, { pattern: "**/*.grid.toml" }];
  client = new LanguageClient(
    "griddsl",
    "griddsl",
    { command: first, args: [...rest, "lsp"] },
    {
      documentSelector: selector,
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{grid,toml}") },
      middleware: {
        executeCommand: (name, given, next) =>
          LENSES.includes(name) && Array.isArray(given[1])
            ? runLens(name, vscode.Uri.parse(given[0]), given[1])
            : next(name, given),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const answer = await vscode.window.showErrorMessage(
      `griddsl does not start: ${error.message}. Is it installed? pip install 'griddsl[lsp]'`,
      "Settings",
    );
    if (answer) vscode.commands.executeCommand("workbench.action.openSettings", "griddsl.command");
  }
}

function activeUri() {
  const editor = vscode.window.activeTextEditor;
  return editor && editor.document.languageId === "grid" ? editor.document.uri : undefined;
}

async function playInTerminal() {
  const uri = activeUri();
  if (!uri) return;
  await saved(uri);
  const view = process.platform === "win32" ? [] : ["--view", "terminal"]; // whose terminals give no single keys
  inTerminal("play", [...command(), "run", uri.fsPath, ...view]);
}

// The map beside the text

const previews = new Map();

function page(svg, name) {
  const body = svg || "<p>The spec has errors: the map is shown once they are mended.</p>";
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;">
<style>body { display: flex; justify-content: center; padding: 1em } svg { max-width: 100%; height: auto }</style>
<title>${name.replace(/[<&]/g, "")}</title></head><body>${body}</body></html>`;
}

async function draw(uri) {
  const preview = previews.get(uri.toString());
  if (!preview || !client) return;
  preview.wanted = (preview.wanted || 0) + 1;
  const number = preview.wanted;
  const answer = await client.sendRequest("griddsl/picture", { textDocument: { uri: uri.toString() } });
  if (previews.get(uri.toString()) !== preview || number !== preview.wanted) return;
  if (answer.svg || !preview.shown) preview.panel.webview.html = page(answer.svg, path.basename(uri.fsPath));
  preview.shown = preview.shown || Boolean(answer.svg);
}

async function showPreview() {
  const uri = activeUri();
  if (!uri) return;
  const known = previews.get(uri.toString());
  if (known) return known.panel.reveal(vscode.ViewColumn.Beside, true);
  const panel = vscode.window.createWebviewPanel(
    "griddsl.map",
    `${path.basename(uri.fsPath)}: map`,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: false },
  );
  previews.set(uri.toString(), { panel });
  panel.onDidDispose(() => previews.delete(uri.toString()));
  await draw(uri);
}

function activate(context) {
  const timers = new Map();
  context.subscriptions.push(
    vscode.commands.registerCommand("griddsl.playInTerminal", playInTerminal),
    vscode.commands.registerCommand("griddsl.preview", showPreview),
    vscode.commands.registerCommand("griddsl.restart", async () => {
      if (client) await client.stop().catch(() => undefined);
      await start();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const name = document.uri.toString();
      if (!previews.has(name)) return;
      clearTimeout(timers.get(name));
      timers.set(name, setTimeout(() => draw(document.uri), 150));
    }),
  );
  return start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
