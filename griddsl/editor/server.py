"""The language server: which question of an editor is answered by which file of this room."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from griddsl.diagnostics import Diagnostic
from griddsl.editor import completion, fixes, hints, hover, layout, navigation, outline, tokens
from griddsl.editor.facts import Facts
from griddsl.editor.names import Scope
from griddsl.editor.problems import is_library, problems, quick_check
from griddsl.editor.text import Library, SpecText
from griddsl.editor.worker import Answer, Job
from griddsl.editor.workshop import Workshop

QUIET_SECONDS = 0.004  # what comes within this is answered together
PICTURE = "griddsl/picture"
MOST_SHOWN = 3_000  # characters of what a command prints
RUN_SECONDS = 60.0


class GridServer(LanguageServer):
    """A server and what it holds: the texts that are open, what was found in each, and the worker."""

    def __init__(self) -> None:
        from griddsl import __version__

        super().__init__("griddsl", __version__, max_workers=1)
        self.library = Library()
        self.found: dict[str, list[Diagnostic]] = {}
        self.facts: dict[str, Facts] = {}
        self.workshop = Workshop(self._take)
        self._changed: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._jobs: dict[int, tuple[str, SpecText | None, asyncio.Future[str | None] | None]] = {}
        self._number = 0
        self._told_by_users: dict[str, dict[str, list[Diagnostic]]] = {}

    # Texts

    def update(self, uri: str) -> None:
        """Take a text as it is now; what is wrong with it is told as soon as no more comes at once."""
        document = self.workspace.get_text_document(uri)
        kind = self.workspace.position_encoding or "utf-16"
        encoding = str(getattr(kind, "value", kind))
        spec = SpecText(uri, _name_of(uri), document.source, document.version, encoding)
        last = self.library.opened.get(uri)
        if last is not None and (
            spec.source.is_toml or spec.is_large
        ):  # where one sign can make all unreadable
            spec.before = last.readable()
            spec.before.before = None
        self.library.opened[uri] = spec
        self._told_by_users.pop(uri, None)
        self._soon(uri)

    def close_text(self, uri: str) -> None:
        """Forget a text; what uses it is looked at again, as the disk has it now."""
        closed = self.library.opened.pop(uri, None)
        self.found.pop(uri, None)
        self.facts.pop(uri, None)
        self._changed.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        if closed is not None:
            self._look_at_users(closed)

    def spec(self, uri: str) -> SpecText | None:
        """Return a text, as it is open or on the disk; None where it cannot be read."""
        if uri in self.library.opened:
            return self.library.opened[uri]
        path = to_fs_path(uri) if uri.startswith("file:") else None
        return None if path is None else self.library.by_path(Path(path))

    def folders(self) -> list[Path]:
        """Return the folders of the workspace."""
        found = (to_fs_path(each.uri) for each in self.workspace.folders.values())
        return [Path(each) for each in found if each is not None]

    def _soon(self, uri: str) -> None:
        self._changed[uri] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._look)

    def _look(self) -> None:
        """Tell at once what can be told at once of all that changed, and ask the worker for the rest."""
        self._timer = None
        changed, self._changed = list(self._changed), {}
        for uri in changed:
            spec = self.library.opened.get(uri)
            if spec is not None:
                self.facts.pop(uri, None)
                self._tell(spec, quick_check(spec))
                self._check(spec)
        for uri in changed:
            if (spec := self.library.opened.get(uri)) is not None:
                self._look_at_users(spec, set(changed))

    def _look_at_users(self, spec: SpecText, but: set[str] | None = None) -> None:
        if spec.folder is None:
            return
        name = Path(spec.name).name
        for each in self.library.opened.values():
            if (
                each.uri not in (but or ())
                and each is not spec
                and f'"{name}"' in each.text.replace("/", '"')
            ):
                self._tell(each, quick_check(each))
                self._check(each)

    def _check(self, spec: SpecText) -> None:
        if is_library(spec) and not spec.is_large:
            return  # a part of other specs: what it means they show
        self._ask("checked", spec, None)

    def _ask(self, wanted: str, spec: SpecText, waits: asyncio.Future[str | None] | None) -> None:
        self._number += 1
        self._jobs[self._number] = wanted, spec, waits
        contents = {os.fspath(name): content for name, content in self.library.contents().items()}
        self.workshop.ask((wanted, spec.uri), Job(self._number, wanted, spec.name, contents))
        for number in [each for each in self._jobs if each < self._number - 200]:
            self._jobs.pop(number)

    def _take(self, job: Job, answer: Answer) -> None:
        """Take what the worker says, where the text is still the one that it was asked of."""
        wanted, spec, waits = self._jobs.get(job.number, ("", None, None))
        if answer.done:
            self._jobs.pop(job.number, None)
        if waits is not None and answer.done and not waits.done():
            waits.set_result(answer.picture)
        if wanted != "checked" or spec is None or self.library.opened.get(spec.uri) is not spec:
            return
        if answer.facts is not None and answer.facts != self.facts.get(spec.uri):
            self.facts[spec.uri] = answer.facts
            self._refresh_hints()
        if answer.found is not None:
            self._tell(spec, answer.found)
            self._tell_used(spec, answer.found)

    def _tell_used(self, spec: SpecText, found: list[Diagnostic]) -> None:
        """Tell what lies in open texts that a spec uses there too: what they mean only their users show."""
        for used in self.library.opened.values():
            if used is spec or not is_library(used):
                continue
            theirs = [each for each in found if each.span.source == used.source]
            told = self._told_by_users.setdefault(used.uri, {})
            if theirs or told.get(spec.uri):
                told[spec.uri] = theirs
                known = quick_check(used)
                more = {each: None for some in told.values() for each in some if each not in known}
                self._tell(used, [*known, *more])

    def _tell(self, spec: SpecText, found: list[Diagnostic]) -> None:
        self.found[spec.uri] = found
        shown = problems(spec, found)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(spec.uri, shown, spec.version))

    def _refresh_hints(self) -> None:
        workspace = self.client_capabilities.workspace
        if (
            workspace is not None
            and workspace.inlay_hint is not None
            and workspace.inlay_hint.refresh_support
        ):
            self.workspace_inlay_hint_refresh(None)

    async def picture(self, uri: str) -> str | None:
        """Return the first state of a spec as an SVG, as its text is now; None where it has errors."""
        spec = self.spec(uri)
        if spec is None:
            return None
        waits: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._ask("picture", spec, waits)
        try:
            return await asyncio.wait_for(waits, RUN_SECONDS)
        except TimeoutError:
            return None


def _name_of(uri: str) -> str:
    """Return the name that diagnostics call a text by: its path, or, of one without a file, a name in brackets."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path and path.lower().endswith((".grid", ".toml")):
        return str(Path(path))
    return f"<{uri.rpartition('/')[2].rpartition(':')[2] or 'text'}>"


def make_server() -> GridServer:
    """Return a server with all its features."""
    from griddsl.syntax.clauses import remember_clauses

    remember_clauses(16_384)
    server = GridServer()
    _texts(server)
    _questions(server)
    _layouts(server)
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

    @server.feature(lsp.SHUTDOWN)
    async def shut_down(*_: Any) -> None:
        await server.workshop.close()


def _questions(server: GridServer) -> None:
    def at(params: Any) -> tuple[SpecText, Scope, int] | None:
        spec = server.spec(params.text_document.uri)
        if spec is None:
            return None
        return spec, Scope(spec, server.library), spec.offset(params.position)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        place = at(params)
        if place is None:
            return None
        spec, scope, offset = place
        return hover.hover(spec, scope, server.facts.get(spec.uri), offset)

    triggers = lsp.CompletionOptions(trigger_characters=[".", "(", "=", '"'])

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, triggers)
    def completed(params: lsp.CompletionParams) -> lsp.CompletionList:
        place = at(params)
        return lsp.CompletionList(False, [] if place is None else completion.complete(*place))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(params: lsp.DefinitionParams) -> list[lsp.Location]:
        place = at(params)
        if place is None:
            return []
        spec, scope, offset = place
        return navigation.definition(spec, scope, server.library, offset)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def referred(params: lsp.ReferenceParams) -> list[lsp.Location]:
        place = at(params)
        if place is None:
            return []
        spec, scope, offset = place
        declared = params.context.include_declaration
        return navigation.references(spec, scope, server.library, server.folders(), offset, declared)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlighted(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        place = at(params)
        if place is None:
            return []
        spec, scope, offset = place
        found = navigation.named(spec, scope, server.library, [], offset)
        return [lsp.DocumentHighlight(text.range_of(word.span)) for text, word in found if text is spec]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        place = at(params)
        return None if place is None else navigation.prepare_rename(*place)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        place = at(params)
        if place is None:
            return None
        spec, scope, offset = place
        try:
            return navigation.rename(spec, scope, server.library, server.folders(), offset, params.new_name)
        except navigation.CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from None

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None else outline.symbols(spec)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None or spec.is_large else outline.folds(spec)

    legend = lsp.SemanticTokensLegend(list(tokens.TYPES), list(tokens.MODIFIERS))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colored(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        spec = server.spec(params.text_document.uri)
        if spec is None or spec.is_large:
            return lsp.SemanticTokens([])
        return lsp.SemanticTokens(tokens.tokens(spec, Scope(spec, server.library)))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def colored_range(params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        spec = server.spec(params.text_document.uri)
        if spec is None or spec.is_large:
            return lsp.SemanticTokens([])
        start, end = spec.offset(params.range.start), spec.offset(params.range.end)
        return lsp.SemanticTokens(tokens.tokens(spec, Scope(spec, server.library), start, end))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None else hints.inlay_hints(spec, server.facts.get(spec.uri), params.range)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None else hints.lenses(spec)

    @server.feature(PICTURE)
    async def pictured(params: Any) -> dict[str, str | None]:
        document = getattr(params, "textDocument", None) or getattr(params, "text_document", None)
        return {"svg": await server.picture(str(getattr(document, "uri", "")))}


def _layouts(server: GridServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None else layout.formatted(spec)

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    def formatted_range(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        spec = server.spec(params.text_document.uri)
        return [] if spec is None else layout.formatted_range(spec, params.range)

    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite, fixes.FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    def fixed(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        spec = server.spec(params.text_document.uri)
        if spec is None:
            return []
        only = params.context.only
        found = server.found.get(spec.uri, [])
        return fixes.actions(spec, found, params.range, [str(each) for each in only] if only else None)


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


def serve() -> None:
    """Answer on standard input and output until the client leaves."""
    server = make_server()
    sys.stdout = sys.stderr  # the protocol alone is written there
    server.start_io(stdout=os.fdopen(os.dup(1), "wb"))
