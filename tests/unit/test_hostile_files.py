"""Files beside a spec are data: whatever they hold, to check the spec is quick, starts nothing, and says what is wrong."""

from __future__ import annotations

import io
import os
import random
import struct
import subprocess
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import griddsl
from griddsl.files import matching
from griddsl.files.matching import matches
from griddsl.render.pictures import form_of, picture

SPEC = """
env: test/Look-v0
map:
    @..G
legend: G = gem
tile gem:
look gem: sprite "gem.png"
actions: left, right
observe: cell
when agent on gem: end success
limit: 9 steps
"""
LEVELS = """
env: test/Levels-v0
maps: "PATTERN"
actions: left, right
observe: cell
limit: 9 steps
"""


def drawn(form: str, **options: Any) -> bytes:
    """Return a small picture in a form."""
    content = io.BytesIO()
    image = Image.effect_noise((9, 7), 50).convert("RGB")
    image.save(content, form, **options)
    return content.getvalue()


def said(folder: Path, text: str = SPEC) -> list[str]:
    """Return the codes of what is said of a spec in a folder, each with a place in it."""
    path = folder / "spec.grid"
    path.write_text(text)
    picture.cache_clear()
    found = griddsl.check(path)
    assert all(diagnostic.span.source.name for diagnostic in found)
    return [diagnostic.code for diagnostic in found if diagnostic.severity == "error"]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("name", ["gem.png", "gem.jpg", "gem", "gem.eps", "gem.txt"])
def test_picture__is_known_by_what_it_holds(tmp_path: Path, form: str, name: str) -> None:
    """Whatever its name, in pixels and in SVG."""
    (tmp_path / name).write_bytes(drawn(form))
    assert form_of(drawn(form)) == form
    text = SPEC.replace("gem.png", name)
    assert said(tmp_path, text) == []
    from griddsl.render import to_svg

    env = griddsl.make(tmp_path / "spec.grid")
    env.reset(seed=0)
    assert f"data:image/{form.lower()};base64" in to_svg(env.scene())
    assert env.render().shape


@pytest.mark.parametrize("form", ["EPS", "BMP", "TIFF", "PPM", "ICO", "TGA", "PCX", "PDF", "SGI", "MSP"])
def test_other_forms__are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Nothing is run to read them, Ghostscript least of all."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    content = io.BytesIO()
    image = Image.new("RGB" if form != "MSP" else "1", (9, 7))
    image.save(content, form)
    for name in ("Popen", "run", "check_call", "check_output"):
        monkeypatch.setattr(subprocess, name, never)
    (tmp_path / "gem.png").write_bytes(content.getvalue())
    assert said(tmp_path) == ["unreadable"]


def bomb() -> bytes:
    """Return a PNG of 60,000 x 60,000 pixels in a few bytes."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


def text_bomb() -> bytes:
    """Return a PNG with a text of a hundred megabytes in it."""
    whole = drawn("PNG")
    content = b"Comment\0\0" + zlib.compress(bytes(100_000_000))
    chunk = (
        struct.pack(">I", len(content)) + b"zTXt" + content + struct.pack(">I", zlib.crc32(b"zTXt" + content))
    )
    return whole[:33] + chunk + whole[33:]


BROKEN = {
    "nothing": b"",
    "a text": b"hello",
    "only the start": b"\x89PNG\r\n\x1a\n",
    "a bomb": bomb(),
    "a text bomb": text_bomb(),
    "two pictures mixed": drawn("PNG")[:40] + drawn("GIF"),
    "a size of nothing": b"GIF89a\0\0\0\0\0\0\0;",
    "a WebP of nothing": b"RIFF\x04\0\0\0WEBP",
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_picture__is_a_diagnostic(tmp_path: Path, what: str) -> None:
    """At the place that names it, within seconds."""
    (tmp_path / "gem.png").write_bytes(BROKEN[what])
    began = time.monotonic()
    assert said(tmp_path) == ["unreadable"]
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_damaged_picture__raises_nothing_else(tmp_path: Path, form: str) -> None:
    """Cut at any length, or with any bytes changed: read, or a ValueError."""
    whole, rng = drawn(form), random.Random(0)
    contents = [whole[:length] for length in range(len(whole))]
    for _ in range(600):
        changed = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        contents.append(bytes(changed))
    path = tmp_path / "gem.png"
    for content in contents:
        path.write_bytes(content)
        picture.cache_clear()
        try:
            assert picture(str(path), 8).shape == (8, 8, 4)
        except ValueError as error:
            assert "cannot read the picture" in str(error)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_what_is_no_file_here__is_refused(tmp_path: Path) -> None:
    """A pipe, a folder, a link that leads nowhere, round and round, or out of the folder."""
    folder = tmp_path / "specs"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(drawn("PNG"))
    place = folder / "gem.png"
    os.mkfifo(place)
    assert said(folder) == ["unreadable"]
    place.unlink()
    place.mkdir()
    assert said(folder) == ["unreadable"]
    place.rmdir()
    for target, code in (("nowhere", "unreadable"), ("gem.png", None), ("../secret.png", "outside-folder")):
        place.symlink_to(target)
        (found,) = said(folder)
        assert found == code or (code is None and found in {"unreadable", "outside-folder"})
        place.unlink()
    place.symlink_to(tmp_path / "secret.png")
    assert said(folder) == ["outside-folder"]


# Levels


def tree(folder: Path, width: int, depth: int) -> None:
    """Make folders in folders, with a level in each of the deepest."""
    folder.mkdir(exist_ok=True)
    if depth == 0:
        (folder / "a.x").write_text("@..\n")
        return
    for number in range(width):
        tree(folder / str(number), width, depth - 1)


def test_pattern_over_many_folders__is_bounded(tmp_path: Path) -> None:
    """However many `**` there are: it is said within seconds that there is too much to look through."""
    tree(tmp_path, 3, 7)  # 3,280 folders
    for pattern in ("**/*.x", "**/**/**/**/*.x", "/".join(["**"] * 200) + "/*.x"):
        began = time.monotonic()
        assert said(tmp_path, LEVELS.replace("PATTERN", pattern))[0] == "unreadable"
        assert time.monotonic() - began < 10
        assert matches(tmp_path, pattern).limit == "more than 1,000 folders"


def test_pattern__is_bounded_in_files_entries_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bound is told."""
    for number in range(20):
        (tmp_path / f"{number}.x").write_text("@..\n")
    for name, most, told in (
        ("MOST_FILES", 19, "more than 19 files"),
        ("MOST_ENTRIES", 19, "more than 19 files and folders"),
        ("MOST_SECONDS", 0.0, "more than 0 seconds' worth of folders"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(matching, name, most)
            assert matches(tmp_path, "*.x").limit == told
            path = tmp_path / "spec.grid"
            path.write_text(LEVELS.replace("PATTERN", "*.x"))
            (found, *_) = griddsl.check(path)
            assert told in found.message and found.span.text == '"*.x"'
    assert matches(tmp_path, "*.x").limit is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.x", ["a.x"]),
        ("**/*.x", ["a.x", "one/b.x", "one/two/c.x"]),
        ("**/**/*.x", ["a.x", "one/b.x", "one/two/c.x"]),
        ("one/**/*.x", ["one/b.x", "one/two/c.x"]),
        ("*/*.x", ["one/b.x"]),
        ("**/two/?.x", ["one/two/c.x"]),
        ("./one/[ab].x", ["one/b.x"]),
        ("**", []),
        ("one", []),
        ("", []),
        ("one/b.x/*", []),
    ],
)
def test_pattern__finds_what_it_says(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    """As `Path.glob` does, files only."""
    (tmp_path / "one" / "two").mkdir(parents=True)
    for name in ("a.x", "a.y", "one/b.x", "one/two/c.x"):
        (tmp_path / name).write_text("")
    found = matches(tmp_path, pattern)
    assert [path.relative_to(tmp_path).as_posix() for path in found.files] == expected
    if pattern:
        assert sorted(path for path in tmp_path.glob(pattern) if path.is_file()) == list(found.files)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_pattern__follows_no_link_out_of_the_folder(tmp_path: Path) -> None:
    """Neither a link to a file nor one to a folder; links that go round end."""
    inner, outer = tmp_path / "specs", tmp_path / "outer"
    (inner / "one").mkdir(parents=True)
    outer.mkdir()
    for place in (inner / "a.x", inner / "one" / "b.x", outer / "secret.x"):
        place.write_text("@..\n")
    (inner / "out").symlink_to(outer)
    (inner / "c.x").symlink_to(outer / "secret.x")
    (inner / "round").symlink_to(inner)
    (inner / "within").symlink_to(inner / "one")
    for pattern, expected in (
        ("*.x", ["a.x"]),
        ("**/*.x", ["a.x", "one/b.x"]),
        ("out/*.x", []),
        ("*/*.x", ["one/b.x", "round/a.x", "within/b.x"]),
        ("round/round/round/*.x", ["round/round/round/a.x"]),
    ):
        found = matches(inner, pattern)
        assert [path.relative_to(inner).as_posix() for path in found.files] == expected, pattern
