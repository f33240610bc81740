"""Features: which question of an editor is answered by which file of this room."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.protocol import json_rpc

from griddsl.editor.names import Scope
from griddsl.editor.questions import completion, fixes, hints, hover, layout, navigation, outline, tokens
from griddsl.editor.server import RUN_SECONDS, GridServer, warm_up
from griddsl.editor.text import SpecText

PICTURE = "griddsl/picture"
MOST_SHOWN = 3_000  # characters of what a command prints


def make_server() -> GridServer:
    """Return a server with all its features."""
    server = GridServer()
    _texts(server)
    questions = _Questions(server)
    _what_stands_here(questions)
    _where_it_is_named(questions)
    _how_it_looks(questions)
    _what_takes_longer(server)
    _commands(server)
    return server


def _texts(server: GridServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.update(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.update(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.update(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close_text(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        for uri in list(server.library.opened):
            server.update(uri)

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        server.workshop.warm_up()
        warm_up()

    @server.feature(lsp.SHUTDOWN)
    async def shut_down(*_: Any) -> None:
        await server.workshop.close()


@dataclass(frozen=True, slots=True)
class _Questions:
    """Questions of a text, or of a place in it, each answered by a function; with nothing where it is not open."""

    server: GridServer

    def of_text(
        self,
        feature: str,
        answer: Callable[[SpecText, Any], Any],
        nothing: Callable[[], Any] = list,
        options: Any = None,
    ) -> None:
        """Answer a question by the text, and what is asked."""

        @self.server.feature(feature, options)
        def answered(params: Any) -> Any:
            spec = self.server.spec(params.text_document.uri)
            return nothing() if spec is None else answer(spec, params)

    def of_place(
        self,
        feature: str,
        answer: Callable[[SpecText, Scope, int, Any], Any],
        nothing: Callable[[], Any] = list,
        options: Any = None,
    ) -> None:
        """Answer a question by the text, its names, the offset of the place, and what is asked."""

        def at(spec: SpecText, params: Any) -> Any:
            return answer(spec, Scope(spec, self.server.library), spec.offset(params.position), params)

        self.of_text(feature, at, nothing, options)


def _what_stands_here(questions: _Questions) -> None:
    facts = questions.server.facts
    questions.of_place(
        lsp.TEXT_DOCUMENT_HOVER,
        lambda spec, scope, offset, _: hover.hover(spec, scope, facts.get(spec.uri), offset),
        _none,
    )
    questions.of_place(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lambda spec, scope, offset, _: lsp.CompletionList(False, completion.complete(spec, scope, offset)),
        lambda: lsp.CompletionList(False, []),
        lsp.CompletionOptions(trigger_characters=[".", "(", "=", '"']),
    )


def _where_it_is_named(questions: _Questions) -> None:
    server, library = questions.server, questions.server.library
    questions.of_place(
        lsp.TEXT_DOCUMENT_DEFINITION,
        lambda spec, scope, offset, _: navigation.definition(spec, scope, library, offset),
    )
    questions.of_place(
        lsp.TEXT_DOCUMENT_REFERENCES,
        lambda spec, scope, offset, params: navigation.references(
            spec, scope, library, server.folders(), offset, params.context.include_declaration
        ),
    )
    questions.of_place(
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        lambda spec, scope, offset, _: [
            lsp.DocumentHighlight(text.range_of(word.span))
            for text, word in navigation.named(spec, scope, library, [], offset)
            if text is spec
        ],
    )
    questions.of_place(
        lsp.TEXT_DOCUMENT_PREPARE_RENAME,
        lambda spec, scope, offset, _: navigation.prepare_rename(spec, scope, offset),
        _none,
    )

    def renamed(
        spec: SpecText, scope: Scope, offset: int, params: lsp.RenameParams
    ) -> lsp.WorkspaceEdit | None:
        try:
            return navigation.rename(spec, scope, library, server.folders(), offset, params.new_name)
        except navigation.CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from None

    questions.of_place(lsp.TEXT_DOCUMENT_RENAME, renamed, _none, lsp.RenameOptions(prepare_provider=True))


def _how_it_looks(questions: _Questions) -> None:
    library, facts = questions.server.library, questions.server.facts

    def colored(spec: SpecText, params: Any) -> lsp.SemanticTokens:
        if spec.is_large:
            return lsp.SemanticTokens([])
        part = getattr(params, "range", None)
        ends = () if part is None else (spec.offset(part.start), spec.offset(part.end))
        return lsp.SemanticTokens(tokens.tokens(spec, Scope(spec, library), *ends))

    legend = lsp.SemanticTokensLegend(list(tokens.TYPES), list(tokens.MODIFIERS))
    for feature in (lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE):
        questions.of_text(feature, colored, lambda: lsp.SemanticTokens([]), legend)
    questions.of_text(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda spec, _: outline.symbols(spec))
    questions.of_text(
        lsp.TEXT_DOCUMENT_FOLDING_RANGE, lambda spec, _: [] if spec.is_large else outline.folds(spec)
    )
    questions.of_text(
        lsp.TEXT_DOCUMENT_INLAY_HINT,
        lambda spec, params: hints.inlay_hints(spec, facts.get(spec.uri), params.range),
    )
    questions.of_text(lsp.TEXT_DOCUMENT_CODE_LENS, lambda spec, _: hints.lenses(spec))
    questions.of_text(lsp.TEXT_DOCUMENT_FORMATTING, lambda spec, _: layout.formatted(spec))
    questions.of_text(
        lsp.TEXT_DOCUMENT_RANGE_FORMATTING,
        lambda spec, params: layout.formatted_range(spec, params.range),
    )


def _what_takes_longer(server: GridServer) -> None:
    """Let fixes and pictures wait for the workshop, while other questions are answered."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite, fixes.FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    async def fixed(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        spec = server.spec(params.text_document.uri)
        if spec is None:
            return []
        only = params.context.only
        found = await server.found_in(spec)
        return fixes.actions(spec, found, params.range, [str(each) for each in only] if only else None)

    @server.feature(PICTURE)
    async def pictured(params: Any) -> dict[str, str | None]:
        document = getattr(params, "textDocument", None) or getattr(params, "text_document", None)
        return {"svg": await server.picture(str(getattr(document, "uri", "")))}


def _none() -> None:
    """Answer with nothing."""


def _commands(server: GridServer) -> None:
    """Let the server run what a lens shows, for clients that have no terminal to run it in."""
    for name in hints.LENSES:
        server.command(name)(_runner(server, name))


def _runner(server: GridServer, name: str) -> Callable[..., Any]:
    async def run(*arguments: Any) -> str:
        spec = server.spec(str(arguments[0])) if arguments else None
        if spec is None or spec.folder is None:
            return "save the spec first"
        command = hints.command_line(name, Path(spec.name))
        if name == "griddsl.play":
            quiet = subprocess.DEVNULL
            await asyncio.create_subprocess_exec(*command, stdin=quiet, stdout=quiet, stderr=quiet)
            return "playing in a window"
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), RUN_SECONDS)
        except TimeoutError:
            process.kill()
            return f"it takes longer than {RUN_SECONDS:g} seconds: run it in a terminal"
        text = output.decode("utf-8", "replace")[:MOST_SHOWN]
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))
        return text

    return run


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether what is logged is more than an answer that refuses what was asked, which the editor shows."""
    return record.exc_info is None or not isinstance(record.exc_info[1], JsonRpcInvalidParams)


def serve() -> None:
    """Answer on standard input and output until the client leaves."""
    server = make_server()
    logging.getLogger(json_rpc.__name__).addFilter(_is_fault)
    sys.stdout = sys.stderr  # the protocol alone is written there
    server.start_io(stdout=os.fdopen(os.dup(1), "wb"))
