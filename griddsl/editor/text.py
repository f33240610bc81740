"""A spec as an editor holds it: its text, its statements and words, and the places in it as editors count them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lsprotocol import types as lsp

from griddsl.diagnostics import Report
from griddsl.source import ENDINGS, Source, Span
from griddsl.syntax.document import Document, Statement
from griddsl.syntax.reader import read_document
from griddsl.syntax.vocabulary.words import Word, words_of

LARGEST = 400_000  # characters: of what is larger only its errors are told
MOST_LINES = 6_000


@dataclass(eq=False)
class SpecText:
    """One version of a spec's text. ``name`` is its path, or a name in angle brackets where it has none.

    ``utf16`` says whether the editor counts characters in units of UTF-16, as most do.
    """

    uri: str
    name: str
    text: str
    version: int | None = None
    encoding: str = "utf-16"
    report: Report = field(default_factory=Report)
    before: SpecText | None = (
        None  # the last version of which statements could be read, where none of this can
    )

    @cached_property
    def source(self) -> Source:
        """The text as the checker reads it."""
        return Source(self.name, self.text.removeprefix("\ufeff").replace("\r\n", "\n"))

    @property
    def folder(self) -> Path | None:
        """The folder in which files that are used lie; None for a text that has no file."""
        return None if self.name.startswith("<") else Path(self.name).parent

    @property
    def is_large(self) -> bool:
        """Whether the text is larger than what is looked into at every key."""
        return len(self.text) > LARGEST or self.text.count("\n") > MOST_LINES

    @cached_property
    def document(self) -> Document:
        """The statements; those that can be read of a broken text."""
        return Document(self.source, ()) if self.is_large else read_document(self.source, self.report)

    def readable(self) -> SpecText:
        """Return this text, or, where none of its statements can be read, the last version of which some could."""
        return self if self.document.statements or self.before is None else self.before

    @cached_property
    def words(self) -> list[Word]:
        """The words, in the order of their places."""
        mine = (word for word in words_of(self.document) if word.span.source is self.source)
        return sorted(mine, key=lambda word: (word.span.start, word.span.end))

    def word_at(self, offset: int) -> Word | None:
        """Return the word at a place, or just before it."""
        found = [
            word for word in self.words if word.span.start <= offset <= word.span.end and word.part != "sign"
        ]
        inside = [word for word in found if offset < word.span.end]
        return next(iter(inside or found), None)

    def statement_at(self, offset: int) -> Statement | None:
        """Return the statement in whose lines a place lies."""
        found = None
        for statement in self.document.statements:
            if first_offset(statement) <= offset:
                found = (
                    statement if found is None or first_offset(statement) >= first_offset(found) else found
                )
        return found

    # Places

    def position(self, offset: int) -> lsp.Position:
        """Return an offset as an editor counts: lines and columns from 0."""
        line, column = self.source.position(max(0, min(offset, len(self.source.text))))
        before = self.source.line(line)[: column - 1]
        return lsp.Position(line - 1, self._units(before))

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; of one outside the text the nearest."""
        lines = self.source.text.count("\n") + 1
        if position.line >= lines:
            return len(self.source.text)
        row = self.source.line(position.line + 1)
        start = self.source._line_starts[position.line]
        if row.isascii():
            return start + min(position.character, len(row))
        units = 0
        for index, char in enumerate(row):
            if units >= position.character:
                return start + index
            units += self._units(char)
        return start + len(row)

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def range(self, start: int, end: int) -> lsp.Range:
        """Return two offsets as a range."""
        return lsp.Range(self.position(start), self.position(end))

    def range_of(self, span: Span) -> lsp.Range:
        """Return a span of this text as a range."""
        return self.range(span.start, span.end)

    def last_offset(self, statement: Statement) -> int:
        """Return where the last line of a statement ends."""
        text, end = self.source.text, statement.span.end
        if self.source.is_toml:
            ends = [word.span.end for word in self.words if word.span.start >= statement.span.start]
            spans = [row.span().end for row in statement.rows]
            return max([end, *spans, *([] if spans else ends[:1])])
        for row in statement.rows:
            end = max(end, row.span().end)
        at = text.find("\n", end)
        while at >= 0:
            line_end = text.find("\n", at + 1)
            line = text[at + 1 : line_end if line_end >= 0 else len(text)]
            if line.strip() and line[:1] not in " \t":
                break
            if line.strip():
                end = at + 1 + len(line)
            at = line_end
        following = text.find("\n", statement.span.start)
        return max(end, following if following >= 0 else len(text))


def first_offset(statement: Statement) -> int:
    """Return where a statement starts."""
    return statement.keyword_span.start


@dataclass
class Library:
    """The texts of the specs that are open, and of the files they use, read once for each state that they are in."""

    opened: dict[str, SpecText] = field(default_factory=dict)
    _read: dict[str, tuple[tuple[int, int], SpecText]] = field(default_factory=dict)

    def contents(self) -> Mapping[str | os.PathLike[str], bytes]:
        """Return what the files that are open hold now, saved or not."""
        return {each.name: each.text.encode("utf-8", "surrogatepass") for each in self.opened.values()}

    def by_path(self, path: Path, encoding: str = "utf-16") -> SpecText | None:
        """Return the text of a file: as it is open, else as it is on the disk; None where it cannot be read."""
        real = os.path.realpath(path)
        for each in self.opened.values():
            if each.folder is not None and os.path.realpath(each.name) == real:
                return each
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size)
            kept = self._read.get(real)
            if kept is not None and kept[0] == state:
                return kept[1]
            if status.st_size > LARGEST:
                return None
            found = SpecText(
                path.absolute().as_uri(), str(path), path.read_text(encoding="utf-8"), None, encoding
            )
        except (OSError, ValueError):
            return None
        self._read[real] = (state, found)
        return found

    def used_by(self, spec: SpecText) -> Iterator[SpecText]:
        """Yield the texts that a spec uses: bundled libraries, and files of its folder."""
        from griddsl.spec.imports.libraries import BUNDLED
        from griddsl.syntax.document import unquote

        for statement in spec.document.statements:
            if statement.keyword != "use":
                continue
            for text in statement.texts():
                path = BUNDLED / f"{text.text}.grid"
                if text.text.startswith('"'):
                    if spec.folder is None:
                        continue
                    path = spec.folder / unquote(text.text)
                found = self.by_path(path, spec.encoding)
                if found is not None and found is not spec:
                    yield found

    def users_of(self, spec: SpecText, folders: list[Path]) -> Iterator[SpecText]:
        """Yield the specs that use a text: those that are open, and those of the workspace."""
        name = Path(spec.name).name
        paths = {os.path.realpath(each.name): each for each in self.opened.values()}
        seen = list(paths.values())
        for folder in folders:
            for path in list(_specs_in(folder)):
                if (
                    os.path.realpath(path) not in paths
                    and (found := self.by_path(path, spec.encoding)) is not None
                ):
                    seen.append(found)
        for each in seen:
            if each is not spec and name in each.text and any(used is spec for used in self.used_by(each)):
                yield each


def _specs_in(folder: Path, most: int = 500) -> Iterator[Path]:
    for count, path in enumerate(folder.rglob("*")):
        if count > 20 * most:
            return
        if path.suffix in ENDINGS:
            yield path
