"""Variants: several ids of one file, found in its text without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ID = r"(?:[A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+"
_STATEMENT = re.compile(rf"^variant[ \t]+({_ID})[ \t]*:(.*)$", re.MULTILINE)
_DOTTED = re.compile(rf"""^variant\.["']({_ID})["'][ \t]*=(.*)$""")
_ENTRY = re.compile(rf"""^["']({_ID})["'][ \t]*=(.*)$""")
_TABLE = re.compile(r"^\[{1,2}\s*(\S+?)\s*\]{1,2}")
_LIMIT = re.compile(r"\blimit\s*=\s*([0-9]{1,12})\b(?!\s*(?:[-+*/]|div\b|mod\b))")


class VariantFile(type(Path())):  # type: ignore[misc]  # the kind of path that this system has
    """The file of a spec, and the variant of it that is meant."""

    variant: str

    @classmethod
    def of(cls, file: Path, variant: str) -> VariantFile:
        """Return a file as that of a variant."""
        made = cls(file)
        made.variant = variant
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return VariantFile.of, (Path(self), self.variant)


def variant_of(source: object) -> str:
    """Return the variant that a source is; empty where it is the spec itself."""
    return str(getattr(source, "variant", ""))


def variants_in(text: str, is_toml: bool) -> Iterator[tuple[str, int | None]]:
    """Yield the ids of the variants that a text has, each with the limit that it sets as a plain number."""
    lines = _of_toml(text) if is_toml else (match.groups() for match in _STATEMENT.finditer(text))
    for spec_id, settings in lines:
        limit = _LIMIT.search(settings.partition("#")[0])
        yield spec_id, None if limit is None else int(limit[1])


def _of_toml(text: str) -> Iterator[tuple[str, str]]:
    table = ""
    for line in text.split("\n"):
        if (head := _TABLE.match(line)) is not None:
            table = head[1]
        found = _ENTRY.match(line) if table == "variant" else _DOTTED.match(line) if not table else None
        if found is not None:
            yield found[1], found[2]
