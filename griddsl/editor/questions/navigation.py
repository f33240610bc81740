"""Definition, references and rename: where a name is declared, where it is named, and another name for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from griddsl.diagnostics import Refused
from griddsl.editor.names import Scope, occurrences, plain
from griddsl.editor.text import Library, SpecText
from griddsl.spec.imports.libraries import BUNDLED
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.vocabulary.words import Word, language_words

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class CannotRename(Refused):
    """A name that stays as it is, with the reason."""


def definition(spec: SpecText, scope: Scope, library: Library, offset: int) -> list[lsp.Location]:
    """Return where what stands at a place is declared: a name, a file that is used, a character of a map."""
    glyph = _legend_entry(spec, offset)
    if glyph is not None:
        return [glyph]
    word = spec.word_at(offset)
    if word is None:
        return []
    if word.part in {"library", "text"}:
        return [lsp.Location(found.uri, found.range(0, 0)) for found in _used_file(spec, library, word)]
    declared = [lsp.Location(each.spec.uri, each.spec.range_of(each.word.span)) for each in scope.of(word)]
    if (
        not declared and scope.sort_of(word) == "name"
    ):  # ground that needs no declaration: its line of the legend
        named = [each for each in spec.words if each.text == word.text and "legend_item" in each.path]
        declared = [lsp.Location(spec.uri, spec.range_of(each.span)) for each in named[:1]]
    return declared


def _used_file(spec: SpecText, library: Library, word: Word) -> Iterator[SpecText]:
    statement = spec.statement_at(word.span.start)
    if statement is not None and statement.keyword == "use":
        for found in library.used_by(spec):
            if Path(found.name).name in {f"{word.text}.grid", Path(plain(word)).name}:
                yield found


def _legend_entry(spec: SpecText, offset: int) -> lsp.Location | None:
    for statement in spec.document.statements:
        for row in statement.rows:
            span = row.span()
            if span.start <= offset < span.end:
                glyph = row.text[offset - span.start]
                for word in spec.words:
                    if word.part == "glyph" and plain(word) == glyph:
                        return lsp.Location(spec.uri, spec.range_of(word.span))
    return None


def references(
    spec: SpecText, scope: Scope, library: Library, folders: list[Path], offset: int, declared: bool = True
) -> list[lsp.Location]:
    """Return where what stands at a place is named, in all texts that see it."""
    return [
        lsp.Location(text.uri, text.range_of(word.span))
        for text, word in named(spec, scope, library, folders, offset)
        if declared or not word.is_new
    ]


def named(
    spec: SpecText, scope: Scope, library: Library, folders: list[Path], offset: int
) -> Iterator[tuple[SpecText, Word]]:
    """Yield every word that names what stands at a place, with its text."""
    word = spec.word_at(offset)
    sort = None if word is None else scope.sort_of(word)
    if word is None or sort is None:
        return
    if sort == "name" and word.text in language_words() and not (scope.of(word) or scope.is_plain(word)):
        return
    name = plain(word)
    texts = {each.uri: each for each in scope.texts}
    homes = {each.spec.uri for each in scope.of(word)} or {spec.uri}
    for text in list(texts.values()):
        if text.uri in homes:
            texts |= {each.uri: each for each in library.users_of(text, folders)}
    for text in texts.values():
        inside = scope if text is spec else Scope(text, library)
        for each in occurrences(text, inside, sort, name):
            yield text, each


def prepare_rename(spec: SpecText, scope: Scope, offset: int) -> lsp.Range | None:
    """Return the place of a name that can be changed; None where there is none."""
    word = spec.word_at(offset)
    if word is None or not (scope.of(word) or scope.is_plain(word)):
        return None
    if any(_is_bundled(each.spec) for each in scope.of(word)):
        return None
    return spec.range_of(word.span)


def rename(
    spec: SpecText, scope: Scope, library: Library, folders: list[Path], offset: int, new: str
) -> lsp.WorkspaceEdit:
    """Return the edits that give a name another one, everywhere. Raises `CannotRename`."""
    word = spec.word_at(offset)
    declared = [] if word is None else scope.of(word)
    if word is None or not (declared or scope.is_plain(word)):
        raise CannotRename("only what a spec declares can be renamed")
    if any(_is_bundled(each.spec) for each in declared):
        raise CannotRename(f"`{word.text}` is declared by a bundled library")
    sort = declared[0].sort if declared else "name"
    if sort != "level" and not _NAME.fullmatch(new):
        raise CannotRename("a name is one word of letters, digits and `_`, and starts with no digit")
    if new in RESERVED and sort != "level":
        raise CannotRename(f"`{new}` is a reserved word")
    taken = sort == "name" and any(
        each.part == "name" and plain(each) == new and scope.is_plain(each)
        for text in scope.texts
        for each in text.words
    )
    if taken or (sort, new) in scope.declared:
        raise CannotRename(f"there is `{new}` already")
    edits: dict[str, list[lsp.TextEdit]] = {}
    for text, each in named(spec, scope, library, folders, offset):
        written = (
            _quoted(new)
            if sort == "level" and (each.text.startswith('"') or not _NAME.fullmatch(new))
            else new
        )
        edits.setdefault(text.uri, []).append(lsp.TextEdit(text.range_of(each.span), written))
    for text in scope.texts:
        if sort in {"name", "word"} and text.uri in edits:
            edits[text.uri].extend(_in_missions(text, plain(word), new))
    return lsp.WorkspaceEdit(changes=edits)


def _in_missions(text: SpecText, old: str, new: str) -> Iterator[lsp.TextEdit]:
    """Yield the changes of what a mission names in braces."""
    for word in text.words:
        if word.part == "text":
            for found in re.finditer(rf"\{{{re.escape(old)}\}}", word.text):
                start = word.span.start + found.start() + 1
                yield lsp.TextEdit(text.range(start, start + len(old)), new)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_bundled(spec: SpecText) -> bool:
    return Path(spec.name).is_relative_to(BUNDLED)
