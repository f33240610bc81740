"""Files of a folder that match a pattern: looked for in one walk, which ends where there is too much to look at."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

MOST_FILES = 10_000
MOST_FOLDERS = 1_000
MOST_ENTRIES = 50_000
MOST_SECONDS = 5.0
DEEPEST = 64
ANY_DEPTH = "**"


@dataclass(frozen=True, slots=True)
class Matches:
    """The files that match, by name; and why there may be more, None where these are all."""

    files: tuple[Path, ...]
    limit: str | None = None


class _TooMuch(Exception):
    """There is more than is looked at; the message says of what."""


def matches(folder: Path, pattern: str) -> Matches:
    """Return the files below a folder that a pattern matches: `*`, `?` and `[...]` in names, `**` for any folders.

    No link leads out of the folder, and `**` follows none. However many `**` there are, each folder is read once.
    """
    parts = tuple(part for part in pattern.replace(os.sep, "/").split("/") if part not in {"", "."})
    found: list[Path] = []
    limit = None
    try:
        for path in _Walk(folder, parts).files():
            if len(found) == MOST_FILES:
                raise _TooMuch(f"more than {MOST_FILES:,} files")
            found.append(path)
    except _TooMuch as reason:
        limit = str(reason)
    return Matches(tuple(sorted(found)), limit)


class _Walk:
    """A walk through a folder, which counts what it looks at."""

    def __init__(self, folder: Path, parts: tuple[str, ...]) -> None:
        self._folder, self._parts = folder, parts
        self._root = Path(os.path.realpath(folder))
        self._folders = self._entries = 0
        self._end = time.monotonic() + MOST_SECONDS

    def files(self) -> Iterator[Path]:
        """Yield the files that match; raise `_TooMuch` where there is too much to look at."""
        pending = [(self._folder, self._closed({0}), 0)]
        while pending:
            here, places, depth = pending.pop()
            for entry in self._read(here):
                inner, outer = self._after(entry.name, places), places & self._deep
                if len(self._parts) in inner and _is_file(entry) and self._is_inside(entry):
                    yield Path(entry.path)
                below = {place for place in inner if place < len(self._parts)}
                if not entry.is_symlink():
                    below |= outer
                if below and depth < DEEPEST and _is_folder(entry) and self._is_inside(entry):
                    pending.append((Path(entry.path), self._closed(below), depth + 1))

    @property
    def _deep(self) -> frozenset[int]:
        return frozenset(place for place, part in enumerate(self._parts) if part == ANY_DEPTH)

    def _closed(self, places: set[int]) -> frozenset[int]:
        """Return the places in the pattern at which a folder can be: `**` may stand for none at all."""
        closed = set(places)
        for place, part in enumerate(self._parts):
            if place in closed and part == ANY_DEPTH:
                closed.add(place + 1)
        return frozenset(closed)

    def _after(self, name: str, places: frozenset[int]) -> set[int]:
        """Return the places behind those whose part a name matches."""
        return {
            place + 1
            for place in places
            if place < len(self._parts)
            and self._parts[place] != ANY_DEPTH
            and fnmatchcase(name, self._parts[place])
        }

    def _read(self, here: Path) -> Iterator[os.DirEntry[str]]:
        self._folders += 1
        if self._folders > MOST_FOLDERS:
            raise _TooMuch(f"more than {MOST_FOLDERS:,} folders")
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    self._entries += 1
                    if self._entries > MOST_ENTRIES:
                        raise _TooMuch(f"more than {MOST_ENTRIES:,} files and folders")
                    if time.monotonic() > self._end:
                        raise _TooMuch(f"more than {MOST_SECONDS:g} seconds' worth of folders")
                    yield entry
        except OSError:
            return

    def _is_inside(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry lies in the folder: a link may lead out of it."""
        return not entry.is_symlink() or Path(os.path.realpath(entry.path)).is_relative_to(self._root)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file, or a link that leads in a circle: who reads it says that it cannot be read."""
    try:
        return entry.is_file()
    except OSError:
        return True


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
