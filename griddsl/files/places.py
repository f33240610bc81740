"""Places that a user names: whether something can be written there, or read, asked before any work is done for it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from griddsl.refused import Refused


def check_path(path: str | os.PathLike[str], *suffixes: str) -> Path:
    """The path, if a file can be written there: one of the suffixes (".gif"), in a folder that exists.

    Raises ValueError for another suffix and FileNotFoundError for a missing folder.
    """
    target = Path(path)
    if suffixes and target.suffix.lower() not in suffixes:
        raise Refused(f"cannot write {target}: its name must end in {' or '.join(suffixes)}")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {target}: there is no folder {target.parent}")
    if target.is_dir():
        raise IsADirectoryError(f"cannot write {target}: it is a folder")
    return target


def check_regular(path: str | os.PathLike[str]) -> Path:
    """The path, if it leads to a file: what is read from a device or a pipe may have no end.

    Raises ValueError for what is no file, and OSError where there is none.
    """
    found = Path(path)
    mode = found.stat().st_mode
    if not stat.S_ISREG(mode):
        raise Refused(f"{found} is {_sort(mode)}, not a file")
    return found


def is_empty(path: str | os.PathLike[str]) -> bool:
    """Whether nothing is lost by writing there: no file yet, or one without content."""
    try:
        status = Path(path).stat()
    except FileNotFoundError:
        return True
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


def _sort(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
