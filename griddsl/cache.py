"""Where griddsl keeps what it would otherwise make anew in every process: the parser's tables, compiled programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "GRIDDSL_CACHE"


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
