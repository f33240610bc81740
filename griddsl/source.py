"""Files and places in them: the lowest room, on which every message to the user rests."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from griddsl.files.matching import matches

MOST_HASHED = 64_000_000  # bytes: of larger files size and time tell
# What no text of a spec holds, however it is written: it would control the terminal that shows it, or turn its words.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
REPLACED = "\N{REPLACEMENT CHARACTER}"


def visible(text: str) -> str:
    """Return a line as a terminal may show it: a tab as an arrow, and no other character that controls it."""
    shown = (c if c.isprintable() else "\N{RIGHTWARDS ARROW}" if c == "\t" else REPLACED for c in text)
    return "".join(shown)


ENDINGS = (".grid", ".toml")

_TOML_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_TOML_START = re.compile(rf"\s*(?:\[|{_TOML_KEY}(?:\s*\.\s*{_TOML_KEY})*\s*=(?!=))")


@dataclass(frozen=True)
class Source:
    """A text and the name it is shown under (a file name, or ``<text>``), and the variant of the spec that is meant."""

    name: str
    text: str
    variant: str = ""

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return starts

    @cached_property
    def is_toml(self) -> bool:
        """Whether it is TOML: by the ending of its file; without a file, by its first line with text."""
        ending = Path(self.name).suffix.lower()
        if ending in ENDINGS:
            return ending == ".toml"
        for line in self.text[:100_000].split("\n"):
            if line.strip() and not line.lstrip().startswith("#"):
                return _TOML_START.match(line[:1000]) is not None
        return False

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of a 0-based offset."""
        line = bisect_right(self._line_starts, max(0, min(offset, len(self.text))))
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a 1-based line, without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)]

    def whole(self) -> Fragment:
        """Return all of the text as one fragment."""
        return Fragment(self, self.text, 0)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets, ``start`` to ``end``, of a source.

    ``through`` are the other places by which a clause came to mean what stands here: calls of definitions, and where
    in a definition an argument stands.
    """

    source: Source = field(repr=False)
    start: int
    end: int
    through: tuple[Through, ...] = field(default=(), compare=False, repr=False)

    @property
    def line(self) -> int:
        """The 1-based line where the span starts."""
        return self.source.position(self.start)[0]

    @property
    def text(self) -> str:
        """The text that the span covers, as it stands in the source."""
        return self.source.text[self.start : self.end]

    def word(self, word: str) -> Span:
        """Return the span of the first such word inside this one; this one where there is none."""
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.text) if word else None
        if not found:
            return self
        return Span(self.source, self.start + found.start(), self.start + found.end(), self.through)

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end), self.through)


@dataclass(frozen=True, slots=True)
class Through:
    """A place by which a clause came to mean something, and what it has to do with it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a source's text that is parsed on its own.

    In a ``.grid`` file a fragment is a slice (``origin`` is its offset); in TOML, where a string may hold
    escapes, ``origin`` lists the file offset of each character and of the end.
    """

    source: Source = field(repr=False)
    text: str
    origin: int | Sequence[int]

    def offset(self, index: int) -> int:
        """Return the offset in the source of a character of the fragment."""
        if isinstance(self.origin, int):
            return self.origin + index
        return self.origin[min(index, len(self.origin) - 1)]

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """Return the span in the source of ``text[start:end]``."""
        end = len(self.text) if end is None else end
        first = self.offset(start)
        return Span(self.source, first, max(first, self.offset(end - 1) + 1 if end > start else first))

    def slice(self, start: int, end: int) -> Fragment:
        """Return ``text[start:end]`` as a fragment of the same source."""
        origin = self.origin + start if isinstance(self.origin, int) else self.origin[start : end + 1]
        return Fragment(self.source, self.text[start:end], origin)

    def strip(self) -> Fragment:
        """Return the fragment without blanks at its ends."""
        left = len(self.text) - len(self.text.lstrip())
        return self.slice(left, max(left, len(self.text.rstrip())))


Contents: TypeAlias = Mapping[str | os.PathLike[str], bytes]
_UNSAVED: ContextVar[Mapping[str, bytes]] = ContextVar("unsaved", default={})  # noqa: B039 (never changed)


@contextmanager
def unsaved(contents: Contents) -> Iterator[None]:
    """Let files hold, inside this block, what an editor or a pipe says they do, whether they are on the disk or not."""
    token = _UNSAVED.set({**_UNSAVED.get(), **{_real(path): content for path, content in contents.items()}})
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def unsaved_content(path: str | os.PathLike[str]) -> bytes | None:
    """Return what a file holds that is not saved yet; None where the disk tells."""
    contents = _UNSAVED.get()
    return contents.get(_real(path)) if contents else None


def is_file(path: Path) -> bool:
    """Whether a path is a file's, saved or not; one that is too long for the system is none."""
    try:
        return unsaved_content(path) is not None or path.is_file()
    except (OSError, ValueError):
        return False


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.normcase(os.path.realpath(path))


def state_of(path: str, pattern: str = "") -> str:
    """Return what a file holds, as a hash, or the names of the files of a folder that match a pattern.

    Empty where there is none, or where it cannot be read.
    """
    try:
        if not pattern and (content := unsaved_content(path)) is not None:
            return sha256(content).hexdigest()
        if pattern:
            return "\n".join(map(str, matches(Path(path), pattern).files))
        if not Path(path).is_file():
            return ""
        status = Path(path).stat()
        if status.st_size > MOST_HASHED:
            return f"{status.st_size} {status.st_mtime_ns}"
        return sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
