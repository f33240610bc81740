"""A user's files: written whole or not at all.

What is written lies beside its place until all of it is on the disk, and is then put there. A full disk or the end of
the process leaves what was there before as it was.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

_ENDING = ".griddsl-draft"
_NO_TEXT = re.compile("[\ud800-\udfff]")
_OLD = 3600.0  # seconds after which whoever wrote a draft is gone


def write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text as UTF-8; one that exists keeps its mode, and a link goes on leading to it.

    Raises `OSError` where it cannot be written, and then the file is as it was.
    """
    write_together({Path(path): content})


def write_together(contents: Mapping[Path, str | bytes]) -> None:
    """Write several files: none of them where one does not fit."""
    drafts: list[tuple[Path, Path]] = []
    try:
        for path, content in contents.items():
            bytes_given = _encoded(content)
            if _is_special(path):
                path.write_bytes(bytes_given)  # a device or a pipe: there is nothing to lose
            else:
                target = Path(os.path.realpath(path))
                drafts.append((_drafted(target, bytes_given), target))
        while drafts:
            draft, target = drafts[0]
            draft.replace(target)
            del drafts[0]
            _sync_folder(target.parent)
    finally:
        for draft, _ in drafts:
            _discard(draft)


def write_new(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file that is not there yet; raise `FileExistsError` where it is."""
    target = Path(path)
    if target.exists() or target.is_symlink():
        raise FileExistsError(17, "the file exists", str(target))
    draft = _drafted(target, _encoded(content))
    try:
        try:
            os.link(draft, target)  # which fails where there is one by now
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            draft.replace(target)
        _sync_folder(target.parent)
    finally:
        _discard(draft)


def _encoded(content: str | bytes) -> bytes:
    """Return a text in UTF-8; letters of file names that are no text are told as such."""
    return (
        _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", content).encode() if isinstance(content, str) else content
    )


def _is_special(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _drafted(target: Path, content: bytes) -> Path:
    """Return a file beside another, with this content, on the disk, and with the other's mode."""
    before = target.stat() if target.exists() else None
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "writing is not allowed", str(target))
    _clear(target)
    draft = target.with_name(f".{target.name[:100]}.{token_hex(4)}{_ENDING}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _make_alike(draft, before)
    except OSError as error:
        _discard(draft)
        raise type(error)(error.errno, error.strerror, str(target)) from None
    except BaseException:
        _discard(draft)
        raise
    return draft


def _make_alike(draft: Path, before: os.stat_result) -> None:
    """Give a file the owner and the mode of another, as far as that is allowed."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(draft, before.st_uid, before.st_gid)
    with suppress(OSError):
        draft.chmod(stat.S_IMODE(before.st_mode))


def _discard(draft: Path) -> None:
    with suppress(OSError):
        draft.unlink(missing_ok=True)


def _clear(target: Path) -> None:
    """Take away what processes left that were ended while they wrote this file."""
    with suppress(OSError):
        for entry in os.scandir(target.parent):
            if entry.name.startswith(f".{target.name[:100]}.") and entry.name.endswith(_ENDING):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _OLD:
                        Path(entry.path).unlink()


def _sync_folder(place: Path) -> None:
    """Let the disk know of the new name; not every system can."""
    with suppress(OSError):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
