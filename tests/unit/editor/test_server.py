"""The language server, asked as clients ask."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed")
pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types as lsp  # noqa: E402
from pygls.exceptions import JsonRpcRequestCancelled  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

GOOD = """\
env: a/B-v0
# What opens doors.
object key: portable, color in red | blue
object door: solid unless open
    state in closed | open
var energy: 5 in 0..9
map:
    @k.D.
    ....G
legend: k = key, D = door, G = goal
actions: turn_left, turn_right, forward, pickup, toggle
observe: cell
on toggle door if agent has key(color=red): door becomes open
on enter goal: reward energy, end success
each step: energy -= 1
limit: 20 steps
"""
KINDS = "tile goal:\n"
TOML = """\
env = "a/B-v0"
map = '''
@..G
'''
legend = { G = "goal" }
actions = ["left", "right"]
observe = "cell"
limit = "20 steps"

[var]
energy = "5 in 0..9"

[[rules]]
when = "each step"
do = "energy -= 1"

[[rules]]
when = "on enter goal"
do = ["reward energy", "end success"]
"""
USING = GOOD.replace("# What opens doors.", 'use: "kinds.grid"')
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(
    scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-P", "-m", "griddsl", "lsp"]),
)
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    """Start a server, and open a folder in it."""
    folder = tmp_path_factory.mktemp("workspace")
    lsp_client.folder = folder  # type: ignore[attr-defined]
    capabilities = client_capabilities("visual-studio-code")
    folders = [lsp.WorkspaceFolder(folder.as_uri(), "workspace")]
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, workspace_folders=folders)
    )
    yield
    await lsp_client.shutdown_session()


class Editor:
    """One text that is open in a client."""

    def __init__(self, client: Any, name: str, text: str) -> None:
        self.client, self.text, self.version = client, text, 1
        self.path = client.folder / name
        self.uri = self.path.as_uri() if not name.startswith("untitled:") else name
        item = lsp.TextDocumentItem(self.uri, "grid", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        self.id = lsp.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        """Replace the whole text."""
        self.version += 1
        self.text = text
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        whole = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, whole))

    def at(self, marked: str) -> lsp.Position:
        """Return the position of the `|` in a part of the text that is written with one."""
        before, _, after = marked.partition("|")
        offset = self.text.index(before + after) + len(before)
        line = self.text.count("\n", 0, offset)
        return lsp.Position(line, offset - (self.text.rfind("\n", 0, offset) + 1))

    def whole(self) -> lsp.Range:
        """Return the range of all of the text."""
        return lsp.Range(lsp.Position(0, 0), lsp.Position(self.text.count("\n") + 1, 0))

    async def problems(
        self, until: Callable[[list[lsp.Diagnostic]], bool], seconds: float = 30.0
    ) -> list[lsp.Diagnostic]:
        """Return the diagnostics of the text as soon as they are as is waited for."""
        for _ in range(int(seconds / 0.02)):
            found = self.client.diagnostics.get(self.uri)
            if found is not None and until(list(found)):
                return list(found)
            await asyncio.sleep(0.02)
        raise AssertionError(f"not in time: {self.client.diagnostics.get(self.uri)}")

    async def codes(self, expected: set[str]) -> list[lsp.Diagnostic]:
        """Return the diagnostics once their codes are these."""
        return await self.problems(lambda found: {str(each.code) for each in found} == expected)

    def applied(self, edits: Any) -> str:
        """Return the text after edits."""
        lines = [0]
        for index, char in enumerate(self.text):
            if char == "\n":
                lines.append(index + 1)
        text = self.text

        def place(position: lsp.Position) -> int:
            return lines[position.line] + position.character if position.line < len(lines) else len(self.text)

        for edit in sorted(edits, key=lambda each: place(each.range.start), reverse=True):
            text = text[: place(edit.range.start)] + edit.new_text + text[place(edit.range.end) :]
        return text

    def close(self) -> None:
        """Close the text."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.id))


async def test_diagnostics__come_while_typing(client: Any) -> None:
    """Each change is answered with its version: errors of the text, then of its meaning, then none."""
    editor = Editor(client, "typing.grid", GOOD)
    await editor.codes(set())
    editor.change(GOOD.replace("limit: 20 steps", "limt: 20 steps"))
    [found] = await editor.codes({"unknown-statement"})
    assert found.range == lsp.Range(lsp.Position(15, 0), lsp.Position(15, 4))
    assert found.code_description is not None and found.code_description.href.endswith("#unknown-statement")
    editor.change(GOOD.replace("enter goal", "enter gaol"))
    [found] = await editor.codes({"once-named"})
    assert "did you mean `goal`?" in found.message
    editor.change(GOOD)
    await editor.codes(set())
    editor.close()


async def test_diagnostics__count_in_units_of_the_client(client: Any) -> None:
    """Characters beyond the first plane count twice, as the protocol has it."""
    editor = Editor(client, "units.grid", GOOD.replace("env: a/B-v0", 'env: a/B-v0\n    "\N{ROCKET}" wrong'))
    found = await editor.problems(lambda found: bool(found))
    assert found[0].range.start == lsp.Position(1, 4)
    assert found[0].range.end == lsp.Position(1, 14)
    editor.close()


async def test_actions__apply_each_fix(client: Any) -> None:
    """A help line with one rewrite is a preferred action; applied, the error is gone."""
    editor = Editor(client, "fix.grid", GOOD.replace("enter goal", "enter gaol"))
    [found] = await editor.codes({"once-named"})
    context = lsp.CodeActionContext([found])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(editor.id, found.range, context)
    )
    fix = next(each for each in actions if each.kind == lsp.CodeActionKind.QuickFix)
    assert (fix.title, fix.is_preferred) == ("Write `goal`", True)
    editor.change(editor.applied(fix.edit.document_changes[0].edits))
    assert editor.text == GOOD
    await editor.codes(set())
    editor.close()


async def test_actions__are_of_the_text_as_it_is(client: Any) -> None:
    """Whoever asks for fixes right behind a change gets those of the text that is there now."""
    bad = GOOD.replace("enter goal", "enter gaol")
    editor = Editor(client, "fresh.grid", bad)
    [found] = await editor.codes({"once-named"})
    for lines in (3, 1, 0):
        editor.change("# more\n" * lines + bad)
        context = lsp.CodeActionContext([found], only=["source.fixAll"])
        [action] = await client.text_document_code_action_async(
            lsp.CodeActionParams(editor.id, editor.whole(), context)
        )
        assert editor.applied(action.edit.document_changes[0].edits) == "# more\n" * lines + GOOD
    editor.change(GOOD)
    context = lsp.CodeActionContext([found])
    asked = lsp.CodeActionParams(editor.id, editor.whole(), context)
    assert not await client.text_document_code_action_async(asked)
    editor.close()


async def test_actions__fix_all(client: Any) -> None:
    """All errors with one sure fix are mended by one action."""
    broken = GOOD.replace("limit:", "limt:").replace("observe:", "obsrve:")
    editor = Editor(client, "fix_all.grid", broken)
    await editor.problems(lambda found: len(found) >= 2)
    context = lsp.CodeActionContext([], only=["source.fixAll"])
    [action] = await client.text_document_code_action_async(
        lsp.CodeActionParams(editor.id, editor.whole(), context)
    )
    editor.change(editor.applied(action.edit.document_changes[0].edits))
    assert editor.text == GOOD
    await editor.codes(set())
    editor.close()


async def test_actions__square_a_map(client: Any) -> None:
    """Rows of a map that differ in width are filled up."""
    editor = Editor(client, "ragged.grid", GOOD.replace("    ....G\n", "    ....G..\n"))
    await editor.problems(lambda found: any(each.code == "ragged-map" for each in found))
    here = lsp.Range(editor.at("    |@k.D"), editor.at("    |@k.D"))
    context = lsp.CodeActionContext([], only=["refactor"])
    [action] = await client.text_document_code_action_async(lsp.CodeActionParams(editor.id, here, context))
    editor.change(editor.applied(action.edit.document_changes[0].edits))
    assert "    @k.D...\n    ....G..\n" in editor.text
    await editor.codes(set())
    editor.close()


async def test_hover__says_what_is_known(client: Any) -> None:
    """Words, declarations, ranges that play reaches, rules in plain words, cells of the map, the spaces."""
    editor = Editor(client, "hover.grid", GOOD)
    await editor.codes(set())

    async def text(marked: str) -> str:
        found = await client.text_document_hover_async(lsp.HoverParams(editor.id, editor.at(marked)))
        return "" if found is None else found.contents.value

    for _ in range(300):
        if "reached" in await text("var |energy"):
            break
        await asyncio.sleep(0.05)
    assert "var energy: 5 in 0..9" in await text("reward en|ergy")
    assert "variable" in await text("reward en|ergy")
    assert "reached: 0..5" in await text("reward en|ergy")
    assert "What opens doors." in await text("agent has k|ey(")
    assert "on the map at the start: 1" in await text("agent has k|ey(")
    assert "attribute of `key`" in await text("key(co|lor=red)")
    assert "word of `key.color`" in await text("color=r|ed)")
    assert "changes an attribute" in await text("door bec|omes open")
    assert "When the agent toggles door" in await text("|on toggle door")
    assert "Discrete(10)" in await text("|env: a/B")
    assert "`k` at (1, 0): `key`" in await text("@|k.D")
    assert "a plain tile" in await text("on enter go|al")
    editor.close()


COMPLETIONS = {
    "": {"env", "on", "object", "observe"},
    "on ": {"enter", "bump", "key", "door"},
    "on enter ": {"goal", "key", "agent", "edge"},
    "on do ": {"forward", "toggle"},
    "on toggle door: ": {"reward", "end", "place", "energy", "if"},
    "on toggle door: door becomes ": {"open", "closed"},
    "on push key(": {"color"},
    "on push key(color=": {"red", "blue"},
    "when key.": {"color", "x"},
    "when door is ": {"open", "closed", "not"},
    "when energy == 0: end ": {"success", "failure"},
    "object box: ": {"pushable", "solid", "moves"},
    "object box: moves ": {"random", "toward", "patrol"},
    "edge: ": {"stay", "clip", "wrap"},
    "use: ": {"minigrid"},
    "generate: ": {"maze", "rooms"},
    "observe: grid as ": {"kinds", "planes"},
    "observe:\n    a = ": {"view", "position", "energy", "carrying"},
    "setup:\n    place ": {"key", "door", "agent"},
    "setup:\n    place key at ": {"random"},
    "setup:\n    if ": {"energy", "not"},
    "map other:\n    ": {".", "#", "k", "D"},
    "allow ": {"pickup", "forward"},
    "look ": {"key", "door"},
    "look door(": {"state"},
    "look door(state=": {"open", "closed"},
    "slip if ": {"energy"},
}


@pytest.mark.parametrize("typed", COMPLETIONS)
async def test_completion__knows_what_may_stand(client: Any, typed: str) -> None:
    """What is offered holds what may stand there."""
    editor = Editor(client, "complete.grid", GOOD + typed)
    position = lsp.Position(editor.text.count("\n"), len(editor.text.rpartition("\n")[2]))
    found = await client.text_document_completion_async(lsp.CompletionParams(editor.id, position))
    labels = [item.label for item in found.items]
    assert COMPLETIONS[typed] <= set(labels), labels
    assert len(labels) == len(set(labels))
    editor.close()


async def test_completion__says_nothing_in_texts_and_comments(client: Any) -> None:
    """In a comment, and in a quoted text, nothing is offered; a snippet writes a whole statement."""
    for typed in ("on enter goal: # re", 'mission: "go to the '):
        editor = Editor(client, "quiet.grid", GOOD + typed)
        position = lsp.Position(editor.text.count("\n"), len(typed))
        found = await client.text_document_completion_async(lsp.CompletionParams(editor.id, position))
        assert not found.items
        editor.close()
    editor = Editor(client, "snippet.grid", GOOD + "whe")
    position = lsp.Position(editor.text.count("\n"), 3)
    found = await client.text_document_completion_async(lsp.CompletionParams(editor.id, position))
    [item] = [each for each in found.items if each.label == "when"]
    assert item.text_edit.new_text.startswith("when ${1:")
    assert item.text_edit.range.start.character == 0
    editor.close()


async def test_definition_and_references__cross_files(client: Any) -> None:
    """A name of a file that is used leads there, saved or not; from there back to all that use it."""
    kinds = Editor(client, "kinds.grid", KINDS)
    editor = Editor(client, "using.grid", USING)
    await editor.codes(set())
    place = editor.at("on enter g|oal")
    [found] = await client.text_document_definition_async(lsp.DefinitionParams(editor.id, place))
    assert (found.uri, found.range.start) == (kinds.uri, lsp.Position(0, 5))
    context = lsp.ReferenceContext(include_declaration=True)
    from_there = await client.text_document_references_async(
        lsp.ReferenceParams(context, kinds.id, lsp.Position(0, 6))
    )
    assert {each.uri for each in from_there} == {kinds.uri, editor.uri}
    assert len(from_there) == 3
    [library] = await client.text_document_definition_async(
        lsp.DefinitionParams(editor.id, editor.at('use: "kin|ds.grid"'))
    )
    assert library.uri == kinds.uri
    [entry] = await client.text_document_definition_async(
        lsp.DefinitionParams(editor.id, editor.at("....|G"))
    )
    assert entry.range.start == editor.at("D = door, |G = goal")
    kinds.close()
    editor.close()


async def test_rename__reaches_every_file(client: Any) -> None:
    """A name is changed wherever it stands; what cannot be a name is refused in words."""
    kinds = Editor(client, "kinds.grid", KINDS)
    editor = Editor(client, "using.grid", USING)
    await editor.codes(set())
    place = editor.at("on enter g|oal")
    edit = await client.text_document_rename_async(lsp.RenameParams(editor.id, place, "exit"))
    assert set(edit.changes) == {kinds.uri, editor.uri}
    assert kinds.applied(edit.changes[kinds.uri]) == "tile exit:\n"
    assert editor.applied(edit.changes[editor.uri]) == USING.replace("goal", "exit")
    edit = await client.text_document_rename_async(
        lsp.RenameParams(editor.id, editor.at("state in clos|ed"), "shut")
    )
    assert editor.applied(edit.changes[editor.uri]) == USING.replace("closed", "shut")
    for new in ("two words", "reward", "key"):
        with pytest.raises(Exception, match=r"name|reserved|already"):
            await client.text_document_rename_async(lsp.RenameParams(editor.id, place, new))
    nothing = lsp.PrepareRenameParams(editor.id, editor.at("re|ward energy"))
    assert await client.text_document_prepare_rename_async(nothing) is None
    kinds.close()
    editor.close()


async def test_rename__of_a_tile_that_needs_no_declaration(client: Any) -> None:
    """A tile that is only drawn can be renamed as well, but not to another's name; what is built in stays."""
    text = GOOD.replace("....G", "P...G").replace("G = goal", "G = goal, P = pit")
    editor = Editor(
        client, "plain.grid", text + "on enter pit: end failure\nsetup: place agent at random free\n"
    )

    async def prepared(marked: str) -> Any:
        place = lsp.PrepareRenameParams(editor.id, editor.at(marked))
        return await client.text_document_prepare_rename_async(place)

    found = await prepared("on enter g|oal")
    assert (found.start, found.end) == (editor.at("on enter |goal"), editor.at("on enter goal|"))
    place = editor.at("on enter g|oal")
    edit = await client.text_document_rename_async(lsp.RenameParams(editor.id, place, "exit"))
    renamed = editor.text.replace("enter goal", "enter exit").replace("= goal", "= exit")
    assert editor.applied(edit.changes[editor.uri]) == renamed
    for new, reason in (("pit", "already"), ("key", "already"), ("reward", "reserved")):
        with pytest.raises(Exception, match=reason):
            await client.text_document_rename_async(lsp.RenameParams(editor.id, place, new))
    for marked in ("place a|gent", "random f|ree", "if a|gent has", "end f|ailure", "forw|ard"):
        assert (await prepared(marked) is None) == ("forw" not in marked), marked
    editor.close()


async def test_outline__has_symbols_and_folds(client: Any) -> None:
    """Every statement is a symbol with what it declares; blocks fold."""
    editor = Editor(client, "outline.grid", GOOD)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.id))
    names = [each.name for each in symbols]
    assert names[:4] == ["a/B-v0", "key", "door", "energy"]
    assert "on enter goal" in names
    door = symbols[names.index("door")]
    assert [each.name for each in door.children] == ["state"]
    assert door.range.end.line == 4
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(editor.id))
    assert {(each.start_line, each.end_line) for each in folds} == {(3, 4), (6, 8)}
    editor.close()


async def test_tokens__say_what_each_word_is(client: Any) -> None:
    """Semantic tokens tell kinds, variables, attributes, words, actions and comments apart."""
    editor = Editor(client, "tokens.grid", GOOD)
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(editor.id))
    from griddsl.editor.questions.tokens import TYPES

    rows, line, column = GOOD.split("\n"), 0, 0
    seen: dict[str, str] = {}
    for at in range(0, len(found.data), 5):
        lines, columns, length, kind, _ = found.data[at : at + 5]
        line, column = line + lines, columns + (0 if lines else column)
        seen.setdefault(rows[line][column : column + length], TYPES[kind])
    expected = {
        "key": "class",
        "energy": "variable",
        "color": "property",
        "red": "enumMember",
        "toggle": "method",
        "becomes": "keyword",
        "# What opens doors.": "comment",
        "20": "number",
        "success": "event",
    }
    assert expected.items() <= seen.items()
    part = lsp.Range(lsp.Position(5, 0), lsp.Position(6, 0))
    some = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(editor.id, part)
    )
    assert 0 < len(some.data) < len(found.data)
    editor.close()


async def test_layout__of_a_text_and_of_a_range(client: Any) -> None:
    """Formatting is what `griddsl fmt` does; of a range it touches no other statement; errors are left alone."""
    untidy = GOOD.replace("var energy:", "var   energy :").replace("limit: 20", "limit:   20")
    editor = Editor(client, "untidy.grid", untidy)
    options = lsp.FormattingOptions(4, True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(editor.id, options))
    assert editor.applied(edits) == GOOD
    line = lsp.Range(lsp.Position(5, 0), lsp.Position(5, 3))
    edits = await client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(editor.id, line, options)
    )
    assert editor.applied(edits) == GOOD.replace("limit: 20", "limit:   20")
    editor.change("env a/B-v0\n")
    assert not await client.text_document_formatting_async(lsp.DocumentFormattingParams(editor.id, options))
    editor.close()


async def test_layout__of_toml(client: Any) -> None:
    """TOML is laid out as `griddsl fmt` has it, a range of it alone where it stays the same spec, comments kept."""
    untidy = TOML.replace('env = "', 'env   =  "').replace('each step"', 'each step" # always')
    untidy = untidy.replace('"energy -= 1"', '["energy-=1"]')
    editor = Editor(client, "untidy.toml", untidy)
    options = lsp.FormattingOptions(4, True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(editor.id, options))
    laid_out = TOML.replace('each step"', 'each step"  # always')
    assert editor.applied(edits) == laid_out
    line = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 3))
    edits = await client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(editor.id, line, options)
    )
    assert editor.applied(edits) == untidy.replace('env   =  "', 'env = "')
    editor.change(untidy.replace("]]", "]"))  # no tables of an array
    assert not await client.text_document_formatting_async(lsp.DocumentFormattingParams(editor.id, options))
    editor.close()


async def test_hints_and_lenses(client: Any) -> None:
    """Beside declarations stand the values reached and the number on the map; over `env` what can be run."""
    editor = Editor(client, "hints.grid", GOOD)
    await editor.codes(set())
    for _ in range(300):
        hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(editor.id, editor.whole()))
        if any("0..5" in each.label for each in hints or ()):
            break
        await asyncio.sleep(0.05)
    labels = {str(each.label).strip(): each.position.line for each in hints}
    assert (labels["0..5"], labels["1 on the map"]) == (5, 3)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(editor.id))
    assert [each.command.title for each in lenses] == ["play", "solve", "export"]
    assert lenses[0].command.arguments[1][-2:] == ["run", str(editor.path)]
    editor.path.write_text(GOOD)
    said = await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams("griddsl.export", [editor.uri])
    )
    assert editor.path.with_suffix(".js").is_file(), said
    editor.close()


async def test_picture__is_of_the_text_as_it_is(client: Any) -> None:
    """A client that shows the map beside the text gets an SVG of what is not saved yet."""
    editor = Editor(client, "picture.grid", GOOD)
    found = await client.protocol.send_request_async("griddsl/picture", {"textDocument": {"uri": editor.uri}})
    assert found.svg.startswith("<svg")
    editor.change("env: a/B-v0\n")
    found = await client.protocol.send_request_async("griddsl/picture", {"textDocument": {"uri": editor.uri}})
    assert found.svg is None
    editor.close()


async def test_toml__is_answered_too(client: Any) -> None:
    """Specs in TOML have diagnostics, hover, completion, symbols and definitions as well."""
    from griddsl.diagnostics import Report
    from griddsl.source import Source
    from griddsl.syntax.formatting.convert import to_toml
    from griddsl.syntax.reader import read_document

    text = to_toml(read_document(Source("x.grid", GOOD), Report()))
    editor = Editor(client, "spec.toml", text)
    await editor.codes(set())
    found = await client.text_document_hover_async(lsp.HoverParams(editor.id, editor.at("reward en|ergy")))
    assert "variable" in found.contents.value
    [declared] = await client.text_document_definition_async(
        lsp.DefinitionParams(editor.id, editor.at("reward en|ergy"))
    )
    assert declared.range.start == editor.at("|energy = ")
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.id))
    assert {"a/B-v0", "key", "energy"} <= {each.name for each in symbols}
    edit = await client.text_document_rename_async(
        lsp.RenameParams(editor.id, editor.at("reward en|ergy"), "fuel")
    )
    assert editor.applied(edit.changes[editor.uri]) == text.replace("energy", "fuel")
    editor.change(text + '\n[[rules]]\nwhen = "on enter goal"\ndo = "')
    position = lsp.Position(editor.text.count("\n"), 6)
    items = await client.text_document_completion_async(lsp.CompletionParams(editor.id, position))
    assert {"reward", "end", "energy"} <= {each.label for each in items.items}
    editor.change(text.replace("enter goal", "enter gaol"))
    await editor.codes({"once-named"})
    editor.close()


async def test_use__of_texts_that_are_not_saved(client: Any) -> None:
    """What a file holds in the editor counts; when it changes, those that use it are checked again."""
    kinds = Editor(client, "kinds.grid", KINDS)
    editor = Editor(client, "using.grid", USING)
    await editor.codes(set())
    kinds.change("tile goal: slid\n")
    [found] = await editor.codes({"unknown-property"})
    assert found.message.startswith("in kinds.grid: ")
    assert found.range.start == editor.at('use: |"kinds')
    await kinds.codes({"unknown-property"})
    kinds.change(KINDS)
    await editor.codes(set())
    kinds.close()
    [found] = await editor.codes({"unreadable"})
    editor.close()


async def test_changes__ten_a_millisecond(client: Any) -> None:
    """However fast changes come, what is told in the end is true of the last, and no older version is told after a newer."""
    editor = Editor(client, "fast.grid", GOOD)
    for round in range(30):
        for length in range(10):
            editor.change(GOOD + "on enter goal: reward 1"[: 10 + length] * (round % 3))
    editor.change(GOOD.replace("enter goal", "enter gaol"))
    await editor.codes({"once-named"})
    editor.change(GOOD)
    await editor.codes(set())
    await asyncio.sleep(1.0)
    await editor.codes(set())
    editor.close()


BROKEN = {
    "nothing": "",
    "a word": "on",
    "half": GOOD[:200],
    "a quote": GOOD + 'mission: "',
    "controls": GOOD + "\x00\x1b",
    "surrogate": GOOD + "# \N{ROCKET}\n",
    "brackets": GOOD + "when " + "(" * 5_000,
    "a long line": GOOD + "when " + "x and " * 50_000,
    "many lines": GOOD + "on enter goal: reward 1\n" * 7_000,
    "huge": GOOD + "# " + "x" * 9_000_000,
    "deep": GOOD + "setup:\n" + "".join(f"{' ' * 4 * each}if energy == 1:\n" for each in range(1, 60)),
    "another language": "import numpy as np\nclass A:\n    def f(self): return 1\n",
    "carriage returns": GOOD.replace("\n", "\r\n"),
    "tabs": GOOD.replace("    ", "\t"),
    "toml": '[[rules]]\nwhen = "on',
}


@pytest.mark.parametrize("name", BROKEN)
async def test_broken__texts_are_answered(client: Any, name: str) -> None:
    """Every question of a broken, huge or half-typed text is answered, and the server lives on."""
    ending = "toml" if name == "toml" else "grid"
    editor = Editor(client, f"broken.{ending}", BROKEN[name])
    last = lsp.Position(BROKEN[name].count("\n"), 3)
    here, whole = lsp.Position(3, 5), editor.whole()
    for place in (here, last, lsp.Position(10**6, 10**6)):
        await client.text_document_hover_async(lsp.HoverParams(editor.id, place))
        await client.text_document_completion_async(lsp.CompletionParams(editor.id, place))
        await client.text_document_definition_async(lsp.DefinitionParams(editor.id, place))
        context = lsp.ReferenceContext(include_declaration=True)
        await client.text_document_references_async(lsp.ReferenceParams(context, editor.id, place))
        await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(editor.id, place))
    await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.id))
    await client.text_document_folding_range_async(lsp.FoldingRangeParams(editor.id))
    await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(editor.id))
    await client.text_document_inlay_hint_async(lsp.InlayHintParams(editor.id, whole))
    await client.text_document_code_lens_async(lsp.CodeLensParams(editor.id))
    await client.text_document_code_action_async(
        lsp.CodeActionParams(editor.id, whole, lsp.CodeActionContext([]))
    )
    await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(editor.id, lsp.FormattingOptions(4, True))
    )
    if name not in {"carriage returns", "surrogate", "many lines"}:
        await editor.problems(lambda found: bool(found))
    if ending == "grid":
        editor.change(GOOD)
        await editor.codes(set())
    editor.close()


async def test_texts__without_a_file_or_outside(client: Any) -> None:
    """A text that was never saved, one outside the workspace and one that is not open are answered as well."""
    editor = Editor(client, "untitled:Untitled-1", GOOD)
    await editor.codes(set())
    editor.change(USING)
    await editor.codes({"outside-folder"})
    editor.close()
    outside = lsp.TextDocumentIdentifier(Path("/nowhere/at/all.grid").as_uri())
    assert await client.text_document_hover_async(lsp.HoverParams(outside, lsp.Position(0, 0))) is None
    strange = lsp.TextDocumentIdentifier("git:/x.grid?ref")
    assert not await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(strange))


async def test_requests__that_are_cancelled(client: Any) -> None:
    """A request that is cancelled is answered, at once and as cancelled, and harms none that follows."""
    editor = Editor(client, "cancel.grid", GOOD)
    asked = {"textDocument": {"uri": editor.uri}}
    for number in range(5):
        request = client.protocol.send_request("griddsl/picture", asked, msg_id=f"cancel-{number}")
        await asyncio.sleep(0.01 * number)
        client.cancel_request(lsp.CancelParams(id=f"cancel-{number}"))
        with contextlib.suppress(JsonRpcRequestCancelled):
            assert (await asyncio.wait_for(asyncio.wrap_future(request), 20)).svg.startswith("<svg")
            assert number  # the first is cancelled before anything is drawn
    client.cancel_request(lsp.CancelParams(id="nobody asked this"))
    found = await client.text_document_hover_async(lsp.HoverParams(editor.id, editor.at("var en|ergy")))
    assert "energy" in found.contents.value
    found = await client.protocol.send_request_async("griddsl/picture", asked)
    assert found.svg.startswith("<svg")
    editor.close()


async def _asked_raw(messages: list[dict[str, Any]]) -> tuple[dict[Any, dict[str, Any]], bytes]:
    """Return what a server of its own answers to messages as they are, by their numbers, and what it logged."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "griddsl", "lsp", stdin=-1, stdout=-1, stderr=-1
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    begin: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    started: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": begin},
        {"method": "initialized", "params": {}},
    ]
    for message in [*started, *messages, {"id": "last", "method": "shutdown"}]:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
    answers: dict[Any, dict[str, Any]] = {}
    while "last" not in answers:
        head = await asyncio.wait_for(process.stdout.readuntil(b"\r\n\r\n"), 60)
        length = next(int(each[15:]) for each in head.split(b"\r\n") if each.startswith(b"Content-Length:"))
        answer = json.loads(await asyncio.wait_for(process.stdout.readexactly(length), 60))
        if "method" not in answer:
            answers[answer["id"]] = answer
    process.stdin.write(b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}')
    process.stdin.close()
    logged = await asyncio.wait_for(process.stderr.read(), 60)
    await process.wait()
    return answers, logged


async def test_requests__that_cannot_be_read_are_answered() -> None:
    """A place below zero, words for numbers, a missing part: each is answered by an error, and the next is served."""
    uri = "file:///nowhere/a.grid"
    document = {"uri": uri, "languageId": "grid", "version": 1, "text": GOOD}
    odd = document | {"uri": "file:///nowhere/%00.grid"}  # no file can be called so
    places: list[Any] = [{"line": -1, "character": 0}, {"line": "a", "character": None}, {}, None, 5]
    asked = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 5}}
    answers, _ = await _asked_raw(
        [
            {"method": "textDocument/didOpen", "params": {"textDocument": odd}},
            {"method": "textDocument/didOpen", "params": {"textDocument": document}},
            *(
                {"id": number, "method": "textDocument/hover", "params": asked | {"position": place}}
                for number, place in enumerate(places, 1)
            ),
            {"id": 10, "method": "textDocument/hover", "params": None},
            {"id": 11, "method": "textDocument/rename", "params": asked | {"newName": "fuel"}},
        ]
    )
    assert all(answers[number]["error"]["code"] < 0 for number in (*range(1, len(places) + 1), 10))
    assert set(answers[11]["result"]["changes"]) == {uri}


async def test_refusal__is_an_answer_and_no_fault_of_the_server() -> None:
    """A rename that is refused is told to the editor in words, and leaves nothing in the log of the server."""
    uri, place = "file:///nowhere/a.grid", {"line": 2, "character": 8}
    document = {"uri": uri, "languageId": "griddsl", "version": 1, "text": GOOD}
    asked = {"textDocument": {"uri": uri}, "position": place, "newName": "two words"}
    answers, logged = await _asked_raw(
        [
            {"method": "textDocument/didOpen", "params": {"textDocument": document}},
            {"id": 2, "method": "textDocument/rename", "params": asked},
        ]
    )
    assert "a name is one word" in answers[2]["error"]["message"]
    assert b"Traceback" not in logged
