"""Files that a command is to write: refused before the work whose result they are to hold."""

from __future__ import annotations

from pathlib import Path

from griddsl.cli.failures import Refusal
from griddsl.diagnostics import Refused
from griddsl.files.places import check_path


def check_target(path: Path | None, *endings: str) -> None:
    """Refuse a place where no such file can be written."""
    if path is None:
        return
    try:
        check_path(path, *endings)
    except (Refused, OSError) as error:
        raise Refusal(str(error)) from None
