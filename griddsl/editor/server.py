"""The language server: the texts that are open, what was found in each, and the worker that is asked for more."""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from griddsl.diagnostics import Diagnostic
from griddsl.editor.facts import Facts
from griddsl.editor.protocol import AnsweringProtocol
from griddsl.editor.questions.problems import is_library, problems, quick_check
from griddsl.editor.text import Library, SpecText
from griddsl.editor.worker import Answer, Job
from griddsl.editor.workshop import Workshop
from griddsl.syntax.clauses import remember_clauses

QUIET_SECONDS = 0.004  # what comes within this is answered together
RUN_SECONDS = 60.0
WAITING_SECONDS = 1.0  # whoever asks for fixes right behind a change waits so long for what the worker finds
FIRST = (
    "env: a/First-v0\nmap: @.G\nlegend: G = goal\nactions: left, right\nobserve: cell\non enter goal: end\n"
)


def warm_up() -> None:
    """Read a spec, so that the first that is opened waits for nothing; what that made, later collections leave alone.

    A collection of all that the grammar is made of lasts as long as ten changes.
    """
    remember_clauses(16_384)
    quick_check(SpecText("file:///first.grid", "/first.grid", FIRST))
    gc.collect()
    gc.freeze()


class GridServer(LanguageServer):
    """A server and what it holds: the texts that are open, what was found in each, and the worker."""

    def __init__(self) -> None:
        from griddsl import __version__

        super().__init__("griddsl", __version__, protocol_cls=AnsweringProtocol, max_workers=1)
        self.library = Library()
        self.found: dict[str, list[Diagnostic]] = {}
        self.facts: dict[str, Facts] = {}
        self.workshop = Workshop(self._take)
        self._changed: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._jobs: dict[int, tuple[str, SpecText | None, asyncio.Future[str | None] | None]] = {}
        self._number = 0
        self._meaning_wanted: set[str] = set()
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
        self._meaning_wanted.discard(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        if closed is not None:
            self._look_at_users(closed)

    def spec(self, uri: str) -> SpecText | None:
        """Return a text, as it is open or on the disk; None where it cannot be read."""
        if uri in self.library.opened:
            return self.library.opened[uri]
        path = to_fs_path(uri) if uri.startswith("file:") else None
        return None if path is None else self.library.by_path(Path(path))

    async def found_in(self, spec: SpecText) -> list[Diagnostic]:
        """Return what is wrong with a text as it is now: once its meaning is known, or what is known in a second."""
        if spec.uri in self._changed:
            self._look()
        for _ in range(int(WAITING_SECONDS / 0.01)):
            if spec.uri not in self._meaning_wanted or self.library.opened.get(spec.uri) is not spec:
                break
            await asyncio.sleep(0.01)
        return self.found.get(spec.uri, []) if self.library.opened.get(spec.uri) is spec else []

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
        if self._timer is not None:
            self._timer.cancel()
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
            self._meaning_wanted.discard(spec.uri)
            return  # a part of other specs: what it means they show
        self._meaning_wanted.add(spec.uri)
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
        if answer.done or answer.found is not None:
            self._meaning_wanted.discard(spec.uri)
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
    if path and "\0" not in path and path.lower().endswith((".grid", ".toml")):
        return str(Path(path))
    return f"<{uri.rpartition('/')[2].rpartition(':')[2] or 'text'}>"
