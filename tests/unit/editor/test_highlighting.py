"""Colours: one table of words, and the same classes of the same specs in Pygments, TextMate, Vim and tree-sitter.

``python -m tests.unit.editor.test_highlighting`` writes the snapshots anew.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from griddsl import __version__
from griddsl.syntax.keywords import STATEMENTS
from griddsl.syntax.vocabulary import lexicon
from griddsl.syntax.vocabulary.words import HEAD_FORMS, language_words

ROOT = Path(__file__).parents[3]
EDITORS = ROOT / "editors"
SNAPSHOTS = ROOT / "tests" / "cases" / "highlight"
SPECS = (
    "boat_race capture_the_flag cliff_walking conveyor door_key driving fetch four_rooms frozen_lake ice_sliding "
    "hurdle_race lava_gap multi_room overcooked pursuit_evasion put_near rock_sample sokoban taxi windy_gridworld"
)
HERE = Path(__file__).parent


@cache
def _generate() -> Any:
    """Return the module that writes what editors read."""
    found = importlib.util.spec_from_file_location("generate", EDITORS / "generate.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _names() -> list[str]:
    return sorted(path.stem for path in SNAPSHOTS.glob("*.txt"))


def _text(name: str) -> str:
    return (ROOT / "specs" / f"{name}.grid").read_text(encoding="utf-8").rstrip("\n")


def _drawn(text: str, classes: list[str]) -> str:
    """Return a text with the letter of its class below each character that is no blank."""
    lines, at = [], 0
    for row in text.split("\n"):
        letters = "".join(
            " " if char.isspace() else lexicon.CLASSES[classes[at + index]] for index, char in enumerate(row)
        )
        lines += [f"  {row}".rstrip(), f"> {letters}".rstrip()]
        at += len(row) + 1
    return "\n".join(lines) + "\n"


def _snapshot(name: str) -> str:
    return (SNAPSHOTS / f"{name}.txt").read_text(encoding="utf-8")


# The table


def test_lexicon__has_every_word_of_the_language() -> None:
    """The words of the grammar, read from its text, are those that the parser knows; every statement is there."""
    grammar = set(language_words()) - set(STATEMENTS) - HEAD_FORMS
    known = {*lexicon.words(), *lexicon.CONSTANTS, *lexicon.builtins()}
    assert grammar - known == set()
    assert {*lexicon.statements(), *lexicon.rules()} == set(STATEMENTS)


def test_files__are_written_from_the_table() -> None:
    """What editors read is what the generator writes now."""
    files = _generate().FILES
    assert len(files) >= 7
    for name, content in files.items():
        assert (EDITORS / name).read_text(encoding="utf-8") == content(), "run python editors/generate.py"


def test_snapshots__are_twenty() -> None:
    """Twenty specs have a snapshot."""
    assert len(_names()) == 20


# Each lexer


def _by_pygments(text: str) -> list[str]:
    from griddsl.editor.lexer import CLASS_OF_TOKEN, GridLexer

    classes = []
    for _, token, value in GridLexer().get_tokens_unprocessed(text):
        classes += [CLASS_OF_TOKEN[token]] * len(value)
    return classes


def test_pygments__finds_the_lexer_by_name() -> None:
    """`grid` is a lexer of Pygments once griddsl is installed."""
    pytest.importorskip("pygments", reason="Pygments is not installed")
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pygments.lexers"] == {"grid": "griddsl.editor.lexer:GridLexer"}
    try:
        assert get_lexer_by_name("grid").name == "griddsl"
    except Exception:
        from importlib.metadata import entry_points

        if not [each for each in entry_points(group="pygments.lexers") if each.name == "grid"]:
            pytest.skip("griddsl was installed before it had the entry point")
        raise
    assert get_lexer_for_filename("a.grid").name == "griddsl"


@pytest.mark.parametrize("name", _names())
def test_pygments__is_as_the_snapshot(name: str) -> None:
    """Pygments sees the classes of the snapshot."""
    pytest.importorskip("pygments", reason="Pygments is not installed")
    text = _text(name)
    assert _drawn(text, _by_pygments(text)) == _snapshot(name)


def _modules() -> Path | None:
    """Return the folder whose `node_modules` holds vscode-textmate and vscode-oniguruma; None where there is none."""
    if shutil.which("node") is None:
        return None
    folders = [Path(os.environ.get("GRIDDSL_NODE_MODULES", "/nowhere")), EDITORS / "vscode", ROOT]
    return next((each for each in folders if (each / "node_modules" / "vscode-textmate").is_dir()), None)


@cache
def _by_textmate() -> dict[str, list[str]]:
    scopes = {scope: name for name, scope in _generate().TEXTMATE.items()}
    names = _names()
    grammar = (EDITORS / "vscode" / "syntaxes" / "grid.tmLanguage.json").read_text(encoding="utf-8")
    done = subprocess.run(
        ["node", str(HERE / "textmate.mjs"), str(_modules())],
        input=json.dumps({"grammar": grammar, "texts": [_text(name) for name in names]}),
        capture_output=True,
        text=True,
        check=True,
    )
    found = {}
    for name, lines in zip(names, json.loads(done.stdout), strict=True):
        classes: list[str] = []
        for row, tokens in zip(_text(name).split("\n"), lines, strict=True):
            of_row = ["other"] * (len(row) + 1)
            for start, end, scope in tokens:
                of_row[start : min(end, len(row))] = [scopes.get(scope, "other")] * (
                    min(end, len(row)) - start
                )
            classes += of_row
        found[name] = classes
    return found


@pytest.mark.skipif(_modules() is None, reason="node with vscode-textmate and vscode-oniguruma is not there")
@pytest.mark.parametrize("name", _names())
def test_textmate__is_as_the_snapshot(name: str) -> None:
    """The TextMate grammar, run by the library of VS Code, sees the classes of the snapshot."""
    assert _drawn(_text(name), _by_textmate()[name]) == _snapshot(name)


VIM = """
set nocompatible
syntax on
let found = {}
for spec in %s
  execute 'edit ' . fnameescape(%s . '/' . spec . '.grid')
  execute 'source ' . fnameescape(%s)
  syntax sync fromstart
  let rows = []
  for row in range(1, line('$'))
    let text = getline(row)
    let groups = []
    for column in range(1, len(text))
      call add(groups, synIDattr(synID(row, column, 1), 'name'))
    endfor
    call add(rows, groups)
  endfor
  let found[spec] = rows
  unlet! b:current_syntax
endfor
call writefile([json_encode(found)], %s)
qall!
"""


@cache
def _by_vim(folder: Path) -> dict[str, list[str]]:
    names, out, script = _names(), folder / "found.json", folder / "script.vim"
    syntax = EDITORS / "vim" / "syntax" / "grid.vim"
    written = (
        json.dumps(names),
        json.dumps(str(ROOT / "specs")),
        json.dumps(str(syntax)),
        json.dumps(str(out)),
    )
    script.write_text(VIM % written)
    subprocess.run(
        ["nvim", "--headless", "--clean", "-n", "-R", "-S", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=True,
    )
    groups = {f"grid{name.capitalize()}": name for name in lexicon.CLASSES}
    found = {}
    for name, rows in json.loads(out.read_text()).items():
        text = _text(name)
        classes: list[str] = []
        for row, of_row in zip(text.split("\n"), rows, strict=False):
            bytes_before = [len(row[:index].encode()) for index in range(len(row))]
            classes += [groups.get(of_row[at], "other") for at in bytes_before] + ["other"]
        found[name] = classes
    return found


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
@pytest.mark.parametrize("name", _names())
def test_vim__is_as_the_snapshot(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The Vim syntax, run by Neovim, sees the classes of the snapshot."""
    folder = tmp_path_factory.getbasetemp() / "vim"
    folder.mkdir(exist_ok=True)
    assert _drawn(_text(name), _by_vim(folder)[name]) == _snapshot(name)


@pytest.mark.skipif(shutil.which("tree-sitter") is None, reason="the command tree-sitter is not installed")
@pytest.mark.parametrize("name", _names())
def test_tree_sitter__is_as_the_snapshot(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The tree-sitter grammar, generated and run by its own command, sees the classes of the snapshot."""
    folder = tmp_path_factory.getbasetemp() / "tree-sitter-grid"
    if not folder.is_dir():
        shutil.copytree(EDITORS / "tree-sitter-grid", folder)
        subprocess.run(["tree-sitter", "generate"], cwd=folder, check=True, capture_output=True)
    text = _text(name)
    (folder / "spec.grid").write_text(text + "\n")
    done = subprocess.run(
        ["tree-sitter", "parse", "spec.grid"], cwd=folder, check=True, capture_output=True, text=True
    )
    rows = text.split("\n")
    starts = [sum(len(row) + 1 for row in rows[:at]) for at in range(len(rows) + 1)]
    classes = ["other"] * (len(text) + 1)
    for kind, *place in re.findall(r"\((\w+) \[(\d+), (\d+)\] - \[(\d+), (\d+)\]", done.stdout):
        if kind in lexicon.CLASSES:
            first, column, last, end = map(int, place)
            start, stop = starts[first] + column, min(starts[last] + end, len(text))
            classes[start:stop] = [kind] * (stop - start)
    assert _drawn(text, classes) == _snapshot(name)


GRAMMAR_TO_JSON = """
const made = (type) => (...parts) => ({ type, parts: parts.map(part) });
const part = (given) => given instanceof RegExp ? { type: "pattern", value: given.source }
  : typeof given === "string" ? { type: "string", value: given } : given;
for (const name of ["seq", "choice", "repeat", "optional", "token"]) global[name] = made(name);
global.alias = (given, name) => ({ type: "alias", parts: [part(given)], name: name.name });
global.prec = (_, given) => part(given);
const $ = new Proxy({}, { get: (_, name) => ({ type: "symbol", name }) });
global.grammar = ({ rules }) => {
  const found = Object.entries(rules).map(([name, make]) => [name, part(make($))]);
  process.stdout.write(JSON.stringify(found));
};
require(process.argv[1]);
"""


@cache
def _tree_sitter_in_lark() -> Any:
    """Return the tree-sitter grammar as a parser of lark, which is LR too and asks the lexer for what may stand only."""
    from lark import Lark

    done = subprocess.run(
        ["node", "-e", GRAMMAR_TO_JSON, str(EDITORS / "tree-sitter-grid" / "grammar.js")],
        capture_output=True,
        text=True,
        check=True,
    )
    rules = dict(json.loads(done.stdout))
    terminals: dict[str, str] = {}

    def terminal(kind: str, value: str, priority: int) -> str:
        whole = f"{re.escape(value)}(?![A-Za-z0-9_])" if value.isidentifier() else re.escape(value)
        shown = f"/{whole if kind == 'string' else value}/"
        name = next((each for each, text in terminals.items() if text.partition(" ")[2] == shown), None)
        if name is None:
            name = f"T{len(terminals)}"
            terminals[name] = f"{priority} {shown}"
        return name

    def written(node: Any) -> str:
        match node["type"]:
            case "symbol":
                return f"r_{node['name'].strip('_')}"
            case "string":
                return terminal("string", node["value"], 2)
            case "pattern":
                return terminal("pattern", node["value"], 1)
            case "alias":
                return f"r_alias_{node['name'].strip('_')}_{aliased(node)}"
        parts = [written(each) for each in node["parts"]]
        if node["type"] == "choice":
            return f"({' | '.join(parts)})"
        inside = " ".join(parts)
        return {"repeat": f"({inside})*", "optional": f"({inside})?", "token": inside}.get(
            node["type"], f"({inside})"
        )

    aliases: list[tuple[str, str]] = []

    def aliased(node: Any) -> int:
        aliases.append((node["name"], written(node["parts"][0])))
        return len(aliases) - 1

    lines = [f"r_{name.strip('_')}: {written(node)}" for name, node in rules.items()]
    lines += [f"r_alias_{name.strip('_')}_{at}: {text}" for at, (name, text) in enumerate(aliases)]
    for name, text in terminals.items():
        priority, _, shown = text.partition(" ")
        lines.append(f"{name}.{priority}: {shown}")
    named = {f"r_{name}": name for name in rules if not name.startswith("_")}
    named |= {f"r_alias_{name}_{at}": name for at, (name, _) in enumerate(aliases) if name in lexicon.CLASSES}
    return Lark("\n".join(lines), start="r_source_file", parser="lalr", propagate_positions=True), named


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", _names())
def test_tree_sitter__grammar_reads_the_snapshot(name: str) -> None:
    """The tree-sitter grammar, run as an LR grammar of lark, has no conflict and sees the classes of the snapshot."""
    parser, named = _tree_sitter_in_lark()
    text = _text(name)
    classes = ["other"] * (len(text) + 1)
    for node in parser.parse(text + "\n").iter_subtrees():
        kind = named.get(str(node.data))
        if kind in lexicon.CLASSES and not node.meta.empty:
            start, end = node.meta.start_pos, min(node.meta.end_pos, len(text))
            classes[start:end] = [kind] * (end - start)
    assert _drawn(text, classes) == _snapshot(name)


def test_tree_sitter__queries_name_rules() -> None:
    """The queries name classes that the grammar has rules for."""
    text = (EDITORS / "tree-sitter-grid" / "grammar.js").read_text(encoding="utf-8")
    queries = (EDITORS / "tree-sitter-grid" / "queries" / "highlights.scm").read_text(encoding="utf-8")
    named = re.findall(r"^\((\w+)\)", queries, re.MULTILINE)
    assert len(named) > 8
    assert all(re.search(rf"^    {each}: ", text, re.MULTILINE) for each in named)


def test_tree_sitter__manifest_names_what_is_there() -> None:
    """What `tree-sitter.json` names exists, and its version is that of the package."""
    folder = EDITORS / "tree-sitter-grid"
    manifest = json.loads((folder / "tree-sitter.json").read_text(encoding="utf-8"))
    assert manifest["metadata"]["version"] == __version__
    assert all((folder / each["path"] / each["highlights"]).is_file() for each in manifest["grammars"])


def main() -> None:
    """Write the snapshots as Pygments sees them."""
    SNAPSHOTS.mkdir(exist_ok=True)
    for name in SPECS.split():
        text = _text(name)
        (SNAPSHOTS / f"{name}.txt").write_text(_drawn(text, _by_pygments(text)), encoding="utf-8")


if __name__ == "__main__":
    main()
