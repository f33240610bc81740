"""Reader: from a path or a text to a `Source`, and from a source to statements, whichever format it has."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import replace
from pathlib import Path

from griddsl.diagnostics import Report, did_you_mean, listing
from griddsl.files.variants import variant_of
from griddsl.source import CONTROL, ENDINGS, Source, Span, unsaved_content
from griddsl.syntax.document import Document
from griddsl.syntax.layout import read_layout

MOST_BYTES = 8_000_000
LONGEST_PATH = 4_096
TEXT_NAME = "<text>"
_MODULE = r"(?!env:)[A-Za-z_][\w.]*:(?=\S*-v[0-9]+$)"  # that registers the id after it, as Gymnasium has it
_NAME = re.compile(rf"(?:{_MODULE})?[\w.~-]+(?:[/\\ ][\w.~-]+)*")
LONGEST_NAME = 200
_ENCODING_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_source(source: str | os.PathLike[str], report: Report, place: Span | None = None) -> Source | None:
    """Return the text of a file, or the given text itself; None where it was refused.

    That a file cannot be read is told at ``place``, where it was asked for; without one, at the file itself.

    A `str` is a path if it has one line that reads like no statement, and names something that exists or ends
    like a spec. The text has no byte order mark, and ``\\n`` ends its lines.
    """
    if isinstance(source, str) and not _is_path(source):
        return _checked(TEXT_NAME, source, report)
    path = Path(os.fsdecode(source))
    read = _read_file(path, place or Source(str(path), "").whole().span(), report)
    variant = variant_of(source)
    return replace(read, variant=variant) if read is not None and variant else read


def is_name(source: object) -> bool:
    """Whether a source is one word that is no text of a spec and no file: the id of one, or a mistake."""
    if not isinstance(source, str) or _NAME.fullmatch(source) is None or len(source) > LONGEST_NAME:
        return False
    return not source.lower().endswith(ENDINGS) and not Path(source).is_file()


def read_document(source: Source, report: Report) -> Document:
    """Return the statements of a ``.grid`` or TOML source; what is wrong with its layout is in the report."""
    if source.is_toml:
        from griddsl.syntax.toml.statements import read_toml

        return read_toml(source, report)
    return read_layout(source, report)


def _is_path(text: str) -> bool:
    if not text.strip() or len(text) > LONGEST_PATH or re.search(r"[\r\n\x00]|:\s|:$", text):
        return False
    return text.lower().endswith(ENDINGS) or Path(text).exists()


def _read_file(path: Path, place: Span, report: Report) -> Source | None:
    unsaved = unsaved_content(path)
    if unsaved is not None:
        return _sized(path, unsaved, len(unsaved), report)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            name = path.name or path  # `.` and `/` have none
            report.add("unreadable", place, reason=f"`{name}` is {_sort(status.st_mode)}, not a file")
            return None
        size, content = status.st_size, b""
        if size <= MOST_BYTES:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
            size = len(content)
    except (OSError, ValueError) as error:
        near = near_file(path) if isinstance(error, FileNotFoundError) else None
        report.add("unreadable", place, reason=_reason(path, error), help=near)
        return None
    return _sized(path, content, size, report)


def _sized(path: Path, content: bytes, size: int, report: Report) -> Source | None:
    """Return what a file holds as a text; refuse what is larger than any spec."""
    if size > MOST_BYTES:
        report.add("too-large", Source(str(path), "").whole().span(), size=size, most=MOST_BYTES)
        return None
    report.seek(str(path))
    return _decoded(str(path), content, report)


def _sort(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device"


def _reason(path: Path, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no file `{path.name[:100]}`"
    if isinstance(error, PermissionError):
        return f"reading `{path.name[:100]}` is not allowed"
    if isinstance(error, OSError) and error.strerror:
        return f"`{path.name[:100]}` cannot be read: {error.strerror.lower()}"
    return f"`{path.name[:100]!a}` cannot be the name of a file"


def near_file(path: Path) -> str | None:
    """Return a help line with the specs of a folder that a path nearly names, or with what folder is missing."""
    try:
        if not path.parent.is_dir():
            return f"there is no folder `{path.parent}`"
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(10_000), strict=False)]
    except (OSError, ValueError):
        return None
    specs = [name for name in names if name.lower().endswith(ENDINGS)]
    same = [name for name in specs if Path(name).stem == path.stem]
    return f"did you mean {listing(same)}?" if same else did_you_mean(path.name, specs)


def _decoded(name: str, content: bytes, report: Report) -> Source | None:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        encoding = _ENCODING_MARKS.get(content[:2])
        help = f"save it as UTF-8; it looks like {encoding}" if encoding else "save it as UTF-8"
        if b"\0" in content and not encoding:
            help = "it looks like a binary file"
        good = Source(name, content[: error.start].decode("utf-8").replace("\r\n", "\n"))
        place = good.whole().span(len(good.text), len(good.text))
        report.add("not-utf8", place, byte=content[error.start], offset=error.start, help=help)
        return None
    return _checked(name, text, report)


def _checked(name: str, text: str, report: Report) -> Source | None:
    """Return the text as a source, its line ends made alike; refuse what no spec can hold."""
    if len(text) > MOST_BYTES:
        report.add("too-large", Source(name, "").whole().span(), size=len(text), most=MOST_BYTES)
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(name, text)
    found = CONTROL.search(text)
    if found is None:
        return source
    help = None
    if found.group() == "\0":
        # Every other byte of a text of ASCII letters in UTF-16 is 0.
        halves = (text[:100:2], text[1:100:2])
        is_wide = any(set(one) == {"\0"} and "\0" not in other for one, other in (halves, halves[::-1]))
        help = "save it as UTF-8; it looks like UTF-16" if is_wide else "it looks like a binary file"
    if found.group() == "\r":
        help = "lines end with a line feed: save the file with Unix or Windows line ends"
    shown = Source(name, text.encode("utf-8", "replace").decode("utf-8"))
    report.add(
        "bad-character", shown.whole().span(found.start(), found.end()), number=ord(found.group()), help=help
    )
    return None
