"""Watching files: whether a spec, or what it uses of its folder, was saved since the last look."""

from __future__ import annotations

import os
from pathlib import Path

ENDINGS = (".grid", ".toml", ".txt", ".png")
MOST_FILES = 500


class Watch:
    """Looks at the modification times of a spec and of the files beside it that a spec can use."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known = self._stamps()

    def changed(self) -> bool:
        """Whether anything was saved since the last call. A file that is gone, as in mid-save, does not count."""
        stamps = self._stamps()
        if stamps == self._known or (self._path is not None and str(self._path) not in stamps):
            return False
        self._known = stamps
        return True

    def _stamps(self) -> dict[str, tuple[int, int]]:
        if self._path is None:
            return {}
        found = {str(self._path): _stamp(self._path)}
        try:
            with os.scandir(self._path.parent) as entries:
                for entry, _ in zip(entries, range(MOST_FILES), strict=False):
                    if entry.name.endswith(ENDINGS):
                        found[str(self._path.parent / entry.name)] = _stamp(Path(entry.path))
        except OSError:
            return {}
        return {name: stamp for name, stamp in found.items() if stamp is not None}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
