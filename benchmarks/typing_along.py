"""Measure how long the language server takes in 200 lines: `python benchmarks/typing_along.py` (extra `lsp`).

First what the checker says of a change, in the time of the processor, in this process; then each question of an editor,
right behind a change, by the clock, of a server in a process of its own, with all that goes over the wire.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from griddsl.editor.questions.problems import quick_check
from griddsl.editor.server import warm_up
from griddsl.editor.text import SpecText

LINES, CHANGES = 200, 100
LINE = 100  # the one that is asked about


def long_spec(lines: int) -> str:
    """Return a spec of so many lines, no two of its rules alike."""
    head = "env: a/Long-v0\nvar energy: 9 in 0..99\nmap:\n    @....\nactions: left, right\nobserve: grid\n"
    rules = [
        f"on enter spot{n} if energy > {n} and agent.x != {n}: reward {n} / 10" for n in range(lines - 7)
    ]
    return head + "\n".join(rules) + "\nlimit: 50 steps\n"


def changed(text: str, number: int) -> str:
    """Return the spec with one number of one rule written otherwise."""
    return text.replace("energy > 7 ", f"energy > 7{number} ")


def show(what: str, times: list[float]) -> None:
    """Print the median and the worst of some times, in milliseconds."""
    print(f"{what:20} median {statistics.median(times):6.1f}  worst {max(times):6.1f} ms")


def check_changes(text: str) -> None:
    """Time what is said of a change by what the text shows."""
    warm_up()
    times = []
    for number in range(CHANGES):
        spec = SpecText("file:///a.grid", "/a.grid", changed(text, number))
        start = time.process_time()
        quick_check(spec)
        times.append(1000 * (time.process_time() - start))
    show("check (processor)", times[1:])


def questions(client: LanguageClient, uri: str, text: str) -> dict[str, Callable[[], Awaitable[object]]]:
    """Return what an editor asks, of a word in the middle or of all."""
    document = lsp.TextDocumentIdentifier(uri)
    row = text.split("\n")[LINE]
    place = lsp.Position(LINE, row.index("energy") + 2)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(LINES, 0))
    context, options = lsp.ReferenceContext(True), lsp.FormattingOptions(4, True)
    return {
        "hover": lambda: client.text_document_hover_async(lsp.HoverParams(document, place)),
        "completion": lambda: client.text_document_completion_async(lsp.CompletionParams(document, place)),
        "definition": lambda: client.text_document_definition_async(lsp.DefinitionParams(document, place)),
        "references": lambda: client.text_document_references_async(
            lsp.ReferenceParams(context, document, place)
        ),
        "rename": lambda: client.text_document_rename_async(lsp.RenameParams(document, place, "fuel")),
        "symbols": lambda: client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document)),
        "folding": lambda: client.text_document_folding_range_async(lsp.FoldingRangeParams(document)),
        "semantic tokens": lambda: client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        ),
        "inlay hints": lambda: client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole)),
        "lenses": lambda: client.text_document_code_lens_async(lsp.CodeLensParams(document)),
        "formatting": lambda: client.text_document_formatting_async(
            lsp.DocumentFormattingParams(document, options)
        ),
    }


async def ask_server(text: str, folder: Path) -> None:
    """Time each answer of a server: the first diagnostics of a change, then every question."""
    client = LanguageClient("typing-along", "1")
    told: dict[int | None, float] = {}

    def published(params: lsp.PublishDiagnosticsParams) -> None:
        told.setdefault(params.version, time.perf_counter())

    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

    async def answer_to(version: int) -> float:
        while version not in told:
            await asyncio.sleep(0)
        return told[version]

    await client.start_io(sys.executable, "-P", "-m", "griddsl", "lsp")
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    uri = (folder / "long.grid").as_uri()
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "grid", 0, changed(text, 0)))
    )
    await answer_to(0)
    asked = questions(client, uri, text)
    times: dict[str, list[float]] = {each: [] for each in ("diagnostics", *asked)}
    for number in range(1, CHANGES):
        document = lsp.VersionedTextDocumentIdentifier(number, uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(changed(text, number))
        start = time.perf_counter()
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))
        times["diagnostics"].append(1000 * (await answer_to(number) - start))
        names = list(asked)
        for each in names[number % len(names) :] + names[: number % len(names)]:  # each is the first once
            start = time.perf_counter()
            await asked[each]()
            times[each].append(1000 * (time.perf_counter() - start))
    for what, measured in times.items():
        show(what, measured)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def main() -> None:
    """Print the median and the worst of each answer."""
    text = long_spec(LINES)
    print(f"{LINES} lines, {CHANGES} changes")
    check_changes(text)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(ask_server(text, Path(folder)))


if __name__ == "__main__":
    main()
