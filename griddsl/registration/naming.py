"""Naming: which ids a file has, found in its text without parsing it, and which of them other files have too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from griddsl.files.variants import VariantFile, variants_in

ENDINGS = (".grid", ".toml")
_ID = re.compile(
    r"""^env\s*[:=]\s*["']?((?:[A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+)["']?\s*(?:#.*)?$""", re.MULTILINE
)
_LIMIT = re.compile(r"""^limit\s*[:=]\s*["']?([0-9]{1,12})(?:\s+steps?)?["']?\s*(?:#.*)?$""", re.MULTILINE)
# What is drawn once makes trials of several episodes, which only the program knows to cut: Gymnasium is told no limit.
_ONCE = re.compile(r"^once\s*[:=]", re.MULTILINE)
_MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class Named:
    """An id, the file of its spec (or of the variant that it is), and its limit in steps, where that is a number."""

    id: str
    file: Path
    limit: int | None


@dataclass(frozen=True, slots=True)
class Clash:
    """An id that two files have: the one that comes first, and another."""

    id: str
    first: Path
    second: Path

    def __str__(self) -> str:
        return f"`{self.id}` is the id of two files: {self.first} and {self.second}"


def spec_files(folder: Path) -> list[Path]:
    """Return the files of a folder, and of the folders in it, that may be specs."""
    return sorted(file for ending in ENDINGS for file in folder.rglob(f"*{ending}"))


def text_of(file: Path) -> str | None:
    """Return what a file holds; None where it cannot be read, or is longer than any spec."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


def ids_of(file: Path) -> list[Named]:
    """Return the ids that a file has, that of the spec before those of its variants."""
    text = text_of(file)
    found = None if text is None else _ID.search(text)
    if text is None or found is None:
        return []
    is_once, limited = _ONCE.search(text), _LIMIT.search(text)
    limit = int(limited.group(1)) if limited and not is_once else None
    ids = [Named(found.group(1), file, limit)]
    for variant, own in variants_in(text, file.suffix == ".toml", limit):
        ids.append(Named(variant, VariantFile.of(file, variant), None if is_once else own))
    return ids


def told_apart(found: Iterable[Named]) -> tuple[list[Named], list[Clash]]:
    """Return what is named, without the ids of a file that one before it has; and those, with both files."""
    owners: dict[str, Path] = {}
    kept, twice = [], []
    for named in found:
        first = owners.setdefault(named.id, named.file)
        if first == named.file or first.samefile(named.file):  # a link is no second spec
            kept.append(named)
        else:
            twice.append(Clash(named.id, first, named.file))
    return kept, twice
