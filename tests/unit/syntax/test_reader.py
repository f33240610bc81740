"""The reader: files and texts of all kinds become sources, or one clear diagnostic."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from griddsl.diagnostics import Diagnostic, Report
from griddsl.source import Source
from griddsl.syntax.formatting.formatter import grid_text
from griddsl.syntax.reader import MOST_BYTES, read_document, read_source

GOOD = "env: mine/A-v0\nlimit: 3\n"


def read(source: str | os.PathLike[str]) -> tuple[Source | None, Report]:
    """Read and return the source with what was reported."""
    report = Report()
    return read_source(source, report), report


def refused(source: str | os.PathLike[str]) -> Diagnostic:
    """Read what must be refused, in less than half a second; return the only diagnostic."""
    start = time.process_time()
    found, report = read(source)
    assert time.process_time() - start < 5
    assert found is None
    assert len(report.diagnostics) == 1
    return report.diagnostics[0]


def file(folder: Path, content: bytes, name: str = "spec.grid") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content)
    return path


def test_read_source__path_or_text(tmp_path: Path) -> None:
    """A path is read, as a `Path` or a `str`; whatever reads like a statement is a text."""
    path = file(tmp_path, GOOD.encode())
    for given in (path, str(path)):
        source, report = read(given)
        assert source is not None
        assert (source.name, source.text, report.diagnostics) == (str(path), GOOD, [])
    for text in (GOOD, "limit: 3", "limit:", "", "each step: reward -1", "\n"):
        source, report = read(text)
        assert source is not None
        assert (source.name, source.text) == ("<text>", text)


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()], ids=["mark", "crlf"]
)
def test_read_source__other_conventions(tmp_path: Path, content: bytes) -> None:
    """A byte order mark is dropped, and line ends of any convention are made alike."""
    source, report = read(file(tmp_path, content))
    assert source is not None
    assert (source.text, report.diagnostics) == (GOOD, [])


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (b"env: \xe9t\xe9", "not-utf8", "the file is not UTF-8 text: byte 0xe9 at offset 5"),
        (GOOD.encode("utf-16"), "not-utf8", "the file is not UTF-8 text: byte 0xff at offset 0"),
        (b"env: a\x00b", "bad-character", "the character U+0000 cannot stand in a spec"),
        (b"\x7fELF\x01\x02", "bad-character", "the character U+007F cannot stand in a spec"),
        (b"env: \x1b[31m", "bad-character", "the character U+001B cannot stand in a spec"),
        ("env: a\u202eb".encode(), "bad-character", "the character U+202E cannot stand in a spec"),
        (b"env: a\rlimit: 3", "bad-character", "the character U+000D cannot stand in a spec"),
        (b" " * (MOST_BYTES + 1), "too-large", "the file has 8,000,001 bytes; at most 8,000,000 are read"),
    ],
)
def test_read_source__refuses_content(tmp_path: Path, content: bytes, code: str, message: str) -> None:
    """What is no text, or too much of it, is refused with its reason."""
    diagnostic = refused(file(tmp_path, content))
    assert (diagnostic.code, diagnostic.message) == (code, message)


def test_read_source__lone_surrogate() -> None:
    """A text that no file could hold is refused."""
    assert refused("env: \ud800 x").code == "bad-character"


def test_read_source__missing_file(tmp_path: Path) -> None:
    """A missing file is named, with the files in its folder that have a near name."""
    file(tmp_path, b"", "cliff_walking.grid")
    diagnostic = refused(tmp_path / "clif_walking.grid")
    assert diagnostic.message == "there is no file `clif_walking.grid`"
    assert diagnostic.help == "did you mean `cliff_walking.grid`?"
    assert refused(tmp_path / "no" / "spec.grid").help == f"there is no folder `{tmp_path / 'no'}`"


def test_read_source__not_a_file(tmp_path: Path) -> None:
    """Folders, pipes and devices are refused without being opened."""
    assert refused(tmp_path).message == f"`{tmp_path.name}` is a folder, not a file"
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.grid")
        assert refused(tmp_path / "pipe.grid").message == "`pipe.grid` is a pipe, not a file"
    if Path("/dev/zero").exists():
        assert refused("/dev/zero").message == "`zero` is a device, not a file"
    for name in (".", ".."):
        assert refused(name).message == f"`{name}` is a folder, not a file"


@pytest.mark.parametrize("name", ["a\0b.grid", "a" * 5000 + ".grid", "loop.grid", "\udcff.grid"])
def test_read_source__impossible_names(tmp_path: Path, name: str) -> None:
    """A name that no file can have is refused."""
    if name == "loop.grid":
        (tmp_path / name).symlink_to(tmp_path / name)
    refused(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="all files are open to root")
def test_read_source__not_allowed(tmp_path: Path) -> None:
    """A file that may not be read is refused."""
    path = file(tmp_path, b"")
    path.chmod(0)
    assert refused(path).message == "reading `spec.grid` is not allowed"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.toml", "env: x", True),
        ("a.grid", "env = 'x'", False),
        ("<text>", "# c\n\nenv = 'x'", True),
        ("<text>", "[[rules]]", True),
        ("<text>", '"map" = 1', True),
        ("<text>", 'slip."if a" = 1', True),
        ("<text>", "env: mine/A-v0", False),
        ("<text>", "when x == 1: end", False),
        ("<text>", "var x = 3", False),
        ("<text>", "", False),
    ],
)
def test_is_toml(name: str, text: str, expected: bool) -> None:
    """The ending of the file decides; a text without a file is TOML if its first line assigns."""
    assert Source(name, text).is_toml is expected


HOSTILE = {
    "long line": "each step: reward " + "1 + " * 250_000 + "1",
    "long word": "x" * 1_000_000 + ": 1",
    "long comment": "#" * 1_000_000,
    "long head": "on " + "x" * 1_000_000 + ": end",
    "long quotes": 'mission: "' + "\\" * 1_000_001,
    "open quotes": "each step: reward " + '" ' * 4_000,
    "brackets": "each step: reward " + "(" * 10_000 + "1" + ")" * 10_000,
    "open brackets": "each step: reward " + "(" * 4_000,
    "calls": "each step: reward " + "f(" * 4_000,
    "prefixes": "when " + "not " * 2_000 + "x: end",
    "signs": "each step: reward " + "-" * 9_000 + "1",
    "choices": "each step: reward " + "1 if x else " * 800 + "1",
    "sum": "each step: reward " + "1 + " * 2_400 + "1",
    "powers": "each step: reward 1" + "0" * 9_000,
    "exponent": "each step: reward 1e" + "9" * 5_000,
    "blocks": "setup:\n" + "".join(" " * (4 * i) + "if x:\n" for i in range(1, 500)),
    "lines": "x\n" * 400_000,
    "statements": "limit: (\n" * 200_000,
    "comment lines": "setup:\n" + "# c\n" * 19_000 + "  end",
    "indents": "setup:\n" + "".join(" " * (i % 40) + "x\n" for i in range(40_000)),
    "colons": "each step: " + ":" * 500_000,
    "commas": "actions: " + "," * 9_000,
    "wide map": "map:\n    " + "." * 7_000_000,
    "tall map": "map:\n" + "    .\n" * 19_000,
    "nested arrays": "limit = " + "[" * 100_000,
    "nested tables": "limit = " + "{a=" * 100_000,
    "dotted keys": "a" + ".a" * 500_000 + " = 1",
    "many tables": "".join(f"[a{i}]\nb = 1\n" for i in range(9_000)),
    "many keys": "".join(f"a{i} = 1\n" for i in range(200_000)),
    "many items": "actions = [" + "1," * 1_000_000 + "]",
    "huge number": "limit = " + "9" * 1_000_000,
    "huge string": 'mission = "' + "a\\n" * 1_000_000 + '"',
    "huge lines": 'do = """' + '"" ' * 1_000_000 + '"""',
    "open string": "mission = '''" + "'' " * 1_000_000,
    "rules": '[[rules]]\nwhen = "each step"\ndo = "x y z"\n' * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_read_document__hostile_text(name: str) -> None:
    """A text made to hurt is read and reported in well under a second a stage, or refused."""
    report = Report()
    start = time.process_time()
    source = read_source(HOSTILE[name], report)
    assert source is not None
    grid_text(read_document(source, report), report)
    took = time.process_time() - start
    assert report.has_errors or name in {
        "long comment",
        "long quotes",
        "comment lines",
        "wide map",
        "tall map",
        "exponent",
    }
    assert took < 10, took
