"""Variants: several ids of one file, found in its text without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ID = r"(?:[A-Za-z0-9_-]+/)?[A-Za-z0-9_-]+-v[0-9]+"
# A statement goes on in the lines behind it that are indented, blank or a comment.
_STATEMENT = re.compile(
    rf"^variant[ \t]+({_ID})[ \t]*:(.*(?:\n(?:[ \t].*|[ \t]*#.*|[ \t]*(?=\n)))*)", re.MULTILINE
)
_DOTTED = re.compile(rf"""^variant\.["']({_ID})["'][ \t]*=(.*)$""")
_ENTRY = re.compile(rf"""^["']({_ID})["'][ \t]*=(.*)$""")
_TABLE = re.compile(r"^\[{1,2}\s*(\S+?)\s*\]{1,2}")
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_KEY = re.compile(rf"^{_PART}(?:\.{_PART})*[ \t]*=")
# A variant of a file: `mines.grid:Hard`.
IS_VARIANT = re.compile(r"(.+\.(?:grid|toml)):([^:\s]+)", re.IGNORECASE)
_COMMENT = re.compile(r"#.*")
_LIMIT = re.compile(r"""\blimit\s*=(?!=)\s*([^,\n"'\]]*)""")
_NUMBER = re.compile(r"[0-9]{1,12}\s*")


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


def variants_in(text: str, is_toml: bool, limit: int | None) -> Iterator[tuple[str, int | None]]:
    """Yield the ids of the variants that a text has, each with its limit: its own, or else that of the file.

    A limit is known where it is a plain number; one that has to be reckoned is None, as that of a file is.
    """
    variants = _of_toml(text) if is_toml else (match.groups() for match in _STATEMENT.finditer(text))
    for spec_id, settings in variants:
        own = _LIMIT.search(_COMMENT.sub("", settings))
        if own is None:
            yield spec_id, limit
        else:
            yield spec_id, int(own[1]) if _NUMBER.fullmatch(own[1]) else None


def _of_toml(text: str) -> Iterator[tuple[str, str]]:
    """Yield the variants of a text in TOML with what they set, which may go on in further lines."""
    table, found, settings = "", "", ""
    for line in text.split("\n"):
        head, key = _TABLE.match(line), _KEY.match(line)
        if found and (head is not None or key is not None):
            yield found, settings
            found = ""
        table = table if head is None else head[1]
        entry = _ENTRY.match(line) if table == "variant" else _DOTTED.match(line) if not table else None
        if entry is not None:
            found, settings = entry.groups()
        elif found:
            settings += "\n" + line
    if found:
        yield found, settings
