"""Where griddsl keeps what it would otherwise make anew in every process: the parser's tables, compiled programs.

What lies there is run. So nothing is read from a folder or a file that somebody else owns or can write, and nothing
whose hash is not the one it was written with: what is damaged, or cut short by a full disk, is made anew.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

CACHE_VARIABLE = "GRIDDSL_CACHE"
OLD_DRAFT = 3600.0  # seconds after which whoever wrote a draft is gone
_MARK = b"griddsl keeps 1\n"
_DRAFT = ".draft-"
_LOG = logging.getLogger("griddsl")
_said: list[str] = []


def folder() -> Path:
    """Return the folder, which need not exist: ``GRIDDSL_CACHE``, or griddsl's among the user's own caches.

    It is not the temporary folder that all users share, for what lies in it is run. Raises `OSError` for a user who
    has no home, as containers may have one.
    """
    if os.environ.get(CACHE_VARIABLE):
        return Path(os.environ[CACHE_VARIABLE])
    try:
        if sys.platform == "win32":
            home = Path(os.environ.get("LOCALAPPDATA") or Path.home())
        elif sys.platform == "darwin":
            home = Path.home() / "Library" / "Caches"
        else:
            home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError as error:
        raise OSError(f"there is no place for a cache: {error}") from error
    return home / "griddsl"


def find(name: str) -> bytes | None:
    """Return what is kept under a name, ``FILE`` or ``FOLDER/FILE``; None where it is not there as it was written."""
    try:
        path = folder() / name
        for place in _places(path):
            _check_folder(place)
        content = _own_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        _say(error)
        return None
    start = len(_MARK) + 32
    kept = content[start:]
    return kept if content[:start] == _MARK + sha256(kept).digest() else None


def keep(name: str, content: bytes, most: int | None = None) -> bool:
    """Keep something under a name, with at most so many others in its folder; return whether there was a place."""
    try:
        path = folder() / name
        for place in _places(path):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_folder(place)
        _write(path, _MARK + sha256(content).digest() + content)
        _sweep(path.parent, most)
    except OSError as error:
        _say(error)
        return False
    return True


def _places(path: Path) -> list[Path]:
    """Return the folders that a file lies in, from that of the cache on."""
    home = folder()
    return [home] if path.parent == home else [home, path.parent]


def _write(path: Path, content: bytes) -> None:
    """Write a file beside its place and then put it there, so that nobody reads half of it."""
    handle, draft = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)  # which nobody else can read or write
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def _check_folder(place: Path) -> None:
    """Raise `PermissionError` for a folder that somebody else owns, or can write, or has laid a link to."""
    for status in (place.lstat(), place.stat()):
        if not _is_own(status):
            raise PermissionError(f"{place} is not this user's alone: what others can write is not run")
    if not stat.S_ISDIR(place.stat().st_mode):
        raise NotADirectoryError(f"{place} is no folder")


def _is_own(status: os.stat_result) -> bool:
    """Whether a file is this user's, and nobody else can write it; a link can be written by nobody."""
    if not hasattr(os, "geteuid"):  # on Windows the user's own folders are
        return True
    others_write = not stat.S_ISLNK(status.st_mode) and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.geteuid() and not others_write


def _own_bytes(path: Path) -> bytes:
    """Return what a file of this user's holds; the file that is looked at is the file that is read."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    with os.fdopen(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_own(status):
            raise PermissionError(f"{path} is not this user's alone: what others can write is not run")
        return file.read()


def _sweep(place: Path, most: int | None) -> None:
    """Take away drafts that nobody writes any more, and the older half of the files where there are too many."""
    now, files = time.time(), []
    for entry in list(os.scandir(place)):
        with suppress(OSError):
            age = now - entry.stat(follow_symlinks=False).st_mtime
            if not entry.name.startswith("."):
                files.append((age, entry.path))
            elif age > OLD_DRAFT:
                _remove(entry)
    if most is not None and len(files) > most:
        for _, path in sorted(files, reverse=True)[: len(files) // 2]:
            with suppress(OSError):
                Path(path).unlink()


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        Path(entry.path).unlink()


def _say(error: OSError) -> None:
    """Say once that nothing is kept, and why: all goes on, a little slower."""
    reason = ": ".join(str(part) for part in (error.strerror, error.filename) if part) or str(error)
    if not _said:
        _said.append(reason)
        _LOG.warning(
            "griddsl keeps nothing on disk, and starts slower for it: %s (%s names another folder)",
            reason,
            CACHE_VARIABLE,
        )
